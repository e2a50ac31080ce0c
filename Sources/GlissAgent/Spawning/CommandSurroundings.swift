import GlissConfiguration

/// What all commands have in common: the agent's environment, but for what is not theirs.
struct CommandSurroundings: Sendable {
  /// `NAME=VALUE`.
  let environment: [String]
  let home: String
  private let path: String

  /// What the service manager has told the agent alone, and what is of another gesture, where the agent was itself
  /// started by one.
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

  /// Where the environment names none: that of confstr(3).
  static let standardPath = "/usr/local/bin:/usr/bin:/bin"

  init(environment: [String]) {
    self.environment = environment.filter { !Self.withheld.contains(Self.name(of: $0)) }
    home = Self.value(of: "HOME", in: environment) ?? Account.home ?? "/"
    path = Self.value(of: "PATH", in: environment) ?? Self.standardPath
  }

  /// The environment of `command`: its own variables go before ours, and those of the occasion before both.
  func environment(of command: Command, on occasion: Occasion) -> [String] {
    let own = command.environment.map { "\($0.name)=\($0.value)" } + occasion.variables
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

  /// Where the program of `command` is looked for.
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
