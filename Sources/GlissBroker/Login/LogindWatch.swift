import GlissDevices
import GlissEvents
import GlissGate

/// Listens to logind. If the bus or logind goes away, nobody is active until it is back and has
/// answered.
final class LogindWatch {
  private static let service = "org.freedesktop.login1"
  private static let manager = "/org/freedesktop/login1"
  private static let seatPath = "\(manager)/seat/seat0"
  /// The timeout of an answer. logind normally answers within milliseconds.
  private static let timeout = EventInterval.milliseconds(5000)
  /// The back-off for a lost bus: retry after one second, then two, four and so on, up to a minute.
  private static let retries = EventInterval.milliseconds(1000)...EventInterval.milliseconds(60_000)

  private unowned let watch: SeatWatch
  private let loop: InputLoop
  private let address: String?
  private var state = LogindState()
  private var bus: Bus?
  private var listeners: [BusInterest] = []
  /// Pending questions, and those whose answer may be older than a signal since.
  private var asked: [LogindState.Question: BusInterest] = [:]
  private var askAgain: Set<LogindState.Question> = []
  /// logind's unique name on the bus, from its answer to us. Only signals from that name count, and
  /// none before it is known.
  private var logind: String?
  /// When to retry after a failure, and how long to wait after that.
  private(set) var retry: EventTime? { didSet { watch.didChangeDeadline?() } }
  private var pause = retries.lowerBound

  init(_ loop: InputLoop, address: String?, for watch: SeatWatch) {
    self.watch = watch
    self.loop = loop
    self.address = address
  }

  func advance(to time: EventTime) {
    guard let due = retry, due <= time else { return }
    retry = nil
    if bus == nil { connect() } else { ask(.seat) }
  }

  // MARK: The bus

  func connect() {
    guard let bus = Bus(address) else { return fail("there is no system bus") }
    self.bus = bus
    do {
      try bus.attach(to: loop) { [unowned self] in
        lose()
        fail("the system bus is gone")
      }
    } catch {
      lose()
      return fail("\(error)")
    }
    listen(on: bus)
    ask(.seat)
    ask(.sleep)
  }

  private func lose() {
    listeners = []
    forget()
    bus = nil
  }

  private func forget() {
    logind = nil
    asked = [:]
    askAgain = []
    state.forget()
    report()
  }

  private func fail(_ reason: String) {
    watch.didFail?("\(reason): nobody's session counts as active")
    retry = InputLoop.now + pause
    pause = min(
      EventInterval(microseconds: pause.microseconds * 2), Self.retries.upperBound)
  }

  private func report() { watch.observe(state.observation) }

  // MARK: Listening

  private func listen(on bus: Bus) {
    // Anyone on the bus may send a signal like these past the rules: sd-bus compares only senders
    // that a rule names by their unique name.
    let properties = "org.freedesktop.DBus.Properties"
    let from = "type='signal',sender='\(Self.service)'"
    let changes = bus.listen(
      "\(from),interface='\(properties)',member='PropertiesChanged',path_namespace='\(Self.manager)'"
    ) { [unowned self] in if isLogind($0) { takeChange($0) } }
    let signals = bus.listen(
      "\(from),interface='\(Self.service).Manager',path='\(Self.manager)'"
    ) { [unowned self] in if isLogind($0) { takeManagerSignal($0) } }
    let owner = bus.listenForOwner(of: Self.service) { [unowned self] in takeOwner($0) }
    listeners = [changes, signals, owner].compactMap(\.self)
  }

  private func isLogind(_ message: borrowing BusMessage) -> Bool {
    logind != nil && message.sender == logind
  }

  private func takeOwner(_ owner: String?) {
    forget()
    if owner == nil {
      watch.didFail?("logind is gone: nobody's session counts as active")
    } else {
      ask(.seat)
      ask(.sleep)
    }
  }

  private func takeManagerSignal(_ message: borrowing BusMessage) {
    switch message.member {
    case "PrepareForSleep":
      guard let isAsleep = message.bool() else { return }
      asked[.sleep] = nil
      state.isAsleep = isAsleep
      report()
    case "SessionRemoved":
      if let name = message.string() { watch.sessionEnded?(name) }
    case _: break
    }
  }

