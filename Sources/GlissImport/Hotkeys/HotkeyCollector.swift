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
    /// It is the beginning of a chain with a `:`, whose end reports it if it is lost.
    var isOpening = false
  }

  private struct Pending {
    var entry: Entry
    /// On press, and on release.
    var actions: [Bool: [Action]] = [:]

    /// A held key repeats its command, as in both tools. One that changes the mode has done so.
    func activation(_ press: [Action]) -> Hotkey.Activation {
      if press.isEmpty { return .release }
      guard case .chord = entry.chain.hotkey.pattern, !entry.chain.hotkey.hasPointer,
        !press.contains(where: { if case .mode = $0.verb { true } else { false } })
      else { return .press }
      return .repeat
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
      if locked.updateValue(name, forKey: key) == nil {
        var first = entry
        first.chain = Chain(hotkey: opening, passesThrough: entry.chain.passesThrough)
        first.actions = [Action(.mode(name), place: entry.place)]
        first.isOpening = true
        take(first, &file)
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

  /// Adds an entry, unless an earlier one has the same hotkey and is kept.
  private mutating func take(_ entry: Entry, _ file: inout ImportedFile) {
    let key = Key(hotkey: entry.chain.hotkey, mode: entry.mode)
    let onRelease = entry.chain.actsOnRelease
    guard let found = index[key] else {
      index[key] = pending.count
      pending.append(Pending(entry: entry, actions: [onRelease: entry.actions]))
      return
    }
    let old = pending[found].entry
    if pending[found].actions[onRelease] != nil {
      let (lost, kept) = lastCounts ? (old, entry) : (entry, old)
      if !lost.isOpening {
        file.lose(
          lost.text,
          "\(kept.place.line(from: lost.place)) has the same hotkey, and the \(lastCounts ? "last" : "first") one counts",
          at: lost.place)
      }
      guard lastCounts else { return }
      pending[found].entry = entry
    } else if old.chain.passesThrough != entry.chain.passesThrough {
      file.note(
        entry.text,
        "\(old.place.line(from: entry.place)) has the same keys, and says for both whether other programs get them",
        at: entry.place)
    }
    pending[found].actions[onRelease] = entry.actions
    let sources = pending[found].entry.sources
    pending[found].entry.sources += entry.sources.filter { !sources.contains($0) }
  }

  /// Removes what is bound to the hotkey in that mode, and returns its place.
  mutating func remove(_ hotkey: Hotkey, in mode: String?) -> Place? {
    guard let position = index.removeValue(forKey: Key(hotkey: hotkey, mode: mode)) else {
      return nil
    }
    pending[position].actions = [:]
    return pending[position].entry.place
  }

  /// Adds the rules to `file`, except those whose hotkey conflicts with another.
  mutating func finish(into file: inout ImportedFile) {
    var table = HotkeyTable()
    var unentered = Set(locked.values)
    for item in pending where !item.actions.isEmpty {
      let entry = item.entry
      if let mode = entry.mode, unentered.contains(mode) {
        file.lose(
          entry.text, "what stands before the ':' is taken, so that nothing leads here",
          at: entry.place)
        continue
      }
      let (press, release) = (item.actions[false] ?? [], item.actions[true] ?? [])
      let hotkey = entry.chain.hotkey.activating(on: item.activation(press))
      do throws(HotkeyError) {
        _ = try table.register(hotkey, owner: "line \(entry.place.line)", mode: entry.mode)
      } catch {
        if !entry.isOpening {
          file.lose(
            entry.text, "\(error): one would be how the other begins, or the same keys",
            at: entry.place)
        }
        continue
      }
      if let mode = locked[Key(hotkey: entry.chain.hotkey, mode: entry.mode)], entry.isOpening {
        unentered.remove(mode)
      }
      let consumes = !entry.chain.passesThrough && hotkey.isConsumable
      file.add(
        Rule(
          trigger: .hotkey(HotkeyCondition(hotkey: hotkey, consumes: consumes)), mode: entry.mode,
          reactions: Reactions(
            end: press.isEmpty ? release : press, release: press.isEmpty ? [] : release),
          place: entry.place),
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
