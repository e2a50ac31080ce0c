package import GlissEvents
package import GlissGate

package struct PendingRequest: Hashable, Sendable {
  package var number: Int64
  package var uid: UInt32
  package var pid: Int32
  /// The client, as a grant would name it.
  package var client: String
  package var scope: Scope
  /// The reason that the program gives.
  package var reason: String?
  package var since: WallTime
  package let json: JSON

  fileprivate init(_ request: Parameters) throws(GateError) {
    number = try request.whole("number")
    uid = try request.required("uid", try request.uid("uid"))
    pid = try request.whole("pid")
    client = try request.text("client")
    scope = try request.scope("scope")
    reason = try request.string("reason")
    since = WallTime(seconds: try request.whole("since"))
    json = request.json
  }
}

/// An entry of the audit. A newer broker may record actions that this program does not know.
package struct AuditLine: Hashable, Sendable {
  /// Later entries have larger ids. `nil` unless root asks.
  package let id: Int64?
  package let time: WallTime
  package let action: String
  package let uid: UInt32
  package let client: String
  package let detail: String
  package let count: Int64
  package let json: JSON

  fileprivate init(_ entry: Parameters) throws(GateError) {
    id = try entry.integer("id")
    time = WallTime(seconds: try entry.whole("time"))
    action = try entry.text("action")
    uid = try entry.whole("uid")
    client = try entry.text("client")
    detail = try entry.text("detail")
    count = try entry.whole("count")
    json = entry.json
  }
}

// The calls of org.gliss.Grants that have a single answer. Calls that change grants wait until an
// administrator has agreed, unless root calls.
extension BrokerConnection {
  /// The grants that match, the pending requests that fit into an answer, and how many more wait.
  package func grants(
    _ query: Gate.Query = Gate.Query()
  ) throws(ClientError) -> (grants: [Grant], pending: [PendingRequest], omittedPending: Int64) {
    var grants: [Grant] = []
    while true {
      let answer = try call(
        "org.gliss.Grants.List",
        .members(["query": JSON(query), "after": grants.last.map { .integer($0.id.rawValue) }]))
      let (more, pending, omitted, omittedPending) = try read(answer) {
        (reply) throws(GateError) in
        (
          try reply.objects("grants", Grant.init(reply:)),
          try reply.objects("pending", PendingRequest.init),
          try reply.integer("omitted") ?? 0, try reply.integer("omittedPending") ?? 0
        )
      }
      grants += more
      // an answer has a limited size
      if more.isEmpty || omitted == 0 { return (grants, pending, omittedPending) }
    }
  }

  /// Adds a grant. If it already exists, this fails with ``ClientError/duplicate(_:advice:)``.
  package func add(_ terms: Grant.Terms) throws(ClientError) -> Grant {
    let answer = try call("org.gliss.Grants.Add", ["terms": terms.json], timeout: nil)
    return try read(answer) { (reply) throws(GateError) in
      try Grant(reply: try reply.required("grant", try reply.object("grant")))
    }
  }

  /// Changes the grants that match and returns their number; several only if `all` is set.
  package func update(
    _ query: Gate.Query, _ change: Gate.Change, all: Bool = false
  ) throws(ClientError) -> Int {
    let parameters = JSON.members([
      "query": JSON(query), "availability": change.availability.map { .string($0.rawValue) },
      "expiry": change.expiry.map { .string("\($0)") },
      "thisDeviceOnly": change.thisDeviceOnly.map(JSON.bool),
      "reason": change.reason.map(JSON.string), "all": all ? .bool(true) : nil,
    ])
    let answer = try call("org.gliss.Grants.Update", parameters, timeout: nil)
    return try read(answer) { (reply) throws(GateError) in try reply.whole("changed") }
  }

  /// Revokes grants and ends everything that rests on them; several only if `all` is set. Returns
  /// those that fit into the answer, and how many more there were.
  package func revoke(
    _ query: Gate.Query, all: Bool = false
  ) throws(ClientError) -> (revoked: [Grant], omitted: Int64) {
    let answer = try call(
      "org.gliss.Grants.Revoke", ["query": JSON(query), "all": .bool(all)], timeout: nil)
    return try read(answer) { (reply) throws(GateError) in
      (try reply.objects("revoked", Grant.init(reply:)), try reply.integer("omitted") ?? 0)
    }
  }

