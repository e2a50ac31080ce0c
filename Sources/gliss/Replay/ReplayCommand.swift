import ArgumentParser
import Gliss

/// `gliss replay`: prints the events of recordings.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Print the gestures that recordings hold.",
    usage: "gliss replay [<option> ...] <file> ...",
    discussion: """
      Reads what 'libinput record', 'evemu-record' and 'evtest' write, told apart by
      content. The table has a row for each gesture, once it is over; jsonl has a
      line for every step of it, as it happens.
      A file that is wrong does not hide the others: they are replayed, and the
      exit status is 2.

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
      "max, or how many times as fast as recorded: 1, 0.25, 8.", valueName: "max|N"),
    completion: .list(["max", "1", "2", "0.5"]), transform: Speed.init)
  var speed: Speed?

  @Option(
    help: ArgumentHelp(
      "What to print, with commas between: gesture, touch, key, pointer or all.",
      valueName: "kinds"),
    completion: .list(EventKinds.names.map(\.name)), transform: EventKinds.init)
  var events = EventKinds.gestures

  @Option(
    help: ArgumentHelp(
      "A file that describes the device, for recordings that do not.", valueName: "file"),
    completion: .file())
  var axes: String?

  @Flag(
    help: "On a terminal, show the fingers live; at --speed 1 where no other is given.")
  var picture = false

  @OptionGroup var settings: SettingOptions

  func validate() throws {
    if picture, format == .jsonl {
      throw ValidationError("--picture and --format jsonl do not go together")
    }
    if files.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("standard input (-) can be read only once")
    }
    _ = try settings.configuration()
  }

  func run() throws {
    let configuration = try settings.configuration()
    for file in files { replay(file, configuration) }
    if Diagnostics.worstStatus != ExitStatus.done { throw ExitCode(Diagnostics.worstStatus) }
  }

  private func replay(_ file: String, _ configuration: GestureConfiguration) {
    let playback = Playback(file: file, axes: axes)
    guard var recording = playback.open() else { return }
    let origin = recording.origin ?? .zero
    let printer = EventPrinter(
      file: file, origin: origin, format: format, mask: events.mask, wantsPicture: picture)
    let session = Session(configuration: configuration)
    session.addHandler(matching: printer.wanted) { [unowned session] event in
      printer.print(event, from: session.device(event.device))
    }
    if let factor = speedFactor(printer) {
      let pace = Pace(from: origin, times: factor)
      recording.willAdvance = { time in
        printer.wait(until: pace.due(time))
        return true
      }
    }
    let isWhole = playback.run(
      &recording, into: [session], isWatched: Terminal(Output.standard.descriptor).hasCursor)
    printer.close(isWhole: isWhole)
    playback.reportWarnings(of: recording)
  }

  /// `nil` for maximum speed.
  private func speedFactor(_ printer: EventPrinter) -> Double? {
    switch speed {
    case .maximal: nil
    case .times(let factor): factor
    case nil: printer.showsPicture ? 1 : nil
    }
  }
}
