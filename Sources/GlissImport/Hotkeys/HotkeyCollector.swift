import GlissConfiguration
import GlissEvents
import GlissHotkeys

/// Combines the hotkeys of a file without conflicts: actions on press and release of the same keys
/// form one rule, and of two equal hotkeys one is kept.
struct HotkeyCollector {
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

    /// A held key repeats its command, as in both tools. One that changes the mode has done so.
    var activation: Hotkey.Activation {
      if press.isEmpty { return .release }
      guard case .chord = entry.chain.hotkey.pattern, !entry.chain.hotkey.hasPointer,
        !press.contains(where: { if case .mode = $0.verb { true } else { false } })
      else { return .press }
      return .repeat
    }

    subscript(onRelease: Bool) -> [Action] {
      get { onRelease ? release : press }
      set { if onRelease { release = newValue } else { press = newValue } }
    }
  }

  private struct Key: Hashable {
    var hotkey: Hotkey
    var mode: String?
  }

  /// Whether the last of equal hotkeys is kept, as in swhkd, or the first, as in sxhkd.
  private let lastCounts: Bool
  private var pending: [Pending] = []
  private var index: [Key: Int] = [:]
  /// The modes that chains with a `:` enter, by the hotkey that enters them.
  private var locked: [Key: String] = [:]
  /// Those that nothing enters, because another hotkey has the keys.
  private var closed: Set<String> = []

  init(lastCounts: Bool) { self.lastCounts = lastCounts }

  mutating func add(_ entry: Entry, to file: inout ImportedFile) {
    var entry = entry
    if entry.chain.hotkey.isTap {
      file.note(entry.text, "a modifier alone acts when it is tapped", at: entry.place)
    }
    guard "\(entry.chain.hotkey.activating(on: .release))".count <= Hotkey.longestText else {
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
      pending.append(Pending(entry: entry))
      pending[pending.count - 1][onRelease] = entry.actions
      return true
    }
    let old = pending[found].entry
    if !pending[found][onRelease].isEmpty {
      let (lost, kept) = lastCounts ? (old, entry) : (entry, old)
      file.lose(
        lost.text,
        "\(kept.place.line(from: lost.place)) has the same hotkey, and the \(lastCounts ? "last" : "first") one counts",
        at: lost.place)
      guard lastCounts else { return false }
      pending[found].entry = entry
    } else if old.chain.passesThrough != entry.chain.passesThrough {
      file.note(
        entry.text,
        "\(old.place.line(from: entry.place)) has the same keys, and says for both whether other programs get them",
        at: entry.place)
    }
    pending[found][onRelease] = entry.actions
    let sources = pending[found].entry.sources
    pending[found].entry.sources += entry.sources.filter { !sources.contains($0) }
    return true
  }

  /// Removes what is bound to the hotkey in that mode, and returns its place.
  mutating func remove(_ hotkey: Hotkey, in mode: String?) -> Place? {
    guard let position = index.removeValue(forKey: Key(hotkey: hotkey, mode: mode)) else {
      return nil
    }
    let place = pending[position].entry.place
    pending[position] = Pending(entry: pending[position].entry)
    return place
  }

  /// Adds the rules to `file`, except those whose hotkey conflicts with another.
  mutating func finish(into file: inout ImportedFile) {
    var table = HotkeyTable()
    for item in pending where !(item.press.isEmpty && item.release.isEmpty) {
      let entry = item.entry
      let place = entry.place
      if let mode = entry.mode, closed.contains(mode) {
        file.lose(
          entry.text, "what stands before the ':' is taken, so that nothing leads here", at: place)
        continue
      }
      let hotkey = entry.chain.hotkey.activating(on: item.activation)
      do throws(HotkeyError) {
        _ = try table.register(hotkey, owner: "line \(place.line)", mode: entry.mode)
      } catch {
        file.lose(
          entry.text, "\(error): one would be how the other begins, or the same keys", at: place)
        if let mode = locked[Key(hotkey: entry.chain.hotkey, mode: entry.mode)] {
          closed.insert(mode)
        }
        continue
      }
      let consumes = !entry.chain.passesThrough && hotkey.isConsumable
      file.add(
        Rule(
          trigger: .hotkey(HotkeyCondition(hotkey: hotkey, consumes: consumes)), mode: entry.mode,
          reactions: item.press.isEmpty
            ? Reactions(end: item.release) : Reactions(end: item.press, release: item.release),
          place: place),
        from: entry.sources)
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
