import GlissEvents

/// Reads evemu: `N: I: P: B: A:` lines describe the device, `E:` lines are its events.
struct EvemuReader {
  /// N name, I identifier, P properties, B bits, A axis, L leds, S switches, E event.
  static let keywords: [UInt8] = Array("NIPBALSE".utf8)

  /// Bytes per bitmap line, and in the keys' bitmap, which is the longest.
  private static let (bitmapLine, longestBitmap) = (8, 96)

  private(set) var description = Device(name: "")
  private var hasEvents = false
  /// The next byte of each type's bitmap, because its lines follow each other without a number;
  /// the properties have no type.
  private var nextByte: [UInt16?: Int] = [:]

  mutating func line(_ line: LineCursor) throws(RecordingError) -> EvdevEvent? {
    var cursor = line
    cursor.skipBlanks()
    let keyword = cursor.byte
    if cursor.isAtEnd { return nil }
    if keyword == UInt8(ascii: "#") {
      comment(cursor)
      return nil
    }
    cursor.advance()
    guard Self.keywords.contains(keyword), cursor.take(0x3a) else {
      throw line.error("not a line of an evemu recording")
    }
    cursor.skipBlanks()
    if keyword == UInt8(ascii: "E") {
      hasEvents = true
      return try Self.event(cursor)
    }
    if hasEvents { throw .anotherRecording(at: line.number) }
    try describe(keyword, cursor)
    return nil
  }

  private static func event(_ start: LineCursor) throws(RecordingError) -> EvdevEvent {
    var cursor = start
    guard let time = cursor.time() else {
      throw start.error("an event needs its time as seconds.microseconds")
    }
    cursor.skipBlanks()
    let type: UInt16? = cursor.hexadecimal()
    cursor.skipBlanks()
    let code: UInt16? = cursor.hexadecimal()
    guard let type, let code else {
      throw start.error("an event needs its type and code as hexadecimal numbers")
    }
    cursor.skipBlanks()
    guard let value = cursor.value() else {
      throw start.error("an event needs its value as a number of 32 bits")
    }
    try end(cursor)
    return EvdevEvent(time: time, type: EvdevType(rawValue: type), code: code, value: value)
  }

  private mutating func describe(_ keyword: UInt8, _ start: LineCursor) throws(RecordingError) {
    var cursor = start
    switch keyword {
    case UInt8(ascii: "N"): description.name = cursor.rest()
    case UInt8(ascii: "I"): description.identifier = try identifier(&cursor)
    case UInt8(ascii: "P"):
      for property in try codes(of: nil, &cursor) {
        description.properties.insert(DeviceProperty(rawValue: property))
      }
    case UInt8(ascii: "B"):
      guard let type: UInt16 = cursor.hexadecimal() else {
        throw start.error("B: needs an event type as a hexadecimal number")
      }
      for code in try codes(of: type, &cursor) {
        description.add(code, of: EvdevType(rawValue: type))
      }
    case UInt8(ascii: "A"): try axis(&cursor)
    // LEDs and switches are not used
    case _: break
    }
  }

  private func identifier(_ cursor: inout LineCursor) throws(RecordingError) -> Device.Identifier {
    var parts: [UInt16] = []
    for _ in 0..<4 {
      cursor.skipBlanks()
      guard let part: UInt16 = cursor.hexadecimal() else {
        throw cursor.error("I: needs bus, vendor, product and version as hexadecimal numbers")
      }
      parts.append(part)
    }
    return Device.Identifier(parts: parts)
  }

  /// The codes whose bits are set in the next line of a bitmap.
  private mutating func codes(
    of type: UInt16?, _ cursor: inout LineCursor
  ) throws(RecordingError) -> [UInt16] {
    var values: [UInt8] = []
    while !cursor.isBlank {
      cursor.skipBlanks()
      guard let value: UInt8 = cursor.hexadecimal() else {
        throw cursor.error("a bitmap needs bytes as hexadecimal numbers")
      }
      values.append(value)
    }
    // Each line's codes follow those of the last one, so a short line would shift all later codes.
    guard values.count == Self.bitmapLine else {
      throw cursor.error("a bitmap needs \(Self.bitmapLine) bytes to a line")
    }
    let start = nextByte[type, default: 0]
    nextByte[type] = start + values.count
    if type != nil, start + values.count > Self.longestBitmap {
      throw cursor.error("this bitmap is longer than the codes of its type")
    }
    return (0..<values.count * 8).filter { values[$0 / 8] & 1 << UInt8($0 % 8) != 0 }
      .compactMap { UInt16(exactly: start * 8 + $0) }
  }

  /// `code minimum maximum fuzz flat resolution`; versions before 1.2 have no resolution.
  private mutating func axis(_ cursor: inout LineCursor) throws(RecordingError) {
    guard let code: UInt16 = cursor.hexadecimal() else {
      throw cursor.error("A: needs an axis as a hexadecimal number")
    }
    var values: [Int32] = []
    while values.count < 5, !cursor.isBlank {
      cursor.skipBlanks()
      guard let value = cursor.value() else {
        throw cursor.error("A: needs numbers of 32 bits")
      }
      values.append(value)
    }
    guard let range = AxisRange(parts: values) else {
      throw cursor.error("A: needs at least a minimum and a maximum")
    }
    try Self.end(cursor)
    description.axes[AbsoluteAxis(rawValue: code)] = range
  }

  /// Only a comment may follow.
  private static func end(_ cursor: LineCursor) throws(RecordingError) {
    if !cursor.isBlank { throw cursor.error("unexpected text after the last number") }
  }

  /// Recordings without a description often carry the device's name in a comment.
  private mutating func comment(_ start: LineCursor) {
    guard description.name.isEmpty else { return }
    var cursor = start
    guard cursor.take("# Input device name: \"") else { return }
    description.name = cursor.quoted()
  }
}
