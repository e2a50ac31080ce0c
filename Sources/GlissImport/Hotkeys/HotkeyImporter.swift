import GlissConfiguration
import GlissEvents
import GlissHotkeys

struct HotkeyImporter {
  private let tool: ImportedTool
  private var reader: ChainReader
  private var content: HotkeyFile
  private var file: ImportedFile
  private var collector: HotkeyCollector
  /// By mode of swhkd, the modes that may be active when a command enters it; `nil` is no mode.
  private var below: [String: Set<String?>] = [:]

  static func imported(
    _ source: ImportedText, as tool: ImportedTool, _ options: ImportOptions
  ) throws(Mistake) -> ImportedFile {
    var importer = HotkeyImporter(
      tool: tool, reader: ChainReader(tool: tool), content: HotkeyFile(tool, options),
      file: ImportedFile(tool: tool, name: source.name),
      collector: HotkeyCollector(lastCounts: tool == .swhkd))
    try importer.content.read(source, &importer.file)
    if tool == .sxhkd, !options.byCharacter { importer.chooseLayout(options) }
    if tool == .swhkd { importer.findModesBelow() }
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

  /// Layouts that a file may have been written for, if it names characters that the user's lacks.
  private static let layouts = [
    "us", "gb", "fr", "de", "be", "es", "it", "pt", "br", "latam", "se", "no", "dk", "fi", "ch",
    "pl", "cz", "hu", "tr",
  ]

  /// Looks up letters and punctuation where sxhkd found them: on the user's layout, or else on a
  /// layout that has all of them. Files name what keys have without Shift, so it is the one that
  /// needs Shift for the fewest; of several, the one that moves the fewest keys.
  private mutating func chooseLayout(_ options: ImportOptions) {
    let usual = options.layout(nil) ?? Keysyms.placeOnQWERTY
    reader.places = usual
    var signs: [String: Unicode.Scalar] = [:]
    func words(of binding: Binding) -> [String] {
      binding.hotkey.split { " \t+;:{},~@".contains($0) }
        .flatMap { Expansion.range(String($0)) }
    }
    for word in content.bindings.flatMap(words) { signs[word] = Keysyms.character(word) }
    signs["_"] = nil
    func lacks(_ places: LayoutPlaces) -> String? {
      signs.filter { places($0.value) == nil }.keys.min()
    }
    guard let missing = lacks(usual),
      let binding = content.bindings.first(where: { words(of: $0).contains(missing) })
    else { return }
    func rank(_ places: LayoutPlaces) -> (Int, Int) {
      let found = signs.values.compactMap { sign in places(sign).map { (sign, $0) } }
      return (
        found.count { $1.needsShift },
        found.count { sign, place in usual(sign).map { $0 != place } ?? false }
      )
    }
    let able = Self.layouts
      .compactMap { name in options.layout(name).map { (name: name, places: $0) } }
      .filter { lacks($0.places) == nil }
    guard let chosen = able.min(by: { rank($0.places) < rank($1.places) }) else { return }
    reader.places = chosen.places
    file.note(
      missing,
      "your layout has no such key, so letters and signs are those of the layout \(chosen.name)",
      at: binding.place(of: missing))
  }

  private mutating func add(_ binding: Binding, _ command: String) {
    for (text, commands) in turns(binding, command) {
      do throws(ChainNote) {
        let chain = try reader.chain(text)
        if let key = chain.replaced {
          file.note(
            key, "a chord has one key besides its modifiers; the last one counts",
            at: binding.place(of: key))
        }
        let all = commands.map { self.actions(of: $0, binding) }
        guard let first = all.first, !all.contains(where: { $0.isEmpty }) else {
          file.lose(text, "nothing of its command is left to do", at: binding.place)
          continue
        }
        let actions = all.count == 1 ? first : [Action(.turns(all), place: binding.commandPlace)]
        for hotkey in chain.hotkeys {
          let key = HotkeyCollector.Key(hotkey: hotkey, mode: binding.mode?.name)
          collector.add(
            HotkeyCollector.Entry(
              key: key, actions: [chain.actsOnRelease: actions],
              passesThrough: chain.passesThrough, sources: binding.sources, place: binding.place,
              text: text.trimmed),
            behind: chain.opening, to: &file)
        }
      } catch {
        // braces may stand for nothing
        let word = error.word.isEmpty ? binding.hotkey : error.word
        file.lose(word, error.why, at: binding.place(of: word))
      }
    }
  }

  /// The hotkeys that both groups expand to, each with its command. In sxhkd, consecutive commands
  /// of one hotkey take turns. Those without a counterpart become a remark.
  private mutating func turns(
    _ binding: Binding, _ command: String
  ) -> [(hotkey: String, commands: [String])] {
    let expandedKeys = Expansion(binding.hotkey, of: tool, isHotkey: true)
    let expandedCommands = Expansion(command, of: tool)
    var (keys, commands) = (expandedKeys.texts, expandedCommands.texts)
    guard !keys.isEmpty, !commands.isEmpty else {
      let (text, place) =
        keys.isEmpty ? (binding.hotkey, binding.place) : (command, binding.commandPlace)
      file.lose(text, Expansion.problem, at: place)
      return []
    }
    // for sxhkd, braces around a single item are a group, too
    if !expandedCommands.hasGroups || (commands.count == 1 && tool == .swhkd) {
      commands = keys.map { _ in commands[0] }
    } else if !expandedKeys.hasGroups, tool == .sxhkd {
      keys = commands.map { _ in keys[0] }
    }
    if keys.count != commands.count {
      file.note(
        binding.hotkey,
        "\(counted(keys.count, "hotkey")) and \(counted(commands.count, "command")) do not pair;"
          + " as in \(tool.rawValue) the rest is left out",
        at: binding.place)
    }
    return zip(keys, commands).reduce(into: []) { turns, pair in
      if tool == .sxhkd, turns.last?.hotkey == pair.0 {
        turns[turns.count - 1].commands.append(pair.1)
      } else {
        turns.append((pair.0, [pair.1]))
      }
    }
  }

  private mutating func ignore(_ ignored: Binding) {
    let place = ignored.place
    let hotkeys = Expansion(ignored.hotkey, of: tool, isHotkey: true).texts
    if hotkeys.isEmpty { file.lose("ignore \(ignored.hotkey)", Expansion.problem, at: place) }
    for hotkey in hotkeys {
      do throws(ChainNote) {
        let hotkey = try reader.chain(hotkey).hotkeys[0]
        if let gone = collector.remove(hotkey, in: ignored.mode?.name) {
          file.note("\(hotkey)", "\(place.line(from: gone)) says to ignore it", at: gone)
        } else {
          file.note("ignore", "no rule has \(hotkey)", at: place)
        }
      } catch {
        file.lose("ignore \(error.word)".trimmed, error.why, at: place)
      }
    }
  }

  // MARK: Commands

  /// A command's actions. It is for a shell; in swhkd it may contain `@enter` and `@escape`.
  private mutating func actions(of command: String, _ binding: Binding) -> [Action] {
    let place = binding.commandPlace
    if tool == .sxhkd {
      // a leading semicolon makes sxhkd wait for the command
      let text = command.first == ";" ? String(command.dropFirst()).trimmed : command
      return text.isEmpty ? [] : [action(text, place)]
    }
    var actions: [Action] = []
    var active = activeModes(in: binding.mode)
    var entered = binding.mode?.name
    var isModeLeft = false
    for part in Self.parts(of: command) {
      guard let name = Self.mode(in: part) else {
        actions.append(action(part, place))
        continue
      }
      if name.isEmpty {
        active = modes(below: active)
      } else if let mode = content.modes[name] {
        (active, entered) = ([mode], mode)
      } else {
        file.lose(
          part, "there is no mode of that name",
          at: binding.source.place(of: part, line: place.line))
        continue
      }
      isModeLeft = true
      actions.append(change(to: active, entered, place))
    }
    if binding.mode?.isOneOff ?? false, !isModeLeft, !actions.isEmpty {
      actions.append(change(to: active, entered, place))
    }
    return actions
  }

  /// The modes that may be active where a hotkey's command begins. A one-off mode has ended by
  /// then, so `@escape` ends the one below it.
  private func activeModes(in mode: HotkeyFile.Mode?) -> Set<String?> {
    mode?.isOneOff ?? false ? modes(below: [mode?.name]) : [mode?.name]
  }

  /// Outside all modes nothing is below.
  private func modes(below active: Set<String?>) -> Set<String?> {
    Set(active.flatMap { mode -> Set<String?> in mode.map { below[$0] ?? [] } ?? [nil] })
  }

  /// Finds what may be below each mode. That may depend on what is below other modes, so it is
  /// repeated until nothing is added.
  private mutating func findModesBelow() {
    var commands = content.bindings.flatMap { binding in
      Expansion(binding.command ?? "", of: tool).texts.map { text in
        (mode: binding.mode, names: Self.parts(of: text).compactMap(Self.mode(in:)))
      }
    }
    var isChanged = true
    while isChanged {
      isChanged = false
      // commands may depend on earlier or on later ones, so the order alternates
      commands.reverse()
      for (mode, names) in commands {
        var active = activeModes(in: mode)
        for name in names {
          if let next = content.modes[name] {
            let all = below[next, default: []].union(active)
            if below.updateValue(all, forKey: next) != all { isChanged = true }
            active = [next]
          } else if name.isEmpty {
            active = modes(below: active)
          }
        }
      }
    }
  }

  /// Changes to the only mode that may be active; to none if that depends on how the last mode was
  /// entered.
  private mutating func change(
    to active: Set<String?>, _ entered: String?, _ place: Place
  ) -> Action {
    if active.count > 1, let entered {
      file.noteOnce(
        "mode \(entered)",
        "several modes lead to \(entered), and swhkd returns to the last one; here all are left",
        at: place)
    }
    let mode = active.count == 1 ? active.first.flatMap { $0 } : nil
    return Action(.mode(mode), place: place)
  }

  /// swhkd's name of the mode that a part of a command enters, or `""` if it leaves one; `nil` for
  /// other parts.
  private static func mode(in part: String) -> String? {
    let words = part.words
    if words.first == "@escape" { return "" }
    // a missing name becomes a blank, which is in no mode's name
    return words.first == "@enter" ? words.dropFirst().first ?? " " : nil
  }

  /// Runs a command. Reports a command for a program that no longer runs.
  private mutating func action(_ command: String, _ place: Place) -> Action {
    let words = command.words
    if words.contains("pkill") || words.contains("killall"),
      words.contains(where: { $0.hasPrefix("sxhkd") || $0.hasPrefix("swhk") })
    {
      file.note(
        command, "\(tool.rawValue) does not run any more; gliss reads its file when it is saved",
        at: place)
    }
    return Action(file.verb(of: command, at: place), place: place)
  }

  /// The parts of a command: each is for a shell, or is `@enter` or `@escape`.
  private static func parts(of command: String) -> [String] {
    let parts = command.split(separator: "&&").map { String($0).trimmed }.filter { !$0.isEmpty }
    if !parts.contains(where: { mode(in: $0) != nil }) { return [command.trimmed] }
    return parts.reduce(into: []) { joined, part in
      if let last = joined.last, mode(in: last) == nil, mode(in: part) == nil {
        joined[joined.count - 1] += " && " + part
      } else {
        joined.append(part)
      }
    }
  }
}
