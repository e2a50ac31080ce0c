import ArgumentParser
import Glibc
import Gliss
import Synchronization

struct BrokerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The broker's socket; by default $GLISS_SOCKET, or else the system's.", valueName: "path"),
    completion: .file())
  var socket: String?

  /// The socket that the command line names, for the advice in errors.
  private static let named = Mutex<String?>(nil)

  func validate() throws {
    if socket == "" { throw ValidationError("--socket needs a path") }
    Self.named.withLock { $0 = socket }
  }

  var path: String { socket ?? BrokerConnection.standardPath }

  /// What a command has to add to reach the same broker, as sudo does not keep $GLISS_SOCKET. Empty
  /// for the system's.
  static var repeated: String {
    let path = named.withLock { $0 } ?? environmentVariable("GLISS_SOCKET") ?? ""
    return path.isEmpty ? "" : " --socket \(path.quotedForShell)"
  }

  /// `advice` of the broker, which does not know its socket, with commands that reach this broker.
  static func addressed(_ advice: String) -> String {
    ["grant", "revoke", "list", "group list"].reduce(advice) { text, words in
      text.replacing("gliss grants \(words)", with: "gliss grants \(words)\(repeated)")
    }
  }

  func ask<Answer>(_ body: (BrokerConnection) throws -> Answer) throws -> Answer {
    let connection = try BrokerConnection(path: path)
    return try Reminder.around { try body(connection) }
  }

  // MARK: Events

  /// Whether there seems to be a broker. It is not contacted.
  static var isThere: Bool { access(BrokerConnection.standardPath, R_OK | W_OK) == 0 }

  /// The events of `mask`, if the broker shows them without a new request or was named.
  ///
  /// - Parameter isNamed: Whether the broker was named. Then it is asked for what is not granted.
  /// - Returns: `nil` if the devices are to be read, and whether the broker might show more.
  func events(
    for mask: EventMask, isNamed: Bool
  ) throws -> (monitor: GlobalEventMonitor?, mayUseBroker: Bool) {
    let scope = Self.scope(for: mask)
    let connection = try? BrokerConnection(path: path)
    let isGranted = (try? connection?.preflight(scope))?.granted.contains(scope) ?? false
    let advice = isGranted ? connection.flatMap(Self.adviceElsewhere) : nil
    if let advice {
      Diagnostics.say(isNamed ? advice : "\(advice); the devices are read instead")
    }
    guard isNamed || (isGranted && advice == nil) else { return (nil, advice == nil) }
    if !isGranted { try request(scope) }
    let monitor = try GlobalEventMonitor(scope, path: path)
    if !monitor.permission.granted.contains(scope) {
      let granted = monitor.permission.granted.map(ScopeSentence.describe)
      Diagnostics.say("granted: \(granted.joined(separator: "; "))")
    }
    return (monitor, advice == nil)
  }

  private static func scope(for mask: EventMask) -> Scope {
    let events = mask.intersection(EventMask.grantable)
    if events == .gesture { return Scope(tier: .gesture, events: .gesture) }
    return Scope(tier: .raw, events: events, keys: events.contains(.key) ? .all : [])
  }

  /// What to do if the broker shows nothing, because another user's session is on the screen.
  private static func adviceElsewhere(_ connection: BrokerConnection) -> String? {
    guard let seat = try? connection.status().seat else { return nil }
    // root has to run this as the user at the screen
    if getuid() == 0, let user = seat.user, user != 0 {
      let name = Users.name(user)
      return "the broker shows input only to \(name), whose session is on the screen: run this as"
        + " \(name), without sudo"
    }
    guard seat.state == SessionState.inactive.rawValue else { return nil }
    return "the broker shows input only to the user whose session is on the screen: run this there"
      + " ('loginctl list-sessions' lists the sessions)"
  }

  private func request(_ scope: Scope) throws {
    let permission = try ask {
      try $0.request(scope, reason: "to print them with gliss", timeout: nil)
    }
    guard !permission.isGranted else { return }
    guard let pending = permission.pending else {
      throw ClientError.notGranted(
        permission.status, advice: permission.advice ?? "'gliss grants list' lists the grants")
    }
    let once = scope.tier == .raw ? " --expires once" : ""
    throw ClientError.notGranted(
      permission.status,
      advice: "allow request \(pending) with 'sudo gliss grants answer \(pending) --allow\(once)"
        + "\(Self.repeated)', and then run this again")
  }
}

