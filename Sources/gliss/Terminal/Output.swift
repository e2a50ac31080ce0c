import ArgumentParser
import Glibc
import Gliss
import Synchronization

protocol ByteOutput {
  func write(_ bytes: [UInt8])

  /// Whether the reader has stalled and bytes are waiting.
  var isBehind: Bool { get }
}

extension ByteOutput {
  /// Writes text for people, in characters that can be shown to them.
  func write(text: String) { write(Array(Charset.current.text(text).utf8)) }

  func write(line text: String) { write(text: text.hasSuffix("\n") ? text : text + "\n") }

  func write(lines: [String]) { write(text: lines.map { $0 + "\n" }.joined()) }

  func write(record: JSON) { write(record.encoded + [UInt8(ascii: "\n")]) }

  func write(document: JSON) { write(Array(document.document.utf8)) }
}

extension AnswerFormat {
  /// Prints an answer in this format. Only that form of it is made.
  ///
  /// - Parameter done: What the command has changed already, for the message if this fails.
  func print(
    _ lines: @autoclosure () -> [String], _ document: @autoclosure () -> JSON, done: String? = nil
  ) {
    var output = Output.standard
    output.done = done
    switch self {
    case .text: output.write(lines: lines())
    case .json: output.write(document: document())
    }
  }
}

extension JSON {
  /// The text for programs that read it whole and for people who search it by line: each object of
  /// a list is on its own line.
  var document: String {
    guard let object else { return lines + "\n" }
    let members = object.map { "\(JSON.string($0.name)):\($0.value.lines)" }
    return "{\(members.joined(separator: ","))}\n"
  }

  private var lines: String {
    guard let array, array.contains(where: { $0.object != nil }) else { return description }
    return "[" + array.map { "\n  \($0)" }.joined(separator: ",") + "\n]"
  }
}

/// All output of the process, except live events (``LiveOutput``).
///
/// Each call is one write(2) if the kernel accepts it whole, so that a reader of a pipe gets each
/// line at once. A write error ends the process: silently if the reader has gone, otherwise with a
/// message and status 1.
struct Output: ByteOutput {
  let descriptor: Int32
  /// What the command has changed already. It is said if nothing can be written.
  var done: String?

  /// Always false, because a call returns when everything is written.
  var isBehind: Bool { false }

  static let standard = Output(descriptor: STDOUT_FILENO)
  static let diagnostics = Output(descriptor: STDERR_FILENO)

  func write(_ bytes: [UInt8]) {
    if bytes.isEmpty { return }
    let failure = Interruption.holding { FileBytes.write(bytes[...], to: descriptor).code }
    // without a reader of its messages a command still ends with its own status
    if failure == 0 || failure == EPIPE && descriptor == STDERR_FILENO { return }
    end(failure)
  }

  private func end(_ failure: Int32) -> Never {
    // standard error is lost with the terminal that hung up
    if descriptor == STDERR_FILENO { exit(max(1, Interruption.status.rawValue)) }
    if failure == EPIPE { exit(Diagnostics.result.rawValue) }
    exit(Self.reportFailure(failure, done).rawValue)
  }

  static func reportFailure(_ failure: Int32, _ done: String? = nil) -> ExitCode {
    let reason = "cannot write the output: \(String(cString: strerror(failure)))"
    return Diagnostics.failure(reason + (done.map { "; \($0)" } ?? ""))
  }
}

enum Diagnostics {
  private static let hasBadInput = Atomic<Bool>(false)

  /// The result of a command that has gone through all its files. The caller throws it.
  static var result: ExitCode { hasBadInput.load(ordering: .relaxed) ? .badInput : .success }

  /// Prints a message, without characters that could control the terminal: names come from files.
  static func say(_ message: String) {
    Progress.clear()
    Output.diagnostics.write(line: "gliss: \(message.printable)")
  }

  /// Reports a failure that ends the command. The caller throws the result.
  static func failure(_ message: String) -> ExitCode {
    say(message)
    return .failure
  }

  /// Reports bad input that ends the command. The caller throws the result.
  static func refusal(_ message: String) -> ExitCode {
    say(message)
    return .badInput
  }

