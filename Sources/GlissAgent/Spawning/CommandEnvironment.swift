import Glibc
package import GlissConfiguration
import GlissDevices
import GlissEvents
import GlissHotkeys

/// What all commands have in common: the agent's environment without the variables not meant for
/// them.
struct CommandEnvironment: Sendable {
  /// `NAME=VALUE`.
  let environment: [String]
  let folders: NamedFolders
  private let path: String

  /// Variables that the service manager sets for the agent alone, and those of another gesture, if
  /// a gesture's command started the agent.
  private static let withheld: Set<Substring> = [
    "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
    "INVOCATION_ID", "JOURNAL_STREAM", "SYSTEMD_EXEC_PID", "MANAGERPID",
    "MEMORY_PRESSURE_WATCH", "MEMORY_PRESSURE_WRITE",
    "GLISS_GESTURE", "GLISS_PHASE", "GLISS_FINGERS", "GLISS_DIRECTION", "GLISS_DIRECTION8",
    "GLISS_COUNT", "GLISS_EDGE",
    "GLISS_TRANSLATION_X_MM", "GLISS_TRANSLATION_Y_MM", "GLISS_TRAVEL_MM", "GLISS_SCALE",
    "GLISS_ROTATION_DEG", "GLISS_SPEED_MM_S", "GLISS_STEP", "GLISS_HOTKEY", "GLISS_MODE",
    "GLISS_MOMENT",
  ]

  /// The path of confstr(3), used if the environment has none.
  static let standardPath = "/usr/local/bin:/usr/bin:/bin"

  init(environment: [String]) {
    self.environment = environment.filter { !Self.withheld.contains(Self.name(of: $0)) }
    folders = NamedFolders(
      home: Self.value(of: "HOME", in: environment) ?? Account.home ?? "/",
      runtime: Self.value(of: "XDG_RUNTIME_DIR", in: environment))
    path = Self.value(of: "PATH", in: environment) ?? Self.standardPath
  }

  /// The environment of `command`. Its own variables override ours, and those of the context
  /// override both.
  func environment(of command: Command, on context: ActionContext) -> [String] {
    let own =
      command.environment.map { "\($0.name)=\(folders.expand($0.value))" } + context.variables
    guard !own.isEmpty else { return environment }
    var named: [Substring: Int] = [:]
    var entries: [String] = []
    for entry in environment + own {
      let name = Self.name(of: entry)
      if let index = named[name] {
        entries[index] = entry
      } else {
        named[name] = entries.count
        entries.append(entry)
      }
    }
    return entries
  }

  func path(of command: Command) -> String {
    command.environment.last { $0.name == "PATH" }.map { folders.expand($0.value) } ?? path
  }

  private static func name(of entry: String) -> Substring {
    entry.prefix { $0 != "=" }
  }

  private static func value(of name: String, in environment: [String]) -> String? {
    environment.last { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
  }
}

/// The context of an action: the activation of a rule, and what applied then.
package struct ActionContext: Hashable, Sendable {
  package var activation: Activation
  /// What logs call the rule: its name and place.
  package var rule: String
  /// The rule that the action counts for (``Configuration/owner(of:)``).
  package var owner: RuleMember
  package var hotkey: String?
  package var mode: String?
  package var device = ""
  /// The record that the result is recorded for; `nil` if it is not recorded.
  var record: ActionRecord.ID?
}

extension Rule {
  /// What logs call the rule: `back (gliss.yaml:12)`, or only its place if it has no name.
  package var label: String { StrokeReport.RuleName(self).label }

  var hotkey: String? {
    switch trigger {
    case .gesture: nil
    case .hotkey(let condition): condition.hotkey.description
    }
  }
}

extension Activation.Moment {
  /// The word in the log and in `GLISS_MOMENT`.
  package var name: String {
    switch self {
    case .begin: "begin"
    case .change: "change"
    case .end: "end"
    case .cancel: "cancel"
    case .release: "release"
    case .forward: "forward"
    case .back: "back"
    }
  }

