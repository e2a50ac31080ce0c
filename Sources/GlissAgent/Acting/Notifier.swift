import GlissDevices
import GlissEvents

/// Notifications on the user's desktop. One with the same topic takes the place of the one before.
final class Notifier {
  private struct Topic {
    /// The number that the desktop has given it; 0 where it has given none.
    var number: UInt32 = 0
    var interest: BusInterest?
  }

  /// A desktop answers at once, or starts its server first.
  private static let patience = EventInterval.milliseconds(10_000)
  private static let service = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"

  private let loop: EventLoop
  private let log: AgentLog
  private let address: String?
  private var bus: Bus?
  private var topics: [String: Topic] = [:]

  init(_ loop: EventLoop, _ log: AgentLog, address: String?) {
    self.loop = loop
    self.log = log
    self.address = address
  }

  /// Shows it, or says in the log what cannot be shown.
  ///
  /// - Parameter name: who wants it shown; `nil` where the log has it already.
  func notify(_ topic: String, _ summary: String, _ body: String?, as name: String?) {
    let text = name.map { "\($0): \(summary)" + (body.map { ": \($0)" } ?? "") }
    show(topic, summary, body ?? "") { [log] reason in
      if let text { log.say(.notice, "\(text) (\(reason))") }
    }
  }

  /// - Parameter fail: called with the reason where it is not shown.
  private func show(
    _ topic: String, _ summary: String, _ body: String, _ fail: @escaping (String) -> Void
  ) {
    guard let bus = connected() else { return fail("there is no desktop to show it") }
    let before = topics[topic]?.number ?? 0
    guard let message = Self.message(bus, replacing: before, summary, body) else {
      return fail("it cannot be sent")
    }
    let interest = bus.send(message, within: Self.patience) { [weak self] answer in
      if let error = answer.error {
        fail("it is not shown: \(error)")
      } else {
        self?.topics[topic]?.number = answer.number() ?? 0
      }
    }
    topics[topic] = Topic(number: before, interest: interest)
    if interest == nil { fail("it cannot be sent") }
  }

  /// susssasa{sv}i: who, instead of which, icon, summary, body, actions, hints, and how long: as the desktop likes.
  private static func message(
    _ bus: Bus, replacing number: UInt32, _ summary: String, _ body: String
  ) -> BusMessage? {
    guard let message = bus.message(service, path, service, "Notify") else { return nil }
    guard message.append("gliss"), message.append(number), message.append("input-touchpad"),
      message.append(summary), message.append(body), message.append("a", "s", { true }),
      message.append("a", "{sv}", { true }), message.append(Int32(-1))
    else { return nil }
    return message
  }

  private func connected() -> Bus? {
    if let bus { return bus }
    guard let address, let opened = Bus(address) else { return nil }
    do throws(DeviceError) {
      try opened.attach(to: loop) { [weak self] in
        self?.bus = nil
        // whoever shows them next counts anew
        self?.topics = [:]
      }
    } catch {
      return nil
    }
    bus = opened
    return opened
  }

  var deadline: EventTime? { bus?.deadline }

  func advance(to time: EventTime) {
    if let deadline = bus?.deadline, deadline <= time { bus?.advance() }
  }

  func close() { bus = nil }
}
