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
  private typealias Machine = NotificationMachine<Content>

  /// A desktop answers at once, or starts its server first.
  private static let patience = EventInterval.milliseconds(10_000)
  private static let service = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"

  var didEnd: ((ActionRecord.ID, ActionRecord.Result) -> Void)?

  private let loop: InputLoop
  private let log: AgentLog
  private let address: String?
  private var bus: Bus?
  private var machine = Machine()
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
    let content = Content(summary: summary, body: body ?? "", text: text, record: record)
    if let action = machine.ask(content, of: topic) { perform(action, of: topic) }
  }

  private func perform(_ action: Machine.Action, of topic: String) {
    switch action {
    case .show(let content, let number): show(content, of: topic, replacing: number)
    case .giveUp(let content, let reason): giveUp(content, reason)
    case .leaveOut(let content): end(content, .failed("the next one came before it was shown"))
    }
  }

  private func show(_ content: Content, of topic: String, replacing number: UInt32) {
    guard let bus = connected() else {
      return fail(content, "there is no desktop to show it", of: topic)
    }
    let interest = bus.ask(
      Self.service, Self.path, Self.service, "Notify",
      { Self.fill($0, replacing: number, content) }, within: Self.patience
    ) { [weak self] answer in
      guard let self else { return }
      if let error = answer.error {
        fail(content, "it is not shown: \(error)", of: topic)
      } else {
        end(content, .done)
        report(.shown(number: answer.number() ?? 0, server: answer.sender ?? ""), of: topic)
      }
    }
    guard let interest else { return fail(content, "it cannot be sent", of: topic) }
    interests[topic] = interest
  }

  private func fail(_ content: Content, _ reason: String, of topic: String) {
    giveUp(content, reason)
    report(.failed(reason), of: topic)
  }

  private func giveUp(_ content: Content, _ reason: String) {
    if let text = content.text { log.report(.notice, "\(text) (\(reason))") }
    end(content, .failed(reason))
  }

  private func end(_ content: Content, _ result: ActionRecord.Result) {
    if let record = content.record { didEnd?(record, result) }
  }

  private func report(_ answer: Machine.Answer, of topic: String) {
    for action in machine.answered(answer, of: topic) { perform(action, of: topic) }
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
  enum Action {
    /// Send it in place of the notification with this number; 0 replaces none.
    case show(Content, replacing: UInt32)
    case giveUp(Content, reason: String)
    /// Never shown: another would replace it at once.
    case leaveOut(Content)
  }

  enum Answer: Hashable {
    case shown(number: UInt32, server: String)
    case failed(String)
  }

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

  mutating func ask(_ content: Content, of topic: String) -> Action? {
    guard topics[topic]?.waiting == nil else {
      topics[topic]?.waiting?.append(content)
      return nil
    }
    return show(content, of: topic)
  }

  mutating func answered(_ answer: Answer, of topic: String) -> [Action] {
    guard let waiting = topics[topic]?.waiting else { return [] }
    topics[topic]?.waiting = nil
    var actions: [Action]
    switch answer {
    case .shown(let number, let from):
      topics[topic]?.shown = (number: number, server: from)
      server = server ?? from
      actions = waiting.dropLast().map { .leaveOut($0) }
    case .failed(let reason): actions = waiting.dropLast().map { .giveUp($0, reason: reason) }
    }
    if let last = waiting.last { actions.append(show(last, of: topic)) }
    return actions
  }

  /// Another server shows notifications from now on. The name is empty if there is none.
  mutating func serverChanged(to name: String) { server = name }

  /// The bus connection is lost, and the server with it. Anything sent has been answered by then.
  mutating func busClosed() { self = Self() }

  private mutating func show(_ content: Content, of topic: String) -> Action {
    topics[topic, default: Topic()].waiting = []
    guard let shown = topics[topic]?.shown, shown.server == server else {
      return .show(content, replacing: 0)
    }
    return .show(content, replacing: shown.number)
  }
}
