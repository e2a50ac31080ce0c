import GlissEvents

/// Decides what moving fingers mean, once, and follows the gesture to its end.
struct Arbiter {
  /// What lies around the fingers when something is asked of the arbiter.
  struct Surroundings {
    var time = EventTime.zero
    let device: DeviceID
    /// Of the pad, in mm.
    let size: Vector2
    /// A single finger has just come back after a tap.
    var isAfterTap = false
    /// The fingers may still turn out to tap: small motion may be a slide.
    var mayTap = false

    init(device: DeviceID, size: Vector2) {
      self.device = device
      self.size = size
    }
  }

  enum State {
    /// No finger that takes part, or fingers that have had their gesture.
    case idle
    /// Fingers are down and nothing is decided.
    case watching(Watch)
    case active(ActiveGesture, correctableUntil: EventTime?)
  }

  private(set) var state = State.idle
  private let configuration: GestureConfiguration

  init(_ configuration: GestureConfiguration) { self.configuration = configuration }

  var isActive: Bool {
    switch state {
    case .active: true
    case .idle, .watching: false
    }
  }

  /// Whether the fingers that are leaving, or have left, made a gesture.
  private(set) var hasDecided = false

  // MARK: Fingers come and go

  /// Fingers have landed; `hand` has them already.
  mutating func landed(
    _ hand: inout Hand, in place: Surroundings, emit: (RecognizerOutput) -> Void
  ) {
    switch state {
    case .active(var gesture, _):
      // Newcomers join when they move with the others; until then the gesture is those who made it.
      for index in hand.fingers.indices where hand.fingers[index].landed == place.time {
        hand.fingers[index].isResting = true
      }
      _ = gesture.update(Similarity(of: hand), hand, at: place.time)
      gesture.fold()
      hand.restart()
      state = .active(gesture, correctableUntil: nil)
    case .idle, .watching:
      hasDecided = false
      hand.restart()
      watch(hand, from: place.time, grace: configuration.landing.grace)
    }
  }

  /// Fingers are about to lift; `hand` still has them, where they were.
  mutating func willLift(
    _ hand: inout Hand, in place: Surroundings, emit: (RecognizerOutput) -> Void
  ) {
    switch state {
    case .active(var gesture, _):
      gesture.fold()
      hand.rebase()
      state = .active(gesture, correctableUntil: nil)
    case .watching(let watch):
      decideFlick(hand, watch, in: place, emit: emit)
    case .idle: break
    }
  }

  /// Fingers have lifted; `hand` has what is left.
  mutating func lifted(
    _ hand: inout Hand, in place: Surroundings, emit: (RecognizerOutput) -> Void
  ) {
    switch state {
    case .active(var gesture, _):
      // Who lands in the frame in which another lifts has not made the gesture.
      let newcomers = hand.landed(at: place.time)
      let remaining = hand.count - newcomers
      // What the others did in this frame counts; what the lifted one did in its last does not.
      if remaining > 0 && newcomers == 0 {
        _ = gesture.update(Similarity(of: hand), hand, at: place.time)
      }
      gesture.fold()
      state = .active(gesture, correctableUntil: nil)
      hand.restart()
      if remaining >= gesture.fewestFingers { return }
      finish(.ended, in: place, emit: emit)
      leave(hand, at: place.time)
    case .watching:
      hand.restart()
      leave(hand, at: place.time)
    case .idle: hand.restart()
    }
  }

  /// The stream broke or the device is gone.
  mutating func cancel(in place: Surroundings, emit: (RecognizerOutput) -> Void) {
    finish(.cancelled, in: place, emit: emit)
    state = .idle
  }

  /// What is left of a hand decides nothing until it has come to rest, or more fingers land.
  private mutating func leave(_ hand: Hand, at time: EventTime) {
    if hand.count < 2 {
      state = .idle
    } else {
      watch(hand, from: time, grace: configuration.lift.grace, isAfterLift: true)
    }
  }

  private mutating func watch(
    _ hand: Hand, from time: EventTime, grace: Double, isAfterLift: Bool = false
  ) {
    guard hand.count > 0 else {
      state = .idle
      return
    }
    state = .watching(
      Watch(
        since: time, settledAt: time + .milliseconds(configuration.landing.settle),
        decidesAt: time + .milliseconds(grace), isButtonDown: hand.isButtonDown,
        isAfterLift: isAfterLift,
        velocityWindow: .milliseconds(configuration.drag.velocityWindow)))
  }

  /// The last event of the gesture under way, if there is one.
  private mutating func finish(
    _ phase: GesturePhase, in place: Surroundings, emit: (RecognizerOutput) -> Void
  ) {
    guard case .active(let gesture, _) = state else { return }
    report(gesture, phase, in: place, emit: emit)
    state = .idle
  }

