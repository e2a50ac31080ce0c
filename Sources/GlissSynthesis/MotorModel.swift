import GlissEvents

/// How a hand deviates from the intended stroke: everything the model adds to ideal motion.
///
/// The numbers below are drawn again for every trace, and most for every finger.
public struct MotorModel: Hashable, Sendable {
  /// The speed of a finger over the course of a move.
  public enum Profile: String, Hashable, Sendable, CaseIterable {
    /// The smoothest motion from rest to rest (Flash and Hogan 1985): slow, fast, slow, symmetric.
    case minimumJerk = "minimum-jerk"
    /// A log-normal impulse, as in Plamondon's kinematic theory (1995): a steep rise and a long tail.
    case lognormal
  }

  /// How the speed of a motion develops.
  public var profile = Profile.minimumJerk
  /// The log-normal profile's sigma, nearly the same for all fingers of a hand: the larger, the
  /// earlier the peak.
  public var skew = 0.15...0.45
  /// How much a finger's travel differs from the others', as a share (standard deviation).
  public var gainSpread = 0.06
  /// How late a finger follows, in ms.
  public var lagMilliseconds = 0.0...20.0
  /// How far a path bows out sideways, as a share of its length (standard deviation).
  public var bow = 0.02
  /// How long before the last finger the others land, in ms.
  public var landingStaggerMilliseconds = 0.0...40.0
  /// How long after the first finger the others lift, in ms.
  public var liftingStaggerMilliseconds = 0.0...40.0
  /// How far the contact's middle shifts while the fingertip flattens or peels off, in mm (standard
  /// deviation; never more than 1 mm).
  public var contactShift = 0.35
  /// How far other fingers are pushed when one lands or lifts, in mm (standard deviation).
  public var neighbourShift = 0.08
  /// How fast a shift settles: the exponential's time constant in ms.
  public var settlingMilliseconds = 15.0...30.0
  /// Amplitude of the physiological tremor in mm.
  public var tremor = 0.02...0.1
  /// Frequency of the tremor in Hz.
  public var tremorRate = 8.0...12.0
  /// How far a still hand sways, in mm. Resting fingers on real pads stray by 0.4 to 0.8 mm in half
  /// a second and more.
  public var sway = 0.03...0.15
  /// How often a still hand sways, in Hz.
  public var swayRate = 0.2...0.8

  /// A typical hand.
  public init() {}

  /// A machine's hand, without any deviation.
  public static let ideal: MotorModel = {
    var model = MotorModel()
    model.gainSpread = 0
    model.lagMilliseconds = 0...0
    model.bow = 0
    model.landingStaggerMilliseconds = 0...0
    model.liftingStaggerMilliseconds = 0...0
    model.contactShift = 0
    model.neighbourShift = 0
    model.tremor = 0...0
    model.sway = 0...0
    return model
  }()
}

/// How the distance of one move is distributed over its time. Speed has one peak, and is zero or
/// almost zero at both ends.
enum SpeedProfile: Hashable, Sendable {
  case minimumJerk
  /// A log-normal impulse, from three standard deviations before its median to three after.
  case lognormal(sigma: Double)

  /// The share of the distance covered after a share 0…1 of the time.
  func progress(_ share: Double) -> Double {
    switch self {
    case .minimumJerk: share * share * share * (10 + share * (6 * share - 15))
    case .lognormal(let sigma): Self.lognormal(share, sigma: max(sigma, 0.01))
    }
  }

  /// How many standard deviations of log time the move includes on either side.
  private static let reach = 3.0

  private static func lognormal(_ share: Double, sigma: Double) -> Double {
    if share <= 0 { return 0 }
    if share >= 1 { return 1 }
    // Time in units of the median.
    let (first, last) = (Elementary.exp(-reach * sigma), Elementary.exp(reach * sigma))
    let z = Elementary.log(first + (last - first) * share) / sigma
    return max(0, min(1, 0.5 + area(to: z) / (2 * area(to: reach))))
  }

  /// The integral of the normal density from 0 to `z`: φ(z) · (z + z³/3 + z⁵/15 + z⁷/105 …), |z| ≤
  /// 3.
  private static func area(to z: Double) -> Double {
    var (term, sum, k) = (z, z, 3.0)
    while abs(term) > 1e-16 {
      term *= z * z / k
      sum += term
      k += 2
    }
    return sum * Elementary.exp(-z * z / 2) * 0.3989422804014327
  }
}

