import GlissEvents

/// Where the events of one device begin in a libinput recording, so that they can be read again
/// from there.
struct RecordingSection: Hashable, Sendable {
  /// The index of the recording in the file, from 0.
  var recording: Int
  /// The index of the device, from 0, counted across all recordings.
  var device: Int
  /// Offset of the section's first line in bytes.
  var offset: Int64
  /// The number of the section's first line.
  var line: Int
  /// Blanks before `events:`; a line further left ends the section.
  var indentation: Int
}

/// Reads `libinput record` YAML: libyaml parses each device's head, this type scans its events.
///
/// A recording of several devices has one list of events per device, one after the other. Another
/// recording may follow in the same file, with or without YAML's `---`.
struct LibinputReader {
  /// The maximum size of a device's description, in bytes.
  static let largestHead = 1 << 20
  static let mostDevices = 1024

  private enum Part {
    /// Collects the lines that describe a device, up to its `events:`.
    case head
    case events
    /// Keys of the same device after its events, or of the recording; not used.
    case tail
    /// A recording has ended with `---` or `...`. Another may follow.
    case between
    /// The requested section is over.
    case over
  }

  /// The block that a section's lines belong to.
  private enum Block {
    case none
    /// Kernel events, one per line.
    case evdev
    /// libinput's events: mappings, one per line. Not used.
    case libinput
    /// Bytes of a HID device, over several lines. Not used.
    case hid
  }

  private var part = Part.head
  private var block = Block.none
  private var head: [UInt8] = []
  private var headLine = 0
  /// The line where the current device's description begins.
  private var deviceLine = 0
  /// Blanks before the dash of the current device; `nil` until the dash was read.
  private var deviceIndentation: Int?
  /// The collected description begins with the recording's own keys.
  private var isFirst = true
  /// `devices:` has been read.
  private var isInDevices = false
  private var indentation = 0
  private let isResumed: Bool
  /// Where the events of each device begin, as far as the recording was read.
  private(set) var sections: [RecordingSection] = []
  /// Lines after a device's events that are not of a recording; accepted only if nothing follows.
  private var unknownLines = RecordingWarnings()
  /// The index of the current recording, from 0.
  private var recording = 0
  private var declarations: [Int?] = []
  /// The number of devices that the recordings declare; `nil` if one does not.
  var declaredDevices: Int? {
    let known = declarations.compactMap { $0 }
    return known.isEmpty || known.count < declarations.count ? nil : known.reduce(0, +)
  }
  /// The device whose events are being read.
  private(set) var device = 0
  /// The device whose head was just read; the caller resets it.
  var announced: Device?

  init() { isResumed = false }

  /// Reads only the events of `section`.
  init(resuming section: RecordingSection) {
    isResumed = true
    part = .events
    indentation = section.indentation
    device = section.device
    recording = section.recording
  }

  /// Which of the file's recordings contains the device.
  func recording(of device: Int) -> Int {
    sections.indices.contains(device) ? sections[device].recording : recording
  }

  /// Whether the requested section is over.
  var isOver: Bool { part == .over }

  /// Reads one line.
  mutating func line(_ bytes: Span<UInt8>, _ line: LineCursor)
    throws(RecordingError) -> EvdevEvent?
  {
    switch part {
    case .events:
      return try eventLine(bytes, line)
    case .head:
      try headLine(bytes, line)
    case .tail:
      try tailLine(bytes, line)
    case .between:
      try betweenLine(bytes, line)
    case .over:
      break
    }
    return nil
  }

  /// The input is over: reads a head collected so far, whose events are missing.
  mutating func finish(at number: Int, _ warnings: inout RecordingWarnings) throws(RecordingError) {
    warnings.add(unknownLines)
    guard part == .head, !isResumed else { return }
    do {
      try readHead()
      warnings.add("the recording has no events of \(announced?.name ?? "its device")")
    } catch {
      // If the head is only cut off, the error is at the end, or at the device that is incomplete.
      // Any other error is damage.
      let isCutOff = error.line.map { $0 >= number || $0 == headLine || $0 == deviceLine } ?? true
      if sections.isEmpty || !isCutOff { throw error }
      warnings.add(
        line: headLine,
        "the recording is cut off in the description of a device; everything else is played")
    }
  }
}

