import GlissConfiguration
import GlissEvents

/// What rules can ask of a gesture, measured at one of its events.
struct Measures: BitwiseCopyable {
  var event: GestureEvent
  var heading: Heading?
  /// Since the gesture began, in mm.
  var travel: Double
  /// In degrees, without sign.
  var turn: Double
  /// In mm/s.
  var speed: Double
  /// Since the gesture began, in ms.
  var duration: Double

  init(_ event: GestureEvent, usesEight: Bool, began: EventTime) {
    self.event = event
    heading = Heading(of: event, usesEight: usesEight)
    travel = event.translationInMillimetres.length
    turn = abs(event.rotation) * 180 / .pi
    speed = event.velocity.length
    duration = (event.time - began).milliseconds
  }
}

/// The conditions of a rule that a gesture does not meet.
struct Unmet: OptionSet, Hashable, Sendable, BitwiseCopyable {
  let rawValue: UInt32
  init(rawValue: UInt32) { self.rawValue = rawValue }

  // settled when the gesture begins
  static let mode = Unmet(rawValue: 1 << 0)
  static let device = Unmet(rawValue: 1 << 1)
  static let fingers = Unmet(rawValue: 1 << 2)
  static let edge = Unmet(rawValue: 1 << 3)
  static let count = Unmet(rawValue: 1 << 4)
  static let afterTap = Unmet(rawValue: 1 << 5)
  static let modifiers = Unmet(rawValue: 1 << 6)
  static let rest = Unmet(rawValue: 1 << 7)
  // must be met for the rule to be engaged
  static let heading = Unmet(rawValue: 1 << 8)
  static let tooShort = Unmet(rawValue: 1 << 9)
  static let tooLittleScaled = Unmet(rawValue: 1 << 10)
  static let tooLittleTurned = Unmet(rawValue: 1 << 11)
  static let tooSlow = Unmet(rawValue: 1 << 12)
  static let tooBrief = Unmet(rawValue: 1 << 13)
  // upper limits that must still hold when the gesture ends
  static let tooFar = Unmet(rawValue: 1 << 14)
  static let tooMuchScaled = Unmet(rawValue: 1 << 15)
  static let tooMuchTurned = Unmet(rawValue: 1 << 16)
  static let tooFast = Unmet(rawValue: 1 << 17)
  static let tooLong = Unmet(rawValue: 1 << 18)

  static let passed: Unmet = [.tooFar, .tooMuchScaled, .tooMuchTurned, .tooFast, .tooLong]
}
