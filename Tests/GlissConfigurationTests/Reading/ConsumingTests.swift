import GlissConfiguration
import GlissEvents
import Testing

/// Gestures that the desktop does not get.
@Suite struct ConsumingTests {
  @Test(arguments: [
    "swipe, fingers: 3", "swipe", "swipe, fingers: 3..5", "pinch, fingers: 4",
    "rotate, fingers: 3..4", "edgeSwipe, fingers: 3",
  ])
  func strokesOfThreeFingersAndMoreCanBeConsumed(_ gesture: String) throws {
    let rule = "gestures: [{gesture: \(gesture), consume: true, do: {mode: none}}]"
    let condition = try #require(try configuration(rule).gesture)
    #expect(condition.consumes)
  }

  static let mistakes: [(String, String)] = [
    (
      "drag", "consume does not go with drag; it goes with pinch, rotate, swipe and edgeSwipe"
    ),
    (
      "pinch",
      "only strokes of three fingers and more can be kept from the desktop: write fingers: 3, or leave out consume"
    ),
    (
      "edgeSwipe, fingers: 2..3",
      "only strokes of three fingers and more can be kept from the desktop: write fingers: 3, or leave out consume"
    ),
    (
      "tap, fingers: 3",
      "consume does not go with tap; it goes with pinch, rotate, swipe and edgeSwipe"
    ),
  ]

  @Test(arguments: mistakes)
  func othersCannot(_ gesture: String, _ message: String) {
    let reading = read("gestures: [{gesture: \(gesture), consume: true, do: {mode: none}}]")
    #expect(reading.mistakes.map(\.message) == [message])
    #expect(reading.configuration == nil)
  }

  @Test func consumeFalseIsAlwaysRight() throws {
    let rule = "gestures: [{gesture: pinch, consume: false, do: {mode: none}}]"
    #expect(try configuration(rule).gesture?.consumes == false)
  }
}
