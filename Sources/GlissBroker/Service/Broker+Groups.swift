import GlissEvents
import GlissGate

// Access groups. An administrator decides about members, as about grants.
extension Broker {
  func addToGroup(_ parameters: Parameters, _ connection: Connection) throws {
    let membership = try membership(parameters, connection)
    // whoever agrees is shown what the client will get
    let shown = try grants(reaching: membership)
    let about = shown.isEmpty ? "" : ": \(Self.describe(shown))"
    let what = "put \(membership.client) into \(membership.group.name)\(about)"
    try authorize(connection, what) { [unowned self] decider in
      do throws(GateError) {
        guard try grants(reaching: membership).map(\.terms) == shown.map(\.terms) else {
          throw Self.changedMeanwhile
        }
        try gate.add(membership, by: decider, at: .now)
        return .result()
      } catch {
        return Failure.gate(error).reply
      }
    }
  }

  func removeFromGroup(_ parameters: Parameters, _ connection: Connection) throws {
    let membership = try membership(parameters, connection)
    // ask for no password if there is nothing to remove
    guard try gate.members().contains(where: { $0.membership == membership }) else {
      throw Failure.gate(.notMember(membership))
    }
    try authorize(connection, "take \(membership.client) out of \(membership.group.name)") {
      [unowned self] decider in
      do throws(GateError) {
        try gate.remove(membership, by: decider, at: .now)
        return .result()
      } catch {
        return Failure.gate(error).reply
      }
    }
  }

  func listGroups(_ parameters: Parameters, _ connection: Connection) throws {
    try mustBeFree(connection)
    let query = try own(try query(try parameters.object("query")), connection)
    guard query.id == nil, query.tier == nil else {
      throw ParameterError("query", "names what a member has none of: an id or a tier")
    }
    let known = Int(clamping: max(0, try parameters.integer("skip") ?? 0))
    let members = try gate.members(query).dropFirst(known)
    let (shown, omitted) = Self.fitting(members.map(\.json))
    connection.send(
      .result([
        "members": .array(shown), "omitted": omitted > 0 ? .integer(Int64(omitted)) : nil,
      ]))
  }

  private func membership(
    _ parameters: Parameters, _ connection: Connection
  ) throws -> Membership {
    try mustBeFree(connection)
    let caller = connection.identity.uid
    let membership = Membership(
      uid: try parameters.uid("uid") ?? caller,
      client: try parameters.required("client", try parameters.client("client")),
      group: try parameters.required("group", try parameters.group("group")))
    guard caller == 0 || membership.uid == caller else {
      throw Failure.notAllowed("only root may decide about another user's groups")
    }
    return membership
  }

  /// The grants for the group and for the groups above it.
  private func grants(reaching membership: Membership) throws(GateError) -> [Grant] {
    var query = Gate.Query()
    query.uid = membership.uid
    return try gate.grants(query).filter { $0.terms.group?.contains(membership.group) == true }
  }
}
