import GlissEvents

/// Recognizes taps, fingers that land and leave together soon and do not move, and counts them:
/// another tap with as many fingers, at the same place and soon after, raises the count.
struct TapMachine {
  struct Tap: Equatable {
    var fingers: Int
    var count: Int
    var centroid: Vector2
    /// From the first finger down to the last one up.
    var contact: EventInterval
    /// The longest ``contact`` that would still be a tap, in ms.
    var longest: Double
  }

  private struct Contact {
    var first: EventTime
    /// When the last finger landed, and the one before it.
    var lastLanding: EventTime
    var landingBefore: EventTime
    /// For the first finger that lifted: the share of its time on the pad with all others down too.
    var together: Double?
    /// How long all were down.
    var shared = EventInterval.zero
    /// The largest number of fingers down at once.
    var fingers: Int
    /// The middle of the fingers when that many were down, in mm and as a share of the pad.
    var place: Vector2
    var centroid: Vector2

    /// A finger that came down at `landed` has lifted.
    mutating func lift(_ landed: EventTime, at time: EventTime) {
      guard together == nil else { return }
      let whole = (time - landed).seconds
      together = whole > 0 ? (time - lastLanding).seconds / whole : 1
      shared = time - lastLanding
    }
  }

  private enum State {
    case idle
    /// Fingers are down and may still be a tap.
    case touching(Contact)
    /// Fingers are down that can no longer tap; all must leave first.
    case spoiled(TapFault)
  }

  private struct Last {
    var time: EventTime
    var place: Vector2
    var fingers: Int
    var count: Int
  }

  /// A contact of at most this time was no finger if the whole tap took so many times as long.
  private static let (longestGraze, grazeShare) = (EventInterval.milliseconds(22), Int64(4))

  /// Fingers of most taps land within this many ms.
  private static let promptSpread = 90.0

  private let limits: GestureConfiguration.Tap
  private var state = State.idle
  private var last: Last?
  /// The fingers before the last landing, and when that was.
  private var before: (contact: Contact, landed: EventTime)?
  /// The fingers with one that was down for only so long, and may have been no finger.
  private var graze: (contact: Contact, length: EventInterval)?
  /// The fingers before they made a gesture, which may be only a slide as they lift.
  private var slide: Contact?
  /// When the first finger landed.
  private var began = EventTime.zero
  /// Whether the fingers landed as close together as those of most taps. If not, they must lie still.
  private var isPrompt = true
  /// Why the current or last fingers are not a tap; `nil` if they are one or may become one.
  private(set) var fault: TapFault?

  init(_ limits: GestureConfiguration.Tap) { self.limits = limits }

  /// Why fingers that lift at `time` are not a tap, as far as that is known.
  func fault(at time: EventTime) -> TapFault? {
    guard fault == nil, case .touching(let contact) = state else { return fault }
    return overlong(contact, to: time)
  }

  private func overlong(_ contact: Contact, to time: EventTime) -> TapFault? {
    let (whole, most) = ((time - contact.first).milliseconds, longest(contact))
    return whole > most ? .lasted(whole, most: most) : nil
  }

  /// How long they may be down, in ms: longer if they land later than ``promptSpread``.
  private func longest(_ contact: Contact) -> Double {
    let spread = (contact.lastLanding - contact.first).milliseconds
    return limits.duration + max(0, spread - Self.promptSpread)
  }

  /// Whether the fingers that are down at `time` may still be a tap.
  func mayTap(at time: EventTime) -> Bool {
    guard case .touching(let contact) = state else { return false }
    return isPrompt && (time - contact.first).milliseconds <= limits.duration
  }

  /// Whether the fingers would tap at `time` if they had made no gesture.
  func wouldTap(at time: EventTime) -> Bool {
    slide.map { isPrompt && (time - $0.first).milliseconds <= limits.duration } ?? false
  }

  /// The end and position (mm) of the last tap, if it was made with one finger.
  var lastSingle: (time: EventTime, place: Vector2)? {
    guard let last, last.fingers == 1 else { return nil }
    return (last.time, last.place)
  }

