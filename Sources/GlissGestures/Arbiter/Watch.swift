import GlissEvents

/// Fingers that are down and undecided.
struct Watch {
  /// When the number of fingers last changed.
  var since: EventTime
  /// Motion counts from here on.
  var settledAt: EventTime
  /// Nothing is decided before this time.
  var decidesAt: EventTime
  /// When motion first exceeded the noise.
  var onset: EventTime?
  /// The button was pressed or released while they were down.
  private(set) var isClicked: Bool
  private var isButtonDown: Bool
  /// Some fingers have lifted: the remaining ones cannot flick.
  let isAfterLift: Bool

  /// Velocity of the fingers' middle, from positions in mm: a flick decided at the lift needs it.
  var velocity: VelocityWindow

  /// The last reason why a decision had to wait.
  var waited: DecisionWait?

  private var last: (time: EventTime, farthest: Double)
  private var history = History()
  /// How fast the farthest finger moves away from its baseline, in mm/s, over the last frames.
  private var speed = 0.0
  /// The time constant of ``speed``, in ms, and the largest weight of one frame.
  private static let (smoothing, largestWeight) = (8.0, 0.65)

  init(
    since: EventTime, grace: Double, isButtonDown: Bool = false, isAfterLift: Bool = false,
    _ configuration: GestureConfiguration
  ) {
    velocity = VelocityWindow(length: .milliseconds(configuration.drag.velocityWindow))
    isClicked = isButtonDown
    self.isAfterLift = isAfterLift
    self.isButtonDown = isButtonDown
    self.since = since
    settledAt = since + .milliseconds(configuration.landing.settle)
    decidesAt = since + .milliseconds(grace)
    last = (since, 0)
  }

  /// Lets the fingers settle, and follows their drift until they move.
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
      history.append(0, followed: 0, at: time)
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
      // smoothed against quantization, on a pad of 125 Hz over about two frames
      let weight = elapsed.milliseconds / (elapsed.milliseconds + Self.smoothing)
      let step = (farthest - last.farthest) / elapsed.seconds - speed
      speed += min(weight, Self.largestWeight) * step
    }
    last = (time, farthest)
    history.append(farthest, followed: hand.followed, at: time)
    return time >= decidesAt
  }

  /// Whether the fingers moved before they had settled, and went on without a pause.
  var movedAtOnce: Bool { !isClicked && !isAfterLift && (onset.map { $0 < settledAt } ?? false) }

  /// What the fingers had done before now, to judge whether one of them is late.
  func past(_ late: GestureConfiguration.Late, jitter: Double) -> Past {
    Past(
      farthest: history.value(late.time, before: last.time),
      farthestLongAgo: history.value(late.longest, before: last.time),
      follower: history.followed(atTravel: last.farthest * Past.part, jitter: jitter),
      speed: max(0, speed))
  }

  /// How far the farthest finger had come `milliseconds` before `time`, in mm.
  func travel(_ milliseconds: Double, before time: EventTime) -> Double {
    history.value(milliseconds, before: time)
  }

  /// What a decision with clear numbers still has to wait for; `nil` if nothing.
  func wait(
    _ hand: Hand, _ configuration: GestureConfiguration, isSettled: Bool, mayTap: Bool
  ) -> DecisionWait? {
    if !isSettled { return .grace }
    if mayTap && !outruns(configuration.tap) { return .tap }
    if isClicked && hand.farthest < configuration.click.travel { return .click }
    return nil
  }

  /// Whether the farthest finger has gone a third as far as a tap may slide, and at its speed will
  /// soon have gone all of it. The slide of a tap slows down early; a stroke speeds up.
  private func outruns(_ tap: GestureConfiguration.Tap) -> Bool {
    let foreseen = last.farthest + max(0, speed) * tap.foresight / 1000
    return last.farthest >= tap.slide / 3 && foreseen >= tap.slide
  }
}

/// What the fingers had done before now. The default leaves no finger an excuse.
struct Past {
  /// How far the farthest finger had moved `late.time` ago, in mm.
  var farthest = Double.infinity
  /// The same, `late.longest` ago.
  var farthestLongAgo = Double.infinity
  /// How far the slower of two fingers had come when the farthest had gone ``part`` of its way,
  /// in mm, less twice the tremor.
  var follower = 0.0
  /// How fast the farthest finger moves, in mm/s.
  var speed = 0.0
  static let part = 1.0 / 3

  /// The share of the farthest finger's way up to which a finger only trembles.
  static let still = 0.05

  /// How surely a finger that has come `along` mm follows the farthest instead of being late, 0…1:
  /// it had then gone ``part`` of its own way, too; a late one had hardly moved.
  func follows(_ along: Double, beside farthest: Double) -> Double {
    guard follower > 0, along > Self.still * farthest else { return 0 }
    return max(0, min(1, (follower / (Self.part * along) - 0.4) / 0.4))
  }
}

/// How far the farthest finger had moved at each of the last frames.
private struct History {
  private static let capacity = 16
  /// Closer frames are left out, so that the 16 samples cover 75 ms on every pad.
  private static let spacing = EventInterval.milliseconds(5)

  /// A ring buffer; the next sample is written at `next`.
  private var samples = InlineArray<16, Sample>(
    repeating: Sample(time: .zero, travel: 0, followed: 0))
  private var next = 0
  private var count = 0

  private struct Sample: BitwiseCopyable {
    var time: EventTime
    var travel: Double
    var followed: Double
  }

  mutating func append(_ travel: Double, followed: Double, at time: EventTime) {
    if count > 0, time - sample(1).time < Self.spacing { return }
    samples[next] = Sample(time: time, travel: travel, followed: followed)
    next = (next + 1) % Self.capacity
    count = min(Self.capacity, count + 1)
  }

  /// The travel in mm, interpolated between frames; 0 before the first one.
  func value(_ milliseconds: Double, before now: EventTime) -> Double {
    let time = now + EventInterval(microseconds: -Int64(milliseconds * 1000))
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

  /// As ``Past/follower``, when the farthest finger had gone `travel` mm.
  func followed(atTravel travel: Double, jitter: Double) -> Double {
    guard count > 0, sample(1).followed > 0 else { return 0 }
    var later: Sample?
    for back in 1...count {
      let sample = sample(back)
      if sample.travel <= travel {
        guard let later, later.travel > sample.travel else { return 0 }
        let share = (travel - sample.travel) / (later.travel - sample.travel)
        return max(0, sample.followed + (later.followed - sample.followed) * share - 2 * jitter)
      }
      later = sample
    }
    return 0
  }

  private func sample(_ back: Int) -> Sample {
    samples[(next + Self.capacity - back) % Self.capacity]
  }
}
