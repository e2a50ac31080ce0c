public import GlissEvents

/// Touch frames of one device in, gestures out.
///
/// Pure: no clock, no descriptor, no allocation. Frames carry their time; ``advance(to:emit:)`` lets time pass
/// where no frame comes, and ``deadline`` says when that matters.
public struct GestureRecognizer: Sendable {
  private let configuration: GestureConfiguration
  /// What the arbiter is told with every frame.
  private var place: Arbiter.Surroundings
  private var hand = Hand()
  private var arbiter: Arbiter
  private var taps: TapMachine
  private var hold: HoldMachine
  private var heldFingers = 0
  /// Where they were when they became a hold: at its end some are gone.
  private var heldCentroid = Vector2.zero
  /// When the first finger of those that are down landed.
  private var stretchBegan = EventTime.zero
  /// A decision was told since then.
  private var isExplained = false
  private var lastTime: EventTime?
  /// A gesture's fingers have just left: contacts before this bounce.
  private var quietUntil: EventTime?

  /// A recognizer for `device`.
  public init(for device: Device, configuration: GestureConfiguration = GestureConfiguration()) {
    self.configuration = configuration
    place = Arbiter.Surroundings(device: device.id, size: device.size.millimetres)
    arbiter = Arbiter(configuration)
    taps = TapMachine(configuration.tap)
    hold = HoldMachine(configuration.hold)
  }

  /// When ``advance(to:emit:)`` must be called if no frame comes first.
  public var deadline: EventTime? { hold.deadline }

  /// Whether the recognizer takes the touch for one that rests.
  public func isResting(_ touch: TouchID) -> Bool {
    guard let index = hand.fingers.firstIndex(where: { $0.id == touch }) else { return false }
    return hand.fingers[index].isResting
  }

  /// Takes in what the fingers did.
  public mutating func process(_ frame: TouchFrame, emit: (RecognizerOutput) -> Void) {
    if hand.fingers.isEmpty {
      stretchBegan = frame.time
      isExplained = false
    }
    var isDecided = isExplained
    let told: (RecognizerOutput) -> Void = { output in
      if case .decision(let decision) = output {
        // fingers that were something are not nothing as well
        if decision.rule == .nothing, isDecided { return }
        isDecided = true
      }
      emit(output)
    }
    look(at: frame.time)
    advance(to: frame.time, emit: told)
    if frame.hasCancelled { cancel(at: frame.time, emit: told) }
    var unexplained: Decision?
    if hand.loses(in: frame) {
      unexplained = lose(frame, from: hand, emit: told)
    } else {
      keep(frame, emit: told)
    }
    if isDecided { isExplained = true }
    if let unexplained, !isExplained {
      isExplained = true
      emit(.decision(unexplained))
    }
  }

  /// A frame in which fingers that take part lift; `before` is the hand with them.
  ///
  /// - Returns: where they were the last, what there is to say if nothing was decided while they were down.
  private mutating func lose(
    _ frame: TouchFrame, from before: Hand, emit: (RecognizerOutput) -> Void
  ) -> Decision? {
    willLift(at: frame.time, emit: emit)
    let change = hand.update(frame, jump: jump(at: frame.time))
    lifted(before, at: frame.time, emit: emit)
    finish(frame, change, isLosing: true, emit: emit)
    return hand.count == 0 ? nothing(before, at: frame.time) : nil
  }

  /// A frame in which nobody who takes part lifts.
  private mutating func keep(_ frame: TouchFrame, emit: (RecognizerOutput) -> Void) {
    let count = hand.count
    let change = hand.update(frame, jump: jump(at: frame.time))
    finish(frame, change, isLosing: false, wasCount: count, emit: emit)
  }

