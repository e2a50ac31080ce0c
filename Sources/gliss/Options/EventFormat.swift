import ArgumentParser

/// The formats for events.
enum EventFormat: String, ExpressibleByArgument, CaseIterable {
  /// A table for people.
  case text
  /// One JSON object per line, for programs.
  case jsonl
}
