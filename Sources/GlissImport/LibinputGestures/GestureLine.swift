import GlissConfiguration
import GlissEvents
import GlissHotkeys

/// A `gesture` line.
struct GestureLine {
  enum Motion: Hashable {
    case swipe(Direction)
    case pinch(GestureCondition.Sense)
    case hold(milliseconds: Double)

    /// The finger counts that can make it.
    var possibleFingers: ClosedRange<Int> {
      switch self {
      case .swipe: 3...5
      case .pinch: 2...5
      case .hold: 1...5
      }
    }
  }

  let source: ImportedText
  let number: Int
  let motion: Motion
  let fingers: Int?
  let actions: [Action]
  /// Why the rule is only proposed.
  let proposal: String?

  var place: Place { source.place(of: "", line: number) }
  var text: String { source.line(number).trimmed }

  /// `nil` if the line cannot become a rule. A remark says why.
  init?(_ text: String, _ source: ImportedText, _ number: Int, _ file: inout ImportedFile) {
    let place = source.place(of: "", line: number)
    func lose(_ word: String, _ why: String) {
      file.lose(word, why, at: source.place(of: word, line: number))
    }
    let (kind, afterKind) = text.cutAtBlank
    let (motionWord, afterMotion) = afterKind.cutAtBlank
    guard !afterMotion.isEmpty else {
      lose(text.isEmpty ? "gesture" : text, "a gesture, a motion and a command were expected")
      return nil
    }
    guard let motion = Self.motion(kind.lowercased(), motionWord.lowercased()) else {
      lose("\(kind) \(motionWord)", "no such gesture is known")
      return nil
    }
    var (first, command) = afterMotion.cutAtBlank
    var fingers: Int?
    if first.utf8.count == 1, let digit = Int(first) {
      fingers = digit
    } else {
      command = afterMotion
    }
    first = ""
    if let fingers, !motion.possibleFingers.contains(fingers) {
      lose("\(fingers)", "\(kind) has \(motion.possibleFingers.lowerBound) to 5 fingers")
      return nil
    }
    guard let arguments = ShellWords.split(command), let program = arguments.first,
      !program.isEmpty
    else {
      lose(command.isEmpty ? text : command, "no command, or a quote without its end")
      return nil
    }
    let isTimed = motionWord.contains { ("1"..."9").contains($0) }
    if case .hold(milliseconds: 0) = motion, isTimed {
      file.note(motionWord, "taken for on: times are whole milliseconds here", at: place)
    }
    self.source = source
    self.number = number
    self.motion = motion
    self.fingers = fingers
    if program == "_internal" || program == "_drag" {
      let keys = program == "_drag" ? nil : Self.workspaceKeys(arguments)
      file.lose(
        command,
        "\(program) is of libinput-gestures itself; "
          + Self.advice(program, arguments, isProposed: keys != nil),
        at: source.place(of: program, line: number))
      guard let keys else { return nil }
      actions = [Action(.keys([keys]), place: place)]
      proposal = "Instead of \(program), with GNOME's keys:"
    } else {
      actions = [Action(.run(Command(Self.program(arguments))), place: place)]
      proposal = nil
    }
  }

  private static func motion(_ kind: String, _ word: String) -> Motion? {
    switch kind {
    case "swipe": return directions[word].map { .swipe($0) }
    case "pinch":
      switch word {
      case "in": return .pinch(.inward)
      case "out": return .pinch(.outward)
      case "clockwise": return .pinch(.clockwise)
      case "anticlockwise": return .pinch(.counterclockwise)
      case _: return nil
      }
    case "hold":
      if word == "on" { return .hold(milliseconds: 0) }
      guard word.hasPrefix("on+"), let seconds = Double(word.dropFirst(3)),
        seconds >= 0, seconds < 3600
      else { return nil }
      return .hold(milliseconds: (seconds * 1000).rounded())
    case _: return nil
    }
  }

  private static let directions: [String: Direction] = [
    "left": .left, "right": .right, "up": .up, "down": .down, "left_up": .upLeft,
    "left_down": .downLeft, "right_up": .upRight, "right_down": .downRight,
  ]

  /// `~` and variables are expanded in the program's name only, which requires a shell.
  private static func program(_ arguments: [String]) -> Command.Program {
    guard let program = arguments.first, program.first == "~" || program.contains("$") else {
      return .arguments(arguments)
    }
    let rest = arguments.dropFirst().map { " " + ShellWords.quoted($0) }.joined()
    return .shell("exec \(ShellWords.quotedButForVariables(program))\(rest)")
  }

  /// What to do instead of using a command of libinput-gestures itself.
  private static func advice(
    _ program: String, _ arguments: [String], isProposed: Bool
  ) -> String {
    if program == "_drag" {
      return "a drag of three fingers is best turned on in the desktop's settings"
    }
    if isProposed {
      return
        "the commented rule presses GNOME's keys for it. KDE has ctrl+super and arrows, sway 'swaymsg workspace next'"
    }
    let isOblique = ["ws_left_up", "ws_left_down", "ws_right_up", "ws_right_down"]
      .contains(arguments.last ?? "")
    return isOblique
      ? "no keys go to the workspace that is aslant; 'wmctrl -s NUMBER' goes to one by its number, under X11"
      : "it takes ws_up, ws_down, ws_left or ws_right, or two of these as in ws_left_up"
  }

  /// GNOME's keys for the workspace that is meant.
  private static func workspaceKeys(_ arguments: [String]) -> Chord? {
    let text: String? =
      switch arguments.last ?? "" {
      case "ws_up", "ws_left": "super+pagedown"
      case "ws_down", "ws_right": "super+pageup"
      case _: nil
      }
    guard let text, let hotkey = try? Hotkey(text) else { return nil }
    return hotkey.chords.first
  }

  // MARK: The rule

  /// Whether the later of the two lines overrides the earlier.
  func hasSameKey(as other: GestureLine) -> Bool {
    motion == other.motion && fingers == other.fingers
  }

  func rule(
    fingers: Int, _ settings: GestureLineSettings, among lines: [GestureLine]
  ) -> Rule {
    var condition: GestureCondition
    switch motion {
    case .swipe(let direction):
      condition = GestureCondition(
        kind: .swipe, fingers: fingers...fingers, sense: .towards(direction),
        travel: settings.travel)
    case .pinch(let sense):
      let isTurn = sense == .clockwise || sense == .counterclockwise
      condition = GestureCondition(
        kind: isTurn ? .rotate : .pinch, fingers: fingers...fingers, sense: sense)
    case .hold(let milliseconds):
      let next = lines.compactMap { $0.longerHold(than: milliseconds, fingers: fingers) }.min()
      condition = GestureCondition(kind: .hold, fingers: fingers...fingers)
      if milliseconds > 0 || next != nil {
        condition.duration = Bounds(from: milliseconds > 0 ? milliseconds : nil, to: next)
      }
    }
    return Rule(
      trigger: .gesture(condition), device: settings.device, reactions: Reactions(end: actions),
      place: place)
  }

  /// The duration of this line's hold, if it takes over from a hold of `milliseconds` with the same
  /// fingers.
  private func longerHold(than milliseconds: Double, fingers: Int) -> Double? {
    guard case .hold(let own) = motion, own > milliseconds else { return nil }
    if let number = self.fingers, number != fingers { return nil }
    return own
  }
}

extension String {
  /// The text before the first blanks, and the text after them.
  var cutAtBlank: (String, String) {
    guard let blank = firstIndex(where: \.isWhitespace) else { return (self, "") }
    return (String(self[..<blank]), String(self[blank...]).trimmed)
  }
}
