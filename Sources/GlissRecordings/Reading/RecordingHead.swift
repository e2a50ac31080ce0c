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
    guard let node = try document.value("version", of: root),
      let version = try document.integer(node, "version", in: 0...Int64(Int32.max))
    else { return }
    if version != 1 && version != 2 {
      throw document.error(node, "this is version \(version) of the format; only 1 and 2 are known")
    }
  }

  private mutating func read(_ document: RecordingYaml, _ evdev: YamlNode) throws(RecordingError) {
    if let name = try document.value("name", of: evdev) {
      guard let text = document.tree.text(name) else {
        throw document.error(name, "name: needs a text")
      }
      device.name = text
    }
    device.identifier = Device.Identifier(
      parts: try document.items("id", of: evdev).map { part throws(RecordingError) in
        try document.code(part) ?? 0
      })
    for (key, codes) in try document.pairs("codes", of: evdev) {
      guard let type = try document.code(key) else { continue }
      for item in try document.items(codes, "an event type") {
        guard let code = try document.code(item) else { continue }
        device.add(code, of: EvdevType(rawValue: type))
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
    guard let range = AxisRange(parts: values) else {
      throw document.error(node, "an axis needs at least a minimum and a maximum")
    }
    return range
  }
}

/// A part of a recording that is YAML. Its errors are reported as errors of the recording.
struct RecordingYaml {
  let tree: YamlDocument
  private let firstLine: Int

  /// - Parameter firstLine: the line of the recording where `text` begins.
  init(_ text: [UInt8], firstLine: Int) throws(RecordingError) {
    self.firstLine = firstLine
    do {
      tree = try YamlDocument(text)
    } catch {
      guard let mark = Self.place(of: error, in: text) else { throw RecordingError(error.problem) }
      throw RecordingError(line: firstLine &+ mark.line, column: mark.column &+ 1, error.problem)
    }
  }

  /// YAML notices a key without its colon, or an unclosed list, only in a later line. The useful
  /// position is where it begins.
  private static func place(of error: YamlError, in text: [UInt8]) -> YamlMark? {
    guard let mark = error.mark, let context = error.context else { return error.mark }
    switch error.problem {
    case "could not find expected ':'": return context
    case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
      let lines = text.split(separator: 0x0a, omittingEmptySubsequences: false)
      // In YAML a carriage return alone also ends a line, so it may count too many lines.
      guard context.line < lines.count else { return mark }
      // The only list that `libinput record` writes over several lines.
      let isLong = lines[context.line].drop { $0 == 0x20 }.starts(with: "hid:".utf8)
      return isLong ? mark : context
    case _: return mark
    }
  }

  /// The value of `key` in a mapping; `nil` if it is missing.
  func value(_ key: String, of node: YamlNode?) throws(RecordingError) -> YamlNode? {
    var found: YamlNode?
    for (name, value) in tree.pairs(of: node) where tree.text(name) == key {
      if found != nil { throw error(name, "\(key): duplicate key") }
      found = value
    }
    return found
  }

  /// The keys and values of the mapping `key`; empty if it is missing.
  func pairs(_ key: String, of node: YamlNode?)
    throws(RecordingError) -> [(key: YamlNode, value: YamlNode)]
  {
    guard let value = try value(key, of: node) else { return [] }
    guard tree.isMapping(value) else { throw error(value, "\(key): needs keys with values") }
    return tree.pairs(of: value)
  }

  /// The items of the list `key`; empty if it is missing.
  func items(_ key: String, of node: YamlNode?) throws(RecordingError) -> [YamlNode] {
    guard let value = try value(key, of: node) else { return [] }
    return try items(value, "\(key):")
  }

  func items(_ node: YamlNode, _ what: String) throws(RecordingError) -> [YamlNode] {
    guard tree.isSequence(node) else { throw error(node, "\(what) needs a list") }
    return tree.items(of: node)
  }

  /// A scalar as an integer within `bounds`, decimal or with `0x`; `nil` for an empty one.
  func integer(_ node: YamlNode, _ what: StaticString, in bounds: ClosedRange<Int64>)
    throws(RecordingError) -> Int64?
  {
    guard let text = tree.text(node) else { throw error(node, "\(what) needs a number here") }
    if text.isEmpty || text == "null" || text == "~" { return nil }
    let isHexadecimal = text.hasPrefix("0x")
    let value = isHexadecimal ? Int64(text.dropFirst(2), radix: 16) : Int64(text)
    guard let value, bounds.contains(value) else {
      throw error(
        node, "\(what) needs a number from \(bounds.lowerBound) to \(bounds.upperBound) here")
    }
    return value
  }

  /// A scalar as an event type, code or property.
  func code(_ node: YamlNode) throws(RecordingError) -> UInt16? {
    try integer(node, "the description", in: 0...0xffff).map { UInt16(truncatingIfNeeded: $0) }
  }

  func error(_ node: YamlNode, _ problem: String) -> RecordingError {
    let (mark, end) = (tree.start(of: node), tree.end(of: node))
    // A value that continues on the next line does so by mistake.
    if tree.style(of: node) == .plain, end.line > mark.line {
      return RecordingError(line: firstLine &+ mark.line &+ 1, problem)
    }
    return RecordingError(
      line: firstLine &+ mark.line, column: mark.column &+ 1, problem)
  }
}
