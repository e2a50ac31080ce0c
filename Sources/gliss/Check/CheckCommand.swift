import ArgumentParser
import Gliss
import GlissConfiguration

/// `gliss check`: validates configuration files.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Say what is wrong with the configuration, and where.",
    discussion: """
      Without FILE it checks what 'gliss run' would read: 'gliss config path' lists
      that. All mistakes are told at once, each with its file, line and column.

      EXAMPLES
        gliss check
        gliss check gliss.yaml
        gliss import sxhkd sxhkdrc | gliss check -
        gliss check --format json | jq -r '.mistakes[].message'

      EXIT STATUS
        0  nothing is wrong; there may be warnings
        2  something is wrong, or a file cannot be read
      """)

  @Argument(
    help: ArgumentHelp(
      "Files that are read instead, together; - is standard input.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  @Option(help: "text: each mistake with its line; json: one object.")
  var format = AnswerFormat.text

  func validate() throws {
    if files.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("standard input can be read once")
    }
  }

  func run() throws {
    let found = files.isEmpty ? ConfigurationInput.own() : ConfigurationInput.named(files)
    var reading = Configuration.read(found.texts)
    if let compositor = Compositor.running, let rules = reading.configuration?.rules {
      reading.mistakes += compositor.clashes(with: rules)
    }
    switch format {
    case .text: Self.tell(reading, found)
    case .json: Output.standard.write(JSONLines.bytes(of: Self.json(reading, found)))
    }
    if reading.configuration == nil || !found.errors.isEmpty {
      throw ExitCode(ExitStatus.badInput)
    }
  }

  private static func tell(_ reading: ConfigurationReading, _ found: ConfigurationInput) {
    for error in found.errors { Diagnostics.badInput(error.printable) }
    MistakePrinter.print(reading.mistakes)
    guard found.errors.isEmpty, let configuration = reading.configuration else { return }
    Output.standard.write(line: summary(configuration, found.texts.count))
  }

  /// The counts, such as "12 rules, 3 files".
  private static func summary(_ configuration: Configuration, _ files: Int) -> String {
    let rules = configuration.rules.count
    return "\(rules) \(rules == 1 ? "rule" : "rules"), \(files) \(files == 1 ? "file" : "files")"
  }

  private static func json(_ reading: ConfigurationReading, _ found: ConfigurationInput) -> JSON {
    let mistakes = reading.mistakes.map { mistake in
      JSON.object([
        .init("file", .string(mistake.place.file)),
        .init("line", .integer(Int64(mistake.place.line))),
        .init("column", .integer(Int64(mistake.place.column))),
        .init("length", .integer(Int64(mistake.length))),
        .init("severity", mistake.severity == .error ? "error" : "warning"),
        .init("message", .string(mistake.message)),
      ])
    }
    return [
      "right": .bool(reading.configuration != nil && found.errors.isEmpty),
      "rules": .integer(Int64(reading.configuration?.rules.count ?? 0)),
      "files": .array(found.texts.map { .string($0.name) }),
      "unread": .array(found.errors.map(JSON.string)), "mistakes": .array(mistakes),
    ]
  }
}
