import GlissEvents
import GlissGestures
import Testing

/// A thumb opposite to the fingers that pinches or turns with them, on a pad 60 mm high.
@Suite struct ThumbAndFingersTests {
  /// Hands turn around a place closer to the thumb than the middle of all contacts.
  @Test(arguments: [0.4, 0.5, 0.6], [3, 4])
  func turningAroundAnyPlaceBetweenThemIsARotation(_ centre: Double, _ count: Int) throws {
    for angle in [25.0, -25] {
      let fingers = [(36.0, 7.0), (52.0, 5.0), (67.0, 9.0)].prefix(count - 1)
      var hand = Turning(places: [(50.0, 46.0)] + fingers, centre: (50, 46 - centre * 39))
      var pad = TestPad()
      for place in hand.places { pad.land(place) }
      pad.pass(80)
      for _ in 0..<12 { pad.pass(24, moving: hand.turn(by: angle / 12)) }
      pad.liftAll()
      #expect(pad.story == ["rotate\(count) began", "rotate\(count) ended"])
      let turn = try #require(pad.gestures.last).rotation * 180 / .pi
      #expect(abs(turn + angle) < 3, "\(turn)")
    }
  }

  /// A finger far from the edge is there on purpose, even if it sets out 40 ms late.
  @Test(arguments: [20.0, 30]) func aFingerHighOnThePadDoesNotRest(_ y: Double) {
    var pad = TestPad()
    pad.land((20, y))
    pad.land((36, y - 6), (52, y - 6))
    pad.pass(60)
    pad.pass(40, moving: (0, 0), (8, 0), (8, 0))
    pad.pass(100, moving: (20, 0), (20, 0), (20, 0))
    pad.liftAll()
    #expect(pad.story == ["swipe3 began", "swipe3 ended"])
  }

  /// Nothing is decided before it can be seen which way it goes.
  @Test(arguments: [4.0, 6]) func aFingerThatSetsOutLateAgainstTheOtherTurns(_ first: Double) {
    var pad = TestPad()
    pad.land((30, 30), (70, 30))
    pad.pass(80)
    pad.pass(32, moving: (0, -first), (0, 0))
    pad.pass(120, moving: (0, -16), (0, 16))
    pad.liftAll()
    #expect(pad.story == ["rotate2 began", "rotate2 ended"])
  }

  /// A finger that lies still does not go against the other one.
  @Test(arguments: [(150, 2.0), (250, 2.6), (350, 3.4)])
  func aSecondFingerThatGoesAQuarterOfTheWayTurnsToo(_ duration: Int, _ way: Double) {
    var pad = TestPad()
    pad.land((40, 30), (65, 30))
    pad.pass(80)
    pad.pass(Int64(duration), moving: (0, -12), (0, way))
    pad.liftAll()
    #expect(pad.story == ["rotate2 began", "rotate2 ended"])
  }
}

/// Fingers that turn around a place.
private struct Turning {
  var places: [(Double, Double)]
  let centre: (Double, Double)

  /// The way of each finger in mm, in a turn by that many degrees, clockwise positive.
  mutating func turn(by angle: Double) -> [(Double, Double)] {
    let radians = angle * .pi / 180
    let (sine, cosine) = Elementary.sineCosine(radians)
    return places.indices.map { index in
      let (x, y) = (places[index].0 - centre.0, places[index].1 - centre.1)
      let new = (centre.0 + x * cosine - y * sine, centre.1 + x * sine + y * cosine)
      defer { places[index] = new }
      return (new.0 - places[index].0, new.1 - places[index].1)
    }
  }
}
