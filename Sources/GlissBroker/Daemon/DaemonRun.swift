import Glibc
import GlissDevices
import GlissEvents
import GlissGate
import GlissSession

/// Combines all parts of `glissd`.
final class DaemonRun {
  private let options: DaemonOptions
  private let live: LiveDevices
  private let session = Session()
  private let gate: Gate
  private let journal = Journal()
  private let seat: SeatWatch
  private let consent: PolkitAuthority
  private let manager: ServiceManager
  private let broker: Broker
  private let signals: SignalQueue
  private let strokes: StrokeChoice
  /// Our own socket, if none was passed to us.
  private let socket: OwnSocket?
  private let privateSockets: PrivateSockets

  /// Current problems, by subject.
  private var problems: [String: String] = [:]
  private var readCount = 0

  /// - Throws: if it cannot serve at all. It still serves with unreadable devices or untrusted
  ///   grants.
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
      folder: options.store, machine: DaemonProcess.machine, sink: journal, at: .now)
    seat = SeatWatch(options.rule(hasLogind: LoginManager.isRunning))
    consent = PolkitAuthority(live.loop, address: options.bus)
    broker = try Broker(
      host: live, session: session, gate: gate, consent: consent,
      identifier: PeerIdentifier(live.loop, path: options.programs))
    broker.makeKeyboard = { [live, session] () throws(SystemError) in
      let keyboard = try UinputKeyboard(
        on: live.loop, translator: session.keyTranslator)
      live.lendTwins(to: keyboard)
      return keyboard
    }
    strokes = StrokeChoice(control: try StrokeControl(on: live.loop), twins: live)
    broker.strokes = strokes
    privateSockets = PrivateSockets(beside: options.socket, broker)
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
    endSessions()
    lookAtStore()
    lookAtSwitch()
    for descriptor in handed { try broker.listen(on: descriptor) }
    if let socket { try broker.listen(on: socket.descriptor) }
    privateSockets.start()
  }

  /// Ends sessions that may have ended unnoticed.
  private func endSessions() {
    guard seat.rule == .logind(busAddress: nil), let names = LoginSessions.names else { return }
    broker.sessionsRemain(names)
  }

  /// Translates keys with the machine's keyboard layout. Without a layout, keys have no text, and
  /// chords that name characters match no key.
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

  /// Serves until a signal ends it.
  func run() throws(SystemError) {
    manager.ready()
    reportStatus()
    ResidentMemory.shrink()
    defer {
      manager.stopping()
      privateSockets.close()
      broker.close()
    }
    try live.run(into: session)
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

  private func lookAtStore() {
    let found = gate.check()
    problem("store", found.isEmpty ? nil : found.joined(separator: "; "))
    broker.gateWasChecked()
  }

  private func lookAtSwitch() {
    do throws(SystemError) {
      live.hidesResting = TwinSwitch.system.hidesResting
      try strokes.choose(twins: TwinSwitch.system.isOn)
      problem("twin", nil)
    } catch {
      problem("twin", "the desktop gets all strokes: \(error)")
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
    let known = problems.sorted { $0.key < $1.key }.map(\.value)
    broker.problems = known
    let devices = readCount == 1 ? "1 device" : "\(readCount) devices"
    manager.report(
      status:
        readCount == 0 && known.isEmpty
        ? "no input device is there yet"
        : (["reading \(devices)"] + known).joined(separator: "; "))
  }
}
