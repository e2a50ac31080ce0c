import Glibc
import GlissDevices
import GlissEvents
import GlissGate
import GlissSession

/// `glissd`: the process that owns the devices.
package enum GlissDaemon {
  /// Serves until a signal ends it. Exits with 0 then, with 1 if it cannot serve, and with 2 if the
  /// command line is invalid.
  package static func main() { exit(run(CommandLine.arguments.dropFirst())) }

  static func run(_ arguments: some Sequence<String>) -> Int32 {
    do throws(SystemError) {
      switch try DaemonOptions.parse(arguments) {
      case .printHelp: return print(DaemonOptions.help)
      case .printVersion: return print("glissd \(Release.version)\n")
      case .run(let options): return serve(options)
      case .identifyPrograms:
        let sockets = try ServiceManager.sockets(of: SOCK_SEQPACKET)
        guard let socket = sockets.first else {
          throw SystemError(
            "--identify-programs", "needs the service manager's socket",
            advice: "glissd-programs.socket has it")
        }
        try ProcessReader.run(on: socket)
      }
    } catch {
      DaemonProcess.say("\(error)", priority: 3)
      return 2
    }
  }

  private static func print(_ text: String) -> Int32 {
    let code = FileBytes.write(Array(text.utf8)[...], to: STDOUT_FILENO).code
    guard code != 0 else { return 0 }
    DaemonProcess.say("\(SystemError("cannot write the output", failed: code))", priority: 3)
    return 1
  }

  private static func serve(_ options: DaemonOptions) -> Int32 {
    do {
      try DaemonRun(options).run()
      return 0
    } catch {
      DaemonProcess.say("\(error)", priority: 3)
      return 1
    }
  }
}

struct DaemonOptions: Hashable, Sendable {
  /// Where to create the socket, unless the service manager passes one.
  var socket = "/run/gliss/org.gliss.Broker"
  var store = "/var/lib/gliss"
  var user: UInt32?
  var ignoresLogind = false
  /// The socket of the helper that reads what other users' processes run, and what confines them.
  var programs = PeerIdentifier.path
  var bus: String?

  enum Request: Hashable, Sendable {
    case run(DaemonOptions)
    case identifyPrograms
    case printHelp
    case printVersion
  }

  static let help = """
    glissd: gives programs the input that they were granted, and nothing else.

    usage: glissd [<option> ...]

      --socket PATH   create the socket there (/run/gliss/org.gliss.Broker),
                      unless the service manager passes one
      --store FOLDER  keep grants and their audit there (/var/lib/gliss)
      --user UID      the seat is this user's, whatever session is active
      --no-logind     do not ask logind: the seat is the user's who owns the
                      active virtual terminal
      --bus ADDRESS   the D-Bus of logind and polkit, instead of the system's
      --programs PATH the socket of the helper that reads which programs other
                      users' processes run, and what confines them
                      (/run/gliss/programs)
      --identify-programs
                      run as that helper: needs CAP_SYS_PTRACE and the service
                      manager's socket, and nothing else
      --version       print the version
      --help          print this

    It must be able to read /dev/input: run it in group input, and as root only to
    try it. The signals TERM and INT end it; HUP makes it check the store again.

    """

