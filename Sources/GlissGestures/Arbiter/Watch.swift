import GlissEvents

/// Fingers that are down and undecided: since when, and since when they move.
struct Watch {
  /// When the number of fingers last changed.
  var since: EventTime
  /// From here on their motion counts.
  var settledAt: EventTime
  /// Before this nothing is decided.
  var decidesAt: EventTime
  /// When motion left the noise.
  var onset: EventTime?
  /// The button was pressed or released while they were down.
  private(set) var isClicked: Bool
  private var isButtonDown: Bool
  /// What is left of a hand: it flicks no more.
  let isAfterLift: Bool

  /// Of the fingers' middle, in mm: a flick that is decided as it leaves has its speed.
  var velocity: VelocityWindow

  private var last: (time: EventTime, farthest: Double)
  /// How fast the farthest finger leaves its baseline, in mm/s, over the last frames.
  private var speed = 0.0

  init(
    since: EventTime, settledAt: EventTime, decidesAt: EventTime, isButtonDown: Bool = false,
    isAfterLift: Bool = false, velocityWindow: EventInterval
  ) {
    velocity = VelocityWindow(length: velocityWindow)
    isClicked = isButtonDown
    self.isAfterLift = isAfterLift
    self.isButtonDown = isButtonDown
    self.since = since
    self.settledAt = settledAt
    self.decidesAt = decidesAt
    last = (since, 0)
  }

  /// Lets the fingers settle and follows their drift until they move.
  ///
  /// - Returns: whether a decision may be taken now.
  mutating func wait(
    _ hand: inout Hand, _ configuration: GestureConfiguration, at time: EventTime
  ) -> Bool {
    let elapsed = time - last.time
    velocity.append(hand.middle, at: time)
    if hand.isButtonDown != isButtonDown {
      isButtonDown = hand.isButtonDown
      isClicked = true
      decidesAt = max(decidesAt, time + .milliseconds(configuration.click.grace))
      settledAt = decidesAt
    }
    if time < settledAt {
      hand.rebase()
      last = (time, 0)
      return false
    }
    let farthest = hand.farthest
    if farthest < configuration.motion.floor {
      hand.settle(after: elapsed, over: configuration.motion.driftTime)
      onset = nil
    } else if onset == nil {
      onset = last.time
    }
    if elapsed.microseconds > 0 {
      // Half of the old speed is kept: two frames of memory against quantization.
      speed = (speed + (farthest - last.farthest) / elapsed.seconds) / 2
    }
    last = (time, farthest)
    return time >= decidesAt
  }

  /// Whether the farthest finger goes farther than a tap slides: it has come half of the slide, and at its speed will
  /// soon have come all of it.
  ///
  /// A slide of a tap slows down before it gets far, a stroke speeds up.
  func outruns(_ tap: GestureConfiguration.Tap, _ hand: Hand) -> Bool {
    let farthest = hand.farthest
    let foreseen = farthest + max(0, speed) * tap.foresight / 1000
    return farthest >= tap.slide / 2 && foreseen >= tap.slide
  }
}
