import ArgumentParser
import Glibc
import Gliss

/// Records devices until interrupted.
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
  /// The count on the progress line.
  private var shownCount: Int?
  private var silence: SilenceMachine

  /// - Parameter path: A file; `nil` for standard output.
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
      output.didClose = { [unowned raw] in raw.loop.stop() }
      var stream = RecordingWriter(deviceCount: devices.count) { output.write($0) }
      for device in devices { try stream.add(device) }
      self.stream = stream
      self.output = output
      files = nil
    }
    connect()
  }

  private func connect() {
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
    var event = showsKeys ? event : event.redacted
    let first = origin ?? event.time
    origin = first
    event.time = .zero + (event.time - first)
    eventCount += 1
    silence.end()
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

  /// Completes the files and reports their contents.
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

  /// - Returns: Whether to report the silence now.
  mutating func advance(to time: EventTime) -> Bool {
    guard let deadline, time >= deadline else { return false }
    self.deadline = nil
    return true
  }
}
