import GlissEvents

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
