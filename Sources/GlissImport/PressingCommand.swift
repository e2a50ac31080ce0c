import GlissConfiguration
import GlissEvents
import GlissHotkeys

/// Commands of xdotool, ydotool and wtype that only press keys or click. xdotool reaches no window
/// on Wayland, and Gliss presses keys itself.
enum PressingCommand {
  /// What a line of shell does, as an action of ours if it only presses keys.
  static func verb(of line: String) -> Action.Verb {
    chords(in: line).map { .keys($0) } ?? .run(Command(.shell(line)))
  }

  /// The chords that the commands of a line press; `nil` if it does anything else.
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

  /// Whether a line only releases keys and buttons.
  static func isRelease(_ line: String) -> Bool {
    presses(in: line).map { $0.chords.isEmpty && $0.left.isEmpty && $0.hasReleased } ?? false
  }

  /// Whether a line moves the pointer as fusuma's variables say.
  static func isMotion(_ line: String) -> Bool {
    let words = line.split { $0.isWhitespace || $0 == "," }.map(String.init)
    return words.count > 2 && ["xdotool", "ydotool", "wlrctl"].contains(program(words[0]))
      && words[1...].contains { $0.hasPrefix("mousemove") || $0 == "move" }
      && words.contains("$move_x") && words.contains("$move_y")
  }

  private static func presses(in line: String) -> Presses? {
    // a shell would expand or redirect something
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

  /// Whether a line runs xdotool, so that it has no effect on Wayland.
  static func isOfX11(_ line: String) -> Bool {
    line.split { $0.isWhitespace || ";&|()".contains($0) }.contains {
      program(String($0)) == "xdotool"
    }
  }

  fileprivate static func program(_ word: String) -> String {
    word.split(separator: "/" as Character).last.map(String.init) ?? word
  }
}

extension Chord {
  /// One chord that holds all of them; `nil` if there are none, or several keys beside modifiers.
  static func joined(_ chords: [Chord]) -> Chord? {
    guard var all = chords.first else { return nil }
    for next in chords.dropFirst() {
      func modifier(_ chord: Chord) -> ChordModifiers? {
        if case .key(let key) = chord.trigger { ChordModifiers(of: key) } else { nil }
      }
      if let own = modifier(all) {
        all = Chord(all.modifiers.union(own).union(next.modifiers), next.trigger)
      } else if let own = modifier(next) {
        all = Chord(all.modifiers.union(own).union(next.modifiers), all.trigger)
      } else {
        return nil
      }
    }
    return all
  }
}

/// The chords so far, and the modifiers that are down.
private struct Presses {
  var chords: [Chord] = []
  private var held: ChordModifiers = []
  /// What is down, each as a chord of its own.
  private(set) var left: [Chord] = []
  private(set) var hasReleased = false
  /// A modifier that went down and has had no key yet.
  private var alone: Chord?

  /// Returns `false` if the command does anything else.
  mutating func take(_ words: [String]) -> Bool {
    guard let first = words.first else { return true }
    let arguments = Array(words.dropFirst())
    return switch PressingCommand.program(first) {
    case "xdotool": xdotool(arguments)
    case "ydotool": ydotool(arguments)
    case "wtype": wtype(arguments)
    case _: false
    }
  }

  private mutating func xdotool(_ words: [String]) -> Bool {
    var command = ""
    var isValue = false
    for word in words {
      if isValue {
        isValue = false
        continue
      }
      switch (word, command) {
      case ("key", _), ("keydown", _), ("keyup", _), ("click", _), ("mousedown", _), ("mouseup", _):
        command = word
      case ("--clearmodifiers", _): break
      case ("--delay", _): isValue = true
      case (_, "key"): if !press(word, Self.xNames) { return false }
      case (_, "keydown"): if !hold(word, Self.xNames) { return false }
      case (_, "keyup"): if !letGo(word, Self.xNames) { return false }
      case (_, "click"): if !press(word, Self.xButtons) { return false }
      case (_, "mousedown"): if !hold(word, Self.xButtons) { return false }
      case (_, "mouseup"): if !letGo(word, Self.xButtons) { return false }
      case _: return false
      }
    }
    return true
  }

