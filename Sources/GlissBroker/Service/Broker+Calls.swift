import GlissClient
import GlissDevices
import GlissEvents
import GlissGate
import GlissSession

// Calls and ends of connections, as the server reports them.
extension Broker: ServerDelegate {
  func answer(_ call: VarlinkCall, from connection: Connection) {
    do {
      switch call.interface {
      case "org.gliss.Broker": try answerBroker(call, from: connection)
      case "org.gliss.Grants": try answerGrants(call, from: connection)
      case _: connection.send(VarlinkService.interfaceNotFound(call.interface))
      }
    } catch let failure as Failure {
      connection.send(failure.reply)
    } catch let error as ParameterError {
      connection.send(Failure.invalidParameter(error).reply)
    } catch let error as GateError {
      connection.send(Failure.gate(error).reply)
    } catch {
      // all our own errors are handled above; any other error in a call must not end the broker
      record(.refuse, connection, "\(call.method): \(error)")
      connection.send(VarlinkService.methodNotImplemented(call))
    }
    review()
    reschedule()
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
    releaseStrokes(of: ObjectIdentifier(connection))
    let activity = activities.removeValue(forKey: ObjectIdentifier(connection))
    let now = InputLoop.now
    switch activity {
    case nil: break
    case .monitor?: if let stream = streams[connection] { stop(stream) }
    case .hotkey(let uid)?: unregister(connection, of: uid, at: now)
    case .secureInput(let uid)?:
      change(at: now) { $0.secureInput.release(connection.number, of: uid, at: now) }
    case .lock(let uid)?: change(at: now) { $0.locks.release(connection.number, of: uid) }
    case .hold(_, let verdict)?:
      plugged?.release(connection.number)
      gate.ended(verdict.grants)
    case .pointing(_, let verdict)?: gate.ended(verdict.grants)
    case .question(let question, let pending)?:
      consent.withdraw(question)
      questions[connection.peer.uid] = nil
      // a dialog counts even if its client closed it
      noteQuestion(of: connection)
      if let pending { gate.withdraw(pending, by: connection.identity) }
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
    case "Preflight": try preflight(parameters, connection)
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

  private func ask(_ parameters: Parameters, _ connection: Connection) throws(ParameterError) -> Ask
  {
    gate.ask(connection.identity, try parameters.scope("scope"))
  }

  private func preflight(_ parameters: Parameters, _ connection: Connection) throws {
    let ask = try ask(parameters, connection)
    let verdict = gate.verdict(on: ask, at: .now)
    // Desktops take a moment to open a new keyboard, so plug it in now: the client will press
    // something, or learn here that nothing can be pressed.
    if ask.scope.tier == .post, verdict.standing == .granted { _ = try keyboard() }
    connection.send(.result(["verdict": JSON(verdict)]))
  }

  /// The verdict on an ask of which at least a part is granted. A refusal is recorded.
  func granted(
    _ ask: Ask, _ connection: Connection, or detail: String
  ) throws(Failure) -> Verdict {
    let verdict = gate.verdict(on: ask, at: .now)
    guard verdict.standing == .granted, !verdict.entitlements.isEmpty else {
      record(.refuse, connection, detail)
      throw .notGranted(verdict)
    }
    return verdict
  }

  // MARK: Events

  private func monitor(
    _ parameters: Parameters, _ connection: Connection, wantsMore: Bool
  ) throws {
    let ask = try ask(parameters, connection)
    guard wantsMore else { throw Failure.needsMore }
    guard ask.scope.tier == .gesture || ask.scope.tier == .raw else {
      throw ParameterError("scope.tier", "has no events; the tiers gesture and raw have some")
    }
    let verdict = try granted(ask, connection, or: "\(ask.scope)")
    try gate.use(verdict.grants, at: .now)
    connection.send(.more(["verdict": JSON(verdict)]))
    activities[ObjectIdentifier(connection)] = .monitor
    streams.begin(ask, verdict, for: connection)
    record(.connect, connection, "\(ask.scope)", ofGestures: ask.scope.tier == .gesture)
    let served = SessionState(of: connection.identity.uid, in: state)
    if served != .active { streams.greet(connection, served, at: InputLoop.now) }
  }

  // MARK: State

  private func getState(_ connection: Connection) throws {
    let identity = connection.identity
    let ask = gate.ask(identity, Scope(tier: .raw, events: .key, keys: .all))
    let verdict = try granted(ask, connection, or: "GetState")
    let served = SessionState(of: identity.uid, in: state)
    guard served == .active else { throw Failure.notServed(served) }
    try gate.use(verdict.grants, at: .now)
    defer { gate.ended(verdict.grants) }
    record(.connect, connection, "\(ask.scope), GetState")
    let disclosure = Disclosure(uid: identity.uid, entitlements: verdict.entitlements)
    // keys belong to the seat, not to a device, so a grant for some devices does not cover them
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
    guard wantsMore else { throw Failure.needsMore }
    let uid = connection.identity.uid
    guard uid == state.activeUser else {
      throw Failure.notServed(SessionState(of: uid, in: state))
    }
    let now = InputLoop.now
    let holder = "\(name.bounded(64)) (\(connection.identity.label))"
    let isSandboxed = !connection.identity.confinement.isFree
    if isSandboxed {
      if let rest = secretRests[uid], now < rest {
        throw Failure.secureInputTaken(seconds: (rest - now).seconds)
      }
      secretRests[uid] = now + limits.restOfSandboxedSecrets
    }
    let outcome = change(at: now) {
      $0.secureInput.hold(
        connection.number, of: uid, as: holder, isSandboxed: isSandboxed, at: now)
    }
    switch outcome {
    case .held(let until):
      activities[ObjectIdentifier(connection)] = .secureInput(uid: uid)
      record(.secureInput, connection, "held")
      connection.send(.more(["seconds": .decimal((until - now).seconds)]))
    case .resting(let until):
      throw Failure.secureInputTaken(seconds: (until - now).seconds)
    case .full:
      throw Failure.limitReached(
        isSandboxed ? "holders of secure input in sandboxes" : "holders of secure input",
        maximum: SecureInputMachine.mostHolders, advice: "close a connection that holds it")
    }
  }

  /// The name of another program, or `nil` for sandboxes, which may not learn what else runs.
  func visibleName(_ holder: String, to connection: Connection) -> String? {
    connection.identity.confinement.isFree ? holder : nil
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
  /// The client's name as shown to the same user.
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
