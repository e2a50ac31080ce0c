import GlissEvents

/// Decides once what moving fingers mean, by a ``Weighing``, and follows that gesture to its end.
struct Arbiter {
  /// How late a resting thumb may join the fingers, in ms.
  private static let thumbLag = 30.0
  /// Once two fingers with one contact have travelled this far, in mm, they do move together: a
  /// pinch moves their middle less.
  private static let mergedTravel = 4.0

  enum State {
    /// No finger takes part, or the fingers have already made their gesture.
    case idle
    /// Fingers are down and nothing is decided.
    case watching(Watch)
    case active(ActiveGesture, ActiveGesture.Course)
  }

  private(set) var state = State.idle
  private let configuration: GestureConfiguration

  init(_ configuration: GestureConfiguration) { self.configuration = configuration }

  var isActive: Bool { if case .active = state { true } else { false } }

  /// What an active gesture that pauses waits for.
  private(set) var lost = LostContacts()

  /// When the pause ends; `nil` without one.
  var pauseEnds: EventTime? { if case .active(_, .paused) = state { lost.end } else { nil } }

  /// Whether the fingers that are leaving, or have left, made a gesture.
  private(set) var hasDecided = false

  // MARK: Fingers come and go

  /// Fingers have landed; `hand` already contains them.
  mutating func landed(
    _ hand: inout Hand, in place: FrameContext, into outputs: inout RecognizerOutputs
  ) {
    if case .active(let gesture, .paused) = state {
      if lost.contain(hand, at: place.time) { return resume(gesture, &hand, at: place.time) }
      // another finger ends the gesture
      end(.ended, hand, in: place, into: &outputs)
    }
    switch state {
    case .active(var gesture, _):
      // New fingers join when they move with the others.
      follow(&gesture, &hand, at: place.time)
      state = .active(gesture, .settled)
    case .idle, .watching:
      hand.restart()
      hasDecided = false
      watch(hand, from: place.time, grace: configuration.landing.grace)
    }
  }

  /// Adds the motion of the fingers that were down before this frame; new ones rest.
  private func follow(_ gesture: inout ActiveGesture, _ hand: inout Hand, at time: EventTime) {
    for index in hand.fingers.indices where hand.fingers[index].landed == time {
      hand.fingers[index].isResting = true
    }
    _ = gesture.update(Similarity(of: hand), hand, at: time)
    gesture.fold()
    hand.restart()
  }

  /// A lost contact is back, so its finger is still a part of the gesture.
  private mutating func resume(_ paused: ActiveGesture, _ hand: inout Hand, at time: EventTime) {
    var gesture = paused
    if gesture.isAroundCentre {
      hand.continueMotion(of: lost, at: time)
      _ = gesture.update(Similarity(of: hand), hand, at: time)
      gesture.fold()
      hand.restart()
    } else {
      follow(&gesture, &hand, at: time)
      for index in hand.fingers.indices where hand.fingers[index].landed == time {
        hand.fingers[index].isResting = false
      }
    }
    let isWhole = hand.count >= gesture.fewestFingers
    state = .active(gesture, isWhole ? lost.course : .paused)
    if isWhole { lost = LostContacts() }
  }

  /// A contact that has not come back by now was a finger that lifted.
  mutating func endPause(
    _ hand: inout Hand, in place: FrameContext, into outputs: inout RecognizerOutputs
  ) {
    guard case .active(_, .paused) = state else { return }
    hand.restart()
    end(.ended, hand, in: place, into: &outputs)
  }

  /// Fingers are about to lift; `hand` still contains them at their last position.
  mutating func willLift(
    _ hand: inout Hand, in place: FrameContext, into outputs: inout RecognizerOutputs
  ) {
    if case .watching(let watch) = state, !place.isGraze {
      decideFlick(&hand, watch, in: place, into: &outputs)
    }
    if case .active(var gesture, let course) = state {
      if case .paused = course { return }
      gesture.fold()
      hand.rebase()
      state = .active(gesture, course)
    }
  }

