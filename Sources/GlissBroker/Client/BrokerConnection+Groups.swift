import GlissEvents
public import GlissGate

// The calls of org.gliss.Grants about access groups. Calls that change them wait until an
// administrator has agreed, unless root calls.
extension BrokerConnection {
  /// Adds a client to a group. Grants and refusals for the group apply to it at once.
  ///
  /// - Throws: ``ClientError/alreadyMember(_:)`` if it is already a member.
  public func add(_ membership: Membership) throws(ClientError) {
    _ = try call("org.gliss.Grants.AddToGroup", JSON(membership), timeout: nil)
  }

  /// Removes a client from a group, and ends everything that rests on its membership.
  ///
  /// - Throws: ``ClientError/notFound(_:)`` if it is not a member.
  public func remove(_ membership: Membership) throws(ClientError) {
    _ = try call("org.gliss.Grants.RemoveFromGroup", JSON(membership), timeout: nil)
  }

  /// All memberships that match the query's uid, client and group, oldest first.
  public func members(_ query: Gate.Query = Gate.Query()) throws(ClientError) -> [GroupMember] {
    var members: [GroupMember] = []
    while true {
      var parameters: JSON = ["query": JSON(query)]
      if !members.isEmpty { parameters.add("skip", .integer(Int64(members.count))) }
      let answer = try call("org.gliss.Grants.ListGroups", parameters)
      let (more, omitted) = try read(answer) { (reply) throws(ParameterError) in
        (
          try reply.objects("members") { (each) throws(ParameterError) in try GroupMember(each) },
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
  fileprivate init(_ member: Parameters) throws(ParameterError) {
    self.init(
      Membership(
        uid: try member.required("uid", try member.uid("uid")),
        client: try member.required("client", try member.client("client")),
        group: try member.required("group", try member.group("group"))),
      since: WallTime(seconds: try member.whole("since")), addedBy: try member.text("by"))
  }
}

extension JSON {
  fileprivate init(_ membership: Membership) {
    self = [
      "group": .string(membership.group.name), "client": .string("\(membership.client)"),
      "uid": .integer(Int64(membership.uid)),
    ]
  }
}
