import GlissEvents

/// How much a finger looks like one that only rests, before its motion shows it: a thumb or the edge
/// of a hand. Each sign counts continuously: no tenth of a mm flips the answer.
struct RestingOdds {
  /// 0…1, for one of two fingers, which may be there on purpose.
  let share: Double
  /// 0…1, for one of three or more.
  let shareOfMany: Double
  /// How strongly it appears not to take part even if nothing moves, in mm.
  let doubt: Double
  /// 0…1: it landed long before or long after the others.
  let isOld: Double
  /// How high it lies on the pad, in mm; less on low pads.
  private let height: Double

  init(of index: Int, in hand: borrowing Hand, size: Vector2, _ configuration: GestureConfiguration)
  {
    let finger = hand.fingers[index]
    guard let others = Others(than: index, in: hand) else {
      (share, shareOfMany, doubt, isOld, height) = (0, 0, 0, 0, 0)
      return
    }
    let headStart = (others.firstLanded - finger.landed).milliseconds
    let size = Sizes(finger, others, size)
    let thumb = Self.thumb(finger, others, headStart, size, configuration.thumb)
    let (atSide, far) = Self.edge(index, in: hand, headStart, size, configuration.palm.zone)
    let edge = atSide + far
    share = ((max(thumb.beside, edge) - 2.3) / 2 + 0.5).clamped(0, 1)
    let ofMany = max(thumb.beside, thumb.besideMany, edge)
    shareOfMany = ((ofMany - 0.3) / 2 + 0.5).clamped(0, 1)
    // Most fingers of one gesture land within 90 ms; a resting one has been there for much longer.
    isOld = ((abs(headStart) - 30) / 280).clamped(0, 1)
    // The edge of a hand stays where it landed. A far one that has just landed may be the thumb of a
    // hand whose other fingers follow.
    let staying = atSide + isOld * far - 3.8
    let resting = staying <= 0 ? 0 : staying - max(0, finger.squaredWay.squareRoot() - 2)
    height = size.fromBottom / size.scale
    let old = headStart > 0 ? 0.5 * isOld * (9.5 - height).clamped(0, 1) : 0
    doubt = max(thumb.beside - 2.8 + old, resting).clamped(0, 1.5) * 0.8
  }

  /// 0…1: it lies higher on the pad than thumbs rest.
  var isHigh: Double { ((height - 18) / 6).clamped(0, 1) }

  /// A thumb lies low, below the others, and was there first; the longer it has been there, the
  /// lower it must lie. Real thumbs lie up to 7 mm high, fingers rested on purpose 9.5 and more.
  private static func thumb(
    _ finger: Finger, _ others: Others, _ headStart: Double, _ size: Sizes,
    _ thumb: GestureConfiguration.Thumb
  ) -> (beside: Double, besideMany: Double) {
    let waited = ((headStart - 250) / 100).clamped(0, 1)
    let zone = (thumb.zone - 1.3 * waited + 5 * size.isLarge) * size.scale
    let low = ((zone - size.fromBottom) / 0.7).clamped(-4, 2)
    let below = ((finger.position.y - others.lowest - thumb.clearance * size.scale) / 8)
      .clamped(-2, 1.5)
    // or it comes down beside a finger that has pointed, perhaps to click
    let pointed =
      headStart < 0 ? min((others.leastWay.squareRoot() - 2) / 0.5, -6 - headStart / 10) : -6
    let early = max((headStart - thumb.headStart) / 3, pointed).clamped(-6, 1)
    let larger = size.isKnown ? ((size.ratio - 1.15) * 4).clamped(-1, 1) : 0
    return (low + below + early + larger, low + below + larger - 2)
  }

