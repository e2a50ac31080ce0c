import GlissEvents

/// Reads evemu: `N: I: P: B: A:` lines describe the device, `E:` lines are its events.
struct EvemuReader {
  /// N name, I identifier, P properties, B bits, A axis, L leds, S switches, E event.
  static let keywords: [UInt8] = Array("NIPBALSE".utf8)

  /// Bytes per bitmap line, and in the keys' bitmap, which is the longest.
  private static let (bitmapLine, longestBitmap) = (8, 96)

  private(set) var description = Device(name: "")
  private var hasEvents = false
  /// The next byte of each bitmap, because its lines follow each other without a number.
  private var nextPropertyByte = 0
  private var nextByte: [UInt16: Int] = [:]

  mutating func line(_ bytes: Span<UInt8>, _ line: LineCursor)
    throws(RecordingError) -> EvdevEvent?
  {
    var cursor = line
    cursor.skipBlanks(in: bytes)
    let keyword = cursor.byte(in: bytes)
    if cursor.isAtEnd { return nil }
    if keyword == UInt8(ascii: "#") {
      comment(bytes, cursor)
      return nil
    }
    cursor.advance()
    guard Self.keywords.contains(keyword), cursor.take(0x3a, in: bytes) else {
      throw line.error("not a line of an evemu recording")
    }
    cursor.skipBlanks(in: bytes)
    if keyword == UInt8(ascii: "E") {
      hasEvents = true
      return try Self.event(bytes, cursor)
    }
    if hasEvents { throw .anotherRecording(at: line.number) }
    try describe(keyword, bytes, cursor)
    return nil
  }

  private static func event(_ bytes: Span<UInt8>, _ start: LineCursor)
    throws(RecordingError) -> EvdevEvent
  {
    var cursor = start
    guard let time = cursor.time(in: bytes) else {
      throw start.error("an event needs its time as seconds.microseconds")
    }
    cursor.skipBlanks(in: bytes)
    let type = cursor.hexadecimal(in: bytes).flatMap { UInt16(exactly: $0) }
    cursor.skipBlanks(in: bytes)
    let code = cursor.hexadecimal(in: bytes).flatMap { UInt16(exactly: $0) }
    guard let type, let code else {
      throw start.error("an event needs its type and code as hexadecimal numbers")
    }
    cursor.skipBlanks(in: bytes)
    guard let value = cursor.integer(in: bytes).flatMap({ Int32(recorded: $0) }) else {
      throw start.error("an event needs its value as a number of 32 bits")
    }
    try end(bytes, cursor)
    return EvdevEvent(time: time, type: EvdevType(rawValue: type), code: code, value: value)
  }

  private mutating func describe(
    _ keyword: UInt8, _ bytes: Span<UInt8>, _ start: LineCursor
  ) throws(RecordingError) {
    var cursor = start
    switch keyword {
    case UInt8(ascii: "N"):
      description.name = cursor.rest(in: bytes)
    case UInt8(ascii: "I"):
      description.identifier = try identifier(bytes, &cursor)
    case UInt8(ascii: "P"):
      for byte in try bitmap(bytes, &cursor) {
        for property in Self.codes(in: byte, at: nextPropertyByte) {
          description.properties.insert(DeviceProperty(rawValue: property))
        }
        nextPropertyByte &+= 1
      }
    case UInt8(ascii: "B"):
      guard let type = cursor.hexadecimal(in: bytes).flatMap({ UInt16(exactly: $0) }) else {
        throw start.error("B: needs an event type as a hexadecimal number")
      }
      let line = try bitmap(bytes, &cursor)
      guard nextByte[type, default: 0] + line.count <= Self.longestBitmap else {
        throw start.error("this bitmap is longer than the codes of its type")
      }
      for byte in line {
        let place = nextByte[type, default: 0]
        for code in Self.codes(in: byte, at: place) {
          description.add(code, of: EvdevType(rawValue: type))
        }
        nextByte[type] = place &+ 1
      }
    case UInt8(ascii: "A"):
      try axis(bytes, &cursor)
    case _:
      break  // LEDs and switches are not used
    }
  }

  private func identifier(_ bytes: Span<UInt8>, _ cursor: inout LineCursor)
    throws(RecordingError) -> Device.Identifier
  {
    var parts: [UInt16] = []
    for _ in 0..<4 {
      cursor.skipBlanks(in: bytes)
      guard let part = cursor.hexadecimal(in: bytes).flatMap({ UInt16(exactly: $0) }) else {
        throw cursor.error("I: needs bus, vendor, product and version as hexadecimal numbers")
      }
      parts.append(part)
    }
    return Device.Identifier(parts: parts)
  }

  private func bitmap(_ bytes: Span<UInt8>, _ cursor: inout LineCursor)
    throws(RecordingError) -> [UInt8]
  {
    var values: [UInt8] = []
    while !cursor.isBlank(in: bytes) {
      cursor.skipBlanks(in: bytes)
      guard let value = cursor.hexadecimal(in: bytes).flatMap({ UInt8(exactly: $0) }) else {
        throw cursor.error("a bitmap needs bytes as hexadecimal numbers")
      }
      values.append(value)
    }
    // Each line's codes follow those of the last one, so a short line would shift all later codes.
    guard values.count == Self.bitmapLine else {
      throw cursor.error("a bitmap needs \(Self.bitmapLine) bytes to a line")
    }
    return values
  }

  /// `code minimum maximum fuzz flat resolution`; versions before 1.2 have no resolution.
  private mutating func axis(_ bytes: Span<UInt8>, _ cursor: inout LineCursor)
    throws(RecordingError)
  {
    guard let code = cursor.hexadecimal(in: bytes).flatMap({ UInt16(exactly: $0) }) else {
      throw cursor.error("A: needs an axis as a hexadecimal number")
    }
    var values: [Int32] = []
    while values.count < 5, !cursor.isBlank(in: bytes) {
      cursor.skipBlanks(in: bytes)
      guard let value = cursor.integer(in: bytes).flatMap({ Int32(recorded: $0) }) else {
        throw cursor.error("A: needs numbers of 32 bits")
      }
      values.append(value)
    }
    guard let range = AxisRange(parts: values) else {
      throw cursor.error("A: needs at least a minimum and a maximum")
    }
    try Self.end(bytes, cursor)
    description.axes[AbsoluteAxis(rawValue: code)] = range
  }

  /// The codes whose bits are set in the byte at `index` of a bitmap.
  private static func codes(in byte: UInt8, at index: Int) -> [UInt16] {
    (0..<8).filter { byte & 1 << UInt8($0) != 0 }.compactMap { UInt16(exactly: index * 8 + $0) }
  }

  /// Only a comment may follow.
  private static func end(_ bytes: Span<UInt8>, _ cursor: LineCursor) throws(RecordingError) {
    if !cursor.isBlank(in: bytes) { throw cursor.error("unexpected text after the last number") }
  }

  /// Recordings without a description often carry the device's name in a comment.
  private mutating func comment(_ bytes: Span<UInt8>, _ start: LineCursor) {
    guard description.name.isEmpty else { return }
    var cursor = start
    guard cursor.take("# Input device name: \"", in: bytes) else { return }
    description.name = cursor.quoted(in: bytes)
  }
}
