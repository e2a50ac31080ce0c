import ArgumentParser
import Gliss

/// `gliss thresholds`: the table of all settings.
struct ThresholdsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thresholds",
    abstract: "List every number that decides between gestures.",
    discussion: """
      Each setting has a default, a unit, a range and a reason. A value outside its
      range is refused. Settings that are on or off take 1 and 0.

      EXAMPLES
        gliss thresholds
        gliss thresholds --format json
        gliss replay --set NAME=VALUE mine.yml    replay with one of them changed
        gliss explain --set NAME=VALUE mine.yml   what that would have changed
      """)

  @Option(help: "text: a table; json: one array of objects.")
  var format = AnswerFormat.text

  func run() throws {
    switch format {
    case .text: Output.standard.write(line: Self.table(on: Terminal(Output.standard.descriptor)))
    case .json: Output.standard.write(Self.json())
    }
  }

  /// One row per setting, for searching with grep, with its meaning and source below.
  private static func table(on terminal: Terminal) -> String {
    let settings = GestureConfiguration.settings
    let name = settings.map(\.name.count).max() ?? 0
    let value = settings.map { defaultValue($0).count }.max() ?? 0
    let heading =
      "setting".padded(name) + "  " + "default".padded(max(7, value)) + "  " + "range"
    var lines = [Style.dim(heading, on: terminal)]
    for setting in settings {
      let range = "\(setting.range.lowerBound.shortest) … \(setting.range.upperBound.shortest)"
      lines.append(
        Style.bold(setting.name.padded(name), on: terminal) + "  "
          + defaultValue(setting).padded(max(7, value)) + "  " + range)
      lines += setting.summary.wrapped(margin: 4, on: terminal)
      lines += setting.source.wrapped(margin: 4, on: terminal)
        .map { Style.dim($0, on: terminal) }
    }
    return lines.joined(separator: "\n")
  }

  private static func defaultValue(_ setting: GestureConfiguration.Setting) -> String {
    setting.unit == "0/1"
      ? setting.defaultValue.shortest : "\(setting.defaultValue.shortest) \(setting.unit)"
  }

  private static func json() -> TextBuffer {
    var text = TextBuffer(capacity: 16_384)
    var separator: StaticString = "[\n"
    for setting in GestureConfiguration.settings {
      text.append(separator)
      separator = ",\n"
      text.append("  {\"name\":")
      text.append(json: setting.name)
      text.append(",\"default\":" + setting.defaultValue.shortest)
      text.append(",\"unit\":")
      text.append(json: setting.unit)
      text.append(",\"minimum\":" + setting.range.lowerBound.shortest)
      text.append(",\"maximum\":" + setting.range.upperBound.shortest)
      text.append(",\"summary\":")
      text.append(json: setting.summary)
      text.append(",\"source\":")
      text.append(json: setting.source)
      text.append("}")
    }
    text.append("\n]\n")
    return text
  }
}
