import ArgumentParser
import Gliss
import GlissAgent

/// `--config`: which file to read rules from.
struct RuleFileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The rules; without it those that 'gliss config path' lists.",
      valueName: "file"),
    completion: .file())
  var config: String?

  func validate() throws {
    if config == "" { throw ValidationError("--config needs a file") }
  }

  /// Reads the rules again at each request.
  var source: RuleSource { .standard(only: config) }
}