  /// The edge of a hand lies at the side, and is larger. It lands well before or after the fingers,
  /// or farther from them than fingers of a drag lie. Such a one, or a large one, may lie further in.
  ///
  /// - Returns: how much it looks like that, and how much more because it lies far away.
  private static func edge(
    _ index: Int, in hand: borrowing Hand, _ headStart: Double, _ size: Sizes, _ zone: Double
  ) -> (odds: Double, far: Double) {
    let near = zone + 5 * size.isLarge - size.fromSide
    let apart = ((abs(headStart) - 100) / 20).clamped(-4, 1)
    let larger = size.isKnown ? ((size.ratio - 1.15) * 6).clamped(-3, 1) : 0
    let odds = near.clamped(-4, 2) + apart + larger + 2
    // of four and more, the thumb may lie far from the others
    guard near > -7, hand.count <= 3 else { return (odds, 0) }
    let isFar = ((hand.distance(from: index) - 46) / 16).clamped(0, 1)
    let farther = (near + 3 * isFar).clamped(-4, 2) + max(apart, 5 * isFar - 4) + larger + 2
    return (odds, farther - odds)
  }

  /// The other fingers that take part.
  private struct Others {
    var firstLanded = EventTime(microseconds: .max)
    /// The position of the lowest of them, in mm from the top.
    var lowest = 0.0
    /// The least that one of them had moved when the number of fingers last changed, in mm².
    var leastWay = Double.infinity
    /// Mean contact diameter, in the device's units.
    var major = 0.0

    init?(than index: Int, in hand: borrowing Hand) {
      var count = 0.0
      for other in hand.fingers.indices where hand.takesPart(other) && other != index {
        let finger = hand.fingers[other]
        firstLanded = min(firstLanded, finger.landed)
        lowest = max(lowest, finger.position.y)
        leastWay = min(leastWay, (finger.start - finger.landing).lengthSquared)
        major += finger.major
        count += 1
      }
      guard count > 0 else { return nil }
      major /= count
    }
  }

  /// Where a contact lies on the pad, and how large it is compared with the others.
  private struct Sizes {
    let isKnown: Bool
    /// Its diameter divided by theirs, with one unit taken off its own and added to theirs: on pads
    /// that report sizes of 4 or 6, single units would exaggerate it.
    let ratio: Double
    let fromBottom: Double
    let fromSide: Double
    /// Thumbs have less room on pads less than 42 mm high.
    let scale: Double

    /// 0…1: it is larger than the others.
    var isLarge: Double { isKnown ? ((ratio - 1.15) / 0.2).clamped(0, 1) : 0 }

    init(_ finger: Finger, _ others: Others, _ size: Vector2) {
      isKnown = finger.major > 0 && others.major > 0
      ratio = isKnown ? max(0, finger.major - 1) / (others.major + 1) : 1
      fromBottom = size.y - finger.position.y
      fromSide = min(finger.landing.x, size.x - finger.landing.x)
      scale = min(1, size.y / 42)
    }
  }
}

extension Hand {
  /// How far the nearest other finger that takes part is from the one at `index`, in mm. Not
  /// inlined: few contacts lie at the side.
  @inline(never)
  fileprivate func distance(from index: Int) -> Double {
    var least = Double.infinity
    for other in fingers.indices where takesPart(other) && other != index {
      least = min(least, (fingers[other].position - fingers[index].position).lengthSquared)
    }
    return least.squareRoot()
  }

  /// The number of visible fingers. Palms take no part in anything.
  private var shown: Int { fingers.count(where: { !$0.isPalm }) }

  /// Wakes resting fingers that move with the others. A finger that has soon gone far wakes
  /// whatever its direction, and so does the only one left.
  mutating func wakeResting(_ thumb: GestureConfiguration.Thumb, at time: EventTime) -> Bool {
    let farthest = fingers.count > 1 ? farthest : 0
    let way = tracked > 1 ? commonWay : .zero
    var changed = false
    for index in fingers.indices where fingers[index].isResting && !fingers[index].isPalm {
      let travel = fingers[index].travel
      let moves = travel >= thumb.wakeTravel && travel >= thumb.wakeShare * farthest
      if time - fingers[index].landed < Self.longestGraze {
        continue
      } else if moves && fingers[index].displacement.dot(way) >= 0
        || strides(index, thumb, at: time)
      {
        wake(index)
      } else if shown == 1 {
        // It has nothing to rest beside, but may rest beside the next fingers.
        fingers[index].isResting = false
      } else {
        continue
      }
      changed = true
    }
    return changed
  }

