public import GlissEvents
public import GlissGestures
public import GlissSession

/// A recording as a ``GlissSession/Source``: its devices' events in order of time, on the
/// recording's own clock.
///
/// Memory does not grow with its length if it is of one device. A file with several devices holds
/// their events one device after the other, so all are read first, and merged by time. A pipe whose
/// device has no description is read first, too: its ranges must be taken from the events. A file
/// may have several recordings of libinput, played in turn; a second one of evemu or evtest is an
/// error.
public struct Recording: Source {
  /// The devices that were recorded.
  public private(set) var devices: [Device] = []
  /// The time of the first event; `nil` without one.
  public private(set) var origin: EventTime?
  /// The first 16 warnings so far: first from opening the recording, then from playing it with
  /// `run(into:)`. ``events(matching:configuration:)`` plays a copy: see ``didWarn``.
  public var warnings: [RecordingWarning] { found.kept }
  /// How many more there were.
  public var omittedWarningCount: Int { found.omitted }
  private var found = RecordingWarnings()
  /// The file that described the device, if it was not the recording itself.
  public private(set) var descriptionPath: String?
  package private(set) var format: RecordingFormat?

  /// Called before time advances to each event or session deadline. Sleep in it to pace the replay;
  /// return false to end it.
  public var willAdvance: ((EventTime) -> Bool)?
  /// Called if there are warnings when the recording has been played, with ``warnings`` as they are
  /// then; for each iterator of ``events(matching:configuration:)``, too.
  public var didWarn: (([RecordingWarning]) -> Void)?
  /// Called after each chunk is read, with the bytes read so far, and the size; `nil` for a pipe.
  /// If the recording was merged, called after each piece is played, with the part that was played.
  package var didRead: ((Int64, Int64?) -> Void)?

  private var input: RecordingInput
  private let path: String?
  private var cursors: [EventCursor] = []
  /// The error at which reading ended before the streams were merged.
  private var mergeError: RecordingError?
  /// The whole recording has been read, with its warnings.
  private var isMerged = false
  private var buffer = [UInt8](repeating: 0, count: RecordingInput.chunk)
  private var hasRun = false
  private var wantsErrors = true

  /// Opens the recording at `path` and reads up to its first event.
  ///
  /// - Parameter axes: a file that describes the device, for a recording that does not. Without it,
  ///   a description next to the recording is used (`.desc`, `.device`, `.touchpad`).
  /// - Throws: an error in the file or its description.
  public init(path: String, axes: String? = nil) throws(RecordingError) {
    do throws(RecordingError) {
      try self.init(RecordingInput.open(path), path: path, axes: axes)
    } catch {
      throw error.named(path)
    }
  }

  /// Reads standard input, which may be a pipe, up to its first event.
  public static func standardInput(axes: String? = nil) throws(RecordingError) -> Recording {
    try Recording(RecordingInput.standardInput, path: nil, axes: axes)
  }

  /// A recording in memory.
  public init(bytes: [UInt8], axes: String? = nil) throws(RecordingError) {
    try self.init(RecordingInput(bytes: bytes), path: nil, axes: axes)
  }

  private init(_ input: RecordingInput, path: String?, axes: String?) throws(RecordingError) {
    self.input = input
    self.path = path
    try open(axes: axes)
    origin = earliest().map { cursors[$0].time }
  }

  /// Delivers the events and ends with ``Session/finish()``, which is also called before an error
  /// is thrown.
  ///
  /// A recording runs once.
  ///
  /// - Throws: what is wrong and the line, after everything before that line has been delivered; or
  ///   that the recording has run already.
  public mutating func run(into session: Session) throws(RecordingError) {
    try run(into: [session])
  }

  /// Delivers each event to all of `sessions`, in their order, and advances time in all of them
  /// alike: one pass over a recording shows the results of several configurations.
  ///
  /// Otherwise like ``run(into:)-(Session)``.
  public mutating func run(into sessions: [Session]) throws(RecordingError) {
    try begin()
    var player = Player(sessions, willAdvance: willAdvance)
    for device in devices { player.add(device, at: origin ?? .zero) }
    defer { for session in sessions { session.finish() } }
    do throws(RecordingError) {
      try forEachEvent { entry, known in player.play(entry, of: known) }
    } catch {
      throw error.named(path)
    }
  }

