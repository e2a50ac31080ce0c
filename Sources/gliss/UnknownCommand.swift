import ArgumentParser
import Gliss

/// An unknown subcommand name. The parser would report it as an extra argument, or show general
/// help if it follows `help`.
struct UnknownCommand: CustomStringConvertible {
  let word: String

  /// `nil` if the command is known.
  init?(_ arguments: [String]) {
    let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    guard let word = words.first, !word.hasPrefix("-"), !Self.names.contains(word) else {
      return nil
    }
    self.word = word
  }

  private static let names =
    ["help"] + GlissCommand.configuration.subcommands.map { $0.configuration.commandName ?? "" }

  var description: String {
    let similar = Spelling.similar(to: word, among: Self.names, within: 2, onlyNearest: true)
    let advice =
      similar.isEmpty
      ? "'gliss --help' lists them" : "did you mean \(similar.joined(separator: " or "))?"
    return "there is no command “\(word)”; \(advice)"
  }
}
