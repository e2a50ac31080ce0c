package import GlissEvents

/// A device as a recording describes it.
package struct RecordedDevice: Hashable, Sendable {
  package var device: Device
  /// The path of its device node.
  package var node: String
  /// Its other codes, by type: not needed for gestures and keys, but perhaps for a replay.
  package var otherCodes: [EvdevType: [UInt16]]

  /// A device as a recording describes it.
  package init(
    _ device: Device, node: String = "/dev/input/event0", otherCodes: [EvdevType: [UInt16]] = [:]
  ) {
    self.device = device
    self.node = node
    self.otherCodes = otherCodes
  }
}

/// Writes the head of a device in a libinput recording.
enum DeviceDescription {
  static func append(_ recorded: RecordedDevice, to text: inout TextBuffer) {
    let (device, node) = (recorded.device, recorded.node)
    text.append("- node: ")
    // these need no quotes in YAML, anywhere in a path
    let isPlain = node.utf8.allSatisfy { $0.isLetterDigit(or: "/_") }
    if isPlain { text.append(text: node) } else { string(node, &text) }
    text.append("\n  evdev:\n")
    let (size, isAssumed) = (device.size.millimetres, device.isSizeAssumed)
    let lengths = isAssumed ? "unknown" : "\(size.x.fixed(0))x\(size.y.fixed(0))"
    text.append(text: "    # Size in mm: \(lengths)\n    name: ")
    string(device.name, &text)
    let id = device.identifier
    text.append(text: "\n    id: [\(id.bus), \(id.vendor), \(id.product), \(id.version)]\n")
    text.append("    codes:\n")
    codes(.synchronization, [0, 1, 2, 3], &text)
    codes(.key, device.keys.map(\.rawValue).sorted(), &text)
    codes(.relative, device.relativeAxes.sorted(), &text)
    codes(.absolute, device.axes.keys.map(\.rawValue).sorted(), &text)
    for (type, others) in recorded.otherCodes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      codes(type, others, &text)
    }
    text.append(device.axes.isEmpty ? "    absinfo: {}\n" : "    absinfo:\n")
    for (axis, range) in device.axes.sorted(by: { $0.key < $1.key }) {
      text.append(
        text:
          "      \(axis.rawValue): [\(range.minimum), \(range.maximum), \(range.fuzz), \(range.flat), \(range.resolution)]\n"
      )
    }
    text.append("    properties: ")
    list(device.properties.map(\.rawValue).sorted(), &text)
    text.append("\n  udev:\n    properties:\n    - ID_INPUT=1\n")
    for property in udevProperties(device) { text.append(text: "    - \(property)=1\n") }
  }

  /// Appends a quoted YAML string; characters that YAML does not allow are escaped.
  private static func string(_ string: String, _ text: inout TextBuffer) {
    text.append("\"")
    for scalar in string.unicodeScalars {
      switch scalar.value {
      case 0x22: text.append("\\\"")
      case 0x5c: text.append("\\\\")
      case 0..<0x20, 0x7f...0xa0, 0x2028, 0x2029, 0xfeff, 0xfffe, 0xffff:
        let digits = String(scalar.value, radix: 16)
        text.append(text: "\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
      case _: text.append(text: String(scalar))
      }
    }
    text.append("\"")
  }

  private static func codes(_ type: EvdevType, _ codes: [UInt16], _ text: inout TextBuffer) {
    guard !codes.isEmpty else { return }
    text.append(text: "      \(type.rawValue): ")
    list(codes, &text)
    text.append(text: " # \(EventNames.name(of: type))\n")
  }

  private static func list(_ codes: [UInt16], _ text: inout TextBuffer) {
    text.append(text: "[\(codes.map { String($0) }.joined(separator: ", "))]")
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
