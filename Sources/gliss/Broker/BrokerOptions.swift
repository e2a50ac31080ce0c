import ArgumentParser
import Glibc
import Gliss

/// `--socket`, and connecting to the broker.
struct BrokerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The broker's socket; without it $GLISS_SOCKET, and else the system's.", valueName: "path"),
    completion: .file())
  var socket: String?

  func validate() throws {
    if socket == "" { throw ValidationError("--socket needs a path") }
  }

  var path: String { socket ?? BrokerConnection.standardPath }

  /// Connects and calls `body`. On an error, reports the reason and ends the process.
  func ask<Answer>(
    _ body: (BrokerConnection) throws(ClientError) -> Answer
  ) throws(ExitCode) -> Answer {
    do throws(ClientError) {
      let connection = try BrokerConnection(path: path)
      return try Reminder.around { () throws(ClientError) in try body(connection) }
    } catch {
      throw Self.report(error)
    }
  }

  /// Reports the broker's error and what to do about it.
  ///
  /// - Returns: The exit status.
  static func report(_ error: ClientError) -> ExitCode {
    Diagnostics.say(ClientErrorText.text(error).printable)
    switch error {
    case .invalidParameter: return ExitCode(ExitStatus.badInput)
    case _: return ExitCode(ExitStatus.failed)
    }
  }
}

/// What went wrong with the broker, and which command helps.
enum ClientErrorText {
  static func text(_ error: ClientError) -> String {
    switch error {
    case .noBroker(let path, let code): noBroker(path, code)
    case .notAllowed(let advice): "\(advice): \(withSudo)"
    case .nobodyToAsk: "nobody could be asked for an administrator's password: \(withSudo)"
    case .duplicate(let id, _):
      "grant \(id.rawValue) is for the same user, client, group and scope: 'gliss grants show"
        + " \(id.rawValue)' shows it, 'gliss grants change --help' says how to change it"
    case .ambiguous(let count, _):
      "\(count) grants match: name one by its number, or take all of them with --all"
    case .notFound(let message):
      "\(message.isEmpty ? "there is none" : message): 'gliss grants list' shows what there is"
    case _: error.description
    }
  }

  private static func noBroker(_ path: String, _ code: Int32) -> String {
    let reason = String(cString: strerror(code))
    switch code {
    case ENOENT, ECONNREFUSED:
      return "no broker is running at \(path) (\(reason)): start it with 'sudo systemctl enable"
        + " --now glissd.socket' once it is installed (docs/install.md), or say with --socket or"
        + " $GLISS_SOCKET where it is"
    case EACCES, EPERM:
      return "\(path): \(reason): this process may not speak to the broker"
    case _: return "\(path): \(reason)"
    }
  }

  /// The same command, run as root.
  private static var withSudo: String {
    guard Users.caller != 0 else { return "root would be asked nothing, unless it is sandboxed" }
    var words = ["sudo"]
    // sudo does not keep the environment
    if let socket = getenv("GLISS_SOCKET") {
      words += ["env", "GLISS_SOCKET=\(String(cString: socket))"]
    }
    words += ["gliss"] + CommandLine.arguments.dropFirst()
    return "run as root: " + words.map(\.quotedForShell).joined(separator: " ")
  }
}

/// Says what the command is waiting for if the reply is slow: a password prompt may be open
/// elsewhere.
enum Reminder {
  /// Delay before the message, in µs. The broker's own replies take only a few milliseconds.
  private static let delay: suseconds_t = 700_000

  /// Calls `body`, which waits for the broker.
  static func around<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    signal(SIGALRM, remind)
    Interruption.unblock([SIGALRM])
    ring(in: delay)
    defer { ring(in: 0) }
    return try body()
  }

  private static func ring(in microseconds: suseconds_t) {
    var timer = itimerval()
    timer.it_value.tv_usec = microseconds
    setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
  }

  /// Only async-signal-safe calls are allowed here.
  private static let remind: @convention(c) (Int32) -> Void = { _ in
    let code = errno
    defer { errno = code }
    let text: StaticString =
      "gliss: waiting for an administrator to agree; Ctrl-C withdraws the question\n"
    _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }
}
