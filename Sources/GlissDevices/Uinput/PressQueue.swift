import GlissEvents

/// Chords waiting to be pressed, one after the other, no faster than a desktop reads them.
///
/// The kernel keeps 64 events for each reader of a keyboard and drops the rest. A chord has up to
/// 36.
struct PressQueue {
  private enum State {
    /// Nothing waits. A new chord is not pressed before `since`.
    case idle(since: EventTime)
    /// The first chord is pressed at `due`.
    case waiting([Piece], due: EventTime)
  }

  private struct Piece {
    var strokes: [KeyStroke]
    /// Who presses it; 0 for nobody in particular.
    var owner: UInt64
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
  mutating func add(_ chords: [[KeyStroke]], of owner: UInt64 = 0, at time: EventTime) -> Bool {
    if case .waiting(let waiting, _) = state {
      guard waiting.count + chords.count <= Self.capacity else { return false }
    }
    append(chords, of: owner, at: time)
    return true
  }

  /// Adds all `chords`, however many there are.
  mutating func append(_ chords: [[KeyStroke]], of owner: UInt64 = 0, at time: EventTime) {
    if chords.isEmpty { return }
    if case .waiting(var waiting, let due) = state, let last = waiting.last, last.owner == owner,
      let motion = chords.only?.only, let both = last.strokes.only?.joined(with: motion)
    {
      waiting[waiting.count - 1].strokes = [both]
      state = .waiting(waiting, due: due)
      return
    }
    let pieces = chords.map { Piece(strokes: $0, owner: owner) }
    switch state {
    case .idle(let since): state = .waiting(pieces, due: max(since, time))
    case .waiting(let waiting, let due): state = .waiting(waiting + pieces, due: due)
    }
  }

  /// Lets the next chord wait until `time`, because a device is new.
  mutating func wait(until time: EventTime) {
    switch state {
    case .idle(let since): state = .idle(since: max(since, time))
    case .waiting(let waiting, let due): state = .waiting(waiting, due: max(due, time))
    }
  }

  /// Removes the waiting chords of `owner`, or all.
  mutating func forget(_ owner: UInt64? = nil) {
    switch state {
    case .waiting(let waiting, let due):
      let rest = owner.map { owner in waiting.filter { $0.owner != owner } } ?? []
      state = rest.isEmpty ? .idle(since: due) : .waiting(rest, due: due)
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
      return waiting.first?.strokes
    case .waiting, .idle: return nil
    }
  }
}

extension Array {
  /// The only element; `nil` if there are none or several.
  fileprivate var only: Element? { count == 1 ? first : nil }
}

extension KeyStroke {
  /// One motion for two that follow each other; `nil` for anything else.
  fileprivate func joined(with next: KeyStroke) -> KeyStroke? {
    guard case .move(let x, let y) = self, case .move(let dx, let dy) = next else { return nil }
    return .move(x &+ dx, y &+ dy)
  }
}
