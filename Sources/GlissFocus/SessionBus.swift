import Glibc
import GlissDevices
import GlissEvents

/// The user's bus, for one source.
final class SessionBus {
  let bus: Bus
  private let timer: LoopTimer
  /// What is listened to or served.
  private var interests: [BusInterest] = []
  /// The calls that were not answered yet, by number.
  private var calls: [Int: BusInterest] = [:]
  private var callCount = 0

  /// Desktops answer at once, also while they start.
  static let patience = EventInterval.milliseconds(1500)

  /// - Parameter didClose: called when the bus has gone.
  init(
    _ address: String, on loop: InputLoop, didClose: @escaping () -> Void
  ) throws(FocusFailure) {
    guard let bus = Bus(address) else { throw .unreachable("the session bus", code: ENOENT) }
    self.bus = bus
    do throws(SystemError) {
      timer = try LoopTimer(on: loop) { [weak bus] in bus?.advance() }
      bus.didChangeDeadline = { [weak bus, weak timer] in timer?.due = bus?.deadline }
      try bus.attach(to: loop, didClose: didClose)
    } catch {
      throw .unreachable("the session bus", code: error.code)
    }
  }

  /// Calls a method with texts. `answer` receives the reply or an error.
  func call(
    _ service: String, _ path: String, _ interface: String, _ method: String,
    _ arguments: [String] = [], _ answer: @escaping (borrowing BusMessage) -> Void
  ) throws(FocusFailure) {
    guard let message = bus.message(service, path, interface, method),
      arguments.allSatisfy({ message.append($0) })
    else { throw .malformed("a name that the bus does not take") }
    callCount += 1
    let number = callCount
    let call = bus.send(message, within: Self.patience) { [weak self] reply in
      let call = self?.calls.removeValue(forKey: number)
      answer(reply)
      withExtendedLifetime(call) {}
    }
    guard let call else { throw Self.refusal }
    calls[number] = call
  }

  private static let refusal = FocusFailure.unsupported("the session bus takes no message")

  /// Calls `handler` when `service` gets another owner or none.
  func listenForOwner(
    of service: String, _ handler: @escaping () -> Void
  ) throws(FocusFailure) {
    let rule =
      "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(service)'"
    try keep(bus.listen(rule) { _ in handler() })
  }

  /// The unique name behind `service`; `nil` if nobody has it.
  func findOwner(
    of service: String, _ answer: @escaping (String?) -> Void
  ) throws(FocusFailure) {
    let bus = "org.freedesktop.DBus"
    try call(bus, "/org/freedesktop/DBus", bus, "GetNameOwner", [service]) { message in
      answer(message.error == nil ? message.string() : nil)
    }
  }

  func keep(_ interest: BusInterest?) throws(FocusFailure) {
    guard let interest else { throw Self.refusal }
    interests.append(interest)
  }
}
