import GlissEvents

/// Compares the possible meanings of the fingers' motion.
///
/// Every meaning has a cost: the motion it does not explain, as ``Costs`` has it, plus a penalty for
/// what makes it unlikely beforehand. The cheapest wins; its lead only determines when.
struct Weighing {
  enum Verdict {
    /// The lead is too small so far.
    case open
    case motion(GestureKind, DecisionRule)
    /// The finger at this index rests; weigh the others again without it.
    case rests(Int)
  }

  let fit: Similarity
  /// How far the farthest finger has moved, in mm.
  let farthest: Double
  private(set) var costs = Costs()
  /// The finger assumed to rest in ``Costs/rest``.
  private var resting = 0
  /// What a finger that looks as if it rests adds to the cost of pinches and rotations.
  private var aversion = 0.0
  private let dragKind: GestureKind
  private let jitter: Double
  /// How fast the farthest finger moves, in mm/s; 0 for slow or unknown.
  let speed: Double

  /// Weighs the participating fingers of `hand`, on a pad of `size` mm. A late one must have come as
  /// far by now as the farthest had `late.time` ago; with three and more, `late.longest`.
  init(
    _ hand: borrowing Hand, _ configuration: GestureConfiguration, size: Vector2,
    past: Past = Past()
  ) {
    fit = Similarity(of: hand, isBox: hand.isBoundingBox)
    let way = hand.longestDisplacement
    farthest = way.length
    jitter = hand.jitter
    speed = past.speed
    dragKind = hand.count >= 3 ? .swipe : .drag
    let count = hand.tracked
    guard count > 0 else { return }
    let unit = farthest > 0 ? way * (1 / farthest) : .zero
    weighMotion(hand, configuration, unit, past, Double(count))
    if count == 1 { costs.pinch = .infinity }
    if hand.isBoundingBox || count == 1 {
      (costs.rotate, costs.lateRotate) = (.infinity, .infinity)
    }
    if hand.count > 1 { weighResting(hand, configuration, size, unit, Double(count)) }
  }

  // MARK: The verdict

  /// The cheapest meaning, its cost and its lead; the kind is `nil` if a finger rests.
  ///
  /// With three or more fingers, "one of them is late" can keep another meaning from winning but
  /// cannot win itself: the recognizer waits for that finger.
  var cheapest: (kind: GestureKind?, cost: Double, lead: Double) {
    let drag = min(costs.drag, costs.still)
    let least = min(drag, costs.pinch, costs.rotate, costs.rest)
    if drag == least {
      return (dragKind, drag, min(costs.pinch, costs.lateRotate, costs.rest) - drag)
    }
    let late = min(drag, costs.lateDrag)
    if costs.pinch == least {
      return (.pinch, least, min(late, costs.lateRotate, costs.rest) - least)
    }
    if costs.rotate == least {
      return (.rotate, least, min(late, costs.pinch, costs.rest) - least)
    }
    // of two fingers, one that may be late may just as well rest
    let other = dragKind == .drag ? drag : late
    return (nil, least, min(other, costs.pinch, costs.lateRotate) - least)
  }

  func cost(of kind: GestureKind) -> Double {
    switch kind {
    case .pinch: costs.pinch
    case .rotate: costs.rotate
    case .drag, .swipe, .edgeSwipe, .tap, .hold: min(costs.drag, costs.still)
    }
  }

  /// The lead that `best` needs, in mm: more than the noise, and ``caution(_:)`` more for rare
  /// gestures. A finger that moves beside a still one needs twice that.
  func needed(_ best: (kind: GestureKind?, cost: Double, lead: Double), _ c: GestureConfiguration)
    -> Double
  {
    var needed = c.motion.floor + c.motion.jitterFactor * jitter + c.lead.share * best.cost
    if best.kind == dragKind {
      if costs.still < costs.drag { needed += 2 * caution(c) }
    } else if best.kind != nil {
      needed += caution(c)
    }
    return needed
  }

  /// What rare gestures need beyond the noise, in mm: `lead.caution` for slow hands, which may drift
  /// before they press the button; for fast ones, what they travel between two reports.
  private func caution(_ c: GestureConfiguration) -> Double {
    let slow = max(0, min(1, (Pace.brisk - speed) / (Pace.brisk - Pace.drift)))
    return c.lead.caution * slow + Pace.blur * max(0, speed - Pace.brisk)
  }

  /// What the fingers mean, if that can be decided yet: once the farthest has moved `patience` mm,
  /// the cheapest meaning wins whatever its lead.
  func judge(_ configuration: GestureConfiguration, patience: Double) -> Verdict {
    let best = cheapest
    let leads = best.lead >= needed(best, configuration)
    guard leads || (farthest >= patience && !mayBeLate(best)) else { return .open }
    guard let kind = best.kind else { return .rests(resting) }
    let isStill = kind == dragKind && costs.still < costs.drag
    return .motion(kind, leads ? (isStill ? .still : .lead) : .patience)
  }