  package var times: Int {
    switch self {
    case .begin, .change, .end, .cancel, .release: 1
    case .forward(_, let count), .back(_, let count): max(0, count)
    }
  }
}

extension ActionContext {
  /// The variables that describe the gesture or hotkey to a command: numbers, words of the event
  /// schema, and text from the user's own file. Device names and typed text are never among them.
  var variables: [String] {
    var list: [(String, String)] = []
    switch activation.cause {
    case .gesture(let gesture): list = gesture.variables
    case .hotkey(let event): list = [("HOTKEY", hotkey ?? ""), ("PHASE", event.phase.name)]
    }
    list.append(("MOMENT", activation.moment.name))
    switch activation.moment {
    case .begin, .change, .end, .cancel, .release: break
    // several steps at once start the command once for each
    case .forward: list.append(("STEP", "1"))
    case .back: list.append(("STEP", "-1"))
    }
    if let mode { list.append(("MODE", mode)) }
    return list.map { "GLISS_\($0)=\($1)" }
  }
}

extension GestureEvent {
  /// Members that do not apply to the gesture's kind are left out, as in the event schema.
  fileprivate var variables: [(String, String)] {
    var list = [("GESTURE", kind.name), ("PHASE", phase.name), ("FINGERS", "\(fingers)")]
    if let direction { list.append(("DIRECTION", direction.name)) }
    if let direction8 { list.append(("DIRECTION8", direction8.name)) }
    if let edge { list.append(("EDGE", edge.name)) }
    let way = translation.millimetres
    let motion = [
      ("TRANSLATION_X_MM", way.x.fixed(3)), ("TRANSLATION_Y_MM", way.y.fixed(3)),
      ("TRAVEL_MM", way.length.fixed(3)), ("SPEED_MM_S", velocity.length.fixed(3)),
    ]
    switch kind {
    case .tap: list.append(("COUNT", "\(count)"))
    case .hold: break
    case .drag, .swipe, .edgeSwipe: list += motion
    case .pinch, .rotate:
      list += motion
      list.append(("SCALE", scale.fixed(4)))
      list.append(("ROTATION_DEG", (rotation * 180 / .pi).fixed(2)))
    }
    return list
  }
}

/// Looks for programs as a shell does.
package enum ProgramSearch {
  /// - Parameters:
  ///   - program: a name, or a path with a slash, which is not looked for. It is relative to the
  ///     working folder.
  ///   - path: the `PATH` that the command will have.
  /// - Returns: the program's path; `nil` if no folder of `path` has it.
  package static func path(
    of program: String, in path: String, isExecutable: (String) -> Bool = isExecutable
  ) -> String? {
    // if it cannot be run, the kernel's error says why
    if program.utf8.contains(UInt8(ascii: "/")) { return program }
    return path.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(program)" }
      .first(where: isExecutable)
  }

  package static func isExecutable(_ path: String) -> Bool {
    access(path, X_OK) == 0 && !Folder.isOne(path)
  }
}

extension Configuration {
  /// Warnings of programs and working folders that are missing, each at the first action that has
  /// it. Lines of shell are not examined.
  ///
  /// - Parameter variables: the environment that commands will have, as `NAME=VALUE`.
  package func missingFiles(_ variables: [String]) -> [Mistake] {
    let environment = CommandEnvironment(environment: variables)
    var warnings: [Mistake] = []
    // many rules run the same programs
    var seen: Set<String> = []
    func warn(_ message: String, _ action: Action) {
      guard seen.insert(message).inserted else { return }
      warnings.append(Mistake(message, at: action.place, severity: .warning))
    }
    for action in rules.lazy.flatMap(\.reactions.actions) {
      guard case .run(let command) = action.verb else { continue }
      if let folder = command.folder.map(environment.folders.expand), !Folder.isOne(folder) {
        warn("\(folder) is not a folder that commands can run in", action)
      }
      guard case .arguments(let words) = command.program,
        let word = words.first, !command.environment.isEmpty || seen.insert(word).inserted
      else { continue }
      let name = environment.folders.expand(word)
      let path = ProgramSearch.path(of: name, in: environment.path(of: command))
      // a relative path depends on the working folder
      if path.map({ $0.hasPrefix("/") && !ProgramSearch.isExecutable($0) }) ?? true {
        warn("\(name) is not \(path == nil ? "in the PATH" : "there, or not executable")", action)
      }
    }
    return warnings
  }
}

/// The folders that may begin a path in a rule.
struct NamedFolders: Sendable {
  var home: String
  /// `nil` if the user has none.
  var runtime: String?

  /// With a leading `~`, `$HOME` or `$XDG_RUNTIME_DIR` replaced by the folder.
  func expand(_ text: String) -> String {
    for (name, folder) in [("~", home), ("$HOME", home), ("$XDG_RUNTIME_DIR", runtime)] {
      guard let folder, text.hasPrefix(name) else { continue }
      let rest = text.dropFirst(name.count)
      if rest.isEmpty || rest.first == "/" { return folder + rest }
    }
    return text
  }
}
