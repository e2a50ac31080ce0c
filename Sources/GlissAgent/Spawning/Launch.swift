package import Glibc

/// Starts programs with posix_spawn(3).
package enum Launch {
  /// The system's error number.
  package struct Failure: Error { package let code: Int32 }

  /// What the process takes over from this one.
  package enum Inheritance {
    /// The session, and ignored signals other than SIGPIPE.
    case session
    /// Nothing: it gets a session of its own, and every signal's default.
    case nothing
  }

  /// How a process ended.
  package enum End: Hashable, Sendable {
    case status(Int32)
    case signal(Int32)

    /// - Parameter wait: the status from wait(2).
    package init(wait: Int32) {
      let signal = wait & 0x7f
      self = signal == 0 ? .status((wait >> 8) & 0xff) : .signal(signal)
    }
  }

  /// POSIX_SPAWN_SETSID, which Swift does not import.
  private static let newSession: Int32 = 0x80

  /// - Parameters:
  ///   - program: a path, or a name to look up in the `PATH`.
  ///   - environment: `nil` for this process's own.
  package static func start(
    _ program: String, _ arguments: [String], environment: [String]? = nil,
    inheriting inheritance: Inheritance,
    actions: UnsafePointer<posix_spawn_file_actions_t>? = nil
  ) throws(Failure) -> pid_t {
    var pid: pid_t = 0
    let code = withAttributes(inheritance) { attributes in
      withCStrings(arguments) { arguments in
        guard let environment else {
          return posix_spawnp(&pid, program, actions, attributes, arguments, environ)
        }
        return withCStrings(environment) {
          posix_spawnp(&pid, program, actions, attributes, arguments, $0)
        }
      }
    }
    guard code == 0 else { throw Failure(code: code) }
    return pid
  }

  private static func withAttributes(
    _ inheritance: Inheritance, _ body: (UnsafePointer<posix_spawnattr_t>) -> Int32
  ) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (standard, blocked) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    var flags = Int32(POSIX_SPAWN_SETSIGDEF)
    switch inheritance {
    case .session:
      sigemptyset(&standard)
      sigaddset(&standard, SIGPIPE)
    case .nothing:
      sigfillset(&standard)
      posix_spawnattr_setsigmask(&attributes, &blocked)
      flags |= Int32(POSIX_SPAWN_SETSIGMASK) | newSession
    }
    posix_spawnattr_setsigdefault(&attributes, &standard)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    return body(&attributes)
  }

  private static func withCStrings(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Int32
  ) -> Int32 {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