  /// Whether a finger may just be late although a pinch or rotation is the cheapest. Only time limits
  /// that wait.
  private func mayBeLate(_ best: (kind: GestureKind?, cost: Double, lead: Double)) -> Bool {
    guard best.kind == .pinch || best.kind == .rotate else { return false }
    // with three or more, the cost of a late one has the aversion already
    let late = dragKind == .drag ? costs.lateDrag + aversion : costs.lateDrag
    return late < best.cost
  }

  // MARK: All fingers move

  private mutating func weighMotion(
    _ hand: borrowing Hand, _ configuration: GestureConfiguration, _ unit: Vector2, _ past: Past,
    _ count: Double
  ) {
    // of three and more, the last sets out late twice: after the second, which follows the first
    let late = max(0, farthest - (count > 2 ? past.farthestLongAgo : past.farthest))
    // The share of a finger's distance to the farthest one that lateness excuses.
    let excused = 1 - configuration.late.charge
    var (sum, squares, opposed, missing) = (Vector2.zero, 0.0, 0.0, 0.0)
    var moved = InlineArray<10, Vector2>(repeating: .zero)
    for index in hand.fingers.indices where hand.takesPart(index) {
      let displacement = hand.fingers[index].displacement
      let along = displacement.dot(unit)
      let against = Share.against * max(0, -along)
      let excuse = max(0, min(farthest - along, late - against)) * excused
      let credit = 1 - past.follows(along, beside: farthest)
      moved[index] = displacement + unit * (excuse * credit)
      let longest = max(0, min(farthest - along, farthest - past.farthestLongAgo - against))
      missing = max(missing, (longest * (1 - Share.wait) - excuse) * credit)
      sum += moved[index]
      squares += displacement.lengthSquared
      if along < farthest / 2 {
        let turned = max(0, min(farthest + along, late - Share.against * max(0, along)))
        opposed = max(opposed, turned * (1 - Share.turn * configuration.late.charge))
      }
    }
    let mean = sum * (1 / count)
    var spread = 0.0
    for index in hand.fingers.indices where hand.takesPart(index) {
      spread += (moved[index] - mean).lengthSquared
    }
    let motion = Unexplained(fit, squares / count)
    let isAroundFinger = configuration.anchor.turns == 1
    let isMany = hand.count > 2
    costs.drag = motion.drag
    costs.lateDrag = min(costs.drag, (spread / count).squareRoot())
    costs.pinch = motion.pinch
    costs.rotate = motion.rotate(
      fit.travelTogether, isMany: isMany, isAroundFinger: isAroundFinger)
    let together = max(0, fit.travelTogether - opposed / count)
    costs.lateRotate = motion.rotate(together, isMany: isMany, isAroundFinger: isAroundFinger)
    guard hand.count == 2 else { return }
    // With two fingers, one that never follows still makes a drag.
    (costs.drag, costs.rotate) = (costs.lateDrag, costs.lateRotate)
    // The late one is assumed to move like the other, except for what is still missing.
    let apart = unit * (2 * farthest - missing) - sum
    if missing > 0 { costs.lateDrag = min(costs.lateDrag, apart.length / 2) }
  }

  // MARK: One finger rests

  private mutating func weighResting(
    _ hand: borrowing Hand, _ configuration: GestureConfiguration, _ size: Vector2, _ unit: Vector2,
    _ count: Double
  ) {
    let isMany = hand.count > 2
    var (doubt, aversion) = (0.0, 0.0)
    // of the fingers that may rest: of all, and without the likeliest one
    var (rivals, others) = (0.0, 0.0)
    for index in hand.fingers.indices where hand.takesPart(index) {
      let finger = hand.fingers[index]
      let odds = RestingOdds(of: index, in: hand, size: size, configuration)
      let share = isMany ? odds.shareOfMany : odds.share
      let roll = max(odds.share * min(Share.roll, farthest / 2), Share.stray * farthest)
      let stray = max(0, finger.travel - roll)
      let rest = count > 2 ? Unexplained(of: hand, without: index).least : 0
      let unexplained = ((stray * stray + rest * rest * (count - 1)) / count).squareRoot()
      let along = finger.displacement.dot(unit)
      let reach = max(configuration.motion.floor, farthest)
      let still = Self.stillness(along / reach, finger.displacement.cross(unit) / reach)
      let prior = isMany ? Share.rest(ofMany: still, odds.isHigh) : Share.rest
      let cost = unexplained + prior * (1 - share) * farthest
      if finger.mayRest(beside: farthest) {
        // another finger that appears not to take part speaks against this one
        if cost + rivals < costs.rest + max(others, odds.doubt) {
          (costs.rest, resting, others) = (cost, index, rivals)
        } else {
          others = max(others, odds.doubt)
        }
        rivals = max(rivals, odds.doubt)
      }
      if !isMany {
        let ofWay = Share.still(odds.isOld) + Share.stillThumb * odds.share
        let against = Share.counter * (1 - odds.isOld) * max(0, -along - roll)
        costs.still = min(costs.still, unexplained + ofWay * farthest + against)
      }
      // A finger that lies still and looks as if it rests is probably not part of the others'
      // gesture.
      let way = finger.travel / reach
      aversion = max(aversion, odds.share * (1 - min(1, way / 0.6)), odds.isOld * still)
      if finger.history != .gesturing { doubt = max(doubt, odds.doubt) }
    }
    costs.rest += others
    self.aversion = (isMany ? Share.aversionOfMany : Share.aversion) * aversion * farthest
    costs.add(
      drag: (isMany ? self.aversion : 0) + doubt, pinchOrRotate: self.aversion + doubt)
    costs.still += doubt
  }
}

