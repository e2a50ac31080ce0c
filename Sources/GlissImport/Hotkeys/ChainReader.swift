import GlissConfiguration
import GlissEvents
import GlissHotkeys

/// A hotkey of sxhkd or swhkd, parsed.
struct Chain {
  /// The hotkey before a `:`, which enters a mode for the rest; `nil` if there is none.
  var opening: Hotkey?
  var hotkey: Hotkey
  /// It acts when the key is released.
  var actsOnRelease = false
  /// The rest of the desktop receives the keys too.
  var passesThrough = false
  /// What differs from the original.
  var notes: [ChainNote] = []
}

/// A word of a hotkey, and a remark about it.
struct ChainNote: Error {
  var word: String
  var why: String

  static func unknownKey(_ name: String, similar: String? = nil) -> ChainNote {
    let advice = similar.map { "; \($0) is one" } ?? ""
    return ChainNote(
      word: name,
      why: "no key is called so\(advice); 'gliss watch --events key' prints what a key is called")
  }
}

extension ChordModifiers {
  /// The modifier of a key, on either side; `nil` for other keys.
  init?(of key: Key) {
    switch key {
    case .leftShift, .rightShift: self = .shift
    case .leftControl, .rightControl: self = .control
    case .leftSuper, .rightSuper: self = .super
    case .leftAlt: self = .alt
    case .rightAlt: self = .altGr
    case _: return nil
    }
  }
}

/// Parses the hotkeys of sxhkd and swhkd.
struct ChainReader {
  /// The tool whose words and keys are used.
  enum Dialect {
    case sxhkd(byCharacter: Bool)
    case swhkd
  }

  let dialect: Dialect

  func chain(_ text: String) throws(ChainNote) -> Chain {
    let isSwhkd = if case .swhkd = dialect { true } else { false }
    // swhkd has no chains: there a semicolon is a key
    let (pieces, separators) = isSwhkd ? ([text], []) : Self.cut(text)
    guard pieces.count == separators.count + 1, pieces.allSatisfy({ !$0.trimmed.isEmpty }) else {
      throw ChainNote(word: text.trimmed, why: "a chord is missing here; nothing is bound")
    }
    guard pieces.count <= Hotkey.longestSequence else {
      throw ChainNote(word: text, why: "a sequence has at most \(Hotkey.longestSequence) chords")
    }
    var chords: [ReadChord] = []
    for piece in pieces { chords.append(try chord(piece)) }
    let locks = separators.indices.filter { separators[$0] }
    if let lock = locks.first, locks.count > 1 || lock != separators.count - 1 {
      throw ChainNote(
        word: text.trimmed,
        why: "a ':' holds before the last chord only; write a mode: for what comes before it")
    }
    return try assemble(chords, isLocked: !locks.isEmpty)
  }

  // MARK: Chords

  private struct ReadChord {
    var chord: Chord
    var tap: TappedModifier?
    var isRelease = false
    var passesThrough = false
    var notes: [ChainNote] = []
  }

  private func assemble(
    _ chords: [ReadChord], isLocked: Bool
  ) throws(ChainNote) -> Chain {
    guard let last = chords.last else { throw ChainNote(word: "", why: "nothing is bound") }
    var notes = chords.flatMap(\.notes)
    if chords.count > 1 {
      if let tap = chords.first(where: { $0.tap != nil })?.tap {
        throw ChainNote(word: "\(tap)", why: "a modifier alone cannot be part of a sequence")
      }
      if chords.dropLast().contains(where: \.isRelease) {
        notes.append(
          ChainNote(word: "@", why: "only the last chord acts on release; the others on press"))
      }
      if Set(chords.map(\.passesThrough)).count > 1 {
        notes.append(
          ChainNote(word: "~", why: "it holds for the whole sequence: nothing of it is consumed"))
      }
    }
    let passes = chords.contains(where: \.passesThrough)
    if let tap = last.tap {
      return Chain(hotkey: Hotkey(tap: tap), passesThrough: true, notes: notes)
    }
    var all = chords.map(\.chord)
    var opening: Hotkey?
    if isLocked, let final = all.popLast() {
      opening = Hotkey(all[0], then: Array(all.dropFirst()))
      all = [final]
    }
    return Chain(
      opening: opening, hotkey: Hotkey(all[0], then: Array(all.dropFirst())),
      actsOnRelease: last.isRelease, passesThrough: passes, notes: notes)
  }