  private func takeChange(_ message: borrowing BusMessage) {
    guard let path = message.path, let interface = message.string() else { return }
    let values = message.dictionary()
    switch interface {
    case "\(Self.service).Seat" where path == Self.seatPath:
      if case .object(let name, let session)? = values["ActiveSession"] {
        ask(state.seatHas(session: name, path: session))
      } else {
        // changed, but the new value is missing
        ask(.seat)
      }
    case "\(Self.service).Session" where path == state.sessionPath:
      ask(
        state.sessionChanged(
          path, isActive: values["Active"]?.bool, isLocked: values["LockedHint"]?.bool))
    case _: break
    }
    report()
  }

  // MARK: Asking

  private func ask(_ question: LogindState.Question?) {
    guard let question else { return }
    guard asked[question] == nil else {
      askAgain.insert(question)
      return
    }
    let (path, interface) =
      switch question {
      case .sleep: (Self.manager, "Manager")
      case .seat: (Self.seatPath, "Seat")
      case .session(let path): (path, "Session")
      }
    asked[question] = bus?.ask(
      Self.service, path, "org.freedesktop.DBus.Properties", "GetAll",
      { $0.append("\(Self.service).\(interface)") }, within: Self.timeout
    ) { [unowned self] answer in
      let isStale = askAgain.remove(question) != nil
      asked[question] = nil
      // if a signal came after the question, the answer may be older than it, so ask again
      take(answer, to: question)
      if isStale { ask(question) }
      report()
    }
  }

  private func take(_ answer: borrowing BusMessage, to question: LogindState.Question) {
    if let error = answer.error {
      // the session has probably ended, and the seat will report its successor
      switch question {
      case .sleep: break
      case .seat: fail("logind does not answer (\(error))")
      case .session(let path):
        state.sessionIs(path, user: nil, isActive: nil, isLocked: nil)
        if bus != nil { retry = InputLoop.now + Self.retries.lowerBound }
      }
      return
    }
    let values = answer.dictionary()
    logind = answer.sender
    switch question {
    case .sleep: state.isAsleep = values["PreparingForSleep"]?.bool ?? state.isAsleep
    case .seat:
      guard case .object(let name, let path)? = values["ActiveSession"] else {
        return fail("logind does not say whose session is active")
      }
      retry = nil
      pause = Self.retries.lowerBound
      watch.didFail?(nil)
      ask(state.seatHas(session: name, path: path))
    case .session(let path):
      var user: UInt32?
      if case .object(let number, _)? = values["User"] { user = UInt32(number) }
      state.sessionIs(
        path, user: user, isActive: values["Active"]?.bool, isLocked: values["LockedHint"]?.bool)
    }
  }
}

extension BusMessage.Value {
  fileprivate var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
}

/// What logind has reported about a seat and its active session so far. Signals and answers may
/// cross: an answer counts only for the session that is active when it comes.
struct LogindState {
  enum Question: Hashable {
    case sleep
    case seat
    case session(path: String)
  }

  /// The active session; `nil` until logind names one, and while the seat has none.
  private var session: (name: String, path: String)?
  /// What logind has answered about it.
  private var facts: (user: UInt32, isActive: Bool, isLocked: Bool)?
  var isAsleep = false

  /// What the gate may use. No user is active until everything is known.
  var observation: SeatState {
    var observation = SeatState()
    if let session, let facts, facts.isActive {
      observation = SeatState(activeUser: facts.user, session: session.name)
      observation.isLocked = facts.isLocked
    }
    observation.isAsleep = isAsleep
    return observation
  }

  var sessionPath: String? { session?.path }

  /// Sets the seat's active session. An empty name means that there is none.
  mutating func seatHas(session name: String, path: String) -> Question? {
    if name.isEmpty {
      forget()
      return nil
    }
    if path != sessionPath {
      session = (name, path)
      facts = nil
    }
    return .session(path: path)
  }

  /// Takes in the answer about a session. Missing values are unknown.
  mutating func sessionIs(
    _ path: String, user: UInt32?, isActive: Bool?, isLocked: Bool?
  ) {
    guard path == sessionPath else { return }
    facts = nil
    if let user, let isActive, let isLocked { facts = (user, isActive, isLocked) }
  }

  /// Takes in a change of the session at that path. `nil` means unchanged.
  mutating func sessionChanged(_ path: String, isActive: Bool?, isLocked: Bool?) -> Question? {
    guard path == sessionPath else { return nil }
    // the pending answer may be older than this change
    guard let known = facts else { return .session(path: path) }
    facts = (known.user, isActive ?? known.isActive, isLocked ?? known.isLocked)
    return nil
  }

  /// Forgets everything except sleep, because a machine sleeps even without logind.
  mutating func forget() { (session, facts) = (nil, nil) }
}
