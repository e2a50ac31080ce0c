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
    /// Keys of the same device after its events, or of the recording; of no use here.
    case tail
    /// The one section that was asked for is over.
    case over
  }

  /// What the lines of a section belong to.
  private enum Block {
    /// No block has begun.
    case none
    /// The kernel's events, one to a line.
    case evdev
    /// What libinput made of them: mappings, one to a line. Of no use here.
    case libinput
    /// Bytes of a HID device, over several lines. Of no use here.
    case hid
  }

  private var part = Part.head
  private var block = Block.none
  private var head: [UInt8] = []
  private var headLine = 0
  /// Blanks before the dash of the device that is described; `nil` until it has come.
  private var deviceIndentation: Int?
  /// `devices:` has come.
  private var isInDevices = false
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
      try tailLine(bytes, line, at: number, next: next)
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
      // what is missing shows at the end, or at the device that it is missing of; all else is damage
      let isCutOff = error.line.map { $0 >= number || $0 == headLine } ?? true
      if sections.isEmpty || !isCutOff { throw error }
      warnings.add(line: headLine, "the recording is cut off in the description of a device")
    }
  }

  private static func indentation(_ bytes: Span<UInt8>, _ cursor: inout LineCursor) -> Int {
    let start = cursor.position
    while cursor.take(0x20, in: bytes) {}
    return cursor.position - start
  }

  /// Whether nothing or a comment is left of the line.
  private static func isBlank(_ bytes: Span<UInt8>, _ start: LineCursor) -> Bool {
    var cursor = start
    cursor.skipBlanks(in: bytes)
    return cursor.isAtEnd || cursor.byte(in: bytes) == UInt8(ascii: "#")
  }

  /// What a list of events begins with: a packet, or an event.
  private static func isEvent(_ bytes: Span<UInt8>, _ start: LineCursor) -> Bool {
    var cursor = start
    guard cursor.take(0x2d, in: bytes) else { return false }
    cursor.skipBlanks(in: bytes)
    return cursor.byte(in: bytes) == UInt8(ascii: "[") || cursor.take("evdev:", in: bytes)
  }
}

// What follows a device's events.
extension LibinputReader {
  private mutating func tailLine(
    _ bytes: Span<UInt8>, _ line: LineCursor, at number: Int, next: Int64
  ) throws(RecordingError) {
    if Self.isBlank(bytes, line) { return }
    var cursor = line
    let indent = Self.indentation(bytes, &cursor)
    let isItem = cursor.byte(in: bytes) == 0x2d
    if isItem, indent < indentation {
      part = .head
      deviceIndentation = nil
      return try headLine(bytes, line, at: number, next: next)
    }
    if Self.isEvent(bytes, cursor) {
      throw RecordingError(line: number, "an event stands outside of events:")
    }
    // what lies deeper, or in a list, belongs to a key that is of no use here
    if isItem || indent > indentation { return }
    let keys = indent == indentation ? Self.keysOfADevice : Self.keysOfARecording
    for key in keys where cursor.take(key, in: bytes) { return }
    throw RecordingError(line: number, "this is no line of a libinput recording")
  }

