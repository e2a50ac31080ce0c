import GlissAgent
import GlissConfiguration
import GlissEvents
import GlissSession
import GlissSynthesis
import TestSupport
import Testing

/// Rules that wait after their gesture for it to go on, as in a drag with three fingers.
@Suite struct LingeringTests {
  private func machine(_ others: GestureCondition...) -> RuleMachine {
    var rule = MatchingRig.rule(GestureCondition(kind: .swipe, fingers: 3...3), hasChange: true)
    rule.reactions.linger = 300
    return MatchingRig.machine([rule] + others.map { MatchingRig.rule($0) })
  }

  private func stroke(at ms: Int64, fingers: Int = 3) -> [GestureEvent] {
    [
      MatchingRig.swipe(.began, ms, fingers: fingers),
      MatchingRig.swipe(.changed, ms + 10, x: 5, fingers: fingers),
      MatchingRig.swipe(.ended, ms + 20, x: 5, fingers: fingers),
    ]
  }

  private func play(
    _ machine: inout RuleMachine, _ events: [GestureEvent], until ms: Int64 = 100_000
  ) -> [String] {
    let told = Told()
    for event in events { machine.process(event) }
    told(machine.takeActivations())
    machine.advance(to: EventTime(microseconds: ms * 1000))
    told(machine.takeActivations())
    return told.words
  }

  @Test func theEndWaits() {
    var machine = machine()
    #expect(play(&machine, stroke(at: 0), until: 319) == ["0 begin", "0 change"])
    #expect(machine.deadline == EventTime(microseconds: 320_000))
    #expect(play(&machine, [], until: 320) == ["0 end"])
    #expect(machine.deadline == nil)
  }

  @Test func theSameGestureGoesOnWithTheSameNumber() {
    var machine = machine()
    let told = Told()
    for event in stroke(at: 0) + stroke(at: 300) + stroke(at: 600) {
      machine.process(event)
      told(machine.takeActivations())
    }
    machine.advance(to: EventTime(microseconds: 2_000_000))
    told(machine.takeActivations())
    #expect(Set(told.activations.map(\.serial)).count == 1)
    #expect(told.activations.last?.time == EventTime(microseconds: 920_000))
    #expect(told.words == ["0 begin", "0 change", "0 change", "0 change", "0 end"])
  }

  /// None of these is met when the second stroke begins.
  @Test(
    arguments: [
      { $0.sense = .towards(.right) }, { $0.travel = Bounds(from: 3) },
      { $0.rest = Bounds(from: 200) },
    ] as [@Sendable (inout GestureCondition) -> Void])
  func conditionsOnTheMotionDoNotEndIt(set: @Sendable (inout GestureCondition) -> Void) {
    var condition = GestureCondition(kind: .swipe, fingers: 3...3)
    set(&condition)
    var rule = MatchingRig.rule(condition, hasChange: true)
    rule.reactions.linger = 300
    var machine = MatchingRig.machine([rule])
    let told = Told()
    for event in stroke(at: 0) + stroke(at: 100) {
      machine.process(event)
      told(machine.takeActivations())
    }
    machine.advance(to: EventTime(microseconds: 2_000_000))
    told(machine.takeActivations())
    #expect(told.words.filter { $0 != "0 change" } == ["0 begin", "0 end"])
    #expect(Set(told.activations.map(\.serial)).count == 1)
  }

  @Test(arguments: [true, false]) func onlyAModeThatItEntersItselfDoesNotEndIt(isItsOwn: Bool) {
    var rule = MatchingRig.rule(GestureCondition(kind: .swipe, fingers: 3...3), hasChange: true)
    rule.reactions.linger = 300
    if isItsOwn { rule.reactions.begin = [Action(.mode("drag"), place: MatchingRig.place)] }
    var machine = MatchingRig.machine([rule])
    _ = play(&machine, stroke(at: 0), until: 50)
    machine.enterMode("drag")
    #expect(play(&machine, stroke(at: 100)) == (isItsOwn ? ["0 change", "0 end"] : ["0 end"]))
    #expect(play(&machine, stroke(at: 200_000)) == [])
  }

