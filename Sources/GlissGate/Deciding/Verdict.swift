import GlissEvents

/// What a client asks for. ``Gate/ask(_:_:)`` makes it, because the gate knows the client's groups.
package struct Ask: Hashable, Sendable {
  package var identity: ClientIdentity
  package var scope: Scope
  /// The access groups that an administrator has added the client to.
  package internal(set) var groups: [AccessGroup]

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
  /// Nobody can grant it: the client has no name to store, or the store cannot be trusted.
  case restricted
}

/// A scope that is granted, and when it holds.
package struct Entitlement: Hashable, Codable, Sendable {
  package var scope: Scope
  package var availability: Availability

  package init(_ scope: Scope, _ availability: Availability) {
    self.scope = scope
    self.availability = availability
  }
}

/// The answer to a program that asks for a scope.
package struct Verdict: Hashable, Codable, Sendable {
  package var standing: Standing
  /// The granted share of what was asked for. No part appears twice. Empty unless
  /// ``Standing/granted``. An ask for gestures with coordinates may be given gestures without them.
  package var entitlements: [Entitlement]
  package var grants: [GrantID]
  /// When the verdict ends if nothing changes.
  package var until: WallTime?
  /// Why not, or why less, and what can be done about it.
  package var advice: String?
  /// Whether a part is still undecided. Only then is there anything to request.
  package var mayRequest: Bool

  private enum CodingKeys: String, CodingKey {
    case standing, entitlements = "granted", grants, until, advice, mayRequest
  }

  package init(
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
  package func isNarrower(than scope: Scope) -> Bool {
    !gives(scope, at: .whenUnlocked)
  }

  /// Whether `other` grants everything that this grants, whenever this grants it.
  package func isCovered(by other: Verdict) -> Bool {
    entitlements.allSatisfy { other.gives($0.scope, at: $0.availability) }
  }

  /// Whether all of `scope` is granted on all of its devices, at least as often.
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

/// What was found for the parts of an ask, combined.
struct VerdictBuilder {
  /// A part that is not granted, or not on these devices.
  private struct Missing {
    var part: Scope.Part
    var devices: DeviceSet
  }

  private let ask: Ask
  private let client: Client
  private var covers: [Cover] = []
  private var open: [Missing] = []
  private var refused: [Missing] = []
  private var refusals: [Grant] = []

  init(_ ask: Ask, _ client: Client) {
    self.ask = ask
    self.client = client
  }

  /// - Parameter refusing: the grants that refuse the part, or some of it.
  mutating func add(_ part: Scope.Part, _ found: [Cover], _ refusing: [Grant]) {
    covers += found
    let asked = DeviceSet(ask.scope.devices)
    let whole = found.filter { $0.part == part }
    let granted = whole.reduce(.named([])) { (set: DeviceSet, cover) in set.union(cover.devices) }
    if asked.isSubset(of: granted) { return }
    let forbidden = refusing.reduce(.named([])) { (set: DeviceSet, refusal) in
      set.union(DeviceSet(refusal.terms.scope.devices))
    }
    let hit = asked.intersection(forbidden)
    if !hit.isEmpty {
      refused.append(Missing(part: part, devices: hit))
      for refusal in refusing where !refusals.contains(refusal) { refusals.append(refusal) }
    }
    let left: DeviceSet =
      switch asked {
      // a scope cannot express “all devices except these”
      case .all: hit.isEmpty ? .all : .named([])
      case .named(let names): .named(names).removing(granted).removing(hit)
      }
    if !left.isEmpty { open.append(Missing(part: part, devices: left)) }
  }

  func build() -> Verdict {
    let standing: Standing =
      if !covers.isEmpty { .granted } else if open.isEmpty && !refused.isEmpty { .denied } else {
        .notDetermined
      }
    return Verdict(
      standing, entitlements: entitlements,
      grants: Set(covers.map(\.grant.id)).subtracting([Packaged.id]).sorted(),
      until: covers.compactMap(\.grant.terms.expiry.date).min(), advice: advice,
      mayRequest: !open.isEmpty)
  }

  /// The granted parts, in as few scopes as possible.
  private var entitlements: [Entitlement] {
    var found: [Entitlement] = []
    for cover in covers {
      let scope = Scope([cover.part], of: cover.part.tier, devices: cover.devices.names)
      let beside = found.firstIndex {
        $0.availability == cover.availability && $0.scope.tier == scope.tier
          && $0.scope.devices == scope.devices
      }
      guard let beside else {
        found.append(Entitlement(scope, cover.availability))
        continue
      }
      found[beside].scope.events.formUnion(scope.events)
      found[beside].scope.keys.formUnion(scope.keys)
    }
    var entitlements: [Entitlement] = []
    for new in found {
      let same = entitlements.firstIndex {
        $0.availability == new.availability && $0.scope.isSame(as: new.scope)
      }
      if let same, let devices = new.scope.devices {
        entitlements[same].scope.devices?.formUnion(devices)
      } else {
        entitlements.append(new)
      }
    }
    return entitlements
  }

  // MARK: Advice

  private var advice: String? {
    if ask.scope.parts.isEmpty {
      return "no event is asked for: name kinds of event, and for keys their classes"
    }
    var sentences: [String] = []
    if !open.isEmpty {
      let scopes = scopes(of: open)
      sentences.append(
        "not granted: \(scopes.map(\.description).joined(separator: " and ")); to grant it, run: "
          + scopes.map(command).joined(separator: " && "))
    }
    if !refused.isEmpty {
      let scopes = scopes(of: refused).map(\.description).joined(separator: " and ")
      let commands = refusals.map { "sudo gliss grants revoke \($0.id.rawValue)" }
      sentences.append(
        "refused: \(scopes); to take that back, run: \(commands.joined(separator: " && "))")
      if ask.scope.devices == nil, refused.contains(where: { $0.devices != .all }) {
        sentences.append("to be shown other devices, name them")
      }
    }
    if covers.contains(where: { $0.part == .gestures }), ask.scope.tier == .raw {
      sentences.append("gestures come without coordinates")
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: "; ")
  }

  /// The missing parts, in as few scopes as possible.
  private func scopes(of missing: [Missing]) -> [Scope] {
    var sets: [DeviceSet] = []
    for part in missing where !sets.contains(part.devices) { sets.append(part.devices) }
    return sets.map { devices in
      Scope(
        missing.lazy.filter { $0.devices == devices }.map(\.part), of: ask.scope.tier,
        devices: devices.names)
    }
  }

  private func command(_ scope: Scope) -> String {
    let terms = Grant.Terms(uid: ask.identity.uid, client: client, scope: scope)
    return "sudo \(terms.command)"
  }
}

extension Scope {
  /// Whether both name devices and differ in nothing else.
  fileprivate func isSame(as other: Scope) -> Bool {
    devices != nil && other.devices != nil && tier == other.tier && events == other.events
      && keys == other.keys
  }
}
