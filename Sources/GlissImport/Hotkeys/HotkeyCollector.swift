import GlissConfiguration
import GlissEvents
import GlissHotkeys

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
    guard let trigger = key.hotkey.onlyChord?.trigger,
      !press.contains(where: { if case .mode = $0.verb { true } else { false } })
    else { return .press }
    // what a mouse does is not repeated
    return switch trigger {
    case .key(let key): key.isButton ? .press : .repeat
    case .symbol: .repeat
    case .wheel: .press
    }
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
}
