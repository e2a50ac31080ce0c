import ArgumentParser
import Gliss

struct ThresholdsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thresholds",
    abstract: "List every number that decides between gestures.",
    discussion: """
      Each setting has a default, a unit, a range and a reason. A value outside its
      range is refused. Settings that are on or off take true or false.

      EXAMPLES
        gliss thresholds
        gliss thresholds --format json
        gliss replay --set NAME=VALUE mine.yml    replay with one of them changed
        gliss explain --set NAME=VALUE mine.yml   what that would have changed
      """)

  @Option(help: "text: a table; json: one array of objects.")
  var format = AnswerFormat.text

  func run() throws {
    format.print(Self.table, .array(GestureConfiguration.settings.map(Self.json)))
  }

  /// One row per setting, for searching with grep, with its meaning and source below.
  private static var table: [String] {
    let settings = GestureConfiguration.settings
    let table = TextTable(
      [
        .init("setting", settings.map(\.name), .bold),
        .init("default", settings.map(defaultValue)),
      ],
      last: .init(
        "range",
        settings.map { "\($0.range.lowerBound.shortest) … \($0.range.upperBound.shortest)" }))
    var lines = [table.heading]
    for (index, setting) in settings.enumerated() {
      lines.append(table.row(index))
      lines += setting.summary.wrapped(margin: 4)
      lines += setting.source.wrapped(margin: 4).map { Style.dim($0) }
    }
    return lines
  }

  private static func defaultValue(_ setting: GestureConfiguration.Setting) -> String {
    setting.unit == "0/1"
      ? setting.defaultValue.shortest : "\(setting.defaultValue.shortest) \(setting.unit)"
  }

  private static func json(_ setting: GestureConfiguration.Setting) -> JSON {
    [
      "name": .string(setting.name), "default": number(setting.defaultValue),
      "unit": .string(setting.unit), "minimum": number(setting.range.lowerBound),
      "maximum": number(setting.range.upperBound), "summary": .string(setting.summary),
      "source": .string(setting.source),
    ]
  }

  private static func number(_ value: Double) -> JSON {
    Int64(exactly: value).map(JSON.integer) ?? .decimal(value)
  }
}

/// `--set name=value`, shared by all subcommands that recognize gestures.
struct SettingOptions: ParsableArguments {
  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Change a setting; may be given more than once. 'gliss thresholds' lists them.",
      valueName: "name=value"),
    completion: .custom { _, _, _ in
      GestureConfiguration.settings.map { "\($0.name)=" }
    })
  var assignments: [String] = []

  /// The default configuration with the assignments applied. Throws if a name is unknown or a
  /// value is invalid.
  func configuration() throws -> GestureConfiguration {
    var configuration = GestureConfiguration()
    for assignment in assignments {
      let parts = assignment.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, !assignment.hasPrefix("=") else {
        throw ValidationError(
          "--set takes NAME=VALUE, not '\(assignment.printable)'; 'gliss thresholds' lists the names"
        )
      }
      do {
        try configuration.set(parts[0], to: parts[1])
      } catch {
        throw ValidationError("\(error)".printable)
      }
    }
    return configuration
  }
}