/// The path of a finger in one move, without its timing.
enum Route {
  /// Straight.
  case line(Vector2)
  /// Around a point, by an angle in radians, clockwise as the user sees it.
  case arc(centre: Vector2, angle: Double)
  /// Starts in the direction of `displacement`. Once a share `after` is done, it turns evenly by
  /// `turn` radians over the rest of the way.
  case curve(displacement: Vector2, turn: Double, after: Double)

  /// The displacement of a finger that started at `start` when `progress` (0…1) of the route is
  /// done, in mm.
  func displacement(from start: Vector2, progress: Double) -> Vector2 {
    switch self {
    case .line(let displacement): return displacement * progress
    case .arc(let centre, let angle):
      let arm = start - centre
      return arm.turned(by: angle * progress) - arm
    case .curve(let displacement, let turn, let after):
      let left = 1 - after
      guard abs(turn) > 1e-6, left > 1e-6, progress > after else { return displacement * progress }
      let (sine, cosine) = Elementary.sineCosine(turn * ((progress - after) / left))
      let along = displacement * (after + left * (sine / turn))
      return along + displacement.perpendicular * (left * ((1 - cosine) / turn))
    }
  }

  /// The same route, longer or shorter.
  func scaled(by gain: Double) -> Route {
    switch self {
    case .line(let displacement): .line(displacement * gain)
    case .arc(let centre, let angle): .arc(centre: centre, angle: angle * gain)
    case .curve(let displacement, let turn, let after):
      .curve(displacement: displacement * gain, turn: turn, after: after)
    }
  }

  /// The route scaled by `factor` and then shifted.
  func fitted(factor: Double, shift: Vector2) -> Route {
    switch self {
    case .line(let displacement): .line(displacement * factor)
    case .arc(let centre, let angle): .arc(centre: centre * factor + shift, angle: angle)
    case .curve(let displacement, let turn, let after):
      .curve(displacement: displacement * factor, turn: turn, after: after)
    }
  }
}

/// One move along a route.
struct Move {
  /// When it begins and how long it takes, in s.
  var begin: Double
  var duration: Double
  var route: Route
  /// How far the path bows out sideways, as a share of its length.
  var bow = 0.0
  var speed = SpeedProfile.minimumJerk

  /// The share of the move that is done: 0 before, 1 after.
  func progress(at time: Double) -> Double {
    guard duration > 0 else { return time >= begin ? 1 : 0 }
    let share = max(0, min(1, (time - begin) / duration))
    return speed.progress(share)
  }

  func displacement(from start: Vector2, at time: Double) -> Vector2 {
    let progress = progress(at: time)
    let straight = route.displacement(from: start, progress: progress)
    guard bow != 0 else { return straight }
    let whole = route.displacement(from: start, progress: 1)
    return straight + whole.perpendicular * (bow * 4 * progress * (1 - progress))
  }
}

/// What touches the pad.
package enum Contact: Hashable, Sendable {
  case finger, thumb, palm
}

/// One contact from landing to lifting: as intended, or after ``Plan/perform(_:using:)`` as
/// performed.
struct FingerPlan {
  var contact = Contact.finger
  /// When it lands and lifts, in s.
  var landing: Double
  var lifting: Double
  /// Where it lands, in mm from the pad's top left corner.
  var start: Vector2
  var moves: [Move] = []
  /// Whether it takes part in the stroke rather than resting beside it.
  var takesPart = true
  /// How far it rolls about while it rests, in mm.
  var wobble = 0.0
  /// Whether it lands and lifts at exactly these times: staggering is part of the choreography.
  var isTimed = false
  /// Whether it starts outside the pad and lands where it crosses the edge.
  var entersOverEdge = false
  /// How far a press of the pad's button pushes it, in mm.
  var press = Vector2.zero

  /// The position reached by the moves alone.
  func position(at time: Double) -> Vector2 {
    var position = start
    for move in moves { position += move.displacement(from: start, at: time) }
    return position
  }
}

/// All contacts of a trace, and the pad's button.
struct Plan {
  var fingers: [FingerPlan]
  /// The pad's button goes down and up at these times, in s.
  var click: (down: Double, up: Double)?

  /// When the first move of a participating finger begins, in s.
  var strokeStart: Double? {
    fingers.filter(\.takesPart).flatMap { finger in
      finger.moves.map { max($0.begin, finger.landing) }
    }.min()
  }

