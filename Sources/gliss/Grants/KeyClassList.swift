import ArgumentParser
import Gliss

/// `--keys modifiers,media`: a list of key classes.
struct KeyClassList: ExpressibleByArgument {
  static let names = KeyClasses.words.map { "\($0.1)" } + ["all"]

  var classes: KeyClasses

  init?(argument: String) {
    classes = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      if word == "all" {
        classes = .all
      } else if let found = KeyClasses.words.first(where: { "\($0.1)" == word }) {
        classes.formUnion(found.0)
      } else {
        return nil
      }
    }
  }

  static var defaultCompletionKind: CompletionKind { .list(names) }
}
