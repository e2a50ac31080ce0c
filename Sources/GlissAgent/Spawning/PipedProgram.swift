import CLinux
package import Glibc
package import GlissDevices

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
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, asking[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, answering[1], STDOUT_FILENO)
    do throws(Launch.Failure) {
      pid = try Launch.start(
        program, arguments, environment: environment, inheriting: inheritance, actions: &actions)
    } catch {
      close(asking[1])
      close(answering[0])
      throw SystemError(program, failed: error.code)
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
