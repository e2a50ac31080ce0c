import GlissConfiguration

/// Detects files that belong to another tool.
extension ImportedTool {
  /// Rejects a file without any line that the tool knows, comments aside. An empty file is
  /// accepted.
  ///
  /// The files of touchégg and fusuma are documents. Their readers reject foreign ones themselves.
  func refuseForeign(_ source: ImportedText) throws(Mistake) {
    let reason: String
    switch self {
    case .touchegg, .fusuma: return
    case .libinputGestures: reason = "no line of it is about a gesture"
    case .sxhkd, .swhkd: reason = "no line of it is a hotkey"
    }
    var first: Int?
    for number in 1...source.lineCount {
      let line = source.line(number)
      guard !Self.isIdle(line) else { continue }
      let isXML = first == nil && line.trimmed.first == "<"
      first = first ?? number
      // an XML file is foreign whatever its text looks like
      if isXML { break }
      if knows(line) { return }
    }
    guard let first else { return }
    throw Mistake("\(isForeign): \(reason)", at: source.place(of: "", line: first))
  }

  private var isForeign: String { "not a file of \(rawValue)" }

  /// If the file looks like another tool's, adds what to do to the reason why it cannot be read.
  func withHint(
    _ mistake: Mistake, _ source: ImportedText, _ options: ImportOptions
  ) -> Mistake {
    var mistake = mistake
    guard mistake.place.file == source.name, let likely = Self.likely(source), likely != self,
      !(readsHotkeys && likely.readsHotkeys)
    else { return mistake }
    let path = ShellWords.quoted(options.path ?? source.name)
    let reason =
      mistake.message.hasPrefix(isForeign)
      ? mistake.message : "\(isForeign): \(mistake.message)"
    mistake.message =
      "\(reason); it looks like one of \(likely.rawValue): gliss import \(likely.rawValue) \(path)"
    return mistake
  }

  /// Whether it is one of the two tools whose files cannot be told apart reliably.
  private var readsHotkeys: Bool { self == .sxhkd || self == .swhkd }

  // MARK: Looks

  /// The most lines that are checked for a hotkey. No file of these tools has its first one later.
  private static let triesForHotkey = 500

  /// The tool whose file it looks like, by features that no other tool's file has; `nil` if
  /// unclear.
  private static func likely(_ source: ImportedText) -> ImportedTool? {
    var isFirst = true
    var isBelowChord = false
    var hasChord = false
    var hasMode = false
    var tries = 0
    for number in 1...source.lineCount {
      let line = source.line(number)
      guard !isIdle(line) else { continue }
      if isFirst, line.trimmed.first == "<" { return .touchegg }
      isFirst = false
      let (word, rest) = line.trimmed.cutAtBlank
      if ["gesture", "gesture:"].contains(word),
        ["swipe", "pinch", "hold"].contains(rest.cutAtBlank.0.lowercased())
      {
        return .libinputGestures
      }
      if line.first?.isWhitespace ?? false {
        hasChord = hasChord || isBelowChord
        continue
      }
      if FusumaLocation.Kind.allCases.contains(where: { line.hasPrefix($0.rawValue + ":") }) {
        return .fusuma
      }
      if word == "endmode" { hasMode = true }
      isBelowChord = false
      // one hotkey is enough, and a file of hotkeys has one soon; checking is slow in a file
      // without any
      guard !hasChord, tries < Self.triesForHotkey else { continue }
      tries += 1
      // a YAML key ends with a colon, and the line below it is not a command
      isBelowChord = line.trimmed.last != ":" && ImportedTool.sxhkd.knows(line)
    }
    return hasChord ? hasMode ? .swhkd : .sxhkd : nil
  }

  private static func isIdle(_ line: String) -> Bool {
    let first = line.first { !$0.isWhitespace }
    return first == nil || first == "#"
  }

  /// Whether the tool acts on such a line, or would if the line were valid.
  private func knows(_ line: String) -> Bool {
    switch self {
    case .touchegg, .fusuma: return true
    case .libinputGestures: return LibinputGesturesImporter.knows(line.trimmed.cutAtBlank.0)
    case .sxhkd: return Self.isHotkey(line, .sxhkd(byCharacter: false))
    case .swhkd:
      return HotkeyFile.directives.contains(line.words.first ?? "")
        || Self.isHotkey(line, .swhkd)
    }
  }

  /// Whether a line begins like a hotkey, with a modifier or a key. Further words may be wrong;
  /// that is reported later.
  private static func isHotkey(_ line: String, _ dialect: ChainReader.Dialect) -> Bool {
    guard let first = line.first, !first.isWhitespace else { return false }
    let words = line.split { $0.isWhitespace || "+;:{},~@".contains($0) }
    // the first item of a group may be empty
    return words.first { $0 != "_" }.map { ChainReader(dialect: dialect).knows(String($0)) }
      ?? false
  }
}
