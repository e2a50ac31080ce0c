import GlissClient
import GlissDevices
import GlissEvents
import GlissGate
import GlissHotkeys
import GlissSession

// Calls and ends of connections, as the server reports them.
extension Broker: ServerDelegate {
  func answer(_ call: VarlinkCall, from connection: Connection) {
    do {
      // the server refuses calls of other interfaces
      if call.interface == "org.gliss.Broker" {
        try answerBroker(call, from: connection)
      } else {
        try answerGrants(call, from: connection)
      }
    } catch let error as any Answerable {
      connection.send(error.reply)
    } catch {
      // all our own errors are handled above; any other error in a call must not end the broker
      record(.refuse, connection, "\(call.method): \(error)")
      connection.send(VarlinkService.methodNotFound(call))
    }
    review()
  }

  func stops(_ call: VarlinkCall) -> Bool {
    switch (call.interface, call.method) {
    case ("org.gliss.Broker", "AssertSecureInput"), ("org.gliss.Broker", "Status"),
      ("org.gliss.Broker", "ReleaseHotkeys"),
      ("org.gliss.Grants", "Revoke"), ("org.gliss.Grants", "Answer"),
      ("org.gliss.Grants", "List"), ("org.gliss.Grants", "Pause"), ("org.gliss.Grants", "Lock"):
      true
    case _: false
    }
  }

  func connectionEnded(_ connection: Connection) {
    releaseStrokes(of: connection)
    endActivity(of: connection)
  }

  /// Ends what the connection's last call began. The connection may stay, and the strokes it hides.
  func endActivity(of connection: Connection) {
    let activity = connection.activity
    connection.activity = nil
    let now = InputLoop.now
    switch activity {
    case .preflight?, nil: break
    case .monitor(let right)?:
      streams.end(connection)
      gate.ended(right.grants)
    case .hotkey?: unregister(connection, at: now)
    case .secureInput?:
      let uid = connection.peer.uid
      change(at: now) { $0.secureInput.release(connection.number, of: uid, at: now) }
      record(.secureInput, connection, "released")
    case .lock?:
      change(at: now) { $0.unlock(connection.number) }
      record(.lock, connection, "unlocked")
    case .hold(let right)?:
      plugged?.release(connection.number)
      gate.ended(right.grants)
    case .pointing(let right)?: gate.ended(right.grants)
    case .question(let question, let request)?:
      consent.withdraw(question)
      // a dialog counts even if its client closed it
      noteQuestion(of: connection)
      if let request { gate.abandon(request.pending) }
    }
    reschedule()
  }

  func refused(_ identity: ClientIdentity?, uid: UInt32, because reason: String) {
    gate.record(
      .refuse, uid: uid, client: identity?.client?.description ?? "", detail: reason, at: .now)
    reschedule()
  }
}

// The methods of org.gliss.Broker.
extension Broker {
  func answerBroker(_ call: VarlinkCall, from connection: Connection) throws {
    let parameters = Parameters(call.parameters)
    switch call.method {
    case "Preflight": try preflight(parameters, connection, wantsMore: call.wantsMore)
    case "Request": try request(parameters, connection)
    case "Status": connection.send(status(for: connection))
    case "Monitor": try monitor(parameters, connection, wantsMore: call.wantsMore)
    case "RegisterHotkey", "RegisterHotkeys":
      try registerHotkeys(call, connection, consumes: false)
    case "ConsumeHotkey", "ConsumeHotkeys":
      try registerHotkeys(call, connection, consumes: true)
    case "AddHotkeys": try addHotkeys(parameters, connection)
    case "ReleaseHotkeys": try releaseHotkeys(parameters, connection)
    case "EnterMode": try enterMode(parameters, connection)
    case "GetState": try getState(connection)
    case "AssertSecureInput": try secure(parameters, connection, wantsMore: call.wantsMore)
    case "Post": try post(parameters, connection)
    case "Move": try move(parameters, connection)
    case "Hold": try hold(parameters, connection, wantsMore: call.wantsMore)
    case "TakeStrokes": try takeStrokes(parameters, connection)
    case "DecideStroke": try decideStroke(parameters, connection)
    case "AwaitPointing": try awaitPointing(connection)
    case _: connection.send(VarlinkService.methodNotFound(call))
    }
  }

  private func preflight(
    _ parameters: Parameters, _ connection: Connection, wantsMore: Bool
  ) throws {
    let right = right(to: try parameters.scope("scope"), connection.identity)
    // Desktops take a moment to open a new keyboard, so plug it in now: the client will press
    // something, or learn here that nothing can be pressed.
    if right.ask.scope.tier == .post, right.verdict.standing == .granted { _ = try keyboard() }
    if wantsMore { connection.activity = .preflight(right) }
    let verdict = JSON(right.verdict)
    connection.send(wantsMore ? .more(["verdict": verdict]) : .result(["verdict": verdict]))
  }

