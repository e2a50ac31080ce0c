import ArgumentParser

/// How an answer is printed that is known as a whole.
enum AnswerFormat: String, ExpressibleByArgument, CaseIterable {
  /// For reading.
  case text
  /// One JSON document, for programs.
  case json
}
