import Testing

@testable import GlissEvents

/// Times come from outside: arithmetic must saturate, never trap.
@Suite struct EventTimeTests {
  @Test(
    arguments: [
      (0, 5, 5), (-3, 2, -1), (.max, 1, .max), (.max, .max, .max), (.min, -1, .min),
      (.min, .min, .min), (.max, .min, -1), (.min, .max, -1),
    ] as [(Int64, Int64, Int64)])
  func sumsSaturate(time: Int64, interval: Int64, sum: Int64) {
    var result = EventTime(microseconds: time) + EventInterval(microseconds: interval)
    #expect(result == EventTime(microseconds: sum))
    result = EventTime(microseconds: time)
    result += EventInterval(microseconds: interval)
    #expect(result == EventTime(microseconds: sum))
    let length = EventInterval(microseconds: time) + EventInterval(microseconds: interval)
    #expect(length == EventInterval(microseconds: sum))
  }

  @Test(
    arguments: [
      (7, 5, 2), (5, 7, -2), (.min, 1, .min), (.min, .max, .min), (.max, -1, .max),
      (.max, .min, .max), (.min, .min, 0), (0, .min, .max),
    ] as [(Int64, Int64, Int64)])
  func differencesSaturate(a: Int64, b: Int64, difference: Int64) {
    let result = EventTime(microseconds: a) - EventTime(microseconds: b)
    #expect(result == EventInterval(microseconds: difference))
    let length = EventInterval(microseconds: a) - EventInterval(microseconds: b)
    #expect(length == EventInterval(microseconds: difference))
  }

  @Test(
    arguments: [(3, 0.5, 2), (-3, 2, -6), (.max, 2, .max), (1, .nan, 0)] as [(Int64, Double, Int64)]
  )
  func productsRoundAndSaturate(_ length: Int64, _ factor: Double, _ product: Int64) {
    #expect(
      EventInterval(microseconds: length) * factor == EventInterval(microseconds: product))
  }

  @Test(
    arguments: [
      (1, 1000), (0.0004, 0), (0.0006, 1), (-2.5, -2500), (1e300, .max), (-1e300, .min),
      (.infinity, .max), (-.infinity, .min), (.nan, 0), (9.3e15, .max),
    ] as [(Double, Int64)])
  func millisecondsRoundAndSaturate(milliseconds: Double, microseconds: Int64) {
    #expect(
      EventInterval.milliseconds(milliseconds) == EventInterval(microseconds: microseconds))
  }

  @Test(
    arguments: [
      (1, 1000), (-3, -3000), (0, 0), (.max, .max), (.min, .min),
    ] as [(Int, Int64)])
  func wholeMillisecondsSaturate(milliseconds: Int, microseconds: Int64) {
    #expect(
      EventInterval.milliseconds(milliseconds) == EventInterval(microseconds: microseconds))
  }

  @Test func eventsCanBeCompared() {
    let frame = TouchFrame(time: .zero, device: DeviceID(rawValue: 1))
    var other = frame
    #expect(InputEvent.touch(frame) == .touch(other))
    other.fingerCount = 1
    #expect([InputEvent.touch(frame)] != [.touch(other)])
    #expect(GlobalEvent.lost(1) != .lost(2))
  }

  @Test(
    arguments: [(1, 1_000_000), (0.25, 250_000), (-1e-7, 0), (.infinity, .max), (.nan, 0)]
      as [(Double, Int64)])
  func secondsRoundAndSaturate(seconds: Double, microseconds: Int64) {
    #expect(EventInterval.seconds(seconds) == EventInterval(microseconds: microseconds))
  }

  @Test func intervalsAreWrittenInMillisecondsAndSeconds() {
    let interval = EventInterval(microseconds: 1_250_500)
    #expect(interval.milliseconds == 1250.5)
    #expect(interval.seconds == 1.2505)
  }

  @Test(
    arguments: [
      (.milliseconds(300), 300_000), (.seconds(-2), -2_000_000), (.nanoseconds(1999), 1),
      (.nanoseconds(-1999), -1), (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
      (.seconds(9_223_372_036_854), 9_223_372_036_854_000_000),
      (.seconds(9_223_372_036_855), .max),
    ] as [(Duration, Int64)])
  func durationsBecomeWholeMicrosecondsAndSaturate(duration: Duration, microseconds: Int64) {
    #expect(EventInterval(duration) == EventInterval(microseconds: microseconds))
  }

  @Test(arguments: [0, 1, -1, 1_250_500, .max, .min] as [Int64])
  func aDurationGivesItsIntervalBack(microseconds: Int64) {
    let interval = EventInterval(microseconds: microseconds)
    #expect(EventInterval(Duration(interval)) == interval)
  }

  @Test func timesAreOrdered() {
    #expect(EventTime(microseconds: -1) < .zero)
    #expect(EventInterval.milliseconds(1) < .milliseconds(2))
  }
}
