/// Files of one tool that were given for another's.
extension ImportedTool {
  /// Refuses what has no line that the tool knows, comments apart. A file without any line is as good as its own.
  ///
  /// The files of touchégg and fusuma are documents, whose readers see for themselves what is none of theirs.
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
      // whatever its text looks like
      if isXML { break }
      if knows(line) { return }
    }
    guard let first else { return }
    throw Mistake("\(isForeign): \(reason)", at: source.place(of: "", line: first))
  }

  private var isForeign: String { "this is no file of \(rawValue)" }

  /// What to do instead, behind the reason why a file cannot be read that looks like another tool's.
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

  /// Whether what the tools have in common tells them from others.
  private var readsHotkeys: Bool { self == .sxhkd || self == .swhkd }

  // MARK: Looks

  /// How many lines at most are looked at for a hotkey: more than any file of them has before its first.
  private static let triesForHotkey = 500

  /// Whose file it looks like, by what no other tool's file has; `nil` where nothing tells.
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
      // one hotkey is enough, and a file of hotkeys has it soon: to look for keys takes long where nothing is one
      guard !hasChord, tries < Self.triesForHotkey else { continue }
      tries += 1
      // a key of YAML has its colon at the end, and what stands below is no command
      isBelowChord = line.trimmed.last != ":" && ImportedTool.sxhkd.knows(line)
    }
    return hasChord ? hasMode ? .swhkd : .sxhkd : nil
  }

  private static func isIdle(_ line: String) -> Bool {
    let first = line.first { !$0.isWhitespace }
    return first == nil || first == "#"
  }

  /// Whether a line is one that the tool does something about, or would if it were right.
  private func knows(_ line: String) -> Bool {
    switch self {
    case .touchegg, .fusuma: return true
    case .libinputGestures: return GestureLineSettings.isKnown(line.trimmed.cutAtBlank.0)
    case .sxhkd: return Self.isHotkey(line, .sxhkd(byCharacter: false))
    case .swhkd:
      return SwhkdReading.directives.contains(line.words.first ?? "")
        || Self.isHotkey(line, .swhkd)
    }
  }

  /// Whether a line begins as a hotkey does: with a modifier or a key. Further words may be wrong, and are told of.
  private static func isHotkey(_ line: String, _ dialect: ChainReader.Dialect) -> Bool {
    guard let first = line.first, !first.isWhitespace else { return false }
    let words = line.split { $0.isWhitespace || "+;:{},~@".contains($0) }
    // of a group the first item may stand for nothing
    return words.first { $0 != "_" }.map { ChainReader(dialect: dialect).knows(String($0)) }
      ?? false
  }
}
