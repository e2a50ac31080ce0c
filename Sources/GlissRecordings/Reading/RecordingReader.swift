package import GlissEvents

/// The contents of a recording, in the order of its bytes.
package enum RecordingItem: Hashable, Sendable {
  /// The description of the next device.
  case device(Device)
  /// An event of the device with that index. Times are as recorded: they may repeat, jump or go
  /// back.
  case event(EvdevEvent, device: Int)
}

/// Reads recordings from bytes that come in pieces of any size.
///
/// The contents determine the format. The size of the pieces does not affect the result. Memory
/// does not grow with the recording's length. A libinput recording has all events of one device
/// before those of the next; ``Recording`` merges them by time. Another libinput recording may
/// follow in the same file; the numbers of its devices continue those of the one before.
package struct RecordingReader {
  /// The maximum length of a line, in bytes.
  package static let longestLine = 1 << 20
  /// How many lines may come before the first one that reveals the format.
  private static let longestPreamble = 256

  /// `nil` until a line has revealed it.
  package private(set) var format: RecordingFormat?
  package private(set) var warnings = RecordingWarnings()
  package private(set) var lineCount = 0

  /// For evemu and evtest: the first event has come, so the description is over.
  private var isSettled = false
  private(set) var libinput = LibinputReader()
  private var evemu = EvemuReader()
  private var evtest = EvtestReader()
  private let description: Device?
  /// The beginning of a line whose end has not come yet.
  private var carry: [UInt8] = []
  /// The number of bytes in the lines read so far.
  private var offset: Int64 = 0
  /// The first line that was not blank.
  private var firstLine: Int?
  /// A line before the recording is one of `libinput debug-events`.
  private var hasDebugEvents = false
  /// What stands in front of a line that would reveal the format.
  private var quotation: String?
  private var check = DeviceCheck(Device(name: ""))
  private var lastTime: EventTime?
  /// The latest time of the clock that the last event had.
  private var latestTime: EventTime?
  private var lastTimeDevice = 0

  /// Events come without a device if nothing describes one.
  ///
  /// - Parameter description: the device of an evemu or evtest recording that has no description,
  ///   or the missing parts of its description. A libinput recording always describes its devices.
  package init(description: Device? = nil) { self.description = description }

  /// The partial description of the device in an evemu or evtest recording.
  var partialDescription: Device {
    format == .evtest ? evtest.description : evemu.description
  }

  /// Reads the next bytes and passes complete items to `body`.
  ///
  /// - Throws: what is wrong and in which line; everything before that line has been passed on. Do
  ///   not use the reader after an error.
  package mutating func consume(
    _ bytes: Span<UInt8>, _ body: (RecordingItem) -> Void
  ) throws(RecordingError) {
    let bytes = carry + bytes.withUnsafeBufferPointer { Array($0) }
    var start = 0
    while let end = LineScanner.newline(in: bytes.span, from: start) {
      try line(bytes, from: start, to: end, body)
      start = end + 1
    }
    carry = Array(bytes[start...])
    try checkLength(carry.count)
  }

  /// The input is over. An invalid last line without a line end is skipped with a warning, because
  /// the recording was interrupted. An error that shows only here but is in an earlier line is
  /// thrown.
  package mutating func finish(_ body: (RecordingItem) -> Void) throws(RecordingError) {
    if !carry.isEmpty {
      do {
        try line(carry, from: 0, to: carry.count, body)
      } catch {
        if format == nil { throw error }
        if let line = error.line, line < lineCount { throw error }
        warnings.add(
          line: lineCount, "the last line is incomplete and ignored; everything else is played")
      }
    }
    guard let format else {
      throw firstLine.map { notARecording(at: $0) } ?? RecordingError("the recording is empty")
    }
    switch format {
    case .libinput:
      try libinput.finish(at: lineCount, &warnings)
      announce(body)
    case .evemu, .evtest:
      warnings.add(evtest.unknownLines)
      if !isSettled, partialDescription.isDescribed || description != nil {
        describe(body)
        warnings.add("the recording has no events")
      }
    }
  }
}

extension RecordingReader {
  /// Reads all of an input, as ``consume(_:_:)`` and ``finish(_:)`` do.
  mutating func read(
    _ input: RecordingInput, _ body: (RecordingItem) -> Void
  ) throws(RecordingError) {
    var buffer = [UInt8](repeating: 0, count: RecordingInput.chunk)
    var offset: Int64 = 0
    while case let count = try input.read(into: &buffer, at: offset), count > 0 {
      try consume(buffer.span.extracting(0..<count), body)
      offset &+= Int64(count)
    }
    try finish(body)
  }
}

// Handling lines.
extension RecordingReader {
  private func checkLength(_ length: Int) throws(RecordingError) {
    guard length <= Self.longestLine else {
      throw RecordingError(
        line: lineCount + 1, "the line is longer than \(Self.longestLine) bytes",
        advice: "is this a recording?")
    }
  }

