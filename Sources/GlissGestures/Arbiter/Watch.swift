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

  /// What a decision had to wait for the last time.
  var waited: DecisionWait?

  private var last: (time: EventTime, farthest: Double)
  private var history = History()
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
      history = History()
      history.append(0, at: time)
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
    history.append(farthest, at: time)
    return time >= decidesAt
  }

  /// How far the farthest finger had gone `milliseconds` ago.
  func past(_ milliseconds: Double) -> Double {
    history.value(milliseconds, before: last.time)
  }

  /// What a decision that is clear by its numbers has to wait for; `nil` if nothing.
  func wait(
    _ hand: Hand, _ configuration: GestureConfiguration, isSettled: Bool, mayTap: Bool
  ) -> DecisionWait? {
    if !isSettled { return .grace }
    if mayTap && !outruns(configuration.tap) { return .tap }
    if isClicked && hand.farthest < configuration.click.travel { return .click }
    return nil
  }

  /// Whether the farthest finger goes farther than a tap slides: it has come a third of the slide, and at its speed will
  /// soon have come all of it.
  ///
  /// A slide of a tap slows down before it gets far, a stroke speeds up.
  private func outruns(_ tap: GestureConfiguration.Tap) -> Bool {
    let foreseen = last.farthest + max(0, speed) * tap.foresight / 1000
    return last.farthest >= tap.slide / 3 && foreseen >= tap.slide
  }
}

/// How far the farthest finger had gone at the last frames.
private struct History {
  private static let capacity = 16
  /// Frames closer than this are left out: so many reach 60 ms back on every pad.
  private static let spacing = EventInterval.milliseconds(4)

  /// A ring: the next one goes to `next`.
  private var samples = InlineArray<16, Sample>(repeating: Sample(time: .zero, travel: 0))
  private var next = 0
  private var count = 0

  private struct Sample: BitwiseCopyable {
    var time: EventTime
    var travel: Double
  }

  mutating func append(_ travel: Double, at time: EventTime) {
    if count > 0, time - sample(1).time < Self.spacing { return }
    samples[next] = Sample(time: time, travel: travel)
    next = (next + 1) % Self.capacity
    count = min(Self.capacity, count + 1)
  }

  /// In mm, between two frames in proportion; 0 before the first.
  func value(_ milliseconds: Double, before now: EventTime) -> Double {
    let time = EventTime(microseconds: now.microseconds - Int64(milliseconds * 1000))
    var later: Sample?
    var back = 1
    while back <= count {
      let sample = sample(back)
      if sample.time <= time {
        guard let later, later.time > time else { return sample.travel }
        let share = (time - sample.time).seconds / (later.time - sample.time).seconds
        return sample.travel + (later.travel - sample.travel) * share
      }
      later = sample
      back += 1
    }
    return 0
  }

  private func sample(_ back: Int) -> Sample {
    samples[(next + Self.capacity - back) % Self.capacity]
  }
}
