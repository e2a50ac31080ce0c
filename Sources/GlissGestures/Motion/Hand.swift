import GlissEvents

/// One finger as the recognizers follow it; positions in mm.
struct Finger: BitwiseCopyable {
  var id: TouchID
  var landed: EventTime
  var landing: Vector2
  /// Where it was when the number of fingers last changed.
  var start: Vector2
  /// What motion is measured from: ``start``, once the contacts have settled.
  var baseline: Vector2
  var position: Vector2
  var normalized: Vector2
  /// Mean square of what the finger trembles around its baseline while it lies still, in mm².
  var tremor = 0.0
  /// How far it went from the last frame but one to the last, in mm.
  var lastStep = 0.0
  var major = 0.0
  /// A palm, by the device's word, by its size or because somebody types: takes no part. Only the end of typing makes a
  /// finger of it again.
  var isPalm: Bool
  /// A thumb or another finger that only rests.
  var isResting = false
  /// It has made a gesture: no thumb.
  var hasMoved = false

  /// Since the baseline, in mm.
  var displacement: Vector2 { position - baseline }
  var travel: Double { displacement.length }

  static let none = Finger(.none, at: .zero)

  init(_ touch: Touch, at time: EventTime) {
    id = touch.id
    landed = time
    landing = touch.position
    start = touch.position
    baseline = touch.position
    position = touch.position
    normalized = touch.normalizedPosition
    major = Double(touch.major)
    isPalm = touch.isResting
  }
}

/// What changed between two frames.
struct HandChange {
  var landed = 0
  /// Of those that landed, how many had been down before, while somebody typed.
  var woken = 0
  var lifted = 0
  var cancelled = false
  /// Other fingers take part than before, and none of them left.
  var isRegrouped = false
}

/// All fingers on one device, and which of them take part in what the others do.
struct Hand {
  /// Of two hands; what more a device reports is not followed.
  var fingers = InlineList<10, Finger>(filler: .none)
  /// How many fingers the device counts, seen in a slot or not.
  private var hidden = 0
  private(set) var isButtonDown = false
  private(set) var isBoundingBox = false

  /// Whether the finger at `index` takes part in gestures.
  func takesPart(_ index: Int) -> Bool {
    !fingers[index].isPalm && !fingers[index].isResting
  }

  /// Fingers seen that take part.
  var tracked: Int { fingers.count(where: { !$0.isPalm && !$0.isResting }) }

  /// Fingers that take part, with those the device counts but does not show.
  var count: Int {
    let seen = tracked
    return seen == 0 ? 0 : min(seen + hidden, 5)
  }

  /// Whether `frame` takes away a finger that takes part.
  func loses(in frame: TouchFrame) -> Bool {
    var seen = fingers.count
    for index in frame.touches.indices {
      let touch = frame.touches[index]
      let own = fingers.firstIndex { $0.id == touch.id }
      if touch.phase.isFinal, let own {
        if takesPart(own) { return true }
        seen -= 1
      } else if own == nil, !touch.phase.isFinal {
        seen += 1
      }
    }
    return max(0, frame.fingerCount - seen) < hidden
  }

  /// Takes in a frame.
  ///
  /// - Parameter jump: a step of so many mm out of the blue is no motion.
  mutating func update(_ frame: TouchFrame, jump: Double) -> HandChange {
    var change = HandChange()
    for index in frame.touches.indices {
      let touch = frame.touches[index]
      if let own = fingers.firstIndex(where: { $0.id == touch.id }) {
        if touch.phase.isFinal {
          if takesPart(own) { change.lifted += 1 }
          if touch.phase == .cancelled { change.cancelled = true }
          fingers.remove(at: own)
        } else if fingers[own].isPalm && !touch.isResting {
          wake(own, touch, at: frame.time, &change)
        } else {
          follow(own, touch, jump: jump)
        }
      } else if !touch.phase.isFinal {
        fingers.append(Finger(touch, at: frame.time))
        if !touch.isResting { change.landed += 1 }
      }
    }
    noteHidden(frame.fingerCount, &change)
    isButtonDown = frame.isButtonDown
    isBoundingBox = frame.isBoundingBox
    return change
  }

  /// A touch that was a palm lands as a finger. Out of the way: it is seldom, and larger than the rest of the loop.
  @inline(never)
  private mutating func wake(
    _ index: Int, _ touch: Touch, at time: EventTime, _ change: inout HandChange
  ) {
    fingers[index] = Finger(touch, at: time)
    change.landed += 1
    change.woken += 1
  }

  /// A finger that is counted but not shown lands and lifts like any other.
  private mutating func noteHidden(_ count: Int, _ change: inout HandChange) {
    let before = hidden
    hidden = max(0, count - fingers.count)
    if hidden > before { change.landed += hidden - before }
    guard hidden < before else { return }
    // A slot that came free shows a finger that was there before.
    let shown = min(change.landed, before - hidden)
    change.landed -= shown
    change.lifted += before - hidden - shown
  }

