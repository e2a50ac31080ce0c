import GlissConfiguration
import GlissEvents
import GlissHotkeys

struct LibinputGesturesImporter {
  private let source: ImportedText
  private var file: ImportedFile
  private var gestures: [Gesture] = []
  /// The lines that apply to all gestures. The first device line counts, and the last threshold.
  private var device: (match: DeviceMatch, line: Int)?
  private var threshold: (travel: Bounds?, line: Int)?

  private struct Gesture {
    /// As written, with a hold's minimum duration. The last of several equal ones counts.
    var condition: GestureCondition
    var line: Int
    var action: Action
  }

  static func imported(_ source: ImportedText) -> ImportedFile {
    var importer = LibinputGesturesImporter(
      source: source, file: ImportedFile(tool: .libinputGestures, name: source.name))
    for number in 1...source.lineCount { importer.read(number) }
    importer.add()
    return importer.file
  }

  static func knows(_ line: String) -> Bool {
    ["gesture", "device", "swipe_threshold", "timeout"].contains(bare(line.words.first ?? ""))
  }

  /// The first word of a line, without its optional colon.
  private static func bare(_ word: String) -> String {
    word.last == ":" ? String(word.dropLast()) : word
  }

  // MARK: Lines

  private mutating func read(_ number: Int) {
    let text = source.line(number).trimmed
    guard !text.isEmpty, text.first != "#" else { return }
    let (word, rest) = text.cutAtBlank
    switch Self.bare(word) {
    case "gesture": gesture(rest, number)
    case "device":
      if let device {
        lose(text, "line \(device.line) has a device, and the first counts", number)
      } else if rest.isEmpty {
        lose(text, "the name of a device was expected", number)
      } else if rest.first == "/" {
        device = (DeviceMatch(kind: .touchpad), number)
        lose(text, "device: names devices by name, id or kind; 'gliss devices' lists them", number)
      } else {
        // libinput reports only touchpads' gestures
        let isAny = rest.lowercased() == "all"
        device = (isAny ? DeviceMatch(kind: .touchpad) : DeviceMatch(name: rest), number)
        if rest.first == "\"" || rest.first == "'" {
          lose(text, "the quotes belong to the name, so it fits no device: leave them out", number)
        }
      }
    case "swipe_threshold":
      guard let dots = Double(rest), dots >= 0, dots < 1_000_000 else {
        lose(text, "a number of dots was expected", number)
        return
      }
      if let threshold {
        lose(
          "swipe_threshold", "line \(number) has it again, and the last one counts", threshold.line)
      }
      // a dot is that of a 1000 dpi mouse
      let length = Measure.length.range.nearest(to: (dots * 0.254).rounded() / 10)
      threshold = (dots > 0 ? Bounds(from: length) : nil, number)
    case "timeout":
      lose(text, "a gesture may take any time; speed: separates quick ones from slow ones", number)
    case _: lose(text, "unknown keyword", number)
    }
  }

  private mutating func lose(_ what: String, _ why: String, _ line: Int) {
    file.lose(what, why, at: source.place(of: what, line: line))
  }

  private mutating func gesture(_ text: String, _ line: Int) {
    let (kind, afterKind) = text.cutAtBlank
    let (word, afterMotion) = afterKind.cutAtBlank
    guard !afterMotion.isEmpty else {
      return lose(
        text.isEmpty ? "gesture" : text, "a gesture, a motion and a command were expected", line)
    }
    guard var condition = Self.condition(kind.lowercased(), word.lowercased()) else {
      return lose("\(kind) \(word)", "unknown gesture", line)
    }
    var (first, command) = afterMotion.cutAtBlank
    let fingers = first.utf8.count == 1 ? Int(first) : nil
    if fingers == nil { command = afterMotion }
    let range = condition.kind.fingerRange
    if let fingers, !range.contains(fingers) {
      return lose(first, "\(kind) has \(range.lowerBound) to 5 fingers", line)
    }
    condition.fingers = fingers.map { $0...$0 }
    guard let arguments = ShellWords.split(command), let program = arguments.first,
      !program.isEmpty
    else {
      return lose(command.isEmpty ? text : command, "no command, or a quote without its end", line)
    }
    let place = source.place(of: "", line: line)
    var verb = file.verb(of: command, at: place)
    if case .run = verb { verb = .run(Command(Self.program(arguments))) }
    if program == "_internal" || program == "_drag" {
      let targets: [String: WorkspaceTarget] = [
        "ws_up": .next, "ws_left": .next, "ws_down": .previous, "ws_right": .previous,
      ]
      let word = program == "_drag" ? "" : arguments.last { $0.hasPrefix("ws_") } ?? ""
      if Self.columns(arguments) > 1, word == "ws_up" || word == "ws_down" {
        return lose(
          command, "workspaces have no rows here; workspace: takes next, previous or a number", line
        )
      }
      guard let target = targets[word] else {
        return lose(command, "libinput-gestures itself does it; Gliss has no such action", line)
      }
      verb = .desktop(.workspace(target))
    }
    gestures.append(Gesture(condition: condition, line: line, action: Action(verb, place: place)))
  }

