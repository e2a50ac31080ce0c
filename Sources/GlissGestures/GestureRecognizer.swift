package import GlissEvents

/// Turns the touch frames of one device into gestures.
///
/// The frames are those of ``EvdevDecoder`` and ``TouchTracker``. `Arbiter` decides what moving
/// fingers mean; `TapMachine` and `HoldMachine` watch fingers that do not move.
///
/// Pure: no clock, no allocation. Call ``advance(to:)`` when time passes without a frame;
/// ``deadline`` says when that matters.
package struct GestureRecognizer: Sendable {
  private let configuration: GestureConfiguration
  /// What the arbiter is given with every frame.
  private var place: Arbiter.FrameContext
  private var hand = Hand()
  private var arbiter: Arbiter
  private var taps: TapMachine
  /// When the arbiter stops waiting for a lost contact. Nothing is held meanwhile.
  private var pauseEnds: EventTime?
  private var hold: HoldMachine { didSet { deadline = pauseEnds ?? hold.deadline } }
  private var heldFingers = 0
  /// The centroid when the hold began: when it ends, some fingers have already lifted.
  private var heldCentroid = Vector2.zero
  /// When the first of the fingers that are down landed.
  private var strokeBegan = EventTime.zero
  /// The most fingers since then.
  private var strokeFingers = 0
  /// Whether a decision has been reported since ``strokeBegan``.
  private var isExplained = false
  private var lastTime: EventTime?
  /// Set when the fingers of a gesture lift: contacts before this time are bounces.
  private var quietUntil: EventTime?

  /// Creates a recognizer for `device`.
  package init(for device: Device, configuration: GestureConfiguration = GestureConfiguration()) {
    self.configuration = configuration
    place = Arbiter.FrameContext(device: device.id, size: device.size.millimetres)
    arbiter = Arbiter(configuration)
    taps = TapMachine(configuration.tap)
    hold = HoldMachine(configuration.hold)
  }

  /// When ``advance(to:)`` must be called if no frame comes first. Stored: a getter in another
  /// module would make a session copy the whole recognizer.
  package private(set) var deadline: EventTime?

  /// Whether the recognizer considers the touch to be resting.
  package func isResting(_ touch: TouchID) -> Bool {
    hand.fingers.firstIndex { $0.id == touch && $0.isResting } != nil
  }

  /// How the fingers' possible meanings compared in the last frame; `nil` if none were weighed.
  package var evidence: Evidence? { arbiter.evidence(for: hand, configuration, in: place) }

  /// Processes one frame.
  package mutating func process(_ frame: TouchFrame) -> RecognizerOutputs {
    let time = frame.time
    if hand.fingers.isEmpty {
      strokeBegan = time
      strokeFingers = 0
      isExplained = false
    }
    var outputs = advance(to: time)
    place.isMerged = frame.isMerged
    if frame.touches.firstIndex(where: { $0.phase == .cancelled }) != nil {
      cancel(at: time, into: &outputs)
    }
    let jump = jump(at: time)
    if hand.loses(in: frame) {
      let before = hand
      place.isGraze = hand.isGrazed(in: frame)
      place.maySlide =
        taps.wouldTap(at: time) && hand.farthestSinceLanding < configuration.lift.flickTravel
      willLift(at: time, into: &outputs)
      let change = hand.update(frame, jump: jump)
      lifted(before, at: time, into: &outputs)
      follow(change, isLosing: true, at: time, into: &outputs)
      outputs.noteFault(taps.fault(at: time))
      if hand.count == 0, !isExplained {
        isExplained = true
        outputs.append(.decision(nothing(before, at: time)))
      }
    } else {
      let count = hand.count
      var change = hand.update(frame, jump: jump)
      change.isRegrouped = hand.count != count
      follow(change, isLosing: false, at: time, into: &outputs)
    }
    return outputs
  }

  /// Removes `nothing` decisions that come after another decision about the same fingers, and
  /// notes whether one says what they did. That one of them rests does not.
  private mutating func explain(into outputs: inout RecognizerOutputs) {
    var index = 0
    while index < outputs.count {
      if case .decision(let decision) = outputs[index] {
        if decision.rule == .nothing, isExplained {
          outputs.remove(at: index)
          continue
        }
        if decision.rested == nil { isExplained = true }
      }
      index += 1
    }
  }

  /// Handles `change`, which `hand` already contains.
  private mutating func follow(
    _ change: HandChange, isLosing: Bool, at time: EventTime, into outputs: inout RecognizerOutputs
  ) {
    hand.settleResting(after: elapsed(to: time), over: configuration.motion.driftTime)
    lastTime = time
    let isWoken = hand.wakeResting(configuration.thumb, at: time)
    if change.landed > 0 {
      if !arbiter.isActive { restThumbs(into: &outputs) }
      landed(at: time, into: &outputs)
      // They landed earlier, during typing, so they cannot tap.
      if change.woken > 0 { taps.spoil(.typing) }
    } else if isWoken || change.isRegrouped {
      arbiter.regrouped(&hand, in: place, into: &outputs)
      pauseEnds = arbiter.pauseEnds
    }
    if hand.isButtonDown { taps.spoil(.clicked) }
    taps.moved(hand.farthestSinceLanding)
    place.mayTap = taps.mayTap(at: time)
    watchHold(isChanged: change.landed > 0 || isLosing, at: time, into: &outputs)
    moved(at: time, into: &outputs)
    explain(into: &outputs)
  }

  /// When fingers land, marks those that rest whatever moves next: they neither tap nor hold.
  private mutating func restThumbs(into outputs: inout RecognizerOutputs) {
    hand.restart()
    for _ in hand.fingers.indices where hand.count > 1 {
      let weighing = Weighing(hand, configuration, size: place.size)
      guard case .rests(let index) = weighing.judge(configuration, patience: .infinity) else {
        return
      }
      arbiter.leaveOut(index, weighing, &hand, in: place, into: &outputs)
    }
  }

  /// A gesture that begins rules out a tap and cancels a hold, which is reported first.
  private mutating func moved(at time: EventTime, into outputs: inout RecognizerOutputs) {
    let first = outputs.count
    arbiter.moved(&hand, in: place, into: &outputs)
    endHold(ifBegunFrom: first, at: time, in: &outputs)
    if arbiter.isActive {
      taps.spoil(.gesture)
      _ = hold.fail()
    }
  }

  /// A gesture may also begin just before a finger lifts.
  private mutating func willLift(at time: EventTime, into outputs: inout RecognizerOutputs) {
    updatePlace(at: time)
    let first = outputs.count
    arbiter.willLift(&hand, in: place, into: &outputs)
    endHold(ifBegunFrom: first, at: time, in: &outputs)
  }

  private mutating func endHold(
    ifBegunFrom first: Int, at time: EventTime, in outputs: inout RecognizerOutputs
  ) {
    guard hold.isHolding, let begun = outputs.firstBegun(from: first), hold.fail() != nil else {
      return
    }
    outputs.insert(.gesture(holdEvent(.cancelled, heldFingers, at: time)), at: begun)
  }

  /// Advances the clock to `time`.
  package mutating func advance(to time: EventTime) -> RecognizerOutputs {
    updatePlace(at: time)
    var outputs = RecognizerOutputs()
    if let due = deadline, due <= time {
      if pauseEnds != nil {
        endPause(at: due, into: &outputs)
      } else if let action = hold.advance(to: time) {
        perform(action, at: due, into: &outputs)
      }
    }
    return outputs
  }

  private mutating func endPause(at time: EventTime, into outputs: inout RecognizerOutputs) {
    let isPaused = arbiter.pauseEnds != nil
    (pauseEnds, deadline) = (nil, hold.deadline)
    guard isPaused else { return }
    var place = place
    place.time = time
    arbiter.endPause(&hand, in: place, into: &outputs)
    taps.rejectSlide()
    // the fingers that stay may hold
    watchHold(isChanged: true, at: time, into: &outputs)
  }

  /// A key was typed: fingers that lie still on the pad neither tap nor hold.
  package mutating func keyTyped(at time: EventTime) -> RecognizerOutputs {
    updatePlace(at: time)
    var outputs = RecognizerOutputs()
    taps.spoil(.typing)
    perform(hold.fail(), at: time, into: &outputs)
    return outputs
  }

  /// Cancels what has begun: the stream broke or the device is gone.
  package mutating func cancel(at time: EventTime) -> RecognizerOutputs {
    var outputs = RecognizerOutputs()
    cancel(at: time, into: &outputs)
    return outputs
  }

  private mutating func cancel(at time: EventTime, into outputs: inout RecognizerOutputs) {
    updatePlace(at: time)
    arbiter.cancel(in: place, into: &outputs)
    pauseEnds = nil
    perform(hold.fail(), at: time, into: &outputs)
    taps.cancel()
    hand = Hand()
    place.isAfterTap = false
    heldFingers = 0
  }

  /// The step since the last frame that is too large for motion, in mm: it grows with the time.
  private func jump(at time: EventTime) -> Double {
    configuration.motion.jump * max(1, elapsed(to: time).milliseconds / 12.5)
  }

  /// The time since the last frame; zero at the first one.
  private func elapsed(to time: EventTime) -> EventInterval {
    lastTime.map { time - $0 } ?? .zero
  }

  private mutating func updatePlace(at time: EventTime) {
    place.time = time
    place.mayTap = taps.mayTap(at: time)
  }

  private mutating func landed(at time: EventTime, into outputs: inout RecognizerOutputs) {
    // A thumb that rested before the others landed is not part of their tap.
    if hand.allLanded(at: time) { taps.restart() }
    strokeFingers = max(strokeFingers, hand.count)
    place.isAfterTap = false
    if hand.count == 1, let last = taps.lastSingle {
      place.isAfterTap =
        (time - last.time).milliseconds <= configuration.tapDrag.window
        && (hand.middle - last.place).length <= configuration.tap.distance
    }
    // Beside a palm, fingers that the device counts but does not show are ignored.
    if hand.count > 0 {
      taps.landed(count: hand.count, place: hand.middle, centroid: hand.centroid, at: time)
    }
    if let quietUntil, time < quietUntil { taps.spoil(.bounced) }
    place.mayTap = taps.mayTap(at: time)
    arbiter.landed(&hand, in: place, into: &outputs)
    pauseEnds = arbiter.pauseEnds
  }

  private mutating func lifted(
    _ before: Hand, at time: EventTime, into outputs: inout RecognizerOutputs
  ) {
    arbiter.lifted(&hand, from: before, in: place, into: &outputs)
    pauseEnds = arbiter.pauseEnds
    if arbiter.hasDecided {
      taps.spoil(.gesture)
      quietUntil = time + .milliseconds(configuration.tap.quiet)
    } else if taps.restore() {
      quietUntil = nil
    }
    place.isAfterTap = false
    let tap = taps.lifted(
      remaining: hand.count, landed: before.landed(notIn: hand), place: hand.middle,
      centroid: hand.centroid, at: time)
    guard let tap else { return }
    var event = GestureEvent(
      time: time, device: place.device, kind: .tap, phase: .recognized, fingers: tap.fingers)
    event.count = tap.count
    event.centroid = tap.centroid
    let evidence = TimedEvidence(
      measured: tap.contact.milliseconds, required: tap.longest, isLimit: true)
    outputs.append(
      .decision(decision(.tap, .tap, evidence, before, fingers: tap.fingers, at: time)))
    outputs.append(.gesture(event))
  }

  // MARK: Holds

  private mutating func watchHold(
    isChanged: Bool, at time: EventTime, into outputs: inout RecognizerOutputs
  ) {
    let isIdle = arbiter.isActive || hand.isRestingAlone(configuration, size: place.size)
    let fingers = isIdle ? 0 : hand.count
    if isChanged || fingers != heldFingers {
      heldFingers = fingers
      perform(hold.fingersChanged(to: fingers, at: time), at: time, into: &outputs)
    } else {
      perform(hold.moved(by: hand.farthestSinceStart), at: time, into: &outputs)
    }
  }

  private mutating func perform(
    _ action: HoldMachine.Action?, at time: EventTime, into outputs: inout RecognizerOutputs
  ) {
    guard let action else { return }
    if action.phase == .began {
      // A hold may begin between frames, so it is noted here too.
      isExplained = true
      let limit = hold.duration(of: action.fingers)
      let evidence = TimedEvidence(measured: limit, required: limit)
      outputs.append(
        .decision(decision(.hold, .hold, evidence, hand, fingers: action.fingers, at: time)))
      heldCentroid = hand.centroid
    }
    outputs.append(.gesture(holdEvent(action.phase, action.fingers, at: time)))
  }

  private func holdEvent(_ phase: GesturePhase, _ fingers: Int, at time: EventTime) -> GestureEvent
  {
    var event = GestureEvent(
      time: time, device: place.device, kind: .hold, phase: phase, fingers: fingers)
    event.centroid = heldCentroid
    return event
  }

  // MARK: Decisions by time

  /// The decision when all fingers have left without one: pointing, drumming, a contact too long.
  private func nothing(_ before: Hand, at time: EventTime) -> Decision {
    let longest =
      if case .lasted(_, let most)? = taps.fault { most } else { configuration.tap.duration }
    let contact = TimedEvidence(
      measured: (time - strokeBegan).milliseconds, required: longest, isLimit: true)
    return decision(nil, .nothing, contact, before, fingers: strokeFingers, at: time)
  }

  /// A decision made by time and stillness. It includes the measured motion as well.
  private func decision(
    _ outcome: GestureKind?, _ rule: DecisionRule, _ timed: TimedEvidence, _ hand: Hand,
    fingers: Int, at time: EventTime
  ) -> Decision {
    var decision = Decision(
      time: time, device: place.device, landed: strokeBegan, fingers: fingers, outcome: outcome,
      rule: rule,
      weighing: Weighing(hand, configuration, size: place.size), configuration,
      hand, travel: hand.travels(from: \.landing))
    decision.timed = timed
    decision.tapFault = outcome == .tap ? nil : taps.fault
    return decision
  }
}

