import GlissEvents

/// Where the events of one device begin in a libinput recording: enough to read them again from there.
struct RecordingSection: Hashable, Sendable {
  /// Counts the recording's devices from 0.
  var device: Int
  /// Bytes from the beginning to the section's first line.
  var offset: Int64
  /// The number of the section's first line.
  var line: Int
  /// Blanks before `events:`; what stands further left ends the section.
  var indentation: Int
}

/// `libinput record` YAML: the head of each device goes through libyaml, its events are scanned here.
///
/// A recording of several devices has one list of events for each, after one another.
struct LibinputReader {
  /// No device describes itself in more.
  static let largestHead = 1 << 20
  static let mostDevices = 1024

  private enum Part {
    /// Lines that describe a device are gathered up to its `events:`.
    case head
    /// Lines are events.
    case events
    /// Keys of the same device after its events; of no use here.
    case tail
    /// The one section that was asked for is over.
    case over
  }

  private var part = Part.head
  private var head: [UInt8] = []
  private var headLine = 0
  private var isInEvdevBlock = false
  private var indentation = 0
  private let isResumed: Bool
  private(set) var sections: [RecordingSection] = []
  /// How many devices the recording says it has; `nil` where it does not say.
  private(set) var declaredDevices: Int?
  /// The device whose events come now.
  private(set) var device = 0
  /// The device whose head was just read; taken by the caller.
  var announced: Device?

  init() { isResumed = false }

  /// Reads nothing but the events of `section`.
  init(resuming section: RecordingSection) {
    isResumed = true
    part = .events
    indentation = section.indentation
    device = section.device
  }

  /// True once the section that was asked for is over.
  var isOver: Bool { part == .over }

  /// One line; `next` is the place of the line after it, from the recording's beginning.
  mutating func line(_ bytes: Span<UInt8>, _ line: LineCursor, at number: Int, next: Int64)
    throws(RecordingError) -> EvdevEvent?
  {
    switch part {
    case .events:
      return try eventLine(bytes, line, at: number, next: next)
    case .head:
      try headLine(bytes, line, at: number, next: next)
    case .tail:
      var cursor = line
      let indent = Self.indentation(bytes, &cursor)
      if indent < indentation, cursor.byte(in: bytes) == 0x2d {
        part = .head
        try headLine(bytes, line, at: number, next: next)
      }
    case .over:
      break
    }
    return nil
  }

  /// The input is over: what was gathered of a head is read, its events are missing.
  mutating func finish(at number: Int, _ warnings: inout RecordingWarnings) throws(RecordingError) {
    guard part == .head, !isResumed else { return }
    do {
      try readHead(at: number)
      warnings.add("the recording has no events of \(announced?.name ?? "its device")")
    } catch {
      if sections.isEmpty { throw error }
      warnings.add(line: headLine, "the recording is cut off in the description of a device")
    }
  }

  private static func indentation(_ bytes: Span<UInt8>, _ cursor: inout LineCursor) -> Int {
    let start = cursor.position
    while cursor.take(0x20, in: bytes) {}
    return cursor.position - start
  }
}

// Heads.
extension LibinputReader {
  private mutating func headLine(
    _ bytes: Span<UInt8>, _ line: LineCursor, at number: Int, next: Int64
  ) throws(RecordingError) {
    var cursor = line
    let indent = Self.indentation(bytes, &cursor)
    if cursor.take("events:", in: bytes) {
      let isEmpty = try Self.valueIsEmptyList(bytes, cursor, at: number)
      try readHead(at: number)
      guard sections.count < Self.mostDevices else {
        throw RecordingError(
          line: number, "the recording has more than \(Self.mostDevices) devices")
      }
      device = sections.count
      sections.append(
        RecordingSection(device: device, offset: next, line: number + 1, indentation: indent))
      indentation = indent
      isInEvdevBlock = false
      part = isEmpty ? .tail : .events
      return
    }
    if head.isEmpty { headLine = number }
    guard head.count + (line.end - line.position) < Self.largestHead else {
      throw RecordingError(
        line: headLine, "the description of the device is longer than \(Self.largestHead) bytes")
    }
    var place = line.position
    while place < line.end {
      head.append(bytes[place])
      place += 1
    }
    head.append(0x0a)
  }

  /// `events:` has its list below it; `[]`, `null` and `~` stand for an empty one.
  private static func valueIsEmptyList(
    _ bytes: Span<UInt8>, _ start: LineCursor, at number: Int
  ) throws(RecordingError) -> Bool {
    var cursor = start
    cursor.skipBlanks(in: bytes)
    if cursor.isAtEnd || cursor.byte(in: bytes) == UInt8(ascii: "#") { return false }
    for word in ["[]", "null", "~"] as [StaticString] where cursor.take(word, in: bytes) {
      return true
    }
    throw RecordingError(
      line: number, "the events are not one to a line",
      advice: "write them as libinput record does")
  }

