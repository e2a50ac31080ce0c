import ArgumentParser

/// How events are printed.
enum EventFormat: String, ExpressibleByArgument, CaseIterable {
  /// A table for reading.
  case text
  /// A JSON object a line, for programs.
  case jsonl
}
