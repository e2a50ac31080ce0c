import GlissEvents
import GlissYaml

/// The head before a device's events in a libinput recording, parsed with libyaml.
struct RecordingHead {
  private(set) var device = Device(name: "")
  /// `ndevices`, if the recording's first head has it.
  private(set) var deviceCount: Int?

  /// - Parameters:
  ///   - text: the lines from the first one of the recording or device to the one before `events:`.
  ///   - firstLine: the number of the first of these lines.
  ///   - isFirst: whether the recording's own head precedes the device's.
  init(_ text: [UInt8], firstLine: Int, isFirst: Bool) throws(RecordingError) {
    let document = try RecordingYaml(text, firstLine: firstLine)
    let root = document.tree.root
    var devices = root
    if isFirst {
      try checkVersion(document, root)
      if let count = try document.value("ndevices", of: root) {
        deviceCount = try document.integer(count, "ndevices", in: 0...Int64(Int32.max)).map(
          Int.init)
      }
      devices = try document.value("devices", of: root)
    }
    let entries = try devices.map { node throws(RecordingError) in
      try document.items(node, "devices:")
    }
    guard let entry = entries?.last else {
      throw RecordingError(
        line: firstLine, "the recording describes no device",
        advice: "it needs devices: with evdev: in it")
    }
    guard let evdev = try document.value("evdev", of: entry), document.tree.isMapping(evdev) else {
      throw document.error(entry, "the device has no evdev: description")
    }
    try read(document, evdev)
  }

  private func checkVersion(_ document: RecordingYaml, _ root: YamlNode?) throws(RecordingError) {
    guard let node = try document.value("version", of: root) else { return }
    guard let version = try document.integer(node, "version", in: 0...Int64(Int32.max)) else {
      return
    }
    if version != 1 && version != 2 {
      throw document.error(
        node, "this is version \(version) of the format; only 1 and 2 are known")
    }
  }

  private mutating func read(_ document: RecordingYaml, _ evdev: YamlNode) throws(RecordingError) {
    if let name = try document.value("name", of: evdev) {
      guard let text = document.tree.text(name) else {
        throw document.error(name, "name: needs a text")
      }
      device.name = text
    }
    try readIdentifier(document, evdev)
    for (key, codes) in try document.pairs("codes", of: evdev) {
      guard let type = try document.code(key) else { continue }
      for item in try document.items(codes, "an event type") {
        guard let code = try document.code(item) else { continue }
        if type == EvdevType.key.rawValue {
          device.keys.insert(Key(rawValue: code))
        } else if type == EvdevType.relative.rawValue {
          device.relativeAxes.insert(code)
        }
      }
    }
    for (key, values) in try document.pairs("absinfo", of: evdev) {
      guard let code = try document.code(key) else { continue }
      device.axes[AbsoluteAxis(rawValue: code)] = try Self.axis(document, values)
    }
    for item in try document.items("properties", of: evdev) {
      guard let property = try document.code(item) else { continue }
      device.properties.insert(DeviceProperty(rawValue: property))
    }
  }

  private mutating func readIdentifier(_ document: RecordingYaml, _ evdev: YamlNode)
    throws(RecordingError)
  {
    var parts: [UInt16] = []
    for item in try document.items("id", of: evdev) {
      parts.append(try document.code(item) ?? 0)
    }
    while parts.count < 4 { parts.append(0) }
    device.identifier = Device.Identifier(
      bus: parts[0], vendor: parts[1], product: parts[2], version: parts[3])
  }

  /// `[minimum, maximum, fuzz, flat, resolution]`; values missing after the first two are 0.
  private static func axis(_ document: RecordingYaml, _ node: YamlNode) throws(RecordingError)
    -> AxisRange
  {
    var values: [Int32] = []
    let bounds = Int64(Int32.min)...Int64(Int32.max)
    for item in try document.items(node, "an axis") {
      let value = try document.integer(item, "an axis", in: bounds) ?? 0
      values.append(Int32(truncatingIfNeeded: value))
    }
    guard values.count >= 2 else {
      throw document.error(node, "an axis needs at least a minimum and a maximum")
    }
    values += [0, 0, 0]
    return AxisRange(
      minimum: values[0], maximum: values[1], fuzz: values[2], flat: values[3],
      resolution: values[4])
  }
}
