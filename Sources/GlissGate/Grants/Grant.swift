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
