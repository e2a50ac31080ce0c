import GlissClient
import GlissDevices
import GlissEvents
import GlissGate

// The methods of org.gliss.Grants.
extension Broker {
  func answerGrants(_ call: VarlinkCall, from connection: Connection) throws {
    let parameters = Parameters(call.parameters)
    switch call.method {
    case "List": try list(parameters, connection)
    case "Add": try add(parameters, connection)
    case "Update": try update(parameters, connection)
    case "Revoke": try revoke(parameters, connection)
    case "Answer": try answer(parameters, connection)
    case "AddToGroup": try addToGroup(parameters, connection)
    case "RemoveFromGroup": try removeFromGroup(parameters, connection)
    case "ListGroups": try listGroups(parameters, connection)
    case "Log": try log(parameters, connection)
    case "Check": try check(connection)
    case "Pause": try pause(connection)
    case "Resume": try resume(connection)
    case "Lock": try lock(connection, wantsMore: call.wantsMore)
    case _: connection.send(VarlinkService.methodNotFound(call))
    }
  }

  /// The query, limited to the user's own grants unless root asks. Without any it matches all.
  private func query(_ given: Parameters?, _ connection: Connection) throws -> Gate.Query {
    try given?.allowOnly(["id", "uid", "client", "group", "tier"])
    var query = Gate.Query(
      id: try given?.integer("id").map { GrantID(rawValue: $0) }, uid: try given?.uid("uid"),
      client: try given?.client("client"), group: try given?.group("group"),
      tier: try given?.word("tier"))
    let uid = connection.identity.uid
    if uid == 0 { return query }
    guard query.uid == nil || query.uid == uid else {
      throw VarlinkReply.notAllowed("only root may see or change what others were granted")
    }
    query.uid = uid
    return query
  }

  private func list(_ parameters: Parameters, _ connection: Connection) throws {
    try mustBeFree(connection)
    let query = try query(try parameters.object("query"), connection)
    let last = try parameters.integer("after") ?? 0
    let grants = try gate.grants(query).filter { $0.id.rawValue > last }
    let pending = gate.pending.filter(query.matches)
    let (shown, omittedGrants) = Self.fitting(grants.map(\.json))
    let (waiting, omittedRequests) = Self.fitting(pending.map { JSON($0) })
    connection.send(
      .result([
        "grants": .array(shown), "pending": .array(waiting),
        "omitted": JSON.count(omittedGrants), "omittedPending": JSON.count(omittedRequests),
      ]),
      isWhole: omittedGrants == 0)
  }

  /// The elements that fit into an answer beside its other members, and the number of the rest. A
  /// message to a client is limited to a megabyte.
  static func fitting(_ elements: [JSON]) -> ([JSON], omitted: Int) {
    var text = TextBuffer()
    var count = 0
    for element in elements {
      element.write(into: &text)
      guard text.bytes.count <= 384 << 10 else { break }
      count += 1
    }
    return (Array(elements.prefix(count)), elements.count - count)
  }

  func mustBeFree(_ connection: Connection) throws(VarlinkReply) {
    let confinement = connection.identity.confinement
    guard confinement.isFree else {
      throw .notAllowed(
        confinement.isSandbox
          ? "a sandboxed program may not see grants"
          : "this program could not be identified, and may not see grants; 'sudo gliss status' may"
            + " say why")
    }
  }

  /// A sandbox may not stop anything for its user. A client that could not be identified may.
  private func mustNotBeSandboxed(_ connection: Connection) throws(VarlinkReply) {
    guard !connection.identity.confinement.isSandbox else {
      throw .notAllowed("a sandboxed program cannot do this for its user")
    }
  }

