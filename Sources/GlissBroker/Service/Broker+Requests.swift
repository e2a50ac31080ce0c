import GlissClient
import GlissDevices
import GlissEvents
import GlissGate

// Consent: what clients ask for, and who decides.
extension Broker {
  func request(_ parameters: Parameters, _ connection: Connection) throws {
    let ask = Ask(connection.identity, try parameters.scope("scope"))
    let reason = (try parameters.string("reason")).map { $0.bounded(200) }
    let verdict = gate.verdict(on: ask, at: .now)
    let isAsked =
      ask.identity.uid == state.activeUser && whyNobodyIsAsked(ask.identity) == nil
    // nobody would learn the number of a oneway request that nobody is asked about
    guard verdict.mayRequest, isAsked || connection.conversation.takesAnswers else {
      connection.send(.result(["verdict": JSON(verdict)]))
      return
    }
    if !gate.isPending(ask) { try checkRoom(for: ask.identity) }
    let pending: Int64
    do throws(GateError) {
      pending = try gate.request(ask, reason: reason, at: .now)
    } catch {
      guard error.problem == .limit else { throw error }
      throw VarlinkReply.limitReached(
        "waiting requests", maximum: Gate.requestsPerUser,
        advice: "an administrator answers those that wait: 'gliss grants list' shows them")
    }
    guard isAsked else {
      gate.keep(pending)
      connection.send(.result(["verdict": JSON(verdict), "pending": .integer(pending)]))
      return
    }
    let question = put(
      "org.gliss.request", details: details(of: ask, reason), connection
    ) { [unowned self] answer in
      answered(answer, ask, pending: pending, connection)
    }
    connection.activity = .question(question, about: (pending: pending, ask: ask))
  }

  /// Keeps a request after its dialog if this client gets the number or another one has it.
  /// Otherwise the request ends, because nobody knows the number to answer.
  private func leave(_ number: Int64, toldTo connection: Connection) {
    if connection.conversation.takesAnswers {
      gate.keep(number)
    } else {
      gate.abandon(number)
    }
  }

  /// Limits the requests of all users and of a user's sandboxes, so that others have room. The gate
  /// limits those of each user.
  private func checkRoom(for identity: ClientIdentity) throws(VarlinkReply) {
    let kept = isFavored(identity.uid) ? 0 : limits.keptPendingRequests
    guard gate.pending.count < limits.allPendingRequests - kept else {
      throw .limitReached(
        "requests of all users", maximum: limits.allPendingRequests, advice: "ask again later")
    }
    guard !identity.confinement.isFree else { return }
    let waiting = gate.pending.count {
      $0.ask.identity.uid == identity.uid && !$0.ask.identity.confinement.isFree
    }
    guard waiting < limits.sandboxPendingRequests else {
      throw .limitReached(
        "waiting requests of sandboxes", maximum: limits.sandboxPendingRequests,
        advice: "an administrator answers those that wait: 'gliss grants list' shows them")
    }
  }

  /// Why nobody is asked in that user's name now; `nil` if somebody can be.
  ///
  /// Whichever program asks, only one dialog is open at a time, at most one opens per minute, and
  /// none while the screen is locked. Otherwise a program could ask until the user agrees just to
  /// get rid of it.
  private func whyNobodyIsAsked(_ identity: ClientIdentity) -> String? {
    let uid = identity.uid
    if asker(of: uid) != nil { return "another question waits for its answer: answer that first" }
    if uid == state.activeUser, state.isLocked || state.isAsleep { return "the screen is locked" }
    // questions from sandboxes delay only sandboxes
    let known = [rests[uid], identity.confinement.isFree ? nil : sandboxRests[uid]]
    guard let rest = known.compactMap(\.self).max(), InputLoop.now < rest else { return nil }
    let seconds = Int((rest - InputLoop.now).seconds.rounded(.up))
    return "a question was asked less than a minute ago: wait \(seconds) s, or run the same with"
      + " sudo"
  }

  /// Notes that a question was asked in the client's name. The next one has to wait.
  func noteQuestion(of connection: Connection) {
    let rest = InputLoop.now + limits.restAfterQuestion
    let uid = connection.peer.uid
    if connection.identity.confinement.isFree {
      rests[uid] = rest
    } else {
      sandboxRests[uid] = rest
    }
  }

  private func put(
    _ action: String, details: [(String, String)], _ connection: Connection,
    _ answer: @escaping (ConsentAnswer) -> Void
  ) -> UInt64 {
    consent.ask(
      action, details: details, for: connection.identity,
      isAlive: { [peer = connection.peer] in peer.isAlive }
    ) { [unowned self] found in
      // a question that nobody saw does not count
      if found != .nobodyToAsk { noteQuestion(of: connection) }
      answer(found)
    }
  }

  private func details(of ask: Ask, _ reason: String?) -> [(String, String)] {
    [
      ("client", Self.quoted(ask.identity.client?.description ?? "unknown")),
      ("scope", ask.scope.texts.what),
      ("devices", Self.devices(of: ask.scope)),
      ("pid", "\(ask.identity.pid)"),
      ("reason", reason ?? "none given"),
    ]
  }

