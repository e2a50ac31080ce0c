import GlissConfiguration

/// A hotkey and its command as written in a file, with continued lines joined.
///
/// Without a command it is one of swhkd's that is to be ignored.
struct Binding {
  let source: ImportedText
  var hotkey: String
  var command: String?
  var hotkeyLines: [Int]
  var commandLines: [Int] = []
  /// swhkd's mode in which it acts.
  var mode: HotkeyFile.Mode?

  var sources: [ImportedFile.SourceLine] {
    (hotkeyLines + commandLines).map { source.source($0) }
  }

  var place: Place { source.place(of: "", line: hotkeyLines.first ?? 1) }
  var commandPlace: Place { source.place(of: "", line: commandLines.first ?? 1) }

  func place(of word: String) -> Place {
    let line = hotkeyLines.first { source.line($0).has(word) }
    return line.map { source.place(of: word, line: $0) } ?? place
  }
}

/// The contents of an sxhkdrc, or of a swhkdrc and the files that it includes.
///
/// A line that begins with a blank is a command, one that begins with `#` a comment, and any other
/// a hotkey. A backslash at the end continues a line. In a swhkdrc some words begin other lines.
struct HotkeyFile {
  struct Mode {
    var name: String
    var isOneOff = false
  }

  /// Words that begin lines of a swhkdrc other than hotkeys.
  static let directives: Set<String> = ["include", "ignore", "mode", "endmode"]

  /// More files than anyone includes.
  private static let mostFiles = 64

  private let isSwhkd: Bool
  private let options: ImportOptions
  /// In order of application: included files before the file that includes them, and in each file
  /// its ignored hotkeys after its bindings.
  private(set) var bindings: [Binding] = []
  private(set) var modes: Set<String> = []
  private var mode: Mode?
  private var files: Set<String> = []

  init(_ tool: ImportedTool, _ options: ImportOptions) {
    isSwhkd = tool == .swhkd
    self.options = options
  }

  mutating func read(_ source: ImportedText, _ file: inout ImportedFile) throws(Mistake) {
    files.insert(source.name)
    mode = nil
    var found: [Binding] = []
    var ignored: [Binding] = []
    var includes: [(path: String, place: Place)] = []
    var hotkey: (text: String, lines: [Int])?
    func lose(_ text: String, _ line: Int, _ why: String) {
      file.lose(text, why, at: source.place(of: "", line: line))
    }
    func loseHotkey() {
      guard let open = hotkey else { return }
      lose(open.text, open.lines[0], "no command stands below it, so nothing is bound")
      hotkey = nil
    }
    var number = 1
    while number <= source.lineCount {
      let first = number
      let (text, lines) = Self.logicalLine(from: &number, in: source)
      guard let begin = text.first, begin != "#" else { continue }
      if source.line(first).first?.isWhitespace ?? false {
        guard let open = hotkey else {
          lose(text, first, "it stands below no hotkey, so nothing runs it")
          continue
        }
        hotkey = nil
        found.append(
          Binding(
            source: source, hotkey: open.text, command: text, hotkeyLines: open.lines,
            commandLines: lines, mode: mode))
        continue
      }
      loseHotkey()
      let words = (isSwhkd ? Self.withoutComment(text) : text).words
      guard isSwhkd, let word = words.first, Self.directives.contains(word) else {
        hotkey = (isSwhkd ? Self.withoutComment(text) : text, lines)
        continue
      }
      let rest = words.dropFirst().joined(separator: " ")
      switch word {
      case "include": includes.append((rest, source.place(of: "", line: first)))
      case "ignore":
        ignored.append(Binding(source: source, hotkey: rest, hotkeyLines: [first], mode: mode))
      case "endmode":
        if !rest.isEmpty { lose(rest, first, "nothing stands behind endmode on its line") }
        mode = nil
      case _: openMode(words, source.place(of: "", line: first), &file)
      }
    }
    loseHotkey()
    for (path, place) in includes { try include(path, place, &file) }
    bindings += found + ignored
  }

  /// The text before a `#` that follows a blank.
  private static func withoutComment(_ text: String) -> String {
    var before: Character = "a"
    for index in text.indices {
      if text[index] == "#", before.isWhitespace { return String(text[..<index]).trimmed }
      before = text[index]
    }
    return text
  }

  /// Joins a line with those that continue it, each without surrounding blanks. `number` is set to
  /// the line after the last.
  private static func logicalLine(
    from number: inout Int, in source: ImportedText
  ) -> (text: String, lines: [Int]) {
    var text = ""
    var lines: [Int] = []
    while number <= source.lineCount {
      let line = source.line(number)
      number += 1
      // a comment does not go on, and does not end a line that does
      if line.first == "#" {
        if lines.isEmpty { return ("#", []) }
        continue
      }
      let piece = line.trimmed
      lines.append(number - 1)
      guard piece.last == "\\" else { return (text + piece, lines) }
      text += piece.dropLast()
    }
    return (text, lines)
  }

  // MARK: Lines of swhkd

  private mutating func openMode(_ words: [String], _ place: Place, _ file: inout ImportedFile) {
    guard words.count > 1 else {
      file.lose("mode", "it has no name; what follows holds without a mode", at: place)
      return
    }
    var opened = Mode(name: Self.modeName(words[1]))
    for option in words.dropFirst(2) {
      switch option {
      case "oneoff": opened.isOneOff = true
      case "swallow":
        file.note(
          option, "keys that are not hotkeys of the mode still reach programs", at: place)
      case _: file.lose(option, "no such option of a mode is known", at: place)
      }
    }
    modes.insert(opened.name)
    mode = opened
  }

  /// Our name for a mode: letters, digits, - and _, but not `none`.
  static func modeName(_ name: String) -> String {
    name == "none" ? "none-" : HotkeyCollector.modeName(of: name)
  }

  private mutating func include(
    _ path: String, _ place: Place, _ file: inout ImportedFile
  ) throws(Mistake) {
    let isKnown = files.contains(path)
    guard isKnown || files.count < Self.mostFiles, let text = options.included(path) else {
      file.lose(
        "include \(path)",
        "the file cannot be read; if it is elsewhere, import it by itself, into gliss.d", at: place)
      return
    }
    // the file may have been read by another path
    files.insert(path)
    guard !isKnown, !files.contains(text.name) || text.name == path else {
      file.note("include \(path)", "it is read already", at: place)
      return
    }
    try read(ImportedText(text), &file)
  }
}