  private func add(_ parameters: Parameters, _ connection: Connection) throws {
    try mustBeFree(connection)
    let terms = try Grant.Terms(
      try parameters.required("terms", try parameters.object("terms")),
      uid: connection.identity.uid)
    guard connection.identity.uid == 0 || terms.uid == connection.identity.uid else {
      throw VarlinkReply.notAllowed("only root may grant something for another user")
    }
    try terms.client.checkNew(at: "terms.client")
    try terms.expiry.check(endsAfter: .now, at: "terms.expiry")
    try checkSession(of: terms.expiry, at: "terms.expiry")
    try gate.checkAdding(terms, at: .now)
    try authorize(connection, Self.describe(terms)) {
      [unowned self] decider throws(GateError) in
      // it may have ended during the question
      try checkSession(of: terms.expiry, at: "terms.expiry")
      return .result(["grant": try gate.add(terms, by: decider, at: .now).json])
    }
  }

  /// Refuses a name that no session has, because the grant would end unnoticed.
  private func checkSession(of expiry: Expiry?, at place: String = "expiry") throws(GateError) {
    guard case .session(let name)? = expiry, let names = sessionNames(), !names.contains(name)
    else { return }
    let known = names.sorted().joined(separator: ", ")
    throw GateError(
      .syntax, place, "no session has the name \(Self.quoted(name))",
      advice: known.isEmpty ? "no session is open now" : "open sessions: \(known)")
  }

  private func update(_ parameters: Parameters, _ connection: Connection) throws {
    try mustBeFree(connection)
    let query = try query(
      try parameters.required("query", try parameters.object("query")), connection)
    var change = Gate.Change()
    change.availability = try parameters.word("availability")
    change.expiry = try parameters.expiry("expiry")
    change.thisDeviceOnly = try parameters.bool("thisDeviceOnly")
    change.reason = try parameters.string("reason")?.bounded(200)
    let all = try parameters.bool("all") ?? false
    try gate.checkUpdating(query, change, all: all, at: .now)
    try checkSession(of: change.expiry)
    let matching = try gate.grants(query)
    // the askers' own words come last
    var stakes = change
    stakes.reason = nil
    let words = stakes.words.isEmpty ? "the reason" : "to " + stakes.words.joined(separator: ", ")
    let reason = change.reason.map { ", with the reason \(Self.quoted($0))" } ?? ""
    try authorize(connection, "change \(words): \(Self.describe(matching))\(reason)") {
      [unowned self] decider throws(GateError) in
      try mustStillMatch(try gate.grants(query), matching)
      try checkSession(of: change.expiry)
      let count = try gate.update(query, change, all: all, by: decider, at: .now)
      return .result(["changed": .integer(Int64(count))])
    }
  }

  private func revoke(_ parameters: Parameters, _ connection: Connection) throws {
    try mustNotBeSandboxed(connection)
    let query = try query(
      try parameters.required("query", try parameters.object("query")), connection)
    let all = try parameters.bool("all") ?? false
    // others do not learn without a password whether there are grants
    if connection.identity.confinement.isFree { _ = try gate.revocable(query, all: all) }
    let matching = try gate.grants(query)
    try authorize(connection, "take back \(Self.describe(matching))") {
      [unowned self] decider throws(GateError) in
      try mustStillMatch(try gate.grants(query), matching)
      let revoked = try gate.revoke(query, all: all, by: decider, at: .now)
      let (shown, omitted) = Self.fitting(revoked.map(\.json))
      return .result(["revoked": .array(shown), "omitted": JSON.count(omitted)])
    }
  }

  private func answer(_ parameters: Parameters, _ connection: Connection) throws {
    try mustBeFree(connection)
    let number = try parameters.required("number", try parameters.integer("number"))
    let allow = try parameters.required("allow", try parameters.bool("allow"))
    var change = Gate.Change()
    change.availability = try parameters.word("availability")
    change.expiry = try parameters.expiry("expiry")
    try change.expiry?.check(endsAfter: .now)
    try checkSession(of: change.expiry)
    let uid = connection.identity.uid
    guard let pending = gate.pending.first(where: { $0.number == number }),
      uid == 0 || pending.ask.identity.uid == uid
    else {
      throw GateError(.notFound, "request \(number)", "no such request is waiting")
    }
    let client = Self.quoted(pending.ask.identity.client?.description ?? "unknown")
    let scope = pending.ask.scope
    let terms = change.words.map { ", \($0)" }.joined()
    let what =
      "\(allow ? "grant" : "deny") \(scope.texts.what)\(terms) to \(client)"
      + Self.devices(of: scope)
    try authorize(connection, what) { [unowned self] decider throws(GateError) in
      try checkSession(of: change.expiry)
      let grant = try gate.answer(number, allow: allow, change: change, by: decider, at: .now)
      return .result(["grant": grant?.json])
    }
  }

