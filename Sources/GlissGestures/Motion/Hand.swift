import GlissEvents

/// One finger on the pad, as the recognizers see it; positions in mm.
struct Finger: BitwiseCopyable {
  var id: TouchID
  var landed: EventTime
  var landing: Vector2
  /// Its position when the number of fingers last changed.
  var start: Vector2
  /// The position that motion is measured from: ``start``, adjusted once the contacts have settled.
  var baseline: Vector2
  var position: Vector2
  var normalized: Vector2
  /// Mean square of the finger's tremor around its baseline while it lies still, in mm².
  var tremor = 0.0
  /// How far it moved between the last two frames, in mm.
  var lastStep = 0.0
  /// The square of how far it got from where it landed, in mm²: without a root in each frame.
  var squaredWay = 0.0
  /// Its last step that did not count as motion, in mm.
  var jump = Vector2.zero
  /// Its mean velocity over its first 10 ms or more, in mm/s; `nil` before that.
  var firstVelocity: Vector2?
  var major = 0.0
  /// It takes no part, because of its size, the device's word or typing. Only the end of typing
  /// can turn it into a finger again.
  var isPalm: Bool
  /// A thumb or another finger that only rests.
  var isResting = false
  /// Whether it may be a thumb that rests.
  var history = History.new

  enum History {
    case new
    /// It rested and moved with the others: a thumb again only if they leave it behind.
    case woken
    /// It has made a gesture.
    case gesturing
  }

  /// Displacement from the baseline, in mm.
  var displacement: Vector2 { position - baseline }
  var travel: Double { displacement.length }

  static let none = Finger(.none, at: .zero)

  /// Moves the positions that motion is measured from.
  mutating func shift(by step: Vector2) {
    landing += step
    start += step
    baseline += step
  }

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
  /// How many of those that landed had been down before, as palms during typing.
  var woken = 0
  /// How many of the landed fingers count as down before: a monitor swallowed another touch, or the
  /// recording begins in mid-touch.
  var continued = 0
}

/// All fingers on one device, and which of them take part in gestures.
struct Hand {
  /// The fingers of two hands; any further ones are ignored.
  private static let mostFingers = 10
  var fingers = InlineList<10, Finger>(filler: .none)
  /// Fingers that the device counts but does not show in a slot.
  private(set) var hidden = 0
  private(set) var isButtonDown = false
  /// A finger's step was much longer than the one before: the next frame may undo it.
  private(set) var isSudden = false
  private(set) var isBoundingBox = false

  /// Whether the finger at `index` takes part in gestures.
  func takesPart(_ index: Int) -> Bool {
    !fingers[index].isPalm && !fingers[index].isResting
  }

  /// The number of visible fingers that take part.
  var tracked: Int { fingers.count(where: { !$0.isPalm && !$0.isResting }) }

  /// The number of fingers that take part, including those the device counts but does not show.
  var count: Int {
    let seen = tracked
    return seen == 0 ? 0 : min(seen + hidden, 5)
  }

  /// Whether a participating finger lifts in `frame`.
  func loses(in frame: TouchFrame) -> Bool {
    var seen = fingers.count
    for index in frame.touches.indices {
      let touch = frame.touches[index]
      let own = fingers.firstIndex { $0.id == touch.id }
      if touch.phase.isFinal, let own {
        if takesPart(own) { return true }
        seen -= 1
      } else if own == nil, !touch.phase.isFinal {
        // further ones are ignored below, too
        seen = min(seen + 1, Self.mostFingers)
      }
    }
    return Self.hidden(of: frame.fingerCount, seen: seen) < hidden
  }

