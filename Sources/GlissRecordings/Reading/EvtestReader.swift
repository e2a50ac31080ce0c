import GlissEvents

/// Reads evtest: `Event: time …` lines, with or without a header that describes the device.
///
/// It is terminal output: what was typed meanwhile, and other lines after the header, are skipped
/// with a warning. Within the header they mean that the recording is damaged, because it is not
/// known what they described.
struct EvtestReader {
  private(set) var description = Device(name: "")
  /// Lines within the header that are not of it; accepted only if nothing follows.
  private(set) var unknownLines = RecordingWarnings()
  private var hasEvents = false
  /// The header is over, and no event has come yet.
  private var isWaiting = false
  private var type = EvdevType.synchronization
  private var axis: AbsoluteAxis?
  private var isInRepeat = false
  /// The first line that may be a piece of an event's; accepted only if no event follows.
  private var piece: Int?

  private static let ignored = "not a line of evtest and ignored; everything else is played"

  mutating func line(
    _ line: LineCursor, _ warnings: inout RecordingWarnings
  ) throws(RecordingError) -> EvdevEvent? {
    var cursor = line
    cursor.skipBlanks()
    if cursor.isAtEnd { return nil }
    if cursor.take("Event: time ") { return try event(&cursor) }
    let start = cursor
    if try header(&cursor) {
      try refuseUnknownLines()
      if hasEvents { throw .anotherRecording(at: line.number) }
      return nil
    }
    guard isWaiting || hasEvents else {
      unknownLines.add(line: line.number, Self.ignored)
      return nil
    }
    cursor = start
    if cursor.take("Event") { throw line.error("not a line of evtest") }
    guard Self.skipEcho(&cursor) else {
      if piece == nil, Self.isPiece(start) { piece = line.number }
      warnings.add(line: line.number, Self.ignored)
      return nil
    }
    let event = try event(&cursor)
    warnings.add(line: line.number, "the text before the event is ignored")
    return event
  }

  /// The terminal shows a typed key in front of the line that is printed next.
  private static func skipEcho(_ cursor: inout LineCursor) -> Bool {
    var next = cursor
    while next.skip(past: UInt8(ascii: "E")) {
      guard next.take("vent: time ") else { continue }
      cursor = next
      return true
    }
    return false
  }

  /// Whether a line is a piece of an event's line, which was wrapped or lost its front.
  private static func isPiece(_ line: LineCursor) -> Bool {
    var (number, cursor) = (line, line)
    if number.integer() != nil, number.isBlank { return true }
    while !cursor.isAtEnd {
      if cursor.take(anyOf: ["value ", ", type ", ", code ", "SYN_"]) { return true }
      cursor.advance()
    }
    return false
  }

  /// Unknown lines with more of the recording after them are damage, not an end.
  private func refuseUnknownLines() throws(RecordingError) {
    guard let first = unknownLines.kept.first else { return }
    throw RecordingError(line: first.line, "not a line of evtest")
  }

  private mutating func event(_ cursor: inout LineCursor) throws(RecordingError) -> EvdevEvent {
    try refuseUnknownLines()
    if let piece { throw RecordingError(line: piece, "not a line of evtest") }
    isWaiting = false
    hasEvents = true
    guard let time = cursor.time() else {
      throw cursor.error("an event needs its time as seconds.microseconds")
    }
    guard cursor.take(0x2c) else {
      throw cursor.error("a comma is missing after the event's time")
    }
    cursor.skipBlanks()
    if !cursor.take("type ") {
      guard let code = Self.synchronization(cursor) else {
        throw cursor.error("an event needs its type, or SYN_REPORT")
      }
      return EvdevEvent(time: time, type: .synchronization, code: code, value: 0)
    }
    guard let type = cursor.code(), cursor.skip(past: 0x2c) else {
      throw cursor.error("an event needs its type as a number of 16 bits")
    }
    cursor.skipBlanks()
    guard cursor.take("code "), let code = cursor.code(), cursor.skip(past: 0x2c) else {
      throw cursor.error("an event needs its code as a number of 16 bits")
    }
    cursor.skipBlanks()
    // MSC_RAW and MSC_SCAN are printed in hexadecimal.
    let isHexadecimal = type == EvdevType.miscellaneous.rawValue && (code == 3 || code == 4)
    guard cursor.take("value "),
      let value = isHexadecimal
        ? (cursor.hexadecimal() as UInt64?).map({ Int32(truncatingIfNeeded: $0) })
        : cursor.value()
    else {
      throw cursor.error("an event needs its value as a number of 32 bits")
    }
    cursor.skipBlanks()
    guard cursor.isAtEnd else {
      throw cursor.error("unexpected text after the event's value")
    }
    return EvdevEvent(time: time, type: EvdevType(rawValue: type), code: code, value: value)
  }

