import Gliss
import GlissAgent
import GlissConfiguration

/// What an action does, in a few words.
enum ActionSentence {
  static func describe(_ action: Action) -> String {
    switch action.verb {
    case .run(let command): return describe(command.program)
    case .keys(let chords): return "keys " + chords.map(\.description).joined(separator: " ")
    case .mode(let mode): return mode.map { "mode \($0)" } ?? "mode none"
    case .notify(let summary, _): return "notify “\(summary)”"
    case .emit(let emission): return "emit \(emission.line ?? "the event") to \(emission.path)"
    }
  }

  private static func describe(_ program: Command.Program) -> String {
    switch program {
    case .arguments(let arguments): "run " + arguments.map(quoted).joined(separator: " ")
    case .shell(let text): "shell: \(text)"
    }
  }

  /// So that one can see where an argument ends.
  private static func quoted(_ argument: String) -> String {
    let isPlain =
      !argument.isEmpty
      && argument.utf8.allSatisfy {
        $0 > 0x20 && $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "\"")
      }
    return isPlain ? argument : "'\(argument)'"
  }
}

extension Activation.Moment {
  /// As the reports of strokes call it.
  var words: String {
    switch self {
    case .forward(_, let count), .back(_, let count): count == 1 ? name : "\(name) × \(count)"
    case .begin, .change, .end, .cancel, .release: name
    }
  }
}