extension RecognizerOutputs {
  /// The index of the first `began` event at or after `first`.
  fileprivate func firstBegun(from first: Int) -> Int? {
    indices.dropFirst(first).first {
      if case .gesture(let gesture) = self[$0] { gesture.phase == .began } else { false }
    }
  }

  /// Adds to a `nothing` decision why it was no tap.
  fileprivate mutating func noteFault(_ fault: TapFault?) {
    for index in indices {
      guard case .decision(var decision) = self[index], decision.rule == .nothing else { continue }
      decision.tapFault = decision.tapFault ?? fault
      self[index] = .decision(decision)
    }
  }

  fileprivate mutating func insert(_ output: RecognizerOutput, at place: Int) {
    guard append(output) else { return }
    for index in (place..<count - 1).reversed() { self[index + 1] = self[index] }
    self[place] = output
  }
}

/// What a recognizer reports: a gesture, or the reason for a decision.
package enum RecognizerOutput: Sendable, BitwiseCopyable {
  /// A gesture for handlers.
  case gesture(GestureEvent)
  /// Why a gesture began, or why there was none.
  case decision(Decision)
}

/// The outputs of one frame, in order. At most: a gesture that ends, one that begins and moves, a
/// hold, a tap, and their decisions.
package typealias RecognizerOutputs = InlineList<12, RecognizerOutput>

extension RecognizerOutputs {
  init() {
    self.init(
      filler: .gesture(
        GestureEvent(
          time: .zero, device: DeviceID(rawValue: 0), kind: .hold, phase: .cancelled, fingers: 0)))
  }
}