  /// Parses a line like `-------------- SYN_REPORT ------------`, in the wording of every version
  /// so far.
  private static func synchronization(_ start: LineCursor) -> UInt16? {
    let words: [(StaticString, UInt16)] = [
      ("SYN_REPORT", SynchronizationCode.report), ("Report Sync", SynchronizationCode.report),
      ("SYN_MT_REPORT", SynchronizationCode.multitouchReport),
      ("SYN_DROPPED", SynchronizationCode.dropped),
      ("SYN_CONFIG", SynchronizationCode.configuration),
      ("Config Sync", SynchronizationCode.configuration),
    ]
    var cursor = start
    let rule = cursor.byte
    guard rule == 0x2d || rule == 0x2b || rule == 0x3e else { return nil }
    while cursor.take(rule) {}
    cursor.skipBlanks()
    for (word, code) in words {
      guard cursor.take(word) else { continue }
      // If the second row of dashes is missing, the line is cut off.
      cursor.skipBlanks()
      return cursor.isAtEnd ? nil : code
    }
    return nil
  }
}

// The header.
extension EvtestReader {
  /// Parses a line of the header; false if it is not one.
  private mutating func header(_ cursor: inout LineCursor) throws(RecordingError) -> Bool {
    let headings: [StaticString] = ["Input driver version", "Supported events:", "Properties:"]
    if cursor.take(anyOf: headings) { return true }
    if cursor.take("Testing ...") {
      isWaiting = true
      return true
    }
    if cursor.take("Input device name: \"") {
      description.name = cursor.quoted()
      return true
    }
    if cursor.take("Input device ID:") {
      description.identifier = identifier(&cursor)
      return true
    }
    if cursor.take("Property type ") {
      guard let property = cursor.code() else { return false }
      description.properties.insert(DeviceProperty(rawValue: property))
      return true
    }
    if cursor.take("Event type ") {
      guard let type = cursor.code() else { return false }
      self.type = EvdevType(rawValue: type)
      axis = nil
      isInRepeat = false
      return true
    }
    if cursor.take("Event code ") { return code(&cursor) }
    return try range(&cursor)
  }

  private mutating func code(_ cursor: inout LineCursor) -> Bool {
    guard let code = cursor.code() else { return false }
    if type == .absolute {
      let axis = AbsoluteAxis(rawValue: code)
      description.axes[axis] = AxisRange(minimum: 0, maximum: 0)
      self.axis = axis
    } else {
      description.add(code, of: type)
    }
    return true
  }

  /// Parses `Value`, `Min`, `Max`, `Fuzz`, `Flat` and `Resolution` below an axis.
  private mutating func range(_ cursor: inout LineCursor) throws(RecordingError) -> Bool {
    if cursor.take("Repeat ") || cursor.take("Key repeat") {
      axis = nil
      isInRepeat = true
      return true
    }
    guard let axis else {
      // Key states and key repeat settings.
      return cursor.take("State ") || isInRepeat && cursor.take("Value ")
    }
    let fields: [(StaticString, WritableKeyPath<AxisRange, Int32>?)] = [
      ("Value ", nil), ("Min ", \.minimum), ("Max ", \.maximum), ("Fuzz ", \.fuzz),
      ("Flat ", \.flat), ("Resolution ", \.resolution),
    ]
    for (word, field) in fields where cursor.take(word) {
      cursor.skipBlanks()
      guard let value = cursor.value() else {
        throw cursor.error("an axis needs numbers of 32 bits")
      }
      if let field { description.axes[axis]?[keyPath: field] = value }
      // Some recordings lack the line break after the resolution.
      cursor.skipBlanks()
      if cursor.take("Event code ") { return code(&cursor) }
      return true
    }
    return false
  }

  /// `bus 0x18 vendor 0x0 product 0x0 version 0x1`; missing values are 0.
  private func identifier(_ cursor: inout LineCursor) -> Device.Identifier {
    var parts: [UInt16] = []
    for _ in 0..<4 {
      guard cursor.skip(past: 0x78),
        let part: UInt16 = cursor.hexadecimal()
      else { break }
      parts.append(part)
    }
    return Device.Identifier(parts: parts)
  }
}
