import CLinux
import Glibc
import GlissBroker
package import GlissConfiguration
import GlissDevices
import GlissEvents
import GlissFocus
import GlissGate
import GlissHotkeys

/// What all commands have in common: the agent's environment without the variables not meant for
/// them.
struct CommandEnvironment: Sendable {
  private let variables: [String: String]
  let folders: NamedFolders

  /// Variables that the service manager sets for the agent alone, and those of another gesture, if
  /// a gesture's command started the agent.
  private static let withheld: Set<String> = [
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
  private static let standardPath = "/usr/local/bin:/usr/bin:/bin"

  /// - Parameter environment: as `NAME=VALUE`. Entries without `=` are left out.
  init(environment: [String]) {
    var all: [String: String] = [:]
    for entry in environment {
      guard let sign = entry.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
      all[String(entry[..<sign])] = String(entry[entry.utf8.index(after: sign)...])
    }
    folders = NamedFolders(
      home: all["HOME"] ?? Account.home ?? "/", runtime: all["XDG_RUNTIME_DIR"])
    variables = all.filter { !Self.withheld.contains($0.key) }
  }

  /// The environment of `command`, as `NAME=VALUE`, sorted. Its own variables override ours, and
  /// those of the context override both.
  func environment(of command: Command, on context: ActionContext) -> [String] {
    var all = variables
    for variable in command.environment { all[variable.name] = folders.expand(variable.value) }
    for (name, value) in context.variables { all[name] = value }
    return all.map { "\($0)=\($1)" }.sorted()
  }

  func path(of command: Command) -> String {
    let own = command.environment.last { $0.name == "PATH" }.map { folders.expand($0.value) }
    return own ?? variables["PATH"] ?? Self.standardPath
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
  var label: String { label(among: FileNames([])) }

  /// The same, with folders if several of the files have the same name.
  package func label(among files: FileNames) -> String {
    StrokeReport.RuleName(self).label(among: files)
  }

  var hotkey: String? {
    if case .hotkey(let condition) = trigger { condition.hotkey.description } else { nil }
  }
}

extension ActionContext {
  /// The variables that describe the gesture or hotkey to a command: numbers, words of the event
  /// schema, and text from the user's own file. Device names and typed text are never among them.
  var variables: [(name: String, value: String)] {
    var list: [(String, String)] = []
    switch activation.cause {
    case .gesture(let gesture): list = gesture.variables
    case .hotkey(let event): list = [("HOTKEY", hotkey ?? ""), ("PHASE", event.phase.name)]
    }
    list.append(("MOMENT", activation.moment.rawValue))
    // several steps at once start the command once for each
    if activation.moment == .forward { list.append(("STEP", "1")) }
    if activation.moment == .back { list.append(("STEP", "-1")) }
    if let mode { list.append(("MODE", mode)) }
    return list.map { ("GLISS_\($0)", $1) }
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

package enum ProcessEnvironment {
  /// All variables, as `NAME=VALUE`.
  package static var all: [String] {
    var entries: [String] = []
    var entry = environ
    while let text = entry.pointee {
      entries.append(String(cString: text))
      entry += 1
    }
    return entries
  }

  package static var sessionBus: String? { DesktopEnvironment.current.bus }
}

struct OwnTerminal {
  private let wasThere = Self.isThere

  /// Whether it was there and has gone: its window was closed, or the connection was lost.
  var isGone: Bool { wasThere && !Self.isThere }

  private static var isThere: Bool {
    let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }
}

/// The folder of the agent's lock and socket. It belongs to this user and is removed at logout.
package struct RuntimeFolder {
  /// `XDG_RUNTIME_DIR` or its substitute.
  let base: String
  var path: String { base + "/gliss" }
  var lock: String { path + "/agent.lock" }
  var socket: String { path + "/org.gliss.Agent" }

  /// The user's folder for sockets (`$XDG_RUNTIME_DIR`); `nil` without one.
  package static var standardBase: String? { DesktopEnvironment.current.folder }

  /// Finds the folder, or creates it.
  ///
  /// - Throws: if there is no place for it, or others can write to it.
  static func make() throws(SystemError) -> RuntimeFolder {
    guard let base = standardBase else {
      throw SystemError(
        "XDG_RUNTIME_DIR", "this variable is not set",
        advice: "log in, or set it to a folder of your own")
    }
    let folder = RuntimeFolder(base: base)
    if mkdir(folder.path, 0o700) != 0, errno != EEXIST {
      throw SystemError(
        folder.path, failed: errno, advice: "set XDG_RUNTIME_DIR to a folder that you can write to")
    }
    var status = stat()
    guard lstat(folder.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == getuid(), status.st_mode & 0o022 == 0
    else {
      throw SystemError(
        folder.path, "is not a folder that only you can write to", advice: "remove it")
    }
    return folder
  }
}

/// A lock that exists once per user. Its holder is the agent.
///
/// The kernel releases it when the process ends, however that happens.
final class InstanceLock {
  private let descriptor: Int32

  /// What the lock file says of its holder.
  ///
  /// - Parameter since: in seconds since 1970.
  static func holder(pid: Int32, since: Int64, files: [String]) -> String {
    "process \(pid), since \(WallTime(seconds: since).localSecond), with \(files.last ?? "no file")"
  }

  /// - Throws: if another process holds the lock, naming it.
  init(_ path: String, as holder: String) throws(SystemError) {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { throw SystemError(path, failed: errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      guard errno == EWOULDBLOCK else { throw SystemError(path, failed: errno) }
      let other = String(decoding: FileBytes.start(of: path, upTo: 4096) ?? [], as: UTF8.self)
      throw SystemError(
        path,
        "the agent already runs: " + (other.isEmpty ? "another process holds this file" : other),
        advice: "'gliss status' shows it, 'gliss reload' makes it read its rules again")
    }
    let text = Array(holder.utf8)
    _ = ftruncate(descriptor, 0)
    _ = pwrite(descriptor, text, text.count, 0)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
