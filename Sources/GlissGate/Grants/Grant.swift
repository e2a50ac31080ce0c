/// Seconds since 1970, UTC: what grants live by.
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

/// When a grant holds (as a Keychain item's accessibility): while the screen is locked only media keys are ever shown.
public enum Availability: String, Hashable, Sendable, CaseIterable {
  case whenUnlocked, afterFirstUnlock, always
}

extension Availability: Comparable {
  /// The later in this order, the more it holds.
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

/// A standing answer: this client may see this, or may not.
public struct Grant: Hashable, Sendable {
  /// What somebody decides; a store adds who, when and its number.
  public struct Terms: Hashable, Sendable {
    public var uid: UInt32
    public var client: Client
    public var group: AccessGroup?
    public var scope: Scope
    /// False where it was refused for good.
    public var isAllowed = true
    public var availability = Availability.whenUnlocked
    public var expiry = Expiry.never
    /// Bound to the machine it was given on.
    public var thisDeviceOnly = true
    /// Why, in the words of who asked or granted.
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
