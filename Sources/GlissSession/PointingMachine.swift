package import GlissEvents

/// Detects that one finger points, or that the touchpad's button is pressed.
///
/// The first of several fingers to land belongs to their gesture, so a finger points only once it
/// has been alone for a while and has moved. In recordings of real hands, 124 of 134 fingers that
/// others joined had not yet reached both limits.
package struct PointingMachine: Sendable {
  /// How long a finger must have been alone.
  static let patience = EventInterval.milliseconds(60)
  /// How far it must have moved, in mm.
  static let travel = 2.0

  private var alone: (finger: TouchID, since: EventTime, start: Vector2)?

  package init() {}

  /// Processes the next frame of a touchpad. Returns whether a finger points, or the button is
  /// down.
  package mutating func process(_ frame: TouchFrame) -> Bool {
    if frame.isButtonDown { return true }
    var only: Int?
    for index in frame.touches.indices
    where !frame.touches[index].phase.isFinal && !frame.touches[index].isResting {
      if only != nil {
        alone = nil
        return false
      }
      only = index
    }
    guard let only else {
      alone = nil
      return false
    }
    let touch = frame.touches[only]
    guard let alone, alone.finger == touch.id else {
      alone = (touch.id, frame.time, touch.position)
      return false
    }
    return frame.time - alone.since >= Self.patience
      && (touch.position - alone.start).length >= Self.travel
  }
}