  /// When a participating finger is first 0.1 mm from where it landed, by its moves alone.
  var onset: Double? {
    guard var time = strokeStart, let end = fingers.map(\.lifting).max() else { return nil }
    while time < end {
      for finger in fingers where finger.takesPart && finger.landing <= time {
        let landed = finger.position(at: finger.landing)
        if (finger.position(at: time) - landed).length >= 0.1 { return time }
      }
      time += 0.0005
    }
    return nil
  }

  /// The corners of a box around all positions of the participating fingers while they touch.
  var bounds: (low: Vector2, high: Vector2) {
    var low = Vector2(x: .infinity, y: .infinity)
    var high = Vector2(x: -.infinity, y: -.infinity)
    for finger in fingers where finger.takesPart {
      for step in 0...16 {
        let share = Double(step) / 16
        let time = finger.landing + (finger.lifting - finger.landing) * share
        let position = finger.position(at: time)
        low = Vector2(x: min(low.x, position.x), y: min(low.y, position.y))
        high = Vector2(x: max(high.x, position.x), y: max(high.y, position.y))
      }
    }
    return (low, high)
  }

  /// Moves, and if necessary shrinks, the participating fingers' motion, so that it fits the
  /// region.
  ///
  /// - Parameter centre: where its middle should be, if it fits there; otherwise anywhere it fits.
  mutating func fit(
    low: Vector2, high: Vector2, centre: Vector2?, using random: inout RandomSource
  ) {
    let box = bounds
    guard box.low.x.isFinite && box.high.x.isFinite else { return }
    let (room, extent) = (high - low, box.high - box.low)
    let factor = min(
      1, room.x / max(extent.x, 1e-9), room.y / max(extent.y, 1e-9))
    let slack = room - extent * factor
    let middle = (box.low + box.high) * 0.5
    var corner = Vector2(
      x: low.x + slack.x * random.unit(), y: low.y + slack.y * random.unit())
    if let centre {
      let wished = centre - extent * (factor / 2)
      corner = Vector2(
        x: max(low.x, min(low.x + slack.x, wished.x)),
        y: max(low.y, min(low.y + slack.y, wished.y)))
    }
    let target = corner + extent * (factor / 2)
    redraw(factor: factor, shift: target - middle * factor)
  }

  /// Scales the participating fingers' motion by `factor` and then shifts it.
  mutating func redraw(factor: Double, shift: Vector2) {
    for i in fingers.indices where fingers[i].takesPart {
      fingers[i].start = fingers[i].start * factor + shift
      for j in fingers[i].moves.indices {
        fingers[i].moves[j].route = fingers[i].moves[j].route.fitted(factor: factor, shift: shift)
      }
    }
  }

  /// Makes fingers that start outside land where they cross the edge.
  mutating func landWhereTheyEnter(_ size: Vector2) {
    for i in fingers.indices where fingers[i].entersOverEdge {
      let finger = fingers[i]
      func isOutside(_ time: Double) -> Bool {
        let p = finger.position(at: time)
        return p.x < 0 || p.y < 0 || p.x > size.x || p.y > size.y
      }
      while fingers[i].landing < finger.lifting && isOutside(fingers[i].landing) {
        fingers[i].landing += 0.0005
      }
    }
  }

  /// Gives every finger its own speed profile, gain, lag, bow and staggering.
  mutating func perform(_ model: MotorModel, using random: inout RandomSource) {
    // Drawn only if used, so that the other profile's draws do not change.
    let sigma = model.profile == .lognormal ? random.uniform(model.skew) : nil
    for i in fingers.indices {
      let speed = sigma.map {
        SpeedProfile.lognormal(sigma: $0 * (1 + random.normal(deviation: 0.05, limit: 0.12)))
      }
      let gain = 1 + random.normal(deviation: model.gainSpread, limit: 2.5 * model.gainSpread)
      let lag = random.uniform(model.lagMilliseconds) / 1000
      let bow = random.normal(deviation: model.bow, limit: 2.5 * model.bow)
      let early = random.uniform(model.landingStaggerMilliseconds) / 1000
      let late = random.uniform(model.liftingStaggerMilliseconds) / 1000
      for j in fingers[i].moves.indices {
        fingers[i].moves[j].route = fingers[i].moves[j].route.scaled(by: gain)
        fingers[i].moves[j].begin += lag
        fingers[i].moves[j].bow += bow
        if let speed { fingers[i].moves[j].speed = speed }
      }
      guard !fingers[i].isTimed else { continue }
      fingers[i].landing -= early
      fingers[i].lifting += late
    }
  }
}