  /// It is in another mode, or came too early after the last stroke.
  @Test(arguments: [true, false])
  func aRuleWhoseWaitHasEndedDoesNotBeginAnew(hasMode: Bool) {
    var condition = GestureCondition(kind: .swipe, fingers: 3...3)
    condition.travel = Bounds(from: 4)
    if !hasMode { condition.rest = Bounds(from: 200) }
    var rule = MatchingRig.rule(condition)
    rule.reactions.linger = 300
    if hasMode { rule.reactions.begin = [Action(.mode("drag"), place: MatchingRig.place)] }
    var machine = MatchingRig.machine([rule])
    #expect(play(&machine, stroke(at: 0), until: 50) == ["0 begin"])
    if hasMode { machine.enterMode("drag") }
    let next = stroke(at: 100)
    #expect(play(&machine, [next[0]], until: 105) == [])
    machine.endLingering(at: EventTime(microseconds: 105_000))
    #expect(play(&machine, Array(next.dropFirst())) == ["0 end"])
  }

  @Test(arguments: [true, false])
  func anotherDirectionEndsItBeforeItsOwnRuleBegins(acts: Bool) {
    let rules = [Direction.right, .left].map { direction in
      var condition = GestureCondition(kind: .swipe, fingers: 3...3)
      condition.sense = .towards(direction)
      var rule = MatchingRig.rule(condition, hasChange: acts)
      rule.reactions.linger = 300
      return rule
    }
    var machine = MatchingRig.machine(rules)
    let back = [
      MatchingRig.swipe(.began, 100), MatchingRig.swipe(.changed, 110, x: -5),
      MatchingRig.swipe(.changed, 115, x: -6), MatchingRig.swipe(.ended, 120, x: -6),
    ]
    let told = play(&machine, stroke(at: 0) + back).filter { !$0.hasSuffix("change") }
    #expect(told == ["0 begin", "0 end", "1 begin", "1 end"])
  }

  @Test func aStrokeThatNeverMeetsTheConditionEndsIt() {
    var condition = GestureCondition(kind: .swipe, fingers: 3...3)
    condition.travel = Bounds(from: 4)
    var rule = MatchingRig.rule(condition)
    rule.reactions.linger = 300
    var machine = MatchingRig.machine([rule])
    let short = [MatchingRig.swipe(.began, 100), MatchingRig.swipe(.ended, 5000, x: 2)]
    #expect(play(&machine, stroke(at: 0) + [short[0]], until: 4999) == ["0 begin"])
    #expect(play(&machine, [short[1]], until: 5000) == ["0 end"])
  }

