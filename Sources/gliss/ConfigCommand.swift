import ArgumentParser
import Gliss
import GlissAgent
import GlissConfiguration

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Print an example of a configuration, its schema, or the files that are read.",
    discussion: """
      EXAMPLES
        mkdir -p ~/.config/gliss
        gliss config example > ~/.config/gliss/gliss.yaml
        gliss config path
        gliss config schema > gliss.schema.json

      docs/configuration.md says what every key means.
      """,
    subcommands: [
      ConfigExampleCommand.self, ConfigSchemaCommand.self, ConfigPathCommand.self,
    ])
}

struct ConfigExampleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "example",
    abstract: "Print a file to begin with.",
    discussion: """
      EXAMPLES
        gliss config example > ~/.config/gliss/gliss.yaml
      """)

  func run() { Output.standard.write(ConfigurationExample.bytes) }
}

struct ConfigSchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the format as JSON Schema, which editors use for completion.",
    discussion: """
      Packages install it as \(ConfigurationSchema.path). Editors with
      yaml-language-server find it by the first line of the configuration.

      EXAMPLES
        gliss config schema > gliss.schema.json
      """)

  func run() { Output.standard.write(Array(ConfigurationSchema.text.utf8)) }
}

struct ConfigPathCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "path",
    abstract: "List the files that are read, in order, and at the end those they include.",
    discussion: """
      EXAMPLES
        gliss config path

      EXIT STATUS
        0  done
        2  a file exists and would not be read
      """)

  func run() throws {
    let files = ConfigurationFiles()
    let found = files.read()
    let unread = found.errors.filter { $0.reason != .missing }
    let names = found.texts.map(\.name)
    var rest = names
    for (file, folder) in zip(files.files, files.folders) {
      for (place, shown) in [(file, file), (folder, "\(folder)/*.yaml")] {
        func isThere(_ name: String) -> Bool { name == place || name.hasPrefix(place + "/") }
        let read = names.filter(isThere)
        rest.removeAll(where: isThere)
        let reason = unread.contains { isThere($0.path) } ? "not read" : "not there"
        let lines = read.isEmpty ? ["\(shown)  (\(reason))"] : read
        Output.standard.write(lines: lines.map(\.printable))
      }
    }
    for name in rest { Output.standard.write(line: "\(name)  (included)".printable) }
    for name in files.misnamed {
      Output.standard.write(line: "\(name)  (not read: its name must end with .yaml)".printable)
    }
    for error in unread { Diagnostics.badInput(error.description) }
    throw Diagnostics.result
  }
}

extension ConfigurationFiles {
  /// Files in the right places whose names end with .yml: they seem to be meant, but are not read.
  fileprivate var misnamed: [String] {
    let dropIns = folders.flatMap { folder in
      Folder.names(in: folder).sorted().filter { $0.hasSuffix(".yml") }.map { "\(folder)/\($0)" }
    }
    let isThere = Folder.names(in: userFolder).contains("gliss.yml")
    return (isThere ? ["\(userFolder)/gliss.yml"] : []) + dropIns
  }
}

struct ConfigurationInput {
  var texts: [ConfigurationText]
  var errors: [String]
  /// Where a file includes one that could not be read.
  var mistakes: [Mistake]
  /// Why 'gliss run' would refuse files that were read.
  var refused: [String] = []

  private init(_ found: ConfigurationFiles.Found) {
    texts = found.texts
    errors = found.errors.filter { $0.mistake == nil }.map(\.description)
    mistakes = found.errors.compactMap(\.mistake)
  }

  static func own() -> ConfigurationInput {
    let files = ConfigurationFiles()
    for name in files.misnamed {
      Diagnostics.say("\(name): not read: its name must end with .yaml".printable)
    }
    return ConfigurationInput(files.read())
  }

  /// Named files and those they include. Any owner will do, because they are only checked.
  static func named(_ paths: [String]) -> ConfigurationInput {
    var texts: [ConfigurationText] = []
    var errors: [String] = []
    var files = ConfigurationFiles()
    files.trustsAll = true
    for path in paths {
      do {
        let bytes = try WholeFile.read(path, limit: Configuration.largestFile)
        texts.append(ConfigurationText(name: path, bytes: bytes))
      } catch {
        errors.append("\(error)")
      }
    }
    var input = ConfigurationInput(files.read(texts))
    input.errors = errors + input.errors
    for path in paths {
      var files = ConfigurationFiles(only: path)
      files.followsIncludes = false
      for error in files.read().errors {
        guard case .writable = error.reason else { continue }
        input.refused.append("\(error); until then 'gliss run' refuses it")
      }
    }
    return input
  }
}

