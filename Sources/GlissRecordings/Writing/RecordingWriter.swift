package import GlissEvents

/// A device as a recording describes it.
package struct RecordedDevice: Hashable, Sendable {
  package var device: Device
  /// The path of its device node.
  package var node: String
  /// Its other codes, by type: not needed for gestures and keys, but perhaps for a replay.
  package var otherCodes: [EvdevType: [UInt16]]

  package init(
    _ device: Device, node: String = "/dev/input/event0", otherCodes: [EvdevType: [UInt16]] = [:]
  ) {
    self.device = device
    self.node = node
    self.otherCodes = otherCodes
  }
}

/// Writes `libinput record` YAML (version 1), which `libinput replay` plays.
///
/// The output is valid after every packet, so a program that crashes leaves a readable recording.
/// Each device's events follow its description, one device after the other; ``Recording`` merges
/// them.
package struct RecordingWriter {
  /// Receives the next bytes of the recording.
  package typealias Sink = ([UInt8]) throws(RecordingError) -> Void

  private let sink: Sink
  private var buffer: TextBuffer
  /// Whether an event was written since the last SYN_REPORT.
  private var isInPacket = false
  private var lastReport: EventTime?

  /// - Parameters:
  ///   - deviceCount: how many devices will be added; written at the beginning of the recording.
  ///   - sink: receives the bytes, one device description or one packet at a time.
  package init(deviceCount: Int = 1, to sink: @escaping Sink) {
    self.sink = sink
    buffer = Self.head(deviceCount: deviceCount)
  }

  /// A complete recording of one device.
  ///
  /// - Parameter label: says what it was meant to be.
  package static func bytes(
    of device: RecordedDevice, _ events: some Sequence<EvdevEvent>, label: String? = nil
  ) -> [UInt8] {
    var writer = RecordingWriter { _ in }
    writer.buffer = head(deviceCount: 1, label: label)
    writer.append(device)
    for event in events { writer.append(event) }
    return writer.buffer.bytes
  }

  /// What comes before the first device.
  static func head(deviceCount: Int, label: String? = nil) -> TextBuffer {
    var buffer = TextBuffer(capacity: 4096)
    buffer.append("# libinput record\n")
    if let label { buffer.append(text: "\(RecordingLabel.mark)\(label)\n") }
    buffer.append(text: "version: 1\nndevices: \(deviceCount)\n")
    buffer.append("libinput:\n  version: \"1.22.1\"\ndevices:\n")
    return buffer
  }

  /// Describes the next device; the events that follow are its own.
  package mutating func add(_ recorded: RecordedDevice) throws(RecordingError) {
    append(recorded)
    try finish()
  }

  /// Writes an event of the last added device. Times are written unchanged.
  package mutating func write(_ event: EvdevEvent) throws(RecordingError) {
    append(event)
    if !isInPacket { try finish() }
  }

  /// Writes what is still pending: a packet without its end.
  package mutating func finish() throws(RecordingError) {
    guard !buffer.bytes.isEmpty else { return }
    try sink(buffer.bytes)
    buffer.removeAll()
  }
}

// Events.
extension RecordingWriter {
  private mutating func append(_ event: EvdevEvent) {
    if !isInPacket { buffer.append("  - evdev:\n") }
    // Seconds are rounded down, so that microseconds are never negative.
    let (quotient, remainder) = event.time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    buffer.append("    - [")
    buffer.append(remainder < 0 ? quotient - 1 : quotient, width: 3)
    buffer.append(", ")
    buffer.append(remainder < 0 ? remainder + 1_000_000 : remainder, width: 6)
    buffer.append(", ")
    buffer.append(Int64(event.type.rawValue), width: 3)
    buffer.append(", ")
    buffer.append(Int64(event.code), width: 3)
    buffer.append(", ")
    buffer.append(Int64(event.value), width: 7)
    buffer.append("] # ")
    appendComment(event)
    buffer.append("\n")
    isInPacket = !event.isReport
  }

  private mutating func appendComment(_ event: EvdevEvent) {
    let name = EventNames.name(of: event.code, type: event.type)
    guard event.type == .synchronization else {
      buffer.append(text: "\(EventNames.name(of: event.type)) / \(name)")
      for _ in 0..<max(0, 20 - name.utf8.count) { buffer.append(" ") }
      buffer.append(" ")
      return buffer.append(Int64(event.value), width: 6)
    }
    buffer.append(text: "------------ \(name) (\(event.value)) ----------")
    guard event.isReport else { return }
    let milliseconds = (lastReport.map { event.time - $0 } ?? .zero).microseconds / 1000
    buffer.append(text: " \(milliseconds < 0 ? "" : "+")\(milliseconds)ms")
    lastReport = event.time
  }
}