  private func chord(_ text: String) throws(ChainNote) -> ReadChord {
    var read = ReadChord(chord: Chord([], .key(.a)))
    var modifiers: ChordModifiers = []
    var trigger: (word: String, key: Chord.Trigger)?
    var sided: TappedModifier?
    for raw in Self.names(text) {
      var name = raw
      while let mark = name.first, mark == "~" || mark == "@", name.count > 1 {
        if mark == "~" { read.passesThrough = true } else { read.isRelease = true }
        name.removeFirst()
      }
      if let found = try modifier(name, &read.notes) {
        modifiers.formUnion(found)
        continue
      }
      guard let found = try key(name) else { continue }
      if let first = trigger {
        throw ChainNote(
          word: name,
          why:
            "\(first.word) and \(name) in one chord: a chord has one key; write \(first.word) ; \(name) for one after the other"
        )
      }
      trigger = (name, found.trigger)
      modifiers.formUnion(found.implied)
      sided = found.tapped
    }
    guard let trigger else {
      guard let tap = Self.tapped(modifiers) else {
        throw ChainNote(word: text.trimmed, why: "a chord needs a key besides its modifiers")
      }
      read.notes.append(
        ChainNote(word: text.trimmed, why: "a modifier alone acts when it is tapped: tap:\(tap)"))
      read.tap = tap
      return read
    }
    if let sided {
      // Super_L while super is held names the same key twice
      guard modifiers.isEmpty || Self.tapped(modifiers) != nil else {
        throw ChainNote(
          word: trigger.word,
          why: "a modifier that completes a chord of modifiers cannot be waited for")
      }
      read.notes.append(
        ChainNote(word: trigger.word, why: "a modifier alone acts when it is tapped: tap:\(sided)"))
      read.tap = sided
      return read
    }
    read.chord = Chord(modifiers, trigger.key)
    return read
  }

  private static func tapped(_ modifiers: ChordModifiers) -> TappedModifier? {
    TappedModifier.allCases.first { $0.modifiers == modifiers }
  }

  // MARK: Words

  /// Whether `word` may be part of a hotkey, even of one that is not supported here.
  func knows(_ word: String) -> Bool {
    // a single punctuation mark may be a key, but it also begins many other lines
    if word.count == 1 { return word.allSatisfy { $0.isLetter || $0.isNumber } }
    var notes: [ChainNote] = []
    do throws(ChainNote) {
      if try modifier(word, &notes) != nil { return true }
    } catch {
      return true
    }
    return Self.buttonNumber(word) != nil || ((try? key(word)) ?? nil) != nil
  }

  /// The modifier with that name; `nil` if it is not a modifier.
  private func modifier(
    _ name: String, _ notes: inout [ChainNote]
  ) throws(ChainNote) -> ChordModifiers? {
    let isX11 = if case .sxhkd = dialect { true } else { false }
    switch isX11 ? name : name.lowercased() {
    case "super", "mod4": return .super
    case "ctrl", "control": return .control
    case "shift": return .shift
    case "alt", "mod1": return .alt
    case "altgr" where !isX11: return .altGr
    case "mod5": return .altGr
    case "meta" where isX11:
      notes.append(ChainNote(word: name, why: "X11 has it on the Alt keys; alt is meant here"))
      return .alt
    case "hyper" where isX11:
      notes.append(ChainNote(word: name, why: "X11 has it on the Super keys; super is meant here"))
      return .super
    case "mode_switch" where isX11:
      notes.append(ChainNote(word: name, why: "altgr is meant here"))
      return .altGr
    case "any":
      throw ChainNote(
        word: name,
        why: "a hotkey's modifiers must be named; write one rule for each set of them that is used")
    case "lock", "mod2", "mod3":
      throw ChainNote(
        word: name, why: "locks and mod3 are not modifiers of hotkeys here; leave the word out")
    case _: return nil
    }
  }

  private struct FoundKey {
    var trigger: Chord.Trigger
    var implied: ChordModifiers = []
    var tapped: TappedModifier?
  }