  mutating func begin() throws(RecordingError) {
    guard !hasRun else {
      throw RecordingError(
        file: path, "it has been played already", advice: "open it again to play it again")
    }
    hasRun = true
  }

  /// Passes every event to `body` in order of time, with the devices its stream has described so
  /// far, until `body` returns false.
  mutating func forEachEvent(_ body: (EventCursor.Entry, [Device]) -> Bool) throws(RecordingError) {
    var succession = Succession()
    while playPiece(&succession, body) {}
    try close()
  }

  /// Passes on the next events of one stream, as far as they are in memory; false if none are left,
  /// or `body` wants no more.
  mutating func playPiece(
    _ succession: inout Succession, _ body: (EventCursor.Entry, [Device]) -> Bool
  ) -> Bool {
    guard let index = earliest() else { return false }
    guard play(cursorAt: index, until: time(ofOthersThan: index), &succession, body) else {
      // errors of parts that were not played are not reported
      wantsErrors = false
      return false
    }
    if cursors[index].needsMore { fill(index) }
    if isMerged, let didRead, let size = input.size {
      let played = cursors.reduce(0) { $0 + $1.share } / Double(cursors.count)
      didRead(Int64(played * Double(size)), size)
    }
    return true
  }

  /// - Throws: the first error that ended a stream.
  mutating func close() throws(RecordingError) {
    if !isMerged { for cursor in cursors { collectWarnings(of: cursor) } }
    if !found.isEmpty { didWarn?(found.kept) }
    let errors = cursors.compactMap(\.error) + (mergeError.map { [$0] } ?? [])
    cursors.removeAll()
    mergeError = nil
    let first = errors.min { ($0.line ?? .max) < ($1.line ?? .max) }
    if wantsErrors, let first { throw first.named(path) }
  }

  /// Collects the warnings of a stream that was not read before it was played.
  private mutating func collectWarnings(of cursor: EventCursor) {
    found.add(cursor.reader.warnings)
    let count = cursor.devices.count
    if format == .libinput, count > cursor.recording + 1 {
      found.add(
        "the recording did not announce its \(count) devices, so their events were played one device after the other; from a file, they are played in order of time"
      )
    }
  }

  private mutating func fill(_ index: Int) {
    cursors[index].fillUntilEvent(from: input, with: &buffer)
    guard let didRead else { return }
    let bytesRead = cursors.reduce(0) { $0 &+ $1.bytesRead }
    didRead(min(bytesRead, input.size ?? .max), input.size)
  }

  /// The stream with the earliest next event, in the first recording that has any left.
  private func earliest() -> Int? {
    cursors.indices.lazy.filter { !cursors[$0].isExhausted }
      .min { cursors[$0].place < cursors[$1].place }
  }

  private func time(ofOthersThan index: Int) -> EventTime? {
    let recording = cursors[index].recording
    return cursors.indices.lazy
      .filter { $0 != index && !cursors[$0].isExhausted && cursors[$0].recording == recording }
      .map { cursors[$0].time }.min()
  }

  /// Passes on one stream's next events in memory that are not later than `limit`; false if no more
  /// are wanted.
  private mutating func play(
    cursorAt index: Int, until limit: EventTime?, _ succession: inout Succession,
    _ body: (EventCursor.Entry, [Device]) -> Bool
  ) -> Bool {
    let known = cursors[index].devices
    // a merged stream has no chunks
    var left = 10_000
    while left > 0, var entry = cursors[index].entry {
      left -= 1
      if let limit, cursors[index].time > limit { return true }
      entry.event.time = succession.place(entry.event.time, of: cursors[index].recording)
      if !body(entry, known) { return false }
      cursors[index].takeEntry()
    }
    return true
  }
}

// Reading the beginning of a recording and deciding how to play it.
extension Recording {
  /// How many bytes of a pipe are kept in memory until its first event.
  private static let longestPrefix = 64 << 20

