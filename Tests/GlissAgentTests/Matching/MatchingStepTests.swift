import GlissAgent
import GlissConfiguration
import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@Suite struct MatchingStepTests {
  private func machine(
    _ condition: GestureCondition, _ intervals: Step.Interval...
  ) -> RuleMachine {
    MatchingRig.machine([MatchingRig.rule(condition, steps: intervals)])
  }

  @Test func stepsGoOnAndBackAndBeyondTheStart() {
    var machine = machine(
      GestureCondition(kind: .swipe, sense: .towards(.left)), .init(10, .millimetres))
    #expect(
      machine.tell(MatchingRig.swipe(.began, 0), MatchingRig.swipe(.changed, 1, x: -9.9)) == [
        "0 begin"
      ])
    #expect(machine.tell(MatchingRig.swipe(.changed, 2, x: -10)) == ["0 on 0×1"])
    #expect(machine.tell(MatchingRig.swipe(.changed, 3, x: -39, y: 9)) == ["0 on 0×2"])
    #expect(machine.tell(MatchingRig.swipe(.changed, 4, x: -25)) == ["0 back 0×1"])
    #expect(machine.tell(MatchingRig.swipe(.changed, 5, x: 9)) == ["0 back 0×2"])
    #expect(machine.tell(MatchingRig.swipe(.changed, 6, x: 21)) == ["0 back 0×2"])
    #expect(machine.tell(MatchingRig.swipe(.ended, 7, x: -12)) == ["0 on 0×3", "0 end"])
  }

  @Test func aSignedDirectionCountsBothWaysAlongItsAxis() {
    var machine = machine(GestureCondition(kind: .swipe, sense: .vertical), .init(10, .millimetres))
    _ = machine.tell(MatchingRig.swipe(.began, 0), MatchingRig.swipe(.changed, 1, y: -1))
    #expect(machine.tell(MatchingRig.swipe(.changed, 2, x: 9, y: -21)) == ["0 back 0×2"])
    #expect(machine.tell(MatchingRig.swipe(.changed, 3, x: 40, y: 15)) == ["0 on 0×3"])
  }

  @Test func stepsCountFromTheBoundThatEngagesTheRule() {
    var machine = machine(
      GestureCondition(kind: .swipe, sense: .towards(.right), travel: Bounds(from: 20)),
      .init(5, .millimetres))
    let words = machine.tell(
      MatchingRig.swipe(.began, 0), MatchingRig.swipe(.changed, 1, x: 19),
      MatchingRig.swipe(.changed, 2, x: 26),
      MatchingRig.swipe(.changed, 3, x: 30))
    #expect(words == ["0 begin", "0 on 0×1", "0 on 0×1"])
  }

  @Test func stepsCountFromWhereOtherBoundsEngageTheRule() {
    var machine = machine(
      GestureCondition(kind: .swipe, sense: .towards(.right), speed: Bounds(from: 150)),
      .init(5, .millimetres))
    let words = machine.tell(
      MatchingRig.swipe(.began, 0), MatchingRig.swipe(.changed, 1, x: 19),
      MatchingRig.swipe(.changed, 2, x: 26, speed: 160),
      MatchingRig.swipe(.changed, 3, x: 31))
    #expect(words == ["0 begin", "0 on 0×1"])
  }

  @Test(
    arguments: [
      (-12, 3, "0 back 0×1"), (12, 3, "0 on 0×1"), (3, 12, "0 on 0×1"), (3, -12, "0 back 0×1"),
    ] as [(Double, Double, String)])
  func withoutASenseRightAndDownGoOn(x: Double, y: Double, told: String) {
    var machine = machine(GestureCondition(kind: .swipe), .init(10, .millimetres))
    _ = machine.tell(MatchingRig.swipe(.began, 0), MatchingRig.swipe(.changed, 1, x: 0.1, y: -0.2))
    #expect(machine.tell(MatchingRig.swipe(.changed, 2, x: x, y: y)) == [told])
    // the other way counts no more, however far it goes
    let turned =
      abs(x) > abs(y)
      ? MatchingRig.swipe(.changed, 3, x: x, y: 90) : MatchingRig.swipe(.changed, 3, x: 90, y: y)
    #expect(machine.tell(turned) == [])
  }

  @Test(
    arguments: [
      (nil, [1.05, 1.1, 1.2, 1.21, 1.34, 1.3, 0.95, 0.9, 0.82], [1, 1, 1, -1, -2, -1, -1]),
      (.inward, [0.92, 0.9, 0.82, 0.75, 0.77, 1.1], [1, 1, 1, -1, -3]),
    ] as [(GestureCondition.Sense?, [Double], [Int])])
  func aPinchStepsAsOftenInAsOut(
    sense: GestureCondition.Sense?, scales: [Double], steps: [Int]
  ) {
    var machine = machine(GestureCondition(kind: .pinch, sense: sense), .init(10, .percent))
    _ = machine.tell(MatchingRig.pinch(.began, 0, scale: 1))
    let words = machine.tell(scales.map { MatchingRig.pinch(.changed, 1, scale: $0) })
    #expect(
      words.filter { $0 != "0 begin" } == steps.map { "0 \($0 > 0 ? "on" : "back") 0×\(abs($0))" })
  }

  @Test func aRotationStepsByDegrees() {
    var machine = machine(GestureCondition(kind: .rotate, sense: .clockwise), .init(15, .degrees))
    var event = MatchingRig.event(.rotate, .began, 0)
    _ = machine.tell(event)
    event.phase = .changed
    event.rotation = -50 * .pi / 180
    #expect(machine.tell(event) == ["0 begin", "0 on 0×3"])
    event.rotation = -20 * .pi / 180
    #expect(machine.tell(event) == ["0 back 0×2"])
  }

  @Test func aTimeRepeatsWhileEverythingHolds() {
    var machine = machine(
      GestureCondition(kind: .swipe, sense: .towards(.right), speed: Bounds(from: 50)),
      .init(300, .milliseconds))
    #expect(
      machine.tell(MatchingRig.swipe(.began, 0), MatchingRig.swipe(.changed, 10, x: 5)) == [
        "0 begin"
      ])
    #expect(machine.deadline == EventTime(microseconds: 310_000))
    #expect(machine.tell(MatchingRig.swipe(.changed, 309, x: 50)) == [])
    #expect(machine.tell(MatchingRig.swipe(.changed, 312, x: 51)) == ["0 on 0×1"])
    #expect(machine.tell(MatchingRig.swipe(.changed, 605, x: 55)) == [])
    #expect(machine.tell(MatchingRig.swipe(.changed, 640, x: 56)) == ["0 on 0×1"])
    // fingers that lie still send nothing, and slow ones do nothing
    #expect(machine.tell(MatchingRig.swipe(.changed, 1300, x: 60)) == [])
    #expect(machine.tell(MatchingRig.swipe(.changed, 1520, x: 61, speed: 20)) == [])
    #expect(machine.deadline == EventTime(microseconds: 1_810_000))
    let told = Told()
    // fingers that have sent nothing for a while lie still
    machine.advance(to: EventTime(microseconds: 1_900_000))
    told(machine.takeActivations())
    #expect(told.words == [])
    #expect(machine.tell(MatchingRig.swipe(.ended, 1950, x: 61)).last == "0 end")
    #expect(machine.deadline == nil)
  }

  /// Repetitions are no events: they do not make still fingers fast.
  @Test func shortRepetitionsStopWhenTheFingersLieStill() {
    var machine = machine(
      GestureCondition(kind: .swipe, sense: .towards(.right), speed: Bounds(from: 50)),
      .init(20, .milliseconds))
    _ = machine.tell(MatchingRig.swipe(.began, 0), MatchingRig.swipe(.changed, 10, x: 5))
    let told = Told()
    machine.advance(to: EventTime(microseconds: 500_000))
    told(machine.takeActivations())
    #expect(told.words == ["0 on 0×1", "0 on 0×1"])
  }

  @Test func aHoldRepeatsByItself() {
    var machine = machine(GestureCondition(kind: .hold), .init(200, .milliseconds))
    #expect(machine.tell(MatchingRig.event(.hold, .began, 0)) == ["0 begin"])
    let told = Told()
    machine.advance(to: EventTime(microseconds: 450_000))
    told(machine.takeActivations())
    #expect(told.words == ["0 on 0×1", "0 on 0×1"])
  }

  @Test func aChangeSaysHowFarTheLastEventWent() {
    var machine = MatchingRig.machine([
      MatchingRig.rule(GestureCondition(kind: .swipe), hasChange: true)
    ])
    var ways: [Vector2] = []
    func note(_ activation: Activation) {
      if activation.moment == .change { ways.append(activation.way) }
    }
    for event in [
      MatchingRig.swipe(.began, 0, x: 3), MatchingRig.swipe(.changed, 1, x: 5, y: -1),
      MatchingRig.swipe(.changed, 2, x: 4, y: -1),
    ] { machine.process(event) }
    machine.takeActivations().forEach(note)
    #expect(ways == [Vector2(x: 2, y: -1), Vector2(x: -1, y: 0)])
  }

  @Test func aStrokeThatHasBegunInOneDirectionBeginsInNoOther() {
    let directions: [Direction] = [.left, .right, .up]
    var machine = MatchingRig.machine(
      directions.map {
        MatchingRig.rule(
          GestureCondition(kind: .swipe, sense: .towards($0)), steps: [.init(10, .millimetres)])
      } + [MatchingRig.rule(GestureCondition(kind: .swipe))])
    #expect(
      machine.tell(MatchingRig.swipe(.began, 0, x: -2), MatchingRig.swipe(.changed, 1, x: -12))
        == ["0 begin", "3 begin", "0 on 0×1"])
    // back beyond the start, and then up
    #expect(
      machine.tell(
        MatchingRig.swipe(.changed, 2, x: 20), MatchingRig.swipe(.changed, 3, x: 5, y: -40))
        == ["0 back 0×3", "0 on 0×2"])
    #expect(
      machine.tell(MatchingRig.swipe(.ended, 4, x: 5, y: -40)) == ["0 cancel", "3 end"])
    // rules that act at the end alone go by its direction
    machine = MatchingRig.machine(
      directions.map { MatchingRig.rule(GestureCondition(kind: .swipe, sense: .towards($0))) })
    #expect(
      machine.tell(
        MatchingRig.swipe(.began, 0, x: -2), MatchingRig.swipe(.changed, 1, y: -40),
        MatchingRig.swipe(.ended, 2, y: -40)) == ["0 begin", "2 begin", "0 cancel", "2 end"])
  }

  @Test(arguments: [0, -1, .nan, 1e-300] as [Double])
  func anIntervalThatMakesNoSenseDoesNoHarm(length: Double) {
    var machine = machine(GestureCondition(kind: .swipe), .init(length, .millimetres))
    _ = machine.tell(
      MatchingRig.swipe(.began, 0), MatchingRig.swipe(.changed, 1, x: 1e300),
      MatchingRig.swipe(.changed, 1, x: -1e300),
      MatchingRig.swipe(.changed, 1, x: .nan), MatchingRig.swipe(.ended, 1, x: .infinity))
  }

  /// However often the same way is looked at, it has as many steps in the end, and never two that cancel each other.
  @Test(arguments: 0..<40) func noStepIsLostOrDoubledAtAnySampling(index: Int) {
    var random = Seed.source("steps", index)
    // a way there and back, in pieces that go one way each
    var corners = [0.0]
    for _ in 0..<random.integer(1...6) { corners.append(random.uniform(-60...90)) }
    let travel = random.integer(0...1) == 0 ? nil : Bounds(from: random.uniform(1...15))
    func net(_ samples: Int) -> (net: Int, atCorners: [Int]) {
      var machine = machine(
        GestureCondition(kind: .swipe, sense: .towards(.right), travel: travel),
        .init(7.3, .millimetres))
      var (net, all) = (0, [Int]())
      func count(_ activation: Activation) {
        switch activation.moment {
        case .forward: net += activation.count
        case .back: net -= activation.count
        case .begin, .change, .end, .cancel, .release: break
        }
      }
      machine.process(MatchingRig.swipe(.began, 0))
      // all engage at the same end of the first piece
      let first = [0, 30] + corners.dropFirst()
      for (from, to) in zip(first, first.dropFirst()) {
        let before = (net, all.count)
        for k in 1...samples {
          let x = from + (to - from) * Double(k) / Double(samples)
          machine.process(MatchingRig.swipe(.changed, 1, x: k == samples ? to : x))
          machine.takeActivations().forEach(count)
          let sign = (net - before.0) * (to > from ? 1 : -1)
          #expect(sign >= 0, "a step the wrong way (\(Seed.advice))")
        }
        all.append(net)
      }
      return (net, all)
    }
    let coarse = net(1)
    for samples in [2, 7, 100] {
      #expect(net(samples) == coarse, "\(corners), \(samples) samples (\(Seed.advice))")
    }
  }
}