  /// Withdraws a sandbox's question, so that it never delays the user's own decisions. Its dialog
  /// closes, and its request stays pending.
  private func displaceSandbox(of uid: UInt32) {
    guard let asker = asker(of: uid), !asker.identity.confinement.isFree,
      case .question(let question, let request)? = asker.activity
    else { return }
    consent.withdraw(question)
    asker.activity = nil
    if let request { leave(request.pending, toldTo: asker) }
    let verdict = Verdict(
      .notDetermined, advice: "another question came first; the request waits for an answer",
      mayRequest: true)
    asker.send(
      .result([
        "verdict": JSON(verdict), "pending": (request?.pending).map(JSON.integer),
      ]))
  }

  /// Answers those whose request somebody else has decided, such as root with `gliss grants`, and
  /// closes their dialogs.
  func answerDecided() {
    for asker in server.connections {
      guard case .question(let question, let request?)? = asker.activity,
        !gate.pending.contains(where: { $0.number == request.pending })
      else { continue }
      consent.withdraw(question)
      asker.activity = nil
      noteQuestion(of: asker)
      asker.send(.result(["verdict": JSON(outcome(of: request.ask, at: .now))]))
    }
  }

  /// The verdict after a request is over. If it left something undecided, it was refused just once.
  private func outcome(of ask: Ask, at now: WallTime) -> Verdict {
    let verdict = gate.verdict(on: ask, at: now)
    guard verdict.mayRequest else { return verdict }
    return Verdict(.denied, advice: "an administrator has refused it this time")
  }

  /// The connection with an open question of that user: there is only one at a time.
  private func asker(of uid: UInt32) -> Connection? {
    server.connections.first {
      if case .question? = $0.activity { $0.peer.uid == uid } else { false }
    }
  }

  private func answered(
    _ answer: ConsentAnswer, _ ask: Ask, pending: Int64, _ connection: Connection
  ) {
    connection.activity = nil
    let now = WallTime.now
    var left: Int64?
    switch answer {
    case .agreed:
      do throws(GateError) {
        _ = try gate.answer(pending, allow: true, by: "an administrator", at: now)
      } catch {
        // the request is gone if another decision was made meanwhile, which the verdict shows
        guard error.problem == .notFound else { return connection.send(error.reply) }
      }
    case .refused:
      gate.withdraw(pending)
      // not recorded as a decision: it is not kept, and repeated requests must not push decisions
      // out of the audit
      record(.refuse, connection, "by an administrator: \(ask.scope)")
      connection.send(.result(["verdict": JSON(outcome(of: ask, at: now))]))
      return
    case .nobodyToAsk:
      leave(pending, toldTo: connection)
      left = pending
    }
    connection.send(
      .result([
        "verdict": JSON(gate.verdict(on: ask, at: now)),
        "pending": left.map(JSON.integer),
      ]))
    review()
  }

  // MARK: Administrators

  /// Adds the login user if that is another one. Under sudo every user is root.
  private static func decider(_ name: String, _ connection: Connection) -> String {
    let peer = connection.peer
    // while the process lives, the file is that of no other
    guard let user = ProcessFiles(peer.pid).loginUser, user != peer.uid, peer.isAlive else {
      return name
    }
    return "\(name) (login user \(user))"
  }

  /// Runs `go` at once for root, and for others once an administrator agrees.
  func authorize(
    _ connection: Connection, _ what: String, as action: String = "org.gliss.grant",
    then go: @escaping (_ decider: String) throws(GateError) -> VarlinkReply
  ) throws {
    let identity = connection.identity
    if identity.uid == 0, identity.confinement.isFree {
      return connection.send(try go(Self.decider("root", connection)))
    }
    guard !identity.confinement.isSandbox else {
      throw VarlinkReply.notAllowed("a sandboxed program cannot decide about grants")
    }
    displaceSandbox(of: identity.uid)
    if let reason = whyNobodyIsAsked(identity) { throw VarlinkReply.notAllowed(reason) }
    let question = put(
      action, details: [("change", what), ("pid", "\(identity.pid)")], connection
    ) { [unowned self] answer in
      connection.activity = nil
      switch answer {
      case .agreed:
        do throws(GateError) {
          let decider = Self.decider("uid \(identity.uid)", connection)
          connection.send(try go("\(decider), as an administrator"))
        } catch {
          connection.send(error.reply)
        }
      case .refused:
        connection.send(.notAllowed("an administrator has to agree"))
        // what may be long comes last, because a long entry is cut
        record(.refuse, connection, "by an administrator: \(what)")
      case .nobodyToAsk:
        connection.send(
          .error("org.gliss.Grants.NobodyToAsk", ["advice": "run the same with sudo"]))
      }
      review()
    }
    connection.activity = .question(question, about: nil)
  }
}

extension ClientIdentity.Confinement {
  /// Nothing confines it except, possibly, the system's service manager.
  var isFree: Bool {
    switch self {
    case .none, .unit: true
    case .app, .anonymous, .unknown: false
    }
  }

  /// What is not a sandbox may stop something, such as by revoking a grant, even if it was not
  /// identified.
  var isSandbox: Bool {
    switch self {
    case .none, .unit, .unknown: false
    case .app, .anonymous: true
    }
  }
}
