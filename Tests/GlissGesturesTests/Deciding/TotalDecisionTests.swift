import GlissEvents
import Mapping
import Testing

/// Whatever two fingers do, it is something, and nearly the same is nearly always the same.
@Suite
struct TotalDecisionTests {
  @Test(arguments: Maps.gaps) func sixMillimetresAreAlwaysAGesture(gap: Double) throws {
    for map in try #require(Maps.all[gap]) {
      #expect(map.blanks == 0, "\(map.picture)")
    }
  }

  @Test(arguments: Maps.gaps) func alongRowsAndColumnsNoKindComesBack(gap: Double) throws {
    for map in try #require(Maps.all[gap]) {
      #expect(map.islands == [], "\(map.picture)")
    }
  }

  /// Both signs of the gap together. A boundary that shifts by one column in ten rows changes 3 % of
  /// the cells.
  @Test(arguments: [0, 80, 160, 240, 320]) func oneFrameMoreBetweenTheLandingsChangesLittle(
    first: Int
  ) {
    var last: [DecisionMap] = []
    for gap in stride(from: Double(first), through: Double(first + 80), by: 8) {
      let maps = [gap, -gap].map { gap in Maps.many(StrokeSetting().with { $0.gap = gap }) }
      // nothing to compare the first ones with
      let changes = zip(last, maps).map { $0.changes(to: $1) }.reduce(0, +)
      let count = maps.map(\.count).reduce(0, +)
      #expect(
        changes * 100 <= count * 4,
        "\(changes) of \(count) cells from a gap of \(gap - 8) to \(gap) ms")
      last = maps
    }
  }

  @Test(arguments: [0, 50, 120]) func threeFingersThatGoSixMillimetresAreSomething(gap: Double) {
    for length in Maps.lengths {
      let map = Maps.few(
        StrokeSetting().with {
          $0.fingers = 3
          $0.length = length
          $0.gap = gap
        })
      #expect(map.blanks == 0, "\(map.picture)")
      #expect(map.islands == [], "\(map.picture)")
    }
  }

  /// Half a second after the motion began all three go on.
  @Test func aThirdFingerThatLandsMidwayLeavesNothingUndecided() throws {
    let setting = StrokeSetting().with {
      $0.length = 20; $0.duration = 1000
    }
    for stroke in Maps.strokes(setting) {
      var plan = stroke.plan
      var third = try #require(plan.fingers.first)
      third.place = third.position(at: third.onset + 500) + stroke.seen(Vector2(x: 0, y: 16))
      third.way = third.way * 0.5
      third.landing = third.onset + 500
      third.onset = third.landing + 60
      third.duration -= 560
      plan.fingers.append(third)
      let gestures = plan.gestures()
      #expect(gestures.fault == nil, "\(stroke.text(without: []))")
      #expect(Cell(gestures, of: plan).verdict.isMotion, "\(stroke.text(without: []))")
    }
  }

  /// Half of 15 mm lie behind the first finger.
  @Test(arguments: [0, 1]) func aFingerThatLiftsMidwayLeavesNothingUndecided(index: Int) {
    for stroke in Maps.strokes(StrokeSetting().with { $0.length = 15 }) {
      var plan = stroke.plan
      plan.fingers[index].lifting = plan.onset + 150
      let gestures = plan.gestures()
      #expect(gestures.fault == nil, "\(stroke.text(without: []))")
      #expect(
        Cell(gestures, of: plan).verdict.isMotion, "\(stroke.text(without: [])): \(gestures.story)")
    }
  }

  @Test func aHoldEndsBeforeWhatFollowsAndChangesLittle() {
    let held = StrokeSetting().with { $0.wait = 700 }
    for stroke in Maps.strokes(held) {
      let story = stroke.plan.gestures().story
      #expect(story.prefix(2) == ["hold began", "hold cancelled"], "\(stroke.text(without: []))")
      #expect(story.count == 4, "\(stroke.text(without: [])): \(story)")
    }
    let (map, lain) = (Maps.few(held), Maps.few(held.with { $0.wait = 300 }))
    #expect(map.blanks == 0, "\(map.picture)")
    #expect(map.changes(to: lain) * 100 <= map.count * 3, "\(map.picture)\n\(lain.picture)")
  }
}