  // MARK: What an administrator agrees to

  private static func describe(_ terms: Grant.Terms) -> String {
    let group = terms.group.map { " and all of \(quoted($0.name))" } ?? ""
    // what is at stake comes first, because names may be long and say anything
    return "\(terms.isAllowed ? "grant" : "deny") \(terms.scope.texts.what), "
      + "\(terms.holdsWhile.rawValue), \(terms.expiry.inWords)"
      + "\(terms.thisDeviceOnly ? "" : ", on any computer"), to "
      + "\(quoted(terms.client.description))\(group)\(devices(of: terms.scope))"
  }

  /// The devices of a scope, whose names a client may choose.
  static func devices(of scope: Scope) -> String {
    (scope.devices?.sorted().joined(separator: ", ")).map { "; only on \(quoted($0))" } ?? ""
  }

  /// Bounded, and without quotation marks, so that it cannot look like the text around it.
  static func quoted(_ name: String) -> String {
    let inside = name.bounded(300).unicodeScalars.filter { $0 != "“" && $0 != "”" }
    return "“\(String(inside))”"
  }

  /// Describes the grants for a question. Consent covers all of them, but nobody reads more than a
  /// few.
  static func describe(_ grants: [Grant]) -> String {
    let shown = grants.prefix(5).map { describe($0.terms) }.joined(separator: "; ")
    return grants.count > 5 ? "\(grants.count) grants, of them \(shown)" : shown
  }

  private func mustStillMatch(_ found: [Grant], _ shown: [Grant]) throws(GateError) {
    guard found.map(\.terms) == shown.map(\.terms) else {
      throw GateError(
        .syntax, "query", "matches other grants than when the question was asked",
        advice: "ask again")
    }
  }

  private func log(_ parameters: Parameters, _ connection: Connection) throws {
    try mustBeFree(connection)
    let limit = Int(clamping: try parameters.integer("limit") ?? 100)
    guard limit > 0 else { throw GateError(.parameter, "limit", "must be at least 1") }
    let action: AuditAction? = try parameters.word("action")
    let before = try parameters.integer("before")
    let uid = connection.identity.uid
    let isRoot = uid == 0
    // ids count the entries of others
    guard isRoot || before == nil else {
      throw GateError(.parameter, "before", "is for root alone")
    }
    // as many as fit into a message
    let entries = try gate.log(
      limit: min(limit, 200), before: before, of: isRoot ? nil : uid, action: action)
    let shown = entries.map { entry in
      var entry = entry
      if !isRoot { entry.id = nil }
      return entry.json
    }
    connection.send(.result(["entries": .array(shown)]))
  }

  /// Reading the whole store takes time while input waits, so only root's call does that. Others
  /// get the faults already known.
  private func check(_ connection: Connection) throws(VarlinkReply) {
    try mustBeFree(connection)
    let found =
      connection.identity.uid == 0
      ? checkStore() : [gate.fault, gate.auditFault].compactMap { $0?.description }
    connection.send(.result(["sound": .bool(found.isEmpty), "problems": .strings(found)]))
  }

  // MARK: The seat

  /// The user at the seat, if that user or root calls.
  private func seatedUser(_ connection: Connection) throws(VarlinkReply) -> UInt32 {
    try mustNotBeSandboxed(connection)
    guard let user = state.activeUser else { throw .notServed(.inactive) }
    guard connection.identity.uid == 0 || connection.identity.uid == user else {
      throw .notAllowed("only root, and the user whose session is on the screen, may do that")
    }
    return user
  }

  private func pause(_ connection: Connection) throws(VarlinkReply) {
    let user = try seatedUser(connection)
    change(at: InputLoop.now) { $0.paused.insert(user) }
    record(.pause, connection, "paused")
    connection.send(.result())
  }

