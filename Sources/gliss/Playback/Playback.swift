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