  /// Processes a frame. A sudden step of `jump` mm does not count as motion.
  mutating func update(_ frame: TouchFrame, jump: Double) -> HandChange {
    var change = HandChange()
    isSudden = false
    isBoundingBox = frame.isBoundingBox
    if isBoundingBox { followCorners(frame) }
    for index in frame.touches.indices {
      let touch = frame.touches[index]
      if let own = fingers.firstIndex(where: { $0.id == touch.id }) {
        if touch.phase.isFinal {
          fingers.remove(at: own)
        } else if fingers[own].isPalm && !touch.isResting {
          wake(own, touch, at: frame.time, &change)
        } else {
          follow(own, touch, at: frame.time, jump: jump)
        }
      } else if !touch.phase.isFinal {
        // there is room for ten: a further finger would seem to land in each frame
        let isAdded = fingers.append(Finger(touch, at: frame.time))
        if isAdded, !touch.isResting {
          change.landed += 1
          if touch.phase != .began || frame.hasContinued { change.continued += 1 }
        }
      }
    }
    noteHidden(frame.fingerCount, &change)
    isButtonDown = frame.isButtonDown
    return change
  }

  /// When a finger lands or lifts, the corners of a bounding box jump, which is no motion.
  private mutating func followCorners(_ frame: TouchFrame) {
    let isSame = Self.hidden(of: frame.fingerCount, seen: fingers.count) == hidden
    if isSame && frame.touches.firstIndex(where: { $0.phase == .began || $0.phase.isFinal }) == nil
    {
      return
    }
    for index in fingers.indices {
      guard let touch = frame.touches.firstIndex(where: { $0.id == fingers[index].id }) else {
        continue
      }
      let place = frame.touches[touch].position
      fingers[index].shift(by: place - fingers[index].position)
      fingers[index].position = place
    }
  }

  /// A palm lands as a finger. Not inlined: it is rare, and larger than the rest of the loop.
  @inline(never)
  private mutating func wake(
    _ index: Int, _ touch: Touch, at time: EventTime, _ change: inout HandChange
  ) {
    fingers[index] = Finger(touch, at: time)
    change.landed += 1
    change.woken += 1
  }

  /// How many fingers a device counts beyond those it shows. Apps may feed in any count.
  private static func hidden(of count: Int, seen: Int) -> Int { max(seen, min(count, 255)) - seen }

  /// A finger that is counted but not shown lands and lifts like any other.
  private mutating func noteHidden(_ count: Int, _ change: inout HandChange) {
    let before = hidden
    hidden = Self.hidden(of: count, seen: fingers.count)
    if hidden > before { change.landed += hidden - before }
    // A free slot may now show a finger that was hidden before.
    if hidden < before { change.landed -= min(change.landed, before - hidden) }
  }

  private mutating func follow(_ index: Int, _ touch: Touch, at time: EventTime, jump: Double) {
    let step = touch.position - fingers[index].position
    let length = step.length
    if length >= Self.suddenStep * jump { leap(index, step, length, jump: jump) }
    let age = time - fingers[index].landed
    if fingers[index].firstVelocity == nil, age.milliseconds >= 10 {
      fingers[index].firstVelocity = (touch.position - fingers[index].landing) * (1 / age.seconds)
    }
    fingers[index].lastStep = length
    fingers[index].position = touch.position
    let squaredWay = (touch.position - fingers[index].landing).lengthSquared
    fingers[index].squaredWay = max(fingers[index].squaredWay, squaredWay)
    fingers[index].normalized = touch.normalizedPosition
    fingers[index].major = max(fingers[index].major, Double(touch.major))
    if touch.isResting { fingers[index].isPalm = true }
  }

  /// A contact makes a long step. Not inlined: it is rare.
  @inline(never)
  private mutating func leap(_ index: Int, _ step: Vector2, _ length: Double, jump: Double) {
    let (last, back) = (fingers[index].lastStep, fingers[index].jump)
    if last == back.length, (step + back).length < last / 2 {
      // The contact was elsewhere for one frame.
      fingers[index].shift(by: .zero - back)
    } else if length >= jump && length >= Self.largestStepGrowth * last {
      // The contact now belongs to another finger, so the step is not motion.
      fingers[index].shift(by: step)
      fingers[index].jump = step
    }
    if length >= last + Self.suddenStep * jump, takesPart(index) { isSudden = true }
  }

