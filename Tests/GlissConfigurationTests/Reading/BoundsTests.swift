import GlissConfiguration
import Testing

@Suite struct BoundsTests {
  @Test(
    arguments: [
      (Bounds(from: 20), 20.0, true), (Bounds(from: 20), 19.9, false),
      (Bounds(to: 80), 80, true), (Bounds(to: 80), 80.1, false), (Bounds(), -3, true),
      (Bounds(from: 20, to: 80), .nan, false),
    ])
  func bothEndsAreWithin(_ bounds: Bounds, _ value: Double, _ isWithin: Bool) {
    #expect(bounds.contains(value) == isWithin)
  }
}
