import GlissConfiguration
import GlissEvents
import GlissHotkeys

/// Combines the hotkeys of a file without conflicts: actions on press and release of the same keys
/// form one rule, and of two equal hotkeys one is kept.
struct HotkeyCollector {
  /// Whether the last of equal hotkeys is kept, as in swhkd, or the first, as in sxhkd.
  let lastCounts: Bool

  struct Entry {
    var chain: Chain
    var actions: [Action]
    var mode: String?
    var sources: [ImportedFile.SourceLine]
    var place: Place
    /// As written in the file.
    var text: String
  }

  private struct Pending {
    var entry: Entry
    var press: [Action] = []
    var release: [Action] = []
  }

  init(lastCounts: Bool = false) { self.lastCounts = lastCounts }

  private var pending: [Pending] = []
  private var index: [Key: Int] = [:]
  /// The modes that chains with a `:` enter, by the hotkey that enters them.
  private var locked: [Key: String] = [:]
  /// Those that nothing enters, because another hotkey has the keys.
  private var closed: Set<String> = []

  private struct Key: Hashable {
    var hotkey: Hotkey
    var mode: String?
  }

  mutating func add(_ entry: Entry, to file: inout ImportedFile) {
    var entry = entry
    for note in entry.chain.notes { file.note(note.word, note.why, at: entry.place) }
    let longest = entry.chain.hotkey.activating(on: .release)
    if "\(longest)".count > Hotkey.longestText {
      file.lose(
        entry.text, "a hotkey has at most \(Hotkey.longestText) characters", at: entry.place)
      return
    }
    if let opening = entry.chain.opening {
      let key = Key(hotkey: opening, mode: entry.mode)
      let name = locked[key] ?? modeName(opening)
      if locked[key] == nil {
        locked[key] = name
        var first = entry
        first.chain = Chain(hotkey: opening, passesThrough: entry.chain.passesThrough)
        first.actions = [Action(.mode(name), place: entry.place)]
        if !take(first, &file) {
          closed.insert(name)
          return
        }
      }
      entry.mode = name
    }
    take(entry, &file)
  }

  /// A mode name that is not in use yet.
  private func modeName(_ hotkey: Hotkey) -> String {
    let name = Self.modeName(of: "\(hotkey)")
    let taken = Set(locked.values)
    return (1...).lazy.map { $0 == 1 ? name : "\(name)-\($0)" }.first { !taken.contains($0) }
      ?? name
  }

  /// A mode name made of letters, digits, - and _. It is shorter than the limit, so that a number
  /// can be added.
  static func modeName(of text: String) -> String {
    var name = ""
    for scalar in text.unicodeScalars {
      let isWord =
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      if isWord || scalar == "_" {
        name.unicodeScalars.append(scalar)
      } else if name.last != "-" {
        name += "-"
      }
    }
    return String(name.prefix(24))
  }

  /// Adds an entry. Returns `false` if an earlier one has the same hotkey and is kept.
  @discardableResult
  private mutating func take(_ entry: Entry, _ file: inout ImportedFile) -> Bool {
    let key = Key(hotkey: entry.chain.hotkey, mode: entry.mode)
    let onRelease = entry.chain.actsOnRelease
    guard let found = index[key] else {
      index[key] = pending.count
      pending.append(
        Pending(
          entry: entry, press: onRelease ? [] : entry.actions,
          release: onRelease ? entry.actions : []))
      return true
    }
    let isTaken = onRelease ? !pending[found].release.isEmpty : !pending[found].press.isEmpty
    if isTaken, !lastCounts {
      let line = pending[found].entry.place.line(from: entry.place)
      file.lose(
        entry.text, "\(line) has the same hotkey, and the first one counts", at: entry.place)
      return false
    }
    if isTaken {
      let old = pending[found].entry
      let line = entry.place.line(from: old.place)
      file.lose(old.text, "\(line) has the same hotkey, and the last one counts", at: old.place)
      pending[found].entry = entry
    }
    let passes = pending[found].entry.chain.passesThrough
    if !isTaken, passes != entry.chain.passesThrough {
      file.note(
        entry.text,
        "with \(pending[found].entry.place.line(from: entry.place)) it is one rule, and its keys are"
          + (passes ? " not kept from other programs" : " kept from other programs, its ~ apart"),
        at: entry.place)
    }
    if onRelease {
      pending[found].release = entry.actions
    } else {
      pending[found].press = entry.actions
    }
    pending[found].entry.sources += entry.sources.filter {
      !pending[found].entry.sources.contains($0)
    }
    return true
  }

  /// Removes what is bound to the hotkey in that mode, and returns its place.
  mutating func remove(_ hotkey: Hotkey, in mode: String?) -> Place? {
    guard let position = index.removeValue(forKey: Key(hotkey: hotkey, mode: mode)) else {
      return nil
    }
    pending[position].press = []
    pending[position].release = []
    return pending[position].entry.place
  }

  /// Adds the rules to `file`, except those whose hotkey conflicts with another.
  mutating func finish(into file: inout ImportedFile) {
    var table = HotkeyTable()
    for item in pending where !(item.press.isEmpty && item.release.isEmpty) {
      if let mode = item.entry.mode, closed.contains(mode) {
        file.lose(
          item.entry.text, "what stands before the ':' is taken, so that nothing leads here",
          at: item.entry.place)
        continue
      }
      let chain = item.entry.chain
      // a hotkey with actions only on release activates on release
      let isLate = item.press.isEmpty && !chain.hotkey.isTap
      let hotkey = isLate ? chain.hotkey.activating(on: .release) : chain.hotkey
      let place = item.entry.place
      do throws(HotkeyError) {
        _ = try table.register(hotkey, owner: "line \(place.line)", mode: item.entry.mode)
      } catch {
        file.lose(
          item.entry.text, "\(error): one would be how the other begins, or the same keys",
          at: place)
        if let mode = locked[Key(hotkey: chain.hotkey, mode: item.entry.mode)] {
          closed.insert(mode)
        }
        continue
      }
      var consumes = !chain.passesThrough && !chain.hotkey.isTap
      if consumes, chain.hotkey.hasPointer {
        consumes = false
        file.note(
          item.entry.text,
          "a button or wheel is not taken away from other programs; they see it too",
          at: place)
      }
      let actions = item.press.isEmpty ? item.release : item.press
      let released = item.press.isEmpty ? [] : item.release
      file.add(
        Rule(
          trigger: .hotkey(HotkeyCondition(hotkey: hotkey, consumes: consumes)),
          mode: item.entry.mode, reactions: Reactions(end: actions, release: released),
          place: place),
        from: item.entry.sources)
    }
  }
}

extension Place {
  /// The line as named in a message at `other`.
  func line(from other: Place) -> String { file == other.file ? "line \(line)" : "\(file):\(line)" }
}

extension Hotkey {
  fileprivate func activating(on activation: Activation) -> Hotkey {
    switch pattern {
    case .chord(let chord): Hotkey(chord, activation: activation)
    case .sequence(let first, let rest): Hotkey(first, then: rest, activation: activation)
    case .tap: self
    }
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