  /// How many columns of workspaces `_internal` is given, in any of the ways to write its option.
  private static func columns(_ arguments: [String]) -> Int {
    let index = arguments.lastIndex {
      $0.hasPrefix("--c") || $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains("c")
    }
    guard let index else { return 1 }
    let argument = arguments[index]
    let end: Character = argument.hasPrefix("--") ? "=" : "c"
    let own = argument.drop { $0 != end }.dropFirst().drop { $0 == "=" }
    return Int(own.isEmpty && index + 1 < arguments.count ? arguments[index + 1] : String(own)) ?? 1
  }

  private static func condition(_ kind: String, _ word: String) -> GestureCondition? {
    switch (kind, word) {
    case ("swipe", _):
      guard case .towards(let direction)? = GestureCondition.Sense.named[word] else { return nil }
      return GestureCondition(kind: .swipe, sense: .towards(direction))
    case ("pinch", "in"): return GestureCondition(kind: .pinch, sense: .inward)
    case ("pinch", "out"): return GestureCondition(kind: .pinch, sense: .outward)
    case ("pinch", "clockwise"), ("pinch", "anticlockwise"):
      // ROTATE_ANGLE of libinput-gestures
      return GestureCondition(
        kind: .rotate, sense: word == "clockwise" ? .clockwise : .counterclockwise,
        turn: Bounds(from: 15))
    case ("hold", _):
      let seconds = word.hasPrefix("on+") ? Double(word.dropFirst(3)) : word == "on" ? 0 : nil
      guard let seconds, seconds >= 0, seconds < 3600 else { return nil }
      return GestureCondition(kind: .hold, duration: Bounds(from: (seconds * 1000).rounded()))
    case _: return nil
    }
  }

  /// `~` and variables are expanded in the program's name only, which requires a shell. `run:`
  /// would expand those at the beginning of an argument, too.
  private static func program(_ arguments: [String]) -> Command.Program {
    guard let program = arguments.first,
      program.first == "~" || program.contains("$")
        || arguments.dropFirst().contains(where: isPath)
    else { return .arguments(arguments) }
    let rest = arguments.dropFirst().map { " " + $0.quotedForShell }.joined()
    return .shell("exec \(ShellWords.quotedButForVariables(program))\(rest)")
  }

  /// Whether `run:` would replace the beginning of an argument by a folder.
  private static func isPath(_ argument: String) -> Bool {
    ["~", "$HOME", "$XDG_RUNTIME_DIR"].contains { argument == $0 || argument.hasPrefix($0 + "/") }
  }

  // MARK: Rules

  private mutating func add() {
    var last: [GestureCondition: Int] = [:]
    for gesture in gestures { last[gesture.condition] = gesture.line }
    // lines that apply to all rules are quoted with the first
    var quoted = [device?.line, threshold?.line].compactMap { $0 }.sorted()
    for gesture in gestures {
      let text = source.line(gesture.line).trimmed
      if let line = last[gesture.condition], line != gesture.line {
        file.note(
          text, "line \(line) has the same motion, and the last one counts",
          at: source.place(of: "", line: gesture.line))
        continue
      }
      let (conditions, isTooShort) = conditions(of: gesture)
      let place = source.place(of: "", line: gesture.line)
      if isTooShort {
        file.lose(
          text, "a hold begins later here, and a line for longer holds acts by then", at: place)
      } else if conditions.isEmpty {
        file.note(text, "every number of fingers has a line of its own", at: place)
      }
      for condition in conditions {
        let rule = Rule(
          trigger: .gesture(condition), device: device?.match ?? DeviceMatch(kind: .touchpad),
          reactions: Reactions(end: [gesture.action]), place: place)
        file.add(rule, from: (quoted + [gesture.line]).map { source.source($0) })
      }
      if !conditions.isEmpty { quoted = [] }
    }
  }

  /// A line without a finger count stands for all counts that no other line of the same motion
  /// names, so that only one line acts. Consecutive counts share a rule. Holds may be too short to
  /// begin here.
  private func conditions(of gesture: Gesture) -> ([GestureCondition], isTooShort: Bool) {
    let named = gesture.condition.fingers
    var motion = gesture.condition
    let others = Set(
      gestures.compactMap { other -> Int? in
        motion.fingers = other.condition.fingers
        return motion == other.condition ? motion.fingers?.lowerBound : nil
      })
    motion.fingers = nil
    var isTooShort = false
    let conditions = (named ?? motion.kind.fingerRange).runs(\.fingers) {
      fingers -> GestureCondition? in
      guard named != nil || !others.contains(fingers) else { return nil }
      let condition = bounded(motion, fingers)
      if condition == nil { isTooShort = true }
      return condition
    }
    return (conditions, isTooShort)
  }

  /// The condition of a motion with the bounds for `fingers` fingers. Its own finger count stays
  /// unset. `nil` if a longer hold takes over before ours begins.
  private func bounded(_ motion: GestureCondition, _ fingers: Int) -> GestureCondition? {
    var condition = motion
    if motion.kind == .swipe { condition.travel = threshold?.travel }
    guard let own = motion.duration?.minimum else { return condition }
    // a longer hold of the same fingers takes over
    let longer = gestures.map(\.condition).filter { $0.fingers?.contains(fingers) ?? true }
      .compactMap { $0.duration?.minimum }.filter { $0 > own }.min()
    let bounds = Bounds(from: own > 0 ? own : nil, to: longer)
    condition.fingers = fingers...fingers
    guard condition.takeHoldDuration(bounds) else { return nil }
    condition.fingers = nil
    return condition
  }
}