  private mutating func readHead(at number: Int) throws(RecordingError) {
    let isFirst = sections.isEmpty
    let parsed = try RecordingHead(head, firstLine: max(1, headLine), isFirst: isFirst)
    if let count = parsed.deviceCount { declaredDevices = count }
    announced = parsed.device
    head.removeAll()
  }
}

// Events.
extension LibinputReader {
  @inline(__always)
  private mutating func eventLine(
    _ bytes: Span<UInt8>, _ line: LineCursor, at number: Int, next: Int64
  ) throws(RecordingError) -> EvdevEvent? {
    var cursor = line
    let indent = Self.indentation(bytes, &cursor)
    let first = cursor.byte(in: bytes)
    if first == 0x2d, indent >= indentation {
      cursor.advance()
      cursor.skipBlanks(in: bytes)
      if cursor.byte(in: bytes) == UInt8(ascii: "[") {
        return isInEvdevBlock ? try row(bytes, cursor, at: number) : nil
      }
      try block(bytes, cursor, at: number)
      return nil
    }
    try otherLine(bytes, line, indent: indent, first: first, at: number, next: next)
    return nil
  }

  /// `[seconds, microseconds, type, code, value]`
  @inline(__always)
  private func row(_ bytes: Span<UInt8>, _ start: LineCursor, at number: Int)
    throws(RecordingError) -> EvdevEvent
  {
    var cursor = start
    cursor.advance()
    cursor.skipBlanks(in: bytes)
    guard let seconds = cursor.integer(in: bytes), Self.comma(bytes, &cursor),
      let microseconds = cursor.integer(in: bytes), Self.comma(bytes, &cursor),
      let type = cursor.digits(in: bytes), type <= 0xffff, Self.comma(bytes, &cursor),
      let code = cursor.digits(in: bytes), code <= 0xffff, Self.comma(bytes, &cursor),
      let value = cursor.integer(in: bytes).flatMap({ Int32(recorded: $0) }),
      Self.closes(bytes, &cursor)
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
  private static func comma(_ bytes: Span<UInt8>, _ cursor: inout LineCursor) -> Bool {
    cursor.skipBlanks(in: bytes)
    guard cursor.take(0x2c, in: bytes) else { return false }
    cursor.skipBlanks(in: bytes)
    return true
  }

  @inline(__always)
  private static func closes(_ bytes: Span<UInt8>, _ cursor: inout LineCursor) -> Bool {
    cursor.skipBlanks(in: bytes)
    guard cursor.take(0x5d, in: bytes) else { return false }
    cursor.skipBlanks(in: bytes)
    return cursor.isAtEnd || cursor.byte(in: bytes) == UInt8(ascii: "#")
  }

  /// A line `- evdev:` begins a packet; `- libinput:`, `- hidraw0:` and the like begin what is passed over.
  private mutating func block(_ bytes: Span<UInt8>, _ start: LineCursor, at number: Int)
    throws(RecordingError)
  {
    var cursor = start
    guard cursor.take("evdev:", in: bytes) else {
      // what belongs to a block that is passed over is a list too
      if cursor.byte(in: bytes) != UInt8(ascii: "{"), cursor.skip(past: 0x3a, in: bytes) {
        isInEvdevBlock = false
      } else if isInEvdevBlock {
        throw RecordingError(line: number, "this is no event of a device")
      }
      return
    }
    isInEvdevBlock = true
    cursor.skipBlanks(in: bytes)
    if !cursor.isAtEnd, cursor.byte(in: bytes) != UInt8(ascii: "#") {
      throw RecordingError(
        line: number, "the events are not one to a line",
        advice: "write them as libinput record does")
    }
  }

  /// Neither a packet nor an event: blank, a comment, part of a block that is passed over, or the section's end.
  private mutating func otherLine(
    _ bytes: Span<UInt8>, _ line: LineCursor, indent: Int, first: UInt8, at number: Int,
    next: Int64
  ) throws(RecordingError) {
    if first == 0 || first == UInt8(ascii: "#") || first == 0x09 { return }
    if indent > indentation || (indent == indentation && first == 0x2d) {
      if isInEvdevBlock { throw RecordingError(line: number, "this is no event of a device") }
      return
    }
    if isResumed {
      part = .over
      return
    }
    part = .tail
    _ = try self.line(bytes, line, at: number, next: next)
  }
}