extension Finger {
  /// - Parameter farthest: how far the farthest finger has gone, in mm.
  fileprivate func mayRest(beside farthest: Double) -> Bool {
    switch history {
    case .new: true
    case .woken: travel < 0.2 * farthest
    case .gesturing: false
    }
  }
}

extension Weighing {
  /// How still a finger lies, 0…1, if it moves by these shares of the farthest one's way, along and
  /// across it. One that moves against it is not still; one that follows it a little is.
  private static func stillness(_ along: Double, _ across: Double) -> Double {
    max(0, 1 - max(-along / 0.3, max(along, abs(across)) / 0.35 - 1, 0))
  }
}

/// The motion each meaning leaves unexplained, in mm: the root mean square over the fingers.
package struct Costs: Hashable, Sendable, BitwiseCopyable {
  /// All fingers move the same way.
  package var drag = 0.0
  /// As ``drag``, if a finger that lags is only late. For two fingers this never wins; it only
  /// keeps a pinch or rotation waiting.
  package var lateDrag = 0.0
  /// The fingers close or open around a centre, which may lie as far from their middle as the
  /// outermost finger.
  package var pinch = 0.0
  /// The fingers turn around their middle.
  package var rotate = 0.0
  /// As ``rotate``, if a finger that lags is only late.
  package var lateRotate = 0.0
  /// One of two fingers lies still while the other moves; this counts as a drag of both.
  package var still = Double.infinity
  /// The finger most likely to rest only rests, and the others make the gesture.
  package var rest = Double.infinity

  init() {}

  fileprivate mutating func add(drag: Double, pinchOrRotate: Double) {
    self.drag += drag
    lateDrag += drag
    pinch += pinchOrRotate
    rotate += pinchOrRotate
    lateRotate += pinchOrRotate
  }
}

/// Prior penalties of the meanings, as shares of the farthest finger's travel: measured on hands of
/// GlissSynthesis's two motor models and on recordings of real ones.
private enum Share {
  /// A finger that moves the other way is not late: four times that distance is taken off the
  /// excuse.
  static let against = 4.0
  /// The part of `late.charge` that one pays if it may set out against the farthest: a drag is not
  /// to win before such a finger has moved.
  static let turn = 0.7
  /// As `late.charge`, while one of two fingers may still follow.
  static let wait = 0.15
  /// A thumb rolls by up to this many mm without meaning anything.
  static let roll = 0.8
  /// A still finger strays by up to this share.
  static let stray = 0.12
  /// A still finger that strays against the other one probably turns with it. One that was there
  /// before may roll any way.
  static let counter = 2.5
  /// One of two fingers rests but does not look like it.
  static let rest = 0.7
  /// One of two fingers lies still as part of the drag but looks as if it rests.
  static let stillThumb = 0.8
  /// Two fingers pinch or rotate although one was there before or looks like a thumb.
  static let aversion = 0.5
  /// Three or more fingers act together although one was there before or looks like a thumb.
  static let aversionOfMany = 0.15

  /// One of three or more fingers rests but does not look like it; more likely if it lies still,
  /// less if it lies high on the pad.
  static func rest(ofMany still: Double, _ isHigh: Double) -> Double {
    0.3 - 0.1 * still + 0.2 * isHigh
  }
  /// One of two fingers lies still; more likely if it was there before.
  static func still(_ isOld: Double) -> Double { 0.35 - 0.2 * isOld }
}