  private func key(_ name: String) throws(ChainNote) -> FoundKey? {
    if name.isEmpty { return nil }
    if let number = Self.buttonNumber(name) { return FoundKey(trigger: try button(number, name)) }
    switch dialect {
    case .sxhkd(let byCharacter):
      guard let trigger = Keysyms.trigger(name, byCharacter: byCharacter) else {
        throw .unknownKey(name, similar: Keysyms.similar(to: name))
      }
      var found = FoundKey(trigger: trigger, tapped: Self.tapped(trigger))
      // `A` means Shift and the key
      let isCapital = name.unicodeScalars.count == 1 && name.lowercased() != name
      if isCapital { found.implied = .shift }
      return found
    case .swhkd:
      let word = name.lowercased()
      let known = Keysyms.trigger(word: Self.swhkdWords[word] ?? word)
      let keysym = Self.media.first { $0.lowercased() == word }.flatMap { Keysyms.trigger($0) }
      guard let trigger = known ?? keysym ?? Keysyms.trigger(word), case .key = trigger else {
        throw .unknownKey(name, similar: Keysyms.similar(to: name))
      }
      return FoundKey(trigger: trigger, tapped: Self.tapped(trigger))
    }
  }

  /// Words of swhkd that are neither the kernel's nor X11's.
  private static let swhkdWords = [
    "plus": "kpplus", "page_up": "pageup", "page_down": "pagedown", ";": "semicolon",
    "'": "apostrophe", "leftsuper": "leftmeta", "rightsuper": "rightmeta",
    // swhkd has these two swapped
    "prior": "pagedown", "next": "pageup", "caps_lock": "capslock", "scroll_lock": "scrolllock",
    "print": "sysrq",
    "escape": "esc", "return": "enter", "question": "question", "num_lock": "numlock",
  ]

  private static let media = Keysyms.table.words.compactMap {
    $0.split(separator: ":" as Character).first.map(String.init)
  }

  private static func tapped(_ trigger: Chord.Trigger) -> TappedModifier? {
    guard case .key(let key) = trigger else { return nil }
    return switch key {
    case .leftShift: .leftShift
    case .rightShift: .rightShift
    case .leftControl: .leftControl
    case .rightControl: .rightControl
    case .leftSuper: .leftSuper
    case .rightSuper: .rightSuper
    case .leftAlt: .alt
    case .rightAlt: .altGr
    case _: nil
    }
  }

  private static func buttonNumber(_ name: String) -> Int? {
    name.hasPrefix("button") ? Int(name.dropFirst(6)) : nil
  }

  /// X11 numbers the wheel's four directions as buttons.
  private func button(_ number: Int, _ name: String) throws(ChainNote) -> Chord.Trigger {
    let word =
      switch number {
      case 1...3: "button\(number)"
      case 4: "wheelup"
      case 5: "wheeldown"
      case 6: "wheelleft"
      case 7: "wheelright"
      case 8...12: "button\(number - 4)"
      case _: ""
      }
    guard let trigger = Keysyms.trigger(word: word) else {
      throw ChainNote(
        word: name,
        why: "which button this is X11 alone knows; 'gliss watch --events pointer' prints its name")
    }
    return trigger
  }

  // MARK: Cutting

  /// A chain's chords, and for each separator whether it is a `:`.
  private static func cut(_ text: String) -> (pieces: [String], locks: [Bool]) {
    var pieces = [""]
    var locks: [Bool] = []
    var escaped = false
    for character in text {
      if escaped {
        escaped = false
        pieces[pieces.count - 1] += "\\\(character)"
      } else if character == "\\" {
        escaped = true
      } else if character == ";" || character == ":" {
        pieces.append("")
        locks.append(character == ":")
      } else {
        pieces[pieces.count - 1].append(character)
      }
    }
    if escaped { pieces[pieces.count - 1] += "\\" }
    return (pieces, locks)
  }

  /// The words of a chord, separated by plus signs and blanks.
  private static func names(_ text: String) -> [String] {
    var names: [String] = []
    var name = ""
    var escaped = false
    for character in text {
      if escaped {
        escaped = false
        name.append(character)
      } else if character == "\\" {
        escaped = true
      } else if character == "+" || character.isWhitespace {
        if !name.isEmpty { names.append(name) }
        name = ""
      } else {
        name.append(character)
      }
    }
    if escaped { name.append("\\") }
    return name.isEmpty ? names : names + [name]
  }
}
