import GlissConfiguration
import GlissEvents

/// A hotkey and its command as written in a file, with continued lines joined.
///
/// Without a command, it is one that swhkd is to ignore.
struct Binding {
  let source: ImportedText
  var hotkey: String
  var command: String?
  var hotkeyLines: [Int]
  var commandLines: [Int] = []
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
/// A line that begins with a blank is a command, one that begins with `#` is a comment, and any
/// other is a hotkey. A backslash at the end continues a line. In a swhkdrc, blanks may come before
/// the `#`, and lines that begin with certain words mean something else.
struct HotkeyFile {
  struct Mode: Hashable {
    var name: String
    var isOneOff = false
  }

  /// More files than anyone includes. A link counts twice.
  private static let mostFiles = 64

  let tool: ImportedTool
  let options: ImportOptions
  /// In the order in which they apply: included files come before the file that includes them, and
  /// each file's ignored hotkeys after its bindings.
  private(set) var bindings: [Binding] = []
  /// Our names of swhkd's modes, by its names.
  private(set) var modes: [String: String] = [:]
  private var files: Set<String> = []

  init(_ tool: ImportedTool, _ options: ImportOptions) {
    self.tool = tool
    self.options = options
  }

  mutating func read(_ source: ImportedText, _ file: inout ImportedFile) throws(Mistake) {
    files.insert(source.name)
    var mode: Mode?
    var found: [Binding] = []
    var ignored: [Binding] = []
    var includes: [(path: String, place: Place)] = []
    var open: Binding?
    func closeHotkey() {
      if let open {
        file.lose(open.hotkey, "it has no command below it, so nothing is bound", at: open.place)
      }
      open = nil
    }
    for (written, lines) in logicalLines(of: source) {
      let place = source.place(of: "", line: lines[0])
      if source.line(lines[0]).first?.isWhitespace ?? false {
        if written.first == "#" {
          // for sxhkd this is the command, and a shell does nothing with it
          if let open { file.lose(open.hotkey, "its command is a comment", at: open.place) }
        } else if var binding = open {
          (binding.command, binding.commandLines) = (written, lines)
          found.append(binding)
        } else {
          file.lose(written, "it is below no hotkey, so nothing runs it", at: place)
        }
        open = nil
        continue
      }
      closeHotkey()
      let text = tool == .swhkd ? Self.withoutComment(written) : written
      let words = text.words
      let rest = words.dropFirst().joined(separator: " ")
      switch tool == .swhkd ? words.first : nil {
      case "include": includes.append((rest, place))
      case "ignore":
        ignored.append(Binding(source: source, hotkey: rest, hotkeyLines: lines, mode: mode))
      case "unbind": file.lose(text, "unknown; ignore leaves a hotkey out", at: place)
      case "mode": mode = openMode(words, place, &file)
      case "endmode":
        if !rest.isEmpty {
          file.lose(rest, "endmode takes nothing after it", at: place)
        }
        mode = nil
      case _: open = Binding(source: source, hotkey: text, hotkeyLines: lines, mode: mode)
      }
    }
    closeHotkey()
    for (path, place) in includes { try include(path, place, &file) }
    bindings += found + ignored
  }

  /// The lines that are not blank or comments, each joined with those that continue it, without
  /// surrounding blanks.
  private func logicalLines(of source: ImportedText) -> [(text: String, lines: [Int])] {
    var all: [(text: String, lines: [Int])] = []
    var (goesOn, isCommand) = (false, false)
    for number in 1...source.lineCount {
      let line = source.line(number)
      let piece = line.trimmed
      // a comment is not continued, and does not end a continued line; nor does an empty line of
      // sxhkd
      if line.first == "#" || goesOn && piece.isEmpty && tool == .sxhkd { continue }
      let isIndented = line.first?.isWhitespace ?? false
      // the next hotkey is no part of a command, whatever ends that
      if goesOn, isCommand, !isIndented, tool == .sxhkd { goesOn = false }
      if !goesOn {
        all.append(("", []))
        isCommand = isIndented
      }
      goesOn = piece.last == "\\"
      all[all.count - 1].text += goesOn ? piece.dropLast() : piece[...]
      all[all.count - 1].lines.append(number)
    }
    return all.filter { !$0.text.isEmpty && (tool == .sxhkd || $0.text.first != "#") }
  }

  private static func withoutComment(_ text: String) -> String {
    let comment = text.indices.dropFirst().first {
      text[$0] == "#" && text[text.index(before: $0)].isWhitespace
    }
    return String(text[..<(comment ?? text.endIndex)]).trimmed
  }

  // MARK: Lines of swhkd

  private mutating func openMode(
    _ words: [String], _ place: Place, _ file: inout ImportedFile
  ) -> Mode? {
    guard words.count > 1 else {
      file.lose("mode", "it has no name; what follows applies without a mode", at: place)
      return nil
    }
    let options = words.dropFirst(2)
    for option in options where option != "oneoff" {
      file.note(
        option,
        option == "swallow"
          ? "keys that are not hotkeys of the mode still reach programs"
          : "no such option of a mode is known", at: place, isLost: option != "swallow")
    }
    let written = words[1]
    // `none` leaves a mode
    let name =
      modes[written]
      ?? HotkeyCollector.modeName(of: written == "none" ? "none-" : written, besides: modes.values)
    modes[written] = name
    return Mode(name: name, isOneOff: options.contains("oneoff"))
  }

