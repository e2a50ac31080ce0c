package import GlissDevices
package import GlissEvents
package import GlissGate
package import GlissHotkeys
package import GlissSession

/// What turns the broker's wheels: a loop to wait on, and an alarm. ``LiveDevices`` is one.
package protocol BrokerHost: AnyObject {
  var loop: EventLoop { get }
  /// When ``didRing`` is to be called once.
  var alarm: EventTime? { get set }
  var didRing: (() -> Void)? { get set }
}

/// One that can keep keys from the rest of the desktop, too.
package protocol ConsumingHost: BrokerHost {
  /// Keys that are kept from the rest of the desktop.
  var consumed: ConsumedKeys { get set }

  /// Whether any could be.
  ///
  /// - Throws: why not.
  func checkConsuming() throws(DeviceError)

  /// Keeps keys again, after the panic chord or a stall.
  func resumeConsuming()

  /// The same after a stall only.
  func resumeConsumingAfterStall()
}

extension LiveDevices: ConsumingHost {}

/// Something beside the broker that waits for a time of its own.
package protocol Timed: AnyObject {
  var deadline: EventTime? { get }
  func advance(to time: EventTime)
}

/// Serves one seat's input to other processes, each what it was granted.
///
/// One thread, one loop: calls are answered and events are handed on where they come in, and nothing waits for a client.
package final class Broker {
  /// Where problems of the machine are told, for ``Status``: devices that cannot be read, a store that is not sound.
  package var problems: [String] = []

  let host: any ConsumingHost
  let session: Session
  let gate: Gate
  let server: Server
  let consent: any ConsentAuthority
  let limits: Limits

  var seat = Seat()
  /// The same as the gate goes by it, worked out when it changes.
  private(set) var state = SeatState()
  let streams = Streams()
  var desks: [UInt32: ClientHotkeys] = [:]
  /// What each connection is about, where that lasts.
  var works: [ObjectIdentifier: Work] = [:]
  /// Requests that somebody is being asked about, by the uid: one at a time.
  var questions: [UInt32: ObjectIdentifier] = [:]
  /// Until when nothing is asked in a user's name.
  var rests: [UInt32: EventTime] = [:]
  /// The same for questions that the user's sandboxes have asked.
  var sandboxRests: [UInt32: EventTime] = [:]
  /// Until when a user's sandboxes hold secure input no more.
  var secretRests: [UInt32: EventTime] = [:]

  /// Plugs in the keyboard that keys are pressed on.
  package var makeKeyboard: (() throws(DeviceError) -> any KeyPressing)?
  /// It is there from the first time on that somebody may press keys.
  private var plugged: (any KeyPressing)?
  /// How much each user may still have pressed.
  var budgets: [UInt32: PressBudget] = [:]

  private var panic = PanicChord()
  private var isPanicked = false
  private var knownGeneration: UInt64 = 0
  private var companions: [any Timed] = []

  /// What a connection is about.
  enum Work {
    case monitor
    case hotkey(uid: UInt32)
    case secureInput(uid: UInt32)
    case lock(uid: UInt32)
    /// Somebody is asked in its name.
    case question(UInt64, pending: Int64?)
  }

  /// - Throws: where the loop cannot wait for anything.
  package init(
    host: any ConsumingHost, session: Session, gate: Gate, consent: any ConsentAuthority,
    identifier: PeerIdentifier? = nil, limits: Limits = Limits()
  ) throws(DeviceError) {
    let identifier = identifier ?? PeerIdentifier(host.loop, path: nil)
    self.host = host
    self.session = session
    self.gate = gate
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
    host.didRing = { [unowned self] in advance(to: EventLoop.now) }
    session.addHandler(matching: .all) { [unowned self] in handle($0) }
  }

  /// For root and who sits there some of everything is kept.
  func isFavored(_ uid: UInt32) -> Bool { uid == 0 || uid == state.activeUser }

  /// Takes clients from a socket that listens already.
  ///
  /// - Parameter user: the only user who may connect to it.
  package func listen(on descriptor: Int32, user: UInt32? = nil) throws(DeviceError) {
    try server.listen(on: descriptor, user: user)
    reschedule()
  }

  /// Takes no more clients from that socket, which is about to be closed.
  package func ignore(_ descriptor: Int32) { server.ignore(descriptor) }

  /// Wakes `companion` at its deadline; it calls ``reschedule()`` when that changes by itself.
  package func add(_ companion: any Timed) {
    companions.append(companion)
    reschedule()
  }

  /// Lets all clients go.
  package func close() {
    server.close()
    host.alarm = nil
  }

  // MARK: Events

  private func handle(_ event: InputEvent) {
    // what was held on a device that is gone is held no more
    if case .device(let device) = event, device.change == .removed { panic = PanicChord() }
    if case .key(let key) = event, panic.process(key) {
      // the session is in the middle of telling: what ends because of this ends after it
      isPanicked = true
      host.alarm = .zero
    }
    if let user = state.activeUser, desks[user] != nil,
      state.tellsHotkeys(of: user, couldType: false)
    {
      let before = desks[user]?.deadline
      if desks[user]?.process(event, held: session.modifiers, in: state) == true {
        keep(event)
      }
      if desks[user]?.deadline != before { reschedule() }
    }
    streams.tell(
      event, device: { [session] in session.device($0)?.name ?? "" }, in: state)
  }

  // MARK: Time

  /// Grants end by a clock that may be set, and that goes on while the machine sleeps; the loop's does neither. So long
  /// one may outlive its time at most.
  private static let longestWait = EventInterval.milliseconds(60_000)

  /// When something must happen if nothing comes before.
  private var deadline: EventTime? {
    if isPanicked { return .zero }
    var earliest = EventTime.earlier(server.deadline, seat.secureInput.deadline)
    for desk in desks.values { earliest = EventTime.earlier(earliest, desk.deadline) }
    for companion in companions { earliest = EventTime.earlier(earliest, companion.deadline) }
    guard let wall = gate.deadline else { return earliest }
    let wait = EventInterval.milliseconds(1000 * Double(wall.seconds - WallTime.now.seconds))
    return EventTime.earlier(earliest, EventLoop.now + min(max(wait, .zero), Self.longestWait))
  }

  /// Sets the alarm anew; whoever changes a deadline calls it.
  package func reschedule() { host.alarm = deadline }

  private func advance(to time: EventTime) {
    server.advance(to: time)
    for uid in desks.keys { desks[uid]?.advance(to: time) }
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
    tell(ends)
    review()
    reschedule()
  }

  // MARK: The seat

  /// What logind says now.
  package func seatChanged(to observation: SeatObservation) {
    let before = seat.observation
    let now = EventLoop.now
    tell(change(at: now) { $0.observe(observation, at: now) })
    guard before.session != observation.session else { return }
    gate.record(
      .sessionChange, uid: observation.activeUser ?? 0, client: "",
      detail: observation.session ?? "none", at: .now)
  }

  /// A login session has ended, and what was granted for it with it.
  package func sessionEnded(_ name: String) {
    seat.forget(session: name)
    gate.sessionEnded(name, at: .now)
    review()
    reschedule()
  }

  /// These login sessions there are; others have ended while nobody looked.
  package func sessionsRemain(_ names: Set<String>) {
    gate.sessionsRemain(names, at: .now)
    review()
    reschedule()
  }

  /// Changes what holds for the seat. Whatever is under way is ended as those may still see it who saw it begin, and
  /// whoever sees more afterwards sees nothing of what began before.
  @discardableResult
  func change<Result>(at time: EventTime, _ body: (inout Seat) -> Result) -> Result {
    let result = body(&seat)
    let new = seat.state
    guard new != state else { return result }
    let old = state
    // hotkeys first: the releases that the session makes are nothing to act on, and no taps
    for uid in desks.keys { desks[uid]?.cancel(at: time, in: old) }
    session.interrupt(at: time)
    state = new
    updateConsumption()
    // what waits to be pressed was meant for what is no more
    plugged?.forget()
    for uid in streams.users {
      let served = SessionState(of: uid, in: new)
      if served != SessionState(of: uid, in: old) { streams.tell(served, of: uid, at: time) }
    }
    reschedule()
    return result
  }

  /// Tells holders of secure input that they hold it no more.
  private func tell(_ ends: [SecureInputMachine.End]) {
    for end in ends {
      guard let connection = server.connections.first(where: { $0.number == end.connection }) else {
        continue
      }
      works[ObjectIdentifier(connection)] = nil
      record(.secureInput, connection, "ended: \(end.reason)")
      connection.send(.result(["over": .bool(true)]))
    }
  }

  /// What keys are pressed on, plugged in if it is not yet.
  func keyboard() throws(Failure) -> any KeyPressing {
    if let plugged { return plugged }
    do throws(DeviceError) {
      guard let makeKeyboard else { throw DeviceError("uinput", "is not there") }
      let made = try makeKeyboard()
      plugged = made
      return made
    } catch {
      throw .noKeyboard(error)
    }
  }

  // MARK: Grants that change

  /// Somebody else has had the gate look at its store: what does not count any more ends now.
  package func gateWasChecked() {
    review()
    reschedule()
  }

  /// Ends what rests on grants that are gone.
  func review() {
    guard gate.generation != knownGeneration else { return }
    knownGeneration = gate.generation
    for stream in Array(streams.all) {
      let verdict = gate.verdict(
        on: gate.renewed(stream.ask), holding: stream.verdict.grants, at: .now)
      if stream.verdict.isCovered(by: verdict) { continue }
      end(stream, verdict)
    }
    for (uid, desk) in desks {
      for registration in desk.all {
        guard let verdict = lack(of: registration),
          works.removeValue(forKey: ObjectIdentifier(registration.connection)) != nil
        else { continue }
        unregister(registration.connection, of: uid, at: EventLoop.now)
        registration.connection.send(Failure.notGranted(verdict).reply)
      }
    }
    reviewEscapes()
  }

  /// What a hotkey rested on and has no more; `nil` where it has all.
  private func lack(of registration: ClientHotkeys.Registration) -> Verdict? {
    for need in [registration.need, registration.consuming].compactMap(\.self) {
      let verdict = gate.verdict(on: gate.renewed(need.ask), holding: need.grants, at: .now)
      if verdict.isNarrower(than: need.ask.scope) { return verdict }
    }
    return nil
  }

  /// The client's hotkeys are free again.
  func unregister(_ connection: Connection, of uid: UInt32, at time: EventTime) {
    gate.ended(desks[uid]?.unregister(connection, at: time) ?? [])
    if desks[uid]?.count == 0 { desks[uid] = nil }
    reviewEscapes()
    updateConsumption()
  }

  func stop(_ stream: Streams.Stream) {
    streams.end(stream.connection)
    gate.ended(stream.verdict.grants)
  }

  /// A stream that sees less than it was given ends: it must not go on as if it saw all.
  func end(_ stream: Streams.Stream, _ verdict: Verdict) {
    let connection = stream.connection
    stop(stream)
    works[ObjectIdentifier(connection)] = nil
    connection.send(Failure.notGranted(verdict.afterRevocation).reply)
  }
}

extension Verdict {
  /// The same for one whose stream ends because of it.
  fileprivate var afterRevocation: Verdict {
    guard standing == .granted else { return self }
    var verdict = self
    verdict.standing = .notDetermined
    verdict.advice = "less is granted than before: call Monitor again for what is left"
    return verdict
  }
}
