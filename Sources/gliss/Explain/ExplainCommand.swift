import ArgumentParser
import Gliss

/// `gliss explain`: why each contact was recognized as it was.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say why each contact was taken for what it was.",
    usage: "gliss explain [<option> ...] <file>",
    discussion: """
      For each stretch of contact, from the first finger down to all lifted: every
      decision, the evidence for each kind in mm of finger travel beside what it
      needed, and the rule that decided. The numbers are those that were decided
      on, not a second computation.
      With --set, a second recognizer with that setting gets the same input, and
      what changes is shown.

      EXAMPLES
        gliss explain mine.yml
        gliss explain --set motion.floor=0.4 mine.yml
        gliss explain --format jsonl mine.yml
      """)

  @Argument(
    help: ArgumentHelp("A recording; - is standard input.", valueName: "file"),
    completion: .file())
  var file: String

  @Option(help: "text: for reading; jsonl: a JSON object for each decision.")
  var format = EventFormat.text

  @Option(
    help: ArgumentHelp(
      "A file that describes the device, for recordings that do not.", valueName: "file"),
    completion: .file())
  var axes: String?

  @OptionGroup var settings: SettingOptions

  func validate() throws { _ = try settings.configuration() }

  func run() throws {
    let playback = Playback(file: file, axes: axes)
    if var recording = playback.open() {
      try explain(&recording, playback)
      playback.reportWarnings(of: recording)
    }
    if Diagnostics.worstStatus != ExitStatus.done { throw ExitCode(Diagnostics.worstStatus) }
  }

  private func explain(_ recording: inout Recording, _ playback: Playback) throws {
    let changed = try changedSession()
    let typed = settings.assignments.map(\.text).joined(separator: " ")
    let printer = ExplanationPrinter(
      file: file, origin: recording.origin ?? .zero, format: format,
      settings: changed == nil ? nil : typed)
    let session = Session()
    let explained = ExplainedSession(session) { stretch, device in
      printer.print(stretch, from: device, with: changed?.take(stretch))
    }
    // the changed session runs first, because its decisions must be known when a contact is printed
    let sessions = (changed.map { [$0.session] } ?? []) + [session]
    let isWhole = playback.run(
      &recording, into: sessions, isWatched: Terminal(Output.standard.descriptor).hasCursor)
    changed?.close()
    explained.close()
    if isWhole { printer.close() }
  }

  /// The second session; `nil` if no setting was changed.
  private func changedSession() throws -> ChangedSession? {
    if settings.assignments.isEmpty { return nil }
    return ChangedSession(Session(configuration: try settings.configuration()))
  }
}
