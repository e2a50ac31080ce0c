import Glibc
import Gliss

/// Plays one file into sessions and reports errors in it.
struct Playback {
  let file: String
  let axes: String?

  /// The recording, read up to its first event. If that fails, prints a message and returns `nil`.
  func open() -> Recording? {
    do {
      return try recording()
    } catch {
      report(error)
      return nil
    }
  }

  private func recording() throws(RecordingError) -> Recording {
    if Arguments.isRepaired(file) {
      throw RecordingError(
        "its name is not UTF-8", advice: "rename it, or let the shell open it: gliss replay - <FILE"
      )
    }
    if let axes, Arguments.isRepaired(axes, option: "--axes") {
      throw RecordingError(file: axes, "its name is not UTF-8", advice: "rename it")
    }
    return file == "-" ? try .standardInput(axes: axes) : try Recording(path: file, axes: axes)
  }

  /// Plays to the end, or to the first invalid line. All lines before that have been delivered.
  ///
  /// - Parameters:
  ///   - sessions: Each gets every event, in this order.
  ///   - isWatched: Whether the output goes to the terminal that would show the progress.
  /// - Returns: Whether there were no errors.
  func run(_ recording: inout Recording, into sessions: [Session], isWatched: Bool) -> Bool {
    let progress = ProgressHolder(Progress(of: file, isWanted: !isWatched))
    recording.didRead = { progress.value.update(read: $0.bytesRead, of: $0.size) }
    defer { Progress.clear() }
    do {
      try recording.run(into: sessions)
      return true
    } catch {
      report(error)
      return false
    }
  }

  /// `FILE:LINE: what is wrong`, or `FILE: what is wrong` if the error has no line.
  private func report(_ error: RecordingError) {
    Diagnostics.badInput(error.message(for: file).printable)
  }

  /// Reports oddities that did not stop playback. They do not change the exit status.
  func reportWarnings(of recording: Recording) {
    let warnings = recording.warnings
    for warning in warnings.kept {
      let space = warning.line == nil ? " " : ""
      Diagnostics.say("\(file):\(space)\(warning) (went on)".printable)
    }
    if warnings.omitted > 0 {
      Diagnostics.say("\(file): \(warnings.omitted) more of these".printable)
    }
  }

  private final class ProgressHolder {
    var value: Progress
    init(_ value: Progress) { self.value = value }
  }
}

/// Plays a recording's time in real time, or a given factor faster.
struct Pace {
  private let factor: Double
  private let origin: EventTime
  private let start = EventLoop.now

  /// - Parameter factor: Seconds of the recording per second of real time.
  init(from origin: EventTime, times factor: Double) {
    self.factor = factor
    self.origin = origin
  }

  /// When `time` is due on the live clock.
  func due(_ time: EventTime) -> EventTime {
    // a broken recording may jump ahead by years; do not wait for that in one sleep
    start + .milliseconds(min((time - origin).seconds / factor, 1e9) * 1000)
  }

  /// Sleeps. A signal that ends the process does so by itself and need not be handled here.
  ///
  /// - Returns: Whether the time has come. A signal that does not end the process ends the sleep.
  static func sleep(until time: EventTime) -> Bool {
    guard time > EventLoop.now else { return true }
    let due = timespec(
      tv_sec: time_t(time.microseconds / 1_000_000),
      tv_nsec: Int(time.microseconds % 1_000_000) * 1000)
    return withUnsafePointer(to: due) { clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, $0, nil) }
      != EINTR
  }
}
