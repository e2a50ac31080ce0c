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

  /// Whether a line only releases keys and buttons.
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
    var isValue = false
    for word in words {
      if isValue {
        isValue = false
      } else if acts[word] != nil {
        command = word
      } else if word == "--delay" {
        isValue = true
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
    let pauses: Set<String> = ["-d", "-s"]
    var option: String?
    for word in words {
      if option == nil, acts[word] != nil || pauses.contains(word) {
        option = word
        continue
      }
      // without an option, wtype types a text
      let act = option.map { acts[$0] } ?? (word.count == 1 ? .press : nil)
      let isPause = option.map(pauses.contains) ?? false
      guard isPause || act.map({ take($0, word, KeyNames.x11ToPress) }) ?? false else {
        return false
      }
      option = nil
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