// The description of a device.
extension RecordingWriter {
  private mutating func append(_ recorded: RecordedDevice) {
    isInPacket = false
    lastReport = nil
    let (device, node) = (recorded.device, recorded.node)
    buffer.append("- node: ")
    // these need no quotes in YAML, anywhere in a path
    let isPlain = node.utf8.allSatisfy { $0.isLetterDigit(or: "/_") }
    if isPlain { buffer.append(text: node) } else { appendQuoted(node) }
    buffer.append("\n  evdev:\n")
    let (size, isAssumed) = (device.size.millimetres, device.isSizeAssumed)
    let lengths = isAssumed ? "unknown" : "\(size.x.fixed(0))x\(size.y.fixed(0))"
    buffer.append(text: "    # Size in mm: \(lengths)\n    name: ")
    appendQuoted(device.name)
    let id = device.identifier
    buffer.append(text: "\n    id: [\(id.bus), \(id.vendor), \(id.product), \(id.version)]\n")
    buffer.append("    codes:\n")
    append([0, 1, 2, 3], of: .synchronization)
    append(device.keys.map(\.rawValue).sorted(), of: .key)
    append(device.relativeAxes.sorted(), of: .relative)
    append(device.axes.keys.map(\.rawValue).sorted(), of: .absolute)
    for (type, others) in recorded.otherCodes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      append(others, of: type)
    }
    buffer.append(device.axes.isEmpty ? "    absinfo: {}\n" : "    absinfo:\n")
    for (axis, range) in device.axes.sorted(by: { $0.key < $1.key }) {
      let values = [range.minimum, range.maximum, range.fuzz, range.flat, range.resolution]
      buffer.append(text: "      \(axis.rawValue): \(values)\n")
    }
    buffer.append(text: "    properties: \(device.properties.map(\.rawValue).sorted())\n")
    buffer.append("  udev:\n    properties:\n    - ID_INPUT=1\n")
    for property in Self.udevProperties(device) {
      buffer.append(text: "    - \(property)=1\n")
    }
    buffer.append("  events:\n")
  }

  /// Appends a quoted YAML string; characters that YAML does not allow are escaped.
  private mutating func appendQuoted(_ string: String) {
    buffer.append("\"")
    for scalar in string.unicodeScalars {
      switch scalar.value {
      case 0x22: buffer.append("\\\"")
      case 0x5c: buffer.append("\\\\")
      case 0..<0x20, 0x7f...0xa0, 0x2028, 0x2029, 0xfeff, 0xfffe, 0xffff:
        let digits = String(scalar.value, radix: 16)
        buffer.append(text: "\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
      case _: buffer.append(text: String(scalar))
      }
    }
    buffer.append("\"")
  }

  private mutating func append(_ codes: [UInt16], of type: EvdevType) {
    guard !codes.isEmpty else { return }
    buffer.append(text: "      \(type.rawValue): \(codes) # \(EventNames.name(of: type))\n")
  }

  /// The properties that udev's own rules give such a device.
  private static func udevProperties(_ device: Device) -> [String] {
    switch device.kind {
    case .touchpad: ["ID_INPUT_TOUCHPAD"]
    case .touchscreen: ["ID_INPUT_TOUCHSCREEN"]
    case .keyboard: ["ID_INPUT_KEY", "ID_INPUT_KEYBOARD"]
    case .mouse: ["ID_INPUT_MOUSE"]
    case .other: []
    }
  }
}

/// What a recorded stroke was meant to be, in a comment that other readers ignore.
package enum RecordingLabel {
  static let mark = "# gliss label: "

  /// The label in the first bytes of a recording; `nil` if it has none.
  package static func found(in head: [UInt8]) -> String? {
    for line in head.split(separator: UInt8(ascii: "\n")) {
      guard line.first == UInt8(ascii: "#") else { return nil }
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix(mark) { return String(text.dropFirst(mark.count)) }
    }
    return nil
  }
}

extension TextBuffer {
  fileprivate mutating func append(_ value: Int64, width: Int) {
    let digits = "\(value)"
    for _ in 0..<max(0, width - digits.utf8.count) { append(" ") }
    append(text: digits)
  }
}

/// The kernel's names of event types and codes, for comments.
enum EventNames {
  static func name(of type: EvdevType) -> String {
    types[type.rawValue] ?? "EV_\(type.rawValue)"
  }

  static func name(of code: UInt16, type: EvdevType) -> String {
    if type == .key { return Key(rawValue: code).name }
    guard let (prefix, names) = codes[type] else { return "\(code)" }
    return names[code] ?? "\(prefix)\(code)"
  }

