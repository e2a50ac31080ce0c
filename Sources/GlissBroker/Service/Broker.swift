package import GlissDevices
package import GlissEvents
package import GlissGate
package import GlissHotkeys
package import GlissSession

/// What the broker runs on: a loop and an alarm. ``LiveDevices`` is one.
package protocol BrokerHost: AnyObject {
  var loop: InputLoop { get }
  /// When ``didRing`` is to be called once.
  var alarm: EventTime? { get set }
  var didRing: (() -> Void)? { get set }
}

/// A host that can also consume keys, so that the rest of the desktop does not get them.
package protocol ConsumingHost: BrokerHost {
  var consumed: ConsumedKeys { get set }

  /// Throws the reason why keys cannot be consumed.
  func checkConsuming() throws(SystemError)

  /// Consumes keys again after the panic chord or a stall.
  func resumeConsuming()

  /// Consumes keys again after a stall only.
  func resumeConsumingAfterStall()
}

extension LiveDevices: ConsumingHost {}

/// Something beside the broker that has its own deadline.
package protocol Timed: AnyObject {
  var deadline: EventTime? { get }
  func advance(to time: EventTime)
}

/// Serves one seat's input to other processes, to each what it was granted. There is one thread and
/// one loop, and nothing waits for a client.
package final class Broker {
  /// Problems of the machine for the Status call, such as unreadable devices. The gate has its own.
  package var problems: [String] = []
  /// Reads the store again, for root's Check call, and returns its problems.
  package var checkStore: () -> [String]
  /// The names of the sessions that a grant may end with; `nil` if they are unknown.
  package var sessionNames: () -> Set<String>? = { nil }

  let host: any ConsumingHost
  let session: Session
  let gate: Gate
  let server: Server
  let consent: any ConsentAuthority
  let limits: Limits

  var seat = Seat()
  /// The state of the seat as the gate uses it, updated on each change.
  private(set) var state = SeatState()
  let streams = Streams()
  var hotkeys: [UInt32: UserHotkeys] = [:]
  /// Until when no question is asked in a user's name.
  var rests: [UInt32: EventTime] = [:]
  /// The same for questions from the user's sandboxes.
  var sandboxRests: [UInt32: EventTime] = [:]
  /// Until when a user's sandboxes may not hold secure input.
  var secretRests: [UInt32: EventTime] = [:]

  package var makeKeyboard: (() throws(SystemError) -> any KeyPressing)?
  /// The keyboard, created when a client that may press keys first needs it.
  private(set) var plugged: (any KeyPressing)?
  /// The clients whose chords may still wait to be pressed, by the connection's number.
  var posters: [UInt64: Ask] = [:]
  package var strokes: (any StrokeTaking)?
  /// The last drag or swipe, until a client has learned of the finger that pointed after it on the
  /// same device.
  var endedMotion: (time: EventTime, device: DeviceID, pointing: PointingMachine)?
  var budgets: [UInt32: PressBudgets] = [:]

  private var panic = PanicChord()
  private var isPanicked = false
  private var knownGeneration: UInt64 = 0
  private var companions: [any Timed] = []

  enum Activity {
    case monitor(Right)
    case hotkey
    case secureInput
    case lock
    case hold(Right)
    /// It waits for a finger that points.
    case pointing(Right)
    /// It follows what the gate says about a scope.
    case preflight(Right)
    /// A dialog, with the request that it is about if it is about one.
    case question(UInt64, about: (pending: Int64, ask: Ask)?)
  }

  package init(
    host: any ConsumingHost, session: Session, gate: Gate, consent: any ConsentAuthority,
    identifier: PeerIdentifier? = nil, limits: Limits = Limits()
  ) throws(SystemError) {
    let identifier = identifier ?? PeerIdentifier(host.loop, path: nil)
    self.host = host
    self.session = session
    self.gate = gate
    checkStore = { gate.check() }
    self.consent = consent
    self.limits = limits
    server = try Server(
      host.loop, limits: limits, identify: { identifier.identify($0, $1) })
    knownGeneration = gate.generation
    server.delegate = self
    server.isFavored = { [unowned self] in isFavored($0) }
    server.forget = { identifier.forget($0) }
    identifier.deadlineDidMove = { [unowned self] in reschedule() }
    companions = [identifier]
    server.deadlineDidMove = { [unowned self] in reschedule() }
    host.didRing = { [unowned self] in advance(to: InputLoop.now) }
    session.addHandler(matching: .all) { [unowned self] in handle($0) }
    session.willReleaseKeys = { [unowned self] device, time in
      forEachHotkeyClient { $0.cancel(device, at: time, in: state) }
      reschedule()
    }
  }

  /// Whether the user may use the reserved share of each limit: root and the user at the seat may.
  func isFavored(_ uid: UInt32) -> Bool { uid == 0 || uid == state.activeUser }

  /// Accepts clients, only `user` if there is one, from a socket that already listens.
  package func listen(on descriptor: Int32, user: UInt32? = nil) throws(SystemError) {
    try server.listen(on: descriptor, user: user)
    reschedule()
  }

  package func ignore(_ descriptor: Int32) { server.ignore(descriptor) }

  /// Wakes `companion` at its deadline. If that changes otherwise, it must call ``reschedule()``.
  package func add(_ companion: any Timed) {
    companions.append(companion)
    reschedule()
  }

  package func close() {
    server.close()
    host.alarm = nil
  }

  // MARK: Events

  private func handle(_ event: InputEvent) {
    // keys held on a removed device are no longer held
    if case .device(let device) = event, device.change == .removed { panic = PanicChord() }
    if case .key(let key) = event, panic.process(key) {
      // The session is still passing on this event, so the consequences follow later.
      isPanicked = true
      host.alarm = .zero
    }
    if let user = state.activeUser, hotkeys[user] != nil,
      state.reportsHotkeys(of: user, couldType: false)
    {
      let before = hotkeys[user]?.deadline
      if hotkeys[user]?.process(event, held: session.modifiers, in: state) == true {
        keep(event)
      }
      if hotkeys[user]?.deadline != before { reschedule() }
    }
    noteStrokes(event)
    notePointing(event)
    streams.send(event, device: { [session] in session.device($0) }, in: state)
  }

  // MARK: Time

  /// The longest wait for a deadline of the gate. Grants expire by the wall clock, which can be set
  /// and runs on during sleep, unlike the loop's clock. So a grant may outlive its time, but at
  /// most by this much.
  private static let longestWait = EventInterval.milliseconds(60_000)

  private var deadline: EventTime? {
    if isPanicked { return .zero }
    var earliest = EventTime.earlier(server.deadline, seat.secureInput.deadline)
    for registered in hotkeys.values { earliest = EventTime.earlier(earliest, registered.deadline) }
    for companion in companions { earliest = EventTime.earlier(earliest, companion.deadline) }
    guard let wall = gate.deadline else { return earliest }
    let wait = EventInterval.milliseconds(1000 * Double(wall.seconds - WallTime.now.seconds))
    return EventTime.earlier(earliest, InputLoop.now + min(max(wait, .zero), Self.longestWait))
  }

  /// Updates the alarm. Call this after changing a deadline.
  package func reschedule() { host.alarm = deadline }

  private func advance(to time: EventTime) {
    server.advance(to: time)
    forEachHotkeyClient { $0.advance(to: time) }
    for companion in companions { companion.advance(to: time) }
    gate.advance(to: .now)
    let hasPanicked = isPanicked
    isPanicked = false
    let ends = change(at: time) { seat in
      var ends = seat.secureInput.advance(to: time)
      if hasPanicked, let user = seat.observation.activeUser {
        ends += seat.secureInput.panic(of: user, at: time)
      }
      return ends
    }
    if hasPanicked { plugged?.forget() }
    notifyHolders(of: ends)
    review()
  }

  // MARK: The seat

  package func seatChanged(to observation: SeatState) {
    let before = seat.observation
    let now = InputLoop.now
    notifyHolders(of: change(at: now) { $0.observe(observation, at: now) })
    guard before.session != observation.session else { return }
    gate.record(
      .sessionChange, uid: observation.activeUser ?? 0, client: "",
      detail: observation.session ?? "none", at: .now)
  }

  package func sessionEnded(_ name: String) {
    seat.forget(session: name)
    gate.sessionEnded(name, at: .now)
    review()
  }

  /// Ends all login sessions except these, because others may have ended unnoticed.
  package func sessionsRemain(_ names: Set<String>) {
    gate.sessionsRemain(names, at: .now)
    review()
  }

  /// Changes the state of the seat. Events in progress end first, in the old state, so that clients
  /// that saw them begin also see their end. A client that sees more afterwards sees nothing of
  /// what began before.
  @discardableResult
  func change<Result>(at time: EventTime, _ body: (inout Seat) -> Result) -> Result {
    let result = body(&seat)
    let new = seat.state
    guard new != state else { return result }
    let old = state
    // hotkeys first: the releases that the session generates must not trigger any, and are not taps
    forEachHotkeyClient { $0.cancel(nil, at: time, in: old) }
    session.interrupt(at: time)
    // a stroke from before the change must not be reported after it
    endedMotion = nil
    state = new
    updateConsumption()
    updateStrokes()
    // keys that wait to be pressed were meant for the old state
    plugged?.forget()
    for uid in streams.users {
      let served = SessionState(of: uid, in: new)
      if served != SessionState(of: uid, in: old) { streams.send(served, of: uid, at: time) }
    }
    reschedule()
    return result
  }

  private func notifyHolders(of ends: [SecureInputMachine.End]) {
    for end in ends {
      guard let connection = server.connections.first(where: { $0.number == end.connection }) else {
        continue
      }
      connection.activity = nil
      record(.secureInput, connection, "ended: \(end.reason)")
      connection.send(.result(["over": .bool(true)]))
    }
  }

  func keyboard() throws(SystemError) -> any KeyPressing {
    if let plugged { return plugged }
    guard let makeKeyboard else { throw Self.noUinput }
    let made = try makeKeyboard()
    plugged = made
    return made
  }

  static var noUinput: SystemError { SystemError("uinput", "is not there") }

  // MARK: Grants that change

  /// Ends everything that rests on grants that are gone, and dialogs about requests that are. Call
  /// this after the gate has changed or checked its store.
  package func review() {
    defer { reschedule() }
    answerDecided()
    guard gate.generation != knownGeneration else { return }
    knownGeneration = gate.generation
    for registration in hotkeys.values.flatMap(\.all) {
      let connection = registration.connection
      guard let verdict = registration.request.needs.compactMap({ lack(of: $0) }).first,
        connection.activity != nil
      else { continue }
      end(connection, verdict, restedOn: registration.request.grants)
    }
    for connection in server.connections {
      let right: Right
      switch connection.activity {
      case .monitor(let basis)?, .hold(let basis)?, .pointing(let basis)?: right = basis
      case .hotkey?, .secureInput?, .lock?, .preflight?, .question?, nil: continue
      }
      var verdict = verdict(on: right)
      if right.verdict.isCovered(by: verdict) { continue }
      // a stream must not continue as if it still showed everything
      if case .monitor? = connection.activity, verdict.standing == .granted {
        verdict.standing = .notDetermined
        verdict.advice = "less is granted than before: call Monitor again for what is left"
      }
      end(connection, verdict, restedOn: right.grants)
    }
    gate.endings = [:]
    reviewPosters()
    reviewStrokes()
    reviewEscapes()
    reportVerdicts()
  }

  /// Ends what the connection follows, and reports why, first of all the gate's reason if known.
  private func end(_ connection: Connection, _ verdict: Verdict, restedOn grants: [GrantID]) {
    var verdict = verdict
    let reason = grants.compactMap { gate.endings[$0] }.first
    let words = [reason, verdict.advice].compactMap(\.self)
    verdict.advice = "ended: " + words.joined(separator: "; ")
    endActivity(of: connection)
    connection.send(.notGranted(verdict))
  }

  /// The present verdict on what was asked before. Single-use grants that it rests on still count.
  func verdict(on right: Right, usesOnce: Bool = true) -> Verdict {
    gate.verdict(on: right.ask, holding: right.grants, usesOnce: usesOnce, at: .now)
  }

  /// The present verdict if it lacks a part of what was asked for.
  func lack(of right: Right, usesOnce: Bool = true) -> Verdict? {
    let verdict = verdict(on: right, usesOnce: usesOnce)
    return verdict.isNarrower(than: right.ask.scope) ? verdict : nil
  }
}
