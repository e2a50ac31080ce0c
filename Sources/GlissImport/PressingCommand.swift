import GlissConfiguration
import GlissEvents
import GlissHotkeys

/// Commands of xdotool, ydotool and wtype that only press keys or click. They are converted because
/// xdotool reaches no window on Wayland, and Gliss can press keys itself.
enum PressingCommand {
  /// The chords that the commands of a line press; `nil` if the line does anything else.
  static func chords(in line: String) -> [Chord]? {
    guard let presses = presses(in: line), presses.left.isEmpty, !presses.chords.isEmpty else {
      return nil
    }
    return presses.chords
  }

  /// What a line presses and leaves down; `nil` if it does anything else, or leaves nothing down.
  static func hold(in line: String) -> (held: Chord, pressed: [Chord])? {
    guard let presses = presses(in: line), let held = Chord.joined(presses.left) else { return nil }
    return (held, presses.chords.filter { !presses.left.contains($0) })
  }

  static func isRelease(_ line: String) -> Bool {
    presses(in: line).map { $0.chords.isEmpty && $0.left.isEmpty && $0.hasReleased } ?? false
  }

  /// Whether a line moves the pointer by fusuma's variables.
  static func isMotion(_ line: String) -> Bool {
    let words = line.split { $0.isWhitespace || $0 == "," }.map(String.init)
    return words.count > 2 && ["xdotool", "ydotool", "wlrctl"].contains(program(words[0]))
      && words[1...].contains { $0.hasPrefix("mousemove") || $0 == "move" }
      && words.contains("$move_x") && words.contains("$move_y")
  }

  private static func presses(in line: String) -> Presses? {
    // a shell would expand or redirect these
    guard !line.contains(where: { "$`|<>()*?#\n".contains($0) }) else { return nil }
    let spaced = line.reduce(into: "") { $0 += $1 == ";" ? " ; " : "\($1)" }
    guard let words = ShellWords.split(spaced),
      words.allSatisfy({ !$0.contains("&") || separators.contains($0) })
    else { return nil }
    var presses = Presses()
    for part in words.split(whereSeparator: separators.contains) {
      guard presses.take(Array(part)) else { return nil }
    }
    return presses.chords.allSatisfy { $0.obstacle == nil } ? presses : nil
  }

  private static let separators: Set<String> = ["&&", "&", ";"]

  /// Whether a line runs xdotool, which has no effect on Wayland.
  static func isOfX11(_ line: String) -> Bool {
    line.split { $0.isWhitespace || ";&|()".contains($0) }.contains {
      program(String($0)) == "xdotool"
    }
  }

  fileprivate static func program(_ word: String) -> String {
    word.split(separator: "/" as Character).last.map(String.init) ?? word
  }
}

/// The chords so far, and the keys and buttons that are down.
private struct Presses {
  var chords: [Chord] = []
  private var held: ChordModifiers = []
  /// What is down, each as a chord of its own.
  private(set) var left: [Chord] = []
  private(set) var hasReleased = false
  /// A modifier that went down and has had no key yet.
  private var alone: Chord?

  private enum Act { case press, hold, letGo }

  /// Returns `false` if the command does anything else.
  mutating func take(_ words: [String]) -> Bool {
    guard let first = words.first else { return true }
    return switch PressingCommand.program(first) {
    case "xdotool": xdotool(words.dropFirst())
    case "ydotool": ydotool(words.dropFirst())
    case "wtype": wtype(words.dropFirst())
    case _: false
    }
  }

  private mutating func xdotool(_ words: ArraySlice<String>) -> Bool {
    let acts: [String: Act] = [
      "key": .press, "keydown": .hold, "keyup": .letGo,
      "click": .press, "mousedown": .hold, "mouseup": .letGo,
    ]
    var command = ""
    var rest = words
    while let word = rest.popFirst() {
      if acts[word] != nil {
        command = word
      } else if word == "--delay" {
        _ = rest.popFirst()
      } else if word != "--clearmodifiers" {
        let names = command.hasPrefix("key") ? KeyNames.x11ToPress : KeyNames.x11Button
        guard let act = acts[command], take(act, word, names) else { return false }
      }
    }
    return true
  }

  /// Both of ydotool's forms: `ctrl+c`, and the kernel's numbers as in `29:1 46:1 46:0 29:0`.
  private mutating func ydotool(_ words: ArraySlice<String>) -> Bool {
    guard words.first == "key" else { return false }
    return words.dropFirst().allSatisfy { word in
      let parts = word.split(separator: ":" as Character)
      guard parts.count == 2, let code = UInt16(parts[0]) else {
        return take(.press, word, KeyNames.kernel)
      }
      return take(parts[1] == "1" ? .hold : .letGo, word) { _ in .key(Key(rawValue: code)) }
    }
  }

  private mutating func wtype(_ words: ArraySlice<String>) -> Bool {
    let acts: [String: Act] = ["-M": .hold, "-P": .hold, "-m": .letGo, "-p": .letGo, "-k": .press]
    var rest = words
    while let word = rest.popFirst() {
      if word == "-d" || word == "-s" {
        _ = rest.popFirst()
      } else if let act = acts[word] {
        if let name = rest.popFirst(), !take(act, name, KeyNames.x11ToPress) { return false }
      } else {
        // without an option, wtype types a text
        guard word.count == 1, take(.press, word, KeyNames.x11ToPress) else { return false }
      }
    }
    return true
  }