  /// Fingers have lifted; `hand` contains the remaining ones, `before` all of them.
  mutating func lifted(
    _ hand: inout Hand, from before: Hand, in place: FrameContext,
    into outputs: inout RecognizerOutputs
  ) {
    // A finger that lands as another lifts is not part of the gesture.
    let newcomers = hand.landed(at: place.time)
    let remaining = hand.count - newcomers
    switch state {
    case .active(let gesture, .paused):
      lost.add(before, hand, began: gesture.began, lost.course, in: place)
      if remaining == 0 { end(hand, in: place, into: &outputs) }
    case .active(var gesture, let course):
      // The remaining fingers' motion in this frame counts; the lifted finger's last step does not.
      if remaining >= (gesture.isAroundCentre ? 2 : 1) && newcomers == 0 {
        _ = gesture.update(Similarity(of: hand), hand, at: place.time)
      }
      gesture.fold()
      state = .active(gesture, .settled)
      // the motion around a centre goes on from the last frame if the contact comes back
      if remaining != 1 || !gesture.isAroundCentre { hand.restart() }
      lost.add(before, hand, began: gesture.began, course, in: place)
      if remaining >= gesture.fewestFingers { return }
      if remaining > 0 {
        state = .active(gesture, .paused)
      } else {
        end(hand, in: place, into: &outputs)
      }
    case .watching where place.isGraze && hand.count >= 2:
      // as if it had never been there, but for the motion before it
      watch(hand, from: place.time, grace: 0)
    case .watching:
      hand.restart()
      leave(hand, at: place.time)
    case .idle: hand.restart()
    }
  }

  /// The fingers of a gesture have lifted. If they only slid, and none stays, they may tap.
  private mutating func end(
    _ hand: Hand, in place: FrameContext, into outputs: inout RecognizerOutputs
  ) {
    let isSlide = lost.maySlide && hand.count == 0
    if isSlide { hasDecided = false }
    end(isSlide ? .cancelled : .ended, hand, in: place, into: &outputs)
  }

  /// A gesture ends with the velocity that it had when its contacts were lost.
  private mutating func end(
    _ phase: GesturePhase, _ hand: Hand, in place: FrameContext,
    into outputs: inout RecognizerOutputs
  ) {
    guard case .active(let gesture, _) = state else { return }
    var event = gesture.event(
      phase, at: lost.since, device: place.device, gain: configuration.drag.gain)
    event.time = place.time
    outputs.append(.gesture(event))
    let lifted = lost.since
    (state, lost) = (.idle, LostContacts())
    leave(hand, at: lifted)
  }

  /// The stream broke or the device is gone.
  mutating func cancel(in place: FrameContext, into outputs: inout RecognizerOutputs) {
    if case .active(_, .paused) = state { end(.ended, Hand(), in: place, into: &outputs) }
    finish(.cancelled, in: place, into: &outputs)
    (state, lost) = (.idle, LostContacts())
  }

  /// Remaining fingers decide nothing until they have come to rest or more fingers land.
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

  /// Reports the last event of the active gesture, if there is one.
  private mutating func finish(
    _ phase: GesturePhase, in place: FrameContext, into outputs: inout RecognizerOutputs
  ) {
    guard case .active(let gesture, _) = state else { return }
    report(gesture, phase, in: place, into: &outputs)
    state = .idle
  }

  // MARK: Fingers move

  /// The fingers have moved, or time has passed.
  mutating func moved(
    _ hand: inout Hand, in place: FrameContext, into outputs: inout RecognizerOutputs
  ) {
    switch state {
    case .idle: break
    case .watching(var watch):
      let isSettled = watch.wait(&hand, configuration, at: place.time)
      decide(&hand, &watch, isSettled: isSettled, in: place, into: &outputs)
    case .active(let gesture, let course) where hand.count < gesture.fewestFingers:
      switch course {  // its fingers lifted, or turned out to be palms
      case .paused: if hand.count == 0 { end(.ended, hand, in: place, into: &outputs) }
      case .correctable, .settled:
        finish(.cancelled, in: place, into: &outputs)
        leave(hand, at: place.time)
      }
    case .active(var gesture, let course):
      let mayCorrect = course.isCorrectable(at: place.time)
      let fit = mayCorrect ? nil : Similarity(of: hand, isBox: hand.isBoundingBox)
      let weighing = mayCorrect ? Weighing(hand, configuration, size: place.size) : nil
      let moved = gesture.update(weighing?.fit ?? fit ?? Similarity(), hand, at: place.time)
      if let weighing, correct(gesture, weighing, &hand, in: place, into: &outputs) { return }
      state = .active(gesture, mayCorrect ? course : .settled)
      if moved { report(gesture, .changed, in: place, into: &outputs) }
    }
  }

