import GlissEvents

/// Makes notches of a wheel's degrees.
struct NotchCounter {
  /// A turn that goes on.
  struct Turn: Equatable {
    var device: DeviceID
    var direction: WheelDirection
    var modifiers: Modifiers
  }

  private enum State {
    case still
    /// Less than a notch since the last one.
    case turning(Turn, degrees: Double)
  }

  /// libinput's notch; wheels of finer resolution tell parts of it.
  static let notch = 15.0
  /// The most that one event counts for: no wheel turns faster, and broken ones must not flood.
  static let most = 10

  private var state = State.still

  /// How many notches are complete with `degrees` more, which are above 0.
  mutating func turn(_ turn: Turn, by degrees: Double) -> Int {
    // a whole notch or more stands for itself: there are wheels whose notches are wider
    if degrees >= Self.notch {
      state = .still
      return Int(min(Double(Self.most), (degrees / Self.notch).rounded()))
    }
    let total =
      switch state {
      case .turning(turn, let before): before + degrees
      case .turning, .still: degrees
      }
    // parts of a notch do not add up to it exactly
    let isWhole = total >= Self.notch - 0.01
    state = .turning(turn, degrees: isWhole ? max(0, total - Self.notch) : total)
    return isWhole ? 1 : 0
  }

  mutating func reset() { state = .still }
}

extension WheelDirection {
  /// Where a wheel turned to and by how many degrees: along the axis on which it turned more.
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