  /// Reports verdicts that have changed to the clients that follow them.
  func reportVerdicts() {
    for connection in server.connections {
      guard case .preflight(let old)? = connection.activity else { continue }
      let new = right(to: old.ask.scope, old.ask.identity)
      guard new.verdict != old.verdict else { continue }
      connection.activity = .preflight(new)
      connection.send(.more(["verdict": JSON(new.verdict)]))
    }
  }

  /// The right to at least a part of `scope`. A refusal is recorded.
  func right(
    to scope: Scope, _ connection: Connection, or detail: String
  ) throws(VarlinkReply) -> Right {
    let right = right(to: scope, connection.identity)
    guard right.verdict.standing == .granted, !right.verdict.entitlements.isEmpty else {
      record(.refuse, connection, detail)
      throw .notGranted(right.verdict)
    }
    return right
  }

  /// What the gate says now about an ask, granted or not.
  func right(to scope: Scope, _ identity: ClientIdentity) -> Right {
    let ask = Ask(identity, scope)
    return Right(ask: ask, verdict: gate.verdict(on: ask, at: .now))
  }

  // MARK: Events

  private func monitor(
    _ parameters: Parameters, _ connection: Connection, wantsMore: Bool
  ) throws {
    let scope = try parameters.scope("scope")
    guard wantsMore else { throw VarlinkService.expectedMore }
    guard scope.tier == .gesture || scope.tier == .raw else {
      throw GateError(
        .parameter, "scope.tier", "has no events; the tiers gesture and raw have some")
    }
    let right = try right(to: scope, connection, or: "\(scope)")
    try gate.use(right.grants, at: .now)
    connection.send(.more(["verdict": JSON(right.verdict)]))
    connection.activity = .monitor(right)
    streams.begin(right.disclosure, for: connection)
    record(.connect, connection, "\(scope)", ofGestures: scope.tier == .gesture)
    let served = SessionState(of: connection.identity.uid, in: state)
    if served != .active { streams.greet(connection, served, at: InputLoop.now) }
  }

  // MARK: State

  private func getState(_ connection: Connection) throws {
    let right = try right(
      to: Scope(tier: .raw, events: .key, keys: .all), connection, or: "GetState")
    // keys belong to the seat, not to a device, so a grant for some devices does not cover them
    guard right.verdict.entitlements.contains(where: { $0.scope.devices == nil }) else {
      record(.refuse, connection, "GetState")
      var verdict = right.verdict
      verdict.standing = verdict.mayRequest ? .notDetermined : .denied
      throw VarlinkReply.notGranted(verdict)
    }
    try mustBeActive(connection)
    try gate.use(right.grants, at: .now)
    defer { gate.ended(right.grants) }
    record(.connect, connection, "\(right.ask.scope), GetState")
    let disclosure = right.disclosure
    let keys = session.heldKeys.filter { key in
      let held = KeyEvent(
        time: .zero, device: DeviceID(rawValue: .max), key: key, state: .down, modifiers: [])
      return disclosure.visible(.key(held), device: "", in: state) != nil
    }
    let modifiers = keys.reduce(into: Modifiers()) { $0.formUnion(Modifiers($1)) }
    connection.send(
      .result(["keys": .strings(keys.map(\.name)), "modifiers": .strings(modifiers.names)]))
  }

  // MARK: Secrets

  private func secure(
    _ parameters: Parameters, _ connection: Connection, wantsMore: Bool
  ) throws {
    let name = try parameters.required("name", try parameters.string("name"))
    guard wantsMore else { throw VarlinkService.expectedMore }
    let uid = connection.identity.uid
    guard uid == state.activeUser else {
      throw VarlinkReply.notServed(SessionState(of: uid, in: state))
    }
    let now = InputLoop.now
    let holder = "\(name.bounded(64)) (\(connection.identity.label))"
    let isSandboxed = !connection.identity.confinement.isFree
    if isSandboxed {
      if let rest = secretRests[uid], now < rest {
        throw VarlinkReply.secureInputTaken(seconds: (rest - now).seconds)
      }
      secretRests[uid] = now + limits.restOfSandboxedSecrets
    }
    let outcome = change(at: now) {
      $0.secureInput.hold(
        connection.number, of: uid, as: holder, isSandboxed: isSandboxed, at: now)
    }
    switch outcome {
    case .held(let until):
      connection.activity = .secureInput
      record(.secureInput, connection, "held")
      connection.send(.more(["seconds": .decimal((until - now).seconds)]))
    case .resting(let until):
      throw VarlinkReply.secureInputTaken(seconds: (until - now).seconds)
    case .full:
      throw VarlinkReply.limitReached(
        isSandboxed ? "holders of secure input in sandboxes" : "holders of secure input",
        maximum: SecureInputMachine.mostHolders, advice: "close a connection that holds it")
    }
  }

