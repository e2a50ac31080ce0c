import GlissEvents
import Testing

@testable import GlissSession

/// When one finger points, by frames made by hand.
@Suite struct PointingTests {
  /// Frames as `ms: x of finger 1, x of finger 2`, in mm; `nil` is a finger that is not there.
  private func points(
    _ frames: [(ms: Int64, fingers: [Double?])], resting: Int? = nil
  ) -> Int64? {
    var machine = PointingMachine()
    for (ms, fingers) in frames {
      var frame = TouchFrame(
        time: EventTime(microseconds: ms * 1000), device: DeviceID(rawValue: 1))
      for (index, x) in fingers.enumerated() {
        guard let x else { continue }
        frame.touches.append(
          Touch(
            id: TouchID(device: frame.device, serial: UInt32(index + 1)), phase: .moved,
            isResting: index == resting, normalizedPosition: .zero,
            position: Vector2(x: x, y: 20)))
      }
      if machine.process(frame) { return ms }
    }
    return nil
  }

  @Test func aFingerPointsOnceItHasBeenAloneAndHasMoved() {
    #expect(points([(0, [30]), (59, [33]), (60, [33])]) == 60)
    #expect(points([(0, [30]), (500, [31.9]), (510, [32])]) == 510)
    #expect(points([(0, [30]), (5000, [31])]) == nil)
  }

  @Test func aFingerThatOthersJoinDoesNot() {
    #expect(points([(0, [30]), (50, [35]), (58, [36, 50]), (200, [60, 80])]) == nil)
    // the one that is left begins anew
    #expect(points([(0, [30, 50]), (10, [60, 80]), (20, [60]), (79, [70]), (81, [70])]) == 81)
  }

  @Test func anotherFingerBeginsAnew() {
    #expect(points([(0, [30]), (50, [31]), (55, []), (61, [nil, 90]), (120, [nil, 93])]) == nil)
  }

  @Test func aRestingFingerDoesNotCount() {
    let frames: [(ms: Int64, fingers: [Double?])] = [(0, [30, 70]), (100, [40, 70])]
    #expect(points(frames, resting: 1) == 100)
    #expect(points(frames) == nil)
  }

  @Test func aPressedButtonCounts() {
    var machine = PointingMachine()
    var frame = TouchFrame(time: .zero, device: DeviceID(rawValue: 1))
    let points = machine.process(frame)
    frame.isButtonDown = true
    let pointsWithButton = machine.process(frame)
    #expect(!points && pointsWithButton)
  }
}