  /// Fingers have landed: `count` take part now, with their middle at `place` (mm).
  mutating func landed(count: Int, place: Vector2, centroid: Vector2, at time: EventTime) {
    switch state {
    case .idle:
      (fault, before, graze, slide) = (nil, nil, nil, nil)
      (began, isPrompt) = (time, true)
      state = .touching(
        Contact(
          first: time, lastLanding: time, landingBefore: time, fingers: count, place: place,
          centroid: centroid))
    case .touching(var contact):
      graze = nil
      let spread = (time - contact.first).milliseconds
      let isInTime = contact.together == nil && spread <= limits.landingSpread
      if !isInTime { spoil(.landedApart(spread, most: limits.landingSpread)) }
      before = count <= contact.fingers + 1 ? (contact, time) : nil
      guard isInTime else { return }
      isPrompt = spread <= Self.promptSpread
      (contact.landingBefore, contact.lastLanding) = (contact.lastLanding, time)
      contact.fingers = max(contact.fingers, count)
      contact.place = place
      contact.centroid = centroid
      state = .touching(contact)
    case .spoiled:
      (before, slide) = (nil, nil)
      // the report says how far apart all of them landed
      if case .landedApart(_, let most)? = fault {
        fault = .landedApart((time - began).milliseconds, most: most)
      }
    }
  }

  /// The farthest finger has moved `travel` mm since it landed.
  mutating func moved(_ travel: Double) {
    guard travel > limits.movement else { return }
    let slid = TapFault.slid(travel, most: limits.movement)
    spoil(slid)
    // the report says how far it got, not only that it passed the limit
    if case .slid(let before, _)? = fault, before < travel { fault = slid }
  }

  /// The fingers can no longer tap: the pad was clicked, a gesture was decided.
  mutating func spoil(_ fault: TapFault) {
    switch state {
    case .touching(let contact):
      state = .spoiled(fault)
      (self.fault, before) = (fault, nil)
      slide = fault == .gesture ? contact : nil
    case .spoiled:
      before = nil
      if fault != .gesture { slide = nil }
    case .idle: break
    }
  }

  /// The gesture, if there was one, was only a slide of fingers that lift: they may tap.
  mutating func restore() -> Bool {
    guard case .spoiled(.gesture) = state, let slide else { return false }
    state = .touching(slide)
    (fault, self.slide) = (nil, nil)
    return true
  }

  /// The gesture was no slide, because some of its fingers stayed.
  mutating func rejectSlide() { slide = nil }

  /// The fingers that are down are not part of the next tap.
  mutating func restart() { state = .idle }

  /// Forgets everything, including the last tap.
  mutating func cancel() {
    state = .idle
    last = nil
  }

  /// Fingers have lifted: `remaining` that take part are still down, with their middle at `place`
  /// (mm).
  ///
  /// - Parameter landed: when the first and the last of those that lifted came down; `nil` if the
  ///   device does not show them.
  mutating func lifted(
    remaining: Int, landed: ClosedRange<EventTime>?, place: Vector2, centroid: Vector2,
    at time: EventTime
  ) -> Tap? {
    let (first, last) = (landed?.lowerBound ?? time, landed?.upperBound ?? time)
    let isBrief = landed != nil && time - last <= Self.longestGraze
    switch state {
    case .idle: return nil
    case .spoiled(.landedApart):
      // without a contact that only grazed the pad, it may still be a tap
      if isBrief, let before, before.landed == last, remaining <= before.contact.fingers {
        var contact = before.contact
        (fault, self.before) = (nil, nil)
        if first < last { contact.lift(first, at: time) }
        return settle(contact, remaining, at: time)
      }
      before?.contact.lift(first, at: time)
      if remaining == 0 { state = .idle }
      return nil
    case .spoiled:
      slide?.lift(first, at: time)
      if remaining == 0 { (state, slide) = (.idle, nil) }
      return nil
    case .touching(var contact):
      var others = contact
      contact.lift(first, at: time)
      defer { before?.contact.lift(first, at: time) }
      // a contact that lifts with the fingers may have grazed the pad, too
      if isBrief, remaining == 0, (contact.together ?? 1) < limits.overlap,
        let before, before.landed == last,
        (time - contact.first).microseconds >= Self.grazeShare * (time - last).microseconds
      {
        others = before.contact
        others.lift(first, at: time)
        return settle(others, remaining, at: time)
      }
      // one that was hidden until now has landed before
      guard isBrief, last <= contact.lastLanding, remaining > 0, graze == nil else {
        graze?.contact.lift(first, at: time)
        return settle(contact, remaining, at: time)
      }
      others.lastLanding = contact.landingBefore
      if first < last { others.lift(first, at: time) }
      graze = (contact, time - last)
      others.fingers = max(contact.fingers - 1, remaining)
      (others.place, others.centroid) = (place, centroid)
      return settle(others, remaining, at: time)
    }
  }

