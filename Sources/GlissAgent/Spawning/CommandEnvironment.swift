import GlissConfiguration

/// What all commands have in common: the agent's environment without the variables not meant for
/// them.
struct CommandEnvironment: Sendable {
  /// `NAME=VALUE`.
  let environment: [String]
  let home: String
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
    home = Self.value(of: "HOME", in: environment) ?? Account.home ?? "/"
    path = Self.value(of: "PATH", in: environment) ?? Self.standardPath
  }

  /// The environment of `command`. Its own variables override ours, and those of the context
  /// override both.
  func environment(of command: Command, on context: ActionContext) -> [String] {
    let own = command.environment.map { "\($0.name)=\($0.value)" } + context.variables
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

  /// The search path for the program of `command`.
  func path(of command: Command) -> String {
    command.environment.last { $0.name == "PATH" }?.value ?? path
  }

  private static func name(of entry: String) -> Substring {
    entry.prefix { $0 != "=" }
  }

  private static func value(of name: String, in environment: [String]) -> String? {
    environment.last { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
  }
}