  private mutating func follow(_ index: Int, _ touch: Touch, jump: Double) {
    let step = touch.position - fingers[index].position
    let length = step.length
    if length >= jump && length >= Self.suddenness * fingers[index].lastStep {
      // The contact is another finger's from here on: where it went is no motion.
      fingers[index].landing += step
      fingers[index].start += step
      fingers[index].baseline += step
    }
    fingers[index].lastStep = length
    fingers[index].position = touch.position
    fingers[index].normalized = touch.normalizedPosition
    fingers[index].major = max(fingers[index].major, Double(touch.major))
    if touch.isResting { fingers[index].isPalm = true }
  }

  /// A flick grows from frame to frame, by less than this factor once it is fast.
  private static let suddenness = 4.0

  /// Notes where the fingers are as their number changes, and measures motion from there.
  mutating func restart() {
    for index in fingers.indices { fingers[index].start = fingers[index].position }
    rebase()
  }

  /// Those that take part have made a gesture.
  mutating func noteGesture() {
    for index in fingers.indices where takesPart(index) { fingers[index].hasMoved = true }
  }

  /// Takes the fingers' places now as what motion is measured from.
  mutating func rebase() {
    for index in fingers.indices { fingers[index].baseline = fingers[index].position }
  }

  /// The middle of the fingers that take part, 0…1 over the device.
  var centroid: Vector2 { mean { $0.normalized } }

  /// The middle of the fingers that take part, in mm.
  var middle: Vector2 { mean { $0.position } }

  /// The longest displacement since the baseline of a finger that takes part, in mm.
  var longestDisplacement: Vector2 {
    var most = Vector2.zero
    for index in fingers.indices where takesPart(index) {
      let displacement = fingers[index].displacement
      if displacement.lengthSquared > most.lengthSquared { most = displacement }
    }
    return most
  }

  /// The longest way a finger that takes part has gone since the baseline, in mm.
  var farthest: Double { farthest { $0.baseline } }

  /// The same since the number of fingers last changed.
  var farthestSinceStart: Double { farthest { $0.start } }

  /// The same since each finger landed.
  var farthestSinceLanding: Double { farthest { $0.landing } }

  @inline(__always)
  private func mean(of place: (Finger) -> Vector2) -> Vector2 {
    var (sum, n) = (Vector2.zero, 0.0)
    for index in fingers.indices where takesPart(index) {
      sum += place(fingers[index])
      n += 1
    }
    return n > 0 ? sum * (1 / n) : .zero
  }

  @inline(__always)
  private func farthest(from place: (Finger) -> Vector2) -> Double {
    var most = 0.0
    for index in fingers.indices where takesPart(index) {
      most = max(most, (fingers[index].position - place(fingers[index])).lengthSquared)
    }
    return most.squareRoot()
  }

  /// Lets the baselines of fingers that lie still follow their drift, and learns how they tremble.
  ///
  /// - Parameters:
  ///   - elapsed: since the last frame.
  ///   - driftTime: in ms, the time constant of forgetting.
  mutating func settle(after elapsed: EventInterval, over driftTime: Double) {
    let share = min(max(elapsed.milliseconds / driftTime, 0), 1)
    for index in fingers.indices where !fingers[index].isResting {
      let displacement = fingers[index].displacement
      fingers[index].baseline += displacement * share
      let square = displacement.lengthSquared / 2
      fingers[index].tremor += (square - fingers[index].tremor) * share
    }
  }

  /// The same for fingers that rest: they roll and creep, whatever the others do.
  mutating func settleResting(after elapsed: EventInterval, over driftTime: Double) {
    let share = min(max(elapsed.milliseconds / driftTime, 0), 1)
    for index in fingers.indices where fingers[index].isResting {
      fingers[index].baseline += fingers[index].displacement * share
    }
  }

  /// When the earliest finger landed that takes part here and is gone from `other`.
  func firstLanded(notIn other: Hand) -> EventTime? {
    var first: EventTime?
    for index in fingers.indices where takesPart(index) {
      let finger = fingers[index]
      if other.fingers.firstIndex(where: { $0.id == finger.id }) == nil {
        first = min(first ?? finger.landed, finger.landed)
      }
    }
    return first
  }

  /// How far each finger that takes part is from a place of its past, in mm, in order of landing; the first five.
  func travels(from place: KeyPath<Finger, Vector2>) -> InlineArray<5, Double> {
    var travels = InlineArray<5, Double>(repeating: 0)
    var next = 0
    for index in fingers.indices where takesPart(index) && next < 5 {
      travels[next] = (fingers[index].position - fingers[index][keyPath: place]).length
      next += 1
    }
    return travels
  }

  /// How many fingers that take part landed at `time`.
  func landed(at time: EventTime) -> Int {
    fingers.count(where: { !$0.isPalm && !$0.isResting && $0.landed == time })
  }

  /// Whether every finger that takes part landed at `time`.
  func allLanded(at time: EventTime) -> Bool {
    for index in fingers.indices where takesPart(index) {
      if fingers[index].landed != time { return false }
    }
    return true
  }

  /// How much the most unquiet finger trembles, in mm (standard deviation per axis).
  var jitter: Double {
    var most = 0.0
    for index in fingers.indices where takesPart(index) {
      most = max(most, fingers[index].tremor)
    }
    return most.squareRoot()
  }
}