  private static let types: [UInt16: String] = [
    0: "EV_SYN", 1: "EV_KEY", 2: "EV_REL", 3: "EV_ABS", 4: "EV_MSC", 5: "EV_SW", 0x11: "EV_LED",
    0x12: "EV_SND", 0x14: "EV_REP", 0x15: "EV_FF",
  ]

  /// With whole names, because one is written for every event.
  private static let codes = words.mapValues { kind in
    (prefix: kind.prefix, names: kind.words.mapValues { kind.prefix + $0 })
  }

  private static let words: [EvdevType: (prefix: String, words: [UInt16: String])] = [
    .synchronization: ("SYN_", [0: "REPORT", 1: "CONFIG", 2: "MT_REPORT", 3: "DROPPED"]),
    .miscellaneous: (
      "MSC_", [0: "SERIAL", 1: "PULSELED", 2: "GESTURE", 3: "RAW", 4: "SCAN", 5: "TIMESTAMP"]
    ),
    .relative: (
      "REL_",
      [
        0: "X", 1: "Y", 2: "Z", 3: "RX", 4: "RY", 5: "RZ", 6: "HWHEEL", 7: "DIAL", 8: "WHEEL",
        9: "MISC", 11: "WHEEL_HI_RES", 12: "HWHEEL_HI_RES",
      ]
    ),
    .absolute: (
      "ABS_",
      [
        0x00: "X", 0x01: "Y", 0x02: "Z", 0x03: "RX", 0x04: "RY", 0x05: "RZ", 0x06: "THROTTLE",
        0x07: "RUDDER", 0x08: "WHEEL", 0x09: "GAS", 0x0a: "BRAKE", 0x18: "PRESSURE",
        0x19: "DISTANCE", 0x1a: "TILT_X", 0x1b: "TILT_Y", 0x1c: "TOOL_WIDTH", 0x20: "VOLUME",
        0x28: "MISC", 0x2f: "MT_SLOT", 0x30: "MT_TOUCH_MAJOR", 0x31: "MT_TOUCH_MINOR",
        0x32: "MT_WIDTH_MAJOR", 0x33: "MT_WIDTH_MINOR", 0x34: "MT_ORIENTATION",
        0x35: "MT_POSITION_X", 0x36: "MT_POSITION_Y", 0x37: "MT_TOOL_TYPE", 0x38: "MT_BLOB_ID",
        0x39: "MT_TRACKING_ID", 0x3a: "MT_PRESSURE", 0x3b: "MT_DISTANCE", 0x3c: "MT_TOOL_X",
        0x3d: "MT_TOOL_Y",
      ]
    ),
  ]
}

/// Which keys a recording hides: every one that `libinput record` hides, and all others that type.
///
/// It does not hide when keys were pressed, or how many.
extension Key {
  /// The codes that may reveal what was typed.
  private static let revealing: [ClosedRange<UInt16>] = [
    // From 1 to the key beside the left Shift and everything in between, as in `libinput record`; includes
    // modifiers and F1 to F10.
    0x02...0x56,
    // RO and the keys that switch Japanese input; the keypad's comma, Enter, right Ctrl and slash.
    0x59...0x62,
    // right Alt, line feed
    0x64...0x65,
    // the keypad's equals and plus-minus; its comma, Hangul, Hanja, Yen
    0x75...0x76, 0x79...0x7c,
    // Compose
    0x7f...0x7f,
    // parentheses
    0xb3...0xb4,
    // ?
    0xd6...0xd6,
    // $ and €
    0x1b2...0x1b3,
    // Fn with a digit, a letter or Shift
    0x1de...0x1e5,
    // braille
    0x1f1...0x1fa,
    // digits and letters of telephones and remote controls
    0x200...0x20f, 0x26c...0x26d,
  ]

  /// Whether a recording shows ``a`` in its place: it may reveal what was typed, or is unknown.
  package var isRedacted: Bool {
    Self.revealing.contains { $0.contains(rawValue) } || Key(name: name) != self
  }
}

extension EvdevEvent {
  /// The event without what it reveals about typing: such keys become ``Key/a``, and their scan
  /// codes become the one sent for that key.
  package var redacted: EvdevEvent {
    var event = self
    switch type {
    case .key where Key(rawValue: code).isRedacted: event.code = Key.a.rawValue
    // MSC_RAW and MSC_SCAN: the keyboard's own number for the key
    case .miscellaneous where (3...4).contains(code):
      event.value = Int32(Key.a.rawValue)
    case _: break
    }
    return event
  }
}