extension Diagnostics {
  @discardableResult
  static func report(_ mistakes: [Mistake]) -> ExitCode {
    if mistakes.isEmpty { return .badInput }
    let terminal = Terminal(Output.diagnostics.descriptor)
    let lines = mistakes.flatMap { mistake in
      let style = mistake.severity == .error ? Style.red : .yellow
      // the third line marks the place
      return mistake.lines.enumerated().map { $0 == 2 ? style($1, on: terminal) : $1 }
    }
    Output.diagnostics.write(lines: lines + [mistakes.summary])
    return .badInput
  }
}

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Report the mistakes in the configuration, with their places.",
    discussion: """
      Without FILE it checks the files that 'gliss run' would read; 'gliss config
      path' lists them. It reports every mistake with its file, line and column on
      standard error. Files that FILE includes are checked, too. Of a file that is
      not YAML it reports the first mistake only.

      EXAMPLES
        gliss check
        gliss check gliss.yaml
        gliss import sxhkd sxhkdrc | gliss check -
        gliss check --format json |
          jq -r '.unread[], .refused[], .mistakes[].message'

      EXIT STATUS
        0  no mistakes; there may be warnings
        2  there are mistakes, or a file cannot be read
      """)

  @Argument(
    help: ArgumentHelp(
      "Files to check together instead; - is standard input.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  @Option(help: "text: each mistake with its line; json: one object.")
  var format = AnswerFormat.text

  func validate() throws {
    try Arguments.checkStandardInput(files)
  }

  func run() throws {
    let found = files.isEmpty ? ConfigurationInput.own() : ConfigurationInput.named(files)
    var reading = Configuration.read(found.texts)
    Self.askAboutGestures(&reading)
    Self.askAboutTaking(&reading)
    Self.askDesktop(about: &reading)
    Self.askLayout(about: &reading)
    if let configuration = reading.configuration {
      reading.mistakes += configuration.missingFiles(ProcessEnvironment.all)
    }
    if let rules = reading.configuration?.rules {
      do throws(SystemError) {
        reading.mistakes += try FocusAdvice.warnings(about: rules)
      } catch {
        Diagnostics.say("the source of the focus is unknown: \(error)")
      }
    }
    if !found.mistakes.isEmpty { reading.configuration = nil }
    reading.mistakes += found.mistakes
    reading.mistakes = reading.mistakes.map { $0.shown(in: found.texts) }
    reading.mistakes.sort(by: found.texts.map(\.name))
    switch format {
    case .text: Self.print(reading, found)
    case .json: Output.standard.write(document: Self.json(reading, found))
    }
    if reading.configuration == nil || !found.errors.isEmpty {
      throw ExitCode.badInput
    }
  }

  /// Warns at rules for gestures that the running desktop acts on, too.
  private static func askAboutGestures(_ reading: inout ConfigurationReading) {
    guard let compositor = Compositor.running,
      let rules = reading.configuration?.rules.filter({ !$0.consumesStroke }),
      !compositor.clashes(with: rules, in: nil).isEmpty
    else { return }
    let version = DesktopVersion(reportedBy: compositor.program)
    reading.mistakes += compositor.clashes(with: rules, in: version)
  }

  /// Warns at the first rule that consumes its stroke, if the desktop still gets strokes.
  private static func askAboutTaking(_ reading: inout ConfigurationReading) {
    guard let rules = reading.configuration?.rules,
      let first = rules.first(where: \.consumesStroke)
    else { return }
    let status = TakeStatus.running
    if status.isInForce { return }
    let commands = status.remedy?.commands.map { ": \($0)" }.joined() ?? ""
    let remedy = status.remedy.map { ". \($0.text.dropLast())\(commands)" } ?? ""
    reading.mistakes.append(
      Mistake(
        "the desktop may act on consumed strokes as well: \(status.sentence)\(remedy)",
        at: first.place,
        severity: .warning))
  }

  /// Adds mistakes for whatever rules ask of the running desktop that it does not do.
  private static func askDesktop(about reading: inout ConfigurationReading) {
    guard let configuration = reading.configuration, configuration.asksDesktop,
      let desktop = DesktopActor.running(within: .milliseconds(2000))
    else { return }
    let mistakes = desktop.mistakes(in: configuration.rules)
    guard !mistakes.isEmpty else { return }
    reading.mistakes += mistakes
    reading.configuration = nil
  }

  /// Warns at hotkeys with characters that the keyboard's layout lacks.
  private static func askLayout(about reading: inout ConfigurationReading) {
    let hotkeys = (reading.configuration?.rules ?? []).compactMap { rule -> (Place, Hotkey)? in
      guard case .hotkey(let condition) = rule.trigger,
        condition.hotkey.chords.contains(where: {
          if case .symbol = $0.trigger { true } else { false }
        })
      else { return nil }
      return (rule.place, condition.hotkey)
    }
    // 'gliss doctor' reports a layout that cannot be used; xkb's own default is only a guess
    guard !hotkeys.isEmpty, let found = try? KeyboardLayout.find(), found.source != .standard,
      let translator = try? XkbKeyTranslator(found.layout)
    else { return }
    reading.mistakes += hotkeys.compactMap { place, hotkey in
      translator.warning(about: hotkey).map { Mistake($0, at: place, severity: .warning) }
    }
  }

  private static func print(_ reading: ConfigurationReading, _ found: ConfigurationInput) {
    for error in found.errors { Diagnostics.badInput(error) }
    for reason in found.refused { Diagnostics.say(reason) }
    Diagnostics.report(reading.mistakes)
    guard found.errors.isEmpty, let configuration = reading.configuration else { return }
    let (rules, files) = (configuration.rules.count, found.texts.count)
    Output.standard.write(line: "\(counted(rules, "rule")), \(counted(files, "file"))")
  }

  private static func json(_ reading: ConfigurationReading, _ found: ConfigurationInput) -> JSON {
    let mistakes = reading.mistakes.map { mistake -> JSON in
      [
        "file": .string(mistake.place.file), "line": .integer(Int64(mistake.place.line)),
        "column": .integer(Int64(mistake.place.column)), "length": .integer(Int64(mistake.length)),
        "severity": mistake.severity == .error ? "error" : "warning",
        "message": .string(mistake.message),
      ]
    }
    return [
      "right": .bool(reading.configuration != nil && found.errors.isEmpty),
      "rules": .integer(Int64(reading.configuration?.rules.count ?? 0)),
      "files": .array(found.texts.map { .string($0.name) }),
      "unread": .strings(found.errors), "refused": .strings(found.refused),
      "mistakes": .array(mistakes),
    ]
  }
}
