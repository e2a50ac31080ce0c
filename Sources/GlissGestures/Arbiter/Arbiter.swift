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
    _ hand: inout Hand, in place: Surroundings, into outputs: inout RecognizerOutputs
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
    _ hand: inout Hand, in place: Surroundings, into outputs: inout RecognizerOutputs
  ) {
    switch state {
    case .active(var gesture, _):
      gesture.fold()
      hand.rebase()
      state = .active(gesture, correctableUntil: nil)
    case .watching(let watch):
      decideFlick(hand, watch, in: place, into: &outputs)
    case .idle: break
    }
  }

  /// Fingers have lifted; `hand` has what is left.
  mutating func lifted(
    _ hand: inout Hand, in place: Surroundings, into outputs: inout RecognizerOutputs
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
      finish(.ended, in: place, into: &outputs)
      leave(hand, at: place.time)
    case .watching:
      hand.restart()
      leave(hand, at: place.time)
    case .idle: hand.restart()
    }
  }

  /// The stream broke or the device is gone.
  mutating func cancel(in place: Surroundings, into outputs: inout RecognizerOutputs) {
    finish(.cancelled, in: place, into: &outputs)
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
    _ phase: GesturePhase, in place: Surroundings, into outputs: inout RecognizerOutputs
  ) {
    guard case .active(let gesture, _) = state else { return }
    report(gesture, phase, in: place, into: &outputs)
    state = .idle
  }

  // MARK: Fingers move

  /// The fingers have moved, or time has passed.
  mutating func moved(
    _ hand: inout Hand, in place: Surroundings, into outputs: inout RecognizerOutputs
  ) {
    switch state {
    case .idle: break
    case .watching(var watch):
      let isSettled = watch.wait(&hand, configuration, at: place.time)
      decide(&hand, &watch, isSettled: isSettled, in: place, into: &outputs)
    case .active(let gesture, _) where hand.count < gesture.fewestFingers:
      // Nobody has lifted: what made the gesture turned out to be palms.
      finish(.cancelled, in: place, into: &outputs)
      leave(hand, at: place.time)
    case .active(var gesture, let until):
      let mayCorrect = until.map { place.time <= $0 } ?? false
      let fit = mayCorrect ? nil : Similarity(of: hand, isBox: hand.isBoundingBox)
      let weighing = mayCorrect ? weigh(hand, in: place) : nil
      let moved = gesture.update(weighing?.fit ?? fit ?? Similarity(), hand, at: place.time)
      if let weighing, correct(gesture, weighing, &hand, in: place, into: &outputs) { return }
      state = .active(gesture, correctableUntil: mayCorrect ? until : nil)
      if moved { report(gesture, .changed, in: place, into: &outputs) }
    }
  }

  /// A finger that rested takes part, or one that took part rests.
  mutating func regrouped(
    _ hand: inout Hand, in place: Surroundings, into outputs: inout RecognizerOutputs
  ) {
    switch state {
    case .idle:
      // Who has just been thought to rest is not at once what moves.
      if hand.count >= 2 {
        watch(hand, from: place.time, grace: configuration.lift.grace, isAfterLift: true)
      }
    case .watching(let watch):
      guard hand.count < 2 else { return }
      explain(weigh(hand, in: place), nil, .resting, hand, watch, in: place, into: &outputs)
      state = .idle
    case .active(var gesture, _):
      // With too few left it is cancelled as soon as they move.
      if hand.count >= gesture.fewestFingers { join(&gesture, &hand, in: place, into: &outputs) }
    }
  }

  /// A newcomer moves with the others: pinches, rotations and swipes take it in, a drag becomes something else.
  private mutating func join(
    _ gesture: inout ActiveGesture, _ hand: inout Hand, in place: Surroundings,
    into outputs: inout RecognizerOutputs
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
      finish(phase, in: place, into: &outputs)
      watch(hand, from: place.time, grace: 0)
    }
  }

  // MARK: Decisions

  /// What the fingers would be if they could not be late any more.
  private func weigh(_ hand: Hand, in place: Surroundings) -> Weighing {
    Weighing(hand, configuration, size: place.size, past: .infinity)
  }

  /// Decides what the fingers mean, if their lead says so and nothing else is to be waited for.
  private mutating func decide(
    _ hand: inout Hand, _ watch: inout Watch, isSettled: Bool, in place: Surroundings,
    into outputs: inout RecognizerOutputs
  ) {
    state = .watching(watch)
    while hand.count >= 2 {
      let past = watch.past(configuration.late.time)
      let weighing = Weighing(hand, configuration, size: place.size, past: past)
      switch weighing.judge(configuration, patience: configuration.lead.patience) {
      case .open: return
      case .rests(let index):
        hand.fingers[index].isResting = true
        guard hand.count < 2 else { continue }
        explain(weighing, nil, .resting, hand, watch, in: place, into: &outputs)
        state = .idle
        return
      case .motion(let kind, let rule):
        if let wait = watch.wait(hand, configuration, isSettled: isSettled, mayTap: place.mayTap) {
          watch.waited = wait
          state = .watching(watch)
          return
        }
        return begin(kind, rule, weighing, &hand, watch, in: place, into: &outputs)
      }
    }
    if isSettled { decideOneFinger(&hand, watch, in: place, into: &outputs) }
  }

  /// One finger makes a gesture only right after a tap, or over an edge.
  private mutating func decideOneFinger(
    _ hand: inout Hand, _ watch: Watch, in place: Surroundings,
    into outputs: inout RecognizerOutputs
  ) {
    guard hand.count == 1 else { return }
    let weighing = weigh(hand, in: place)
    if place.isAfterTap && weighing.fit.travelTogether >= configuration.tapDrag.travel {
      begin(.drag, .afterTap, weighing, &hand, watch, in: place, into: &outputs)
    } else if hand.fingers.count == 1,
      hand.farthestSinceLanding >= configuration.edgeSwipe.travel,
      edge(hand, weighing.fit.translation, in: place) != nil
    {
      begin(.edgeSwipe, .edge, weighing, &hand, watch, in: place, into: &outputs)
    }
  }

  /// Fingers leave before they were decided: far enough together, and they flicked.
  private mutating func decideFlick(
    _ hand: Hand, _ watch: Watch, in place: Surroundings, into outputs: inout RecognizerOutputs
  ) {
    guard hand.count >= 2, !watch.isClicked, !watch.isAfterLift else { return }
    var hand = hand
    for index in hand.fingers.indices { hand.fingers[index].baseline = hand.fingers[index].start }
    let flick = configuration.lift.flickTravel
    while true {
      let weighing = weigh(hand, in: place)
      switch weighing.judge(configuration, patience: 2 * flick) {
      case .motion(let kind, _) where weighing.farthest >= flick:
        return begin(kind, .lift, weighing, &hand, watch, in: place, into: &outputs)
      case .rests(let index) where hand.count > 2:
        hand.fingers[index].isResting = true
        continue
      case .open, .motion, .rests:
        guard watch.onset != nil && !place.mayTap else { return }
        return explain(weighing, nil, .nothing, hand, watch, in: place, into: &outputs)
      }
    }
  }

  private mutating func begin(
    _ decided: GestureKind, _ rule: DecisionRule, _ weighing: Weighing,
    _ hand: inout Hand, _ watch: Watch, in place: Surroundings,
    into outputs: inout RecognizerOutputs
  ) {
    var (kind, rule) = (decided, rule)
    var edge: Edge?
    if decided == .drag || decided == .swipe || decided == .edgeSwipe,
      let entered = self.edge(hand, weighing.fit.translation, in: place)
    {
      (kind, rule, edge) = (.edgeSwipe, .edge, entered)
    }
    explain(weighing, kind, rule, hand, watch, in: place, into: &outputs)
    var gesture = ActiveGesture(
      kind: kind, began: place.time, fingers: hand.count, edge: edge,
      isAfterTap: rule == .afterTap, centroid: hand.centroid, velocity: watch.velocity,
      origin: hand.middle - weighing.fit.translation)
    report(gesture, .began, in: place, into: &outputs)
    let moved = gesture.update(weighing.fit, hand, at: place.time)
    if moved { report(gesture, .changed, in: place, into: &outputs) }
    hasDecided = true
    hand.noteGesture()
    let until = place.time + .milliseconds(configuration.correction.window)
    state = .active(gesture, correctableUntil: kind == .edgeSwipe ? nil : until)
  }

  /// Within the window, another kind that clearly beats the decided one takes its place: the old one is
  /// cancelled, the new one begins.
  private mutating func correct(
    _ gesture: ActiveGesture, _ weighing: Weighing, _ hand: inout Hand, in place: Surroundings,
    into outputs: inout RecognizerOutputs
  ) -> Bool {
    let correction = configuration.correction
    guard hand.count >= 2, weighing.farthest <= correction.travel else { return false }
    let better = weighing.cheapest
    guard let kind = better.kind, kind != gesture.kind else { return false }
    let advantage = weighing.cost(of: gesture.kind) - better.cost
    guard advantage >= correction.lead + correction.share * weighing.farthest else { return false }
    finish(.cancelled, in: place, into: &outputs)
    var watch = Watch(
      since: gesture.began, settledAt: gesture.began, decidesAt: gesture.began,
      velocityWindow: .milliseconds(configuration.drag.velocityWindow))
    watch.velocity = gesture.velocity
    begin(kind, .correction, weighing, &hand, watch, in: place, into: &outputs)
    if case .active(let corrected, _) = state {
      state = .active(corrected, correctableUntil: nil)
    }
    return true
  }

  // MARK: Reports

  /// Reports why: the numbers of the weighing that decided, as they were.
  private func explain(
    _ weighing: Weighing, _ outcome: GestureKind?, _ rule: DecisionRule, _ hand: Hand,
    _ watch: Watch, in place: Surroundings, into outputs: inout RecognizerOutputs
  ) {
    var decision = Decision(
      time: place.time, device: place.device, landed: watch.since, fingers: hand.count,
      outcome: outcome, rule: rule, weighing: weighing, configuration, jitter: hand.jitter,
      travel: hand.travels(from: \.baseline))
    decision.onset = watch.onset
    decision.waited = watch.waited
    outputs.append(.decision(decision))
  }

  private func report(
    _ gesture: ActiveGesture, _ phase: GesturePhase, in place: Surroundings,
    into outputs: inout RecognizerOutputs
  ) {
    outputs.append(
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
