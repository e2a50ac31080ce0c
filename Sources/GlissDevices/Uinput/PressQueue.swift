import GlissEvents

/// Chords waiting to be pressed, one after the other, no faster than a desktop reads them.
///
/// The kernel keeps 64 events for each reader of a keyboard and drops the rest. A chord has up to
/// 36.
struct PressQueue {
  private struct Piece {
    var strokes: [KeyStroke]
    /// Who presses it; 0 for nobody in particular.
    var owner: UInt64
  }

  /// The most chords that may wait.
  static let capacity = 256
  /// The time between two chords.
  static let interval = EventInterval.milliseconds(5)

  private var waiting: [Piece] = []
  /// When the next chord may be pressed.
  private var due: EventTime

  /// - Parameter ready: When the keyboard is ready; nobody reads it before that.
  init(ready: EventTime) { due = ready }

  /// When ``next(at:)`` returns the next chord.
  var deadline: EventTime? { waiting.isEmpty ? nil : due }

  /// Adds all `chords`, or returns false and adds none if there are too many. An empty queue takes
  /// any number.
  mutating func add(_ chords: [[KeyStroke]], of owner: UInt64 = 0, at time: EventTime) -> Bool {
    guard waiting.isEmpty || waiting.count + chords.count <= Self.capacity else { return false }
    append(chords, of: owner, at: time)
    return true
  }

  /// Adds all `chords`, however many there are.
  mutating func append(_ chords: [[KeyStroke]], of owner: UInt64 = 0, at time: EventTime) {
    if chords.isEmpty { return }
    if let last = waiting.last, last.owner == owner, let motion = chords.only?.only,
      let both = last.strokes.only?.joined(with: motion)
    {
      waiting[waiting.count - 1].strokes = [both]
      return
    }
    if waiting.isEmpty { due = max(due, time) }
    waiting += chords.map { Piece(strokes: $0, owner: owner) }
  }

  /// Lets the next chord wait until `time`, because a device is new.
  mutating func wait(until time: EventTime) { due = max(due, time) }

  /// Removes the waiting chords of `owner`, or all.
  mutating func forget(_ owner: UInt64? = nil) {
    waiting.removeAll { owner == nil || $0.owner == owner }
  }

  /// The chord to press now; `nil` without one.
  mutating func next(at time: EventTime) -> [KeyStroke]? {
    guard !waiting.isEmpty, due <= time else { return nil }
    due = time + Self.interval
    return waiting.removeFirst().strokes
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
