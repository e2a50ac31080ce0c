import GlissEvents

/// Which fingers only rest: a thumb low on the pad that was there first, a hand's edge at the side.
extension Hand {
  /// Marks fingers that rest and wakes those that move with the others.
  ///
  /// - Returns: whether any finger changed sides.
  mutating func updateResting(_ configuration: GestureConfiguration, size: Vector2) -> Bool {
    guard fingers.count > 1 else { return wakeLast() }
    var changed = false
    let farthest = farthest
    for index in fingers.indices where !fingers[index].isPalm {
      if fingers[index].isResting {
        if isAwake(index, farthest, configuration.thumb) {
          fingers[index].isResting = false
          changed = true
        }
      } else if rests(index, farthest, configuration, size) {
        fingers[index].isResting = true
        changed = true
      }
    }
    return changed
  }

  /// A single finger low on the pad waits for others.
  func isThumbAlone(_ thumb: GestureConfiguration.Thumb, height: Double) -> Bool {
    guard count == 1 else { return false }
    let zone = min(thumb.zone, height * thumb.zoneShare)
    return height - middle.y <= zone
  }

  /// The last finger on the pad rests beside nothing.
  private mutating func wakeLast() -> Bool {
    guard fingers.count == 1, fingers[0].isResting else { return false }
    fingers[0].isResting = false
    return true
  }

  private func isAwake(
    _ index: Int, _ farthest: Double, _ thumb: GestureConfiguration.Thumb
  ) -> Bool {
    let travel = fingers[index].travel
    return travel >= thumb.wakeTravel && travel >= thumb.wakeShare * farthest
  }

  private func rests(
    _ index: Int, _ farthest: Double, _ configuration: GestureConfiguration, _ size: Vector2
  ) -> Bool {
    let thumb = configuration.thumb
    let finger = fingers[index]
    // What makes a gesture does not rest in it.
    guard !finger.hasMoved, let others = company(of: index) else { return false }
    let isThumb = isThumb(finger, beside: others, thumb, height: size.y)
    let isAtSide = min(finger.landing.x, size.x - finger.landing.x) <= configuration.palm.zone
    let isSuspect = isThumb || isAtSide
    guard finger.travel < stillness(isSuspect, farthest, configuration) else { return false }
    if isThumb { return true }
    let gap = (others.firstLanded - finger.landed).milliseconds
    if isAtSide && restsAtSide(finger, others, gap, farthest, configuration) { return true }
    return others.count >= 2 && gap >= thumb.headStart && farthest >= thumb.certainTravel
  }

  /// How far a finger may have strayed that rests while the farthest one has gone `farthest` mm: thumbs and palms
  /// roll a little.
  private func stillness(
    _ isSuspect: Bool, _ farthest: Double, _ configuration: GestureConfiguration
  ) -> Double {
    let motion = configuration.motion
    let share = isSuspect ? configuration.thumb.sleepShare : motion.stillShare
    let limit = isSuspect ? min(share * farthest, configuration.thumb.wakeTravel) : share * farthest
    return max(motion.stillLimit, limit)
  }

  /// Fingers of one gesture land together, an edge of the hand comes when it comes.
  private func restsAtSide(
    _ finger: Finger, _ others: Company, _ gap: Double, _ farthest: Double,
    _ configuration: GestureConfiguration
  ) -> Bool {
    let thumb = configuration.thumb
    guard abs(gap) > configuration.tap.landingSpread else { return false }
    if others.count >= 2 { return farthest >= thumb.travel }
    let mayBePalm = finger.major == 0 || finger.major >= thumb.largerBy * others.major
    // Beside a single other finger a still one is more often meant: twice the travel must show that it stays.
    return mayBePalm && farthest >= 2 * thumb.travel
  }

  /// A thumb lies low on the pad and was there first; one that is larger than the fingers may lie a little higher
  /// and have come a little later.
  private func isThumb(
    _ finger: Finger, beside others: Company, _ thumb: GestureConfiguration.Thumb, height: Double
  ) -> Bool {
    let isKnown = finger.major > 0 && others.major > 0
    let isLarge = isKnown && finger.major >= thumb.largerBy * others.major
    let headStart = (others.firstLanded - finger.landed).milliseconds
    let fromBottom = height - finger.position.y
    let isAtBottom = fromBottom <= min(thumb.zone * thumb.nearShare, height * thumb.zoneShare)
    if isAtBottom && headStart >= thumb.headStart / 2 { return true }
    if isKnown && !isLarge { return isAtBottom && headStart >= thumb.headStart }
    let zone = min(isLarge ? thumb.largeZone : thumb.zone, height * thumb.zoneShare)
    return fromBottom <= zone && headStart >= (isLarge ? thumb.largeHeadStart : thumb.headStart)
  }

  /// Of those that take part, the ones that lie still rest from now on.
  mutating func restStillFingers(_ motion: GestureConfiguration.Motion) {
    let limit = max(motion.stillLimit, motion.stillShare * farthest)
    for index in fingers.indices where takesPart(index) && fingers[index].travel < limit {
      fingers[index].isResting = true
    }
  }

  private struct Company {
    var count = 0
    var firstLanded = EventTime(microseconds: .max)
    /// Mean of the contacts' diameters.
    var major = 0.0
  }

  /// The other fingers that take part; `nil` where there are none.
  private func company(of index: Int) -> Company? {
    var company = Company()
    for other in fingers.indices where other != index && takesPart(other) {
      company.count += 1
      company.firstLanded = min(company.firstLanded, fingers[other].landed)
      company.major += fingers[other].major
    }
    guard company.count > 0 else { return nil }
    company.major /= Double(company.count)
    return company
  }
}
