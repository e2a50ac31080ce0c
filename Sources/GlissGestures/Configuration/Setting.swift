import GlissEvents

extension GestureConfiguration {
  /// One number of the configuration: its name, default, unit, range and source.
  public struct Setting: Sendable {
    /// As in `--set name=value`: group and field separated by a dot.
    public let name: String
    /// The value in an unchanged configuration.
    public let defaultValue: Double
    /// mm, ms, °, × (a factor) or 0/1 (a switch).
    public let unit: String
    /// The range of valid values.
    public let range: ClosedRange<Double>
    /// What it does, in one sentence.
    public let summary: String
    /// The reason for the default.
    public let source: String

    let keyPath: any WritableKeyPath<GestureConfiguration, Double> & Sendable

    init(
      _ name: String, _ keyPath: any WritableKeyPath<GestureConfiguration, Double> & Sendable,
      _ defaultValue: Double, _ unit: String, _ range: ClosedRange<Double>, _ summary: String,
      source: String
    ) {
      self.name = name
      self.keyPath = keyPath
      self.defaultValue = defaultValue
      self.unit = unit
      self.range = range
      self.summary = summary
      self.source = source
    }
  }

  /// The value of the setting called `name`, or `nil` if there is no such setting.
  public func value(of name: String) -> Double? {
    Self.settings.first { $0.name == name }.map { self[keyPath: $0.keyPath] }
  }

  /// Changes one setting by name.
  ///
  /// - Throws: ``ConfigurationError`` for a name that does not exist or a value outside its range.
  public mutating func set(_ name: String, to value: Double) throws(ConfigurationError) {
    guard let setting = Self.settings.first(where: { $0.name == name }) else {
      throw .unknownSetting(name, similar: Self.names(like: name))
    }
    guard setting.range.contains(value), setting.unit != "0/1" || value == 0 || value == 1 else {
      throw .outOfRange(name, value: value, range: setting.range, unit: setting.unit)
    }
    self[keyPath: setting.keyPath] = value
  }

  /// Up to three names similar to `name`: the same group or field, or only a few letters different.
  private static func names(like name: String) -> [String] {
    Spelling.similar(to: name, among: settings.map(\.name), within: max(3, name.utf8.count / 2))
  }
}

/// Why a setting was rejected.
public enum ConfigurationError: Error, Hashable, CustomStringConvertible {
  case unknownSetting(String, similar: [String])
  case outOfRange(String, value: Double, range: ClosedRange<Double>, unit: String)

  public var description: String {
    switch self {
    case .unknownSetting(let name, let similar):
      let advice =
        similar.isEmpty ? "" : " Did you mean \(similar.joined(separator: " or "))?"
      return "there is no setting “\(name)”.\(advice)"
    case .outOfRange(let name, let value, _, "0/1"):
      return "\(name) cannot be \(value): it is 0.0 or 1.0."
    case .outOfRange(let name, let value, let range, let unit):
      return
        "\(name) cannot be \(value): it goes from \(range.lowerBound) to \(range.upperBound) \(unit)."
    }
  }
}
