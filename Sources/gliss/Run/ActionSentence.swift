import Gliss
import GlissAgent
import GlissConfiguration

/// Describes an action in a few words.
enum ActionSentence {
  static func describe(_ action: Action) -> String {
    switch action.verb {
    case .run(let command):
      switch command.program {
      case .arguments: return "run " + command.program.spoken
      case .shell: return "shell: " + command.program.spoken
      }
    case .keys(let chords): return "keys " + chords.map(\.description).joined(separator: " ")
    case .mode(let mode): return mode.map { "mode \($0)" } ?? "mode none"
    case .notify(let summary, _): return "notify “\(summary)”"
    case .emit(let emission): return "emit \(emission.line ?? "the event") to \(emission.path)"
    }
  }
}

extension Activation.Moment {
  /// As in stroke reports.
  var words: String {
    switch self {
    case .forward(_, let count), .back(_, let count): count == 1 ? name : "\(name) × \(count)"
    case .begin, .change, .end, .cancel, .release: name
    }
  }
}
