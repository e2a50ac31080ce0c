import Gliss

/// Plays one file into a session, and says what is wrong with it.
struct Playback {
  let file: String
  let axes: String?

  /// The recording, read up to its first event; `nil`, and a message, where it cannot be.
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

  /// Plays it to its end, or to the line that is wrong: all before that line has been delivered by then.
  ///
  /// - Parameters:
  ///   - sessions: all get every event, in this order.
  ///   - isWatched: the output goes to the same terminal that progress would be shown on.
  /// - Returns: whether nothing was wrong.
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

  /// `FILE:LINE: what is wrong`, or `FILE: what is wrong` where no line is to blame.
  private func report(_ error: RecordingError) {
    Diagnostics.badInput(error.message(for: file).printable)
  }

  /// What was odd but did not stop it; the status stays what it is.
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
