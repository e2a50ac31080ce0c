import GlissEvents

/// What was found for the parts of an ask, combined.
struct VerdictBuilder {
  /// What all parts of one entitlement share.
  private struct Common: Hashable {
    var tier: Tier
    var devices: DeviceSet
    var availability: Availability
  }

  /// A part that is not granted, or not on these devices.
  private struct Missing {
    var part: Scope.Part
    var devices: DeviceSet
  }

  private let ask: Ask
  private let client: Client
  private var covers: [Cover] = []
  /// Not decided yet.
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
    var found: [(common: Common, parts: [Scope.Part])] = []
    for cover in covers {
      let common = Common(
        tier: cover.part.tier, devices: cover.devices, availability: cover.availability)
      if let index = found.firstIndex(where: { $0.common == common }) {
        if !found[index].parts.contains(cover.part) { found[index].parts.append(cover.part) }
      } else {
        found.append((common, [cover.part]))
      }
    }
    var entitlements: [Entitlement] = []
    for (common, parts) in found {
      let scope = Scope(parts, of: common.tier, devices: common.devices.names)
      let same = entitlements.firstIndex {
        $0.availability == common.availability && $0.scope.isSame(as: scope)
      }
      if let same, let devices = scope.devices {
        entitlements[same].scope.devices?.formUnion(devices)
      } else {
        entitlements.append(Entitlement(scope, common.availability))
      }
    }
    return entitlements
  }

  // MARK: Advice

  private var advice: String? {
    if ask.scope.parts.isEmpty { return "nothing is asked for: name events, and for keys classes" }
    var sentences: [String] = []
    if !open.isEmpty {
      let scopes = scopes(of: open)
      sentences.append(
        "not granted: \(scopes.map(\.description).joined(separator: " and ")); a program may ask (Request), or: "
          + scopes.map(command).joined(separator: " && "))
    }
    if !refused.isEmpty {
      let scopes = scopes(of: refused).map(\.description).joined(separator: " and ")
      let commands = refusals.map { "sudo gliss grants revoke \($0.id.rawValue)" }
      sentences.append(
        "refused: \(scopes); it takes that back: \(commands.joined(separator: " && "))")
      if ask.scope.devices == nil, refused.contains(where: { $0.devices != .all }) {
        sentences.append("other devices are shown to who names them")
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
    var isForOnce = false
    if case .program(let path) = client {
      isForOnce = Interpreters.contains(path, for: scope)
    }
    return "sudo "
      + scope.command(for: client, of: ask.identity.uid, isForOnce: isForOnce)
  }
}

extension Scope {
  /// Whether both name devices and differ in nothing else.
  fileprivate func isSame(as other: Scope) -> Bool {
    devices != nil && other.devices != nil && tier == other.tier && events == other.events
      && keys == other.keys
  }
}
