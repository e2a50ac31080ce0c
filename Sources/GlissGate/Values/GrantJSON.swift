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
  package var json: JSON { json(of: nil).with(["reason": reason.map(JSON.string)]) }

  /// Without the reason, which comes last in a grant.
  fileprivate func json(of id: GrantID?) -> JSON {
    .members([
      "id": id.map { .integer($0.rawValue) }, "uid": .integer(Int64(uid)),
      "client": .string(client.description), "group": group.map { .string($0.name) },
      "scope": scope.json, "allowed": .bool(isAllowed),
      "availability": .string(holdsWhile.rawValue), "expiry": .string(expiry.description),
      "thisDeviceOnly": .bool(thisDeviceOnly),
    ])
  }

  /// Reads and checks terms, as ``Parameters/terms(uid:)``.
  package init(_ members: Parameters, uid: UInt32? = nil) throws(GateError) {
    do throws(GateError) {
      try members.allowOnly([
        "uid", "client", "group", "scope", "allowed", "availability", "expiry", "thisDeviceOnly",
        "reason",
      ])
      self = try members.terms(uid: uid)
    } catch {
      throw error.with(.syntax)
    }
    do throws(GateError) { self = try checked() } catch {
      throw error.with(at: members.place(error.place))
    }
  }
}

extension Grant {
  package var json: JSON {
    terms.json(of: id).with([
      "created": .integer(created.seconds), "modified": .integer(modified.seconds),
      "lastUsed": lastUsed.map { .integer($0.seconds) }, "grantedBy": .string(grantedBy),
      "reason": terms.reason.map(JSON.string),
    ])
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
    membership.json.with(["since": .integer(since.seconds), "by": .string(addedBy)])
  }
}

extension AuditEntry {
  package var json: JSON {
    .members([
      "id": id.map(JSON.integer), "time": .integer(time.seconds),
      "action": .string(action.rawValue), "uid": .integer(Int64(uid)), "client": .string(client),
      "detail": .string(detail), "count": .integer(count),
    ])
  }
}

/// Grants and group members as a file for people to read and keep: `gliss grants export`.
package enum GrantFile {
  private static let version: Int64 = 1

  /// The lasting grants. One-time grants and those of a session mean nothing elsewhere.
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

  /// The grants in a file, which take effect, on this computer, only once they are added. An
  /// error has the place in the file: `grants[3].scope.events[0]`.
  package static func terms(in json: JSON) throws(GateError) -> [Grant.Terms] {
    let file = try read(json)
    let grants = try file.required("grants", try file.objects("grants"))
    guard grants.count <= Gate.capacity else {
      throw GateError(.syntax, "grants", "are more than \(Gate.capacity)")
    }
    var terms: [Grant.Terms] = []
    var places: [Grant.Terms: Int] = [:]
    for (index, grant) in grants.enumerated() {
      let next = try Grant.Terms(grant)
      // nothing of the file is granted if one cannot be
      if let first = places.updateValue(index, forKey: next.key) {
        throw GateError(
          .syntax, "grants[\(index)]",
          "is for the same user, client, group and scope as grants[\(first)]")
      }
      terms.append(next)
    }
    return terms
  }

  /// The group memberships in a file; none if the file does not mention them. An error has the
  /// place in the file: `members[3].group`.
  package static func memberships(in json: JSON) throws(GateError) -> [Membership] {
    var memberships: [Membership] = []
    var places: [Membership: Int] = [:]
    for member in try read(json).objects("members") ?? [] {
      try member.allowOnly(["uid", "client", "group"])
      let next = try member.membership()
      if let first = places.updateValue(memberships.count, forKey: next) {
        throw GateError(
          .syntax, "members[\(memberships.count)]", "is the same member as members[\(first)]")
      }
      memberships.append(next)
    }
    guard memberships.count <= Gate.memberCapacity else {
      throw GateError(.syntax, "members", "are more than \(Gate.memberCapacity)")
    }
    return memberships
  }

  private static func read(_ json: JSON) throws(GateError) -> Parameters {
    guard json.object != nil else { throw GateError(.syntax, "the file", "must be an object") }
    let file = Parameters(json)
    try file.allowOnly(["version", "grants", "members"])
    guard try file.required("version", try file.integer("version")) == version else {
      throw GateError(
        .syntax, "version", "is not \(version)", advice: "use the Gliss that wrote it")
    }
    return file
  }
}