  /// A resting finger now takes part, or a finger that took part now rests.
  mutating func regrouped(
    _ hand: inout Hand, in place: FrameContext, into outputs: inout RecognizerOutputs
  ) {
    switch state {
    case .idle:
      // A finger that was just considered resting does not start a gesture at once.
      if hand.count >= 2 {
        watch(hand, from: place.time, grace: configuration.lift.grace, isAfterLift: true)
      }
    case .watching(let watch):
      guard hand.count < 2 else { return }
      explain(
        Weighing(hand, configuration, size: place.size), nil, .resting, hand, watch, in: place,
        into: &outputs)
      state = .idle
    case .active(var gesture, let course):
      // If too few are left, the gesture is cancelled as soon as they move.
      guard hand.count >= gesture.fewestFingers else { return }
      guard case .paused = course else {
        return join(&gesture, &hand, in: place, into: &outputs)
      }
      // one that the pad only counts may be back; a resting finger that moves is another one
      if hand.count > hand.tracked, lost.contain(hand, at: place.time) {
        return resume(gesture, &hand, at: place.time)
      }
      hand.restart()
      end(.ended, hand, in: place, into: &outputs)
    }
  }

  /// A new finger moves with the others: it joins a pinch, rotation or swipe, but turns a drag into
  /// something else.
  private mutating func join(
    _ gesture: inout ActiveGesture, _ hand: inout Hand, in place: FrameContext,
    into outputs: inout RecognizerOutputs
  ) {
    switch gesture.kind {
    case .pinch, .rotate, .swipe:
      gesture.fold()
      hand.rebase()
      state = .active(gesture, .settled)
    case .drag, .edgeSwipe, .tap, .hold:
      let age = (place.time - gesture.began).milliseconds
      let phase: GesturePhase = age <= 2 * configuration.correction.window ? .cancelled : .ended
      // The fingers are still down, so there is no momentum.
      gesture.stop()
      state = .active(gesture, .settled)
      finish(phase, in: place, into: &outputs)
      watch(hand, from: place.time, grace: 0)
    }
  }

  // MARK: Decisions

  /// Decides what the fingers mean, if one meaning leads and there is nothing else to wait for.
  private mutating func decide(
    _ hand: inout Hand, _ watch: inout Watch, isSettled: Bool, in place: FrameContext,
    into outputs: inout RecognizerOutputs
  ) {
    state = .watching(watch)
    // bounded, because a finger may alternate between resting and following
    for _ in 0...hand.fingers.count where hand.count >= 2 {
      let past = watch.past(configuration.late, jitter: hand.jitter)
      let weighing = Weighing(hand, configuration, size: place.size, past: past)
      switch weighing.judge(configuration, patience: configuration.lead.patience) {
      case .open: return
      case .rests(let index):
        leaveOut(index, weighing, &hand, watch, in: place, into: &outputs)
        guard hand.count < 2 else { continue }
        state = .idle
        return
      case .motion(let kind, let rule):
        let follower = hand.follower(
          configuration.thumb, reached: watch.travel(Self.thumbLag, before: place.time))
        if case .joins(let index) = follower {
          hand.wake(index)
          continue
        }
        let wait = watch.wait(hand, configuration, isSettled: isSettled, mayTap: place.mayTap)
        let isMerged =
          place.isMerged && hand.count == 2 && weighing.farthest < Self.mergedTravel
        let doubt: DecisionWait? =
          hand.isSudden ? .jump : isMerged ? .merged : follower == nil ? nil : .thumb
        if let wait = wait ?? doubt {
          watch.waited = wait
          state = .watching(watch)
          return
        }
        return begin(kind, rule, weighing, &hand, watch, in: place, into: &outputs)
      }
    }
    if isSettled { decideOneFinger(&hand, watch, in: place, into: &outputs) }
  }

  /// A single finger makes a gesture only right after a tap or over an edge.
  private mutating func decideOneFinger(
    _ hand: inout Hand, _ watch: Watch, in place: FrameContext,
    into outputs: inout RecognizerOutputs
  ) {
    guard hand.count == 1 else { return }
    let weighing = Weighing(hand, configuration, size: place.size)
    if place.isAfterTap && weighing.fit.travelTogether >= configuration.tapDrag.travel {
      begin(.drag, .afterTap, weighing, &hand, watch, in: place, into: &outputs)
    } else if hand.fingers.count == 1,
      hand.farthestSinceLanding >= configuration.edgeSwipe.travel,
      hand.edge(crossedBy: weighing.fit.translation, of: place, configuration.edgeSwipe) != nil
    {
      begin(.edgeSwipe, .edge, weighing, &hand, watch, in: place, into: &outputs)
    }
  }

