import GlissDevices
import GlissEvents

/// Desktop notifications. One with the same topic replaces the one before.
final class Notifier {
  private struct Content {
    var summary: String
    var body: String
    /// What the log says if it is not shown; `nil` if the log has it already.
    var text: String?
    var record: ActionRecord.ID?
  }

  /// A desktop answers at once, or starts its server first.
  private static let patience = EventInterval.milliseconds(10_000)
  private static let service = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"

  var didEnd: ((ActionRecord.ID, ActionRecord.Result) -> Void)?

  private let loop: InputLoop
  private let log: AgentLog
  private let address: String?
  private var bus: Bus?
  private var machine = NotificationMachine<Content>()
  /// The calls that wait for an answer, by the topic of their notification.
  private var interests: [String: BusInterest] = [:]
  private var ownerWatch: BusInterest?

  init(_ loop: InputLoop, _ log: AgentLog, address: String?) {
    self.loop = loop
    self.log = log
    self.address = address
  }

  /// Shows a notification, or logs it if it cannot be shown.
  ///
  /// - Parameter name: who requested it; `nil` if the log has it already.
  func notify(
    _ topic: String, _ summary: String, _ body: String?, as name: String?,
    _ record: ActionRecord.ID? = nil
  ) {
    let text = name.map { "\($0): \(summary)" + (body.map { ": \($0)" } ?? "") }
    show(Content(summary: summary, body: body ?? "", text: text, record: record), of: topic)
  }

  private func show(_ content: Content, of topic: String) {
    if let number = machine.ask(content, of: topic) { send(content, of: topic, replacing: number) }
  }

  private func send(_ content: Content, of topic: String, replacing number: UInt32) {
    guard let bus = connected() else {
      return fail(content, "there is no desktop to show it", of: topic)
    }
    let interest = bus.ask(
      Self.service, Self.path, Self.service, "Notify",
      { Self.fill($0, replacing: number, content) }, within: Self.patience
    ) { [weak self] answer in
      guard let self else { return }
      if let error = answer.error {
        return fail(content, "it is not shown: \(error)", of: topic)
      }
      end(content, .done)
      let shown = (number: answer.number() ?? 0, server: answer.sender ?? "")
      showLast(of: topic, shown) {
        self.end($0, .failed("the next one came before it was shown"))
      }
    }
    guard let interest else { return fail(content, "it cannot be sent", of: topic) }
    interests[topic] = interest
  }

  private func fail(_ content: Content, _ reason: String, of topic: String) {
    giveUp(content, reason)
    showLast(of: topic, nil) { giveUp($0, reason) }
  }

  /// Shows the last notification that has waited for the answer, and leaves out the others.
  private func showLast(
    of topic: String, _ shown: (number: UInt32, server: String)?, leavingOut: (Content) -> Void
  ) {
    let waiting = machine.answered(shown, of: topic)
    waiting.dropLast().forEach(leavingOut)
    if let last = waiting.last { show(last, of: topic) }
  }

  private func giveUp(_ content: Content, _ reason: String) {
    if let text = content.text { log.report(.notice, "\(text) (\(reason))") }
    end(content, .failed(reason))
  }

  private func end(_ content: Content, _ result: ActionRecord.Result) {
    if let record = content.record { didEnd?(record, result) }
  }

  /// Signature susssasa{sv}i: application name, replaced number, icon, summary, body, actions,
  /// hints and timeout. The desktop chooses the timeout.
  private static func fill(
    _ message: borrowing BusMessage, replacing number: UInt32, _ content: Content
  ) -> Bool {
    message.append("gliss") && message.append(number) && message.append("input-touchpad")
      && message.append(content.summary) && message.append(content.body)
      && message.append("a", "s") { true } && message.append("a", "{sv}") { true }
      && message.append(Int32(-1))
  }

  // MARK: The bus

  private func connected() -> Bus? {
    if let bus { return bus }
    guard let address, let opened = Bus(address) else { return nil }
    do throws(SystemError) {
      try opened.attach(to: loop) { [weak self] in
        self?.bus = nil
        self?.ownerWatch = nil
        self?.machine.busClosed()
      }
    } catch {
      return nil
    }
    ownerWatch = opened.listenForOwner(of: Self.service) { [weak self] in
      self?.machine.serverChanged(to: $0 ?? "")
    }
    bus = opened
    return opened
  }

  func close() { bus = nil }
}

/// Makes each notification of a topic replace the previous one, however quickly they follow each
/// other.
///
/// The desktop returns a notification's number in its answer. Until that arrives, later
/// notifications wait. Only the last one that waits is shown, because it would replace the others
/// at once. Numbers belong to the notification server and are lost when it goes.
struct NotificationMachine<Content> {
  private struct Topic {
    /// The number of the notification that is shown, and the unique bus name of the server that
    /// assigned it.
    var shown: (number: UInt32, server: String)?
    /// What waits until the notification that was sent is answered; `nil` if none was sent.
    var waiting: [Content]?
  }

  private var topics: [String: Topic] = [:]
  /// The unique bus name of the current notification server: empty if there is none, `nil` if
  /// unknown.
  private var server: String?

  /// - Returns: the number of the notification whose place it takes, 0 for none; `nil` if it waits.
  mutating func ask(_ content: Content, of topic: String) -> UInt32? {
    guard topics[topic]?.waiting == nil else {
      topics[topic]?.waiting?.append(content)
      return nil
    }
    topics[topic, default: Topic()].waiting = []
    guard let shown = topics[topic]?.shown, shown.server == server else { return 0 }
    return shown.number
  }

  /// - Parameter shown: `nil` if what was sent is not shown.
  /// - Returns: those that have waited. Ask for the last one again.
  mutating func answered(
    _ shown: (number: UInt32, server: String)?, of topic: String
  ) -> [Content] {
    guard let waiting = topics[topic]?.waiting else { return [] }
    topics[topic]?.waiting = nil
    if let shown {
      topics[topic]?.shown = shown
      server = server ?? shown.server
    }
    return waiting
  }

  /// Another server shows notifications from now on. The name is empty if there is none.
  mutating func serverChanged(to name: String) { server = name }

  /// The bus connection is lost, and the server with it. Anything sent has been answered by then.
  mutating func busClosed() { self = Self() }
}
