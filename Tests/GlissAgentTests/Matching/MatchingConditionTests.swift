import GlissAgent
import GlissConfiguration
import GlissEvents
import Testing

@Suite struct MatchingConditionTests {
  @Test func aRuleBeginsWithItsGestureAndEndsWithIt() {
    var machine = MatchingRig.machine(GestureCondition(kind: .swipe))
    #expect(machine.tell(MatchingRig.swipe(.began, 0)) == ["0 begin"])
    #expect(machine.tell(MatchingRig.swipe(.changed, 10, x: 5)) == [])
    #expect(machine.tell(MatchingRig.swipe(.ended, 20, x: 9)) == ["0 end"])
    #expect(machine.tell(MatchingRig.swipe(.ended, 20, x: 9)) == [])
  }

  /// A condition, and what a swipe to (x, y) with three fingers makes of it.
  static let swipes: [(GestureCondition, x: Double, y: Double, told: [String])] = [
    (GestureCondition(kind: .swipe, fingers: 3...3), -30, 0, ["0 begin", "0 end"]),
    (GestureCondition(kind: .swipe, fingers: 3...4), -30, 0, ["0 begin", "0 end"]),
    (GestureCondition(kind: .swipe, fingers: 4...5), -30, 0, []),
    (GestureCondition(kind: .drag), -30, 0, []),
    (GestureCondition(kind: .swipe, sense: .towards(.left)), -30, 5, ["0 begin", "0 end"]),
    (GestureCondition(kind: .swipe, sense: .towards(.left)), 30, 5, []),
    (GestureCondition(kind: .swipe, sense: .towards(.up)), 5, -30, ["0 begin", "0 end"]),
    (GestureCondition(kind: .swipe, sense: .inward), 5, -30, []),
    (GestureCondition(kind: .swipe, sense: .horizontal), 30, 5, ["0 begin", "0 end"]),
    (GestureCondition(kind: .swipe, sense: .horizontal), -30, 5, ["0 begin", "0 end"]),
    (GestureCondition(kind: .swipe, sense: .horizontal), 5, -30, []),
    (GestureCondition(kind: .swipe, sense: .vertical), 5, -30, ["0 begin", "0 end"]),
    (GestureCondition(kind: .swipe, sense: .vertical), 30, 5, []),
    (GestureCondition(kind: .swipe, travel: Bounds(from: 20)), -30, 0, ["0 begin", "0 end"]),
    (GestureCondition(kind: .swipe, travel: Bounds(from: 30)), -30, 0, ["0 begin", "0 end"]),
    (GestureCondition(kind: .swipe, travel: Bounds(from: 30.1)), -30, 0, []),
    (GestureCondition(kind: .swipe, travel: Bounds(to: 20)), -30, 0, ["0 begin", "0 cancel"]),
    (
      GestureCondition(kind: .swipe, travel: Bounds(from: 10, to: 30)), -30, 0,
      ["0 begin", "0 end"]
    ),
    (GestureCondition(kind: .swipe, speed: Bounds(from: 100)), -30, 0, ["0 begin", "0 end"]),
    (GestureCondition(kind: .swipe, speed: Bounds(from: 101)), -30, 0, []),
    (GestureCondition(kind: .swipe, speed: Bounds(to: 99)), -30, 0, ["0 begin", "0 cancel"]),
    (GestureCondition(kind: .swipe, edge: .left), -30, 0, []),
    (GestureCondition(kind: .swipe, isAfterTap: true), -30, 0, []),
    (GestureCondition(kind: .swipe, isAfterTap: false), -30, 0, ["0 begin", "0 end"]),
    (GestureCondition(kind: .swipe, rest: Bounds(from: 300)), -30, 0, ["0 begin", "0 end"]),
    (GestureCondition(kind: .swipe, rest: Bounds(to: 300)), -30, 0, []),
    (GestureCondition(kind: .swipe, modifiers: []), -30, 0, ["0 begin", "0 end"]),
    (GestureCondition(kind: .swipe, modifiers: .leftSuper), -30, 0, []),
  ]

  @Test(arguments: swipes.indices) func everyConditionOfASwipeIsJudged(index: Int) {
    let (condition, x, y, told) = Self.swipes[index]
    var machine = MatchingRig.machine(condition)
    let words = machine.tell(
      MatchingRig.swipe(.began, 0), MatchingRig.swipe(.changed, 10, x: x / 2, y: y / 2),
      MatchingRig.swipe(.changed, 20, x: x, y: y), MatchingRig.swipe(.ended, 30, x: x, y: y))
    #expect(words == told, "\(condition)")
  }

