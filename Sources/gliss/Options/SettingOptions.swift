import ArgumentParser
import Gliss

/// `--set name=value`, shared by all subcommands that recognize gestures.
struct SettingOptions: ParsableArguments {
  /// One setting as typed.
  struct Assignment {
    var name: String
    var value: Double

    var text: String { "\(name)=\(value.shortest)" }

    /// - Throws: ``ValidationError`` if `text` is not a name, `=` and a number.
    init(_ text: String) throws {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, let value = Self.number(String(parts[1])) else {
        throw ValidationError(
          "'\(text.printable)' is not NAME=NUMBER; 'gliss thresholds' lists the names")
      }
      name = String(parts[0])
      self.value = value
    }

    /// A decimal number, or a word for on/off settings.
    private static func number(_ text: String) -> Double? {
      switch text {
      case "on", "true", "yes": 1
      case "off", "false", "no": 0
      case _: Double(text)
      }
    }
  }

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Change a setting; may be given more than once. 'gliss thresholds' lists them.",
      valueName: "name=value"),
    completion: .custom { _, _, _ in
      GestureConfiguration.settings.map { "\($0.name)=" }
    },
    transform: Assignment.init)
  var assignments: [Assignment] = []

  private static func advice(on error: ConfigurationError) -> String {
    switch error {
    case .unknownSetting: " 'gliss thresholds' lists them all."
    case .outOfRange: ""
    }
  }

  /// The default configuration with the assignments applied.
  ///
  /// - Throws: ``ValidationError`` if a name is unknown or a value is out of range.
  func configuration() throws -> GestureConfiguration {
    var configuration = GestureConfiguration()
    for assignment in assignments {
      do {
        try configuration.set(assignment.name, to: assignment.value)
      } catch {
        throw ValidationError("\(error)\(Self.advice(on: error))".printable)
      }
    }
    return configuration
  }
}
