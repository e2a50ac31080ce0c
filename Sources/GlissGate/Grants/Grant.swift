public import GlissEvents

/// Seconds since 1970, UTC. Grants use this clock.
public struct WallTime: Hashable, Comparable, Sendable {
  public var seconds: Int64
  public init(seconds: Int64) { self.seconds = seconds }
  public static func < (a: WallTime, b: WallTime) -> Bool { a.seconds < b.seconds }
}

/// A grant's number in its store.
public struct GrantID: RawRepresentable, Hashable, Comparable, Sendable {
  public let rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public static func < (a: GrantID, b: GrantID) -> Bool { a.rawValue < b.rawValue }
}

/// When a grant holds, like the accessibility of a Keychain item. While the screen is locked only
/// media keys are ever shown.
public enum Availability: String, Hashable, Sendable, CaseIterable {
  case whenUnlocked, afterFirstUnlock, always
}

extension Availability: Comparable {
  /// A greater value holds more of the time.
  public static func < (a: Availability, b: Availability) -> Bool { a.rank < b.rank }

  private var rank: Int {
    switch self {
    case .whenUnlocked: 0
    case .afterFirstUnlock: 1
    case .always: 2
    }
  }
}

/// How long a grant holds.
public enum Expiry: Hashable, Sendable {
  /// For one stream, or one answer.
  case once
  /// Until the user's session of that name ends.
  case session(String)
  case at(WallTime)
  case never
}

/// A standing decision: whether this client may see this.
public struct Grant: Hashable, Sendable {
  /// What a person decides. The store adds who decided, when, and the grant's number.
  public struct Terms: Hashable, Sendable {
    public var uid: UInt32
    public var client: Client
    public var group: AccessGroup?
    public var scope: Scope
    /// False if it was refused permanently.
    public var isAllowed = true
    public var availability = Availability.whenUnlocked
    public var expiry = Expiry.never
    /// Valid only on the machine where it was granted.
    public var thisDeviceOnly = true
    /// The reason, as the client or the decider gave it.
    public var reason: String?

    public init(uid: UInt32, client: Client, group: AccessGroup? = nil, scope: Scope) {
      self.uid = uid
      self.client = client
      self.group = group
      self.scope = scope
    }
  }

  public var id: GrantID
  public var terms: Terms
  public var created: WallTime
  public var modified: WallTime
  public var lastUsed: WallTime?
  /// Who granted it, by name or uid.
  public var grantedBy: String

  public init(
    id: GrantID, terms: Terms, created: WallTime, modified: WallTime, lastUsed: WallTime? = nil,
    grantedBy: String
  ) {
    self.id = id
    self.terms = terms
    self.created = created
    self.modified = modified
    self.lastUsed = lastUsed
    self.grantedBy = grantedBy
  }
}

// Grants in the form of org.gliss.Grants.

extension Scope {
  public var json: JSON {
    var members = [JSON.Member("tier", .string(tier.name))]
    if !events.isEmpty {
      members.append(JSON.Member("events", .array(events.words.map { .string($0) })))
    }
    if let devices {
      members.append(JSON.Member("devices", .array(devices.sorted().map { .string($0) })))
    }
    if !keys.isEmpty { members.append(JSON.Member("keys", .array(keys.names.map { .string($0) }))) }
    return .object(members)
  }

  /// - Parameter place: the place of the value, for errors.
  public init(json: JSON, at place: String) throws(GateError) {
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
  var members: [JSON.Member] {
    var members = [
      JSON.Member("uid", .integer(Int64(uid))), JSON.Member("client", .string(client.description)),
    ]
    if let group { members.append(JSON.Member("group", .string(group.name))) }
    members += [
      JSON.Member("scope", scope.json), JSON.Member("allowed", .bool(isAllowed)),
      JSON.Member("availability", .string(availability.rawValue)),
      JSON.Member("expiry", .string(expiry.description)),
      JSON.Member("thisDeviceOnly", .bool(thisDeviceOnly)),
    ]
    if let reason { members.append(JSON.Member("reason", .string(reason))) }
    return members
  }

  /// Reads and checks terms. Missing members have their defaults.
  ///
  /// - Parameters:
  ///   - uid: the uid if the terms do not name one; `nil` if they must.
  ///   - place: the place of the value, for errors.
  public init(json: JSON, uid: UInt32? = nil, at place: String) throws(GateError) {
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
  public var json: JSON {
    var members = [JSON.Member("id", .integer(id.rawValue))]
    // the reason comes last
    members += terms.members.filter { $0.name != "reason" }
    members += [
      JSON.Member("created", .integer(created.seconds)),
      JSON.Member("modified", .integer(modified.seconds)),
    ]
    if let lastUsed { members.append(JSON.Member("lastUsed", .integer(lastUsed.seconds))) }
    members.append(JSON.Member("grantedBy", .string(grantedBy)))
    if let reason = terms.reason { members.append(JSON.Member("reason", .string(reason))) }
    return .object(members)
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

  var members: [JSON.Member] {
    [
      JSON.Member("uid", .integer(Int64(uid))), JSON.Member("client", .string(client.description)),
      JSON.Member("group", .string(group.name)),
    ]
  }
}

extension GroupMember {
  public var json: JSON {
    .object(
      membership.members + [
        JSON.Member("since", .integer(since.seconds)), JSON.Member("by", .string(addedBy)),
      ])
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