  static func parse(_ arguments: some Sequence<String>) throws(SystemError) -> Request {
    var options = DaemonOptions()
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = argument.hasPrefix("--") ? String(parts[0]) : argument
      let attached = argument.hasPrefix("--") && parts.count > 1 ? String(parts[1]) : nil
      switch name {
      case "--help", "-h", "--version", "--no-logind", "--identify-programs":
        guard attached == nil else { throw SystemError(name, "takes no value", advice: advice) }
        if name == "--version" { return .printVersion }
        if name == "--identify-programs" { return .identifyPrograms }
        if name != "--no-logind" { return .printHelp }
        options.ignoresLogind = true
      case "--socket", "--store", "--bus", "--user", "--programs":
        guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
          throw SystemError(name, "needs a value", advice: advice)
        }
        try options.set(name, value)
      case _: throw SystemError(argument, "unknown option", advice: advice)
      }
    }
    return .run(options)
  }

  private static let advice = "'glissd --help' lists the options"

  private mutating func set(_ name: String, _ value: String) throws(SystemError) {
    switch name {
    case "--socket": socket = try Self.path(name, value)
    case "--store": store = try Self.path(name, value)
    case "--programs": programs = try Self.path(name, value)
    case "--bus": bus = value
    case _:
      // -1 means no user
      guard let uid = UInt32(value), uid != .max else {
        throw SystemError(
          "\(name) \(value)", "is not a user's number", advice: "'id -u NAME' prints it")
      }
      user = uid
    }
  }

  /// A relative path would depend on where the service manager starts the process.
  private static func path(_ name: String, _ value: String) throws(SystemError) -> String {
    guard value.hasPrefix("/"), !value.utf8.contains(0) else {
      throw SystemError("\(name) \(value)", "is not a complete path", advice: "begin it with /")
    }
    return value
  }

  func rule(hasLogind: Bool) -> SeatWatch.Rule {
    if let user { return .user(user) }
    return hasLogind && !ignoresLogind ? .logind(busAddress: bus) : .terminals
  }
}

final class DaemonRun {
  private let options: DaemonOptions
  private let live: LiveDevices
  private let session = Session()
  private let gate: Gate
  private let seat: SeatWatch
  private let consent: PolkitAuthority
  private let manager: ServiceManager
  private let broker: Broker
  private let signals: SignalQueue
  private let strokes: StrokeChoice
  /// Our own socket, if none was passed to us.
  private let socket: OwnSocket?
  private let privateSockets: PrivateSockets

  private var problems: [String: String] = [:]
  private var readCount = 0

  /// It still serves with unreadable devices or untrusted grants.
  init(_ options: DaemonOptions) throws {
    self.options = options
    signals = try DaemonProcess.takeSignals()
    DaemonProcess.close()
    DaemonProcess.raiseDescriptorLimit(signals.descriptor)
    let handed = try ServiceManager.sockets()
    // a second instance ends here, before it has touched anything
    socket = handed.isEmpty ? try OwnSocket(options.socket) : nil
    live = try LiveDevices()
    manager = ServiceManager(now: InputLoop.now)
    // if this fails, the gate reports it and grants nothing
    if mkdir(options.store, 0o700) < 0, access(options.store, F_OK) == 0,
      !Folder.isOne(options.store)
    {
      throw SystemError("--store \(options.store)", "is not a folder")
    }
    gate = Gate(
      folder: options.store, machine: DaemonProcess.machine, sink: { DaemonProcess.say($0) },
      at: .now)
    seat = SeatWatch(options.rule(hasLogind: LoginManager.isRunning))
    consent = PolkitAuthority(live.loop, address: options.bus)
    let identifier = PeerIdentifier(live.loop, path: options.programs)
    broker = try Broker(
      host: live, session: session, gate: gate, consent: consent, identifier: identifier)
    broker.makeKeyboard = { [live, session] () throws(SystemError) in
      let keyboard = try UinputKeyboard(
        on: live.loop, translator: session.keyTranslator)
      live.lendTwins(to: keyboard)
      return keyboard
    }
    strokes = StrokeChoice(control: try StrokeControl(on: live.loop), twins: live)
    broker.strokes = strokes
    privateSockets = PrivateSockets(beside: options.socket, broker)
    identifier.didMissHelper = { [unowned self] isMissing in
      problem(
        "programs",
        isMissing
          ? "\(self.options.programs): no helper listens there, so programs of other users are not"
            + " identified and are granted nothing; start glissd-programs.socket and restart glissd"
          : nil)
    }
    broker.checkStore = { [unowned self] in lookAtStore() }
    broker.sessionNames = { [unowned self] in sessionNames }
    try connect(handed)
  }

