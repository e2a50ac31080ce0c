import GlissConfiguration

/// Imports rules from an sxhkdrc.
enum SxhkdImporter {
  static func add(_ source: ImportedText, _ options: ImportOptions, to file: inout ImportedFile) {
    let reader = ChainReader(dialect: .sxhkd(byCharacter: options.byCharacter))
    var collector = HotkeyCollector()
    for case .binding(let binding) in SxhkdLines.items(in: source, &file) {
      add(binding, reader, &collector, &file)
    }
    collector.finish(into: &file)
  }

  private static func add(
    _ binding: Binding, _ reader: ChainReader, _ collector: inout HotkeyCollector,
    _ file: inout ImportedFile
  ) {
    for pair in binding.pairs(of: .sxhkd, &file) {
      do throws(ChainNote) {
        let chain = try reader.chain(pair.hotkey)
        var text = pair.command
        if text.first == ";" {
          text = String(text.dropFirst()).trimmed
          file.note(
            pair.command, "nothing waits for a command here; it runs as any other",
            at: binding.place)
        }
        guard !text.isEmpty else {
          file.lose(pair.hotkey, "its command is empty", at: binding.place)
          continue
        }
        collector.add(
          HotkeyCollector.Entry(
            chain: chain,
            actions: [Action(.run(Command(.shell(text))), place: binding.commandPlace)],
            mode: nil, sources: binding.sources, place: binding.place,
            text: pair.hotkey.trimmed), to: &file)
      } catch {
        file.lose(error.word, error.why, at: binding.place(of: error.word))
      }
    }
  }
}

/// Combines the lines of an sxhkdrc into hotkeys with their commands.
///
/// A line that begins with a blank is a command, one that begins with `#` a comment, and any other
/// a hotkey. A backslash at the end continues a line.
enum SxhkdLines {
  enum Item {
    case binding(Binding)
    /// A line other than a hotkey, without its comment.
    case directive(String, line: Int)
  }

  /// - Parameter directives: words that begin lines other than hotkeys.
  static func items(
    in source: ImportedText, directives: Set<String> = [], _ file: inout ImportedFile
  ) -> [Item] {
    var items: [Item] = []
    var hotkey: (text: String, lines: [Int])?
    var number = 1
    while number <= source.lineCount {
      let raw = source.line(number)
      guard !raw.trimmed.isEmpty, raw.first != "#" else {
        number += 1
        continue
      }
      let isCommand = raw.first?.isWhitespace ?? false
      let first = number
      let (text, lines) = logicalLine(from: &number, in: source)
      guard isCommand else {
        if let open = hotkey { lose(open.text, open.lines, source, &file) }
        hotkey = (text, lines)
        let bare = directives.isEmpty ? text : withoutComment(text)
        if !directives.isEmpty { hotkey?.text = bare }
        if let word = bare.words.first, directives.contains(word) {
          items.append(.directive(bare, line: first))
          hotkey = nil
        }
        continue
      }
      guard let open = hotkey else {
        // comments may stand anywhere
        for line in lines where text.first != "#" {
          file.lose(
            source.line(line).trimmed, "it stands below no hotkey, so nothing runs it",
            at: source.place(of: "", line: line))
        }
        continue
      }
      if text.first == "#", !directives.isEmpty { continue }
      if text.first == "#" {
        file.note(
          text, "a comment that begins with a blank counts as the command; here it is a comment",
          at: source.place(of: "", line: first))
        continue
      }
      items.append(
        .binding(
          Binding(
            source: source, hotkey: open.text, command: text, hotkeyLines: open.lines,
            commandLines: lines)))
      hotkey = nil
    }
    if let open = hotkey { lose(open.text, open.lines, source, &file) }
    return items
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
  static func logicalLine(
    from number: inout Int, in source: ImportedText
  ) -> (text: String, lines: [Int]) {
    var text = ""
    var lines: [Int] = []
    while number <= source.lineCount {
      let piece = source.line(number).trimmed
      let isComment = !lines.isEmpty && source.line(number).first == "#"
      number += 1
      if isComment { continue }
      lines.append(number - 1)
      guard piece.last == "\\" else { return (text + piece, lines) }
      text += piece.dropLast()
    }
    return (text, lines)
  }

  private static func lose(
    _ text: String, _ lines: [Int], _ source: ImportedText, _ file: inout ImportedFile
  ) {
    for line in lines {
      file.lose(
        line == lines.first ? text : source.line(line).trimmed,
        "no command stands below it, so nothing is bound", at: source.place(of: "", line: line))
    }
  }
}
