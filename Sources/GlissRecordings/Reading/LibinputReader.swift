import GlissEvents

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
  private var isInDevices = false
  /// Blanks before the current `events:`; a line further left ends them.
  private var indentation = 0
  /// Where the first device's events begin, and the blanks before their `events:`.
  private(set) var first: (offset: Int64, indentation: Int)?
  /// Which of the file's recordings contains each device, as far as the file was read.
  private var recordings: [Int] = []
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

  /// Which of the file's recordings contains the device.
  func recording(of device: Int) -> Int {
    recordings.indices.contains(device) ? recordings[device] : recording
  }

  mutating func line(_ line: LineCursor) throws(RecordingError) -> EvdevEvent? {
    switch part {
    case .events: return try eventLine(line)
    case .head: try headLine(line)
    case .tail: try tailLine(line)
    case .between: try betweenLine(line)
    }
    return nil
  }

  /// The input is over: reads a head collected so far, whose events are missing.
  mutating func finish(at number: Int, _ warnings: inout RecordingWarnings) throws(RecordingError) {
    warnings.add(unknownLines)
    guard part == .head else { return }
    do {
      try readHead()
      warnings.add("the recording has no events of \(announced?.name ?? "its device")")
    } catch {
      // If the head is only cut off, the error is at the end, or at the device that is incomplete.
      // Any other error is damage.
      let isCutOff = error.line.map { $0 >= number || $0 == headLine || $0 == deviceLine } ?? true
      if recordings.isEmpty || !isCutOff { throw error }
      warnings.add(
        line: headLine,
        "the recording is cut off in the description of a device; everything else is played")
    }
  }
}

// Lines after a device's events.
extension LibinputReader {
  private mutating func tailLine(_ line: LineCursor) throws(RecordingError) {
    if line.isBlank { return }
    var cursor = line
    let indent = Self.indentation(&cursor)
    let isMarker = indent == 0 && Self.isMarker(cursor)
    let isItem = cursor.byte == 0x2d
    let isKey = indent == 0 && Self.isKeyOfARecording(cursor)
    var key = cursor
    let isKeyOfADevice = indent == indentation && key.take(anyOf: Self.keysOfADevice)
    let isDevice = isItem && indent < indentation && (try? checkDevice(cursor)) != nil
    let isOfARecording = isKey || isKeyOfADevice || isDevice || Self.isEvent(cursor)
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
      try headLine(line)
    } else if Self.isEvent(cursor) {
      throw line.error("an event outside events:")
    } else if isKey {
      try beginRecording(line)
    }
  }

  private mutating func betweenLine(_ line: LineCursor) throws(RecordingError) {
    if line.isBlank || Self.isMarker(line) { return }
    guard Self.isKeyOfARecording(line) else {
      throw line.error("another recording begins with its version:")
    }
    try beginRecording(line)
  }

  private mutating func beginRecording(_ line: LineCursor) throws(RecordingError) {
    part = .head
    isFirst = true
    isInDevices = false
    deviceIndentation = nil
    recording += 1
    try headLine(line)
  }
}

// Heads.
extension LibinputReader {
  private mutating func headLine(_ line: LineCursor) throws(RecordingError) {
    var cursor = line
    let indent = Self.indentation(&cursor)
    if cursor.take("events:") {
      let isEmpty = try Self.valueIsEmptyList(cursor)
      try readHead()
      guard recordings.count < Self.mostDevices else {
        throw line.error("the recording has more than \(Self.mostDevices) devices")
      }
      device = recordings.count
      recordings.append(recording)
      if first == nil { first = (cursor.next, indent) }
      indentation = indent
      block = .none
      part = isEmpty ? .tail : .events
      return
    }
    if head.isEmpty { headLine = line.number }
    try checkPlace(cursor, indent)
    guard head.count + (line.end - line.position) < Self.largestHead else {
      throw RecordingError(
        line: headLine, "the description of the device is longer than \(Self.largestHead) bytes")
    }
    head += line.bytes[line.position..<line.end]
    head.append(0x0a)
  }

  /// Finds a line that ends the list of devices before any events. YAML sees just another mapping
  /// there, and reports an error only at its end, if at all.
  private mutating func checkPlace(_ cursor: LineCursor, _ indent: Int) throws(RecordingError) {
    if cursor.isBlank { return }
    var item = cursor
    let isItem = item.take(0x2d)
    guard let device = deviceIndentation else {
      let isInDevices = isInDevices || !isFirst
      if isItem, !isInDevices { throw cursor.error("this is outside devices:") }
      if item.take("devices:") {
        self.isInDevices = true
      } else if isInDevices {
        deviceIndentation = indent
        deviceLine = cursor.number
        try checkDevice(cursor)
      }
      return
    }
    if indent > device {
      if isItem, Self.isEvent(cursor) { throw cursor.error("an event outside events:") }
      return
    }
    guard isItem, indent == device else {
      throw cursor.error("not a line of a device, whose events: are missing")
    }
    try checkDevice(cursor)
  }