  private mutating func open(axes: String?) throws(RecordingError) {
    var cursor = EventCursor(RecordingReader())
    var prefix: [UInt8] = []
    while cursor.needsMore {
      let before = cursor.bytesRead
      cursor.fill(from: input, with: &buffer)
      // A pipe cannot be read again.
      if !input.canSeek { prefix += buffer.prefix(Int(clamping: cursor.bytesRead - before)) }
      guard prefix.count <= Self.longestPrefix else {
        throw RecordingError(
          line: cursor.reader.lineCount, "no event in the first \(Self.longestPrefix) bytes",
          advice: "is this a recording?")
      }
    }
    format = cursor.reader.format
    let lacksKeys = format != .libinput && cursor.devices.first?.keys.isEmpty ?? true
    let given = try axes.map { axes throws(RecordingError) in try Descriptions.read(axes) }
    if cursor.entry == nil {
      // There is nothing to play, so only the error is reported.
      if let error = cursor.error { throw error }
      devices = cursor.devices.isEmpty ? (given.map { [$0] } ?? []) : cursor.devices
      found.add(cursor.reader.warnings)
      if !devices.isEmpty { return }
      throw RecordingError(line: cursor.reader.lineCount, "the recording has no events")
    }
    if given != nil && format == .libinput {
      found.add("the recording describes its devices itself; the other description is not used")
    }
    if try isSeveral(cursor) {
      try keep(prefix)
      merge()
    } else if lacksKeys || (given != nil && format != .libinput) {
      descriptionPath = axes
      try describe(given, cursor, prefix: prefix)
    } else {
      (cursors, devices) = ([cursor], cursor.devices)
    }
    // a device without a name is named after its recording
    for index in devices.indices where devices[index].name.isEmpty {
      devices[index].name = path.map { Descriptions.baseName($0) } ?? "recording"
    }
  }

  /// Whether there is more than one device: the recording says so, or a search of the file finds
  /// another one.
  private mutating func isSeveral(_ opened: EventCursor) throws(RecordingError) -> Bool {
    guard format == .libinput, let first = opened.reader.libinput.first else { return false }
    if (opened.reader.libinput.declaredDevices ?? 1) > 1 { return true }
    guard input.canSeek else { return false }
    var search = DeviceSearch(indentation: first.indentation)
    var offset = first.offset
    while case let count = try input.read(into: &buffer, at: offset), count > 0 {
      if search.finds(in: buffer.span.extracting(0..<count)) { return true }
      offset &+= Int64(count)
    }
    return false
  }

  /// Makes a pipe readable again.
  private mutating func keep(_ prefix: [UInt8]) throws(RecordingError) {
    if !input.canSeek { input = try input.kept(after: prefix) }
  }

  /// Reads the events of all devices, each as a stream. An error on the way is reported when all
  /// before it was played.
  private mutating func merge() {
    var reader = RecordingReader()
    var devices: [Device] = []
    var events: [[EventCursor.Entry]] = []
    do throws(RecordingError) {
      try reader.read(input) { item in
        switch item {
        case .device(let device):
          devices.append(device)
          events.append([])
        case .event(let event, let device):
          events[device].append((event, device))
        }
      }
    } catch {
      mergeError = error
    }
    self.devices = devices
    found.add(reader.warnings)
    cursors = events.map { EventCursor(reader, of: $0) }
    isMerged = true
    // After an error, devices it hides do not count as missing.
    let declared = reader.libinput.declaredDevices ?? devices.count
    if mergeError == nil, declared != devices.count {
      let noun = declared == 1 ? "device" : "devices"
      found.add("the recording says it has \(declared) \(noun), but has \(devices.count)")
    }
  }

  /// Takes the device from `given`, from a file next to the recording, or from the events alone.
  private mutating func describe(
    _ given: Device?, _ opened: EventCursor, prefix: [UInt8]
  ) throws(RecordingError) {
    let own = opened.reader.partialDescription
    var described = given
    if described == nil, !own.isDescribed, let path, let beside = Descriptions.path(beside: path) {
      described = try read(beside, isNamed: Descriptions.isNamed(beside, like: path))
    }
    try keep(prefix)
    if let described, let descriptionPath, own.completed(by: described).horizontal == nil,
      DeviceScan(input).result.horizontal != nil
    {
      found.add("\(descriptionPath) describes no touch axes, but the recording has their events")
    }
    var cursor = EventCursor(RecordingReader(description: completed(described, own)))
    cursor.fillUntilEvent(from: input, with: &buffer)
    (cursors, devices) = ([cursor], cursor.devices)
  }