  /// Ends a pause, and lets keys be consumed again after the panic chord. The uid is not enough for
  /// that: any program of the user has it, and no program may restart what a person at the keyboard
  /// has stopped.
  private func resume(_ connection: Connection) throws {
    let user = try seatedUser(connection)
    try authorize(connection, "show input to programs again", as: "org.gliss.resume") {
      [unowned self, weak connection] decider throws(GateError) in
      change(at: InputLoop.now) { $0.paused.remove(user) }
      host.resumeConsuming()
      if let connection { record(.pause, connection, "resumed, by \(decider)") }
      return .result()
    }
  }

  private func lock(_ connection: Connection, wantsMore: Bool) throws(VarlinkReply) {
    guard wantsMore else { throw VarlinkService.expectedMore }
    let user = try seatedUser(connection)
    connection.activity = .lock
    change(at: InputLoop.now) { $0.locks[connection.number] = user }
    record(.lock, connection, "locked")
    connection.send(.more(["locked": .bool(true)]))
  }
}

extension Gate.Change {
  /// For a question. The reason is last, because it may be long and say anything.
  var words: [String] {
    [
      availability.map(\.rawValue), expiry.map(\.inWords),
      thisDeviceOnly.map { $0 ? "on this computer only" : "on any computer" },
      reason.map { "with the reason \(Broker.quoted($0))" },
    ].compactMap(\.self)
  }
}

extension JSON {
  /// `nil` for none.
  static func count(_ omitted: Int) -> JSON? { omitted > 0 ? .integer(Int64(omitted)) : nil }
}

// Access groups. An administrator decides about members, as about grants.
extension Broker {
  func addToGroup(_ parameters: Parameters, _ connection: Connection) throws {
    let membership = try membership(parameters, connection)
    try gate.checkAdding(membership)
    // the person who agrees is shown what the client will get
    let shown = try grants(reaching: membership)
    let about = shown.isEmpty ? "" : ", which has: \(Self.describe(shown))"
    let client = Self.quoted(membership.client.description)
    let what = "put into \(membership.group.name)\(about): \(client)"
    try authorize(connection, what) { [unowned self] decider throws(GateError) in
      try mustStillMatch(try grants(reaching: membership), shown)
      try gate.add(membership, by: decider, at: .now)
      return .result()
    }
  }

  func removeFromGroup(_ parameters: Parameters, _ connection: Connection) throws {
    let membership = try membership(parameters, connection)
    // ask for no password if there is nothing to remove
    guard try gate.members().contains(where: { $0.membership == membership }) else {
      throw GateError.notMember(membership)
    }
    let client = Self.quoted(membership.client.description)
    try authorize(connection, "take out of \(membership.group.name): \(client)") {
      [unowned self] decider throws(GateError) in
      try gate.remove(membership, by: decider, at: .now)
      return .result()
    }
  }

  func listGroups(_ parameters: Parameters, _ connection: Connection) throws {
    try mustBeFree(connection)
    let query = try query(try parameters.object("query"), connection)
    guard query.id == nil, query.tier == nil else {
      throw GateError(.parameter, "query", "names an id or a tier, which members do not have")
    }
    let known = Int(clamping: max(0, try parameters.integer("skip") ?? 0))
    let members = try gate.members(query).dropFirst(known)
    let (shown, omitted) = Self.fitting(members.map(\.json))
    connection.send(.result(["members": .array(shown), "omitted": JSON.count(omitted)]))
  }

  private func membership(
    _ parameters: Parameters, _ connection: Connection
  ) throws -> Membership {
    try mustBeFree(connection)
    let caller = connection.identity.uid
    let membership = try parameters.membership(uid: caller)
    guard caller == 0 || membership.uid == caller else {
      throw VarlinkReply.notAllowed("only root may decide about another user's groups")
    }
    return membership
  }

  /// The grants for the group and for the groups above it.
  private func grants(reaching membership: Membership) throws(GateError) -> [Grant] {
    let all = try gate.grants(Gate.Query(uid: membership.uid))
    return all.filter { $0.terms.group?.contains(membership.group) == true }
  }
}
