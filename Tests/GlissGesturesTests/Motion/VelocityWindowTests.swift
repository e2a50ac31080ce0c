import GlissEvents
import Testing

@testable import GlissGestures

@Suite struct VelocityWindowTests {
  /// A window of 40 ms over points at so many ms and mm.
  private func window(_ points: [(Int64, Double)]) -> VelocityWindow {
    var window = VelocityWindow(length: .milliseconds(40))
    for (time, x) in points { window.append(Vector2(x: x, y: -x), at: .milliseconds(time)) }
    return window
  }

  @Test(
    arguments: [
      ("nothing", [], 0, 0),
      ("one point", [(0, 5)], 0, 0),
      ("even motion", [(0, 0), (10, 1), (20, 2), (30, 3)], 30, 100),
      ("what is older than the window is left out", [(0, 0), (10, 9), (50, 13)], 50, 100),
      ("a stop at the end counts as one", [(0, 0), (10, 4), (20, 4), (40, 4)], 40, 100),
      ("fingers that lay still for a window have no speed", [(0, 0), (10, 1)], 51, 0),
      ("until then they have", [(0, 0), (10, 1)], 50, 100),
      ("a time that comes twice replaces the last point", [(0, 0), (10, 1), (10, 2)], 10, 200),
      ("so does one that goes back", [(0, 0), (10, 1), (5, 3)], 10, 300),
    ] as [(String, [(Int64, Double)], Int64, Double)])
  func speedIsMeasuredOverTheWindow(
    what: String, points: [(Int64, Double)], now: Int64, expected: Double
  ) {
    let velocity = window(points).value(at: .milliseconds(now))
    #expect(abs(velocity.x - expected) < 1e-9, "\(what)")
    #expect(velocity.y == -velocity.x)
  }

  @Test func morePointsThanItHoldsPushOutTheOldest() {
    let points = (0...100).map { (Int64($0), Double($0)) }
    let velocity = window(points).value(at: .milliseconds(100))
    #expect(abs(velocity.x - 1000) < 1e-9)
  }
}
