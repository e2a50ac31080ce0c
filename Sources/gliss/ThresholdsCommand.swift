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
        gliss thresholds tap                      those whose names begin so
        gliss thresholds --format json motion.floor
        gliss replay --set NAME=VALUE mine.yml    replay with one of them changed
        gliss explain --set NAME=VALUE mine.yml   what that would have changed
      """)

  @Argument(
    help: ArgumentHelp("Only this setting, or those whose names begin so.", valueName: "name"),
    completion: .list(GestureConfiguration.settings.map(\.name)))
  var name: String?

  @Option(help: "text: a table; json: one array of objects.")
  var format = AnswerFormat.text

  func run() throws {
    let settings = try chosen()
    format.print(Self.table(settings), .array(settings.map(Self.json)))
  }

  private func chosen() throws -> [GestureConfiguration.Setting] {
    let all = GestureConfiguration.settings
    guard let name else { return all }
    let found = all.filter { $0.name.hasPrefix(name) }
    if !found.isEmpty { return found }
    let groups = all.compactMap { $0.name.split(separator: ".").first.map(String.init) }
    let similar = Spelling.nearest(to: name, among: groups + all.map(\.name))
    throw Diagnostics.refusal("\(ConfigurationError.unknownSetting(name, similar: similar))")
  }

  /// One row per setting, for searching with grep, with its meaning and source below.
  private static func table(_ settings: [GestureConfiguration.Setting]) -> [String] {
    let words = settings.map(Self.words)
    let table = TextTable(
      [
        .init("setting", settings.map(\.name), .bold),
        .init("default", words.map(\.value)),
      ],
      last: .init("range", words.map(\.range)))
    var lines = [table.heading]
    for (index, setting) in settings.enumerated() {
      lines.append(table.row(index))
      lines += setting.summary.wrapped(margin: 4)
      lines += setting.source.wrapped(margin: 4).map { Style.dim($0) }
    }
    return lines
  }

  private static func words(
    _ setting: GestureConfiguration.Setting
  ) -> (value: String, range: String) {
    if setting.unit == "0/1" { return ("\(setting.defaultValue != 0)", "true or false") }
    let (range, value) = (setting.range, setting.defaultValue.shortest)
    return (
      "\(value) \(setting.unit)", "\(range.lowerBound.shortest) … \(range.upperBound.shortest)"
    )
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

  func validate() throws { _ = try configuration() }

  var typed: String { assignments.joined(separator: " ") }

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
