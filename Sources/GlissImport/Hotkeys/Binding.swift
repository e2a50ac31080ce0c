import GlissConfiguration

/// A hotkey and its command as written in a file, with continued lines joined.
struct Binding {
  let source: ImportedText
  var hotkey: String
  var command: String
  var hotkeyLines: [Int]
  var commandLines: [Int]

  var sources: [ImportedFile.SourceLine] {
    (hotkeyLines + commandLines).map { source.source($0) }
  }

  var place: Place { source.place(of: "", line: hotkeyLines.first ?? 1) }
  var commandPlace: Place { source.place(of: "", line: commandLines.first ?? 1) }

  func place(of word: String) -> Place {
    for line in hotkeyLines {
      let place = source.place(of: word, line: line)
      let first = source.place(of: "", line: line)
      if place != first || source.line(line).trimmed.hasPrefix(word) { return place }
    }
    return place
  }

  /// The texts that the groups of both expand to, paired. Those without a counterpart become a
  /// remark.
  func pairs(
    of dialect: Expansion.Dialect, _ file: inout ImportedFile
  ) -> [(hotkey: String, command: String)] {
    let keys = Expansion(hotkey, of: dialect, isHotkey: true)
    let commands = Expansion(command, of: dialect)
    if keys.isOpen {
      file.lose(hotkey, "a '{' has no '}'", at: place)
      return []
    }
    let count = keys.count
    guard count <= Expansion.limit, commands.count <= Expansion.limit else {
      file.lose(hotkey, "it stands for more than \(Expansion.limit) hotkeys", at: place)
      return []
    }
    if count == 0 || commands.count == 0 {
      file.lose(hotkey, "a pair of braces is empty, so that it stands for nothing", at: place)
      return []
    }
    if commands.isPlain || commands.count == 1 {
      let text = commands.text(0)
      return (0..<count).map { (keys.text($0), text) }
    }
    if count == 1 {
      file.lose(
        hotkey,
        "its \(commands.count) commands take turns at each press; only the first is taken over. "
          + "A script that remembers whose turn it is can do the same", at: place)
      return [(keys.text(0), commands.text(0))]
    }
    if count != commands.count {
      file.lose(
        hotkey,
        "it stands for \(count) hotkeys and its command for \(commands.count) commands; "
          + "those without a counterpart are left out", at: place)
    }
    return (0..<min(count, commands.count)).map { (keys.text($0), commands.text($0)) }
  }
}
