import GlissEvents

// Classifies and parses single lines, whatever comes before them.
extension LibinputReader {
  static func indentation(_ bytes: Span<UInt8>, _ cursor: inout LineCursor) -> Int {
    let start = cursor.position
    while cursor.take(0x20, in: bytes) {}
    return cursor.position - start
  }

  /// Whether the rest of the line is empty or a comment.
  static func isBlank(_ bytes: Span<UInt8>, _ start: LineCursor) -> Bool {
    var cursor = start
    cursor.skipBlanks(in: bytes)
    return cursor.isAtEnd || cursor.byte(in: bytes) == UInt8(ascii: "#")
  }

  /// Whether this begins a list of events: a packet, or an event.
  static func isEvent(_ bytes: Span<UInt8>, _ start: LineCursor) -> Bool {
    var cursor = start
    guard cursor.take(0x2d, in: bytes) else { return false }
    cursor.skipBlanks(in: bytes)
    return cursor.byte(in: bytes) == UInt8(ascii: "[") || cursor.take("evdev:", in: bytes)
  }

  /// Whether this begins or ends a YAML document.
  static func isMarker(_ bytes: Span<UInt8>, _ start: LineCursor) -> Bool {
    var cursor = start
    guard cursor.take("---", in: bytes) || cursor.take("...", in: bytes) else { return false }
    return isBlank(bytes, cursor)
  }

  static func isKeyOfARecording(_ bytes: Span<UInt8>, _ start: LineCursor) -> Bool {
    var cursor = start
    for key in keysOfARecording where cursor.take(key, in: bytes) { return true }
    return false
  }

  static let keysOfADevice: [StaticString] = [
    "node:", "hid:", "udev:", "libinput:", "quirks:",
  ]

  static let keysOfARecording: [StaticString] = [
    "version:", "ndevices:", "libinput:", "system:", "devices:",
  ]

  /// Whether `events:` is empty (`[]`, `null` or `~`). Otherwise its list follows on the next
  /// lines.
  static func valueIsEmptyList(
    _ bytes: Span<UInt8>, _ start: LineCursor, at number: Int
  ) throws(RecordingError) -> Bool {
    if isBlank(bytes, start) { return false }
    var cursor = start
    cursor.skipBlanks(in: bytes)
    for word in ["[]", "null", "~"] as [StaticString] where cursor.take(word, in: bytes) {
      return true
    }
    throw RecordingError(
      line: number, "the events are not one to a line",
      advice: "write them as libinput record does")
  }

  /// `[seconds, microseconds, type, code, value]`
  @inline(__always)
  static func row(_ bytes: Span<UInt8>, _ start: LineCursor, at number: Int)
    throws(RecordingError) -> EvdevEvent
  {
    var cursor = start
    cursor.advance()
    cursor.skipBlanks(in: bytes)
    guard let seconds = cursor.integer(in: bytes), comma(bytes, &cursor),
      let microseconds = cursor.integer(in: bytes), comma(bytes, &cursor),
      let type = cursor.digits(in: bytes), type <= 0xffff, comma(bytes, &cursor),
      let code = cursor.digits(in: bytes), code <= 0xffff, comma(bytes, &cursor),
      let value = cursor.integer(in: bytes).flatMap({ Int32(recorded: $0) }),
      closes(bytes, &cursor)
    else {
      throw RecordingError(
        line: number, column: cursor.position - start.position + 1,
        "an event needs [seconds, microseconds, type, code, value]")
    }
    guard let time = EventTime(recordedSeconds: seconds, microseconds: microseconds) else {
      throw RecordingError(line: number, "the event's time is more than 64 bits hold")
    }
    return EvdevEvent(
      time: time, type: EvdevType(rawValue: UInt16(truncatingIfNeeded: type)),
      code: UInt16(truncatingIfNeeded: code), value: value)
  }

  @inline(__always)
  static func comma(_ bytes: Span<UInt8>, _ cursor: inout LineCursor) -> Bool {
    cursor.skipBlanks(in: bytes)
    guard cursor.take(0x2c, in: bytes) else { return false }
    cursor.skipBlanks(in: bytes)
    return true
  }

  @inline(__always)
  static func closes(_ bytes: Span<UInt8>, _ cursor: inout LineCursor) -> Bool {
    cursor.skipBlanks(in: bytes)
    guard cursor.take(0x5d, in: bytes) else { return false }
    cursor.skipBlanks(in: bytes)
    return cursor.isAtEnd || cursor.byte(in: bytes) == UInt8(ascii: "#")
  }

  /// Whether this is part of a HID device's report: its time, its node, or bytes.
  static func isBytes(_ bytes: Span<UInt8>, _ start: LineCursor) -> Bool {
    var cursor = start
    let first = cursor.byte(in: bytes)
    return first == UInt8(ascii: "]") || first >= 0x30 && first <= 0x39
      || cursor.take("time:", in: bytes) || cursor.take("hidraw", in: bytes)
  }
}
