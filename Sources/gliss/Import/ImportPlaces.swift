import ArgumentParser
import Glibc
import GlissAgent
import GlissConfiguration
import GlissImport

/// Where other tools keep their files.
enum ImportPlaces {
  /// The first file that exists.
  static func find(_ tool: ImportedTool) throws -> String {
    let places = tool.places.map { $0.hasPrefix("/") ? $0 : "\(configurationFolder)/\($0)" }
    if let found = places.first(where: { access($0, F_OK) == 0 }) { return found }
    throw Diagnostics.refusal(
      "\(tool.rawValue) has no file in \(places.joined(separator: " or ")); name the file, as in "
        + "'gliss import \(tool.rawValue) FILE'")
  }

  private static var configurationFolder: String {
    if let folder = variable("XDG_CONFIG_HOME"), folder.hasPrefix("/") { return folder }
    return "\(variable("HOME") ?? Account.home ?? "")/.config"
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