extension ClientError {
  var advised: String {
    let socket = BrokerOptions.repeated
    return switch self {
    case .noBroker(let path, let code) where [ENOENT, ECONNREFUSED].contains(code):
      "no broker is running at \(path) (\(String(cString: strerror(code)))): start it with"
        + " 'sudo systemctl enable --now glissd.socket' once it is installed (docs/install.md), or"
        + " name its socket with --socket or $GLISS_SOCKET"
    case .noBroker(let path, let code):
      "\(path): \(String(cString: strerror(code)))"
        + ([EACCES, EPERM].contains(code) ? ": this process may not speak to the broker" : "")
    case .notAllowed(let advice): "\(advice): \(Self.withSudo)"
    case .nobodyToAsk: "nobody could be asked for an administrator's password: \(Self.withSudo)"
    case .duplicate(let id, _):
      "grant \(id) is for the same user, client, group and scope: 'gliss grants show"
        + " \(id)\(socket)' shows it, 'gliss grants change --help' says how to change its duration;"
        + " to allow or deny instead, revoke it first: 'gliss grants revoke \(id)\(socket)'"
    case .ambiguous(let count, _):
      "\(count) grants match: name one by its number, or take all of them with --all"
    case .notFound(let message):
      "\(message.isEmpty ? "not found" : message); 'gliss grants list\(socket)' shows all grants"
        + " and requests"
    case .notGranted, .refused, .limitReached: BrokerOptions.addressed(description)
    case _: description
    }
  }

  private static var withSudo: String {
    guard getuid() != 0 else { return "root needs no password unless it is sandboxed" }
    var words = ["sudo"]
    // sudo does not keep the environment
    if let socket = environmentVariable("GLISS_SOCKET") {
      words += ["env", "GLISS_SOCKET=\(socket)"]
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

  static func around<Result>(_ body: () throws -> Result) rethrows -> Result {
    signal(SIGALRM, remind)
    SignalQueue.unblock(SIGALRM)
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
    // root is never asked
    let text: StaticString =
      geteuid() == 0
      ? "gliss: waiting for the broker; Ctrl-C stops waiting\n"
      : "gliss: waiting for the broker, which may ask an administrator; Ctrl-C stops waiting\n"
    _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }
}

/// The broker's events, until a signal, the loop's stop or the broker ends them.
final class BrokerStream {
  let loop: InputLoop
  var didReceive: ((GlobalEvent) -> Void)?
  private let monitor: GlobalEventMonitor
  private var failure: ClientError?

  init(_ monitor: GlobalEventMonitor) throws(SystemError) {
    self.monitor = monitor
    loop = try InputLoop()
    Interruption.redirect(to: loop)
    try loop.watch(monitor.descriptor) { [unowned self] in take() }
  }

  func run(until end: EventTime? = nil) throws(SystemError) {
    while !loop.isStopping {
      try loop.wait(until: end)
      if let end, end <= InputLoop.now { loop.stop() }
    }
    loop.unwatch(monitor.descriptor)
  }

  /// Reports the reason if the broker ended it.
  func finish() -> ExitCode {
    guard let failure else { return Interruption.status }
    let reason =
      if case .notGranted(.notDetermined, _) = failure {
        "the grant was revoked, or has ended; 'gliss grants log\(BrokerOptions.repeated)' says when"
          + " and by whom"
      } else { failure.advised }
    return Diagnostics.failure("the broker reports nothing more: \(reason)")
  }

  private func take() {
    do throws(ClientError) {
      // the lines are what the broker sends
      try monitor.takeAsSent { didReceive?($0) }
    } catch {
      failure = error
      loop.stop()
    }
  }
}