  func record(
    _ action: AuditAction, _ connection: Connection, _ detail: String, ofGestures: Bool = false
  ) {
    let identity = connection.identity
    gate.record(
      action, uid: identity.uid, client: identity.client?.description ?? "unknown",
      detail: detail, ofGestures: ofGestures, at: .now)
  }
}

extension ClientIdentity {
  var label: String {
    let name: String
    switch client {
    case .program(let path)?: name = path.split(separator: "/").last.map(String.init) ?? path
    case .unit(let unit)?: name = unit
    case .app(let id)?: name = id
    case nil: name = "a program"
    }
    return "\(name), process \(pid)"
  }
}

extension String {
  /// At most `count` scalars, because characters may be of any length, without terminal control
  /// characters and those that change the text direction.
  func bounded(_ count: Int) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(count))).printable
  }
}

extension Broker {
  /// The connected clients and the state of the seat. Only root sees other users' clients.
  func status(for connection: Connection) -> VarlinkReply {
    let uid = connection.identity.uid
    let isFree = connection.identity.confinement.isFree
    let seesAll = uid == 0 && isFree
    let shown = server.connections.filter {
      isFree ? seesAll || $0.identity.uid == uid : $0 === connection
    }
    let hotkeys = hotkeys.filter { isFree && (seesAll || $0.key == uid) }.sorted { $0.key < $1.key }
      .flatMap { uid, registered in registered.all.map { hotkey($0, uid) } }
    let (clients, omittedClients) = Self.fitting(shown.map { client($0, for: connection) })
    let (shownHotkeys, omittedHotkeys) = Self.fitting(hotkeys)
    let showsDevices = isFree && (uid == 0 || uid == state.activeUser)
    return .result([
      "version": .string(Release.version),
      "session": session(for: connection),
      "clients": .array(clients),
      "hotkeys": .array(shownHotkeys),
      "omitted": JSON.count(omittedClients + omittedHotkeys),
      "devices": showsDevices ? JSON.strings(session.devices.map(\.name)) : nil,
      "problems": .strings(isFree ? problems + gate.problems : []),
    ])
  }

  private func session(for connection: Connection) -> JSON {
    let uid = connection.identity.uid
    let user = state.activeUser
    let maySeeUser = uid == 0 || uid == user
    // root gets the active user's state
    let served = SessionState(of: uid == 0 ? user ?? uid : uid, in: state)
    var secure: JSON?
    if let user, maySeeUser, connection.identity.confinement.isFree,
      seat.secureInput.isHeld(of: user)
    {
      let now = InputLoop.now
      secure = .array(
        seat.secureInput.holders(of: user).map { holder in
          .members([
            "holder": .string(holder.name), "uid": .integer(Int64(user)),
            "remaining": .decimal(max(0, (holder.until - now).seconds)),
          ])
        })
    }
    return .members([
      "state": .string(served.rawValue),
      "user": maySeeUser ? user.map { .integer(Int64($0)) } : nil,
      "name": maySeeUser ? state.session.map(JSON.string) : nil,
      "secureInput": secure,
    ])
  }

  /// How many messages another program was sent reveals when keys are pressed, so only root and the
  /// program itself see that.
  private func client(_ connection: Connection, for asking: Connection) -> JSON {
    let identity = connection.identity
    let isOwn = identity.pid == asking.identity.pid
    let isCounted = isOwn || asking.identity.uid == 0 && asking.identity.confinement.isFree
    var shown: [Entitlement] = []
    if case .monitor(let right)? = connection.activity { shown = right.verdict.entitlements }
    return .members([
      "pid": .integer(Int64(identity.pid)), "uid": .integer(Int64(identity.uid)),
      "name": .string(identity.client?.description ?? "unknown"),
      "since": .decimal(Double(connection.since.microseconds) / 1_000_000),
      "doing": .string(doing(connection)),
      "granted": .array(shown.map { JSON($0) }),
      "delivered": isCounted ? .integer(Int64(clamping: connection.outbox.delivered)) : nil,
      "lost": isCounted ? .integer(Int64(clamping: connection.outbox.lost)) : nil,
    ])
  }

  private func doing(_ connection: Connection) -> String {
    switch connection.activity {
    case nil where connection.strokes != nil: "strokes"
    case nil: "nothing"
    case .monitor?: "events"
    case .hotkey?: "hotkey"
    case .secureInput?: "secureInput"
    case .lock?: "lock"
    case .hold?: "keys"
    case .pointing?: "pointing"
    case .preflight?: "grants"
    case .question?: "waits for an answer"
    }
  }

  private func hotkey(_ registration: UserHotkeys.Registration, _ uid: UInt32) -> JSON {
    .members([
      "hotkey": .string(registration.request.hotkey.description),
      "mode": registration.request.mode.map(JSON.string),
      "consumes": registration.request.consuming == nil ? nil : .bool(true),
      "holder": .string(registration.connection.identity.label), "uid": .integer(Int64(uid)),
    ])
  }
}
