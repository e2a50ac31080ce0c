import GlissEvents

/// What a client asks for. ``Gate/ask(_:_:)`` makes it, because the gate knows the client's groups.
public struct Ask: Hashable, Sendable {
  public var identity: ClientIdentity
  public var scope: Scope
  /// The access groups that an administrator has added the client to.
  public internal(set) var groups: [AccessGroup]

  init(_ identity: ClientIdentity, _ scope: Scope, groups: [AccessGroup] = []) {
    self.identity = identity
    self.scope = scope
    self.groups = groups
  }
}

/// The outcome for a client.
public enum Standing: String, Hashable, Sendable, CaseIterable {
  /// Nobody has decided yet. The client may request it.
  case notDetermined
  /// It was refused.
  case denied
  /// All or part of it is granted.
  case granted
  /// Nobody can grant it: the sandbox is anonymous, or the store cannot be trusted.
  case restricted
}

/// A scope that is granted, and when it holds.
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
  /// The granted share of what was asked for. No part appears twice. Empty unless
  /// ``Standing/granted``. An ask for gestures with coordinates may be given gestures without them.
  public var entitlements: [Entitlement]
  /// The grants that the verdict rests on.
  public var grants: [GrantID]
  /// When the verdict ends if nothing changes.
  public var until: WallTime?
  /// Why not, or why less, and what can be done about it.
  public var advice: String?
  /// Whether a part is still undecided. Only then is there anything to request.
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

extension Verdict {
  /// Whether any part of `scope` is missing.
  public func isNarrower(than scope: Scope) -> Bool {
    !gives(scope, at: .whenUnlocked)
  }

  /// Whether `other` gives everything this gives, whenever this gives it.
  public func isCovered(by other: Verdict) -> Bool {
    entitlements.allSatisfy { other.gives($0.scope, at: $0.availability) }
  }

  /// Whether each part of `scope` is given on all of its devices, at least as often as
  /// `availability` requires.
  private func gives(_ scope: Scope, at availability: Availability) -> Bool {
    scope.parts.allSatisfy { part in
      let devices = entitlements.reduce(.named([])) { (set: DeviceSet, entitlement) in
        // locking the screen matters only for these keys
        let isInTime =
          entitlement.availability >= availability
          || KeyClasses.whileLocked.isDisjoint(with: part.keys)
        guard isInTime, entitlement.scope.covers(part) else { return set }
        return set.union(DeviceSet(entitlement.scope.devices))
      }
      return DeviceSet(scope.devices).isSubset(of: devices)
    }
  }
}