  /// Both of ydotool's forms: `ctrl+c`, and the kernel's numbers as in `29:1 46:1 46:0 29:0`.
  private mutating func ydotool(_ words: [String]) -> Bool {
    guard words.first == "key" else { return false }
    for word in words.dropFirst() {
      let parts = word.split(separator: ":" as Character)
      if parts.count == 2, let code = UInt16(parts[0]) {
        let name = "code:\(code)"
        let find = { (_: String) in Chord.Trigger?.some(.key(Key(rawValue: code))) }
        guard parts[1] == "1" ? hold(name, find) : letGo(name, find) else { return false }
      } else if !press(word, Self.kernelNames) {
        return false
      }
    }
    return true
  }

  private mutating func wtype(_ words: [String]) -> Bool {
    var option = ""
    for word in words {
      switch (option, word) {
      case ("", "-M"), ("", "-m"), ("", "-P"), ("", "-p"), ("", "-k"), ("", "-d"), ("", "-s"):
        option = word
        continue
      case ("-M", _), ("-P", _): if !hold(word, Self.xNames) { return false }
      case ("-m", _), ("-p", _): if !letGo(word, Self.xNames) { return false }
      case ("-k", _): if !press(word, Self.xNames) { return false }
      case ("-d", _), ("-s", _): break
      case _: if word.count != 1 || !press(word, Self.xNames) { return false }
      }
      option = ""
    }
    return true
  }

  // MARK: Keys

  private typealias Names = (String) -> Chord.Trigger?

  /// Presses and releases keys between plus signs.
  private mutating func press(_ text: String, _ names: Names) -> Bool {
    var modifiers = held
    var last: Chord?
    for word in text.split(separator: "+" as Character).map(String.init) {
      guard let trigger = names(word) else { return false }
      if let last, case .key(let key) = last.trigger {
        // only modifiers come before another key
        guard let modifier = ChordModifiers(of: key) else { return false }
        modifiers.formUnion(modifier)
      }
      let needsShift = Keysyms.isShifted(word)
      last = Chord(needsShift ? modifiers.union(.shift) : modifiers, trigger)
    }
    guard let last else { return false }
    alone = nil
    chords.append(last)
    return true
  }

  private mutating func hold(_ word: String, _ names: Names) -> Bool {
    for word in word.split(separator: "+" as Character).map(String.init) {
      guard let trigger = names(word) else { return false }
      let chord = Chord(held, trigger)
      guard case .key(let key) = trigger, let modifier = ChordModifiers(of: key) else {
        alone = nil
        chords.append(chord)
        left.append(chord)
        continue
      }
      alone = chord
      left.append(Chord([], trigger))
      held.formUnion(modifier)
    }
    return true
  }

  private mutating func letGo(_ word: String, _ names: Names) -> Bool {
    for word in word.split(separator: "+" as Character).map(String.init) {
      guard case .key(let key)? = names(word) else { return false }
      hasReleased = true
      left.removeAll { $0.trigger == .key(key) }
      guard let modifier = ChordModifiers(of: key) else { continue }
      if let alone { chords.append(alone) }
      alone = nil
      held.subtract(modifier)
    }
    return true
  }

  private static func xNames(_ word: String) -> Chord.Trigger? {
    let modifiers = [
      "alt": "leftalt", "ctrl": "leftctrl", "control": "leftctrl", "shift": "leftshift",
      "super": "leftmeta", "meta": "leftalt", "win": "leftmeta", "logo": "leftmeta",
      "altgr": "rightalt",
    ]
    return modifiers[word.lowercased()].flatMap { Keysyms.trigger(word: $0) }
      ?? Keysyms.triggerToPress(word)
  }

  private static func xButtons(_ word: String) -> Chord.Trigger? {
    Int(word).flatMap(ChainReader.button)
  }

  private static func kernelNames(_ word: String) -> Chord.Trigger? {
    guard let keys = try? FusumaKeys.chord(word) else { return nil }
    return keys.trigger
  }
}
