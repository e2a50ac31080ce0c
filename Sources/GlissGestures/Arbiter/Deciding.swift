import GlissEvents

/// Decides once what moving fingers mean, by a ``Weighing``, and follows that gesture to its end.
extension GestureRecognizer {
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

  var isActive: Bool { if case .active = state { true } else { false } }

  /// When a gesture's pause ends; `nil` without one.
  var pauseEnds: EventTime? { if case .active(_, .paused) = state { lost.end } else { nil } }

  // MARK: Fingers come and go

  /// Fingers have landed; `hand` already contains them.
  mutating func landed() {
    if case .active(let gesture, .paused) = state {
      if lost.contain(hand, at: time) { return resume(gesture) }
      // another finger ends the gesture
      end(.ended)
    }
    switch state {
    case .active(var gesture, _):
      // New fingers join when they move with the others.
      follow(&gesture)
      state = .active(gesture, .settled)
    case .idle, .watching:
      hand.restart()
      hasDecided = false
      watch(from: time, grace: configuration.landing.grace)
    }
  }

  /// Adds the motion of the fingers that were down before this frame; new ones rest.
  private mutating func follow(_ gesture: inout ActiveGesture) {
    for index in hand.fingers.indices where hand.fingers[index].landed == time {
      hand.fingers[index].isResting = true
    }
    _ = gesture.update(Similarity(of: hand), hand, at: time)
    gesture.fold()
    hand.restart()
  }

  /// A lost contact is back, so its finger is still a part of the gesture.
  private mutating func resume(_ paused: ActiveGesture) {
    var gesture = paused
    if gesture.isAroundCentre {
      hand.continueMotion(of: lost, at: time)
      _ = gesture.update(Similarity(of: hand), hand, at: time)
      gesture.fold()
      hand.restart()
    } else {
      follow(&gesture)
      for index in hand.fingers.indices where hand.fingers[index].landed == time {
        hand.fingers[index].isResting = false
      }
    }
    let isWhole = hand.count >= gesture.fewestFingers
    state = .active(gesture, isWhole ? lost.course : .paused)
    if isWhole { lost = LostContacts() }
  }

  /// A contact that has not come back by now was a finger that lifted.
  mutating func endPause() {
    hand.restart()
    end(.ended)
  }

  /// Fingers are about to lift; `hand` still contains them at their last position.
  mutating func willLift() {
    if case .watching(let watch) = state, !isGraze { decideFlick(watch) }
    if case .active(var gesture, let course) = state {
      if case .paused = course { return }
      gesture.fold()
      hand.rebase()
      state = .active(gesture, course)
    }
  }

  /// Fingers have lifted; `hand` contains the remaining ones, `before` all of them.
  mutating func lifted(from before: Hand) {
    // A finger that lands as another lifts is not part of the gesture.
    let newcomers = hand.landed(at: time)
    let remaining = hand.count - newcomers
    switch state {
    case .active(let gesture, .paused):
      lost.add(before, hand, began: gesture.began, lost.course, maySlide: maySlide, at: time)
      if remaining == 0 { end() }
    case .active(var gesture, let course):
      // The remaining fingers' motion in this frame counts; the lifted finger's last step does not.
      if remaining >= (gesture.isAroundCentre ? 2 : 1) && newcomers == 0 {
        _ = gesture.update(Similarity(of: hand), hand, at: time)
      }
      gesture.fold()
      state = .active(gesture, .settled)
      // the motion around a centre goes on from the last frame if the contact comes back
      if remaining != 1 || !gesture.isAroundCentre { hand.restart() }
      lost.add(before, hand, began: gesture.began, course, maySlide: maySlide, at: time)
      if remaining >= gesture.fewestFingers { return }
      if remaining > 0 { state = .active(gesture, .paused) } else { end() }
    case .watching where isGraze && hand.count >= 2:
      // as if it had never been there, but for the motion before it
      watch(from: time, grace: 0)
    case .watching:
      hand.restart()
      leave(at: time)
    case .idle: hand.restart()
    }
  }

  /// The fingers of a gesture have lifted. If they only slid, and none stays, they may tap.
  private mutating func end() {
    let isSlide = lost.maySlide && hand.count == 0
    if isSlide { hasDecided = false }
    end(isSlide ? .cancelled : .ended)
  }