  private mutating func line(
    _ bytes: [UInt8], from start: Int, to newline: Int, _ body: (RecordingItem) -> Void
  ) throws(RecordingError) {
    try checkLength(newline - start)
    lineCount &+= 1
    offset &+= Int64(newline - start) &+ 1
    let end = newline > start && bytes[newline - 1] == 0x0d ? newline - 1 : newline
    let cursor = LineCursor(bytes, from: start, to: end, number: lineCount, next: offset)
    guard let format else { return try undetermined(cursor, body) }
    try determined(format, cursor, body)
  }

  private mutating func determined(
    _ format: RecordingFormat, _ cursor: LineCursor, _ body: (RecordingItem) -> Void
  ) throws(RecordingError) {
    switch format {
    case .libinput:
      let event = try libinput.line(cursor)
      if let event { return deliver(event, device: libinput.device, body) }
      if libinput.announced != nil { announce(body) }
    case .evemu, .evtest:
      let event =
        format == .evemu ? try evemu.line(cursor) : try evtest.line(cursor, &warnings)
      guard let event else { return }
      if !isSettled { describe(body) }
      deliver(event, device: 0, body)
    }
  }

  private mutating func deliver(_ event: EvdevEvent, device: Int, _ body: (RecordingItem) -> Void) {
    if lastTimeDevice != device { (lastTime, latestTime) = (nil, nil) }
    // as `RisingTime` does: a small step is a late event, a large one another clock
    let isLate = latestTime.map { $0 - event.time <= RisingTime.tolerance } ?? false
    if let lastTime, event.time < lastTime {
      warnings.add(line: lineCount, Self.warning(ofStepBack: lastTime - event.time, isLate: isLate))
    }
    latestTime = isLate ? max(latestTime ?? event.time, event.time) : event.time
    lastTime = event.time
    lastTimeDevice = device
    if let problem = check.problem(of: event) { warnings.add(line: lineCount, problem) }
    body(.event(event, device: device))
  }

  private static func warning(ofStepBack step: EventInterval, isLate: Bool) -> String {
    let length =
      step.seconds < 1 ? "\(step.milliseconds.trimmed(3)) ms" : "\(step.seconds.trimmed(3)) s"
    let outcome =
      isLate ? "it stands still until it has caught up" : "later times go on from there"
    return "time goes back by \(length); \(outcome)"
  }

  /// Delivers a libinput head that was just read.
  private mutating func announce(_ body: (RecordingItem) -> Void) {
    guard let device = libinput.announced else { return }
    libinput.announced = nil
    present(device, body)
  }

  private mutating func present(_ device: Device, _ body: (RecordingItem) -> Void) {
    check = DeviceCheck(device)
    body(.device(device))
  }

  /// Delivers the device of an evemu or evtest recording, before its first event.
  private mutating func describe(_ body: (RecordingItem) -> Void) {
    isSettled = true
    let own = partialDescription
    if var described = description {
      if described.name.isEmpty { described.name = own.name }
      present(own.isDescribed ? own.completed(by: described) : described, body)
    } else if own.isDescribed {
      present(own, body)
    }
  }
}

// Recognizing the format.
extension RecordingReader {
  private mutating func undetermined(
    _ line: LineCursor, _ body: (RecordingItem) -> Void
  ) throws(RecordingError) {
    var cursor = line
    if lineCount == 1, let tool = Self.unpacker(of: line.bytes) {
      throw RecordingError(
        line: 1, "the file is compressed", advice: "unpack it: \(tool) -dc FILE | gliss replay -")
    }
    if lineCount == 1, let encoding = Self.wideEncoding(of: line.bytes) {
      throw RecordingError(
        line: 1, "the file is text in UTF-16",
        advice: "convert it: iconv -f \(encoding) -t UTF-8 FILE | gliss replay -")
    }
    if lineCount == 1, cursor.take("\u{feff}") {}
    if cursor.isAtEnd { return }
    if let format = RecordingFormat(firstLine: cursor) {
      self.format = format
      return try determined(format, cursor, body)
    }
    let first = firstLine ?? lineCount
    firstLine = first
    if Self.isOfDebugEvents(cursor) { hasDebugEvents = true }
    if quotation == nil { quotation = Self.quotation(cursor, isFirst: first == lineCount) }
    // Text may come before a recording, such as a shell's prompt; other kinds of file may not.
    if cursor.skip(past: 0) { throw notARecording(at: lineCount) }
    guard lineCount < Self.longestPreamble else { throw notARecording(at: first) }
  }

  /// The program that unpacks a file that begins so.
  private static func unpacker(of bytes: [UInt8]) -> String? {
    let magics: KeyValuePairs<String, [UInt8]> = [
      "gzip": [0x1F, 0x8B], "bzip2": [0x42, 0x5A, 0x68], "xz": [0xFD, 0x37, 0x7A, 0x58, 0x5A],
      "zstd": [0x28, 0xB5, 0x2F, 0xFD],
    ]
    return magics.first { bytes.starts(with: $0.value) }?.key
  }