  private mutating func finish(
    _ frame: TouchFrame, _ change: HandChange, isLosing: Bool, wasCount: Int? = nil,
    emit: (RecognizerOutput) -> Void
  ) {
    let time = frame.time
    hand.settleResting(after: elapsed(to: time), over: configuration.motion.driftTime)
    lastTime = time
    let regrouped = hand.updateResting(configuration, size: place.size)
    if change.landed > 0 {
      landed(at: time, emit: emit)
      // they landed before, and nobody knows what for
      if change.woken > 0 { taps.spoil(.typing) }
    } else if regrouped || wasCount.map({ $0 != hand.count }) ?? false {
      arbiter.regrouped(&hand, in: place, emit: emit)
    }
    if frame.isButtonDown { taps.spoil(.clicked) }
    taps.moved(hand.farthestSinceLanding)
    place.mayTap = taps.mayTap(at: time)
    watchHold(isChanged: change.landed > 0 || isLosing, at: time, emit: emit)
    moved(at: time, emit: emit)
  }

  /// A gesture that begins ends the tap and the hold the fingers might have been; the hold's end comes first.
  private mutating func moved(at time: EventTime, emit: (RecognizerOutput) -> Void) {
    if hold.isHolding {
      var held = hold
      let end = holdEvent(.cancelled, heldFingers, at: time)
      arbiter.moved(&hand, in: place) { output in
        if case .gesture(let gesture) = output, gesture.phase == .began, held.fail() != nil {
          emit(.gesture(end))
        }
        emit(output)
      }
      hold = held
    } else {
      arbiter.moved(&hand, in: place, emit: emit)
    }
    if arbiter.isActive {
      taps.spoil(.gesture)
      _ = hold.fail()
    }
  }

  /// What begins only now that a finger lifts ends the hold first, as in ``moved(at:emit:)``.
  private mutating func willLift(at time: EventTime, emit: (RecognizerOutput) -> Void) {
    guard hold.isHolding else { return arbiter.willLift(&hand, in: place, emit: emit) }
    var held = hold
    let end = holdEvent(.cancelled, heldFingers, at: time)
    arbiter.willLift(&hand, in: place) { output in
      if case .gesture(let gesture) = output, gesture.phase == .began, held.fail() != nil {
        emit(.gesture(end))
      }
      emit(output)
    }
    hold = held
  }

  /// Lets time pass up to `time`.
  public mutating func advance(to time: EventTime, emit: (RecognizerOutput) -> Void) {
    guard let due = hold.deadline, due <= time, let action = hold.advance(to: time) else { return }
    perform(action, at: due, emit: emit)
  }

  /// A key was typed beside the fingers: what lies still on the pad meanwhile neither taps nor holds.
  public mutating func keyTyped(at time: EventTime, emit: (RecognizerOutput) -> Void) {
    look(at: time)
    taps.spoil(.typing)
    perform(hold.fail(), at: time, emit: emit)
  }

  /// The stream broke or the device is gone: what was begun is cancelled.
  public mutating func cancel(at time: EventTime, emit: (RecognizerOutput) -> Void) {
    look(at: time)
    arbiter.cancel(in: place, emit: emit)
    perform(hold.fail(), at: time, emit: emit)
    taps.cancel()
    hand = Hand()
    place.isAfterTap = false
    heldFingers = 0
  }

  /// So many mm from one frame to the next are too many: the slower the pad reports, the more may be.
  private func jump(at time: EventTime) -> Double {
    configuration.motion.jump * max(1, elapsed(to: time).milliseconds / 12.5)
  }

  /// Since the last frame; nothing at the first one.
  private func elapsed(to time: EventTime) -> EventInterval {
    lastTime.map { time - $0 } ?? .zero
  }

  private mutating func look(at time: EventTime) {
    place.time = time
    place.mayTap = taps.mayTap(at: time)
  }

  private mutating func landed(at time: EventTime, emit: (RecognizerOutput) -> Void) {
    // A thumb that rested before the others landed is no part of their tap.
    if hand.allLanded(at: time) { taps.restart() }
    place.isAfterTap = false
    if hand.count == 1, let last = taps.lastSingle {
      place.isAfterTap =
        (time - last.time).milliseconds <= configuration.tapDrag.window
        && (hand.middle - last.place).length <= configuration.tap.distance
    }
    // Fingers beside a palm that are counted but not shown are none.
    if hand.count > 0 {
      taps.landed(count: hand.count, place: hand.middle, centroid: hand.centroid, at: time)
    }
    if let quietUntil, time < quietUntil { taps.spoil(.bounced) }
    place.mayTap = taps.mayTap(at: time)
    arbiter.landed(&hand, in: place, emit: emit)
  }