/// Finger speeds that call for more or less caution. Measured like ``Share``.
private enum Pace {
  /// Hands that drift are slower than this, in mm/s.
  static let drift = 20.0
  /// Fingers this fast mean to move, in mm/s.
  static let brisk = 60.0
  /// How long the position of faster fingers is uncertain, in s: half an ordinary report interval.
  static let blur = 0.004
}

/// The motion of some of the fingers that each meaning leaves unexplained, without any penalty.
private struct Unexplained {
  private let (together, apart, around): (Double, Double, Double)
  /// The square of the motion that no similarity explains.
  private let residual: Double
  private let reach: Double

  init(_ fit: Similarity, _ squares: Double) {
    (together, apart, around) = (fit.travelTogether, fit.travelApart, fit.travelAround)
    reach = fit.reach
    residual = max(0, squares - together * together - apart * apart - around * around)
  }

  init(of hand: borrowing Hand, without left: Int) {
    var (squares, count) = (0.0, 0.0)
    for index in hand.fingers.indices where hand.takesPart(index) && index != left {
      squares += hand.fingers[index].displacement.lengthSquared
      count += 1
    }
    self.init(Similarity(of: hand, without: left), count > 0 ? squares / count : 0)
  }

  var drag: Double { norm(apart, around) }
  /// The centre of a pinch may lie anywhere between the fingers, which explains some common motion.
  var pinch: Double { norm(around, max(0, together - 0.8 * reach * apart)) }

  /// People rotate two fingers around the middle, and more fingers around a place between them and
  /// the thumb. If a still finger may be the centre (`anchor.turns`), the centre may lie as far off
  /// as a pinch's.
  func rotate(_ together: Double, isMany: Bool, isAroundFinger: Bool) -> Double {
    let common =
      if isAroundFinger {
        together - 0.8 * reach * around
      } else if isMany {
        1.5 * together - 0.5 * reach * around
      } else {
        2 * together - 0.2 * around
      }
    return norm(apart, max(0, common))
  }

  var least: Double { min(drag, pinch, norm(apart, max(0, together - 0.2 * around))) }

  private func norm(_ a: Double, _ b: Double) -> Double { (a * a + b * b + residual).squareRoot() }
}

/// The least-squares similarity transform from the fingers' baselines to their positions now:
/// translation, scale and rotation.
struct Similarity {
  /// Translation of the centroid, in mm.
  var translation = Vector2.zero
  /// Size now divided by size at the baseline. Multiply the scales of successive fits.
  var scale = 1.0
  /// Radians, clockwise positive as the user sees it (y points down).
  var turn = 0.0
  /// RMS distance of the fingers from their centroid at the baseline, in mm.
  var radius = 0.0

  /// Distance of the outermost finger from the centroid, as a multiple of the radius.
  private(set) var reach = 1.0

  /// Each part of the motion as finger travel in mm, so that the parts can be compared.
  var travelTogether: Double { translation.length }
  /// Not radius · |ln scale|: that is the same for small motion, but exceeds the fingers' travel
  /// when they close.
  var travelApart: Double { radius * abs(scale - 1) }
  var travelAround: Double { radius * abs(turn) }

  /// If the fingers are less than 0.5 mm apart, scale and rotation mean nothing.
  private static let smallestRadius = 0.5
  /// A scale beyond a factor of twenty is a measuring error.
  private static let scales = 0.05...20.0

  /// The identity: no motion.
  init() {}

  /// The fit over the participating fingers of `hand` except `left`; the identity without fingers.
  /// If `isBox`, they are the corners of a box around the hand, which never rotates.
  init(of hand: borrowing Hand, without left: Int? = nil, isBox: Bool = false) {
    var (count, before, after) = (0.0, Vector2.zero, Vector2.zero)
    for index in hand.fingers.indices where hand.takesPart(index) && index != left {
      before += hand.fingers[index].baseline
      after += hand.fingers[index].position
      count += 1
    }
    guard count > 0 else { return }
    before = before * (1 / count)
    after = after * (1 / count)
    translation = after - before
    var (along, around, spread, outermost) = (0.0, 0.0, 0.0, 0.0)
    for index in hand.fingers.indices where hand.takesPart(index) && index != left {
      let q = hand.fingers[index].baseline - before
      let p = hand.fingers[index].position - after
      along += q.dot(p)
      around += q.cross(p)
      spread += q.lengthSquared
      outermost = max(outermost, q.lengthSquared)
    }
    radius = (spread / count).squareRoot()
    guard radius >= Self.smallestRadius else { return }
    reach = outermost.squareRoot() / radius
    let size = (along * along + around * around).squareRoot() / spread
    scale = min(max(size, Self.scales.lowerBound), Self.scales.upperBound)
    turn = isBox ? 0 : Elementary.angle(y: around, x: along)
  }
}
