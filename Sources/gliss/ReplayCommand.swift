import ArgumentParser
import Glibc
import Gliss

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Print the gestures in recordings.",
    usage: "gliss replay [<option> ...] <file> ...",
    discussion: """
      Reads the formats of 'libinput record', 'evemu-record' and 'evtest',
      recognized by content. The table has a row for each gesture, once it is over;
      jsonl has a line for each of its events, as they happen. Recordings have no
      pointer motion, only buttons and wheels. If a file is invalid, the others are
      still replayed, and the exit status is 2.

      EXAMPLES
        gliss replay mine.yml
        gliss replay --picture mine.yml
        gliss replay --format jsonl --events gesture,touch *.yml
        gliss replay --axes pad.desc strokes.events
        gliss replay --set motion.floor=1.5 mine.yml
        xz -dc old.yml.xz | gliss replay -
      """)

  @Argument(
    help: ArgumentHelp("Recordings; - is standard input.", valueName: "file"),
    completion: .file())
  var files: [String]

  @Option(help: "text: a table; jsonl: a JSON object a line.")
  var format = EventFormat.text

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "max, or a multiple of the recorded speed: 1, 0.25, 8.", valueName: "max|N"),
    completion: .list(["max", "1", "2", "0.5"]), transform: Double.init(speed:))
  var speed: Double?

  @Option(help: .events, completion: .events, transform: EventMask.init(words:))
  var events = EventMask.gesture

  @Option(help: .axes, completion: .file())
  var axes: String?

  @Flag(
    help: "On a terminal, show the fingers live; at --speed 1 unless another is given.")
  var picture = false

  @OptionGroup var settings: SettingOptions

  func validate() throws {
    if picture, format == .jsonl {
      throw ValidationError("--picture and --format jsonl do not go together")
    }
    try Arguments.checkStandardInput(files)
  }

  func run() throws {
    let configuration = try settings.configuration()
    for file in files { replay(file, configuration) }
    throw Diagnostics.result
  }

  private func replay(_ file: String, _ configuration: GestureConfiguration) {
    guard var playback = Playback(file: file, axes: axes) else { return }
    let origin = playback.origin
    let printer = EventPrinter(
      EventListing(file: file, origin: origin, format: format), mask: events,
      wantsPicture: picture,
      advice: adviceToExplain(file, settings: settings.assignments, axes: axes))
    let session = Session(configuration: configuration)
    session.addHandler(matching: printer.wanted) { [unowned session] event in
      printer.print(event, from: session.device(event.device))
    }
    let factor = speed ?? (printer.showsPicture ? 1 : .infinity)
    if factor.isFinite {
      let start = InputLoop.now
      playback.recording.willAdvance = { time in
        // a broken recording may jump ahead by years; do not wait for that in one sleep
        let seconds = min((time - origin).seconds / factor, 1e9)
        printer.wait(until: start + .milliseconds(seconds * 1000))
        return true
      }
    }
    let isWhole = playback.run(into: [session])
    printer.close(isWhole: isWhole, of: playback.recording.devices)
    playback.reportWarnings()
  }
}

/// Plays one file into sessions and reports errors in it.
struct Playback {
  let file: String
  var recording: Recording

  /// Reads up to the first event. If that fails, prints a message and returns `nil`.
  init?(file: String, axes: String? = nil) {
    self.file = file
    do {
      recording = try Self.open(file, axes)
    } catch {
      Diagnostics.badInput(error.message(for: file))
      return nil
    }
  }

  var origin: EventTime { recording.origin ?? .zero }

  private static func open(_ file: String, _ axes: String?) throws(RecordingError) -> Recording {
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
  /// Each session gets every event, in this order. Returns whether there were no errors.
  mutating func run(into sessions: [Session]) -> Bool {
    // events already show the progress on a terminal
    let progress = Progress(isWanted: !Terminal.standard.hasCursor, after: .milliseconds(1000))
    recording.didRead = { [file] in progress.update(Self.line(read: $0, of: $1, in: file)) }
    defer { Progress.clear() }
    do {
      try recording.run(into: sessions)
      return true
    } catch {
      Diagnostics.badInput(error.message(for: file))
      return false
    }
  }

  private static func line(read: Int64, of size: Int64?, in file: String) -> String {
    let words = "\(file.printable): \(read / 1_000_000) MB"
    guard let size, size > 0 else { return words }
    return words + ", \(read * 100 / size) %"
  }

  /// Reports oddities that did not stop playback. They do not change the exit status.
  func reportWarnings() {
    for warning in recording.warnings {
      let space = warning.line == nil ? " " : ""
      Diagnostics.say("\(file):\(space)\(warning)")
    }
    if recording.omittedWarningCount > 0 {
      Diagnostics.say("\(file): \(recording.omittedWarningCount) more of these")
    }
  }
}

/// A line on standard error about work in progress, shown only to people.
final class Progress {
  private let terminal: Terminal
  /// When a new line may be shown, ten times a second; `nil` if nobody would see it.
  private(set) var due: EventTime?

  /// `isWanted` is false if the output itself goes to the same terminal.
  init(isWanted: Bool = true, after delay: EventInterval = .zero) {
    terminal = isWanted ? Terminal(STDERR_FILENO) : .plain
    due = terminal.hasCursor ? InputLoop.now + delay : nil
  }

  /// Replaces the line with `line`; returns false if it is too early for that.
  @discardableResult func update(_ line: @autoclosure () -> String) -> Bool {
    guard let due, due <= InputLoop.now else { return false }
    self.due = InputLoop.now + .milliseconds(100)
    Interruption.markProgressShown(true)
    let text = "\r\u{1b}[K" + String(line().prefix(max(1, terminal.columns - 1)))
    Output.diagnostics.write(text: text)
    return true
  }

  static func clear() {
    guard Interruption.isProgressShown else { return }
    Output.diagnostics.write(text: "\r\u{1b}[K")
    Interruption.markProgressShown(false)
  }
}
