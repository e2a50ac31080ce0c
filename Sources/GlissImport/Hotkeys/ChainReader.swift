import GlissConfiguration
import GlissEvents
import GlissHotkeys

struct Chain {
  /// The hotkey before a `:`, which enters a mode for the rest; `nil` without one.
  var opening: Hotkey?
  /// At least one; several if several keys have the last chord's keysym.
  var hotkeys: [Hotkey]
  var actsOnRelease = false
  /// Whether the rest of the desktop receives the keys too.
  var passesThrough = false
  /// A key that another one in the same chord replaces.
  var replaced: String?
}

/// A word in another tool's file, and a remark about it.
struct ChainNote: Error {
  var word: String
  var why: String

  init(_ word: String, _ why: String) { (self.word, self.why) = (word, why) }

  static func unknownKey(_ name: String, similar: String? = nil) -> ChainNote {
    let advice = similar.map { "; \($0) is one" } ?? ""
    return ChainNote(name, "unknown key\(advice); 'gliss keys' prints the names of keys")
  }

  fileprivate static func modifiersAlone(_ text: String) -> ChainNote {
    ChainNote(
      text.trimmed,
      "a chord needs a key besides its modifiers; only one of them by itself can be tapped")
  }
}

struct ChainReader {
  let tool: ImportedTool
  /// Where sxhkd found characters; if `nil`, each is looked up on the layout in use.
  var places: LayoutPlaces?

  private var isX11: Bool { tool == .sxhkd }

  func chain(_ text: String) throws(ChainNote) -> Chain {
    // swhkd has no chains, so its semicolon is a key
    let pieces = isX11 ? Self.cut(text) : [(text, false)]
    guard !pieces.isEmpty, pieces.allSatisfy({ !$0.text.trimmed.isEmpty }) else {
      throw ChainNote(text.trimmed, "a chord is missing here; nothing is bound")
    }
    guard pieces.count <= Hotkey.longestSequence else {
      throw ChainNote(text, "a sequence has at most \(Hotkey.longestSequence) chords")
    }
    guard !pieces.dropLast().contains(where: \.isLocked) else {
      throw ChainNote(
        text.trimmed,
        "a ':' holds before the last chord only; write a mode: for what comes before it")
    }
    var chain = Chain(hotkeys: [])
    var chords: [Chord] = []
    for (index, piece) in pieces.enumerated() {
      let last = try chord(piece.text)
      guard let lastChord = last.hotkeys[0].onlyChord else {
        guard pieces.count == 1 else { throw .modifiersAlone(piece.text) }
        return Chain(hotkeys: last.hotkeys, passesThrough: true)
      }
      if piece.isLocked, index > 0 {
        chain.opening = Hotkey(chords[0], then: Array(chords.dropFirst()))
        chords = []
      }
      chain.hotkeys = last.hotkeys.map { hotkey in
        let all = chords + hotkey.chords
        return Hotkey(all[0], then: Array(all.dropFirst()))
      }
      chords.append(lastChord)
      chain.actsOnRelease = last.actsOnRelease
      chain.passesThrough = chain.passesThrough || last.passesThrough
      chain.replaced = chain.replaced ?? last.replaced
    }
    return chain
  }

  /// Whether the tool acts on such a line, or would if the line were valid.
  func knowsLine(_ line: String) -> Bool {
    if !isX11 {
      if ["include", "ignore", "mode", "endmode"].contains(line.words.first) { return true }
      // a key of YAML; in sxhkd such a line may be the beginning of a chain
      if line.trimmed.last == ":" { return false }
    }
    // further words may be wrong; that is reported later
    let words = line.split { $0.isWhitespace || "+;:{},~@".contains($0) }
    // the first item of a group may be empty
    guard let first = words.first(where: { $0 != "_" }), line.first?.isWhitespace == false else {
      return false
    }
    return knows(String(first))
  }

  /// Whether `word` may be part of a hotkey, even of one that is not supported here.
  private func knows(_ word: String) -> Bool {
    // a single punctuation mark may be a key, but it also begins many other lines
    if word.count == 1 { return word.allSatisfy { $0.isLetter || $0.isNumber } }
    do throws(ChainNote) {
      if try modifier(word) != nil { return true }
    } catch {
      return true
    }
    var modifiers: ChordModifiers = []
    return word.hasPrefix("button") || (try? trigger(word, &modifiers)) != nil
  }

  // MARK: Chords

