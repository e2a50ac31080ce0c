import CLinux
package import Glibc
package import GlissDevices

/// A started process, in its own session and process group. Nothing waits for it.
struct ChildProcess {
  let pid: pid_t
  /// A pidfd: it becomes readable when the process has ended.
  let descriptor: Int32
  /// The reading end of its standard error.
  let errors: Int32

  /// Starts the program at the path `program`.
  ///
  /// - Parameters:
  ///   - folder: its working folder, which a relative path of the program is resolved against.
  ///   - keepsOutput: sends standard output to where standard error goes, instead of discarding it.
  static func start(
    _ program: String, _ arguments: [String], environment: [String], folder: String,
    keepsOutput: Bool
  ) throws(ActionFailure) -> ChildProcess {
    let (reading, writing) = try openPipe()
    defer { close(writing) }
    let pid: pid_t
    do throws(SystemError) {
      pid = try Launch.start(
        program, arguments, environment: environment, inheriting: .nothing
      ) { actions in
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, writing, STDERR_FILENO)
        if keepsOutput {
          posix_spawn_file_actions_adddup2(&actions, writing, STDOUT_FILENO)
        } else {
          posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
        posix_spawn_file_actions_addchdir_np(&actions, folder)
      }
    } catch {
      close(reading)
      // either the folder or the program may be missing
      guard Folder.isOne(folder), access(folder, X_OK) == 0 else {
        throw failure("cannot run in \(folder)", error.code)
      }
      switch error.code {
      case ENOEXEC:
        throw ActionFailure(
          "\(program) is not a program: a script begins with a line such as #!/bin/sh")
      case ENOENT:
        throw ActionFailure("there is no program \(program), or its interpreter is missing")
      case _: throw failure(program, error.code)
      }
    }
    // the process is not reaped yet, so its id is still its own; a descriptor is free, because
    // `openPipe` has closed one, unless another thread takes it: then its end is noticed late
    return ChildProcess(pid: pid, descriptor: gliss_pidfd_open(pid), errors: reading)
  }

  /// A pipe whose writing end is also open for reading. A command that outlives us must not be
  /// killed by SIGPIPE for what it writes then.
  private static func openPipe() throws(ActionFailure) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard gliss_pipe(&ends) == 0 else { throw failure("cannot be started", errno) }
    defer { close(ends[1]) }
    let both = open("/proc/self/fd/\(ends[1])", O_RDWR | O_CLOEXEC)
    guard both >= 0 else {
      let code = errno
      close(ends[0])
      throw failure("cannot be started", code)
    }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    return (ends[0], both)
  }

  private static func failure(_ what: String, _ code: Int32) -> ActionFailure {
    ActionFailure(SystemError(what, failed: code).description)
  }

  // MARK: Its end

  /// Whether it has ended. It is not reaped, so its id stays valid.
  var hasEnded: Bool {
    var information = siginfo_t()
    let code = waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT)
    return code != 0 || information.si_signo != 0
  }

  /// Reaps the process; `nil` if it has not ended, or was reaped elsewhere.
  func reap() -> Launch.End? {
    var status: Int32 = 0
    return waitpid(pid, &status, WNOHANG) == pid ? Launch.End(wait: status) : nil
  }

  /// Signals the whole group. The process must not have been reaped yet.
  func signalGroup(_ signal: Int32) { kill(-pid, signal) }
}

/// A started program, with pipes at its standard input and output.
package struct PipedProgram {
  package let pid: pid_t
  package let input: Int32
  package let output: Int32

  /// - Parameters:
  ///   - arguments: the program, which is looked up in the `PATH`, and its arguments.
  ///   - environment: `nil` for this process's own.
  package init(
    _ arguments: [String], environment: [String]? = nil, inheriting inheritance: Launch.Inheritance
  ) throws(SystemError) {
    guard let program = arguments.first else { throw SystemError("pipe", "there is no program") }
    var (asking, answering): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard gliss_pipe(&asking) == 0, gliss_pipe(&answering) == 0 else {
      let code = errno
      for end in asking where end >= 0 { close(end) }
      throw SystemError("pipe", failed: code)
    }
    defer {
      close(asking[0])
      close(answering[1])
    }
    do throws(SystemError) {
      pid = try Launch.start(
        program, arguments, environment: environment, inheriting: inheritance
      ) { actions in
        posix_spawn_file_actions_adddup2(&actions, asking[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, answering[1], STDOUT_FILENO)
      }
    } catch {
      close(asking[1])
      close(answering[0])
      throw error
    }
    (input, output) = (asking[1], answering[0])
  }

  /// Waits for its end.
  ///
  /// - Returns: the exit status, as shells report it.
  package func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return Launch.End(wait: status).shellStatus
  }
}

package enum Launch {
  /// What the process inherits from this one. In either case no signal is blocked in it.
  package enum Inheritance {
    /// The session, and ignored signals other than SIGPIPE and SIGXFSZ, which `gliss` ignores.
    case session
    /// Nothing: it gets a session of its own, and every signal's default.
    case nothing
  }

  package enum End: Hashable, Sendable {
    case status(Int32)
    case signal(Int32)

    /// - Parameter wait: the status from wait(2).
    package init(wait: Int32) {
      let signal = wait & 0x7f
      self = signal == 0 ? .status((wait >> 8) & 0xff) : .signal(signal)
    }

    package var shellStatus: Int32 {
      switch self {
      case .status(let status): status
      case .signal(let number): 128 + number
      }
    }
  }

  /// POSIX_SPAWN_SETSID, which Swift does not import.
  private static let newSession: Int32 = 0x80

  /// - Parameters:
  ///   - program: a path, or a name to look up in the `PATH`.
  ///   - environment: `nil` for this process's own.
  ///   - prepare: adds what is done to the new process's descriptors.
  package static func start(
    _ program: String, _ arguments: [String], environment: [String]? = nil,
    inheriting inheritance: Inheritance,
    _ prepare: (inout posix_spawn_file_actions_t) -> Void = { _ in }
  ) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    prepare(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (standard, blocked) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    var flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
    switch inheritance {
    case .session:
      sigemptyset(&standard)
      for number in [SIGPIPE, SIGXFSZ] { sigaddset(&standard, number) }
    case .nothing:
      sigfillset(&standard)
      flags |= newSession
    }
    posix_spawnattr_setsigdefault(&attributes, &standard)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var pid: pid_t = 0
    let code = withCStrings(arguments) { arguments in
      guard let environment else {
        return posix_spawnp(&pid, program, &actions, &attributes, arguments, environ)
      }
      return withCStrings(environment) {
        posix_spawnp(&pid, program, &actions, &attributes, arguments, $0)
      }
    }
    guard code == 0 else { throw SystemError(program, failed: code) }
    return pid
  }

  private static func withCStrings(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Int32
  ) -> Int32 {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