  private mutating func lifted(
    _ before: Hand, at time: EventTime, emit: (RecognizerOutput) -> Void
  ) {
    arbiter.lifted(&hand, in: place, emit: emit)
    if arbiter.hasDecided {
      taps.spoil(.gesture)
      quietUntil = time + .milliseconds(configuration.tap.quiet)
    }
    place.isAfterTap = false
    let landed = before.firstLanded(notIn: hand) ?? time
    guard let tap = taps.lifted(remaining: hand.count, landed: landed, at: time) else { return }
    var event = GestureEvent(
      time: time, device: place.device, kind: .tap, phase: .recognized, fingers: tap.fingers)
    event.count = tap.count
    event.centroid = tap.centroid
    let evidence = Evidence(
      kind: .tap, measured: tap.contact.milliseconds, required: configuration.tap.duration,
      isLimit: true)
    emit(.decision(decision(.tap, .tap, evidence, before, fingers: tap.fingers, at: time)))
    emit(.gesture(event))
  }

  // MARK: Holds

  private mutating func watchHold(
    isChanged: Bool, at time: EventTime, emit: (RecognizerOutput) -> Void
  ) {
    let isIdle = arbiter.isActive || hand.isThumbAlone(configuration.thumb, height: place.size.y)
    let fingers = isIdle ? 0 : hand.count
    if isChanged || fingers != heldFingers {
      heldFingers = fingers
      perform(hold.fingersChanged(to: fingers, at: time), at: time, emit: emit)
    } else {
      perform(hold.moved(by: hand.farthestSinceStart), at: time, emit: emit)
    }
  }

  private mutating func perform(
    _ action: HoldMachine.Action?, at time: EventTime, emit: (RecognizerOutput) -> Void
  ) {
    switch action {
    case nil: return
    case .began(let fingers):
      // time that passes between frames makes holds too
      isExplained = true
      let limit = hold.duration(of: fingers)
      let evidence = Evidence(kind: .hold, measured: limit, required: limit)
      emit(.decision(decision(.hold, .hold, evidence, hand, fingers: fingers, at: time)))
      heldCentroid = hand.centroid
      report(.began, fingers, at: time, emit: emit)
    case .ended(let fingers): report(.ended, fingers, at: time, emit: emit)
    case .cancelled(let fingers): report(.cancelled, fingers, at: time, emit: emit)
    }
  }

  private func report(
    _ phase: GesturePhase, _ fingers: Int, at time: EventTime, emit: (RecognizerOutput) -> Void
  ) {
    emit(.gesture(holdEvent(phase, fingers, at: time)))
  }

  private func holdEvent(_ phase: GesturePhase, _ fingers: Int, at time: EventTime) -> GestureEvent
  {
    var event = GestureEvent(
      time: time, device: place.device, kind: .hold, phase: phase, fingers: fingers)
    event.centroid = heldCentroid
    return event
  }

  /// All fingers have left without a decision: one that pointed, fingers that drummed, a contact too long for a tap.
  private func nothing(_ before: Hand, at time: EventTime) -> Decision {
    let contact = Evidence(
      kind: .tap, measured: (time - stretchBegan).milliseconds,
      required: configuration.tap.duration, isLimit: true)
    return decision(nil, .nothing, contact, before, fingers: before.count, at: time)
  }

  /// A decision by time and stillness, with the motion there was beside it.
  private func decision(
    _ outcome: GestureKind?, _ rule: DecisionRule, _ still: Evidence, _ hand: Hand, fingers: Int,
    at time: EventTime
  ) -> Decision {
    let weighing = Weighing(hand, configuration)
    return Decision(
      time: time, device: place.device, landed: stretchBegan, onset: nil, fingers: fingers,
      outcome: outcome, rule: rule, drag: weighing.drag, pinch: weighing.pinch,
      rotate: weighing.rotate, still: still, tapFault: outcome == .tap ? nil : taps.fault,
      travel: hand.travels(from: \.landing), jitter: hand.jitter)
  }
}

extension TouchFrame {
  /// Whether a touch of this frame ended because its stream broke.
  var hasCancelled: Bool {
    touches.firstIndex { $0.phase == .cancelled } != nil
  }
}