  /// A chain of one chord, or of one modifier to tap.
  private func chord(_ text: String) throws(ChainNote) -> Chain {
    var read = Chain(hotkeys: [])
    var modifiers: ChordModifiers = []
    var key: (word: String, trigger: Chord.Trigger)?
    for raw in Self.names(text) {
      var name = raw
      while let mark = name.first, mark == "~" || mark == "@", name.count > 1 {
        if mark == "~" { read.passesThrough = true } else { read.actsOnRelease = true }
        name.removeFirst()
      }
      if name.hasPrefix("!"), name.count > 1 {
        throw ChainNote(name, "motion of the pointer, which ! asks for, has no equivalent")
      }
      if isX11, name == "~" || name == "@" {
        throw ChainNote(raw, "sxhkd expects a key right after it, so it binds nothing")
      }
      if let found = try modifier(name) {
        modifiers.formUnion(found)
        continue
      }
      let found = try trigger(name, &modifiers)
      // sxhkd takes the last of several keys
      if let key, !isX11 {
        throw ChainNote(
          name, "a chord has one key besides its modifiers; \(key.word) is one already")
      }
      read.replaced = read.replaced ?? key?.word
      key = (name, found)
    }
    if let key, Self.tapped(key.trigger) == nil {
      let triggers = [key.trigger] + (isX11 ? Keysyms.others(key.word) : [])
      read.hotkeys = triggers.map { Hotkey(Chord(modifiers, $0)) }
      // without the modifier it would be another hotkey, or typing
      guard !modifiers.isSubset(of: read.hotkeys[0].chords[0].modifiers) else { return read }
      // a digit has the same key on nearly all layouts
      guard key.word.count == 1, Int(key.word) != nil, let digit = Keysyms.trigger(key.word) else {
        throw ChainNote(
          key.word,
          "with Shift or AltGr its key may have another character; leave --by-character out")
      }
      read.hotkeys[0] = Hotkey(Chord(modifiers, digit))
      return read
    }
    // `super + Super_L` names the same key twice
    let alone = TappedModifier.allCases.first { $0.modifiers == modifiers }
    guard let tap = key.flatMap({ Self.tapped($0.trigger) }) ?? alone,
      modifiers.isEmpty || alone != nil
    else { throw .modifiersAlone(text) }
    read.hotkeys = [Hotkey(tap: tap)]
    return read
  }

  static func tapped(_ trigger: Chord.Trigger) -> TappedModifier? {
    try? Hotkey("tap:\(Chord([], trigger).textToPress)").tapped
  }

  // MARK: Words

  private func modifier(_ name: String) throws(ChainNote) -> ChordModifiers? {
    switch isX11 ? name : name.lowercased() {
    case "super", "mod4": return .super
    case "ctrl", "control": return .control
    case "shift": return .shift
    case "alt", "mod1": return .alt
    case "mod5": return .altGr
    case "altgr" where !isX11: return .altGr
    // the modifiers that have these on most layouts
    case "meta" where isX11: return .alt
    case "hyper" where isX11: return .super
    case "mode_switch" where isX11: return .altGr
    case "any":
      throw ChainNote(
        name, "a hotkey's modifiers must be named; write one rule for each set of them that is used"
      )
    case "lock", "mod2", "mod3":
      throw ChainNote(name, "locks and mod3 are not modifiers of hotkeys here; leave the word out")
    case _: return nil
    }
  }

  /// - Parameter modifiers: gets the modifiers that the layout needs for a character.
  private func trigger(
    _ name: String, _ modifiers: inout ChordModifiers
  ) throws(ChainNote) -> Chord.Trigger {
    if name.hasPrefix("button"), Int(name.dropFirst(6)) != nil {
      guard let trigger = KeyNames.x11Button(String(name.dropFirst(6))) else {
        throw ChainNote(name, "X11 has buttons from 1 to 24")
      }
      return trigger
    }
    // X11 has words for punctuation; `_` in a group with blanks is not a key
    let found = isX11 ? name == "_" ? nil : sign(name, &modifiers) : Self.swhkdKey(name)
    guard let found else {
      if let note = range(name) { throw note }
      if !isX11, name.unicodeScalars.count == 1, let sign = Keysyms.character(name) {
        let chord = Chord(modifiers, .symbol(sign))
        throw ChainNote(name, "unknown key; for the key with this character write \(chord)")
      }
      let modifier = Spelling.nearest(to: name, among: ["super", "ctrl", "shift", "alt"]).first
      throw .unknownKey(name, similar: modifier ?? Keysyms.similar(to: name))
    }
    return found
  }

