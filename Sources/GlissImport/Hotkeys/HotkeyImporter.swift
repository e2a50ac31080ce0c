import GlissConfiguration
import GlissEvents
import GlissHotkeys

/// Imports rules from an sxhkdrc or a swhkdrc.
struct HotkeyImporter {
  private let tool: ImportedTool
  private var reader: ChainReader
  private var content: HotkeyFile
  private var file: ImportedFile
  private var collector: HotkeyCollector
  /// Where each mode of swhkd is entered.
  private var entered: [String: Set<Origin>] = [:]

  /// The last mode that was entered; `nil` for none. Some modes may have ended since, this one
  /// first, and then those before it.
  private struct Origin: Hashable {
    var mode: String?
    var ended = 0

    /// More modes than a file ends one after the other.
    static let mostEnded = 8
  }

  static func imported(
    _ source: ImportedText, as tool: ImportedTool, _ options: ImportOptions
  ) throws(Mistake) -> ImportedFile {
    var importer = HotkeyImporter(tool, source, options)
    try importer.content.read(source, &importer.file)
    if tool == .sxhkd, !options.byCharacter { importer.chooseLayout(options) }
    if tool == .swhkd { importer.findEntered() }
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
    self.tool = tool
    reader = ChainReader(tool: tool)
    content = HotkeyFile(tool, options)
    file = ImportedFile(tool: tool, name: source.name)
    collector = HotkeyCollector(lastCounts: tool == .swhkd)
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
    var best: (name: String, places: LayoutPlaces, rank: (Int, Int))?
    for name in Self.layouts {
      guard let places = options.layout(name), lacks(places) == nil else { continue }
      let rank = rank(places)
      if best.map({ rank < $0.rank }) ?? true { best = (name, places, rank) }
    }
    guard let chosen = best else { return }
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

  /// Removes hotkeys that are to be ignored.
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
      if name.isEmpty { origin.ended += 1 }
      let mode = name.isEmpty ? self.mode(after: origin, place) : content.modes[name]
      if !name.isEmpty, mode == nil {
        file.lose(
          part, "there is no mode of that name",
          at: binding.source.place(of: part, line: place.line))
        continue
      }
      if !name.isEmpty { origin = Origin(mode: mode) }
      isModeLeft = true
      actions.append(Action(.mode(mode), place: place))
    }
    if binding.mode?.isOneOff ?? false, !isModeLeft, !actions.isEmpty {
      actions.append(Action(.mode(mode(after: origin, place)), place: place))
    }
    return actions
  }

  /// Where a hotkey's command begins. A one-off mode ends before that, so `@escape` ends the one
  /// below it.
  private func origin(of binding: Binding) -> Origin {
    Origin(mode: binding.mode?.name, ended: binding.mode?.isOneOff ?? false ? 1 : 0)
  }

  /// Notes in which modes each mode of swhkd is entered.
  private mutating func findEntered() {
    for binding in content.bindings {
      guard let command = binding.command, command.contains("@enter") else { continue }
      for text in Expansion(command, of: tool).texts {
        var origin = origin(of: binding)
        for name in Self.parts(of: text).compactMap(Self.mode(in:)) {
          if let mode = content.modes[name] {
            entered[mode, default: []].insert(origin)
            origin = Origin(mode: mode)
          } else if name.isEmpty {
            origin.ended += 1
          }
        }
      }
    }
  }

  /// The mode that is active in swhkd after modes have ended; `nil` if that is no mode, or depends
  /// on how they were entered.
  private mutating func mode(after end: Origin, _ place: Place) -> String? {
    var before: Set<String?> = []
    var (next, seen): ([Origin], Set<Origin>) = ([end], [])
    while let origin = next.popLast() {
      guard let name = origin.mode, origin.ended > 0 else {
        before.insert(origin.mode)
        continue
      }
      guard origin.ended <= Origin.mostEnded, seen.insert(origin).inserted else { continue }
      for other in entered[name] ?? [] {
        next.append(Origin(mode: other.mode, ended: other.ended + origin.ended - 1))
      }
    }
    if before.count > 1, let mode = end.mode {
      file.noteOnce(
        "mode \(mode)",
        "several modes lead to \(mode), and swhkd returns to the last one; here all are left",
        at: place)
    }
    return before.count == 1 ? before.first.flatMap { $0 } : nil
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

/// Combines the hotkeys of a file without conflicts: actions on press and release of the same keys
/// form one rule, and only one of two equal hotkeys is kept.
struct HotkeyCollector {
  struct Key: Hashable {
    var hotkey: Hotkey
    var mode: String?
  }

  struct Entry {
    var key: Key
    /// On press (`false`), and on release.
    var actions: [Bool: [Action]]
    /// Whether the rest of the desktop receives the keys too.
    var passesThrough: Bool
    var sources: [ImportedFile.SourceLine]
    var place: Place
    /// As written in the file.
    var text: String
    /// Whether it begins a chain with a `:`. If it is lost, the end of the chain reports that.
    var isOpening = false
  }

  /// Which of several equal hotkeys is kept: the last, as in swhkd, or the first, as in sxhkd.
  let lastCounts: Bool
  private var entries: [Entry] = []
  private var index: [Key: Int] = [:]
  /// The modes that chains with a `:` enter, by the hotkey that enters them.
  private var locked: [Key: String] = [:]

  init(lastCounts: Bool) { self.lastCounts = lastCounts }

  /// Adds an entry, for the mode that `opening` enters if there is one.
  mutating func add(_ entry: Entry, behind opening: Hotkey?, to file: inout ImportedFile) {
    var entry = entry
    let hotkey = entry.key.hotkey
    if hotkey.isTap {
      file.note(entry.text, "a modifier alone acts when it is tapped", at: entry.place)
    }
    guard "\(hotkey.activating(on: .release))".count <= Hotkey.longestText else {
      file.lose(
        entry.text, "a hotkey has at most \(Hotkey.longestText) characters", at: entry.place)
      return
    }
    if let opening {
      let key = Key(hotkey: opening, mode: entry.key.mode)
      let name = locked[key] ?? Self.modeName(of: "\(opening)", besides: locked.values)
      if locked.updateValue(name, forKey: key) == nil {
        var first = entry
        first.key = key
        first.actions = [false: [Action(.mode(name), place: entry.place)]]
        first.isOpening = true
        take(first, &file)
      }
      entry.key.mode = name
    }
    take(entry, &file)
  }

  /// A mode name made of letters, digits, - and _ that is not in use yet.
  static func modeName(of text: String, besides used: some Sequence<String>) -> String {
    var letters = ""
    for scalar in text.unicodeScalars {
      let next = scalar.isOfName ? scalar : "-"
      if next != "-" || letters.last != "-" { letters.unicodeScalars.append(next) }
    }
    // shorter than the limit, so that a number can be added
    let name = String(letters.prefix(24))
    let taken = Set(used)
    return (1...).lazy.map { $0 == 1 ? name : "\(name)-\($0)" }.first { !taken.contains($0) }
      ?? name
  }

  /// Adds an entry, unless an earlier one has the same hotkey and is kept.
  private mutating func take(_ entry: Entry, _ file: inout ImportedFile) {
    guard let found = index[entry.key] else {
      index[entry.key] = entries.count
      entries.append(entry)
      return
    }
    let old = entries[found]
    var new = entry
    if entry.actions.keys.contains(where: { old.actions[$0] != nil }) {
      let (lost, kept) = lastCounts ? (old, entry) : (entry, old)
      if !lost.isOpening {
        file.note(
          lost.text,
          "\(kept.place.line(from: lost.place)) has the same hotkey, and the \(lastCounts ? "last" : "first") one counts",
          at: lost.place)
      }
      guard lastCounts else { return }
    } else {
      if old.passesThrough != entry.passesThrough {
        file.note(
          entry.text,
          "\(old.place.line(from: entry.place)) has the same keys; whether other programs get them is decided there, for both",
          at: entry.place)
      }
      new = old
      new.isOpening = old.isOpening && entry.isOpening
      new.sources += entry.sources.filter { !old.sources.contains($0) }
    }
    new.actions = old.actions.merging(entry.actions) { $1 }
    entries[found] = new
  }

  /// Removes what is bound to the hotkey in that mode, and returns its place.
  mutating func remove(_ hotkey: Hotkey, in mode: String?) -> Place? {
    guard let position = index.removeValue(forKey: Key(hotkey: hotkey, mode: mode)) else {
      return nil
    }
    entries[position].actions = [:]
    return entries[position].place
  }

  /// Adds the rules to `file`, except those whose hotkey conflicts with another.
  mutating func finish(into file: inout ImportedFile) {
    var table = HotkeyTable()
    var unentered = Set(locked.values)
    for entry in entries where !entry.actions.isEmpty {
      let mode = entry.key.mode
      if let mode, unentered.contains(mode) {
        file.lose(
          entry.text, "the keys before the ':' are taken, so nothing leads here", at: entry.place)
        continue
      }
      let (press, release) = (entry.actions[false] ?? [], entry.actions[true] ?? [])
      let hotkey = entry.key.hotkey.activating(on: entry.activation)
      do throws(HotkeyError) {
        _ = try table.register(hotkey, owner: "line \(entry.place.line)", mode: mode)
      } catch {
        if !entry.isOpening {
          file.lose(
            entry.text, "\(error): they use the same keys, or one begins with the other",
            at: entry.place)
        }
        continue
      }
      if let mode = locked[entry.key], press.contains(where: { $0.verb == .mode(mode) }) {
        unentered.remove(mode)
      }
      let consumes = !entry.passesThrough && hotkey.isConsumable
      file.add(
        Rule(
          trigger: .hotkey(HotkeyCondition(hotkey: hotkey, consumes: consumes)), mode: mode,
          reactions: Reactions(
            end: press.isEmpty ? release : press, release: press.isEmpty ? [] : release),
          place: entry.place),
        from: entry.sources)
    }
  }
}

extension HotkeyCollector.Entry {
  /// A held key repeats its command, as in both tools, but not if it changes the mode.
  fileprivate var activation: Hotkey.Activation {
    guard let press = actions[false] else { return .release }
    guard key.hotkey.onlyChord != nil, !key.hotkey.hasPointer,
      !press.contains(where: { if case .mode = $0.verb { true } else { false } })
    else { return .press }
    return .repeat
  }
}

extension Place {
  /// The line as named in a message at `other`.
  func line(from other: Place) -> String { file == other.file ? "line \(line)" : "\(file):\(line)" }
}

extension Hotkey {
  fileprivate func activating(on activation: Activation) -> Hotkey {
    isTap ? self : Hotkey(chords[0], then: Array(chords.dropFirst()), activation: activation)
  }

  /// Whether a mouse is involved.
  fileprivate var hasPointer: Bool {
    chords.contains {
      switch $0.trigger {
      case .key(let key): key.isButton
      case .symbol: false
      case .wheel: true
      }
    }
  }
}