  /// Fingers leave before a decision: if they moved far enough together, they made a flick.
  private mutating func decideFlick(
    _ actual: inout Hand, _ watch: Watch, in place: FrameContext,
    into outputs: inout RecognizerOutputs
  ) {
    guard actual.count >= 2, !watch.isClicked, !watch.isAfterLift else { return }
    var hand = actual
    for index in hand.fingers.indices { hand.fingers[index].baseline = hand.fingers[index].start }
    let flick = configuration.lift.flickTravel
    for _ in 0...hand.fingers.count {
      let weighing = Weighing(hand, configuration, size: place.size)
      switch weighing.judge(configuration, patience: 2 * flick) {
      case .motion(let kind, _) where weighing.farthest >= flick:
        // a thumb that stays after the fingers have left does not continue their gesture
        for index in hand.fingers.indices where hand.fingers[index].isResting {
          actual.fingers[index].isResting = true
        }
        return begin(kind, .lift, weighing, &hand, watch, in: place, into: &outputs)
      // if most fingers are hidden, a resting finger may still be the cheapest meaning
      case .rests(let index) where hand.count > 2 && !hand.fingers[index].isResting:
        hand.fingers[index].isResting = true
        continue
      case .open, .motion, .rests:
        guard watch.onset != nil && !place.mayTap else { return }
        return explain(weighing, nil, .nothing, hand, watch, in: place, into: &outputs)
      }
    }
  }

  /// Marks the finger at `index` as resting; `watch` is `nil` when fingers have just landed.
  func leaveOut(
    _ index: Int, _ weighing: Weighing, _ hand: inout Hand, _ watch: Watch? = nil,
    in place: FrameContext, into outputs: inout RecognizerOutputs
  ) {
    // on a pad full of palms, gestures need the space
    if outputs.count < 4 {
      let rested = hand.fingers.indices.prefix(index + 1).count(where: hand.takesPart)
      explain(weighing, nil, .resting, hand, watch, rested: rested, in: place, into: &outputs)
    }
    hand.fingers[index].isResting = true
  }

  private mutating func begin(
    _ decided: GestureKind, _ rule: DecisionRule, _ weighing: Weighing,
    _ hand: inout Hand, _ watch: Watch, in place: FrameContext,
    into outputs: inout RecognizerOutputs
  ) {
    var (kind, rule) = (decided, rule)
    var edge: Edge?
    if decided == .drag || decided == .swipe || decided == .edgeSwipe,
      let entered = hand.edge(
        crossedBy: weighing.fit.translation, of: place, configuration.edgeSwipe)
    {
      (kind, rule, edge) = (.edgeSwipe, .edge, entered)
    }
    explain(weighing, kind, rule, hand, watch, in: place, into: &outputs)
    var gesture = ActiveGesture(
      kind: kind, began: place.time, fingers: hand.count, edge: edge,
      isAfterTap: rule == .afterTap, velocity: watch.velocity,
      origin: hand.middle - weighing.fit.translation, centroid: hand.centroid)
    report(gesture, .began, in: place, into: &outputs)
    let moved = gesture.update(weighing.fit, hand, at: place.time)
    if moved { report(gesture, .changed, in: place, into: &outputs) }
    hasDecided = true
    hand.noteGesture()
    let until = place.time + .milliseconds(configuration.correction.window)
    state = .active(gesture, kind == .edgeSwipe ? .settled : .correctable(until: until))
  }

  /// Within the correction window, another kind that clearly beats the decided one replaces it.
  private mutating func correct(
    _ gesture: ActiveGesture, _ weighing: Weighing, _ hand: inout Hand, in place: FrameContext,
    into outputs: inout RecognizerOutputs
  ) -> Bool {
    let correction = configuration.correction
    guard hand.count >= 2, weighing.farthest <= correction.travel, !hand.isSudden else {
      return false
    }
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
      state = .active(corrected, .settled)
    }
    return true
  }

  // MARK: Reports

  /// Reports the reason for a decision, with the numbers it was based on.
  private func explain(
    _ weighing: Weighing, _ outcome: GestureKind?, _ rule: DecisionRule, _ hand: Hand,
    _ watch: Watch?, rested: Int? = nil, in place: FrameContext,
    into outputs: inout RecognizerOutputs
  ) {
    var decision = Decision(
      time: place.time, device: place.device, landed: watch?.since ?? place.time,
      fingers: hand.count, outcome: outcome, rule: rule, weighing: weighing, configuration, hand,
      travel: hand.travels(from: \.baseline))
    decision.onset = watch?.onset
    decision.rested = rested
    decision.waited = rested == nil ? watch?.waited : nil
    outputs.append(.decision(decision))
  }

  private func report(
    _ gesture: ActiveGesture, _ phase: GesturePhase, in place: FrameContext,
    into outputs: inout RecognizerOutputs
  ) {
    outputs.append(
      .gesture(
        gesture.event(
          phase, at: place.time, device: place.device, gain: configuration.drag.gain)))
  }
}