  private static let keysOfADevice: [StaticString] = [
    "node:", "hid:", "udev:", "libinput:", "quirks:",
  ]
  /// One recording may follow another in the same file.
  private static let keysOfARecording: [StaticString] = [
    "version:", "ndevices:", "libinput:", "system:", "devices:",
  ]
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
      block = .none
      part = isEmpty ? .tail : .events
      return
    }
    if head.isEmpty { headLine = number }
    try checkPlace(bytes, cursor, indent, at: number)
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

  /// Finds what would end the list of devices before there are events. To YAML it is a mapping as good as another, and an
  /// error only where that ends, or none.
  private mutating func checkPlace(
    _ bytes: Span<UInt8>, _ cursor: LineCursor, _ indent: Int, at number: Int
  ) throws(RecordingError) {
    if Self.isBlank(bytes, cursor) { return }
    var item = cursor
    let isItem = item.take(0x2d, in: bytes)
    guard let device = deviceIndentation else {
      let isInDevices = isInDevices || !sections.isEmpty
      if isItem, !isInDevices {
        throw RecordingError(line: number, "this stands outside of devices:")
      }
      if item.take("devices:", in: bytes) {
        self.isInDevices = true
      } else if isInDevices {
        deviceIndentation = indent
        try checkDevice(bytes, cursor, at: number)
      }
      return
    }
    if isItem, indent > device, Self.isEvent(bytes, cursor) {
      throw RecordingError(line: number, "an event stands outside of events:")
    }
    if indent > device { return }
    guard isItem, indent == device else {
      throw RecordingError(line: number, "this is no line of a device, whose events: are missing")
    }
    try checkDevice(bytes, cursor, at: number)
  }

  /// A device begins with a dash and one of its keys.
  private func checkDevice(_ bytes: Span<UInt8>, _ start: LineCursor, at number: Int)
    throws(RecordingError)
  {
    var cursor = start
    if cursor.take(0x2d, in: bytes) {
      cursor.skipBlanks(in: bytes)
      if Self.isBlank(bytes, cursor) || cursor.take("evdev:", in: bytes) { return }
      for key in Self.keysOfADevice where cursor.take(key, in: bytes) { return }
    }
    throw RecordingError(line: number, "a device begins with its node:")
  }

  /// `events:` has its list below it; `[]`, `null` and `~` stand for an empty one.
  private static func valueIsEmptyList(
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
    if indent >= indentation, cursor.take(0x2d, in: bytes) {
      cursor.skipBlanks(in: bytes)
      if block == .evdev, cursor.byte(in: bytes) == UInt8(ascii: "[") {
        return try row(bytes, cursor, at: number)
      }
      try item(bytes, cursor, at: number)
      return nil
    }
    try otherLine(bytes, line, cursor, indent, at: number, next: next)
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

  /// What a dash begins and is no event: a block, or part of what libinput made of the events.
  private mutating func item(_ bytes: Span<UInt8>, _ cursor: LineCursor, at number: Int)
    throws(RecordingError)
  {
    if block == .libinput, cursor.byte(in: bytes) == UInt8(ascii: "{") { return }
    if try begins(bytes, cursor, at: number) { return }
    let isEvent = cursor.byte(in: bytes) == UInt8(ascii: "[")
    throw RecordingError(
      line: number,
      isEvent ? "an event stands outside of evdev:" : "this is no event of a device")
  }

  /// `evdev:` begins a packet, `libinput:` and `hid:` what is passed over. Of two at the same time the second has no dash.
  private mutating func begins(_ bytes: Span<UInt8>, _ start: LineCursor, at number: Int)
    throws(RecordingError) -> Bool
  {
    var cursor = start
    if cursor.take("evdev:", in: bytes) {
      block = .evdev
    } else if cursor.take("libinput:", in: bytes) {
      block = .libinput
    } else if cursor.take("hid:", in: bytes) {
      block = .hid
    } else {
      return false
    }
    guard Self.isBlank(bytes, cursor) else {
      throw RecordingError(
        line: number, "the events are not one to a line",
        advice: "write them as libinput record does")
    }
    return true
  }

  /// Without a dash: blank, a comment, a second block of the same time, part of one that is passed over, or the section's
  /// end.
  private mutating func otherLine(
    _ bytes: Span<UInt8>, _ line: LineCursor, _ cursor: LineCursor, _ indent: Int, at number: Int,
    next: Int64
  ) throws(RecordingError) {
    if Self.isBlank(bytes, cursor) { return }
    if indent > indentation {
      if try begins(bytes, cursor, at: number) { return }
      if block == .hid, Self.isBytes(bytes, cursor) { return }
      throw RecordingError(line: number, "this is no event of a device")
    }
    if isResumed {
      part = .over
      return
    }
    part = .tail
    try tailLine(bytes, line, at: number, next: next)
  }

  /// Part of a HID device's report: its time, its node, or bytes.
  private static func isBytes(_ bytes: Span<UInt8>, _ start: LineCursor) -> Bool {
    var cursor = start
    let first = cursor.byte(in: bytes)
    return first == UInt8(ascii: "]") || first >= 0x30 && first <= 0x39
      || cursor.take("time:", in: bytes) || cursor.take("hidraw", in: bytes)
  }
}
