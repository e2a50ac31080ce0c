import GlissEvents

/// What each meaning of the fingers' motion leaves unexplained, and which one it is.
///
/// One total function: every meaning has a cost in mm of finger travel, the root mean square over the fingers of the
/// motion that the meaning does not explain, plus what speaks against it beforehand. The cheapest meaning wins. Its
/// lead decides only when that may be said.
struct Weighing {
  enum Verdict {
    /// The lead is not long enough yet.
    case open
    case motion(GestureKind, DecisionRule)
    /// The finger at this index rests: the others are weighed again without it.
    case rests(Int)
  }

  let fit: Similarity
  /// How far the farthest finger has gone, in mm.
  let farthest: Double
  private(set) var costs = Costs()
  /// The finger that rests in the meaning that ``Costs/rest`` stands for.
  private var resting = 0
  private let dragKind: GestureKind
  private let jitter: Double

  /// Weighs the fingers of `hand` that take part, on a pad of `size` mm.
  ///
  /// - Parameter past: how far the farthest finger had gone `late.time` ago, in mm: a finger that is late by so much
  ///   has to have gone as far by now.
  init(_ hand: borrowing Hand, _ configuration: GestureConfiguration, size: Vector2, past: Double) {
    fit = Similarity(of: hand, isBox: hand.isBoundingBox)
    let way = hand.longestDisplacement
    farthest = way.length
    jitter = hand.jitter
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

  /// The cheapest meaning and by how much it leads; `nil` stands for a finger that rests.
  ///
  /// That one of three or more is late can keep another meaning from winning, but it cannot win: one waits for it.
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
    return (nil, least, min(late, costs.pinch, costs.lateRotate) - least)
  }

  /// What taking the fingers for `kind` costs.
  func cost(of kind: GestureKind) -> Double {
    switch kind {
    case .pinch: costs.pinch
    case .rotate: costs.rotate
    case .drag, .swipe, .edgeSwipe, .tap, .hold: min(costs.drag, costs.still)
    }
  }

  /// The lead that `best` needs, in mm: more than the noise, and for what is rare, a little more.
  ///
  /// A finger beside one that lies still needs it twice: a hand that is about to press the button drifts so, too.
  func needed(_ best: (kind: GestureKind?, cost: Double, lead: Double), _ c: GestureConfiguration)
    -> Double
  {
    var needed = c.motion.floor + c.motion.jitterFactor * jitter + c.lead.share * best.cost
    if best.kind == dragKind {
      if costs.still < costs.drag { needed += 2 * c.lead.caution }
    } else if best.kind != nil {
      needed += c.lead.caution
    }
    return needed
  }

  /// What the fingers mean, if that can be said by now.
  ///
  /// - Parameter patience: once the farthest finger has gone so many mm, the cheapest meaning wins whatever its lead.
  func judge(_ configuration: GestureConfiguration, patience: Double) -> Verdict {
    let best = cheapest
    let leads = best.lead >= needed(best, configuration)
    guard leads || farthest >= patience else { return .open }
    guard let kind = best.kind else { return .rests(resting) }
    let isStill = kind == dragKind && costs.still < costs.drag
    return .motion(kind, leads ? (isStill ? .still : .lead) : .patience)
  }

  // MARK: All fingers move

  private mutating func weighMotion(
    _ hand: borrowing Hand, _ configuration: GestureConfiguration, _ unit: Vector2, _ past: Double,
    _ count: Double
  ) {
    let late = max(0, farthest - past)
    // how much of what is missing to the farthest finger's way lateness excuses
    let excused = 1 - configuration.late.charge
    var (sum, squares, opposed) = (Vector2.zero, 0.0, 0.0)
    var moved = InlineArray<10, Vector2>(repeating: .zero)
    for index in hand.fingers.indices where hand.takesPart(index) {
      let displacement = hand.fingers[index].displacement
      let along = displacement.dot(unit)
      let excuse = max(0, min(farthest - along, late - Share.against * max(0, -along)))
      moved[index] = displacement + unit * (excuse * excused)
      sum += moved[index]
      squares += displacement.lengthSquared
      if along < farthest / 2 {
        let turned = max(0, min(farthest + along, late - Share.against * max(0, along)))
        opposed = max(opposed, turned * excused)
      }
    }
    let mean = sum * (1 / count)
    var spread = 0.0
    for index in hand.fingers.indices where hand.takesPart(index) {
      spread += (moved[index] - mean).lengthSquared
    }
    let motion = Unexplained(fit, squares / count)
    let isAroundFinger = configuration.anchor.turns == 1
    costs.drag = motion.drag
    costs.lateDrag = min(costs.drag, (spread / count).squareRoot())
    costs.pinch = motion.pinch
    costs.rotate = motion.rotate(fit.travelTogether, isAroundFinger: isAroundFinger)
    let together = max(0, fit.travelTogether - opposed / count)
    costs.lateRotate = motion.rotate(together, isAroundFinger: isAroundFinger)
    // of two fingers one that never comes makes a drag as well
    if hand.count == 2 { (costs.drag, costs.rotate) = (costs.lateDrag, costs.lateRotate) }
  }

  // MARK: One finger rests