/// The parameters of a call, or the members of a file, read by name. Every error names its place.
package struct Parameters {
  package let json: JSON
  /// The prefix of the names, such as `scope.`
  let path: String

  package init(_ json: JSON, _ path: String = "") {
    self.json = json
    self.path = path
  }

  package func place(_ name: String) -> String { path + name }

  /// The parameter called `name` as `get` reads it; `nil` if it is missing.
  private func read<Value>(
    _ name: String, _ kind: StaticString, _ get: (JSON) -> Value?
  ) throws(GateError) -> Value? {
    guard let value = json[name] else { return nil }
    if let result = get(value) { return result }
    throw GateError(.parameter, place(name), "must be \(kind)")
  }

  package func string(_ name: String) throws(GateError) -> String? {
    try read(name, "a string", \.string)
  }

  package func integer(_ name: String) throws(GateError) -> Int64? {
    if case .decimal(let number)? = json[name], abs(number) > 0x1p53 {
      throw GateError(.parameter, place(name), number < 0 ? "is too small" : "is too large")
    }
    return try read(name, "a whole number", \.integer)
  }

  package func decimal(_ name: String) throws(GateError) -> Double? {
    try read(name, "a number", \.number)
  }

  package func bool(_ name: String) throws(GateError) -> Bool? {
    try read(name, "true or false", \.bool)
  }

  package func object(_ name: String) throws(GateError) -> Parameters? {
    try read(name, "an object") { $0.object == nil ? nil : Parameters($0, place(name) + ".") }
  }

  package func strings(_ name: String) throws(GateError) -> [String]? {
    try elements(name, "a list of strings", "a string") { value, _ in value.string }
  }

  package func integers(_ name: String) throws(GateError) -> [Int64]? {
    try elements(name, "a list of whole numbers", "a whole number") { value, _ in value.integer }
  }

  package func objects(_ name: String) throws(GateError) -> [Parameters]? {
    try elements(name, "a list of objects", "an object") { value, place in
      value.object == nil ? nil : Parameters(value, place + ".")
    }
  }

  private func elements<Value>(
    _ name: String, _ list: StaticString, _ kind: StaticString, _ get: (JSON, String) -> Value?
  ) throws(GateError) -> [Value]? {
    guard let elements = try read(name, list, \.array) else { return nil }
    var values: [Value] = []
    for (index, element) in elements.enumerated() {
      let place = "\(place(name))[\(index)]"
      guard let value = get(element, place) else {
        throw GateError(.parameter, place, "must be \(kind)")
      }
      values.append(value)
    }
    return values
  }

  package func uid(_ name: String) throws(GateError) -> UInt32? {
    guard let number = try integer(name) else { return nil }
    guard let uid = UInt32(exactly: number), uid != .max else {
      throw GateError(.parameter, place(name), "is not a user's number")
    }
    return uid
  }

  package func required<Value>(_ name: String, _ value: Value?) throws(GateError) -> Value {
    guard let value else { throw GateError(.parameter, place(name), "is missing") }
    return value
  }

  package func word<Word: CaseIterable & RawRepresentable<String>>(
    _ name: String
  ) throws(GateError) -> Word? {
    guard let text = try string(name) else { return nil }
    return try Self.word(text, among: Word.allCases.map { ($0.rawValue, $0) }, at: place(name))
  }

  private static func word<Value>(
    _ text: String, among values: [(String, Value)], at place: String
  ) throws(GateError) -> Value {
    if let found = values.first(where: { $0.0 == text }) { return found.1 }
    throw GateError(.parameter, place, "must be one of " + values.map(\.0).joined(separator: ", "))
  }
}

extension Parameters {
  package func allowOnly(_ names: [String]) throws(GateError) {
    for member in json.object ?? [] where !names.contains(member.name) {
      throw GateError(
        .parameter, place(member.name.boundedLine(40)), "is unknown",
        advice: names.isEmpty ? nil : "known are " + names.joined(separator: ", "))
    }
  }

  package func scope(_ name: String) throws(GateError) -> Scope {
    let members = try required(name, try object(name))
    let scope = try members.scope
    let devices = try members.strings("devices") ?? []
    do throws(GateError) {
      // the set in a scope has no places
      for (index, device) in devices.enumerated() {
        try Grant.Terms.check("scope.devices[\(index)]", device, TermsLimits.device)
      }
      return try scope.validated()
    } catch {
      throw error.with(.parameter, at: path + error.place)
    }
  }

  /// The scope with these members, unchecked.
  var scope: Scope {
    get throws(GateError) {
      try allowOnly(["tier", "events", "devices", "keys"])
      var scope = Scope(
        tier: try required("tier", try word("tier")),
        events: try set("events", among: EventMask.table),
        keys: try set("keys", among: KeyClasses.words))
      scope.devices = try strings("devices").map { Set($0) }
      // gestures are the only events in that tier
      if scope.tier == .gesture, scope.events.isEmpty { scope.events = .gesture }
      return scope
    }
  }

  private func set<Meaning: OptionSet>(
    _ name: String, among table: [(Meaning, StaticString)]
  ) throws(GateError) -> Meaning where Meaning.Element == Meaning {
    let words = table.map { ("\($0.1)", $0.0) }
    var set: Meaning = []
    for (index, text) in (try strings(name) ?? []).enumerated() {
      set.insert(try Self.word(text, among: words, at: "\(place(name))[\(index)]"))
    }
    return set
  }

  package func group(_ name: String) throws(GateError) -> AccessGroup? {
    try parsed(name) { (text) throws(GateError) in try AccessGroup(text) }
  }

  package func client(_ name: String) throws(GateError) -> Client? {
    try parsed(name) { (text) throws(GateError) in try Client(text) }
  }

  package func expiry(_ name: String) throws(GateError) -> Expiry? {
    try parsed(name) { (text) throws(GateError) in try Expiry(text) }
  }

  private func parsed<Value>(
    _ name: String, _ parse: (String) throws(GateError) -> Value
  ) throws(GateError) -> Value? {
    guard let text = try string(name) else { return nil }
    do throws(GateError) { return try parse(text) } catch {
      throw error.with(.parameter, at: place(name))
    }
  }

  /// The terms of a grant, unchecked. Missing members have their defaults, the uid only with `uid`.
  package func terms(uid: UInt32? = nil) throws(GateError) -> Grant.Terms {
    var terms = Grant.Terms(
      uid: try required("uid", try self.uid("uid") ?? uid),
      client: try required("client", try client("client")), group: try group("group"),
      scope: try scope("scope"))
    terms.isAllowed = try bool("allowed") ?? terms.isAllowed
    terms.availability = try word("availability") ?? terms.availability
    terms.expiry = try expiry("expiry") ?? terms.expiry
    terms.thisDeviceOnly = try bool("thisDeviceOnly") ?? terms.thisDeviceOnly
    terms.reason = try string("reason")
    return terms
  }

  package func membership(uid: UInt32? = nil) throws(GateError) -> Membership {
    Membership(
      uid: try required("uid", try self.uid("uid") ?? uid),
      client: try required("client", try client("client")),
      group: try required("group", try group("group")))
  }
}
