/// Lets each notification of a topic take the place of the one before, however quickly they follow each other.
///
/// The desktop numbers what it shows and tells the number in its answer; until that comes, what else is asked for waits. Of
/// those that wait the last is shown: the others' place it would take at once. Numbers are their server's, and go with it.
struct NotificationMachine<Content> {
  enum Action {
    /// To be sent in place of the one of that number; 0 takes nobody's place.
    case show(Content, replacing: UInt32)
    case giveUp(Content, reason: String)
    /// Never to be shown: another takes its place at once.
    case leaveOut(Content)
  }

  /// What became of one that was sent.
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
    /// The unique name of who has given it.
    var server: String
  }

  private var topics: [String: State] = [:]
  /// The unique name of who shows notifications now: empty where nobody does, `nil` where that is not known.
  private var server: String?

  mutating func ask(_ content: Content, of topic: String) -> Action? {
    switch topics[topic] ?? .still(nil) {
    case .still(let shown): return show(content, of: topic, insteadOf: shown)
    case .asking(let before, let waiting):
      topics[topic] = .asking(before: before, waiting: waiting + [content])
      return nil
    }
  }

  /// The last that was sent of that topic was answered.
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

  /// Another shows notifications from now on; an empty name where nobody does.
  mutating func serverChanged(to name: String) { server = name }

  /// The bus is gone, and with it whoever was on it. What was sent has been answered by then.
  mutating func busClosed() { self = Self() }

  private mutating func show(
    _ content: Content, of topic: String, insteadOf shown: Shown?
  ) -> Action {
    topics[topic] = .asking(before: shown, waiting: [])
    guard let shown, shown.server == server else { return .show(content, replacing: 0) }
    return .show(content, replacing: shown.number)
  }
}
