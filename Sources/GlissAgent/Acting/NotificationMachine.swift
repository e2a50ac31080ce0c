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

  /// What became of a notification that was sent.
  enum Answer: Hashable {
    case shown(number: UInt32, server: String)
    case failed(String)
  }

  private enum State {
    case still(Shown?)
    /// One has been sent and is not answered yet.
    case asking(before: Shown?, waiting: [Content])
  }

  private struct Shown {
    var number: UInt32
    /// The unique bus name of the server that assigned the number.
    var server: String
  }

  private var topics: [String: State] = [:]
  /// The unique bus name of the current notification server: empty if there is none, `nil` if
  /// unknown.
  private var server: String?

  mutating func ask(_ content: Content, of topic: String) -> Action? {
    switch topics[topic] ?? .still(nil) {
    case .still(let shown): return show(content, of: topic, insteadOf: shown)
    case .asking(let before, let waiting):
      topics[topic] = .asking(before: before, waiting: waiting + [content])
      return nil
    }
  }

  /// The last notification sent for the topic was answered.
  mutating func answered(_ answer: Answer, of topic: String) -> [Action] {
    switch topics[topic] ?? .still(nil) {
    case .still: return []
    case .asking(let before, let waiting):
      var actions: [Action] = []
      var shown = before
      switch answer {
      case .shown(let number, let from):
        shown = Shown(number: number, server: from)
        server = server ?? from
        actions = waiting.dropLast().map { .leaveOut($0) }
      case .failed(let reason):
        actions = waiting.dropLast().map { .giveUp($0, reason: reason) }
      }
      topics[topic] = .still(shown)
      if let last = waiting.last { actions.append(show(last, of: topic, insteadOf: shown)) }
      return actions
    }
  }

  /// Another server shows notifications from now on. The name is empty if there is none.
  mutating func serverChanged(to name: String) { server = name }

  /// The bus connection is lost, and the server with it. Anything sent has been answered by then.
  mutating func busClosed() { self = Self() }

  private mutating func show(
    _ content: Content, of topic: String, insteadOf shown: Shown?
  ) -> Action {
    topics[topic] = .asking(before: shown, waiting: [])
    guard let shown, shown.server == server else { return .show(content, replacing: 0) }
    return .show(content, replacing: shown.number)
  }
}
