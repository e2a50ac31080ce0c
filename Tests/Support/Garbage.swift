package import GlissEvents

/// Events that no kernel would send in this order, made of the codes that mean something.
package enum Garbage {
  /// Devices that a decoder may meet, some of which make no sense.
  package static let devices: [Device] = [
    pad("five slots", slots: AxisRange(minimum: 0, maximum: 4)),
    pad("two slots", slots: AxisRange(minimum: 0, maximum: 1)),
    pad("a hundred slots", slots: AxisRange(minimum: 0, maximum: 99)),
    pad("slots below 0", slots: AxisRange(minimum: -5, maximum: 5)),
    pad("slots that end before they begin", slots: AxisRange(minimum: 5, maximum: -5)),
    pad("all the slots there can be", slots: AxisRange(minimum: .min, maximum: .max)),
    pad("semi-mt", slots: AxisRange(minimum: 0, maximum: 1), properties: [.semiMultitouch]),
    pad("touchscreen", slots: AxisRange(minimum: 0, maximum: 9), properties: [.direct]),
    pad("no slots", slots: nil),
    pad(
      "a point", slots: AxisRange(minimum: 0, maximum: 4), x: AxisRange(minimum: 7, maximum: 7),
      y: AxisRange(minimum: 7, maximum: 7, resolution: 12)),
    pad(
      "upside down", slots: AxisRange(minimum: 0, maximum: 4),
      x: AxisRange(minimum: 1000, maximum: 0, resolution: 10)),
    pad(
      "everything", slots: AxisRange(minimum: 0, maximum: 4),
      x: AxisRange(minimum: .min, maximum: .max, resolution: .max),
      y: AxisRange(minimum: .min, maximum: .max, resolution: .min)),
    pad(
      "a thousandth of a millimetre", slots: AxisRange(minimum: 0, maximum: 4),
      x: AxisRange(minimum: 0, maximum: 1, resolution: 1000)),
    Device(
      name: "single touch",
      axes: [.x: AxisRange(minimum: 0, maximum: 1000), .y: AxisRange(minimum: 0, maximum: 600)],
      keys: [.touch, .toolFinger, .leftButton]),
    Device(name: "keyboard", keys: [.a, .leftShift]),
    Device(name: "nothing"),
  ]

  private static func pad(
    _ name: String, slots: AxisRange?,
    x: AxisRange = AxisRange(minimum: 0, maximum: 1000, resolution: 10),
    y: AxisRange = AxisRange(minimum: 0, maximum: 600, resolution: 10),
    properties: Set<DeviceProperty> = [.pointer, .buttonPad]
  ) -> Device {
    var axes: [AbsoluteAxis: AxisRange] = [
      .positionX: x, .positionY: y, .touchMajor: AxisRange(minimum: 0, maximum: 300),
      .trackingID: AxisRange(minimum: 0, maximum: 65535),
    ]
    axes[.slot] = slots
    return Device(
      name: name, axes: axes, keys: [.touch, .toolFinger, .leftButton], properties: properties)
  }

  private static let axes: [AbsoluteAxis] = [
    .slot, .trackingID, .trackingID, .positionX, .positionY, .positionX, .positionY, .x, .y,
    .touchMajor, .touchPressure, .toolType, .pressure, .toolWidth, AbsoluteAxis(rawValue: 0xffff),
  ]
  private static let keys: [Key] = [
    .touch, .toolFinger, .toolDoubleTap, .toolTripleTap, .toolQuadTap, .toolQuintTap, .leftButton,
    .rightButton, .middleButton, .a, .leftShift, .toolPen, Key(rawValue: 0xffff),
  ]

  /// An event made of four bytes and a value, the next after `time`; what the bytes mean does not matter.
  package static func event(
    _ a: UInt8, _ b: UInt8, _ c: UInt8, _ value: Int32, after time: inout EventTime
  ) -> EvdevEvent {
    time = time + interval(a)
    switch b % 8 {
    case 0, 1: return .report(at: time)
    case 2: return .key(keys[Int(c) % keys.count], value % 3, at: time)
    case 3 where c % 16 == 0:
      return EvdevEvent(
        time: time, type: .synchronization, code: SynchronizationCode.dropped, value: 0)
    case 3 where c % 16 == 1:
      return EvdevEvent(
        time: time, type: EvdevType(rawValue: UInt16(b) << 8 | UInt16(a)), code: UInt16(c),
        value: value)
    case _:
      let axis = axes[Int(c) % axes.count]
      return .absolute(axis, plausible(axis, value), at: time)
    }
  }

  /// Mostly a frame's time, sometimes none, long, back, or absurd.
  private static func interval(_ byte: UInt8) -> EventInterval {
    switch byte {
    case 0..<200: EventInterval(microseconds: Int64(byte) * 60)
    case 200..<220: .zero
    case 220..<240: .milliseconds(Double(byte) * 10)
    case 240..<250: .milliseconds(-Double(byte))
    case 250: EventInterval(microseconds: .max)
    case 251: EventInterval(microseconds: .min)
    case _: .milliseconds(8)
    }
  }

  /// Half of the values lie where they mean something.
  private static func plausible(_ axis: AbsoluteAxis, _ value: Int32) -> Int32 {
    if value & 0x10000 == 0 { return value }
    switch axis {
    case .slot: return value % 6
    case .trackingID: return value % 4 == 0 ? -1 : value & 0xffff
    case .toolType: return value % 3
    case _: return abs(value % 1000)
    }
  }
}