  /// Which directions of rules a swipe to (x, y) ends, where none or one of the rules goes between the main ones.
  @Test(
    arguments: [
      (false, -10, 0, ["left"]), (false, -10, 9, ["left"]), (false, 3, 10, ["down"]),
      (true, -10, 0, ["left"]), (true, -10, 9, ["downLeft"]), (true, 3, 10, ["down"]),
      (true, -10, 4, ["left"]), (true, -10, 5, ["downLeft"]), (true, 9, 10, []),
    ] as [(Bool, Double, Double, [String])])
  func aDiagonalRuleNarrowsTheOthersOfItsKindAndFingers(
    hasDiagonal: Bool, x: Double, y: Double, ended: [String]
  ) {
    var directions: [Direction] = [.left, .down, .right, .up]
    if hasDiagonal { directions.append(.downLeft) }
    // one of other fingers changes nothing
    var machine = MatchingRig.machine(
      directions.map {
        MatchingRig.rule(GestureCondition(kind: .swipe, fingers: 3...3, sense: .towards($0)))
      } + [
        MatchingRig.rule(GestureCondition(kind: .swipe, fingers: 4...4, sense: .towards(.upLeft)))
      ])
    let words = machine.tell(
      MatchingRig.swipe(.began, 0), MatchingRig.swipe(.changed, 10, x: x, y: y),
      MatchingRig.swipe(.ended, 20, x: x, y: y))
    #expect(
      words
        == ended.flatMap { name -> [String] in
          let rule = directions.firstIndex { $0.name == name } ?? -1
          return ["\(rule) begin", "\(rule) end"]
        })
  }

  /// One that cannot apply narrows nothing.
  @Test func aDiagonalRuleOfOtherModifiersNarrowsNothing() {
    var machine = MatchingRig.machine(
      GestureCondition(kind: .swipe, sense: .towards(.left)),
      GestureCondition(kind: .swipe, sense: .towards(.downLeft), modifiers: .leftSuper))
    let words = machine.tell(
      MatchingRig.swipe(.began, 0), MatchingRig.swipe(.changed, 10, x: -10, y: 9),
      MatchingRig.swipe(.ended, 20, x: -10, y: 9))
    #expect(words == ["0 begin", "0 end"])
  }

  @Test func theFinalDirectionDecides() {
    var machine = MatchingRig.machine(
      GestureCondition(kind: .swipe, sense: .towards(.left)),
      GestureCondition(kind: .swipe, sense: .towards(.right)))
    let words = machine.tell(
      MatchingRig.swipe(.began, 0), MatchingRig.swipe(.changed, 10, x: -3),
      MatchingRig.swipe(.changed, 20, x: 3),
      MatchingRig.swipe(.ended, 30, x: 20))
    #expect(words == ["0 begin", "1 begin", "0 cancel", "1 end"])
  }

  @Test func aRuleThatOnlyTheEndMeetsBeginsAndEndsThere() {
    var machine = MatchingRig.machine(
      GestureCondition(kind: .swipe, speed: Bounds(from: 200, to: 300)),
      GestureCondition(kind: .swipe, speed: Bounds(from: 200, to: 210)))
    let words = machine.tell(
      MatchingRig.swipe(.began, 0), MatchingRig.swipe(.changed, 10, x: -3),
      MatchingRig.swipe(.ended, 30, x: 20, speed: 250))
    #expect(words == ["0 begin", "0 end"])
  }

  @Test(
    arguments: [
      (.outward, Bounds(from: 1.5), 1.6, ["0 begin", "0 end"]),
      (.outward, Bounds(from: 1.5), 1.4, []),
      (.outward, Bounds(from: 1.5, to: 2), 2.1, ["0 begin", "0 cancel"]),
      (.inward, Bounds(to: 0.7), 0.7, ["0 begin", "0 end"]),
      (.inward, Bounds(to: 0.7), 0.71, []),
      (.inward, Bounds(from: 0.5, to: 0.7), 0.4, ["0 begin", "0 cancel"]),
      (.inward, nil, 0.9, ["0 begin", "0 end"]),
      (.outward, nil, 0.9, []),
      (nil, Bounds(from: 1.5), 1.6, ["0 begin", "0 end"]),
      (nil, Bounds(to: 0.7), 0.9, ["0 begin", "0 cancel"]),
    ] as [(GestureCondition.Sense?, Bounds?, Double, [String])])
  func aPinchIsJudgedByItsSizeAndInwardTheOtherWayRound(
    sense: GestureCondition.Sense?, bounds: Bounds?, scale: Double, told: [String]
  ) {
    var machine = MatchingRig.machine(GestureCondition(kind: .pinch, sense: sense, scale: bounds))
    let half = 1 + (scale - 1) / 2
    let words = machine.tell(
      MatchingRig.pinch(.began, 0, scale: 1), MatchingRig.pinch(.changed, 10, scale: half),
      MatchingRig.pinch(.changed, 20, scale: scale), MatchingRig.pinch(.ended, 30, scale: scale))
    #expect(words == told)
  }

  @Test(
    arguments: [
      (.clockwise, -40, true), (.clockwise, 40, false), (.counterclockwise, 40, true),
      (nil, -40, true), (nil, 29, false), (.counterclockwise, 30.5, true),
    ] as [(GestureCondition.Sense?, Double, Bool)])
  func aRotationIsJudgedByItsTurn(sense: GestureCondition.Sense?, degrees: Double, fires: Bool) {
    var machine = MatchingRig.machine(
      GestureCondition(kind: .rotate, sense: sense, turn: Bounds(from: 30)))
    var end = MatchingRig.event(.rotate, .ended, 30, fingers: 2)
    end.rotation = degrees * .pi / 180
    let words = machine.tell(MatchingRig.event(.rotate, .began, 0, fingers: 2), end)
    #expect(words == (fires ? ["0 begin", "0 end"] : []))
  }

  @Test(
    arguments: [(1, 1, true), (1, 2, false), (2, 2, true), (nil, 3, true)] as [(Int?, Int, Bool)])
  func aTapHasOnlyAnEnd(asked: Int?, count: Int, fires: Bool) {
    var machine = MatchingRig.machine(GestureCondition(kind: .tap, fingers: 3...3, count: asked))
    var tap = MatchingRig.event(.tap, .recognized, 0)
    tap.count = count
    #expect(machine.tell(tap) == (fires ? ["0 end"] : []))
  }

  @Test func detailsDistinguishAnEdgeSwipeAndADragAfterATap() {
    var machine = MatchingRig.machine(
      GestureCondition(kind: .edgeSwipe, edge: .left),
      GestureCondition(kind: .edgeSwipe, edge: .top),
      GestureCondition(kind: .edgeSwipe), GestureCondition(kind: .drag, isAfterTap: true),
      GestureCondition(kind: .drag, isAfterTap: false))
    var edge = MatchingRig.event(.edgeSwipe, .began, 0, fingers: 1)
    edge.edge = .left
    #expect(machine.tell(edge) == ["0 begin", "2 begin"])
    var drag = MatchingRig.event(.drag, .began, 10, fingers: 1)
    drag.isAfterTap = true
    #expect(machine.tell(drag) == ["0 cancel", "2 cancel", "3 begin"])
  }

  @Test(
    arguments: [
      (.leftSuper, .leftSuper, true), (.leftSuper, .rightSuper, true),
      (.rightSuper, .leftSuper, true), (.leftSuper, [.leftSuper, .leftShift], false),
      ([.leftSuper, .leftShift], [.rightSuper, .rightShift], true),
      (.leftAlt, .rightAlt, false), ([], .leftShift, false), (nil, .leftShift, true),
    ] as [(Modifiers?, Modifiers, Bool)])
  func modifiersAreThoseHeldWhenTheGestureBegan(asked: Modifiers?, held: Modifiers, fires: Bool) {
    var machine = MatchingRig.machine(GestureCondition(kind: .swipe, modifiers: asked))
    var words = machine.tell(MatchingRig.swipe(.began, 0), modifiers: held)
    // what is pressed or released later is for the next one
    words += machine.tell(MatchingRig.swipe(.changed, 5, x: 4), modifiers: .leftSuper)
    words += machine.tell(MatchingRig.swipe(.ended, 10, x: 9), modifiers: [])
    #expect(words == (fires ? ["0 begin", "0 end"] : []))
  }

  @Test(
    arguments: [
      (Bounds(from: 300), 1300, true), (Bounds(from: 300), 1299, false),
      (Bounds(to: 300), 1300, true), (Bounds(to: 300), 1301, false),
    ] as [(Bounds, Int64, Bool)])
  func restIsHowLongTheDeviceHadNoGesture(bounds: Bounds, begins: Int64, fires: Bool) {
    var machine = MatchingRig.machine(GestureCondition(kind: .swipe, rest: bounds))
    _ = machine.tell(
      MatchingRig.pinch(.began, 0, scale: 1), MatchingRig.pinch(.ended, 1000, scale: 1))
    // what was cancelled was none
    _ = machine.tell(
      MatchingRig.event(.hold, .began, 1100), MatchingRig.event(.hold, .cancelled, begins))
    #expect(machine.tell(MatchingRig.swipe(.began, begins)) == (fires ? ["0 begin"] : []))
  }

  @Test func theRestBeforeARowOfTapsIsThatBeforeItsFirst() {
    var machine = MatchingRig.machine(
      GestureCondition(kind: .tap, count: 2, rest: Bounds(from: 300)))
    func tap(_ ms: Int64, _ count: Int) -> GestureEvent {
      var tap = MatchingRig.event(.tap, .recognized, ms)
      tap.count = count
      return tap
    }
    #expect(machine.tell(tap(1000, 1), tap(1150, 2)) == ["0 end"])
    #expect(machine.tell(tap(1300, 1), tap(1400, 2)) == [])
  }
}