  private mutating func weighResting(
    _ hand: borrowing Hand, _ configuration: GestureConfiguration, _ size: Vector2, _ unit: Vector2,
    _ count: Double
  ) {
    let isMany = hand.count > 2
    var (doubt, aversion) = (0.0, 0.0)
    for index in hand.fingers.indices where hand.takesPart(index) {
      let finger = hand.fingers[index]
      let odds = RestingOdds(of: index, in: hand, size: size, configuration)
      let share = isMany ? odds.shareOfMany : odds.share
      let roll = max(odds.share * min(Share.roll, farthest / 2), Share.stray * farthest)
      let stray = max(0, finger.travel - roll)
      let others = count > 2 ? Unexplained(of: hand, without: index).least : 0
      let unexplained = ((stray * stray + others * others * (count - 1)) / count).squareRoot()
      let prior = isMany ? Share.rest(ofMany: odds.isOld) : Share.rest
      let cost = unexplained + prior * (1 - share) * farthest
      if !finger.hasMoved, cost < costs.rest { (costs.rest, resting) = (cost, index) }
      if !isMany {
        let still = Share.still(odds.isOld) + Share.stillThumb * odds.share
        costs.still = min(costs.still, unexplained + still * farthest)
      }
      // what lies still and looks like one that rests is hardly part of what the others do
      let way = finger.travel / max(configuration.motion.floor, farthest)
      let still = stillness(finger, unit, configuration.motion.floor)
      aversion = max(aversion, odds.share * (1 - min(1, way / 0.6)), odds.isOld * still)
      doubt = max(doubt, odds.doubt)
    }
    let averse = (isMany ? Share.aversionOfMany : Share.aversion) * aversion * farthest
    costs.add(drag: (isMany ? averse : 0) + doubt, pinchOrRotate: averse + doubt)
    costs.still += doubt
  }
}

extension Weighing {
  /// 0…1, how still a finger lies beside the farthest one: one that goes against it is not still, one that follows it a
  /// little is.
  private func stillness(_ finger: Finger, _ unit: Vector2, _ floor: Double) -> Double {
    let reach = max(floor, farthest)
    let along = finger.displacement.dot(unit) / reach
    let across = abs(finger.displacement.cross(unit)) / reach
    let against = max(0, -along) / 0.3
    return max(0, 1 - max(against, max(along, across) / 0.35 - 1))
  }
}

/// What every meaning leaves unexplained, in mm: the root mean square over the fingers.
public struct Costs: Hashable, Sendable, BitwiseCopyable {
  /// All fingers go the same way.
  public var drag = 0.0
  /// The same if a finger that is behind is only late.
  public var lateDrag = 0.0
  /// They close or open, around a centre that may lie as far off their middle as the outermost one.
  public var pinch = 0.0
  /// They turn around their middle.
  public var rotate = 0.0
  /// The same if a finger that is behind is only late.
  public var lateRotate = 0.0
  /// One of two lies still beside one that moves, which counts as a drag of both.
  public var still = Double.infinity
  /// The likeliest one to do so only rests, and the others make the gesture.
  public var rest = Double.infinity

  init() {}

  fileprivate mutating func add(drag: Double, pinchOrRotate: Double) {
    self.drag += drag
    lateDrag += drag
    pinch += pinchOrRotate
    rotate += pinchOrRotate
    lateRotate += pinchOrRotate
  }
}

/// Shares of the farthest finger's travel that speak against a meaning beforehand.
///
/// They are measured on synthetic hands of two motor models and on the recordings in reference; none changes what
/// motion alone decides by more than half of it.
private enum Share {
  /// A finger that goes the other way is not late: four times that is taken off the excuse.
  static let against = 4.0
  /// A thumb rolls by so many mm without meaning anything.
  static let roll = 0.8
  /// What lies still strays by up to this.
  static let stray = 0.12
  /// One of two rests that does not look like it.
  static let rest = 0.7
  /// One of two lies still that looks like one that rests.
  static let stillThumb = 0.8
  /// Both of two mean a pinch or a rotation although one lay there before or looks like a thumb.
  static let aversion = 0.5
  /// Three or more mean anything together although one of them does.
  static let aversionOfMany = 0.15

  /// One of three or more rests that does not look like it.
  static func rest(ofMany isOld: Double) -> Double { 0.3 - 0.15 * isOld }
  /// One of two lies still: more often so when it lay there before.
  static func still(_ isOld: Double) -> Double { 0.35 - 0.2 * isOld }
}

/// What the motion itself leaves unexplained for some of the fingers.
private struct Unexplained {
  private let (together, apart, around): (Double, Double, Double)
  /// The square of what no similarity explains.
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
  /// The centre of a pinch lies anywhere between the fingers: so much common motion it explains.
  var pinch: Double { norm(around, max(0, together - 0.8 * reach * apart)) }

  /// People turn around the middle. If a still finger may be the centre, that is as far off as a pinch's.
  func rotate(_ together: Double, isAroundFinger: Bool) -> Double {
    let common = isAroundFinger ? together - 0.8 * reach * around : 2 * together - 0.2 * around
    return norm(apart, max(0, common))
  }

  var least: Double { min(drag, pinch, norm(apart, max(0, together - 0.2 * around))) }

  private func norm(_ a: Double, _ b: Double) -> Double { (a * a + b * b + residual).squareRoot() }
}