  /// A gesture ends with the velocity that it had when its contacts were lost.
  private mutating func end(_ phase: GesturePhase) {
    guard case .active(let gesture, _) = state else { return }
    let lifted = lost.since
    report(gesture, phase, asOf: lifted)
    (state, lost) = (.idle, LostContacts())
    leave(at: lifted)
  }

  /// The stream broke or the device is gone; `hand` is empty.
  mutating func cancelGesture() {
    if case .active(_, .paused) = state { end(.ended) }
    finish(.cancelled)
    (state, lost) = (.idle, LostContacts())
  }

  /// Remaining fingers decide nothing until they have come to rest or more fingers land.
  private mutating func leave(at time: EventTime) {
    state = .idle
    if hand.count >= 2 { watch(from: time, grace: configuration.lift.grace, isAfterLift: true) }
  }

  private mutating func watch(from time: EventTime, grace: Double, isAfterLift: Bool = false) {
    state = .idle
    guard hand.count > 0 else { return }
    state = .watching(
      Watch(
        since: time, grace: grace, isButtonDown: hand.isButtonDown, isAfterLift: isAfterLift,
        configuration))
  }

  /// Reports the last event of the active gesture, if there is one.
  private mutating func finish(_ phase: GesturePhase) {
    guard case .active(let gesture, _) = state else { return }
    report(gesture, phase)
    state = .idle
  }

  // MARK: Fingers move

  /// The fingers have moved, or time has passed.
  mutating func moved() {
    switch state {
    case .idle: break
    case .watching(var watch):
      let isSettled = watch.wait(&hand, configuration, at: time)
      decide(&watch, isSettled: isSettled)
    case .active(let gesture, let course) where hand.count < gesture.fewestFingers:
      switch course {  // its fingers lifted, or turned out to be palms
      case .paused: if hand.count == 0 { end(.ended) }
      case .correctable, .settled:
        finish(.cancelled)
        leave(at: time)
      }
    case .active(var gesture, let course):
      let mayCorrect = course.isCorrectable(at: time)
      let fit = mayCorrect ? nil : Similarity(of: hand, isBox: hand.isBoundingBox)
      let weighing = mayCorrect ? weigh() : nil
      let moved = gesture.update(weighing?.fit ?? fit ?? Similarity(), hand, at: time)
      if let weighing, correct(gesture, weighing) { return }
      state = .active(gesture, mayCorrect ? course : .settled)
      if moved { report(gesture, .changed) }
    }
  }

  /// A resting finger now takes part, or a finger that took part now rests.
  mutating func regrouped() {
    switch state {
    case .idle:
      // A finger that was just considered resting does not start a gesture at once.
      leave(at: time)
    case .watching(let watch):
      guard hand.count < 2 else { return }
      explain(weigh(), nil, .resting, watch)
      state = .idle
    case .active(var gesture, let course):
      // If too few are left, the gesture is cancelled as soon as they move.
      guard hand.count >= gesture.fewestFingers else { return }
      guard case .paused = course else { return join(&gesture) }
      // one that the pad only counts may be back; a resting finger that moves is another one
      if hand.count > hand.tracked, lost.contain(hand, at: time) { return resume(gesture) }
      endPause()
    }
  }

  /// A new finger moves with the others: it joins a pinch, rotation or swipe, but turns a drag into
  /// something else.
  private mutating func join(_ gesture: inout ActiveGesture) {
    switch gesture.kind {
    case .pinch, .rotate, .swipe:
      gesture.fold()
      hand.rebase()
      state = .active(gesture, .settled)
    case .drag, .edgeSwipe, .tap, .hold:
      let age = (time - gesture.began).milliseconds
      // The fingers are still down, so there is no momentum.
      gesture.stop()
      let isCancelled = age <= 2 * configuration.correction.window
      report(gesture, isCancelled ? .cancelled : .ended)
      // what an ended one has reported is not reported again
      if !isCancelled { hand.restart() }
      watch(from: time, grace: 0)
    }
  }

  // MARK: Decisions