  /// Presses, holds or releases the keys that are separated by plus signs.
  private mutating func take(
    _ act: Act, _ text: String, _ names: (String) -> Chord.Trigger?
  ) -> Bool {
    let words = text.split(separator: "+" as Character).map(String.init)
    let triggers = words.compactMap(names)
    guard triggers.count == words.count else { return false }
    switch act {
    case .press:
      guard let chord = Chord(of: triggers), let last = words.last else { return false }
      let modifiers = chord.modifiers.union(held)
      chords.append(
        Chord(Keysyms.isShifted(last) ? modifiers.union(.shift) : modifiers, chord.trigger))
      alone = nil
    case .hold:
      for trigger in triggers {
        alone = nil
        if let modifier = trigger.modifier {
          alone = Chord(held, trigger)
          left.append(Chord([], trigger))
          held.formUnion(modifier)
        } else {
          chords.append(Chord(held, trigger))
          left.append(Chord(held, trigger))
        }
      }
    case .letGo:
      for trigger in triggers {
        guard case .key = trigger else { return false }
        hasReleased = true
        left.removeAll { $0.trigger == trigger }
        guard let modifier = trigger.modifier else { continue }
        if let alone { chords.append(alone) }
        alone = nil
        held.subtract(modifier)
      }
    }
    return true
  }
}

enum KeyNames {
  /// The kernel's names, with or without `KEY_`, and the modifiers without a side.
  static func kernel(_ name: String) -> Chord.Trigger? {
    let word = name.trimmed.lowercased()
    let bare = word.hasPrefix("key_") ? String(word.dropFirst(4)) : word
    let short = [
      "ctrl": "leftctrl", "alt": "leftalt", "shift": "leftshift", "meta": "leftmeta",
      "super": "leftmeta",
    ]
    return Keysyms.trigger(word: short[bare] ?? bare)
  }

  /// X11's names, and the modifiers without a side.
  static func x11ToPress(_ name: String) -> Chord.Trigger? {
    let short = [
      "alt": "leftalt", "ctrl": "leftctrl", "control": "leftctrl", "shift": "leftshift",
      "super": "leftmeta", "meta": "leftalt", "win": "leftmeta", "logo": "leftmeta",
      "altgr": "rightalt",
    ]
    return short[name.lowercased()].flatMap { Keysyms.trigger(word: $0) }
      ?? Keysyms.triggerToPress(name)
  }

  /// X11's buttons by number. The wheel's four directions are buttons, too.
  static func x11Button(_ number: String) -> Chord.Trigger? {
    guard let number = Int(number) else { return nil }
    switch number {
    case 1...3: return .key([Key.leftButton, .middleButton, .rightButton][number - 1])
    case 4...7: return .wheel([WheelDirection.up, .down, .left, .right][number - 4])
    // the side buttons and any further ones
    case 8...24: return .key(Key(rawValue: 0x113 + UInt16(number) - 8))
    case _: return nil
    }
  }
}

extension Chord.Trigger {
  /// The modifier that this key is, on either side; `nil` for others.
  var modifier: ChordModifiers? {
    switch self {
    case .key(.leftShift), .key(.rightShift): .shift
    case .key(.leftControl), .key(.rightControl): .control
    case .key(.leftSuper), .key(.rightSuper): .super
    case .key(.leftAlt): .alt
    case .key(.rightAlt): .altGr
    case .key, .symbol, .wheel: nil
    }
  }
}

extension Chord {
  /// A chord of the last key, with those before it held; `nil` if one of them is not a modifier.
  init?(of triggers: [Trigger]) {
    guard let last = triggers.last else { return nil }
    let held = triggers.dropLast().compactMap(\.modifier)
    guard held.count == triggers.count - 1 else { return nil }
    self.init(held.reduce([]) { $0.union($1) }, last)
  }

  /// One chord that holds all of them; `nil` for none, or for several keys besides modifiers.
  static func joined(_ chords: [Chord]) -> Chord? {
    let keys = chords.filter { $0.trigger.modifier == nil }
    guard keys.count <= 1, let main = keys.first ?? chords.last else { return nil }
    let others = chords.filter { $0.trigger != main.trigger }
    return Chord(
      others.reduce(main.modifiers) { $0.union($1.modifiers).union($1.trigger.modifier ?? []) },
      main.trigger)
  }
}

/// Splits text into words like a POSIX shell, for tools that run commands without one.
enum ShellWords {
  /// The words; `nil` if a quote is not closed.
  static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var escaped = false
    for character in text {
      if escaped {
        escaped = false
        if quote == "\"", character != "\"", character != "\\" { word?.append("\\") }
        word?.append(character)
        continue
      }
      switch (character, quote) {
      case ("\\", nil), ("\\", "\""): (escaped, word) = (true, word ?? "")
      case (let mark, let open?) where mark == open: quote = nil
      case ("\"", nil), ("'", nil): (quote, word) = (character, word ?? "")
      case (_, nil) where character.isWhitespace:
        if let word { words.append(word) }
        word = nil
      case _:
        if word == nil { word = "" }
        word?.append(character)
      }
    }
    return quote != nil || escaped ? nil : words + [word].compactMap { $0 }
  }

  /// A word quoted so that a shell expands only the home folder and variables.
  static func quotedButForVariables(_ word: String) -> String {
    var rest = Substring(word)
    var result = ""
    // the slash of ~/ or ~name/ must not be quoted
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    if rest.first == "~", rest[..<end].unicodeScalars.dropFirst().allSatisfy(\.isOfName) {
      rest = rest[end...].drop { $0 == "/" }
      result += word[..<rest.startIndex]
    }
    if rest.isEmpty || String(rest).quotedForShell == rest { return result + rest }
    let escaped = rest.map { "\"\\`".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    // expand variables, but run no commands
    return result + "\"" + escaped.replacing("$(", with: "\\$(") + "\""
  }
}
