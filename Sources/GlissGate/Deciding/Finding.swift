import GlissEvents

/// What was found for the parts of an ask, combined.
struct Finding {
  /// What all parts of one entitlement share.
  private struct Place: Hashable {
    var tier: Tier
    var devices: DeviceSet
    var availability: Availability
  }

  /// A part that is not granted, or not on these devices.
  private struct Lack {
    var part: Scope.Part
    var devices: DeviceSet
  }

  private let ask: Ask
  private let client: Client
  private var covers: [Cover] = []
  /// Not decided yet.
  private var open: [Lack] = []
  private var refused: [Lack] = []
  private var refusals: [Grant] = []

  init(_ ask: Ask, _ client: Client) {
    self.ask = ask
    self.client = client
  }

  /// - Parameter refusing: the grants that refuse the part, or some of it.
  mutating func take(_ part: Scope.Part, _ found: [Cover], _ refusing: [Grant]) {
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
      refused.append(Lack(part: part, devices: hit))
      for refusal in refusing where !refusals.contains(refusal) { refusals.append(refusal) }
    }
    let left: DeviceSet =
      switch asked {
      // a scope cannot express “all devices except these”
      case .all: hit.isEmpty ? .all : .named([])
      case .named(let names): .named(names).removing(granted).removing(hit)
      }
    if !left.isEmpty { open.append(Lack(part: part, devices: left)) }
  }

  func verdict() -> Verdict {
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
    var found: [(place: Place, parts: [Scope.Part])] = []
    for cover in covers {
      let place = Place(
        tier: cover.part.tier, devices: cover.devices, availability: cover.availability)
      if let index = found.firstIndex(where: { $0.place == place }) {
        if !found[index].parts.contains(cover.part) { found[index].parts.append(cover.part) }
      } else {
        found.append((place, [cover.part]))
      }
    }
    var entitlements: [Entitlement] = []
    for (place, parts) in found {
      let scope = Scope(parts, of: place.tier, devices: place.devices.names)
      let same = entitlements.firstIndex {
        $0.availability == place.availability && $0.scope.isSame(as: scope)
      }
      if let same, let devices = scope.devices {
        entitlements[same].scope.devices?.formUnion(devices)
      } else {
        entitlements.append(Entitlement(scope, place.availability))
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
  private func scopes(of lacks: [Lack]) -> [Scope] {
    var places: [DeviceSet] = []
    for lack in lacks where !places.contains(lack.devices) { places.append(lack.devices) }
    return places.map { devices in
      Scope(
        lacks.lazy.filter { $0.devices == devices }.map(\.part), of: ask.scope.tier,
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
