import GlissEvents
import GlissHotkeys
import GlissSession

/// Chords waiting to be pressed, one after the other, no faster than a desktop reads them.
///
/// The kernel keeps 64 events for each reader of a keyboard and drops the rest. A chord has up to
/// 36.
struct PressQueue {
  private enum State {
    /// Nothing waits. A new chord is not pressed before `since`.
    case idle(since: EventTime)
    /// The first chord is pressed at `due`.
    case waiting([[KeyStroke]], due: EventTime)
  }

  /// The most chords that may wait.
  static let capacity = 256
  /// The time between two chords.
  static let interval = EventInterval.milliseconds(5)

  private var state: State

  /// - Parameter ready: When the keyboard is ready; nobody reads it before that.
  init(ready: EventTime) { state = .idle(since: ready) }

  /// When ``next(at:)`` returns the next chord.
  var deadline: EventTime? {
    switch state {
    case .idle: nil
    case .waiting(_, let due): due
    }
  }

  /// Adds all `chords`, or returns false and adds none if there are too many.
  mutating func add(_ chords: [[KeyStroke]], at time: EventTime) -> Bool {
    if chords.isEmpty { return true }
    switch state {
    case .idle(let since): state = .waiting(chords, due: max(since, time))
    case .waiting(let waiting, let due):
      guard waiting.count + chords.count <= Self.capacity else { return false }
      state = .waiting(waiting + chords, due: due)
    }
    return true
  }

  /// Removes all waiting chords.
  mutating func forget() {
    switch state {
    case .waiting(_, let due): state = .idle(since: due)
    case .idle: break
    }
  }

  /// The chord to press now; `nil` without one.
  mutating func next(at time: EventTime) -> [KeyStroke]? {
    switch state {
    case .waiting(let waiting, let due) where due <= time:
      let rest = Array(waiting.dropFirst())
      let next = time + Self.interval
      state = rest.isEmpty ? .idle(since: next) : .waiting(rest, due: next)
      return waiting.first
    case .waiting, .idle: return nil
    }
  }
}

/// Turns chords into key strokes: press the modifiers and the key, then release all in reverse
/// order.
///
/// It presses the left modifier of a pair unless the chord names the right one. Characters are
/// looked up in a layout, and the modifiers that select them are pressed too.
struct ChordPresser {
  /// A character's place in a layout: its key, and the keys to hold with it.
  struct Place: Hashable, Sendable {
    var key: Key
    var choosers: [Key]
  }

  /// The layout's name for messages.
  let layout: String
  /// Returns `nil` if the layout does not have the character.
  let find: (Unicode.Scalar) -> Place?

  /// - Throws: If the chord cannot be pressed.
  func strokes(for chord: Chord) throws(PressError) -> [KeyStroke] {
    switch chord.obstacle {
    case nil: break
    case .noKey?: throw .noKey(chord)
    case .sysRq?: throw .notPressed(chord)
    }
    var held = chord.modifiers.keys
    let last: Key
    switch chord.trigger {
    case .key(let key): last = key
    case .symbol(let character):
      guard let place = find(character) else { throw .notOnLayout(chord, layout: layout) }
      held += place.choosers.filter { !held.contains($0) }
      last = place.key
    case .wheel: throw .noKey(chord)
    }
    held.removeAll { $0 == last }
    return held.map(KeyStroke.down) + [.down(last), .up(last)]
      + held.reversed().map(KeyStroke.up)
  }
}

extension ChordModifiers {
  /// The keys for these modifiers.
  fileprivate var keys: [Key] {
    let all: [(ChordModifiers, Key)] = [
      (.super, .leftSuper), (.leftSuper, .leftSuper), (.rightSuper, .rightSuper),
      (.control, .leftControl), (.leftControl, .leftControl), (.rightControl, .rightControl),
      (.alt, .leftAlt), (.altGr, .rightAlt),
      (.shift, .leftShift), (.leftShift, .leftShift), (.rightShift, .rightShift),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}
