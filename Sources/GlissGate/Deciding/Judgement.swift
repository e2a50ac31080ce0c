import GlissEvents

/// How an ask stands, which depends on the grants and the time alone. A part of the ask
/// (``Scope/Part``) is granted only if a grant covers it, and no refusal covers it.
enum Judgement {
  static func verdict(on ask: Ask, grants: [Grant], at now: WallTime) -> Verdict {
    // every client may have its own chords, which cannot be typing; even an anonymous sandbox
    if ask.scope.tier == .hotkey {
      return Verdict(.granted, entitlements: [Entitlement(ask.scope, .whenUnlocked)])
    }
    // a client that cannot be stored under its name cannot be named by a grant
    guard let client = ask.identity.client, (try? client.check()) != nil else {
      return Verdict(.restricted, advice: whyNobody(ask))
    }
    let held = grants.filter {
      $0.terms.uid == ask.identity.uid && $0.holds(at: now) && $0.isAbout(client, in: ask.groups)
    }
    let refusals = held.filter { !$0.terms.isAllowed }
    var allowances = held.filter(\.terms.isAllowed)
    if client == Packaged.client { allowances.append(Packaged.grant(for: ask.identity.uid)) }
    var verdict = VerdictBuilder(ask, client)
    for part in ask.scope.parts {
      let refusing = refusals.filter { $0.terms.scope.refuses(part) }
      verdict.add(
        part, Cover.kept(of: covers(of: part, ask, client, allowances, but: refusing)), refusing)
    }
    return verdict.build()
  }

  private static func whyNobody(_ ask: Ask) -> String {
    switch ask.identity.confinement {
    case .anonymous:
      "a sandbox that does not name its app is granted nothing: run the program outside it"
    case .none, .unit, .app, .unknown:
      "the program cannot be identified, so nothing can be granted to it"
    }
  }

  /// What each grant shows of `part`, and on which devices.
  private static func covers(
    of part: Scope.Part, _ ask: Ask, _ client: Client, _ grants: [Grant], but refusing: [Grant]
  ) -> [Cover] {
    var found: [Cover] = []
    for grant in grants {
      let places = DeviceSet(ask.scope.devices).intersection(DeviceSet(grant.terms.scope.devices))
      for shown in grant.terms.scope.shown(of: part) where grant.counts(for: shown, client) {
        // a refusal of gestures with coordinates does not refuse those without
        let left = refusing.reduce(places) { places, refusal in
          guard refusal.terms.scope.refuses(shown) else { return places }
          return places.removing(DeviceSet(refusal.terms.scope.devices))
        }
        if !left.isEmpty { found.append(Cover(grant: grant, part: shown, devices: left)) }
      }
    }
    return found
  }
}

/// What the package itself grants without a store entry. It makes gestures work at first for the
/// user at the seat, and nothing else.
enum Packaged {
  static let client = Client.program("/usr/bin/gliss")
  /// No grant in a store has this id.
  static let id = GrantID(rawValue: 0)

  static func grant(for uid: UInt32) -> Grant {
    Grant(
      id: id,
      terms: Grant.Terms(uid: uid, client: client, scope: Scope(tier: .gesture, events: .gesture)),
      created: WallTime(seconds: 0), modified: WallTime(seconds: 0), grantedBy: "the package")
  }
}

extension Grant {
  func holds(at now: WallTime) -> Bool { terms.expiry.date.map { now < $0 } ?? true }

  /// Whether this grant or refusal names the client, or is for one of its groups.
  fileprivate func isAbout(_ client: Client, in groups: [AccessGroup]) -> Bool {
    if terms.client == client { return true }
    guard let group = terms.group else { return false }
    return groups.contains { group.contains($0) }
  }

  /// An interpreter may see raw input only once.
  fileprivate func counts(for part: Scope.Part, _ client: Client) -> Bool {
    terms.expiry == .once || !Interpreters.mayOnlyOnce(client, part)
  }
}

/// A grant, with the part and the devices it covers of what was asked for.
struct Cover: Hashable {
  var grant: Grant
  /// The part, or as much of it as is granted.
  var part: Scope.Part
  var devices: DeviceSet

  var availability: Availability { grant.terms.availability }

  /// The covers that are needed. No device appears twice, as far as scopes can express that.
  ///
  /// A whole part comes before less of it, a lasting grant before a single-use one (which use would
  /// consume), wider availability before narrower, and older before newer.
  static func kept(of covers: [Cover]) -> [Cover] {
    var kept: [Cover] = []
    for var cover in covers.sorted(by: { $0.precedes($1) }) {
      for better in kept where !cover.devices.isEmpty {
        // a scope cannot express “all devices except these”
        if cover.devices == .all, better.devices != .all { continue }
        cover.devices = cover.devices.removing(better.devices)
      }
      if !cover.devices.isEmpty { kept.append(cover) }
    }
    return kept
  }

  private func precedes(_ other: Cover) -> Bool {
    if part.tier != other.part.tier { return part.tier > other.part.tier }
    let (isOnce, isOtherOnce) = (grant.terms.expiry == .once, other.grant.terms.expiry == .once)
    if isOnce != isOtherOnce { return isOtherOnce }
    if availability != other.availability { return availability > other.availability }
    if (devices == .all) != (other.devices == .all) { return devices == .all }
    return grant.id < other.grant.id
  }
}

/// Devices by name, or all present and future devices.
enum DeviceSet: Hashable {
  case all
  case named(Set<String>)

  init(_ names: Set<String>?) { self = names.map(DeviceSet.named) ?? .all }

  /// The form used in a scope.
  var names: Set<String>? {
    switch self {
    case .all: nil
    case .named(let names): names
    }
  }

  var isEmpty: Bool { self == .named([]) }

  func intersection(_ other: DeviceSet) -> DeviceSet {
    switch (self, other) {
    case (.all, _): other
    case (_, .all): self
    case (.named(let mine), .named(let theirs)): .named(mine.intersection(theirs))
    }
  }

  func union(_ other: DeviceSet) -> DeviceSet {
    switch (self, other) {
    case (.all, _), (_, .all): .all
    case (.named(let mine), .named(let theirs)): .named(mine.union(theirs))
    }
  }

  /// The devices that `other` does not contain. Empty if that is all devices except some, which no
  /// scope can express.
  func removing(_ other: DeviceSet) -> DeviceSet {
    switch (self, other) {
    case (_, .all): .named([])
    case (.all, .named(let theirs)): theirs.isEmpty ? .all : .named([])
    case (.named(let mine), .named(let theirs)): .named(mine.subtracting(theirs))
    }
  }

  func isSubset(of other: DeviceSet) -> Bool { intersection(other) == self }
}
