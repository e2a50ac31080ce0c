import GlissEvents
import GlissGestures
import GlissSession

/// What a kernel sends, packet by packet, into a decoder or a session.
struct Packet {
  var events: [EvdevEvent] = []

  /// The events of one packet, without its end.
  init(_ parts: Part...) { events = parts.map(\.event) }

  struct Part {
    var event: EvdevEvent

    static func slot(_ slot: Int32) -> Part { axis(.slot, slot) }
    static func id(_ identifier: Int32) -> Part { axis(.trackingID, identifier) }
    static func x(_ value: Int32) -> Part { axis(.positionX, value) }
    static func y(_ value: Int32) -> Part { axis(.positionY, value) }
    static func axis(_ axis: AbsoluteAxis, _ value: Int32) -> Part {
      Part(event: .absolute(axis, value, at: .zero))
    }
    static func down(_ key: Key) -> Part { Part(event: .key(key, 1, at: .zero)) }
    static func up(_ key: Key) -> Part { Part(event: .key(key, 0, at: .zero)) }
    static var dropped: Part {
      Part(
        event: EvdevEvent(
          time: .zero, type: .synchronization, code: SynchronizationCode.dropped, value: 0))
    }
  }
}

/// A decoder with the tracker behind it, fed by packets one period apart.
final class Feed {
  private var decoder: EvdevDecoder
  private var tracker: TouchTracker
  private var now: Int64 = 0
  /// From one packet to the next, in µs.
  var period: Int64 = 8000

  init(_ device: Device) {
    decoder = EvdevDecoder(for: device)
    tracker = TouchTracker(for: device)
  }

  /// One packet: the touches of the frame it makes, `nil` where it makes none.
  func touches(_ parts: Packet.Part...) -> [Touch]? {
    guard let frame = send(parts.map(\.event)) else { return nil }
    tracker.process(frame)
    return tracker.frame.touches.indices.map { tracker.frame.touches[$0] }
  }

  /// Interrupts the tracker: the touches of the frame that makes.
  func interrupt() -> [Touch] {
    tracker.interrupt(at: EventTime(microseconds: now))
    return tracker.frame.touches.indices.map { tracker.frame.touches[$0] }
  }

  /// One packet: what the decoder makes of it.
  func raw(_ parts: Packet.Part...) -> RawFrame? { send(parts.map(\.event)) }

  private func send(_ events: [EvdevEvent]) -> RawFrame? {
    now += period
    var frame: RawFrame?
    for var event in events + [.report(at: .zero)] {
      event.time = EventTime(microseconds: now)
      switch decoder.process(event) {
      case .frame: frame = decoder.frame
      case .none, .key, .lost: break
      }
    }
    return frame
  }
}

extension RawFrame {
  /// The contacts' places, in order of their slots.
  var places: [[Int32]] { contacts.indices.map { [contacts[$0].x, contacts[$0].y] } }
}

extension Touch {
  /// Serial and phase, as "1 began".
  var summary: String { "\(id.serial) \(phase.name)" }
}

extension Device {
  /// 100 × 60 mm, ten units a mm.
  static func pad(
    slots: Int32? = 5, properties: Set<DeviceProperty> = [.pointer, .buttonPad],
    x: AxisRange = AxisRange(minimum: 0, maximum: 1000, resolution: 10),
    y: AxisRange = AxisRange(minimum: 0, maximum: 600, resolution: 10)
  ) -> Device {
    var axes: [AbsoluteAxis: AxisRange] = [
      .positionX: x, .positionY: y, .trackingID: AxisRange(minimum: 0, maximum: 65535),
      .toolType: AxisRange(minimum: 0, maximum: 2),
    ]
    if let slots { axes[.slot] = AxisRange(minimum: 0, maximum: slots - 1) }
    return Device(
      name: "Pad", axes: axes, keys: [.touch, .toolFinger, .leftButton], properties: properties)
  }

  /// ABS_X, ABS_Y and BTN_TOUCH, no slots.
  static let singleTouch = Device(
    name: "Pad",
    axes: [
      .x: AxisRange(minimum: 0, maximum: 1000, resolution: 10),
      .y: AxisRange(minimum: 0, maximum: 600, resolution: 10),
      .pressure: AxisRange(minimum: 0, maximum: 255),
    ], keys: [.touch, .toolFinger, .toolDoubleTap, .leftButton], properties: [.pointer])
}
