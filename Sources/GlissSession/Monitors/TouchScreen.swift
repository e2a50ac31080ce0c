import GlissEvents

/// Removes touches from frames, so that every other touch is still seen from beginning to end.
///
/// A swallowed touch is not reported, or ends as cancelled if it already was; it stays out of all
/// frames until it lifts.
struct TouchScreen {
  private var hidden = InlineList<32, TouchID>(
    filler: TouchID(device: DeviceID(rawValue: 0), serial: 0))

  var isIdle: Bool { hidden.isEmpty }

  /// What is left of `frame`; `nil` if nothing.
  mutating func apply(_ verdict: MonitorVerdict, to frame: TouchFrame) -> TouchFrame? {
    var left = frame
    left.touches.removeAll()
    for index in frame.touches.indices {
      let touch = frame.touches[index]
      let replaced = Self.replacement(for: touch, verdict)
      let told = tell(touch, as: replaced)
      if let told { left.touches.append(told) }
      let isGone = told?.phase.isFinal ?? true
      if isGone && !touch.phase.isFinal { left.fingerCount = max(0, left.fingerCount - 1) }
    }
    // The pad's button alone is reason for a frame, and so is a count of fingers without touches.
    let isEmptied = left.touches.isEmpty && !frame.touches.isEmpty
    switch verdict {
    case .swallow: return left.touches.isEmpty ? nil : left
    case .pass, .replace: return isEmptied ? nil : left
    }
  }

  /// What the verdict leaves of a touch; `nil` if nothing.
  private static func replacement(for touch: Touch, _ verdict: MonitorVerdict) -> Touch? {
    switch verdict {
    case .pass: return touch
    case .swallow: return nil
    case .replace(.touch(let other)):
      guard let index = other.touches.firstIndex(where: { $0.id == touch.id }) else { return nil }
      var replaced = other.touches[index]
      replaced.phase = touch.phase
      return replaced
    case .replace:
      MonitorScreen.expect(false)
      return nil
    }
  }

  /// What the monitors and handlers behind this one see of a touch.
  private mutating func tell(_ touch: Touch, as replaced: Touch?) -> Touch? {
    if let index = hidden.firstIndex(where: { $0 == touch.id }) {
      if touch.phase.isFinal { hidden.remove(at: index) }
      return nil
    }
    if let replaced { return replaced }
    // If there is no room to remember it, it is let through.
    guard touch.phase.isFinal || hidden.append(touch.id) else { return touch }
    switch touch.phase {
    case .began: return nil
    case .moved, .stationary, .ended, .cancelled:
      var end = touch
      end.phase = .cancelled
      return end
    }
  }
}
