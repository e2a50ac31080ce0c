import ArgumentParser
import Glibc
import Gliss

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the events of touchpads and other devices, to replay and explain them later.",
    usage: "gliss record [<option> ...]",
    discussion: """
      Writes the format of 'libinput record', which 'gliss replay' and 'libinput
      replay' read. Without --device it asks for a device; if it cannot ask, it
      records all touchpads. It reports if no events come. Ctrl-C ends it. The file
      is valid at any moment, however the recording ends. Keys that type are hidden:
      KEY_A stands for all of them, and for modifiers. When they were pressed, and
      how many, is not hidden. With several devices, all but the first are written
      to FILE.2.part and so on, and joined to the file at the end. With --label it
      asks for one stroke after the other, and writes each to a file of its own,
      with the stroke's name. 'tools/accuracy FOLDER' of the repository counts how
      many of them are recognized.

      EXAMPLES
        gliss record -o mine.yml
        gliss record -o mine.yml --device /dev/input/event5 --duration 10
        gliss record -o both.yml --device /dev/input/event5 /dev/input/event3
        gliss record --device /dev/input/event5 | gliss replay --format jsonl -
        gliss record --label mine --strokes pinch-in,pinch-out --times 10
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write; by default standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp("Ask for strokes, and write each to this folder.", valueName: "folder"),
    completion: .directory)
  var label: String?

  @Option(
    help: ArgumentHelp(
      "Ask only for these, separated by commas; by default for all: "
        + LabelledStroke.all.map(\.label).joined(separator: ", ") + ".", valueName: "labels"),
    completion: .list(LabelledStroke.all.map(\.label)))
  var strokes: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How often to ask for each; by default 5.", valueName: "number"))
  var times: Int?

  @OptionGroup var devices: DeviceOptions

  @Option(parsing: .unconditional, help: .duration, transform: EventInterval.init(seconds:))
  var duration: EventInterval?

  @Flag(help: "Record keys as they are: typed passwords can then be read from the file.")
  var showKeys = false

  @Flag(help: "Overwrite an existing file.")
  var force = false

  func validate() throws {
    try Arguments.checkName(output, option: "--output")
    if force, output == nil { throw ValidationError("--force needs --output") }
    try validateLabels()
  }

  private func validateLabels() throws {
    guard let label else {
      if strokes != nil || times != nil {
        throw ValidationError("--strokes and --times need --label")
      }
      return
    }
    if output != nil || duration != nil || showKeys {
      throw ValidationError("--label goes with none of --output, --duration and --show-keys")
    }
    try Arguments.checkName(label, option: "--label")
    if let times, !(1...1000).contains(times) {
      throw ValidationError("--times is a number from 1 to 1000")
    }
    _ = try wantedStrokes()
  }

  private func wantedStrokes() throws -> [LabelledStroke] {
    let all = LabelledStroke.all
    return try strokes.map { try Arguments.choices($0, of: all.map { ($0.label, $0) }) } ?? all
  }

  func run() throws {
    // before any question, so that no recording is overwritten by mistake
    if let output, !force { try WholeFile.refuse(existing: output) }
    do {
      throw try record(try chosen())
    } catch let error as RecordingError {
      throw Diagnostics.failure("\(error.file ?? output ?? "-"): \(error)")
    }
  }

  private func chosen() throws -> [FoundDevice] {
    let finder = try DeviceFinder()
    if !devices.paths.isEmpty { return finder.devices(at: devices.paths) }
    let seat = devices.seat ?? "seat0"
    let menu = DeviceMenu(of: try finder.devices().filter { $0.seat == seat })
    if !menu.devices.isEmpty, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 {
      if let picked = menu.ask() { return picked }
      throw Diagnostics.refusal("nothing was chosen")
    }
    if menu.touchpads.isEmpty {
      throw Diagnostics.failure(
        "there is no touchpad to record: 'gliss doctor' says why; to record another device, name it"
          + " with --device, as 'gliss devices --all' lists it")
    }
    return menu.touchpads
  }

  private func record(_ found: [FoundDevice]) throws -> ExitCode {
    if found.count > 1, output == nil {
      throw Diagnostics.refusal(
        "these are \(found.count) devices: name a file with --output, or one of them with --device")
    }
    let raw = try RawDevices()
    let refused = found.compactMap { raw.add($0) }
    for device in refused { Diagnostics.say("\(device)") }
    // do not record only some of the requested devices
    guard refused.isEmpty else {
      return Diagnostics.failure("nothing is recorded: 'gliss doctor' says what to do")
    }
    if let label {
      guard mkdir(label, 0o777) == 0 || errno == EEXIST else {
        throw SystemError(label, failed: errno)
      }
      return try LabelRecorder(raw, folder: label, wantedStrokes(), times: times ?? 5).run()
    }
    let recorder = try Recorder(
      raw, path: output, replacing: force, showsKeys: showKeys, duration: duration)
    return try recorder.run()
  }
}

struct DeviceMenu {
  /// The devices, with the kinds recorded most often first.
  let devices: [FoundDevice]

  private static let order: [DeviceClasses] = [.touchpad, .touchscreen, .keyboard, .mouse]

  init(of devices: [FoundDevice]) {
    func rank(_ device: FoundDevice) -> Int {
      Self.order.firstIndex { device.classes.contains($0) } ?? Self.order.count
    }
    // devices of one kind keep their order: the sort is stable
    self.devices = devices.sorted { rank($0) < rank($1) }
  }

  /// The devices recorded if nobody can be asked.
  var touchpads: [FoundDevice] { devices.filter { $0.classes.contains(.touchpad) } }

  var lines: [String] {
    let table = TextTable(
      [
        .init("", devices.indices.map { "\($0 + 1)" }, isNumber: true),
        .init("", devices.map { EventSentence.describe($0.classes) }),
      ], last: .init("", devices.map(\.name.printable)), on: .plain)
    return devices.indices.map { "  " + table.row($0) }
  }

  /// The devices selected by `answer`: numbers separated by blanks or commas; the first touchpad if
  /// it is empty. `nil` if it contains anything else, or selects nothing.
  func choice(_ answer: String) -> [FoundDevice]? {
    let words = answer.split { $0 == "," || $0.isWhitespace }
    if words.isEmpty { return touchpads.first.map { [$0] } }
    var picked: [FoundDevice] = []
    for word in words {
      guard let index = devices.indices.first(where: { "\($0 + 1)" == word }) else { return nil }
      if !picked.contains(devices[index]) { picked.append(devices[index]) }
    }
    return picked
  }

  /// Asks until the answer is valid; `nil` at the end of input.
  func ask() -> [FoundDevice]? {
    let output = Output.diagnostics
    for line in lines { output.write(line: line) }
    let standard = touchpads.isEmpty ? "" : ", Enter for 1"
    while true {
      output.write(text: "Which to record? Its number\(standard): ")
      guard let answer = readLine() else {
        output.write(line: "")
        return nil
      }
      if let picked = choice(answer) { return picked }
    }
  }
}

final class Recorder {
  private let raw: RawDevices
  /// `nil` for standard output.
  private let files: RecordingFiles?
  private var stream: RecordingWriter?
  private let output: LiveOutput?
  private let showsKeys: Bool
  private let start = InputLoop.now
  private let end: EventTime?
  /// The time of the first event. Other times are relative to it.
  private var origin: EventTime?
  private var eventCount = 0
  private var failure: RecordingError?
  private let progress: Progress
  private var shownCount: Int?
  private var silence: SilenceMachine

  init(
    _ raw: RawDevices, path: String?, replacing: Bool, showsKeys: Bool, duration: EventInterval?
  ) throws {
    self.raw = raw
    self.showsKeys = showsKeys
    end = duration.map { [start] in start + $0 }
    let devices = raw.members.map { member in
      RecordedDevice(
        member.device, node: member.found.path, otherCodes: member.otherCodes)
    }
    silence = SilenceMachine(from: start)
    progress = Progress(isWanted: path != nil || isatty(STDOUT_FILENO) == 0)
    if let path {
      files = try RecordingFiles(path: path, replacing: replacing, devices: devices)
      output = nil
    } else {
      let output = LiveOutput(on: raw.loop)
      var stream = RecordingWriter(deviceCount: devices.count) { output.write($0) }
      for device in devices { try stream.add(device) }
      self.stream = stream
      self.output = output
      files = nil
    }
    Interruption.redirect(to: raw.loop)
    raw.didRead = { [unowned self] event, index in take(event, index) }
    raw.didLose = { [unowned self] index, refused in
      let reason = refused.map { ": \($0.problem)" } ?? ""
      Diagnostics.say("gone: \(name(of: index))\(reason)")
    }
  }

  func run() throws(SystemError) -> ExitCode {
    announce()
    while !raw.loop.isStopping && !raw.isEmpty && failure == nil {
      let now = InputLoop.now
      if let end, end <= now { break }
      if silence.advance(to: now) { saySilence() }
      if eventCount != shownCount,
        progress.update("\(eventCount) events, \((now - start).seconds.fixed(1)) s")
      {
        shownCount = eventCount
      }
      let due = eventCount == shownCount ? nil : progress.due
      try raw.turn(until: .earlier(end, .earlier(due, silence.deadline)))
    }
    Progress.clear()
    let status = finish()
    return status.isSuccess ? Interruption.status : status
  }

  private func take(_ event: EvdevEvent, _ index: Int) {
    guard failure == nil else { return }
    // a device's state when it was opened is earlier, and no sign of a finger
    if event.time >= start { silence.end() }
    var event = showsKeys ? event : event.redacted
    let first = origin ?? event.time
    origin = first
    event.time = .zero + (event.time - first)
    eventCount += 1
    do {
      try files?.write(event, of: index)
      try stream?.write(event)
    } catch {
      failure = error
      raw.loop.stop()
    }
  }

  // MARK: Messages

  private func name(of index: Int) -> String {
    let member = raw.members[index]
    return "\(member.found.path) (\(EventSentence.describe(member.device)))"
  }

  private var place: String { files?.path.printable ?? "standard output" }

  private func announce() {
    for index in raw.members.indices {
      Diagnostics.say("recording \(name(of: index)) to \(place)")
    }
    if showsKeys {
      Diagnostics.say(
        "keys are recorded as they are: the recording will show passwords typed from now on")
    } else if raw.members.contains(where: { $0.device.keys.contains(.a) }) {
      Diagnostics.say("keys that type are recorded as KEY_A; --show-keys keeps them")
    }
    Diagnostics.say("Ctrl-C ends")
  }

  private func saySilence() {
    let isOne = raw.members.count == 1
    let names = raw.members.indices.map(name).joined(separator: ", ")
    let question = isOne ? "is it the right device?" : "are they the right devices?"
    Diagnostics.say("no events have come from \(names) yet: \(question)")
  }

  private func finish() -> ExitCode {
    do throws(RecordingError) {
      if let failure { throw failure }
      try files?.finish()
      try stream?.finish()
      if let status = output?.finish(), !status.isSuccess { return status }
    } catch {
      Diagnostics.say("\(error.file ?? place): \(error)")
      if failure != nil { Diagnostics.say("what was recorded until then can be replayed") }
      return .failure
    }
    let length = (InputLoop.now - start).seconds.fixed(1)
    let devices = raw.members.count == 1 ? "" : " of \(raw.members.count) devices"
    let verb = files == nil ? "went to" : "are in"
    let losses = raw.lossCount == 0 ? "" : "; losses before them (SYN_DROPPED): \(raw.lossCount)"
    Diagnostics.say("\(eventCount) events\(devices) in \(length) s \(verb) \(place)\(losses)")
    return .success
  }
}

/// Detects, once, that the recorded devices have sent nothing: perhaps the wrong device was chosen.
struct SilenceMachine {
  /// The time allowed until the first event.
  static let patience = EventInterval.milliseconds(5000)

  /// When ``advance(to:)`` must be called if nothing comes first; `nil` once something has come or
  /// the silence was reported.
  private(set) var deadline: EventTime?

  init(from start: EventTime) { deadline = start + Self.patience }

  mutating func end() { deadline = nil }

  mutating func advance(to time: EventTime) -> Bool {
    guard let deadline, time >= deadline else { return false }
    self.deadline = nil
    return true
  }
}
