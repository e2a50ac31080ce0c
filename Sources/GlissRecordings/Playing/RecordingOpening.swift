import GlissEvents

/// Reads the beginning of a recording and decides how to play it.
struct RecordingOpening {
  private(set) var input: RecordingInput
  private(set) var devices: [Device] = []
  private(set) var cursors: [EventCursor] = []
  private(set) var error: RecordingError?
  private(set) var descriptionPath: String?
  private(set) var warnings = RecordingWarnings()
  private(set) var format: RecordingFormat?
  /// The whole recording has been read once, with its warnings.
  private(set) var isIndexed = false
  /// The size of all cursors' buffers together, in bytes, however many devices there are.
  private static let allChunks = 4 << 20
  private static let smallestChunk = 8 << 10
  var buffer = [UInt8](repeating: 0, count: RecordingInput.chunk)

  init(_ input: RecordingInput, path: String?, axes: String?) throws(RecordingError) {
    self.input = input
    var cursor = EventCursor(RecordingReader(description: nil, mayLackDescription: true))
    var prefix: [UInt8] = []
    while cursor.needsMore {
      let before = cursor.bytesRead
      cursor.fill(from: input, with: &buffer)
      // A pipe cannot be read again.
      if !input.canSeek { prefix += buffer.prefix(Int(clamping: cursor.bytesRead - before)) }
    }
    format = cursor.reader.format
    let isBare = format != .libinput && !cursor.reader.hasDescription
    let lacksKeys = format != .libinput && cursor.devices.first?.keys.isEmpty == true
    let given = try axes.map { axes throws(RecordingError) in try Descriptions.read(axes) }
    if cursor.entry == nil {
      // There is nothing to play, so only the error is reported.
      if let error = cursor.error { throw error }
      try describeOnly(cursor, given: given)
      return
    }
    if given != nil && format == .libinput {
      warnings.add("the recording describes its devices itself; the other description is not used")
    }
    if try isSeveral(cursor) {
      try spool(prefix)
      index()
    } else if isBare || lacksKeys || (given != nil && format != .libinput) {
      descriptionPath = axes
      try describe(given, cursor, path: path, prefix: prefix)
    } else {
      cursors = [cursor]
      devices = cursor.devices
    }
    name(path)
  }

  /// The recording is a description without events, or its announced events are missing.
  private mutating func describeOnly(_ cursor: EventCursor, given: Device?) throws(RecordingError) {
    devices = cursor.devices.isEmpty ? (given.map { [$0] } ?? []) : cursor.devices
    warnings.add(cursor.reader.warnings)
    if devices.isEmpty {
      throw RecordingError(line: cursor.reader.lineCount, "the recording has no events")
    }
  }

  /// Whether there is more than one device: the recording says so, or a search of the file finds
  /// another one.
  private mutating func isSeveral(_ opened: EventCursor) throws(RecordingError) -> Bool {
    guard format == .libinput, let section = opened.reader.sections.first else { return false }
    if (opened.reader.declaredDevices ?? 1) > 1 { return true }
    guard input.canSeek else { return false }
    var search = DeviceSearch(indentation: section.indentation)
    var offset = section.offset
    while case let count = try input.read(into: &buffer, at: offset), count > 0 {
      if search.finds(in: buffer.span.extracting(0..<count)) { return true }
      offset &+= Int64(count)
    }
    return false
  }

  private mutating func spool(_ prefix: [UInt8]) throws(RecordingError) {
    if !input.canSeek { input = try input.spooled(after: prefix) }
  }

  /// Finds where each device's events begin. Errors on the way are reported when playback reaches
  /// them.
  private mutating func index() {
    isIndexed = true
    var whole = EventCursor(RecordingReader(description: nil, mayLackDescription: true))
    while !whole.isAtEnd { whole.fill(from: input, with: &buffer) }
    devices = whole.devices
    error = whole.error
    warnings.add(whole.reader.warnings)
    let share = Self.allChunks / max(1, whole.reader.sections.count)
    let chunk = min(RecordingInput.chunk, max(Self.smallestChunk, share))
    buffer = [UInt8](repeating: 0, count: chunk)
    for section in whole.reader.sections {
      var cursor = EventCursor(RecordingReader(resuming: section), from: section.offset)
      cursor.fillUntilEvent(from: input, with: &buffer)
      cursors.append(cursor)
    }
    // After an error, devices it hides do not count as missing.
    if error == nil, let declared = whole.reader.declaredDevices, declared != devices.count {
      let noun = declared == 1 ? "device" : "devices"
      warnings.add("the recording says it has \(declared) \(noun), but has \(devices.count)")
    }
  }

  /// Takes the device from `given`, from a file next to the recording, or from the events alone.
  private mutating func describe(
    _ given: Device?, _ opened: EventCursor, path: String?, prefix: [UInt8]
  ) throws(RecordingError) {
    let own = opened.reader.partialDescription
    var described = given
    if described == nil, !own.isDescribed, let path, let beside = Descriptions.path(beside: path) {
      described = try Descriptions.read(beside)
      descriptionPath = beside
    }
    try spool(prefix)
    let reader = RecordingReader(description: completed(described, own), mayLackDescription: false)
    var cursor = EventCursor(reader)
    cursor.fillUntilEvent(from: input, with: &buffer)
    cursors = [cursor]
    devices = cursor.devices
  }

  /// Completes `described` and the recording's own description with what the events show.
  private mutating func completed(_ described: Device?, _ own: DeviceBuilder) -> Device {
    var device = described ?? Device(name: own.device.name)
    let known = own.device.completed(by: device)
    if !known.keys.isEmpty && !known.axes.isEmpty { return device }
    let found = DeviceScan(input).result
    if known.axes.isEmpty {
      warnings.add(
        "nothing describes the device: its ranges are taken from the events and its size is assumed; name a description with --axes FILE"
      )
      device.axes = found.axes
    }
    device.keys.formUnion(found.keys)
    device.relativeAxes.formUnion(found.relativeAxes)
    return device
  }

  /// Names a device without a name after its recording.
  private mutating func name(_ path: String?) {
    for index in devices.indices where devices[index].name.isEmpty {
      devices[index].name = path.map { Descriptions.baseName($0) } ?? "recording"
    }
  }
}
