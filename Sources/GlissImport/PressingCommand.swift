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
struct Presses {
  var chords: [Chord] = []
  private var held: ChordModifiers = []
  /// What is down, each as a chord of its own.
  private(set) var left: [Chord] = []
  private(set) var hasReleased = false
  /// A modifier that went down and has had no key yet.
  private(set) var alone: Chord?

  enum Act { case press, hold, letGo }

  /// What each tool's words do, and the options before a number that is no key.
  private static let tools: [String: (acts: [String: Act], delays: [String])] = [
    "xdotool": (
      [
        "key": .press, "keydown": .hold, "keyup": .letGo,
        "click": .press, "mousedown": .hold, "mouseup": .letGo,
      ], ["--delay"]
    ),
    "wtype": (["-M": .hold, "-P": .hold, "-m": .letGo, "-p": .letGo, "-k": .press], ["-d", "-s"]),
    "ydotool": (["key": .press], []),
  ]

  /// Returns `false` if the command does anything else.
  mutating func take(_ words: [String]) -> Bool {
    guard let first = words.first else { return true }
    let name = PressingCommand.program(first)
    guard let tool = Self.tools[name] else { return false }
    var command = ""
    var rest = words.dropFirst()
    while let word = rest.popFirst() {
      if tool.acts[word] != nil {
        command = word
      } else if tool.delays.contains(word) {
        _ = rest.popFirst()
      } else if name != "xdotool" || word != "--clearmodifiers" {
        // without an option, wtype types a text
        let typed: Act? = name == "wtype" && word.count == 1 ? .press : nil
        guard let act = tool.acts[command] ?? typed, take(act, word, of: name, command) else {
          return false
        }
        if name == "wtype" { command = "" }
      }
    }
    return true
  }

  /// Takes a word with the names of its tool. ydotool also has the kernel's numbers, as in
  /// `29:1 46:1 46:0 29:0`.
  private mutating func take(
    _ act: Act, _ word: String, of tool: String, _ command: String
  ) -> Bool {
    guard tool == "ydotool" else {
      let isButton = tool == "xdotool" && !command.hasPrefix("key")
      return take(act, word, isButton ? KeyNames.x11Button : KeyNames.x11ToPress)
    }
    let parts = word.split(separator: ":" as Character)
    guard parts.count == 2, let code = UInt16(parts[0]) else {
      return take(act, word, KeyNames.kernel)
    }
    return take(parts[1] == "1" ? .hold : .letGo, word) { _ in .key(Key(rawValue: code)) }
  }

  /// Presses, holds or releases the keys that are separated by plus signs.
  mutating func take(
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
        if case .wheel = trigger { return false }
        alone = nil
        if let modifier = trigger.modifier {
          alone = Chord(held.subtracting(modifier), trigger)
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
    // the slash of ~/ or ~name/ must not be quoted
    let name = word.prefix { $0 != "/" }
    let hasHome = name.first == "~" && name.unicodeScalars.dropFirst().allSatisfy(\.isOfName)
    let rest = hasHome ? word[name.endIndex...].drop { $0 == "/" } : word[...]
    if rest.isEmpty || String(rest).quotedForShell == rest { return word }
    let escaped = rest.map { "\"\\`".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    // expand variables, but run no commands
    return "\(word[..<rest.startIndex])\"" + escaped.replacing("$(", with: "\\$(") + "\""
  }
}