  private func connect(_ handed: [Int32]) throws {
    try live.loop.watch(signals.descriptor) { [unowned self] in takeSignals() }
    translateKeys()
    live.didAdd = { [unowned self] _, path in
      readCount += 1
      problem(path, nil)
    }
    live.didRefuse = { [unowned self] refused in problem(refused.path, "\(refused)") }
    live.didChangeGrab = { [unowned self] news in report(news) }
    live.didChangeTwin = { [unowned self] news in
      problem("twin \(news.path ?? "")", news.isProblem ? news.strokeSentence : nil)
    }
    session.addHandler(matching: .device) { [unowned self] event in
      guard case .device(let event) = event, event.change == .removed else { return }
      readCount -= 1
      reportStatus()
    }
    privateSockets.didFail = { [unowned self] kind, reason in problem("socket\(kind)", reason) }
    seat.didChange = { [unowned self] in
      broker.seatChanged(to: $0)
      privateSockets.seatChanged(to: $0.activeUser)
      // logind does not report the end of a session whose processes still run
      endSessions()
    }
    seat.sessionEnded = { [unowned self] in broker.sessionEnded($0) }
    seat.didFail = { [unowned self] reason in
      problem("seat", reason)
      // sessions may have ended while logind was unreachable
      if reason == nil { endSessions() }
    }
    seat.didChangeDeadline = { [unowned self] in broker.reschedule() }
    broker.add(manager)
    broker.add(seat)
    broker.add(consent)
    broker.add(DelayedShrinking(after: InputLoop.now))
    try seat.start(on: live.loop)
    lookAtStore()
    lookAtSwitch()
    for descriptor in handed { try broker.listen(on: descriptor) }
    if let socket { try broker.listen(on: socket.descriptor) }
    privateSockets.start()
  }

  private var sessionNames: Set<String>? {
    seat.rule == .logind(busAddress: nil) ? LoginSessions.names : nil
  }

  private func endSessions() {
    if let sessionNames { broker.sessionsRemain(sessionNames) }
  }

  /// Without a layout, keys have no text, and chords that name characters match no key.
  private func translateKeys() {
    session.keyRepeat = .standard
    do throws(SystemError) {
      let (translator, _, failure) = try XkbKeyTranslator.find()
      session.keyTranslator = translator
      if let failure { problem("layout", "\(failure)") }
    } catch {
      problem("layout", "\(error)")
    }
  }

  // MARK: Running

  func run() throws(SystemError) {
    manager.ready()
    reportStatus()
    if let socket { DaemonProcess.say("listening on \(socket.path)", priority: 6) }
    record("started, version \(Release.version)")
    ResidentMemory.shrink()
    defer {
      manager.stopping()
      privateSockets.close()
      broker.close()
      gate.finish(at: .now)
      record("stopped")
    }
    try live.run(into: session)
  }

  private func record(_ detail: String) {
    gate.record(.broker, uid: geteuid(), client: "glissd", detail: detail, at: .now)
  }

  private func takeSignals() {
    while let signal = signals.next() {
      if signal.number == SIGHUP {
        lookAtStore()
        lookAtSwitch()
      } else {
        live.stop()
      }
    }
  }

  @discardableResult
  private func lookAtStore() -> [String] {
    let found = gate.check()
    problem("store", found.isEmpty ? nil : found.joined(separator: "; "))
    // sessions may have ended while the store could not be opened
    endSessions()
    broker.review()
    return found
  }

  private func lookAtSwitch() {
    do throws(SystemError) {
      live.hidesResting = TwinSwitch.system.hidesResting
      try strokes.choose(twins: TwinSwitch.system.isOn)
      problem("twin", nil)
    } catch {
      // tries once more, and ends the connections whose strokes are no longer hidden
      let left = broker.updateStrokes()
      problem("twin", left.map { "the desktop gets all strokes: \($0)" })
    }
  }

  // MARK: Reporting

  private func report(_ news: GrabChange) {
    // a problem of one keyboard, or of all of them
    problem("grab \(news.path ?? "")", news.isProblem ? "\(news)" : nil)
    if case .grabbed = news { problem("grab ", nil) }
  }

  private func problem(_ about: String, _ text: String?) {
    guard problems[about] != text else { return reportStatus() }
    problems[about] = text
    if let text { DaemonProcess.say(text) }
    reportStatus()
  }

  private func reportStatus() {
    let sorted = problems.sorted { $0.key < $1.key }
    broker.problems = sorted.filter { $0.key != "store" }.map(\.value)
    let known = sorted.map(\.value)
    manager.report(
      status:
        readCount == 0 && known.isEmpty
        ? "no input device is there yet"
        : (["reading \(counted(readCount, "device"))"] + known).joined(separator: "; "))
  }
}
