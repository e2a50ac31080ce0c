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

  /// - Parameter place: the place of the value, for errors.
  package init(json: JSON, at place: String) throws(GateError) {
    let scope = PlacedJSON(value: json, place: place)
    let members = try scope.members(["tier", "events", "devices", "keys"])
    guard let tier = members["tier"] else { throw scope.missing("tier") }
    self.init(
      tier: try tier.word(Tier.allCases.map { ($0, $0.name) }),
      events: try members["events"]?.set(EventMask.table) ?? [],
      keys: try members["keys"]?.set(KeyClasses.words.map { ($0.0, "\($0.1)") }) ?? [])
    // gestures are the only events in that tier
    if self.tier == .gesture, members["events"] == nil { events = .gesture }
    guard let devices = members["devices"] else { return }
    var names: Set<String> = []
    for device in try devices.elements() { names.insert(try device.string()) }
    self.devices = names
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
  /// - Parameters:
  ///   - uid: the uid if the terms do not name one; `nil` if they must.
  ///   - place: the place of the value, for errors.
  package init(json: JSON, uid: UInt32? = nil, at place: String) throws(GateError) {
    let terms = PlacedJSON(value: json, place: place)
    let members = try terms.members([
      "uid", "client", "group", "scope", "allowed", "availability", "expiry", "thisDeviceOnly",
      "reason",
    ])
    guard let uid = try members["uid"]?.integer(UInt32.self) ?? uid else {
      throw terms.missing("uid")
    }
    guard let client = members["client"] else { throw terms.missing("client") }
    guard let scope = members["scope"] else { throw terms.missing("scope") }
    self.init(
      uid: uid, client: try client.parsed { (text) throws(GateError) in try Client(text) },
      group: try members["group"]?.parsed { (text) throws(GateError) in try AccessGroup(text) },
      scope: try Scope(json: scope.value, at: scope.place))
    isAllowed = try members["allowed"]?.bool() ?? isAllowed
    availability =
      try members["availability"]?.word(Availability.allCases.map { ($0, $0.rawValue) })
      ?? availability
    expiry =
      try members["expiry"]?.parsed { (text) throws(GateError) in try Expiry(text) } ?? expiry
    thisDeviceOnly = try members["thisDeviceOnly"]?.bool() ?? thisDeviceOnly
    reason = try members["reason"]?.string()
    do throws(GateError) {
      self = try checked()
    } catch {
      throw error.below(place)
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
  /// Reads a membership.
  ///
  /// - Parameter place: the place of the value, for errors.
  init(json: JSON, at place: String) throws(GateError) {
    let membership = PlacedJSON(value: json, place: place)
    let members = try membership.members(["uid", "client", "group"])
    guard let uid = members["uid"] else { throw membership.missing("uid") }
    guard let client = members["client"] else { throw membership.missing("client") }
    guard let group = members["group"] else { throw membership.missing("group") }
    self.init(
      uid: try uid.integer(UInt32.self),
      client: try client.parsed { (text) throws(GateError) in try Client(text) },
      group: try group.parsed { (text) throws(GateError) in try AccessGroup(text) })
  }

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

extension PlacedJSON {
  /// Parses a string. Errors get this place.
  fileprivate func parsed<Value>(
    _ parse: (String) throws(GateError) -> Value
  ) throws(GateError) -> Value {
    let text = try string()
    do throws(GateError) {
      return try parse(text)
    } catch {
      throw GateError(.syntax, place, error.message, advice: error.advice)
    }
  }
}

extension GateError {
  /// The same error, with its place put below `outer`.
  func below(_ outer: String) -> GateError {
    var error = self
    error.place = outer.isEmpty ? place : "\(outer).\(place)"
    return error
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
    let (file, members) = try checked(json)
    guard let grants = members["grants"] else { throw file.missing("grants") }
    let elements = try grants.elements()
    guard elements.count <= Gate.capacity else {
      throw grants.mistake("are more than \(Gate.capacity)")
    }
    var terms: [Grant.Terms] = []
    for element in elements {
      terms.append(try Grant.Terms(json: element.value, at: element.place))
    }
    return terms
  }

  /// The group memberships in a file; none if the file does not mention them.
  ///
  /// - Throws: ``GateError/Problem/syntax`` with the place in the file: `members[3].group`.
  package static func memberships(in json: JSON) throws(GateError) -> [Membership] {
    guard let members = try checked(json).members["members"] else { return [] }
    let elements = try members.elements()
    guard elements.count <= Gate.memberCapacity else {
      throw members.mistake("are more than \(Gate.memberCapacity)")
    }
    var memberships: [Membership] = []
    for element in elements {
      memberships.append(try Membership(json: element.value, at: element.place))
    }
    return memberships
  }

  private static func checked(
    _ json: JSON
  ) throws(GateError) -> (file: PlacedJSON, members: [String: PlacedJSON]) {
    let file = PlacedJSON(value: json, place: "")
    let members = try file.members(["version", "grants", "members"])
    guard let version = members["version"] else { throw file.missing("version") }
    guard try version.integer(Int64.self) == Self.version else {
      throw version.mistake("is not \(Self.version)", advice: "use the Gliss that wrote it")
    }
    return (file, members)
  }
}

extension Gate {
  /// The grants and members in a form that ``add(_:by:at:)`` accepts again.
  package func export() throws(GateError) -> JSON {
    GrantFile.json(of: try grants(), members: try members())
  }
}

/// A JSON value with its place, so that errors can point at it.
struct PlacedJSON {
  let value: JSON
  let place: String

  func mistake(_ message: String, advice: String? = nil) -> GateError {
    GateError(.syntax, place.isEmpty ? "the file" : place, message, advice: advice)
  }

  /// Members by name. Any name not in `known` is an error.
  func members(_ known: [String]) throws(GateError) -> [String: PlacedJSON] {
    guard let members = value.object else { throw mistake("is not an object") }
    var found: [String: PlacedJSON] = [:]
    for member in members {
      let name = member.name.boundedLine(40)
      let placed = PlacedJSON(
        value: member.value, place: place.isEmpty ? name : "\(place).\(name)")
      guard known.contains(member.name) else {
        throw placed.mistake(
          "unknown member", advice: "known are " + known.joined(separator: ", "))
      }
      guard found[member.name] == nil else { throw placed.mistake("appears twice") }
      // null counts as absent
      if !member.value.isNull { found[member.name] = placed }
    }
    return found
  }

  func missing(_ name: String) -> GateError { mistake("has no \(name)") }

  func elements() throws(GateError) -> [PlacedJSON] {
    guard let array = value.array else { throw mistake("is not an array") }
    return array.enumerated().map { PlacedJSON(value: $1, place: "\(place)[\($0)]") }
  }

  func string() throws(GateError) -> String {
    guard let string = value.string else { throw mistake("is not a string") }
    return string
  }

  func bool() throws(GateError) -> Bool {
    guard let bool = value.bool else { throw mistake("is neither true nor false") }
    return bool
  }

  func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws(GateError) -> Number {
    guard let number = value.integer.flatMap({ Number(exactly: $0) }) else {
      throw mistake("is not a whole number from \(Number.min) to \(Number.max)")
    }
    return number
  }

  /// Reads one of these words.
  func word<Meaning>(_ table: [(Meaning, String)]) throws(GateError) -> Meaning {
    let text = try string()
    guard let found = table.first(where: { $0.1 == text }) else {
      throw mistake(
        "unknown word '\(text.boundedLine(40))'",
        advice: "known are " + table.map(\.1).joined(separator: ", "))
    }
    return found.0
  }

  /// Reads several of these words.
  func set<Meaning: OptionSet>(_ table: [(Meaning, String)]) throws(GateError) -> Meaning
  where Meaning.Element == Meaning {
    var set: Meaning = []
    for element in try elements() { set.insert(try element.word(table)) }
    return set
  }
}