  /// Decides what the fingers mean, if one meaning leads and there is nothing else to wait for.
  private mutating func decide(_ watch: inout Watch, isSettled: Bool) {
    state = .watching(watch)
    // bounded, because a finger may alternate between resting and following
    for _ in 0...hand.fingers.count where hand.count >= 2 {
      let weighing = weigh(watch.past(configuration.late, jitter: hand.jitter))
      switch weighing.judge(configuration, patience: configuration.lead.patience) {
      case .open: return
      case .rests(let index):
        leaveOut(index, weighing, watch)
        guard hand.count < 2 else { continue }
        state = .idle
        return
      case .motion(let kind, let rule):
        let follower = hand.follower(
          configuration.thumb, reached: watch.travel(Self.thumbLag, before: time))
        if case .joins(let index) = follower {
          hand.wake(index)
          continue
        }
        let wait = watch.wait(
          hand, configuration, isSettled: isSettled, mayTap: taps.mayTap(at: time))
        let isOne = isMerged && hand.count == 2 && weighing.farthest < Self.mergedTravel
        let doubt: DecisionWait? =
          hand.isSudden ? .jump : isOne ? .merged : follower == nil ? nil : .thumb
        if let wait = wait ?? doubt {
          watch.waited = wait
          state = .watching(watch)
          return
        }
        return begin(kind, rule, weighing, watch)
      }
    }
    if isSettled { decideOneFinger(watch) }
  }

  /// A single finger makes a gesture only right after a tap or over an edge.
  private mutating func decideOneFinger(_ watch: Watch) {
    guard hand.count == 1 else { return }
    let weighing = weigh()
    if isAfterTap && weighing.fit.travelTogether >= configuration.tapDrag.travel {
      begin(.drag, .afterTap, weighing, watch)
    } else if hand.fingers.count == 1,
      hand.farthestSinceLanding >= configuration.edgeSwipe.travel, edge(crossedIn: weighing) != nil
    {
      begin(.edgeSwipe, .edge, weighing, watch)
    }
  }

  private func edge(crossedIn weighing: Weighing) -> Edge? {
    if isCutOff { return nil }
    return hand.edge(
      crossedBy: weighing.fit.translation, of: size, configuration.edgeSwipe, at: time)
  }

  /// Fingers leave before a decision: if they moved far enough together, they made a flick.
  private mutating func decideFlick(_ watch: Watch) {
    guard hand.count >= 2, !watch.isClicked, !watch.isAfterLift else { return }
    var actual = hand
    defer { hand = actual }
    for index in hand.fingers.indices { hand.fingers[index].baseline = hand.fingers[index].start }
    let flick = configuration.lift.flickTravel
    for _ in 0...hand.fingers.count {
      let weighing = weigh()
      switch weighing.judge(configuration, patience: 2 * flick) {
      // a contact that leaps makes a pinch of any stroke
      case .motion(let kind, _)
      where weighing.farthest >= flick && !(hand.isSudden && (kind == .pinch || kind == .rotate)):
        // a thumb that stays after the fingers have left does not continue their gesture
        for index in hand.fingers.indices where hand.fingers[index].isResting {
          actual.fingers[index].isResting = true
        }
        actual.noteGesture()
        return begin(kind, .lift, weighing, watch)
      // if most fingers are hidden, a resting finger may still be the cheapest meaning
      case .rests(let index) where hand.count > 2 && !hand.fingers[index].isResting:
        hand.fingers[index].isResting = true
        continue
      case .open, .motion, .rests:
        guard watch.onset != nil && !taps.mayTap(at: time) else { return }
        return explain(weighing, nil, .nothing, watch)
      }
    }
  }

  /// Marks the finger at `index` as resting; `watch` is `nil` when fingers have just landed.
  mutating func leaveOut(_ index: Int, _ weighing: Weighing, _ watch: Watch? = nil) {
    // on a pad full of palms, gestures need the space
    if outputs.count < 4 {
      let number = hand.fingers.indices.prefix(index + 1).count(where: hand.takesPart)
      let rested = (number: number, touch: hand.fingers[index].id)
      explain(weighing, nil, .resting, watch, rested: rested)
    }
    hand.fingers[index].isResting = true
    // those that have just landed are counted later
    if watch != nil || hand.fingers[index].landed != time { strokeFingers -= 1 }
  }