  /// Grants or denies a pending request. Only availability and expiry of `change` are used.
  package func answer(
    _ number: Int64, allow: Bool, _ change: Gate.Change = Gate.Change()
  ) throws(ClientError) -> Grant? {
    let parameters = JSON.members([
      "number": .integer(number), "allow": .bool(allow),
      "availability": change.availability.map { .string($0.rawValue) },
      "expiry": change.expiry.map { .string("\($0)") },
    ])
    let answer = try call("org.gliss.Grants.Answer", parameters, timeout: nil)
    return try read(answer) { (reply) throws(GateError) in
      try reply.object("grant").map(Grant.init(reply:))
    }
  }

  /// The newest entries of the audit, newest last, optionally of one action. Only root gets ids.
  package func log(
    limit: Int = 100, action: AuditAction? = nil
  ) throws(ClientError) -> [AuditLine] {
    var lines: [AuditLine] = []
    repeat {
      let oldest = lines.first?.id
      let answer = try call(
        "org.gliss.Grants.Log",
        .members([
          "limit": .whole(limit - lines.count), "action": action.map { .string($0.rawValue) },
          "before": oldest.map { .integer($0) },
        ]))
      let older = try read(answer) { (reply) throws(GateError) in
        try reply.objects("entries", AuditLine.init)
      }
      lines = older + lines
      // an answer has a limited size, and without ids no older entries can be asked for
      guard let id = older.first?.id, id < oldest ?? .max else { break }
    } while lines.count < limit
    return lines
  }

  /// Problems with the store; empty if it is sound.
  package func check() throws(ClientError) -> [String] {
    try read(try call("org.gliss.Grants.Check", timeout: nil)) { (reply) throws(GateError) in
      let problems = try reply.strings("problems") ?? []
      let isSound = try reply.required("sound", try reply.bool("sound"))
      return isSound || !problems.isEmpty ? problems : ["the store is not sound"]
    }
  }

  /// Shows nobody anything until ``resume()``.
  package func pause() throws(ClientError) {
    _ = try call("org.gliss.Grants.Pause", timeout: nil)
  }

  package func resume() throws(ClientError) {
    _ = try call("org.gliss.Grants.Resume", timeout: nil)
  }
}

extension JSON {
  init(_ query: Gate.Query) {
    self = .members([
      "id": query.id.map { .integer($0.rawValue) }, "uid": query.uid.map { .integer(Int64($0)) },
      "client": query.client.map { .string("\($0)") },
      "group": query.group.map { .string($0.name) }, "tier": query.tier.map { .string($0.name) },
    ])
  }
}

// The calls of org.gliss.Grants about access groups. Calls that change them wait until an
// administrator has agreed, unless root calls.
extension BrokerConnection {
  /// Adds a client to a group. Grants and refusals for the group apply to it at once.
  package func add(_ membership: Membership) throws(ClientError) {
    _ = try call("org.gliss.Grants.AddToGroup", membership.json, timeout: nil)
  }

  /// Removes a client from a group, and ends everything that rests on its membership.
  package func remove(_ membership: Membership) throws(ClientError) {
    _ = try call("org.gliss.Grants.RemoveFromGroup", membership.json, timeout: nil)
  }

  /// All memberships that match the query's uid, client and group, oldest first.
  package func members(_ query: Gate.Query = Gate.Query()) throws(ClientError) -> [GroupMember] {
    var members: [GroupMember] = []
    while true {
      let known = members.isEmpty ? nil : JSON.whole(members.count)
      let answer = try call(
        "org.gliss.Grants.ListGroups", .members(["query": JSON(query), "skip": known]))
      let (more, omitted) = try read(answer) { (reply) throws(GateError) in
        (
          try reply.objects("members", GroupMember.init(reply:)),
          try reply.integer("omitted") ?? 0
        )
      }
      members += more
      // an answer has a limited size
      if more.isEmpty || omitted == 0 { return members }
    }
  }
}

extension GroupMember {
  fileprivate init(reply member: Parameters) throws(GateError) {
    self.init(
      try member.membership(),
      since: WallTime(seconds: try member.whole("since")), addedBy: try member.text("by"))
  }
}