  /// A device begins with a dash and one of its keys.
  private func checkDevice(_ start: LineCursor) throws(RecordingError) {
    var cursor = start
    if cursor.take(0x2d) {
      cursor.skipBlanks()
      if cursor.isBlank || cursor.take("evdev:") { return }
      if cursor.take(anyOf: Self.keysOfADevice) { return }
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
  private mutating func eventLine(_ line: LineCursor) throws(RecordingError) -> EvdevEvent? {
    var cursor = line
    let indent = Self.indentation(&cursor)
    if indent >= indentation, cursor.take(0x2d) {
      cursor.skipBlanks()
      if block == .evdev, cursor.byte == UInt8(ascii: "[") { return try Self.row(cursor) }
      try item(cursor)
      return nil
    }
    try otherLine(line, cursor, indent)
    return nil
  }

  /// Handles a dash that does not begin an event: a block, or one of libinput's events.
  private mutating func item(_ cursor: LineCursor) throws(RecordingError) {
    if block == .libinput, cursor.byte == UInt8(ascii: "{") { return }
    if try begins(cursor) { return }
    let isEvent = cursor.byte == UInt8(ascii: "[")
    throw cursor.error(isEvent ? "an event outside evdev:" : "not an event of a device")
  }

  /// `evdev:` begins a packet; `libinput:` and `hid:` begin blocks that are skipped. If two blocks
  /// have the same time, the second has no dash.
  private mutating func begins(_ start: LineCursor) throws(RecordingError) -> Bool {
    var cursor = start
    if cursor.take("evdev:") {
      block = .evdev
    } else if cursor.take("libinput:") {
      block = .libinput
    } else if cursor.take("hid:") {
      block = .hid
    } else {
      return false
    }
    guard cursor.isBlank else { throw .severalToALine(at: start.number) }
    return true
  }

  /// Handles a line without a dash: blank, a comment, a second block of the same time, part of a
  /// skipped block, or the end of the section.
  private mutating func otherLine(
    _ line: LineCursor, _ cursor: LineCursor, _ indent: Int
  ) throws(RecordingError) {
    if cursor.isBlank { return }
    if indent > indentation {
      if try begins(cursor) { return }
      if block == .hid, Self.isBytes(cursor) { return }
      throw cursor.error("not an event of a device")
    }
    part = .tail
    try tailLine(line)
  }
}

// Classifies and parses single lines, whatever comes before them.
extension LibinputReader {
  static func indentation(_ cursor: inout LineCursor) -> Int {
    let start = cursor.position
    while cursor.take(0x20) {}
    return cursor.position - start
  }

  /// Whether this begins a list of events: a packet, or an event.
  static func isEvent(_ start: LineCursor) -> Bool {
    var cursor = start
    guard cursor.take(0x2d) else { return false }
    cursor.skipBlanks()
    return cursor.byte == UInt8(ascii: "[") || cursor.take("evdev:")
  }

  /// Whether this begins or ends a YAML document.
  static func isMarker(_ start: LineCursor) -> Bool {
    var cursor = start
    guard cursor.take("---") || cursor.take("...") else { return false }
    return cursor.isBlank
  }

  static func isKeyOfARecording(_ start: LineCursor) -> Bool {
    var cursor = start
    return cursor.take(anyOf: keysOfARecording)
  }

  static let keysOfADevice: [StaticString] = [
    "node:", "hid:", "udev:", "libinput:", "quirks:",
  ]

  static let keysOfARecording: [StaticString] = [
    "version:", "ndevices:", "libinput:", "system:", "devices:",
  ]

  /// Whether `events:` is empty (`[]`, `null` or `~`). Otherwise its list follows on the next
  /// lines.
  static func valueIsEmptyList(_ start: LineCursor) throws(RecordingError) -> Bool {
    if start.isBlank { return false }
    var cursor = start
    cursor.skipBlanks()
    if cursor.take(anyOf: ["[]", "null", "~"]) { return true }
    throw .severalToALine(at: start.number)
  }

  /// `[seconds, microseconds, type, code, value]`
  static func row(_ start: LineCursor) throws(RecordingError) -> EvdevEvent {
    var cursor = start
    cursor.advance()
    cursor.skipBlanks()
    guard let seconds = cursor.integer(), take(0x2c, &cursor),
      let microseconds = cursor.integer(), take(0x2c, &cursor),
      let type = cursor.code(), take(0x2c, &cursor),
      let code = cursor.code(), take(0x2c, &cursor),
      let value = cursor.value(), take(0x5d, &cursor), cursor.isBlank
    else {
      throw RecordingError(
        line: start.number, column: cursor.position - start.position + 1,
        "an event needs [seconds, microseconds, type, code, value]")
    }
    guard let time = EventTime(recordedSeconds: seconds, microseconds: microseconds) else {
      throw start.error("the event's time is more than 64 bits hold")
    }
    return EvdevEvent(time: time, type: EvdevType(rawValue: type), code: code, value: value)
  }

  /// Takes `sign` and the blanks around it.
  static func take(_ sign: UInt8, _ cursor: inout LineCursor) -> Bool {
    cursor.skipBlanks()
    guard cursor.take(sign) else { return false }
    cursor.skipBlanks()
    return true
  }

  /// Whether this is part of a HID device's report: its time, its node, or bytes.
  static func isBytes(_ start: LineCursor) -> Bool {
    var cursor = start
    let first = cursor.byte
    return first == UInt8(ascii: "]") || first >= 0x30 && first <= 0x39
      || cursor.take("time:") || cursor.take("hidraw")
  }
}
