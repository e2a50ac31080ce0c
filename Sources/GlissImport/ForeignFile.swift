import GlissConfiguration
import GlissEvents

/// Detects files that belong to another tool.
extension ImportedTool {
  /// Rejects a file without any line that the tool knows, comments aside. An empty file is
  /// accepted.
  ///
  /// This is not for touchégg, fusuma and InputActions: their files are XML or YAML documents,
  /// whose readers reject foreign files themselves.
  func refuseForeign(_ source: ImportedText) throws(Mistake) {
    let numbers = (1...source.lineCount).filter { !source.line($0).isIdle }
    // an XML file is foreign whatever its text looks like
    guard let kind, let first = numbers.first,
      source.line(first).trimmed.first == "<"
        || !numbers.contains(where: { knows(source.line($0)) })
    else { return }
    throw Mistake(
      "\(isForeign): no line of it is a \(kind)", at: source.place(of: "", line: first))
  }

  private var isForeign: String { "not a file of \(rawValue)" }

  /// What a line of its file is; `nil` for documents.
  private var kind: String? {
    switch self {
    case .touchegg, .fusuma, .inputActions: nil
    case .libinputGestures: "gesture"
    case .sxhkd, .swhkd: "hotkey"
    }
  }

  /// If another tool reads the file, adds what to do to the reason why this one cannot.
  func withHint(
    _ mistake: Mistake, _ source: ImportedText, _ options: ImportOptions
  ) -> Mistake {
    guard mistake.place.file == source.name, let likely = likely(source) else { return mistake }
    var mistake = mistake
    if !mistake.message.hasPrefix(isForeign) {
      mistake.message = "\(isForeign): \(mistake.message)"
    }
    let path = (options.path ?? source.name).quotedForShell
    mistake.message +=
      "; it looks like one of \(likely.rawValue): gliss import \(likely.rawValue) \(path)"
    return mistake
  }

  /// Another tool that reads the file, if any.
  private func likely(_ source: ImportedText) -> ImportedTool? {
    let lines = (1...source.lineCount).map { source.line($0) }.filter { !$0.isIdle }
    if lines.isEmpty { return nil }
    let hotkeys: ImportedTool = lines.contains { $0.words == ["endmode"] } ? .swhkd : .sxhkd
    var others: [ImportedTool] = [.touchegg, .fusuma, .inputActions, .libinputGestures, hotkeys]
    // sxhkd's and swhkd's files cannot be told apart reliably, and YAML keys are not hotkeys
    if self == .sxhkd || self == .swhkd || lines.contains(where: { $0.trimmed.last == ":" }) {
      others.removeLast()
    }
    others.removeAll { $0 == self }
    return others.first { other in
      // all XML that touchégg's reader takes is touchégg's
      guard let file = try? other.converted(source, ImportOptions()) else { return false }
      return other == .touchegg || !file.rules.isEmpty
    }
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
      guard let first = words.first(where: { $0 != "_" }), line.first?.isWhitespace == false else {
        return false
      }
      return ChainReader(tool: self).knows(String(first))
    }
  }
}

extension String {
  /// Whether it is blank or a comment.
  fileprivate var isIdle: Bool {
    let first = first { !$0.isWhitespace }
    return first == nil || first == "#"
  }
}