  @Test func aLaterGestureIsAnother() {
    var machine = machine()
    #expect(
      play(&machine, stroke(at: 0) + stroke(at: 330))
        == ["0 begin", "0 change", "0 end", "0 begin", "0 change", "0 end"])
  }

  @Test(arguments: [
    MatchingRig.swipe(.began, 100, fingers: 4),
    MatchingRig.event(.tap, .recognized, 100, fingers: 1),
    MatchingRig.event(.hold, .began, 100, fingers: 2), MatchingRig.pinch(.began, 100, scale: 1),
  ])
  func anythingElseEndsIt(event: GestureEvent) {
    var machine = machine()
    #expect(
      play(&machine, stroke(at: 0) + [event], until: 101) == ["0 begin", "0 change", "0 end"])
  }

  @Test func aFingerThatPointsEndsIt() {
    var machine = machine()
    let told = Told()
    #expect(!machine.isLingering)
    for event in stroke(at: 0) { machine.process(event) }
    told(machine.takeActivations())
    #expect(machine.isLingering)
    machine.endLingering(at: EventTime(microseconds: 100_000))
    told(machine.takeActivations())
    #expect(told.words == ["0 begin", "0 change", "0 end"])
    #expect(told.activations.last?.time == EventTime(microseconds: 100_000))
    #expect(!machine.isLingering && machine.deadline == nil)
    // one that comes too late changes nothing
    for event in stroke(at: 200) { machine.process(event) }
    told(machine.takeActivations())
    machine.endLingering(at: EventTime(microseconds: 900_000))
    told(machine.takeActivations())
    #expect(told.activations.last?.time == EventTime(microseconds: 520_000))
  }

  /// Through the recognizer: two swipes with something between them.
  @Test(
    arguments: [
      ([], ["begin 0.2", "end 3.1"]),
      ([Stroke.swipe(fingers: 3, direction: .right, distance: 30)], ["begin 0.2", "end 4.1"]),
      ([.point(by: Vector2(x: 20, y: 0))], ["begin 0.2", "end 1.1"]),
    ] as [([Stroke], [String])])
  func aRecordingShowsTheSame(between: [Stroke], expected: [String]) throws {
    var rule = MatchingRig.rule(GestureCondition(kind: .swipe, fingers: 3...3))
    rule.reactions.begin = [MatchingRig.action("begun")]
    rule.reactions.linger = 2700
    let run = DryRun(Configuration(rules: [rule]))
    var told: [String] = []
    run.didActivate = { activation, _ in
      let tenths = (activation.time.microseconds + 50_000) / 100_000
      told.append("\(activation.moment) \(tenths / 10).\(tenths % 10)")
    }
    let swipe = Stroke.swipe(fingers: 3, direction: .right, distance: 30)
    let device = run.session.add(swipe.trace(on: .medium, seed: 1).device)
    for (second, stroke) in zip(0..., [swipe] + between) {
      let events = stroke.trace(on: .medium, seed: 1).events
      let start = EventTime(microseconds: Int64(second) * 1_000_000)
      run.session.process(.absolute(.slot, 0, at: start), from: device)
      for var event in events {
        event.time = start + (event.time - events[0].time)
        run.session.process(event, from: device)
      }
    }
    run.advance(to: EventTime(microseconds: 10_000_000))
    #expect(told == expected)
  }

  @Test func theOtherGestureBeginsAfterTheEnd() {
    var machine = machine(GestureCondition(kind: .swipe, fingers: 4...4))
    #expect(
      play(&machine, stroke(at: 0) + stroke(at: 100, fingers: 4))
        == ["0 begin", "0 change", "0 end", "1 begin", "1 end"])
  }

  @Test func fingersThatRestBeforeTheyGoOnKeepIt() {
    var machine = machine()
    let rest = [
      MatchingRig.event(.hold, .began, 200), MatchingRig.event(.hold, .cancelled, 5000),
    ]
    #expect(
      play(&machine, stroke(at: 0) + rest + stroke(at: 5000))
        == ["0 begin", "0 change", "0 change", "0 end"])
  }

  @Test func fingersThatRestAndLiftEndIt() {
    var machine = machine()
    let rest = [MatchingRig.event(.hold, .began, 200), MatchingRig.event(.hold, .ended, 5000)]
    #expect(play(&machine, stroke(at: 0) + rest, until: 5000) == ["0 begin", "0 change", "0 end"])
  }

  @Test func aCancelledGestureDoesNotWait() {
    var machine = machine()
    let cut = [MatchingRig.swipe(.began, 0), MatchingRig.swipe(.cancelled, 10)]
    #expect(play(&machine, cut, until: 10) == ["0 begin", "0 cancel"])
  }

  @Test func nothingIsLeftWhenTheDeviceGoesOrTheRulesAreReplaced() {
    for isRemoved in [true, false] {
      var machine = machine()
      _ = play(&machine, stroke(at: 0), until: 50)
      let told = Told()
      let time = EventTime(microseconds: 100_000)
      if isRemoved {
        machine.remove(MatchingRig.pad, at: time)
        told(machine.takeActivations())
      } else {
        machine.cancelAll(at: time)
        told(machine.takeActivations())
      }
      #expect(told.words == ["0 end"])
      #expect(machine.deadline == nil)
    }
  }

  /// What is pressed comes up: each `begin` has one end with its number, in any order of events.
  @Test(arguments: 0..<300) func everyBeginHasOneEnd(index: Int) {
    var random = Seed.source("lingering", index)
    var machine = machine(GestureCondition(kind: .hold), GestureCondition(kind: .swipe))
    let told = Told()
    var time: Int64 = 0
    for _ in 0..<40 {
      time += Int64(random.integer(1...400))
      let kind = random.chance(0.7) ? GestureKind.swipe : .hold
      let phases: [GesturePhase] = [.began, .changed, .ended, .cancelled]
      let event = MatchingRig.event(
        kind, phases[random.integer(0...3)], time, fingers: random.integer(3...4))
      machine.process(event)
      told(machine.takeActivations())
    }
    machine.cancelAll(at: EventTime(microseconds: time * 1000))
    told(machine.takeActivations())
    var open: Set<[UInt64]> = []
    for activation in told.activations {
      let engaged = [UInt64(activation.rule), activation.serial]
      switch activation.moment {
      case .begin: #expect(open.insert(engaged).inserted, "\(Seed.advice)")
      case .end, .cancel: #expect(open.remove(engaged) != nil, "\(Seed.advice)")
      case .change: #expect(open.contains(engaged), "\(Seed.advice)")
      case .forward, .back, .release: break
      }
    }
    #expect(open.isEmpty, "\(Seed.advice)")
  }
}
