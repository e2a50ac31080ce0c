package import GlissEvents

// Grants in the form of org.gliss.Grants.

extension Scope {
  package var json: JSON {
    .members([
      "tier": .string(tier.name), "events": events.isEmpty ? nil : .strings(events.words),
      "devices": devices.map { .strings($0.sorted()) },
      "keys": keys.isEmpty ? nil : .strings(keys.names),
    ])
  }
}

extension Grant.Terms {
  package var json: JSON {
    var json = withoutReason
    json.add("reason", reason.map(JSON.string))
    return json
  }

  fileprivate var withoutReason: JSON {
    .members([
      "uid": .integer(Int64(uid)), "client": .string(client.description),
      "group": group.map { .string($0.name) }, "scope": scope.json, "allowed": .bool(isAllowed),
      "availability": .string(availability.rawValue), "expiry": .string(expiry.description),
      "thisDeviceOnly": .bool(thisDeviceOnly),
    ])
  }

  /// Reads and checks terms. Missing members have their defaults.
  ///
  /// - Parameter uid: the uid if the terms do not name one; `nil` if they must.
  package init(_ members: Parameters, uid: UInt32? = nil) throws(GateError) {
    do throws(ParameterError) {
      try members.allowOnly([
        "uid", "client", "group", "scope", "allowed", "availability", "expiry", "thisDeviceOnly",
        "reason",
      ])
      self = try members.terms(uid: uid)
    } catch {
      throw GateError(error)
    }
    do throws(GateError) {
      self = try checked()
    } catch {
      throw GateError(
        error.problem, members.place(error.place), error.message, advice: error.advice)
    }
  }
}

extension Grant {
  package var json: JSON {
    var json: JSON = ["id": .integer(id.rawValue)]
    for member in terms.withoutReason.object ?? [] { json.add(member.name, member.value) }
    json.add("created", .integer(created.seconds))
    json.add("modified", .integer(modified.seconds))
    json.add("lastUsed", lastUsed.map { .integer($0.seconds) })
    json.add("grantedBy", .string(grantedBy))
    json.add("reason", terms.reason.map(JSON.string))
    return json
  }
}

extension Membership {
  package var json: JSON {
    [
      "uid": .integer(Int64(uid)), "client": .string(client.description),
      "group": .string(group.name),
    ]
  }
}

extension GroupMember {
  package var json: JSON {
    var json = membership.json
    json.add("since", .integer(since.seconds))
    json.add("by", .string(addedBy))
    return json
  }
}

extension GateError {
  init(_ error: ParameterError) {
    self.init(
      .syntax, error.parameter.isEmpty ? "the file" : error.parameter, error.message,
      advice: error.advice)
  }
}

/// Grants and group members as a file for people to read and keep: `gliss grants export`.
package enum GrantFile {
  private static let version: Int64 = 1

  /// The lasting grants. Grants for once or for a session mean nothing elsewhere.
  package static func json(of grants: [Grant], members: [GroupMember] = []) -> JSON {
    let lasting = grants.filter { grant in
      switch grant.terms.expiry {
      case .never, .at: true
      case .once, .session: false
      }
    }
    return [
      "version": .integer(version),
      "grants": .array(lasting.map(\.terms.json)),
      "members": .array(members.map(\.membership.json)),
    ]
  }

  /// The grants in a file. They take effect only once they are added, and then count as granted on
  /// this computer.
  ///
  /// - Throws: ``GateError/Problem/syntax`` with the place in the file:
  ///   `grants[3].scope.events[0]`.
  package static func terms(in json: JSON) throws(GateError) -> [Grant.Terms] {
    let grants = try read(json) { (file) throws(ParameterError) in
      try file.required("grants", try file.objects("grants"))
    }
    guard grants.count <= Gate.capacity else {
      throw GateError(.syntax, "grants", "are more than \(Gate.capacity)")
    }
    var terms: [Grant.Terms] = []
    for grant in grants { terms.append(try Grant.Terms(grant)) }
    return terms
  }

  /// The group memberships in a file; none if the file does not mention them.
  ///
  /// - Throws: ``GateError/Problem/syntax`` with the place in the file: `members[3].group`.
  package static func memberships(in json: JSON) throws(GateError) -> [Membership] {
    try read(json) { (file) throws(ParameterError) in
      var memberships: [Membership] = []
      for member in try file.objects("members") ?? [] {
        try member.allowOnly(["uid", "client", "group"])
        memberships.append(try member.membership())
      }
      guard memberships.count <= Gate.memberCapacity else {
        throw ParameterError("members", "are more than \(Gate.memberCapacity)")
      }
      return memberships
    }
  }

  private static func read<Value>(
    _ json: JSON, _ body: (Parameters) throws(ParameterError) -> Value
  ) throws(GateError) -> Value {
    do throws(ParameterError) {
      guard json.object != nil else { throw ParameterError("", "must be an object") }
      let file = Parameters(json)
      try file.allowOnly(["version", "grants", "members"])
      guard try file.required("version", try file.integer("version")) == version else {
        throw ParameterError("version", "is not \(version)", advice: "use the Gliss that wrote it")
      }
      return try body(file)
    } catch {
      throw GateError(error)
    }
  }
}
