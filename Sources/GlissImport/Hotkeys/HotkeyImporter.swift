import GlissConfiguration
import GlissHotkeys

/// Imports rules from an sxhkdrc or a swhkdrc.
struct HotkeyImporter {
  private let tool: ImportedTool
  private let reader: ChainReader
  private let dialect: Expansion.Dialect
  private var content: HotkeyFile
  private var file: ImportedFile
  private var collector: HotkeyCollector

  static func imported(
    _ source: ImportedText, as tool: ImportedTool, _ options: ImportOptions
  ) throws(Mistake) -> ImportedFile {
    var importer = HotkeyImporter(tool, source, options)
    try importer.content.read(source, &importer.file)
    for binding in importer.content.bindings {
      if let command = binding.command {
        importer.add(binding, command)
      } else {
        importer.ignore(binding)
      }
    }
    importer.collector.finish(into: &importer.file)
    return importer.file
  }

  private init(_ tool: ImportedTool, _ source: ImportedText, _ options: ImportOptions) {
    let isSwhkd = tool == .swhkd
    self.tool = tool
    reader = ChainReader(dialect: isSwhkd ? .swhkd : .sxhkd(byCharacter: options.byCharacter))
    dialect = isSwhkd ? .swhkd : .sxhkd
    content = HotkeyFile(tool, options)
    file = ImportedFile(tool: tool, name: source.name)
    collector = HotkeyCollector(lastCounts: isSwhkd)
  }

  private mutating func add(_ binding: Binding, _ command: String) {
    for (hotkey, command) in pairs(binding, command) {
      do throws(ChainNote) {
        let chain = try reader.chain(hotkey)
        let actions = actions(of: command, binding)
        guard !actions.isEmpty else {
          file.lose(hotkey, "nothing of its command is left to do", at: binding.place)
          continue
        }
        collector.add(
          HotkeyCollector.Entry(
            chain: chain, actions: actions, mode: binding.mode?.name, sources: binding.sources,
            place: binding.place, text: hotkey.trimmed), to: &file)
      } catch {
        file.lose(error.word, error.why, at: binding.place(of: error.word))
      }
    }
  }

  /// The texts that the groups of both expand to, paired. Those without a counterpart become a
  /// remark.
  private mutating func pairs(
    _ binding: Binding, _ command: String
  ) -> [(hotkey: String, command: String)] {
    let keys = Expansion(binding.hotkey, of: dialect, isHotkey: true)
    let commands = Expansion(command, of: dialect)
    let count = min(keys.count, commands.count)
    if count == 0 || max(keys.count, commands.count) > Expansion.limit {
      file.lose(
        binding.hotkey,
        count == 0
          ? "its braces stand for nothing" : "it stands for more than \(Expansion.limit) hotkeys",
        at: binding.place)
      return []
    }
    // in a command sxhkd counts a list of one, too
    if commands.isPlain || (commands.count == 1 && dialect == .swhkd) {
      return (0..<keys.count).map { (keys.text($0), commands.text(0)) }
    }
    if keys.count != commands.count {
      file.lose(
        binding.hotkey,
        keys.isPlain
          ? "its \(commands.count) commands take turns; only the first is imported"
          : "\(keys.count) hotkeys for \(commands.count) commands; those without a counterpart are left out",
        at: binding.place)
    }
    return (0..<count).map { (keys.text($0), commands.text($0)) }
  }

  /// Removes hotkeys that are to be ignored.
  private mutating func ignore(_ ignored: Binding) {
    let place = ignored.place
    let expansion = Expansion(ignored.hotkey, of: dialect, isHotkey: true)
    guard expansion.count <= Expansion.limit else {
      file.lose(
        "ignore \(ignored.hotkey)", "it stands for more than \(Expansion.limit) hotkeys", at: place)
      return
    }
    for number in 0..<expansion.count {
      do throws(ChainNote) {
        let hotkey = try reader.chain(expansion.text(number)).hotkey
        if let gone = collector.remove(hotkey, in: ignored.mode?.name) {
          file.lose("\(hotkey)", "\(place.line(from: gone)) says to ignore it", at: gone)
        } else {
          file.note("ignore", "no rule has \(hotkey)", at: place)
        }
      } catch {
        file.lose("ignore \(error.word)", error.why, at: place)
      }
    }
  }

  // MARK: Commands

  /// What a command does: it is for a shell, in swhkd possibly with `@enter` and `@escape` among it.
  private mutating func actions(of command: String, _ binding: Binding) -> [Action] {
    let place = binding.commandPlace
    if tool == .sxhkd {
      // sxhkd waits for a command behind a semicolon
      let text = command.first == ";" ? String(command.dropFirst()).trimmed : command
      note(text, place)
      return text.isEmpty ? [] : [Action(PressingCommand.verb(of: text), place: place)]
    }
    var actions: [Action] = []
    var shell: [String] = []
    func flush() {
      let text = shell.joined(separator: " && ")
      if !text.isEmpty { actions.append(Action(PressingCommand.verb(of: text), place: place)) }
      note(text, place)
      shell = []
    }
    var isModeLeft = false
    for part in Self.parts(of: command) {
      let words = part.words
      guard words.first == "@enter" || words.first == "@escape" else {
        shell.append(part)
        continue
      }
      flush()
      let name =
        words.first == "@escape" ? nil : HotkeyFile.modeName(words.count > 1 ? words[1] : "")
      if let name, !content.modes.contains(name) {
        file.lose(
          part, "there is no mode of that name",
          at: binding.source.place(of: part, line: place.line))
        continue
      }
      isModeLeft = true
      actions.append(Action(.mode(name), place: place))
    }
    flush()
    if binding.mode?.isOneOff ?? false, !isModeLeft, !actions.isEmpty {
      actions.append(Action(.mode(nil), place: place))
    }
    return actions
  }

  /// Reports commands that work no more: for a program that does not run any more, or for X11.
  private mutating func note(_ command: String, _ place: Place) {
    let words = command.words
    let ends = words.contains { ["pkill", "killall"].contains($0) }
    if ends, words.contains(where: { $0.hasPrefix("sxhkd") || $0.hasPrefix("swhk") }) {
      file.note(
        command, "\(tool.rawValue) does not run any more; gliss reads its file when it is saved",
        at: place)
    }
    file.noteX11(command, at: place)
  }

  /// The parts between `&&`, if any of them is `@enter` or `@escape`. Otherwise the command is one
  /// part.
  private static func parts(of command: String) -> [String] {
    var parts = [""]
    for character in command {
      if character == "&", parts[parts.count - 1].last == "&" {
        parts[parts.count - 1].removeLast()
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    parts = parts.map(\.trimmed).filter { !$0.isEmpty }
    let hasOwn = parts.contains { $0.hasPrefix("@enter") || $0.hasPrefix("@escape") }
    return hasOwn ? parts : [command.trimmed]
  }
}