  /// Whether a finger went too far for a thumb that rests: several times `wakeTravel`, and a good
  /// part of the others' way. More than 1 s after the first of them landed, a hand may just have
  /// shifted. Then only two fingers that move in opposite directions count, because they pinch.
  private func strides(
    _ index: Int, _ thumb: GestureConfiguration.Thumb, at time: EventTime
  ) -> Bool {
    func way(_ finger: Finger) -> Vector2 { finger.position - finger.start }
    let own = way(fingers[index])
    let length = own.length
    guard shown > 1, length >= 2 * thumb.wakeTravel else { return false }
    let isFar = length >= 3.5 * thumb.wakeTravel
    // beside a single finger that the pad shows
    let mayPinch = shown == 2 && hidden == 0
    return fingers.indices.allSatisfy {
      if fingers[$0].isPalm { return true }
      let other = way(fingers[$0])
      let pinches =
        length >= 0.8 * thumb.wakeShare * other.length && other.length >= length / 2
        && own.dot(other) <= -0.8 * length * other.length
      return length >= 0.6 * thumb.wakeShare * other.length
        && (mayPinch && ($0 == index || pinches)
          || isFar && time - fingers[$0].landed <= .milliseconds(1000))
    }
  }

  /// A finger that touches the pad for less than this only grazes it, if others stay.
  private static let longestGraze = EventInterval.milliseconds(45)

  /// Whether the fingers that lift in `frame` were down shortly, and not half as long as the others.
  func isGrazed(in frame: TouchFrame) -> Bool {
    var longest: EventInterval?
    var shortest: EventInterval?
    for index in fingers.indices where takesPart(index) {
      let contact = frame.time - fingers[index].landed
      let id = fingers[index].id
      if frame.touches.firstIndex(where: { $0.id == id && $0.phase.isFinal }) != nil {
        longest = max(longest ?? contact, contact)
      } else {
        shortest = min(shortest ?? contact, contact)
      }
    }
    // a finger that the device only counts may have lifted
    guard let longest, let shortest, longest < Self.longestGraze else { return false }
    return longest.microseconds * 2 <= shortest.microseconds
  }

  /// A resting finger that moves with the others.
  enum Follower {
    /// It takes part in the gesture that is about to be decided.
    case joins(Int)
    /// It lags behind, and the others have not gone far.
    case mayJoin
  }

  /// The resting finger that moves with the others before a decision, if any. A thumb that joins may
  /// be late, so its way is compared with what the farthest finger had `reached` a little earlier.
  func follower(_ thumb: GestureConfiguration.Thumb, reached: Double) -> Follower? {
    let way = commonWay
    let length = way.length
    guard length > 0 else { return nil }
    let due = min(length, reached)
    let hasGoneFar = reached >= 3.5 * thumb.wakeTravel
    var found: Follower?
    for index in fingers.indices where fingers[index].isResting && !fingers[index].isPalm {
      let along = fingers[index].displacement.dot(way) / length
      // Until the fingers have moved a little, the rolling edge of a hand looks like a thumb.
      if due < 0.7 {
        found = .mayJoin
      } else if along >= 0.4 && along >= 0.6 * due {
        return .joins(index)
      } else if along >= 0.15 * due && !hasGoneFar {
        found = .mayJoin
      }
    }
    return found
  }

  /// The resting finger at `index` takes part again.
  mutating func wake(_ index: Int) {
    fingers[index].isResting = false
    if fingers[index].history == .new { fingers[index].history = .woken }
  }

  /// Whether a single finger lies low, as if waiting for others, or at the side, as a hand's edge.
  func isRestingAlone(_ configuration: GestureConfiguration, size: Vector2) -> Bool {
    guard count == 1, let finger = fingers.firstIndex(where: { !$0.isPalm && !$0.isResting }) else {
      return false
    }
    // Where it landed counts, so that a hold does not end because the finger trembles at the limit.
    let place = fingers[finger].landing
    return size.y - place.y <= min(configuration.thumb.zone, size.y * 0.15)
      || min(place.x, size.x - place.x) <= min(configuration.palm.zone, size.x * 0.07)
  }
}

extension Double {
  fileprivate func clamped(_ least: Double, _ most: Double) -> Double {
    Swift.min(Swift.max(self, least), most)
  }
}
