import GlissEvents

extension GestureConfiguration: Codable {
  /// Reads an object of settings by name, such as `{"drag.gain": 2}`. All others have their defaults.
  ///
  /// - Throws: `DecodingError.dataCorrupted` for a name that does not exist or a value outside its
  ///   range.
  public init(from decoder: any Decoder) throws {
    self.init()
    for (name, value) in try [String: Double](from: decoder).sorted(by: { $0.key < $1.key }) {
      do throws(ConfigurationError) {
        try set(name, to: value)
      } catch {
        throw DecodingError.invalid("\(error)", at: decoder)
      }
    }
  }

  /// Writes the settings that differ from their defaults, by name.
  public func encode(to encoder: any Encoder) throws {
    let pairs = changed.map { ($0.name, self[keyPath: $0.keyPath]) }
    try Dictionary(pairs, uniquingKeysWith: { $1 }).encode(to: encoder)
  }

  /// The settings that differ from their defaults.
  private var changed: [Setting] {
    Self.settings.filter { self[keyPath: $0.keyPath] != $0.defaultValue }
  }
}

extension GestureConfiguration: CustomStringConvertible {
  /// The settings that differ from their defaults: `drag.gain=2, tap.duration=150`.
  public var description: String {
    let texts = changed.map { "\($0.name)=\(self[keyPath: $0.keyPath].shortest)" }
    return texts.isEmpty ? "defaults" : texts.joined(separator: ", ")
  }
}