  /// Reads a description that was found beside the recording. One that is named otherwise may have
  /// nothing to do with it.
  private mutating func read(_ beside: String, isNamed: Bool) throws(RecordingError) -> Device? {
    do throws(RecordingError) {
      let description = try Descriptions.read(beside)
      descriptionPath = beside
      if !isNamed {
        found.add(
          "described by \(beside), the only description beside it; name another with --axes FILE")
      }
      return description
    } catch {
      if isNamed { throw error }
      return nil
    }
  }

  /// Completes `described` and the recording's own description with what the events show.
  private mutating func completed(_ described: Device?, _ own: Device) -> Device {
    var device = described ?? Device(name: own.name)
    let known = own.completed(by: device)
    if !known.keys.isEmpty && !known.axes.isEmpty { return device }
    let seen = DeviceScan(input).result
    if known.axes.isEmpty {
      if described == nil {
        found.add(
          "nothing describes the device: its ranges are taken from the events and its size is assumed, so lengths in mm are guesses; name a description with --axes FILE"
        )
      }
      device.axes = seen.axes
    }
    device.keys.formUnion(seen.keys)
    device.relativeAxes.formUnion(seen.relativeAxes)
    return device
  }
}

/// The events of a recording, which is played in pieces. At most one piece is in memory if the file
/// has one device, and all of it if there are several.
struct RecordingEvents: AsyncSequence {
  fileprivate let recording: Recording
  fileprivate let mask: EventMask
  fileprivate let configuration: GestureConfiguration

  func makeAsyncIterator() -> Iterator { Iterator(self) }

  struct Iterator: AsyncIteratorProtocol {
    private final class Waiting { var events: [InputEvent] = [] }

    private enum State {
      case new, playing, over, closed
    }

    private var recording: Recording
    private var player: Player
    private var succession = Succession()
    private var state = State.new
    private let session: Session
    private let waiting = Waiting()
    private var taken = 0

    fileprivate init(_ events: RecordingEvents) {
      recording = events.recording
      session = Session(configuration: events.configuration)
      session.addHandler(matching: events.mask) { [waiting] in waiting.events.append($0) }
      player = Player([session], willAdvance: recording.willAdvance)
      for device in recording.devices { player.add(device, at: recording.origin ?? .zero) }
    }

    /// The next event; `nil` at the end of the recording, and if the task was cancelled.
    ///
    /// - Throws: what is wrong and the line, after all events before that line.
    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(RecordingError) -> InputEvent? {
      while !Task.isCancelled {
        if taken < waiting.events.count {
          taken += 1
          return waiting.events[taken - 1]
        }
        waiting.events.removeAll(keepingCapacity: true)
        taken = 0
        switch state {
        case .new:
          state = .over
          try recording.begin()
          state = .playing
        case .playing: playPiece()
        case .over:
          state = .closed
          try recording.close()
        case .closed: return nil
        }
      }
      return nil
    }

    private mutating func playPiece() {
      if recording.playPiece(&succession, { player.play($0, of: $1) }) { return }
      session.finish()
      state = .over
    }
  }
}

extension Recording {
  /// The events in `mask`, for `for try await`. The recording is played only as far as the task
  /// takes events.
  ///
  /// Cancelling the task ends them. Each iterator plays the recording again, but a pipe can be
  /// played only once.
  public func events(
    matching mask: EventMask = .all, configuration: GestureConfiguration = GestureConfiguration()
  ) -> some AsyncSequence<InputEvent, RecordingError> {
    RecordingEvents(recording: self, mask: mask, configuration: configuration)
  }

  /// The gestures, for `for try await`. For all of them in an array, see
  /// ``GlissSession/Source/gestures(_:)``.
  ///
  /// ```swift
  /// for try await gesture in try Recording(path: path).gestures() where gesture.kind == .pinch {
  ///   zoom(to: gesture.scale)
  /// }
  /// ```
  @_disfavoredOverload
  public func gestures(
    configuration: GestureConfiguration = GestureConfiguration()
  ) -> some AsyncSequence<GestureEvent, RecordingError> {
    events(matching: .gesture, configuration: configuration).compactMap { $0.gesture }
  }
}