// Lines after a device's events.
extension LibinputReader {
  private mutating func tailLine(_ bytes: Span<UInt8>, _ line: LineCursor) throws(RecordingError) {
    if line.isBlank(in: bytes) { return }
    var cursor = line
    let indent = Self.indentation(bytes, &cursor)
    let isMarker = indent == 0 && Self.isMarker(bytes, cursor)
    let isItem = cursor.byte(in: bytes) == 0x2d
    let isKey = indent == 0 && Self.isKeyOfARecording(bytes, cursor)
    var key = cursor
    let isKeyOfADevice = indent == indentation && key.take(anyOf: Self.keysOfADevice, in: bytes)
    let isDevice = isItem && indent < indentation && (try? checkDevice(bytes, cursor)) != nil
    let isOfARecording = isKey || isKeyOfADevice || isDevice || Self.isEvent(bytes, cursor)
    // Deeper lines and list items belong to a key that is not used, unless text came before them.
    let isUnused = unknownLines.isEmpty && (isMarker || isItem || indent > indentation)
    guard isOfARecording || isUnused else {
      unknownLines.add(
        line: line.number, "not a line of a recording and ignored; everything else is played")
      return
    }
    // With more of the recording after them, unknown lines are damage, not an end.
    if let first = unknownLines.kept.first {
      throw RecordingError(line: first.line, "not a line of a libinput recording")
    }
    if isMarker {
      part = .between
    } else if isItem, indent < indentation {
      part = .head
      deviceIndentation = nil
      try headLine(bytes, line)
    } else if Self.isEvent(bytes, cursor) {
      throw line.error("an event outside events:")
    } else if isKey {
      try beginRecording(bytes, line)
    }
  }

  private mutating func betweenLine(
    _ bytes: Span<UInt8>, _ line: LineCursor
  ) throws(RecordingError) {
    if line.isBlank(in: bytes) || Self.isMarker(bytes, line) { return }
    guard Self.isKeyOfARecording(bytes, line) else {
      throw line.error("another recording begins with its version:")
    }
    try beginRecording(bytes, line)
  }

  private mutating func beginRecording(
    _ bytes: Span<UInt8>, _ line: LineCursor
  ) throws(RecordingError) {
    part = .head
    isFirst = true
    isInDevices = false
    deviceIndentation = nil
    recording += 1
    try headLine(bytes, line)
  }
}

// Heads.
extension LibinputReader {
  private mutating func headLine(_ bytes: Span<UInt8>, _ line: LineCursor) throws(RecordingError) {
    var cursor = line
    let indent = Self.indentation(bytes, &cursor)
    if cursor.take("events:", in: bytes) {
      let isEmpty = try Self.valueIsEmptyList(bytes, cursor)
      try readHead()
      guard sections.count < Self.mostDevices else {
        throw line.error("the recording has more than \(Self.mostDevices) devices")
      }
      device = sections.count
      sections.append(
        RecordingSection(
          recording: recording, device: device, offset: cursor.next, line: cursor.number + 1,
          indentation: indent))
      indentation = indent
      block = .none
      part = isEmpty ? .tail : .events
      return
    }
    if head.isEmpty { headLine = line.number }
    try checkPlace(bytes, cursor, indent)
    guard head.count + (line.end - line.position) < Self.largestHead else {
      throw RecordingError(
        line: headLine, "the description of the device is longer than \(Self.largestHead) bytes")
    }
    bytes.withUnsafeBufferPointer { head += $0[line.position..<line.end] }
    head.append(0x0a)
  }

  /// Finds a line that ends the list of devices before any events. YAML sees just another mapping
  /// there, and reports an error only at its end, if at all.
  private mutating func checkPlace(
    _ bytes: Span<UInt8>, _ cursor: LineCursor, _ indent: Int
  ) throws(RecordingError) {
    if cursor.isBlank(in: bytes) { return }
    var item = cursor
    let isItem = item.take(0x2d, in: bytes)
    guard let device = deviceIndentation else {
      let isInDevices = isInDevices || !isFirst
      if isItem, !isInDevices {
        throw cursor.error("this is outside devices:")
      }
      if item.take("devices:", in: bytes) {
        self.isInDevices = true
      } else if isInDevices {
        deviceIndentation = indent
        deviceLine = cursor.number
        try checkDevice(bytes, cursor)
      }
      return
    }
    if isItem, indent > device, Self.isEvent(bytes, cursor) {
      throw cursor.error("an event outside events:")
    }
    if indent > device { return }
    guard isItem, indent == device else {
      throw cursor.error("not a line of a device, whose events: are missing")
    }
    try checkDevice(bytes, cursor)
  }

  /// A device begins with a dash and one of its keys.
  private func checkDevice(_ bytes: Span<UInt8>, _ start: LineCursor) throws(RecordingError) {
    var cursor = start
    if cursor.take(0x2d, in: bytes) {
      cursor.skipBlanks(in: bytes)
      if cursor.isBlank(in: bytes) || cursor.take("evdev:", in: bytes) { return }
      if cursor.take(anyOf: Self.keysOfADevice, in: bytes) { return }
    }
    throw start.error("a device begins with its node:")
  }

  private mutating func readHead() throws(RecordingError) {
    let parsed = try RecordingHead(head, firstLine: max(1, headLine), isFirst: isFirst)
    if isFirst { declarations.append(parsed.deviceCount) }
    isFirst = false
    announced = parsed.device
    head.removeAll()
  }
}

