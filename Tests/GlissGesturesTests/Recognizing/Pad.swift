import GlissEvents
import GlissGestures

/// A pad of 100 × 60 mm under a recognizer, moved by hand: fingers in mm, time in ms.
struct TestPad {
  static let device = Device(
    name: "Test Pad",
    axes: [
      .positionX: AxisRange(minimum: 0, maximum: 1000, resolution: 10),
      .positionY: AxisRange(minimum: 0, maximum: 600, resolution: 10),
      .slot: AxisRange(minimum: 0, maximum: 9),
    ], keys: [.touch, .toolFinger], properties: [.pointer])

  private var recognizer: GestureRecognizer
  private(set) var now: Int64 = 0
  /// Everything that was recognized, in order.
  private(set) var gestures: [GestureEvent] = []
  private(set) var decisions: [Decision] = []
  /// The pad reports its two fingers as one contact.
  var isMerged = false
  /// Fingers that the pad counts and does not show.
  var hidden = 0
  /// A palm that lies still, in mm.
  var palm: Vector2?
  private var fingers: [(serial: UInt32, place: Vector2, major: Float)] = []
  private var lastSerial: UInt32 = 0

  init(_ configuration: GestureConfiguration = .init()) {
    recognizer = GestureRecognizer(for: Self.device, configuration: configuration)
  }

  var deadline: Int64? { recognizer.deadline.map { $0.microseconds / 1000 } }

  /// Puts fingers down now.
  mutating func land(_ places: (Double, Double)..., major: Float = 0) {
    var began: [UInt32] = []
    for place in places {
      lastSerial += 1
      began.append(lastSerial)
      fingers.append((lastSerial, Vector2(x: place.0, y: place.1), major))
    }
    send { touch in began.contains(touch.serial) ? .began : .stationary }
  }

  /// Lifts the fingers with those indices, in the order they landed in.
  mutating func lift(_ indices: Int...) {
    let gone = indices.map { fingers[$0].serial }
    send { touch in gone.contains(touch.serial) ? .ended : .stationary }
    fingers.removeAll { gone.contains($0.serial) }
  }

  /// Lifts fingers in a frame in which the others move.
  mutating func lift(_ indices: [Int], whileMoving moving: (Double, Double)...) {
    now += 8
    let gone = indices.map { fingers[$0].serial }
    for (other, way) in moving.enumerated() { fingers[other].place += Vector2(x: way.0, y: way.1) }
    send { touch in gone.contains(touch.serial) ? .ended : .moved }
    fingers.removeAll { gone.contains($0.serial) }
  }

  /// Gives the finger with that index a new identity, as if another had landed in its place, or at
  /// `place`.
  mutating func replace(_ index: Int, at place: (Double, Double)? = nil) {
    lastSerial += 1
    let gone = fingers[index].serial
    let new = place.map { Vector2(x: $0.0, y: $0.1) } ?? fingers[index].place
    fingers.append((lastSerial, new, fingers[index].major))
    let serial = lastSerial
    send { $0.serial == gone ? .ended : $0.serial == serial ? .began : .moved }
    fingers.remove(at: index)
  }

  /// A monitor takes the finger with that index away: its touch is cancelled, the others go on.
  mutating func swallow(_ index: Int) {
    let gone = fingers[index].serial
    send { $0.serial == gone ? .cancelled : .moved }
    fingers.remove(at: index)
  }

  mutating func liftAll() {
    send { _ in .ended }
    fingers.removeAll()
  }

  /// Lets `milliseconds` pass in frames of 8 ms, while each finger moves evenly by its displacement in mm.
  mutating func pass(_ milliseconds: Int64, moving: (Double, Double)...) {
    pass(milliseconds, moving: moving)
  }

  mutating func pass(_ milliseconds: Int64, moving: [(Double, Double)]) {
    let starts = fingers.map(\.place)
    let end = now + milliseconds
    let begin = now
    while now < end {
      now = min(end, now + 8)
      let share = Double(now - begin) / Double(milliseconds)
      for (index, way) in moving.enumerated() where index < fingers.count {
        fingers[index].place = starts[index] + Vector2(x: way.0, y: way.1) * share
      }
      send { _ in moving.isEmpty ? .stationary : .moved }
    }
  }

  /// Each finger moves by its displacement in mm within a frame of 8 ms.
  mutating func step(_ ways: (Double, Double)...) { pass(8, moving: ways) }

  /// Lets time pass without a frame.
  mutating func advance(to milliseconds: Int64) {
    now = milliseconds
    recognizer.advance(to: EventTime(microseconds: now * 1000))
    collect()
  }

  mutating func cancel() {
    recognizer.cancel(at: EventTime(microseconds: now * 1000))
    collect()
    fingers.removeAll()
  }

  private typealias Down = (serial: UInt32, place: Vector2, major: Float)

  private mutating func send(_ phase: (Down) -> Touch.Phase) {
    var frame = TouchFrame(time: EventTime(microseconds: now * 1000), device: Self.device.id)
    frame.isMerged = isMerged
    for finger in fingers {
      var touch = Touch(
        id: TouchID(device: Self.device.id, serial: finger.serial), phase: phase(finger),
        normalizedPosition: Vector2(x: finger.place.x / 100, y: finger.place.y / 60),
        position: finger.place)
      touch.major = finger.major
      frame.touches.append(touch)
      if !touch.phase.isFinal { frame.fingerCount += 1 }
    }
    if let palm {
      let id = TouchID(device: Self.device.id, serial: .max)
      var touch = Touch(id: id, phase: .stationary, normalizedPosition: .zero, position: palm)
      touch.isResting = true
      frame.touches.append(touch)
      frame.fingerCount += 1
    }
    frame.fingerCount += hidden
    recognizer.process(frame)
    collect()
  }

  private mutating func collect() {
    for output in recognizer.outputs {
      switch output {
      case .gesture(let gesture): gestures.append(gesture)
      case .decision(let decision): decisions.append(decision)
      }
    }
  }

  /// The gestures' kinds and phases without the changes between, as "pinch2 began".
  var story: [String] {
    gestures.filter { $0.phase != .changed }
      .map { "\($0.kind.name)\($0.fingers) \($0.phase.name)" }
  }
}