  private mutating func include(
    _ path: String, _ place: Place, _ file: inout ImportedFile
  ) throws(Mistake) {
    let isNew = !files.contains(path)
    let text = isNew && files.count < Self.mostFiles ? options.included(path) : nil
    if isNew, text == nil {
      return file.lose(
        "include \(path)",
        "the file cannot be read; if it is elsewhere, import it by itself, into gliss.d", at: place)
    }
    // the file may have been included by another path before
    files.insert(path)
    guard let text, text.name == path || files.insert(text.name).inserted else {
      return file.note("include \(path)", "it is read already", at: place)
    }
    try read(ImportedText(text), &file)
  }
}

/// A text with groups in braces that expands to several texts: `{a,b}`, `{1-9}`, `{_,shift + }`.
///
/// The item `_` is empty, and an item such as `a-e` stands for every character in that range. A
/// backslash removes the special meaning of a brace or comma.
///
/// In sxhkd the first group varies fastest, blanks around items matter, and empty items are
/// ignored. A brace within a group ends it and begins another. Two backslashes become one. In swhkd
/// the last group varies fastest, and blanks around items are ignored. If a group contains a brace,
/// no brace in the text has a special meaning. Backslashes stay.
struct Expansion {
  /// The most texts that one may expand to. More are surely a mistake.
  private static let limit = 4096
  static let problem = "its braces stand for nothing, or for more than \(limit) texts"

  /// Empty if the braces stand for nothing, or for more than ``limit`` texts.
  let texts: [String]
  let hasGroups: Bool

  /// - Parameter isHotkey: keeps a blank after a `+` at the end of an item.
  init(_ text: String, of tool: ImportedTool, isHotkey: Bool = false) {
    let isSxhkd = tool == .sxhkd
    let isLiteral = !isSxhkd && !Self.isFlat(text)
    // the items of each group, and one for each text between groups
    var chunks: [[String]] = []
    var hasGroups = false
    // whether a brace follows a text
    var isCut = false
    var items: [String] = []
    var item = ""
    var isGroup = false
    var escaped = false
    for character in text {
      let isBrace = character == "{" || character == "}"
      if escaped {
        escaped = false
        // other escapes are left for chords and shells
        let isTaken = isBrace || (isSxhkd && character == "\\") || (isGroup && character == ",")
        item += isTaken ? "\(character)" : "\\\(character)"
      } else if character == "\\" {
        escaped = true
      } else if isBrace, !isLiteral {
        isCut = isCut || !item.isEmpty
        end()
        isGroup = character == "{"
      } else if isGroup, character == "," {
        items.append(item)
        item = ""
      } else {
        item.append(character)
      }
    }
    if escaped { item.append("\\") }
    end()
    self.hasGroups = hasGroups
    let count = chunks.reduce(1) { min($0 * $1.count, Self.limit + 1) }
    guard count <= Self.limit, !isSxhkd || hasGroups || !isCut else {
      texts = []
      return
    }
    texts = chunks.reduce([""]) { texts, chunk in
      isSxhkd
        ? chunk.flatMap { item in texts.map { $0 + item } }
        : texts.flatMap { text in chunk.map { text + $0 } }
    }

    func end() {
      if isGroup, !isSxhkd || !items.isEmpty || !item.isEmpty {
        let found = (items + [item]).filter { !isSxhkd || !$0.isEmpty }
        let plain = isSxhkd ? found : found.map { Self.plain($0, isHotkey) }
        chunks.append((plain.isEmpty ? [""] : plain).flatMap(Self.range))
        hasGroups = true
      } else if !item.isEmpty {
        chunks.append([item])
      }
      (items, item) = ([], "")
    }
  }

  /// Whether each group is closed before the next begins.
  private static func isFlat(_ text: String) -> Bool {
    var isGroup = false
    var escaped = false
    for character in text {
      if !escaped, character == (isGroup ? "{" : "}") { return false }
      if !escaped, character == "{" || character == "}" { isGroup.toggle() }
      escaped = !escaped && character == "\\"
    }
    return !isGroup
  }

  private static func plain(_ item: String, _ isHotkey: Bool) -> String {
    isHotkey && item.trimmed.hasSuffix("+") ? item.trimmed + " " : item.trimmed
  }

  /// The texts that an item stands for.
  static func range(_ item: String) -> [String] {
    if item == "_" { return [""] }
    let scalars = Array(item.unicodeScalars)
    guard scalars.count == 3, scalars[1] == "-", scalars[0] <= scalars[2], scalars[2].isASCII
    else { return [item] }
    return (scalars[0].value...scalars[2].value).compactMap { Unicode.Scalar($0).map(String.init) }
  }
}
