import Glibc
import GlissDevices
import GlissEvents

/// A service on the user's bus, for one connection to a desktop.
final class BusService {
  let bus: Bus
  /// Called when the bus or the service is gone, or when a message cannot be sent.
  var didFail: ((DesktopFailure) -> Void)?
  /// The service's unique name, once it was found.
  private(set) var owner: String?
  private let name: String
  /// Keeps listeners and served objects alive.
  private var interests: [BusInterest] = []
  /// The calls without a reply so far, by number.
  private var calls: [Int: BusInterest] = [:]
  private var callCount = 0

  /// How long a reply may take. Desktops reply at once, even while they start.
  private static let patience = EventInterval.milliseconds(1500)

  /// - Parameter address: the address of the bus.
  init(_ name: String, bus address: String, on loop: InputLoop) throws(DesktopFailure) {
    guard let bus = Bus(address) else { throw .unreachable("the session bus", code: ENOENT) }
    self.name = name
    self.bus = bus
    do throws(SystemError) {
      try bus.attach(to: loop) { [weak self] in self?.didFail?(.closed) }
    } catch {
      throw .unreachable("the session bus", code: error.code)
    }
  }

  /// Looks for the service. Fails if no process has its name.
  func find(_ found: @escaping () -> Void) {
    keep(
      bus.findOwner(of: name, within: Self.patience) { [weak self] owner in
        guard let self else { return }
        guard let owner else { return fail(.unreachable(name, code: ENOENT)) }
        self.owner = owner
        found()
      })
  }

  /// Fails when another process takes over the service, or when the service goes away.
  func failIfReplaced() {
    keep(bus.listenForOwner(of: name) { [weak self] _ in self?.fail(.closed) })
  }

  /// Calls a method with text arguments. `answer` receives the reply or an error.
  func call(
    _ path: String, _ interface: String, _ method: String, _ arguments: [String] = [],
    _ answer: @escaping (borrowing BusMessage) -> Void
  ) {
    callCount += 1
    let number = callCount
    guard let message = message(path, interface, method, arguments),
      let call = bus.send(
        message, within: Self.patience,
        { [weak self] reply in
          let call = self?.calls.removeValue(forKey: number)
          answer(reply)
          withExtendedLifetime(call) {}
        })
    else { return fail(Self.refusal) }
    calls[number] = call
  }

  /// Calls a method without waiting for the reply.
  func send(_ path: String, _ interface: String, _ method: String, _ argument: String) {
    guard let message = message(path, interface, method, [argument]) else { return }
    bus.send(message)
  }

  private func message(
    _ path: String, _ interface: String, _ method: String, _ arguments: [String]
  ) -> BusMessage? {
    guard let message = bus.message(name, path, interface, method) else { return nil }
    for argument in arguments {
      guard message.append(argument) else { return nil }
    }
    return message
  }

  /// Keeps `interest` as long as this connection lasts.
  func keep(_ interest: BusInterest?) {
    guard let interest else { return fail(Self.refusal) }
    interests.append(interest)
  }

  func fail(_ failure: DesktopFailure) { didFail?(failure) }

  private static let refusal = DesktopFailure.unsupported("the session bus accepts no message")
}
