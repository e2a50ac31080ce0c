import GlissDevices
import GlissEvents
import GlissGate

// Consent: what clients ask for, and who decides.
extension Broker {
  func request(_ parameters: Parameters, _ connection: Connection) throws {
    let ask = gate.ask(connection.identity, try parameters.scope("scope"))
    let reason = (try parameters.string("reason")).map { $0.bounded(200) }
    let verdict = gate.verdict(on: ask, at: .now)
    guard verdict.mayRequest else {
      connection.send(.result(["verdict": JSON(verdict)]))
      return
    }
    let pending = try gate.request(ask, reason: reason, at: .now)
    guard questions[ask.identity.uid] == nil, mayAsk(ask.identity.uid) else {
      connection.send(.result(["verdict": JSON(verdict), "pending": .integer(pending)]))
      return
    }
    let question = consent.ask(
      "org.gliss.request", details: details(of: ask, reason), for: ask.identity
    ) { [unowned self] answer in
      answered(answer, ask, reason: reason, pending: pending, connection)
    }
    hold(connection, question, pending: pending)
  }

  /// So long nobody is asked again after a refusal: what is requested meanwhile waits for ``gliss grants``.
  private static let restAfterRefusal = EventInterval.milliseconds(60_000)

  /// Nobody is asked while the screen is locked, in the name of somebody who does not sit there, or right after a refusal.
  private func mayAsk(_ uid: UInt32) -> Bool {
    if let refusal = refusals[uid], EventLoop.now < refusal + Self.restAfterRefusal { return false }
    return uid == state.activeUser && !state.isLocked && !state.isAsleep
  }

  private func details(of ask: Ask, _ reason: String?) -> [(String, String)] {
    [
      ("client", ask.identity.client?.description ?? "unknown"),
      ("scope", "\(ask.scope)"),
      ("pid", "\(ask.identity.pid)"),
      ("reason", reason ?? "none given"),
    ]
  }

  private func hold(_ connection: Connection, _ question: UInt64, pending: Int64?) {
    works[ObjectIdentifier(connection)] = .question(question, pending: pending)
    questions[connection.identity.uid] = ObjectIdentifier(connection)
  }

  private func letGo(_ connection: Connection) {
    works[ObjectIdentifier(connection)] = nil
    questions[connection.identity.uid] = nil
  }

  private func answered(
    _ answer: ConsentAnswer, _ ask: Ask, reason: String?, pending: Int64, _ connection: Connection
  ) {
    letGo(connection)
    let now = WallTime.now
    var left: Int64?
    switch answer {
    case .agreed:
      do throws(GateError) {
        _ = try gate.answer(pending, allow: true, by: "an administrator", at: now)
      } catch {
        connection.send(Failure.gate(error).reply)
        return
      }
    case .refused:
      refusals[ask.identity.uid] = EventLoop.now
      gate.withdraw(pending)
      // nothing is decided for later; and whoever asks again and again must not push out of the audit what was
      record(.refuse, connection, "\(ask.scope), by an administrator")
      connection.send(
        .result([
          "verdict": JSON(Verdict(.denied, advice: "an administrator has refused it this time"))
        ]))
      return
    case .nobodyToAsk: left = pending
    }
    connection.send(
      .result([
        "verdict": JSON(gate.verdict(on: gate.renewed(ask), at: now)),
        "pending": left.map(JSON.integer),
      ]))
    review()
    reschedule()
  }

  // MARK: Administrators

  /// Lets root go on at once, and others once an administrator agrees.
  func authorize(
    _ connection: Connection, _ what: String, then go: @escaping (_ decider: String) -> VarlinkReply
  ) throws(Failure) {
    let identity = connection.identity
    if identity.uid == 0, identity.confinement.isFree {
      connection.send(go("root"))
      return
    }
    guard identity.confinement.isFree else {
      throw .notAllowed("a sandboxed program cannot decide about grants")
    }
    guard questions[identity.uid] == nil else {
      throw .notAllowed("another question waits for its answer: answer that first")
    }
    let question = consent.ask(
      "org.gliss.grant", details: [("change", what), ("pid", "\(identity.pid)")], for: identity
    ) { [unowned self] answer in
      letGo(connection)
      switch answer {
      case .agreed: connection.send(go("uid \(identity.uid), as an administrator"))
      case .refused:
        connection.send(Failure.notAllowed("an administrator has to agree").reply)
        record(.refuse, connection, "\(what), by an administrator")
      case .nobodyToAsk:
        connection.send(Failure.nobodyToAsk("run the same with sudo").reply)
      }
      review()
      reschedule()
    }
    hold(connection, question, pending: nil)
  }
}

extension ClientIdentity.Confinement {
  /// Nothing confines it, or only the system's own service manager.
  var isFree: Bool {
    switch self {
    case .none, .unit: true
    case .app, .anonymous: false
    }
  }
}
