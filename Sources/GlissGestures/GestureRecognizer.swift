package import GlissEvents

/// Turns the touch frames of one device into gestures.
///
/// The frames are those of ``EvdevDecoder`` and ``TouchTracker``. The folder `Arbiter` decides what
/// moving fingers mean; `TapMachine` and `HoldMachine` watch fingers that do not move.
///
/// Pure: no clock, no allocation. Call ``advance(to:)`` when time passes without a frame;
/// ``deadline`` says when that matters. Each call sets ``outputs``.
package struct GestureRecognizer: Sendable {
  let configuration: GestureConfiguration
  let device: DeviceID
  /// Size of the pad, in mm.
  let size: Vector2
  /// The time of the frame or deadline that is being processed.
  var time = EventTime.zero
  /// What the last frame, key or advance gave rise to.
  package internal(set) var outputs = RecognizerOutputs()
  var hand = Hand()
  /// What the moving fingers mean; see `Deciding.swift`.
  var state = State.idle
  /// What an active gesture that pauses waits for.
  var lost = LostContacts()
  /// Whether the fingers that are leaving, or have left, made a gesture.
  var hasDecided = false
  var taps: TapMachine
  var hold: HoldMachine
  /// A single finger has just returned after a tap.
  var isAfterTap = false
  /// Two fingers have one contact, so they seem to move together.
  var isMerged = false
  /// The fingers that are lifting have only grazed the pad.
  var isGraze = false
  /// Without the gesture that they may have begun, the fingers that are lifting would tap.
  var maySlide = false
  /// Other touches are still down after a monitor swallowed one or events were lost, or positions
  /// of a touch came before its tracking id. Until all fingers that do not rest have lifted, none
  /// taps, holds or comes in over an edge.
  var isCutOff = false
  /// The next frame shows what is down after a loss.
  private var isAfterLoss = false
  private var heldFingers = 0
  /// The centroid when the hold began: when it ends, some fingers have already lifted.
  private var heldCentroid = Vector2.zero
  /// When the first of the fingers that take part landed.
  private var strokeBegan = EventTime.zero
  /// The most fingers that took part since then, less those that rest now.
  var strokeFingers = 0
  /// Whether a decision since a finger landed on the empty pad says what the fingers did.
  private var isExplained = false
  private var lastFrame: EventTime?
  /// Set when the fingers of a gesture lift: contacts before this time are bounces.
  private var quietUntil: EventTime?

  /// Creates a recognizer for `device`.
  package init(for device: Device, configuration: GestureConfiguration = GestureConfiguration()) {
    self.configuration = configuration
    self.device = device.id
    size = device.size.millimetres
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

  /// Processes one frame.
  package mutating func process(_ frame: TouchFrame) {
    if hand.fingers.isEmpty { isExplained = false }
    // a palm may rest for long
    if isCutOff, hand.tracked == 0, !isAfterLoss { isCutOff = false }
    isAfterLoss = false
    pass(to: frame.time)
    // one that rested may take part again
    strokeFingers = max(strokeFingers, hand.count)
    isMerged = frame.isMerged
    if frame.touches.firstIndex(where: { $0.phase == .cancelled }) != nil { cancelAll() }
    let elapsed = time - (lastFrame ?? time)
    lastFrame = time
    // the step that is too large for motion grows with the time
    let jump = configuration.motion.jump * max(1, elapsed.milliseconds / 12.5)
    if hand.loses(in: frame) {
      let before = hand
      isGraze = hand.isGrazed(in: frame)
      maySlide =
        taps.wouldTap(at: time) && hand.farthestSinceLanding < configuration.lift.flickTravel
      willLift()
      let change = hand.update(frame, jump: jump)
      lifted(from: before)
      tapLifted(before)
      follow(change, after: elapsed, isLosing: true, isRegrouped: false)
      noteFault(taps.fault(at: time))
      if hand.count == 0, !isExplained { emit(nothing(before)) }
    } else {
      let count = hand.count
      let change = hand.update(frame, jump: jump)
      // one that turned out to be a palm
      if change.landed == 0 { strokeFingers += min(0, hand.count - count) }
      follow(change, after: elapsed, isLosing: false, isRegrouped: hand.count != count)
    }
    setDeadline()
  }

  /// Advances the clock to `time`.
  package mutating func advance(to time: EventTime) {
    pass(to: time)
    setDeadline()
  }

  /// A key was typed: fingers that lie still on the pad neither tap nor hold.
  package mutating func keyTyped(at time: EventTime) {
    outputs.removeAll()
    self.time = time
    taps.spoil(.typing)
    perform(hold.fail())
    setDeadline()
  }

  /// Cancels what has begun: the stream broke or the device is gone.
  package mutating func cancel(at time: EventTime) {
    outputs.removeAll()
    self.time = time
    cancelAll()
    setDeadline()
  }

  /// Nothing is held during a pause.
  private mutating func setDeadline() { deadline = pauseEnds ?? hold.deadline }

  private mutating func pass(to now: EventTime) {
    outputs.removeAll()
    if let due = deadline, due <= now {
      time = due
      if pauseEnds != nil {
        endPause()
        taps.rejectSlide()
        // the fingers that stay may hold
        watchHold(isChanged: true)
      } else {
        perform(hold.advance(to: now))
      }
    }
    time = now
  }

  private mutating func cancelAll() {
    hand = Hand()
    cancelGesture()
    perform(hold.fail())
    taps.cancel()
    isAfterTap = false
    heldFingers = 0
  }

  /// Handles `change`, which `hand` already contains.
  private mutating func follow(
    _ change: HandChange, after elapsed: EventInterval, isLosing: Bool, isRegrouped: Bool
  ) {
    hand.settleResting(after: elapsed, over: configuration.motion.driftTime)
    let isWoken = hand.wakeResting(configuration.thumb, at: time)
    if change.landed > 0 {
      if !isActive { restThumbs() }
      tapLanded()
      landed()
      // They landed earlier, during typing, so they cannot tap.
      if change.woken > 0 { taps.spoil(.typing) }
      // beside one that rests, others could tap
      if change.continued > 0 || isCutOff { cutOff() }
    } else if isWoken || isRegrouped {
      regrouped()
    }
    if hand.isButtonDown { taps.spoil(.clicked) }
    taps.moved(hand.farthestSinceLanding)
    watchHold(isChanged: change.landed > 0 || isLosing)
    moved()
    if isActive {
      taps.spoil(.gesture)
      _ = hold.fail()
    }
  }

  /// Fingers that seem to land were down before, or land beside such: they cannot tap, even after
  /// another gesture.
  private mutating func cutOff() {
    taps.spoil(.gesture)
    taps.rejectSlide()
    isCutOff = true
  }

  /// When fingers land, marks those that rest whatever moves next: they neither tap nor hold.
  private mutating func restThumbs() {
    hand.restart()
    for _ in hand.fingers.indices where hand.count > 1 {
      let weighing = weigh()
      guard case .rests(let index) = weighing.judge(configuration, patience: .infinity) else {
        return
      }
      leaveOut(index, weighing)
    }
  }

  /// Events were lost before the last frame. Fingers that seem to land in the next one were down.
  package mutating func noteLoss() { (isCutOff, isAfterLoss) = (true, true) }

  // MARK: Taps

  private mutating func tapLanded() {
    // A thumb that rested before the others landed is not part of their tap.
    if hand.allLanded(at: time) {
      taps.restart()
      (strokeBegan, strokeFingers) = (time, 0)
    }
    strokeFingers = max(strokeFingers, hand.count)
    isAfterTap = false
    if hand.count == 1, let last = taps.lastSingle {
      isAfterTap =
        (time - last.time).milliseconds <= configuration.tapDrag.window
        && (hand.middle - last.place).length <= configuration.tap.distance
    }
    // Beside a palm, fingers that the device counts but does not show are ignored.
    if hand.count > 0 {
      taps.landed(count: hand.count, place: hand.middle, centroid: hand.centroid, at: time)
    }
    if let quietUntil, time < quietUntil { taps.spoil(.bounced) }
  }

  private mutating func tapLifted(_ before: Hand) {
    if hasDecided {
      taps.spoil(.gesture)
      quietUntil = time + .milliseconds(configuration.tap.quiet)
    } else if taps.restore() {
      quietUntil = nil
    }
    isAfterTap = false
    let tap = taps.lifted(
      remaining: hand.count, landed: before.landed(notIn: hand), place: hand.middle,
      centroid: hand.centroid, at: time)
    guard let tap else { return }
    let contact = TimedEvidence(
      measured: tap.contact.milliseconds, required: tap.longest, isLimit: true)
    emit(decision(.tap, .tap, contact, before, fingers: tap.fingers))
    var event = GestureEvent(
      time: time, device: device, kind: .tap, phase: .recognized, fingers: tap.fingers)
    event.count = tap.count
    event.centroid = tap.centroid
    outputs.append(.gesture(event))
  }

  // MARK: Holds

  private mutating func watchHold(isChanged: Bool) {
    let isIdle = isActive || isCutOff || hand.isRestingAlone(configuration, size: size)
    let fingers = isIdle ? 0 : hand.count
    if isChanged || fingers != heldFingers {
      heldFingers = fingers
      perform(hold.fingersChanged(to: fingers, at: time))
    } else {
      perform(hold.moved(by: hand.farthestSinceStart))
    }
  }

  mutating func perform(_ action: HoldMachine.Action?) {
    guard let action else { return }
    if action.phase == .began {
      let limit = hold.duration(of: action.fingers)
      let evidence = TimedEvidence(measured: limit, required: limit)
      emit(decision(.hold, .hold, evidence, hand, fingers: action.fingers))
      heldCentroid = hand.centroid
    }
    var event = GestureEvent(
      time: time, device: device, kind: .hold, phase: action.phase, fingers: action.fingers)
    event.centroid = heldCentroid
    outputs.append(.gesture(event))
  }

  // MARK: Decisions

  /// Reports `decision`, but not that there was nothing after another decision about the same
  /// fingers. That one of them rests does not say what they did.
  mutating func emit(_ decision: Decision) {
    if decision.rule == .nothing, isExplained { return }
    if decision.rested == nil { isExplained = true }
    outputs.append(.decision(decision))
  }

  /// Adds to a `nothing` decision why it was no tap.
  private mutating func noteFault(_ fault: TapFault?) {
    for index in outputs.indices {
      guard case .decision(var decision) = outputs[index], decision.rule == .nothing else {
        continue
      }
      decision.tapFault = decision.tapFault ?? fault
      outputs[index] = .decision(decision)
    }
  }

  /// The decision when all fingers have left without one: pointing, drumming, a contact too long.
  private func nothing(_ before: Hand) -> Decision {
    let longest =
      if case .lasted(_, let most)? = taps.fault { most } else { configuration.tap.duration }
    let contact = TimedEvidence(
      measured: (time - strokeBegan).milliseconds, required: longest, isLimit: true)
    let fingers = max(strokeFingers, before.count)
    return decision(nil, .nothing, contact, before, fingers: fingers)
  }

  /// A decision made by time and stillness. It includes the measured motion as well.
  private func decision(
    _ outcome: GestureKind?, _ rule: DecisionRule, _ timed: TimedEvidence, _ hand: Hand,
    fingers: Int
  ) -> Decision {
    let weighing = Weighing(hand, configuration, size: size)
    var decision = Decision(
      evidence(weighing, fingers: fingers), weighing, outcome, rule, hand, landed: strokeBegan,
      from: rule == .hold ? \.start : \.landing)
    decision.timed = timed
    decision.tapFault = outcome == .tap ? nil : taps.fault
    return decision
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
