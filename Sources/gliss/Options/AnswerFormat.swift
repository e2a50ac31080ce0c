import ArgumentParser

/// The formats for answers that are printed as a whole.
enum AnswerFormat: String, ExpressibleByArgument, CaseIterable {
  /// For people.
  case text
  /// One JSON document, for programs.
  case json
}
