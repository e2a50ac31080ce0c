import Foundation
import GlissEvents
import Testing

/// The house's own functions against the C library's.
@Suite struct ElementaryTests {
  /// The distance in units in the last place of the true value, of which none is smaller than `smallest`.
  private func error(_ value: Double, _ truth: Double, smallest: Double = 0) -> Double {
    abs(value - truth) / max(truth.ulp, smallest)
  }

  /// Evenly spread, ends included.
  private func points(_ range: ClosedRange<Double>, _ count: Int = 20_000) -> [Double] {
    (0...count).map {
      range.lowerBound + (range.upperBound - range.lowerBound) * Double($0) / Double(count)
    }
  }

  @Test func logarithmsAreWithinFourUnits() {
    var worst = 0.0
    for x in points(-20...20) {
      let value = exp(x)
      worst = max(worst, error(Elementary.log(value), log(value), smallest: 1e-17))
    }
    #expect(worst <= 4)
  }

  @Test func powersOfEAreWithinFourUnits() {
    // what log scales are: a gesture's is cut at e³
    let worst = points(-3...3).map { error(Elementary.exp($0), exp($0)) }.max() ?? 0
    #expect(worst <= 4)
    let far = points(-600...600).map { abs(Elementary.exp($0) / exp($0) - 1) }.max() ?? 0
    #expect(far < 1e-13)
  }

  @Test func anglesAreWithinFourUnits() {
    var worst = 0.0
    for angle in points(-.pi ... .pi) {
      for radius in [1e-6, 1, 4e4] {
        let (y, x) = (radius * sin(angle), radius * cos(angle))
        worst = max(worst, error(Elementary.angle(y: y, x: x), atan2(y, x)))
      }
    }
    #expect(worst <= 4)
  }

  @Test func sinesAndCosinesAreWithinFourUnitsOfOne() {
    var worst = 0.0
    for angle in points(-2 * .pi...2 * .pi) {
      let (sine, cosine) = Elementary.sineCosine(angle)
      // near a zero what counts is the error as such
      worst = max(worst, error(sine, sin(angle), smallest: 1.0.ulp / 2))
      worst = max(worst, error(cosine, cos(angle), smallest: 1.0.ulp / 2))
    }
    #expect(worst <= 4)
    let far = points(-1000...1000).map { abs(Elementary.sineCosine($0).sine - sin($0)) }.max() ?? 0
    #expect(far < 1e-13)
  }

  @Test func nonFiniteNumbersDoNotTrap() {
    #expect(Elementary.log(0) == -.infinity)
    #expect(Elementary.log(-1).isNaN)
    #expect(Elementary.log(.nan).isNaN)
    #expect(Elementary.log(.infinity) == .infinity)
    #expect(Elementary.log(.leastNonzeroMagnitude).isFinite)
    #expect(Elementary.exp(.infinity) == .infinity)
    #expect(Elementary.exp(-.infinity) == 0)
    #expect(Elementary.exp(.nan).isNaN)
    #expect(Elementary.exp(0) == 1)
    #expect(Elementary.angle(y: 0, x: 0) == 0)
    for angle in [1e300, -.infinity, .nan] { _ = Elementary.sineCosine(angle) }
  }
}