  /// By which part of a jump the steps of fast fingers grow at most, from frame to frame.
  private static let suddenStep = 0.35
  /// Each step of a fast flick is longer than the last one, but by less than this factor.
  private static let largestStepGrowth = 4.0

  /// Saves the positions when the number of fingers changes, and measures motion from there.
  mutating func restart() {
    for index in fingers.indices { fingers[index].start = fingers[index].position }
    rebase()
  }

  /// The participating fingers have made a gesture.
  mutating func noteGesture() {
    for index in fingers.indices where takesPart(index) { fingers[index].history = .gesturing }
  }

  /// Measures motion from the current positions.
  mutating func rebase() {
    for index in fingers.indices { fingers[index].baseline = fingers[index].position }
  }

  /// How far the fingers went together, in mm, from where they were when their number last changed to
  /// where motion is measured from. Less than 1.5 mm is nothing: contacts flatten.
  var wayBeforeMotion: Vector2 {
    let way = mean { $0.baseline - $0.start }
    let together = fingers.indices.allSatisfy { index in
      !takesPart(index)
        || (fingers[index].baseline - fingers[index].start).dot(way) >= way.lengthSquared / 2
    }
    return together && way.length >= 1.5 ? way : .zero
  }

  /// The middle of the fingers that take part, 0…1 over the device.
  var centroid: Vector2 { mean { $0.normalized } }

  /// The middle of the fingers that take part, in mm.
  var middle: Vector2 { mean { $0.position } }

  /// The mean displacement of the fingers that take part, in mm; zero unless they move together.
  var commonWay: Vector2 {
    let way = mean { $0.displacement }
    return way.length >= farthest / 2 ? way : .zero
  }

  /// How far the slower of two fingers has come in the other's direction, in mm; 0 for more.
  var followed: Double {
    guard tracked == 2 else { return 0 }
    let way = longestDisplacement
    let length = way.length
    guard length > 0 else { return 0 }
    // The fingers' travel along that direction, less the farthest finger's.
    var sum = -length
    for index in fingers.indices where takesPart(index) {
      sum += fingers[index].displacement.dot(way) / length
    }
    return sum
  }

  /// The longest displacement of a participating finger from its baseline, in mm.
  var longestDisplacement: Vector2 {
    var most = Vector2.zero
    for index in fingers.indices where takesPart(index) {
      let displacement = fingers[index].displacement
      if displacement.lengthSquared > most.lengthSquared { most = displacement }
    }
    return most
  }

  /// The longest distance of a participating finger from its baseline, in mm.
  var farthest: Double { farthest { $0.baseline } }

  /// As ``farthest``, from where the fingers were when their number last changed.
  var farthestSinceStart: Double { farthest { $0.start } }

  /// As ``farthest``, from where each finger landed.
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

  /// Lets the baselines of still fingers follow their drift, with a time constant in ms, and
  /// measures their tremor.
  mutating func settle(after elapsed: EventInterval, over driftTime: Double) {
    let share = min(max(elapsed.milliseconds / driftTime, 0), 1)
    for index in fingers.indices where !fingers[index].isResting {
      let displacement = fingers[index].displacement
      fingers[index].baseline += displacement * share
      let square = displacement.lengthSquared / 2
      fingers[index].tremor += (square - fingers[index].tremor) * share
    }
  }

  /// As ``settle(after:over:)``, for resting fingers, which may roll and creep slowly at any time.
  mutating func settleResting(after elapsed: EventInterval, over driftTime: Double) {
    let elapsed = max(elapsed.milliseconds, 0)
    let share = min(elapsed / driftTime, 1)
    guard tracked < fingers.count else { return }
    let others = farthestSinceStart
    for index in fingers.indices where fingers[index].isResting {
      // a thumb that rolls before the others move does not move with them
      if others < 1 { fingers[index].start = fingers[index].position }
      let displacement = fingers[index].displacement
      let length = displacement.length
      guard length > 0 else { continue }
      let drift = min(share * length, Self.creep * elapsed)
      fingers[index].baseline += displacement * (drift / length)
    }
  }

