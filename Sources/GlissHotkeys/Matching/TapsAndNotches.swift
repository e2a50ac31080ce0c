import GlissEvents

/// Detects modifiers tapped alone: pressed and soon released, with no other key, button or wheel
/// in between.
struct ModifierTap {
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

/// Converts a wheel's degrees into notches.
struct NotchCounter {
  /// A continuous turn in one direction.
  struct Turn: Equatable {
    var device: DeviceID
    var direction: WheelDirection
    var modifiers: Modifiers
  }

  private enum State {
    case still
    /// The wheel has turned less than a notch since the last one.
    case turning(Turn, degrees: Double)
  }

  /// libinput's notch; finer wheels report parts of it.
  static let notch = 15.0
  /// The most notches one event counts for: no wheel turns faster, and a broken one must not flood.
  static let most = 10

  private var state = State.still

  /// The number of notches completed by another `degrees`, which must be above 0.
  mutating func turn(_ turn: Turn, by degrees: Double) -> Int {
    // A step of a whole notch or more counts as is: some wheels have wider notches.
    if degrees >= Self.notch {
      state = .still
      return Int(min(Double(Self.most), (degrees / Self.notch).rounded()))
    }
    let total =
      switch state {
      case .turning(turn, let before): before + degrees
      case .turning, .still: degrees
      }
    // Parts of a notch do not add up to it exactly.
    let isWhole = total >= Self.notch - 0.01
    state = .turning(turn, degrees: isWhole ? max(0, total - Self.notch) : total)
    return isWhole ? 1 : 0
  }

  mutating func reset() { state = .still }
}

extension WheelDirection {
  /// The direction and degrees of a turn, along the axis with the larger turn.
  static func of(_ scroll: ScrollEvent) -> (direction: WheelDirection, degrees: Double)? {
    switch scroll.source {
    case .finger, .continuous: return nil
    case .wheel: break
    }
    let (x, y) = (scroll.delta.x, scroll.delta.y)
    guard x.isFinite, y.isFinite, x != 0 || y != 0 else { return nil }
    if abs(y) >= abs(x) { return (y < 0 ? .up : .down, abs(y)) }
    return (x < 0 ? .left : .right, abs(x))
  }
}
