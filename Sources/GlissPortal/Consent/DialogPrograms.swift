import CLinux
import Glibc
import GlissAgent
import GlissConfiguration
import GlissDevices
package import GlissEvents

/// How a dialog's program ended, and what it printed.
package struct DialogResult: Hashable, Sendable {
  package var status: Int32
  package var output: String

  package init(status: Int32, output: String) {
    self.status = status
    self.output = output
  }
}

/// Runs the programs that draw dialogs; a test plays them.
package protocol DialogPrograms {
  /// Runs a program to its end; `nil` if it cannot be started.
  func run(_ arguments: [String], input: String, environment: [String]) -> DialogResult?
  /// Waits for a chord or a stroke, while a program's window says so. If the user closes it, nothing
  /// is recorded.
  ///
  /// - Returns: a trigger's text; `nil` if keys cannot be read, or the user prefers to type.
  func record(showing arguments: [String]?) -> String?
}

/// Real programs. They belong to this process's group, and end with it.
package struct InstalledDialogs: DialogPrograms {
  /// Prints the first chord or stroke as `gliss keys --format jsonl` does; empty if there is none.
  private let recorder: [String]

  package init(recorder: [String]) { self.recorder = recorder }

  private static let largestOutput = 1 << 16

  /// The path of a program in the `PATH`.
  package static func path(of name: String, in path: String) -> String? {
    path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  package func run(
    _ arguments: [String], input: String, environment: [String]
  ) -> DialogResult? {
    guard let child = start(arguments, environment) else { return nil }
    // what the rows need fits into a pipe
    let bytes = Array(input.utf8)
    _ = bytes.withUnsafeBytes { write(child.input, $0.baseAddress, $0.count) }
    close(child.input)
    let output = read(child.output)
    close(child.output)
    return DialogResult(
      status: wait(for: child.pid), output: String(decoding: output, as: UTF8.self))
  }

  package func record(showing arguments: [String]?) -> String? {
    guard !recorder.isEmpty, let keys = start(recorder, []) else { return nil }
    var first = [pollfd(fd: keys.output, events: Int16(POLLIN), revents: 0)]
    // without the right to read keys it ends at once: then no window is shown
    let isOver = poll(&first, 1, 400) > 0
    let window = isOver ? nil : arguments.flatMap { start($0, []) }
    var ends = [
      pollfd(fd: keys.output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: window?.output ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&ends, 2, -1) < 0, errno == EINTR {}
    let isRecorded = ends[0].revents != 0
    let output = isRecorded ? read(keys.output) : []
    for child in [keys, window].compactMap(\.self) {
      kill(child.pid, SIGTERM)
      close(child.input)
      close(child.output)
      _ = wait(for: child.pid)
    }
    return RecordedTrigger.text(output)
  }

  private func read(_ descriptor: Int32) -> [UInt8] {
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while output.count < Self.largestOutput {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      output += chunk[..<count]
    }
    return output
  }

  private struct Child {
    var pid: pid_t
    var input: Int32
    var output: Int32
  }

  private func start(_ arguments: [String], _ environment: [String]) -> Child? {
    var (asking, answering): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard let program = arguments.first, gliss_pipe(&asking) == 0 else { return nil }
    defer { close(asking[0]) }
    guard gliss_pipe(&answering) == 0 else {
      close(asking[1])
      return nil
    }
    defer { close(answering[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, asking[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, answering[1], STDOUT_FILENO)
    let all = environment.isEmpty ? nil : environment + ProcessEnvironment.all
    do throws(Launch.Failure) {
      let pid = try Launch.start(
        program, arguments, environment: all, inheriting: .session, actions: &actions)
      return Child(pid: pid, input: asking[1], output: answering[0])
    } catch {
      close(asking[1])
      close(answering[0])
      return nil
    }
  }

  private func wait(for pid: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return Launch.End(wait: status).shellStatus
  }
}

/// What `gliss keys` has printed.
package enum RecordedTrigger {
  /// The trigger's text, from a line of JSON; `nil` if there is none.
  package static func text(_ output: [UInt8]) -> String? {
    let line = output.prefix { $0 != UInt8(ascii: "\n") }
    guard let json = try? JSON(parsing: Array(line)), let text = json["text"]?.string else {
      return nil
    }
    guard json["kind"]?.string == "gesture" else { return text }
    // a rule for the stroke, of which only the gesture is wanted
    let rules = ConfigurationText(name: "", bytes: Array("gestures:\n  \(text)\n".utf8))
    return Configuration.read([rules]).configuration?.rules.first?.trigger.text
  }
}

/// A question that is being asked by a process of its own: it may take as long as the user does, and
/// whatever happens to it, the portal lives on.
///
/// The process reads the question from its standard input, and writes the answer to its standard
/// output, both as JSON. Without an answer nothing is decided.
final class DialogProcess {
  /// Why nobody could be asked.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// The exit status with which it says that it found no way to ask.
  static let noDialog: Int32 = 3

  private let loop: InputLoop
  private let pid: pid_t
  /// A pidfd: readable when the process has ended.
  private let end: Int32
  /// -1 once all is written.
  private var input: Int32
  /// What is left to write of the question.
  private var question: ArraySlice<UInt8>
  private let output: Int32
  private var bytes: [UInt8] = []
  private var isOver = false
  private let didEnd: (ConsentAnswer, _ status: Int32) -> Void

  private static let longestAnswer = 1 << 20

  /// - Parameters:
  ///   - command: the program and its arguments.
  ///   - didEnd: called once with the answer, unless this object is released before.
  init(
    _ command: [String], _ question: ConsentQuestion, on loop: InputLoop,
    didEnd: @escaping (ConsentAnswer, _ status: Int32) -> Void
  ) throws(Failure) {
    guard let program = command.first else { throw Failure(description: "no program") }
    var (asking, answering): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard gliss_pipe(&asking) == 0 else { throw Self.failure(errno) }
    guard gliss_pipe(&answering) == 0 else {
      let code = errno
      for end in asking { Glibc.close(end) }
      throw Self.failure(code)
    }
    defer {
      Glibc.close(asking[0])
      Glibc.close(answering[1])
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, asking[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, answering[1], STDOUT_FILENO)
    (input, output, self.loop, self.didEnd) = (asking[1], answering[0], loop, didEnd)
    self.question = (question.json.bytes + [UInt8(ascii: "\n")])[...]
    do throws(Launch.Failure) {
      pid = try Launch.start(program, command, inheriting: .nothing, actions: &actions)
    } catch {
      Glibc.close(asking[1])
      Glibc.close(answering[0])
      throw Failure(description: "\(program): \(String(cString: strerror(error.code)))")
    }
    end = gliss_pidfd_open(pid)
    for end in [input, output] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    do throws(SystemError) {
      try loop.watch(output) { [weak self] in self?.read() }
      try loop.watch(end) { [weak self] in self?.conclude() }
      try write()
    } catch {
      throw Self.failure(error.code)
    }
  }

  deinit { close(sending: SIGTERM) }

  private static func failure(_ code: Int32) -> Failure {
    Failure(description: String(cString: strerror(code)))
  }

  /// Writes the rest of the question as the process reads it, and then says that this is all.
  private func write() throws(SystemError) {
    while !question.isEmpty {
      let count = question.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        return try loop.watch(input, for: .writable) { [weak self] in try? self?.write() }
      }
      // one that ends without reading has no answer
      guard count > 0 else { break }
      question = question.dropFirst(count)
    }
    loop.unwatch(input)
    Glibc.close(input)
    input = -1
  }

  private func read() {
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(output, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      guard count > 0, bytes.count < Self.longestAnswer else { break }
      bytes += chunk[..<count]
    }
    loop.unwatch(output)
  }

  private func conclude() {
    read()
    guard let status = close(sending: 0) else { return }
    let json = status == 0 ? try? JSON(parsing: bytes, limits: .dialog) : nil
    didEnd(json.map(ConsentAnswer.init) ?? .later, status)
  }

  /// Ends the process, with all that it has started, unless it has ended. `nil` if that was done
  /// before.
  @discardableResult
  private func close(sending signal: Int32) -> Int32? {
    guard !isOver else { return nil }
    isOver = true
    for descriptor in [input, output, end] { loop.unwatch(descriptor) }
    for descriptor in [input, output, end] where descriptor >= 0 { Glibc.close(descriptor) }
    if signal != 0 { kill(-pid, signal) }
    var status: Int32 = 0
    for _ in 0..<50 {
      let ended = waitpid(pid, &status, WNOHANG)
      if ended == pid || (ended < 0 && errno != EINTR) {
        return Launch.End(wait: status).shellStatus
      }
      usleep(2000)
    }
    kill(-pid, SIGKILL)
    waitpid(pid, &status, 0)
    return Launch.End(wait: status).shellStatus
  }
}

extension JSON.Limits {
  /// For a question of many shortcuts and its answer.
  package static let dialog = JSON.Limits(bytes: 1 << 20, values: 1 << 14)
}

extension JSON {
  /// Its text.
  package var bytes: [UInt8] {
    var text = TextBuffer(capacity: 1024)
    write(into: &text)
    return Array(text.bytes)
  }
}