  private mutating func begin(
    _ decided: GestureKind, _ rule: DecisionRule, _ weighing: Weighing, _ watch: Watch,
    correcting wrong: ActiveGesture? = nil
  ) {
    var (kind, rule) = (decided, rule)
    var edge: Edge?
    if decided == .drag || decided == .swipe || decided == .edgeSwipe,
      let entered = self.edge(crossedIn: weighing)
    {
      (kind, rule, edge) = (.edgeSwipe, .edge, entered)
    }
    explain(weighing, kind, rule, watch)
    // a gesture cancels a hold, which is reported first
    perform(hold.fail())
    // no decision rests on the way while the contacts settled, but a fast stroke is longer by it
    let way = wrong?.way ?? (watch.movedAtOnce ? hand.wayBeforeMotion : .zero)
    var gesture = ActiveGesture(
      kind: kind, began: time, fingers: hand.count, edge: edge, isAfterTap: rule == .afterTap,
      way: way, velocity: watch.velocity, origin: hand.middle - weighing.fit.translation - way,
      centroid: hand.centroid)
    report(gesture, .began)
    if gesture.update(weighing.fit, hand, at: time) { report(gesture, .changed) }
    hasDecided = true
    hand.noteGesture()
    let until = time + .milliseconds(configuration.correction.window)
    state = .active(gesture, kind == .edgeSwipe ? .settled : .correctable(until: until))
  }

  /// Within the correction window, another kind that clearly beats the decided one replaces it.
  private mutating func correct(_ gesture: ActiveGesture, _ weighing: Weighing) -> Bool {
    let correction = configuration.correction
    guard hand.count >= 2, weighing.farthest <= correction.travel, !hand.isSudden else {
      return false
    }
    let better = weighing.cheapest
    guard let kind = better.kind, kind != gesture.kind else { return false }
    let advantage = weighing.cost(of: gesture.kind) - better.cost
    guard advantage >= correction.lead + correction.share * weighing.farthest else { return false }
    finish(.cancelled)
    var watch = Watch(since: gesture.began, grace: 0, configuration)
    watch.velocity = gesture.velocity
    begin(kind, .correction, weighing, watch, correcting: gesture)
    if case .active(let corrected, _) = state { state = .active(corrected, .settled) }
    return true
  }

  // MARK: Reports

  /// Reports the reason for a decision, with the numbers it was based on.
  private mutating func explain(
    _ weighing: Weighing, _ outcome: GestureKind?, _ rule: DecisionRule, _ watch: Watch?,
    rested: (number: Int, touch: TouchID)? = nil
  ) {
    let isFromLanding = rule == .edge || rule == .nothing
    var decision = Decision(
      evidence(weighing, fingers: hand.count), weighing, outcome, rule, hand,
      landed: watch?.since ?? time, from: isFromLanding ? \.landing : \.baseline)
    // fingers that come in over an edge moved before they landed
    decision.onset = rule == .edge ? nil : watch?.onset
    decision.rested = rested?.number
    decision.restedTouch = rested?.touch
    decision.waited = rested == nil ? watch?.waited : nil
    emit(decision)
  }

  /// Reports the gesture with the velocity that it had at `measured`, by default now.
  private mutating func report(
    _ gesture: ActiveGesture, _ phase: GesturePhase, asOf measured: EventTime? = nil
  ) {
    var event = gesture.event(
      phase, at: measured ?? time, device: device, gain: configuration.drag.gain)
    event.time = time
    outputs.append(.gesture(event))
  }

  // MARK: Weighing

  /// How the fingers' possible meanings compare now.
  func weigh(_ past: Past = Past()) -> Weighing {
    Weighing(hand, configuration, size: size, past: past)
  }

  /// How the fingers' possible meanings compared in the last frame; `nil` if none were weighed, or
  /// if the decision is made and cannot be corrected.
  package var evidence: Evidence? {
    guard hand.count >= 2 else { return nil }
    let past: Past
    switch state {
    case .watching(let watch): past = watch.past(configuration.late, jitter: hand.jitter)
    case .active(_, let course) where course.isCorrectable(at: time): past = Past()
    case .idle, .active: return nil
    }
    return evidence(weigh(past), fingers: hand.count)
  }

  func evidence(_ weighing: Weighing, fingers: Int) -> Evidence {
    let best = weighing.cheapest
    return Evidence(
      time: time, device: device, fingers: fingers, costs: weighing.costs, lead: best.lead,
      needed: weighing.needed(best, configuration))
  }
}