  /// How fast a resting finger rolls or creeps at most, in mm per ms. A faster one may be waking.
  private static let creep = 0.01

  /// When the first and the last of the participating fingers that `other` lacks have landed.
  func landed(notIn other: Hand) -> ClosedRange<EventTime>? {
    var range: ClosedRange<EventTime>?
    for index in fingers.indices where takesPart(index) {
      let (id, landed) = (fingers[index].id, fingers[index].landed)
      guard other.fingers.firstIndex(where: { $0.id == id }) == nil else { continue }
      range = min(range?.lowerBound ?? landed, landed)...max(range?.upperBound ?? landed, landed)
    }
    return range
  }

  /// A value of each of the first 5 participating fingers, in order of landing, and `none` for the
  /// rest.
  func ofFirst<Value>(none: Value, _ value: (Finger) -> Value) -> InlineArray<5, Value> {
    var values = InlineArray<5, Value>(repeating: none)
    var next = 0
    for index in fingers.indices where takesPart(index) && next < 5 {
      values[next] = value(fingers[index])
      next += 1
    }
    return values
  }

  /// How many participating fingers landed at `time`.
  func landed(at time: EventTime) -> Int {
    fingers.count(where: { !$0.isPalm && !$0.isResting && $0.landed == time })
  }

  /// Whether all participating fingers landed at `time`.
  func allLanded(at time: EventTime) -> Bool {
    fingers.indices.allSatisfy { !takesPart($0) || fingers[$0].landed == time }
  }

  /// The tremor of the least steady finger, in mm (standard deviation per axis).
  var jitter: Double {
    var most = 0.0
    for index in fingers.indices where takesPart(index) {
      most = max(most, fingers[index].tremor)
    }
    return most.squareRoot()
  }
}

/// Recognizes fingers that come in over an edge of the pad.
extension Hand {
  /// The edge that all fingers came in over, if any: they landed on it and moved inward at once.
  func edge(
    crossedBy motion: Vector2, of size: Vector2, _ limits: GestureConfiguration.EdgeSwipe,
    at time: EventTime
  ) -> Edge? {
    guard count <= 3 else { return nil }
    return Edge.allCases.first { $0.isInward(motion) && crossed($0, of: size, limits, at: time) }
  }

  /// Whether every finger was moving when it landed, so near the edge that it had been outside.
  private func crossed(
    _ edge: Edge, of size: Vector2, _ limits: GestureConfiguration.EdgeSwipe, at time: EventTime
  ) -> Bool {
    for index in fingers.indices where takesPart(index) {
      let finger = fingers[index]
      let age = time - finger.landed
      guard age.milliseconds <= limits.duration, age.microseconds > 0 else { return false }
      let from = edge.distance(to: finger.landing, size: size)
      let inward = edge.distance(to: finger.position, size: size) - from
      let speed = inward / age.seconds
      // A finger that lands near the edge and only then speeds up was not outside a frame before.
      let firstSpeed = finger.firstVelocity.map { edge.component(of: $0) } ?? speed
      let aFrame = min(max(0, firstSpeed) * limits.frame / 1000, limits.longestStep)
      if speed < limits.speed || from > limits.zone + aFrame { return false }
    }
    return true
  }
}

extension Edge {
  /// Distance from the edge to `position` on a pad of `size`, in mm.
  func distance(to position: Vector2, size: Vector2) -> Double {
    switch self {
    case .left: position.x
    case .right: size.x - position.x
    case .top: position.y
    case .bottom: size.y - position.y
    }
  }

  /// The part of `motion` that points away from the edge.
  func component(of motion: Vector2) -> Double {
    switch self {
    case .left: motion.x
    case .right: -motion.x
    case .top: motion.y
    case .bottom: -motion.y
    }
  }

  /// Whether `motion` points away from the edge, within 45° of the perpendicular.
  func isInward(_ motion: Vector2) -> Bool {
    let inward = component(of: motion)
    return inward >= 0 && 2 * inward * inward >= motion.lengthSquared
  }
}
