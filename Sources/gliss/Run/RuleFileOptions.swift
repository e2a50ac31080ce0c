import ArgumentParser
import Gliss
import GlissAgent

/// `--config`: where rules come from.
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

  /// Read anew each time it is asked.
  var source: RuleSource { .standard(only: config) }
}
