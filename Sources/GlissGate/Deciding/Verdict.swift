/// What a client asks for. A gate makes it (``Gate/ask(_:_:)``), which knows the client's groups.
public struct Ask: Hashable, Sendable {
  public var identity: ClientIdentity
  public var scope: Scope
  /// The access groups that an administrator has put the client into.
  public internal(set) var groups: [AccessGroup]

  init(_ identity: ClientIdentity, _ scope: Scope, groups: [AccessGroup] = []) {
    self.identity = identity
    self.scope = scope
    self.groups = groups
  }
}

/// How a client stands.
public enum Standing: String, Hashable, Sendable, CaseIterable {
  /// Nobody has decided: it may request.
  case notDetermined
  /// Somebody has refused.
  case denied
  /// All or part of it is granted.
  case granted
  /// Nobody can grant it: an anonymous sandbox, or a store that cannot be trusted.
  case restricted
}

/// A scope that is granted, and when.
public struct Entitlement: Hashable, Sendable {
  public var scope: Scope
  public var availability: Availability

  public init(_ scope: Scope, _ availability: Availability) {
    self.scope = scope
    self.availability = availability
  }
}

/// The answer to an ``Ask``.
public struct Verdict: Hashable, Sendable {
  public var standing: Standing
  /// What is granted of what was asked, no part twice; empty unless ``Standing/granted``. Of gestures with coordinates it
  /// may be those without.
  public var entitlements: [Entitlement]
  /// The grants it rests on.
  public var grants: [GrantID]
  /// Until when it holds, if nothing changes.
  public var until: WallTime?
  /// Why not, or why less, and what can be done.
  public var advice: String?
  /// Whether nobody has decided about something of it yet: only then there is anything to request.
  public var mayRequest: Bool

  public init(
    _ standing: Standing, entitlements: [Entitlement] = [], grants: [GrantID] = [],
    until: WallTime? = nil, advice: String? = nil, mayRequest: Bool = false
  ) {
    self.standing = standing
    self.entitlements = entitlements
    self.grants = grants
    self.until = until
    self.advice = advice
    self.mayRequest = mayRequest
  }
}