// Events.
extension LibinputReader {
  private mutating func eventLine(
    _ bytes: Span<UInt8>, _ line: LineCursor
  ) throws(RecordingError) -> EvdevEvent? {
    var cursor = line
    let indent = Self.indentation(bytes, &cursor)
    if indent >= indentation, cursor.take(0x2d, in: bytes) {
      cursor.skipBlanks(in: bytes)
      if block == .evdev, cursor.byte(in: bytes) == UInt8(ascii: "[") {
        return try Self.row(bytes, cursor)
      }
      try item(bytes, cursor)
      return nil
    }
    try otherLine(bytes, line, cursor, indent)
    return nil
  }

  /// Handles a dash that does not begin an event: a block, or one of libinput's events.
  private mutating func item(_ bytes: Span<UInt8>, _ cursor: LineCursor) throws(RecordingError) {
    if block == .libinput, cursor.byte(in: bytes) == UInt8(ascii: "{") { return }
    if try begins(bytes, cursor) { return }
    let isEvent = cursor.byte(in: bytes) == UInt8(ascii: "[")
    throw cursor.error(isEvent ? "an event outside evdev:" : "not an event of a device")
  }

  /// `evdev:` begins a packet; `libinput:` and `hid:` begin blocks that are skipped. If two blocks
  /// have the same time, the second has no dash.
  private mutating func begins(_ bytes: Span<UInt8>, _ start: LineCursor)
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
    guard cursor.isBlank(in: bytes) else {
      throw .severalToALine(at: start.number)
    }
    return true
  }

  /// Handles a line without a dash: blank, a comment, a second block of the same time, part of a
  /// skipped block, or the end of the section.
  private mutating func otherLine(
    _ bytes: Span<UInt8>, _ line: LineCursor, _ cursor: LineCursor, _ indent: Int
  ) throws(RecordingError) {
    if cursor.isBlank(in: bytes) { return }
    if indent > indentation {
      if try begins(bytes, cursor) { return }
      if block == .hid, Self.isBytes(bytes, cursor) { return }
      throw cursor.error("not an event of a device")
    }
    if isResumed {
      part = .over
      return
    }
    part = .tail
    try tailLine(bytes, line)
  }
}

// Classifies and parses single lines, whatever comes before them.
extension LibinputReader {
  static func indentation(_ bytes: Span<UInt8>, _ cursor: inout LineCursor) -> Int {
    let start = cursor.position
    while cursor.take(0x20, in: bytes) {}
    return cursor.position - start
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
    return cursor.isBlank(in: bytes)
  }

  static func isKeyOfARecording(_ bytes: Span<UInt8>, _ start: LineCursor) -> Bool {
    var cursor = start
    return cursor.take(anyOf: keysOfARecording, in: bytes)
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
    _ bytes: Span<UInt8>, _ start: LineCursor
  ) throws(RecordingError) -> Bool {
    if start.isBlank(in: bytes) { return false }
    var cursor = start
    cursor.skipBlanks(in: bytes)
    if cursor.take(anyOf: ["[]", "null", "~"], in: bytes) { return true }
    throw .severalToALine(at: start.number)
  }

  /// `[seconds, microseconds, type, code, value]`
  static func row(_ bytes: Span<UInt8>, _ start: LineCursor) throws(RecordingError) -> EvdevEvent {
    var cursor = start
    cursor.advance()
    cursor.skipBlanks(in: bytes)
    guard let seconds = cursor.integer(in: bytes), take(0x2c, bytes, &cursor),
      let microseconds = cursor.integer(in: bytes), take(0x2c, bytes, &cursor),
      let type = cursor.digits(in: bytes), type <= 0xffff, take(0x2c, bytes, &cursor),
      let code = cursor.digits(in: bytes), code <= 0xffff, take(0x2c, bytes, &cursor),
      let value = cursor.integer(in: bytes).flatMap({ Int32(recorded: $0) }),
      take(0x5d, bytes, &cursor), cursor.isBlank(in: bytes)
    else {
      throw RecordingError(
        line: start.number, column: cursor.position - start.position + 1,
        "an event needs [seconds, microseconds, type, code, value]")
    }
    guard let time = EventTime(recordedSeconds: seconds, microseconds: microseconds) else {
      throw start.error("the event's time is more than 64 bits hold")
    }
    return EvdevEvent(
      time: time, type: EvdevType(rawValue: UInt16(truncatingIfNeeded: type)),
      code: UInt16(truncatingIfNeeded: code), value: value)
  }

  /// Takes `sign` and the blanks around it.
  static func take(_ sign: UInt8, _ bytes: Span<UInt8>, _ cursor: inout LineCursor) -> Bool {
    cursor.skipBlanks(in: bytes)
    guard cursor.take(sign, in: bytes) else { return false }
    cursor.skipBlanks(in: bytes)
    return true
  }

  /// Whether this is part of a HID device's report: its time, its node, or bytes.
  static func isBytes(_ bytes: Span<UInt8>, _ start: LineCursor) -> Bool {
    var cursor = start
    let first = cursor.byte(in: bytes)
    return first == UInt8(ascii: "]") || first >= 0x30 && first <= 0x39
      || cursor.take("time:", in: bytes) || cursor.take("hidraw", in: bytes)
  }
}
