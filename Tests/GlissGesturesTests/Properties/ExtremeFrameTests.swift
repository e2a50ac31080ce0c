import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissGestures

/// Frames that no device sends, but a program can make or read from a file.
@Suite struct ExtremeFrameTests {
  private static let counts = [Int.min, -1, 0, 1, 2, 3, 255, 256, .max]
  private static let numbers = [
    -.greatestFiniteMagnitude, -1e9, 0, 5, 40, 1e9, .greatestFiniteMagnitude, .infinity, .nan,
  ]

  @Test func noFrameStopsTheRecognizer() {
    var random = Seed.source("extreme frames")
    for _ in 0..<50 {
      var recognizer = GestureRecognizer(for: TestPad.device)
      var time = Int64(0)
      var outputs = 0
      for _ in 0..<100 {
        time += Int64(random.integer(0...20_000))
        let frame = Self.frame(at: EventTime(microseconds: time), &random)
        recognizer.process(frame)
        outputs += recognizer.outputs.count
      }
      recognizer.advance(to: EventTime(microseconds: .max))
      outputs += recognizer.outputs.count
      #expect(outputs >= 0, Comment(rawValue: Seed.advice))
    }
  }

  private static func frame(at time: EventTime, _ random: inout RandomSource) -> TouchFrame {
    func any<Value>(_ values: [Value]) -> Value { values[random.integer(0...(values.count - 1))] }
    var frame = TouchFrame(time: time, device: TestPad.device.id)
    for serial in 0..<UInt32(random.integer(0...5)) where random.chance(0.8) {
      var touch = Touch(
        id: TouchID(device: TestPad.device.id, serial: serial),
        phase: any([.began, .moved, .stationary, .ended, .cancelled]),
        normalizedPosition: Vector2(x: any(numbers), y: any(numbers)),
        position: Vector2(x: any(numbers), y: any(numbers)))
      touch.major = Float(any(numbers))
      touch.isResting = random.chance(0.2)
      frame.touches.append(touch)
    }
    frame.fingerCount = any(counts)
    return frame
  }
}