  private mutating func settle(_ contact: Contact, _ remaining: Int, at time: EventTime) -> Tap? {
    state = remaining == 0 ? .idle : .touching(contact)
    guard remaining == 0 else { return nil }
    let whole = (time - contact.first).microseconds
    if let graze, whole < Self.grazeShare * graze.length.microseconds {
      return tap(graze.contact, to: time)
    }
    return tap(contact, to: time)
  }

  private mutating func tap(_ contact: Contact, to time: EventTime) -> Tap? {
    let whole = time - contact.first
    var together = contact.together ?? 1
    // fingers that roll over the pad land and lift one after the other
    if !isPrompt, whole > .zero, contact.together != nil {
      together = min(together, contact.shared.seconds / whole.seconds)
    }
    if let late = overlong(contact, to: time) {
      fault = late
    } else if together < limits.overlap {
      fault = .hardlyTogether(together, least: limits.overlap)
    }
    guard fault == nil else {
      last = nil
      return nil
    }
    var count = 1
    // a pad that shows two of five fingers may show two others next time
    let distance = contact.fingers > 2 ? limits.manyDistance : limits.distance
    if let last, last.fingers == contact.fingers,
      (contact.first - last.time).milliseconds <= limits.gap,
      (contact.place - last.place).length <= distance
    {
      count = last.count + 1
    }
    last = Last(time: time, place: contact.place, fingers: contact.fingers, count: count)
    return Tap(
      fingers: contact.fingers, count: count, centroid: contact.centroid, contact: whole,
      longest: longest(contact))
  }
}

/// Why fingers that touched and left were not a tap: the measured value and the limit.
package enum TapFault: Hashable, Sendable, BitwiseCopyable {
  /// A finger got this many mm from where it landed: `tap.movement`.
  case slid(Double, most: Double)
  /// The fingers landed this many ms apart: `tap.landingSpread`. If it is within the limit, one
  /// landed after another had lifted.
  case landedApart(Double, most: Double)
  /// The fingers shared only this part of their time on the pad: `tap.overlap`.
  case hardlyTogether(Double, least: Double)
  /// The time from the first finger down to the last one up, in ms: `tap.duration`.
  case lasted(Double, most: Double)
  /// The pad was clicked.
  case clicked
  /// They landed so soon after a gesture that they count as a bounce: `tap.quiet`.
  case bounced
  /// The user typed meanwhile: `typing.afterKey`.
  case typing
  /// They made a gesture.
  case gesture
}

/// Recognizes holds: they begin once the same fingers have lain still for the configured time, and
/// end when one lifts or another lands. Motion rules a hold out, or cancels it as a gesture does.
struct HoldMachine {
  struct Action: Equatable {
    let phase: GesturePhase
    let fingers: Int
  }

  private enum State {
    /// No finger, or fingers that have already moved.
    case idle
    /// Fingers lie still and become a hold at `due`.
    case waiting(fingers: Int, due: EventTime)
    case holding(fingers: Int)
  }

  private let limits: GestureConfiguration.Hold
  private var state = State.idle

  init(_ limits: GestureConfiguration.Hold) { self.limits = limits }

  /// When ``advance(to:)`` must be called if nothing happens first.
  var deadline: EventTime? { if case .waiting(_, let due) = state { due } else { nil } }

  /// The number of participating fingers changed.
  mutating func fingersChanged(to count: Int, at time: EventTime) -> Action? {
    let due = time + .milliseconds(duration(of: count))
    defer { state = count == 0 ? .idle : .waiting(fingers: count, due: due) }
    guard case .holding(let fingers) = state else { return nil }
    return Action(phase: .ended, fingers: fingers)
  }

  /// How long this many fingers must lie still, in ms.
  func duration(of fingers: Int) -> Double {
    fingers == 1 ? limits.singleDuration : limits.duration
  }

  /// The farthest finger is this far from its position when the fingers last changed.
  mutating func moved(by millimetres: Double) -> Action? {
    millimetres > limits.movement ? fail() : nil
  }

  /// The fingers do something other than a hold.
  mutating func fail() -> Action? {
    defer { state = .idle }
    guard case .holding(let fingers) = state else { return nil }
    return Action(phase: .cancelled, fingers: fingers)
  }

  mutating func advance(to time: EventTime) -> Action? {
    guard case .waiting(let fingers, let due) = state, time >= due else { return nil }
    state = .holding(fingers: fingers)
    return Action(phase: .began, fingers: fingers)
  }
}