  // MARK: Fingers move

  /// The fingers have moved, or time has passed.
  mutating func moved(
    _ hand: inout Hand, in place: Surroundings, emit: (RecognizerOutput) -> Void
  ) {
    switch state {
    case .idle: break
    case .watching(var watch):
      if watch.wait(&hand, configuration, at: place.time) {
        decide(&hand, watch, in: place, emit: emit)
        if case .watching = state { state = .watching(watch) }
      } else {
        state = .watching(watch)
      }
    case .active(let gesture, _) where hand.count < gesture.fewestFingers:
      // Nobody has lifted: what made the gesture turned out to be palms.
      finish(.cancelled, in: place, emit: emit)
      leave(hand, at: place.time)
    case .active(var gesture, let until):
      let weighing = Weighing(hand, configuration)
      let moved = gesture.update(weighing.fit, hand, at: place.time)
      if let until, place.time <= until, correct(gesture, weighing, &hand, in: place, emit: emit) {
        return
      }
      state = .active(gesture, correctableUntil: until)
      if moved { report(gesture, .changed, in: place, emit: emit) }
    }
  }

  /// A finger that rested takes part, or one that took part rests.
  mutating func regrouped(
    _ hand: inout Hand, in place: Surroundings, emit: (RecognizerOutput) -> Void
  ) {
    switch state {
    case .idle:
      // Who has just been thought to rest is not at once what moves.
      if hand.count >= 2 {
        watch(hand, from: place.time, grace: configuration.lift.grace, isAfterLift: true)
      }
    case .watching(let watch):
      guard hand.count < 2 else { return }
      let weighing = Weighing(hand, configuration)
      emitDecision(weighing, nil, .restingThumb, hand, watch, in: place, emit: emit)
      state = .idle
    case .active(var gesture, _):
      // With too few left it is cancelled as soon as they move.
      if hand.count >= gesture.fewestFingers { join(&gesture, &hand, in: place, emit: emit) }
    }
  }

  /// A newcomer moves with the others: pinches, rotations and swipes take it in, a drag becomes something else.
  private mutating func join(
    _ gesture: inout ActiveGesture, _ hand: inout Hand, in place: Surroundings,
    emit: (RecognizerOutput) -> Void
  ) {
    switch gesture.kind {
    case .pinch, .rotate, .swipe:
      gesture.fold()
      hand.rebase()
      state = .active(gesture, correctableUntil: nil)
    case .drag, .edgeSwipe, .tap, .hold:
      let age = (place.time - gesture.began).milliseconds
      let phase: GesturePhase = age <= 2 * configuration.correction.window ? .cancelled : .ended
      // The fingers are still down: nothing glides on.
      gesture.stop()
      state = .active(gesture, correctableUntil: nil)
      finish(phase, in: place, emit: emit)
      watch(hand, from: place.time, grace: 0)
    }
  }

  // MARK: Decisions

  private mutating func decide(
    _ hand: inout Hand, _ watch: Watch, in place: Surroundings, emit: (RecognizerOutput) -> Void
  ) {
    if hand.count < 2 { return decideOneFinger(&hand, watch, in: place, emit: emit) }
    if place.mayTap && !watch.outruns(configuration.tap, hand) { return }
    if watch.isClicked && hand.farthest < configuration.click.travel { return }
    var weighing = Weighing(hand, configuration)
    weighing.judge(hand, configuration, moving: place.time - (watch.onset ?? place.time))
    switch weighing.verdict {
    case .open: break
    case .rest:
      hand.restStillFingers(configuration.motion)
      regrouped(&hand, in: place, emit: emit)
    case .motion(let kind, let rule):
      begin(kind, rule, weighing, &hand, watch, in: place, emit: emit)
    }
  }

  /// One finger makes a gesture only right after a tap, or over an edge.
  private mutating func decideOneFinger(
    _ hand: inout Hand, _ watch: Watch, in place: Surroundings, emit: (RecognizerOutput) -> Void
  ) {
    guard hand.count == 1 else { return }
    let weighing = Weighing(hand, configuration)
    if place.isAfterTap && weighing.fit.travelTogether >= configuration.tapDrag.travel {
      begin(.drag, .afterTap, weighing, &hand, watch, in: place, emit: emit)
    } else if hand.fingers.count == 1,
      hand.farthestSinceLanding >= configuration.edgeSwipe.travel,
      edge(hand, weighing.fit.translation, in: place) != nil
    {
      begin(.edgeSwipe, .edge, weighing, &hand, watch, in: place, emit: emit)
    }
  }

