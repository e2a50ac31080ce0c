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

  /// A point of a command: the last mode that was entered, `nil` for none, and how many modes have
  /// ended since, this one first, and then those below it.
  private struct Origin {
    var mode: String?
    var ended = 0
  }

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
    let layouts = Self.layouts.compactMap { name in
      options.layout(name).map { (name: name, places: $0) }
    }
    let able = layouts.filter { lacks($0.places) == nil }
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
    var origin = origin(of: binding)
    var isModeLeft = false
    for part in Self.parts(of: command) {
      guard let name = Self.mode(in: part) else {
        actions.append(action(part, place))
        continue
      }
      if name.isEmpty {
        origin.ended += 1
      } else if let mode = content.modes[name] {
        origin = Origin(mode: mode)
      } else {
        file.lose(
          part, "there is no mode of that name",
          at: binding.source.place(of: part, line: place.line))
        continue
      }
      isModeLeft = true
      actions.append(Action(.mode(mode(at: origin, place)), place: place))
    }
    if binding.mode?.isOneOff ?? false, !isModeLeft, !actions.isEmpty {
      actions.append(Action(.mode(mode(at: origin, place)), place: place))
    }
    return actions
  }

  /// Where a hotkey's command begins. A one-off mode has ended by then, so `@escape` ends the one
  /// below it.
  private func origin(of binding: Binding) -> Origin {
    Origin(mode: binding.mode?.name, ended: binding.mode?.isOneOff ?? false ? 1 : 0)
  }

  /// Finds what may be below each mode. That may depend on what is below other modes, so it is
  /// repeated until nothing is added.
  private mutating func findModesBelow() {
    var entries: [(mode: String, origin: Origin)] = []
    for binding in content.bindings {
      guard let command = binding.command else { continue }
      for text in Expansion(command, of: tool).texts {
        var origin = origin(of: binding)
        for name in Self.parts(of: text).compactMap(Self.mode(in:)) {
          if let mode = content.modes[name] {
            entries.append((mode, origin))
            origin = Origin(mode: mode)
          } else if name.isEmpty {
            origin.ended += 1
          }
        }
      }
    }
    var isChanged = true
    while isChanged {
      isChanged = false
      // entries may depend on earlier or on later ones, so the order alternates
      entries.reverse()
      for (mode, origin) in entries {
        let all = below[mode, default: []].union(active(at: origin))
        if below.updateValue(all, forKey: mode) != all { isChanged = true }
      }
    }
  }

  private func active(at origin: Origin) -> Set<String?> {
    var modes: Set<String?> = [origin.mode]
    for _ in 0..<origin.ended {
      // outside all modes nothing is below
      modes = Set(modes.flatMap { mode -> Set<String?> in mode.map { below[$0] ?? [] } ?? [nil] })
      if modes == [nil] { break }
    }
    return modes
  }

  /// The only mode that may be active at that point; `nil` if that is no mode, or depends on how
  /// the last mode was entered.
  private mutating func mode(at origin: Origin, _ place: Place) -> String? {
    let modes = active(at: origin)
    if modes.count < 2 { return modes.first.flatMap { $0 } }
    if let entered = origin.mode {
      file.noteOnce(
        "mode \(entered)",
        "several modes lead to \(entered), and swhkd returns to the last one; here all are left",
        at: place)
    }
    return nil
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
