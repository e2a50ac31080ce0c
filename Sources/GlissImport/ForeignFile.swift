import GlissConfiguration
import GlissEvents

/// Detects files that belong to another tool.
extension ImportedTool {
  /// Rejects a file without any line that the tool knows, comments aside. An empty file is
  /// accepted.
  ///
  /// The files of touchégg, fusuma and InputActions are documents. Their readers reject foreign ones themselves.
  func refuseForeign(_ source: ImportedText) throws(Mistake) {
    if self == .touchegg || self == .fusuma || self == .inputActions { return }
    let numbers = (1...source.lineCount).filter { !source.line($0).isIdle }
    // an XML file is foreign whatever its text looks like
    guard let first = numbers.first,
      source.line(first).trimmed.first == "<"
        || !numbers.contains(where: { knows(source.line($0)) })
    else { return }
    let kind = self == .libinputGestures ? "gesture" : "hotkey"
    throw Mistake(
      "\(isForeign): no line of it is a \(kind)", at: source.place(of: "", line: first))
  }

  private var isForeign: String { "not a file of \(rawValue)" }

  /// If the file looks like another tool's, adds what to do to the reason why it cannot be read.
  func withHint(
    _ mistake: Mistake, _ source: ImportedText, _ options: ImportOptions
  ) -> Mistake {
    // the files of sxhkd and swhkd cannot be told apart reliably
    let alike: Set<ImportedTool> = [.sxhkd, .swhkd]
    guard mistake.place.file == source.name, let likely = Self.likely(source), likely != self,
      !alike.isSuperset(of: [self, likely])
    else { return mistake }
    var mistake = mistake
    if !mistake.message.hasPrefix(isForeign) {
      mistake.message = "\(isForeign): \(mistake.message)"
    }
    let path = (options.path ?? source.name).quotedForShell
    mistake.message +=
      "; it looks like one of \(likely.rawValue): gliss import \(likely.rawValue) \(path)"
    return mistake
  }

  /// The lines in which a hotkey is looked for. No file of these tools has its first one later.
  private static let beginning = 1000

  /// The tool whose file it looks like, by features that no other tool's file has; `nil` if
  /// unclear.
  private static func likely(_ source: ImportedText) -> ImportedTool? {
    let lines = (1...source.lineCount).map { source.line($0) }.filter { !$0.isIdle }
    if lines.first?.trimmed.first == "<" { return .touchegg }
    for line in lines {
      let (word, rest) = line.trimmed.cutAtBlank
      let isGesture = ["swipe", "pinch", "hold"].contains(rest.cutAtBlank.0.lowercased())
      if isGesture, word == "gesture" || word == "gesture:" { return .libinputGestures }
      if line.hasPrefix("touchpad:") { return .inputActions }
      if FusumaLocation.Kind.allCases.contains(where: { line.hasPrefix($0.rawValue + ":") }) {
        return .fusuma
      }
    }
    let hasHotkey = zip(lines, lines.dropFirst()).prefix(beginning).contains { line, next in
      // a YAML key ends with a colon, and the line below it is not a command
      !line.isIndented && next.isIndented && line.trimmed.last != ":" && Self.sxhkd.knows(line)
    }
    guard hasHotkey else { return nil }
    return lines.contains { $0.words == ["endmode"] } ? .swhkd : .sxhkd
  }

  /// Whether the tool acts on such a line, or would if the line were valid.
  private func knows(_ line: String) -> Bool {
    let word = line.words.first ?? ""
    switch self {
    case .touchegg, .fusuma, .inputActions: return true
    case .libinputGestures: return LibinputGesturesImporter.knows(word)
    case .swhkd where ["include", "ignore", "mode", "endmode"].contains(word): return true
    case .sxhkd, .swhkd:
      // a key of YAML; in sxhkd such a line may be the beginning of a chain
      if self == .swhkd, line.trimmed.last == ":" { return false }
      // further words may be wrong; that is reported later
      let words = line.split { $0.isWhitespace || "+;:{},~@".contains($0) }
      // the first item of a group may be empty
      guard let first = words.first(where: { $0 != "_" }), !line.isIndented else { return false }
      return ChainReader(tool: self).knows(String(first))
    }
  }
}

extension String {
  fileprivate var isIndented: Bool { first?.isWhitespace ?? false }

  /// Whether it is blank or a comment.
  fileprivate var isIdle: Bool {
    let first = first { !$0.isWhitespace }
    return first == nil || first == "#"
  }
}