  /// Fingers leave before they were decided: far enough together, and they flicked.
  private mutating func decideFlick(
    _ hand: Hand, _ watch: Watch, in place: Surroundings, emit: (RecognizerOutput) -> Void
  ) {
    guard hand.count >= 2, !watch.isClicked, !watch.isAfterLift else { return }
    var hand = hand
    for index in hand.fingers.indices { hand.fingers[index].baseline = hand.fingers[index].start }
    let weighing = Weighing(hand, configuration)
    let farthest = hand.farthest
    let still = hand.stillFingers(configuration.motion, farthest: farthest)
    guard farthest >= configuration.lift.flickTravel, still.count == 0,
      (place.time - watch.since).milliseconds <= configuration.tap.duration
    else {
      if watch.onset != nil && !place.mayTap {
        emitDecision(weighing, nil, .nothing, hand, watch, in: place, emit: emit)
      }
      return
    }
    begin(weighing.longest.kind, .lift, weighing, &hand, watch, in: place, emit: emit)
  }

  private mutating func begin(
    _ decided: GestureKind, _ rule: DecisionRule, _ weighing: Weighing,
    _ hand: inout Hand, _ watch: Watch, in place: Surroundings, emit: (RecognizerOutput) -> Void
  ) {
    var (kind, rule) = (decided, rule)
    var edge: Edge?
    if decided == .drag || decided == .swipe || decided == .edgeSwipe,
      let entered = self.edge(hand, weighing.fit.translation, in: place)
    {
      (kind, rule, edge) = (.edgeSwipe, .edge, entered)
    }
    emitDecision(weighing, kind, rule, hand, watch, in: place, emit: emit)
    var gesture = ActiveGesture(
      kind: kind, began: place.time, fingers: hand.count, edge: edge,
      isAfterTap: rule == .afterTap, centroid: hand.centroid, velocity: watch.velocity,
      origin: hand.middle - weighing.fit.translation)
    report(gesture, .began, in: place, emit: emit)
    let moved = gesture.update(weighing.fit, hand, at: place.time)
    if moved { report(gesture, .changed, in: place, emit: emit) }
    hasDecided = true
    hand.noteGesture()
    let until = place.time + .milliseconds(configuration.correction.window)
    state = .active(gesture, correctableUntil: kind == .edgeSwipe ? nil : until)
  }

  /// Within the window, another kind that clearly beats the decided one takes its place: the old one is
  /// cancelled, the new one begins.
  private mutating func correct(
    _ gesture: ActiveGesture, _ weighing: Weighing, _ hand: inout Hand, in place: Surroundings,
    emit: (RecognizerOutput) -> Void
  ) -> Bool {
    let correction = configuration.correction
    guard hand.count >= 2, hand.farthest <= correction.travel else { return false }
    let better = weighing.strongest
    guard better.kind != gesture.kind, better.isMet else { return false }
    let own = weighing.evidence(for: gesture.kind)
    guard better.measured >= correction.dominance * own else { return false }
    finish(.cancelled, in: place, emit: emit)
    var watch = Watch(
      since: gesture.began, settledAt: gesture.began, decidesAt: gesture.began,
      velocityWindow: .milliseconds(configuration.drag.velocityWindow))
    watch.velocity = gesture.velocity
    begin(better.kind, .correction, weighing, &hand, watch, in: place, emit: emit)
    if case .active(let corrected, _) = state {
      state = .active(corrected, correctableUntil: nil)
    }
    return true
  }

  // MARK: Reports

  /// Tells why: the numbers of the weighing that decided, as they were.
  private func emitDecision(
    _ weighing: Weighing, _ outcome: GestureKind?, _ rule: DecisionRule, _ hand: Hand,
    _ watch: Watch, in place: Surroundings, emit: (RecognizerOutput) -> Void
  ) {
    emit(
      .decision(
        Decision(
          time: place.time, device: place.device, landed: watch.since, onset: watch.onset,
          fingers: hand.count, outcome: outcome, rule: rule, drag: weighing.drag,
          pinch: weighing.pinch, rotate: weighing.rotate, still: nil, tapFault: nil,
          travel: hand.travels(from: \.baseline), jitter: hand.jitter)))
  }

  private func report(
    _ gesture: ActiveGesture, _ phase: GesturePhase, in place: Surroundings,
    emit: (RecognizerOutput) -> Void
  ) {
    emit(
      .gesture(
        gesture.event(
          phase, at: place.time, device: place.device, gain: configuration.drag.gain)))
  }

  /// The edge all fingers came in over, if they did: landed on it, moved inward, at once.
  private func edge(_ hand: Hand, _ motion: Vector2, in place: Surroundings) -> Edge? {
    guard hand.count <= 3 else { return nil }
    for edge in Edge.allCases where edge.isInward(motion) {
      if hand.crossed(edge, of: place.size, configuration.edgeSwipe, at: place.time) { return edge }
    }
    return nil
  }
}
