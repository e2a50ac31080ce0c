import CLinux
import Glibc
import GlissAgent
import GlissConfiguration
import GlissDevices
import GlissEvents

package struct DialogResult: Hashable, Sendable {
  package let status: Int32
  /// Without line ends.
  package let output: String

  package init(status: Int32, output: String) {
    self.status = status
    self.output = output.filter { $0 != "\n" }
  }
}

/// Runs the programs that draw dialogs. Tests replace it.
package protocol DialogPrograms {
  /// Runs a program to its end; `nil` if it cannot be started.
  func run(_ arguments: [String], input: String) -> DialogResult?
  /// Waits for a chord or a stroke, while a program's window asks for it. Returns `nil` if keys
  /// cannot be read, or the user closes the window.
  func record(showing arguments: [String]?) -> String?
}

/// Real programs. They belong to this process's group, and end with it.
struct InstalledDialogs: DialogPrograms {
  /// Prints the first chord or stroke as `gliss keys --format jsonl` does.
  let recorder: [String]

  private static let largestOutput = 1 << 16

  func run(_ arguments: [String], input: String) -> DialogResult? {
    guard let child = start(arguments) else { return nil }
    _ = FileBytes.write(Array(input.utf8)[...], to: child.input)
    close(child.input)
    let output = read(child.output)
    close(child.output)
    return DialogResult(status: child.wait(), output: String(decoding: output, as: UTF8.self))
  }

  func record(showing arguments: [String]?) -> String? {
    guard let keys = start(recorder) else { return nil }
    var ends = [pollfd(fd: keys.output, events: Int16(POLLIN), revents: 0)]
    // without the right to read keys the recorder ends at once: then show no window
    let isOver = poll(&ends, 1, 400) > 0
    let window = isOver ? nil : arguments.flatMap(start)
    ends.append(pollfd(fd: window?.output ?? -1, events: Int16(POLLIN), revents: 0))
    while poll(&ends, 2, -1) < 0, errno == EINTR {}
    let output = ends[0].revents != 0 ? read(keys.output) : []
    for child in [keys, window].compactMap(\.self) {
      kill(child.pid, SIGTERM)
      close(child.input)
      close(child.output)
      _ = child.wait()
    }
    return RecordedTrigger.text(output)
  }

  private func start(_ arguments: [String]) -> PipedProgram? {
    try? PipedProgram(
      arguments, environment: ZenityDialog.environment + ProcessEnvironment.all,
      inheriting: .session)
  }

  private func read(_ descriptor: Int32) -> [UInt8] {
    (try? FileBytes.read(descriptor, of: "pipe", limit: Self.largestOutput)) ?? []
  }
}

package enum RecordedTrigger {
  /// The trigger's text, from a line of JSON, if it has one.
  package static func text(_ output: [UInt8]) -> String? {
    let line = output.prefix { $0 != UInt8(ascii: "\n") }
    guard let json = try? JSON(parsing: Array(line)), let text = json["text"]?.string else {
      return nil
    }
    guard json["kind"]?.string == "gesture" else { return text }
    // the text is a rule for the stroke; only its gesture is needed
    let rules = ConfigurationText(name: "", bytes: Array("gestures:\n  \(text)\n".utf8))
    return Configuration.read([rules]).configuration?.rules.first?.trigger.text
  }
}

/// A question asked by a separate process, so that the portal survives whatever happens to it. The
/// process reads the question from its standard input, and writes the answer to its standard
/// output, both as JSON. Without an answer nothing is decided.
final class DialogProcess {
  private let loop: InputLoop
  private let program: PipedProgram
  /// A pidfd: readable when the process has ended.
  private let end: Int32
  /// The rest of the question to write; `nil` once the process's input is closed.
  private var question: ArraySlice<UInt8>?
  private var bytes: [UInt8] = []
  private var hasEnded = false
  private let didEnd: (ConsentAnswer, _ status: Int32) -> Void

  private static let longestAnswer = 1 << 20

  /// `didEnd` is called once with the answer, unless this object is released before.
  init(
    _ command: [String], _ question: ConsentQuestion, on loop: InputLoop,
    didEnd: @escaping (ConsentAnswer, _ status: Int32) -> Void
  ) throws(SystemError) {
    program = try PipedProgram(command, inheriting: .nothing)
    end = gliss_pidfd_open(program.pid)
    self.question = (question.json.encoded + [UInt8(ascii: "\n")])[...]
    (self.loop, self.didEnd) = (loop, didEnd)
    for end in [program.input, program.output] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    // if this fails, deinit ends the process
    try loop.watch(program.output) { [weak self] in self?.read() }
    try loop.watch(end) { [weak self] in self?.conclude() }
    try loop.watch(program.input, for: .writable) { [weak self] in self?.write() }
  }

  deinit {
    guard !hasEnded else { return }
    closeAll()
    // also end all that the process has started
    kill(-program.pid, SIGTERM)
    for _ in 0..<50 {
      let ended = waitpid(program.pid, nil, WNOHANG)
      if ended == program.pid || (ended < 0 && errno != EINTR) { return }
      usleep(2000)
    }
    kill(-program.pid, SIGKILL)
    _ = program.wait()
  }

  /// Writes the rest of the question as fast as the process reads it, and then closes its input.
  private func write() {
    guard let question else { return }
    let (rest, code) = FileBytes.write(question, to: program.input, mayWait: false)
    self.question = rest
    // the process may close its input early: it does not need the rest then
    if rest.isEmpty || code != 0 { closeInput() }
  }

  private func closeInput() {
    guard question != nil else { return }
    question = nil
    loop.unwatch(program.input)
    close(program.input)
  }

  private func read() {
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(program.output, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      guard count > 0, bytes.count < Self.longestAnswer else { break }
      bytes += chunk[..<count]
    }
    loop.unwatch(program.output)
  }

  private func conclude() {
    read()
    hasEnded = true
    closeAll()
    // what it has started and not ended; its number is not reused before the wait
    kill(-program.pid, SIGTERM)
    let status = program.wait()
    let json = status == 0 ? try? JSON(parsing: bytes, limits: .dialog) : nil
    didEnd(json.map(ConsentAnswer.init) ?? .later, status)
  }

  private func closeAll() {
    closeInput()
    for descriptor in [program.output, end] { loop.unwatch(descriptor) }
    for descriptor in [program.output, end] where descriptor >= 0 { close(descriptor) }
  }
}