  /// The encoding of a file that begins as UTF-16 does, with or without a byte order mark.
  private static func wideEncoding(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) { return "UTF-16" }
    let printed = UInt8(0x20)..<0x7f
    let kinds = bytes.prefix(4).map { $0 == 0 ? "0" : printed.contains($0) ? "a" : "?" }.joined()
    return kinds == "a0a0" ? "UTF-16LE" : kinds == "0a0a" ? "UTF-16BE" : nil
  }

  /// What mail and Markdown put in front of each line of a recording: `>` and blanks. Elsewhere
  /// than in the first line, blanks alone may as well be the text's own.
  private static func quotation(_ line: LineCursor, isFirst: Bool) -> String? {
    var (cursor, prefix, isQuote) = (line, "", isFirst)
    while prefix.utf8.count < 16 {
      if cursor.take(0x20) {
        prefix += " "
      } else if cursor.take(0x3e) {
        prefix += ">"
        isQuote = true
      } else {
        break
      }
    }
    guard isQuote, !prefix.isEmpty else { return nil }
    var comment = cursor
    let fits = comment.take("# libinput record") || RecordingFormat(firstLine: cursor) != nil
    return fits ? prefix : nil
  }

  /// Whether a line is like ` event7   POINTER_MOTION  +0.000s`.
  private static func isOfDebugEvents(_ line: LineCursor) -> Bool {
    var cursor = line
    guard cursor.take(anyOf: ["-event", " event"]), cursor.digits() != nil else { return false }
    cursor.skipBlanks()
    return cursor.take(
      anyOf: ["DEVICE_", "KEYBOARD_", "POINTER_", "TOUCH_", "TABLET_", "GESTURE_", "SWITCH_"])
  }

  private func notARecording(at line: Int) -> RecordingError {
    if hasDebugEvents {
      return RecordingError(
        line: line, "a log of libinput debug-events, which has no finger positions",
        advice: "make one with: libinput record -o FILE, or: gliss record -o FILE")
    }
    if let quotation {
      return RecordingError(
        line: line, "the lines of the recording begin with \"\(quotation)\"",
        advice: "remove that: sed 's/^\(quotation)//' FILE | gliss replay -")
    }
    return RecordingError(
      line: line, "not a recording of libinput record, evemu or evtest",
      advice: "make one with: gliss record -o FILE; rules are checked by: gliss check FILE")
  }
}

extension Device {
  /// Keys, relative axes or axes are known: the recording describes itself.
  var isDescribed: Bool { !axes.isEmpty || !keys.isEmpty || !relativeAxes.isEmpty }

  /// Adds a code that the device supports. Axes are set elsewhere, with their ranges.
  mutating func add(_ code: UInt16, of type: EvdevType) {
    if type == .key {
      keys.insert(Key(rawValue: code))
    } else if type == .relative {
      relativeAxes.insert(code)
    }
  }

  /// This device, with missing parts taken from `other`.
  func completed(by other: Device) -> Device {
    var whole = self
    whole.axes.merge(other.axes) { own, other in own.completed(by: other) }
    whole.keys.formUnion(other.keys)
    whole.relativeAxes.formUnion(other.relativeAxes)
    whole.properties.formUnion(other.properties)
    return whole
  }
}

extension Device.Identifier {
  /// Bus, vendor, product and version; missing ones are 0.
  init(parts: [UInt16]) {
    let parts = parts + [0, 0, 0, 0]
    self.init(bus: parts[0], vendor: parts[1], product: parts[2], version: parts[3])
  }
}

extension AxisRange {
  /// Minimum, maximum, fuzz, flat and resolution; all but the first two may be missing and are 0.
  init?(parts: [Int32]) {
    guard parts.count >= 2 else { return nil }
    let parts = parts + [0, 0, 0]
    self.init(
      minimum: parts[0], maximum: parts[1], fuzz: parts[2], flat: parts[3], resolution: parts[4])
  }

  /// This range. If it has no resolution, it takes the one of the same range in `other`.
  fileprivate func completed(by other: AxisRange) -> AxisRange {
    guard resolution == 0, minimum == other.minimum, maximum == other.maximum else { return self }
    return other
  }
}

/// The formats that can be read, recognized by content, never by file name.
package enum RecordingFormat: String, Hashable, Sendable, CaseIterable {
  /// The YAML of `libinput record`, versions 1 and 2.
  case libinput
  /// `evemu-record`, with or without a description; also a description alone.
  case evemu
  /// The text of `evtest`, with or without its header.
  case evtest

  /// The format that a line reveals; `nil` for a line that may come before any of them.
  init?(firstLine line: LineCursor) {
    var cursor = line
    if LibinputReader.isKeyOfARecording(cursor) {
      self = .libinput
    } else if cursor.take("# EVEMU") || Self.isEvemu(cursor) {
      self = .evemu
    } else if cursor.take(
      anyOf: ["Event: time ", "Input driver version", "Input device "])
    {
      self = .evtest
    } else {
      return nil
    }
  }

  private static func isEvemu(_ line: LineCursor) -> Bool {
    var cursor = line
    let keyword = cursor.byte
    cursor.advance()
    guard EvemuReader.keywords.contains(keyword), cursor.take(0x3a) else { return false }
    return cursor.byte == 0x20
  }
}