  /// Reports bad input and remembers it for the exit status. The next file is still processed.
  static func badInput(_ message: String) {
    hasBadInput.store(true, ordering: .relaxed)
    say(message)
  }
}

enum Descriptors {
  /// Opens the standard descriptors that are closed. Otherwise a file opened later would get the
  /// number, and messages meant for the terminal would be written into it.
  ///
  /// Standard input is opened for writing and output for reading, so that using them still fails
  /// and is reported.
  static func open() {
    let ways = [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)]
    for (descriptor, way) in ways
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // open(2) uses the lowest free number, which is this one
      _ = Glibc.open("/dev/null", way)
    }
  }
}

/// Standard output for live events. A stalled reader or a stopped terminal does not keep devices
/// from being read.
///
/// Output that cannot be written now is buffered and written later. When the reader is gone or
/// writing fails, the loop is stopped. Otherwise it works as ``Output``.
final class LiveOutput: ByteOutput {
  /// The buffer's limit in bytes, enough for hours of strokes. Beyond it, writes block.
  private static let capacity = 64 << 20

  var didCatchUp: (() -> Void)?

  private let loop: InputLoop
  /// Non-blocking, if possible.
  private let descriptor: Int32
  private let ownsDescriptor: Bool
  private var waiting: ArraySlice<UInt8> = []
  private(set) var failure: Int32 = 0

  init(_ standard: Int32 = STDOUT_FILENO, on loop: InputLoop) {
    self.loop = loop
    let own = Self.reopened(standard)
    descriptor = own ?? standard
    ownsDescriptor = own != nil
    // a pipe that cannot be reopened may have lost its reader already; files cannot be watched and
    // have no reader
    watch(for: .closed)
  }

  deinit {
    loop.unwatch(descriptor)
    if ownsDescriptor { close(descriptor) }
  }

  /// The same terminal or pipe, opened again. Making the original descriptor non-blocking would
  /// affect everybody who shares it, above all the shell. `nil` for files, which never block for
  /// long, and if reopening is not allowed.
  private static func reopened(_ descriptor: Int32) -> Int32? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    let isPipe = status.st_mode & S_IFMT == S_IFIFO
    guard isPipe || isatty(descriptor) == 1 else { return nil }
    let own = open(
      "/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    return own >= 0 ? own : nil
  }

  var isBehind: Bool { !waiting.isEmpty }

  func write(_ bytes: [UInt8]) {
    guard failure == 0 else { return }
    if isBehind {
      waiting.append(contentsOf: bytes)
      if waiting.count > Self.capacity { flush() }
      return
    }
    let rest = send(bytes[...])
    guard !rest.isEmpty, failure == 0 else { return }
    waiting = rest
    watch(for: .writable)
  }

  func flush() {
    while isBehind && failure == 0 {
      FileBytes.wait(for: descriptor)
      waiting = send(waiting)
    }
  }

  private func send(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let (rest, code) = FileBytes.write(bytes, to: descriptor, mayWait: !ownsDescriptor)
    if code == 0 { return rest }
    fail(code)
    return []
  }

  private func fail(_ code: Int32) {
    guard failure == 0 else { return }
    failure = code
    waiting = []
    loop.unwatch(descriptor)
    loop.stop()
  }

  private func watch(for readiness: InputLoop.Readiness) {
    do {
      try loop.watch(descriptor, for: readiness) { [unowned self] in becomeReady(readiness) }
    } catch {
      // without notifications, blocking is the only way
      flush()
    }
  }

  private func becomeReady(_ readiness: InputLoop.Readiness) {
    switch readiness {
    case .closed, .readable, .urgent: fail(EPIPE)
    case .writable, .readableOrWritable:
      waiting = send(waiting)
      guard !isBehind, failure == 0 else { return }
      watch(for: .closed)
      didCatchUp?()
    }
  }

  /// Writes the rest; returns `status`, unless writing has failed.
  func finish(_ status: @autoclosure () -> ExitCode = .success) -> ExitCode {
    flush()
    switch failure {
    case 0, EPIPE: return status()
    // the terminal is gone
    case EIO where ownsDescriptor: return status()
    case _: return Output.reportFailure(failure)
    }
  }
}
