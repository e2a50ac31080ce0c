import ArgumentParser
import Glibc
import Gliss

/// Prints events from the broker until interrupted.
final class BrokerWatching {
  private let monitor: GlobalEventMonitor
  private let format: EventFormat
  private let loop: EventLoop
  private let output: LiveOutput
  private let printer: EventPrinter
  private let end: EventTime?
  private var decoder = EventDecoder()
  private var devices: [DeviceID: Device] = [:]
  private var failure: ClientError?

  /// The smallest scope that covers all of `mask`.
  static func scope(for mask: EventMask) -> Scope {
    let events = mask.intersection(EventKinds.grantable)
    if events == .gesture { return Scope(tier: .gesture, events: .gesture) }
    return Scope(tier: .raw, events: events, keys: events.contains(.key) ? .all : [])
  }

  /// - Parameter isFound: Whether the broker was found without being named.
  init(
    _ monitor: GlobalEventMonitor, mask: EventMask, format: EventFormat, duration: EventInterval?,
    isFound: Bool
  ) throws(DeviceError) {
    self.monitor = monitor
    self.format = format
    loop = try EventLoop()
    output = LiveOutput(on: loop)
    let start = EventLoop.now
    end = duration.map { start + $0 }
    // the broker does not report a pad's size, so there is no picture
    printer = EventPrinter(
      file: nil, origin: format == .text ? start : .zero, format: format, mask: mask,
      wantsPicture: false, to: output)
    output.didClose = { [unowned self] in loop.stop() }
    try Interruption.tell(on: loop) { [unowned self] in loop.stop() }
    try loop.watch(monitor.descriptor) { [unowned self] in take() }
    if format == .text, isFound {
      Diagnostics.say("a broker runs: --devices reads the devices itself, and shows a picture")
    }
    if format == .text { Diagnostics.say("the broker reports events now; Ctrl-C ends") }
  }

  /// - Returns: The exit status.
  func run() throws(DeviceError) -> Int32 {
    // events that came with the first reply do not make the descriptor readable
    take()
    while !loop.isStopping {
      try loop.wait(until: end)
      if let end, end <= EventLoop.now { loop.stop() }
    }
    loop.unwatch(monitor.descriptor)
    printer.close(isWhole: false)
    let outcome = output.finish()
    if outcome != ExitStatus.done { return outcome }
    guard let failure else { return Interruption.toldStatus ?? ExitStatus.done }
    Diagnostics.say("the broker reports nothing more: \(ClientErrorText.text(failure))".printable)
    return ExitStatus.failed
  }

  private func take() {
    do throws(ClientError) {
      try monitor.take(with: &decoder) { print($0) }
    } catch {
      failure = error
      loop.stop()
    }
  }

  private func print(_ event: GlobalEvent) {
    switch event {
    case .input(let event, let name):
      let device = devices[event.device] ?? Device(id: event.device, name: name)
      devices[event.device] = device
      printer.print(event, from: device)
    case .session(let state, _):
      printer.note(event)
      say("session: \(state.rawValue)")
    case .lost(let count):
      printer.note(event)
      say("\(count) messages were left out: this was too slow")
    }
  }

  private func say(_ text: String) {
    if format == .text { Diagnostics.say(text) }
  }
}

/// Requests events from the broker, and permission if it is not granted yet.
struct BrokerAsking {
  let path: String

  /// Whether there seems to be a broker. It is not contacted.
  static var isThere: Bool { access(BrokerConnection.standardPath, R_OK | W_OK) == 0 }

  /// What the broker shows without a new request for permission.
  enum Standing {
    /// Nothing: there is no broker, or not everything is granted.
    case notGranted
    case shown
    /// Nothing, although everything is granted: another user's session is on the screen. The text
    /// is advice.
    case elsewhere(String)
  }

  func standing(for scope: Scope) -> Standing {
    guard let connection = try? BrokerConnection(path: path),
      let verdict = try? connection.preflight(scope), Self.covers(verdict, scope)
    else { return .notGranted }
    guard let seat = try? connection.status().seat else { return .shown }
    // tell root to run this as the user at the screen
    let other = Users.caller == 0 && seat.user != 0 ? seat.user : nil
    guard seat.state == SessionState.inactive.rawValue || other != nil else { return .shown }
    return .elsewhere(Self.advice(for: other))
  }

  private static func advice(for user: UInt32?) -> String {
    guard let user else {
      return
        "the broker shows input only to the user whose session is on the screen: run this there"
        + " ('loginctl list-sessions' lists the sessions)"
    }
    let name = Users.name(user)
    return "the broker shows input only to \(name), whose session is on the screen: run this as"
      + " \(name), without sudo"
  }

  /// Monitors the granted part of `scope`.
  ///
  /// - Throws: ``ExitCode`` if nothing is granted. The reason has been reported.
  func monitor(_ scope: Scope) throws(ExitCode) -> GlobalEventMonitor {
    do throws(ClientError) {
      try request(scope)
      let monitor = try GlobalEventMonitor(scope, path: path)
      sayWhatIsLess(than: scope, monitor.verdict)
      return monitor
    } catch {
      throw BrokerOptions.report(error)
    }
  }

  private func request(_ scope: Scope) throws(ClientError) {
    let connection = try BrokerConnection(path: path)
    if try Self.covers(connection.preflight(scope), scope) { return }
    let (verdict, pending) = try Reminder.around { () throws(ClientError) in
      try connection.request(scope, reason: "to print them: gliss watch", timeout: nil)
    }
    guard verdict.standing != .granted else { return }
    guard let pending else {
      throw .notGranted(verdict.standing, advice: verdict.advice ?? "'gliss grants' lists what is")
    }
    let once = scope.tier == .raw ? " --expires once" : ""
    throw .notGranted(
      verdict.standing,
      advice: "allow request \(pending) with 'sudo gliss grants answer \(pending) --allow\(once)',"
        + " and then run this again")
  }

  /// Whether a request could add nothing.
  private static func covers(_ verdict: Verdict, _ scope: Scope) -> Bool {
    verdict.standing == .granted && verdict.entitlements.contains { $0.scope == scope }
  }

  private func sayWhatIsLess(than scope: Scope, _ verdict: Verdict) {
    guard !Self.covers(verdict, scope) else { return }
    let granted = verdict.entitlements.map { ScopeSentence.describe($0.scope) }
    Diagnostics.say("granted: \(granted.joined(separator: "; "))")
  }
}
