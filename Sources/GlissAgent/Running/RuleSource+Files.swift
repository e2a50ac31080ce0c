import Glibc
import GlissConfiguration

extension RuleSource {
  /// The user's files and the system's.
  ///
  /// - Parameter only: a file that stands for all of them.
  public static func standard(only: String? = nil) -> RuleSource {
    let files = ConfigurationFiles(only: only.map(fromRoot))
    return RuleSource(files: files.files, folders: files.folders) { read(files) }
  }

  private static func read(_ files: ConfigurationFiles) -> Reading {
    let found = files.read()
    let refused = found.errors.map(\.description)
    // no file at all is no reason to forget the rules there were
    let outcome =
      found.texts.isEmpty
      ? ConfigurationReading(configuration: nil, mistakes: []) : Configuration.read(found.texts)
    return Reading(outcome, files: found.texts.map(\.name), refused: refused)
  }

  /// Whatever becomes of the folder this runs in.
  private static func fromRoot(_ path: String) -> String {
    guard !path.hasPrefix("/"), let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    return "\(String(cString: current))/\(path)"
  }
}