  /// What to write for a range of keys whose names are longer than a character, such as `F1-F3`.
  private func range(_ name: String) -> ChainNote? {
    let ends = name.split(separator: "-" as Character)
    guard ends.count == 2, ends.allSatisfy({ $0.count > 1 && knows(String($0)) }),
      ends[0].filter(\.isLetter) == ends[1].filter(\.isLetter), let first = ends[0].last,
      let last = ends[1].last
    else { return nil }
    let start = ends[0].dropLast()
    return ChainNote(
      name,
      "a range has single characters; "
        + (start == ends[1].dropLast() && first.isNumber && first < last
          ? "write \(start){\(first)-\(last)}" : "write each of the keys"))
  }

  private func sign(_ name: String, _ modifiers: inout ChordModifiers) -> Chord.Trigger? {
    // the layout may have the character by itself on another key
    if let character = Keysyms.dead(name) { return .symbol(character) }
    let written = Keysyms.written(name)
    // with a character Shift would not count
    if written == " " { return .key(.space) }
    let character = written.map(Keysyms.lowercased)
    let own = written.flatMap { places?($0) }
    let place = own ?? character.flatMap { places?($0) }
    // `A` means Shift and the key, unless the layout has a place for it, as Turkish has for `I`
    let isCapital = own == nil && written != character
    // sxhkd ignores Num Lock: without it the keypad has digits with Shift
    let isOnKeypad =
      name.hasPrefix("KP_") && (Int(name.dropFirst(3)) != nil || name == "KP_Decimal")
    let isShifted = isOnKeypad || name == "ISO_Left_Tab" || place?.needsShift ?? false
    if isCapital || isShifted { modifiers.formUnion(.shift) }
    return place.map { .key($0.key) } ?? character.map { .symbol($0) } ?? Keysyms.trigger(name)
  }

  private static func swhkdKey(_ name: String) -> Chord.Trigger? {
    let word = name.lowercased()
    let known = Keysyms.trigger(word: swhkdWords[word] ?? word)
    let found = known ?? media.first { $0.lowercased() == word }.flatMap { Keysyms.trigger($0) }
    if case .key? = found { return found }
    return nil
  }

  /// Words of swhkd that are neither the kernel's nor X11's.
  private static let swhkdWords = [
    "plus": "kpplus", "page_up": "pageup", "page_down": "pagedown", ";": "semicolon",
    "'": "apostrophe", "leftsuper": "leftmeta", "rightsuper": "rightmeta",
    // swhkd has these two swapped
    "prior": "pagedown", "next": "pageup", "caps_lock": "capslock", "scroll_lock": "scrolllock",
    "print": "sysrq",
    "escape": "esc", "return": "enter", "num_lock": "numlock",
    // X11 uses this name for another key
    "xf86audiomicmute": "micmute",
  ]

  private static let media = Keysyms.table.words.compactMap {
    $0.split(separator: ":" as Character).first.map(String.init)
  }

  // MARK: Cutting

  /// A chain's chords, and whether a `:` precedes each. As in sxhkd, several separators count as
  /// one, and those at the beginning and end are ignored.
  private static func cut(_ text: String) -> [(text: String, isLocked: Bool)] {
    let all = text.pieces { $0 == ";" || $0 == ":" }
    var pieces: [(text: String, isLocked: Bool)] = []
    var isLocked = false
    for (index, piece) in all.enumerated() {
      isLocked = isLocked || (piece.separator == ":" && !pieces.isEmpty)
      // `super + ;` is not Super alone
      let isOpen = index == all.count - 1 && pieces.last?.text.trimmed.last == "+"
      if piece.text.isEmpty, !isOpen { continue }
      pieces.append((piece.text, isLocked))
      isLocked = false
    }
    return pieces
  }

  private static func names(_ text: String) -> [String] {
    text.pieces(unescaped: true) { $0 == "+" || $0.isWhitespace }.map(\.text).filter { !$0.isEmpty }
  }
}

extension String {
  /// The text between separators that no backslash escapes, each with the separator before it.
  fileprivate func pieces(
    unescaped: Bool = false, _ isSeparator: (Character) -> Bool
  ) -> [(separator: Character?, text: String)] {
    var pieces: [(separator: Character?, text: String)] = [(nil, "")]
    var escaped = false
    for character in self {
      if !escaped, isSeparator(character) {
        pieces.append((character, ""))
      } else if escaped || character != "\\" || !unescaped {
        pieces[pieces.count - 1].text.append(character)
      }
      escaped = !escaped && character == "\\"
    }
    // a final backslash escapes nothing: it is the key
    if escaped, unescaped { pieces[pieces.count - 1].text.append("\\") }
    return pieces
  }
}
