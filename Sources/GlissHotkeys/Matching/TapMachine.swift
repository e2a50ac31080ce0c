import GlissEvents

/// Detects modifiers tapped alone: pressed and released soon, with no other key, button or wheel
/// between.
struct TapMachine {
  private enum State {
    case idle
    /// A modifier went down alone, and nothing has happened since.
    case armed(Key, since: EventTime)
  }

  private let longest: EventInterval
  private var state = State.idle

  init(longest: EventInterval) { self.longest = longest }

  /// - Parameter others: the other modifiers that are down.
  mutating func pressed(_ key: Key, others: Modifiers, at time: EventTime) {
    let isAlone = !Modifiers(key).isEmpty && others.isEmpty
    state = isAlone ? .armed(key, since: time) : .idle
  }

  /// Whether that was a tap.
  mutating func released(_ key: Key, at time: EventTime) -> Bool {
    defer { state = .idle }
    return switch state {
    case .armed(key, let since): time - since <= longest
    case .armed, .idle: false
    }
  }

  /// Something else happened.
  mutating func spoil() { state = .idle }
}
