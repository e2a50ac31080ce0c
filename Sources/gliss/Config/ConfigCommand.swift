import ArgumentParser
import GlissAgent
import GlissConfiguration

/// `gliss config`: an example, the schema and the paths of configuration files.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "An example of a configuration, its schema, and where it is looked for.",
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

/// `gliss config example`.
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

/// `gliss config schema`.
struct ConfigSchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the format as JSON Schema, with which editors complete it.",
    discussion: """
      Packages put it at \(ConfigurationSchema.path); an editor
      that speaks to yaml-language-server finds it by the first line of the file.

      EXAMPLES
        gliss config schema > gliss.schema.json
      """)

  func run() { Output.standard.write(Array(ConfigurationSchema.text.utf8)) }
}

/// `gliss config path`.
struct ConfigPathCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "path",
    abstract: "Say which files are read, in their order, and which are not there.",
    discussion: """
      EXAMPLES
        gliss config path

      EXIT STATUS
        0  done
        2  a file is there and would not be read
      """)

  func run() throws {
    let files = ConfigurationFiles()
    let found = files.read()
    for (file, folder) in zip(files.files, files.folders) {
      let refused = found.errors.filter { $0.reason != .missing }.map(\.path)
      Self.list(file, found.texts.filter { $0.name == file }, isThere: refused.contains(file))
      Self.list(
        "\(folder)/*.yaml", found.texts.filter { $0.name.hasPrefix(folder + "/") },
        isThere: refused.contains { $0 == folder || $0.hasPrefix(folder + "/") })
    }
    for error in found.errors where error.reason != .missing {
      Diagnostics.badInput(error.description.printable)
    }
    if Diagnostics.worstStatus != ExitStatus.done { throw ExitCode(Diagnostics.worstStatus) }
  }

  private static func list(_ place: String, _ texts: [ConfigurationText], isThere: Bool) {
    for text in texts { Output.standard.write(line: text.name.printable) }
    if texts.isEmpty {
      Output.standard.write(line: "\(place)  (\(isThere ? "not read" : "not there"))".printable)
    }
  }
}

/// The texts of configuration files, and the errors of those that could not be read.
struct ConfigurationInput {
  var texts: [ConfigurationText]
  var errors: [String]

  /// The files the agent reads.
  static func own() -> ConfigurationInput {
    let found = ConfigurationFiles().read()
    return ConfigurationInput(texts: found.texts, errors: found.errors.map(\.description))
  }

  /// Named files, whoever owns them. They are only checked, not run.
  static func named(_ paths: [String]) -> ConfigurationInput {
    var input = ConfigurationInput(texts: [], errors: [])
    for path in paths {
      switch WholeFile.read(path, limit: Configuration.largestFile) {
      case .success(let bytes): input.texts.append(ConfigurationText(name: path, bytes: bytes))
      case .failure(let failure): input.errors.append("\(path): \(failure.text)")
      }
    }
    return input
  }
}

/// Prints mistakes in configuration files on standard error.
enum MistakePrinter {
  /// Prints all mistakes and their number; prints nothing if there are none.
  static func print(_ mistakes: [Mistake]) {
    if mistakes.isEmpty { return }
    let terminal = Terminal(Output.diagnostics.descriptor)
    var text = ""
    for mistake in mistakes {
      let lines = mistake.lines
      for (index, line) in lines.enumerated() {
        let isMark = index == 2
        let style = mistake.severity == .error ? Style.red : .yellow
        text += (isMark ? style(line, on: terminal) : line) + "\n"
      }
    }
    Output.diagnostics.write(line: text + mistakes.summary)
  }
}
