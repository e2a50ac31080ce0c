import GlissAgent
import GlissConfiguration

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
