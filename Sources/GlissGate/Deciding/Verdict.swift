import GlissEvents

/// What a client asks for.
package struct Ask: Hashable, Sendable {
  package var identity: ClientIdentity
  package var scope: Scope

  package init(_ identity: ClientIdentity, _ scope: Scope) {
    self.identity = identity
    self.scope = scope
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
  /// Whether any part of `scope` is missing while the session is unlocked.
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
      // locking the screen matters only for these keys
      let isAlways = KeyClasses.whileLocked.isDisjoint(with: part.keys)
      let covering = entitlements.filter {
        (isAlways || $0.availability >= availability) && $0.scope.covers(part)
      }
      let devices = DeviceSet(covering.map { DeviceSet($0.scope.devices) })
      return DeviceSet(scope.devices).isSubset(of: devices)
    }
  }
}

/// What was found for the parts of an ask, combined.
struct VerdictBuilder {
  /// Parts that are not granted, or not on these devices.
  private typealias Missing = [(part: Scope.Part, devices: DeviceSet)]

  private let ask: Ask
  private let client: Client
  private var covers: [Cover] = []
  private var open: Missing = []
  private var refused: Missing = []
  private var refusals: [Grant] = []

  init(_ ask: Ask, _ client: Client) {
    self.ask = ask
    self.client = client
  }

  /// - Parameter refusing: the grants that refuse the part, or some of it.
  mutating func add(_ part: Scope.Part, _ found: [Cover], _ refusing: [Grant]) {
    covers += found
    let asked = DeviceSet(ask.scope.devices)
    let granted = DeviceSet(found.filter { $0.part == part }.map(\.devices))
    if asked.isSubset(of: granted) { return }
    let forbidden = DeviceSet(refusing.map { DeviceSet($0.terms.scope.devices) })
    let hit = asked.intersection(forbidden)
    if !hit.isEmpty {
      refused.append((part: part, devices: hit))
      for refusal in refusing where !refusals.contains(refusal) { refusals.append(refusal) }
    }
    // a scope cannot express “all devices except these”
    let left = (asked == .all ? asked : asked.removing(granted)).removing(hit)
    if !left.isEmpty { open.append((part: part, devices: left)) }
  }

  func build() -> Verdict {
    let without: Standing = open.isEmpty && !refused.isEmpty ? .denied : .notDetermined
    return Verdict(
      covers.isEmpty ? without : .granted, entitlements: entitlements,
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
      if let beside {
        found[beside].scope.events.formUnion(scope.events)
        found[beside].scope.keys.formUnion(scope.keys)
      } else {
        found.append(Entitlement(scope, cover.availability))
      }
    }
    var entitlements: [Entitlement] = []
    for new in found {
      let same = entitlements.firstIndex { known in
        var moved = known
        moved.scope.devices = new.scope.devices
        return known.scope.devices != nil && moved == new
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
  private func scopes(of missing: Missing) -> [Scope] {
    var sets: [DeviceSet] = []
    for part in missing where !sets.contains(part.devices) { sets.append(part.devices) }
    return sets.map { devices in
      Scope(
        missing.filter { $0.devices == devices }.map { $0.part }, of: ask.scope.tier,
        devices: devices.names)
    }
  }

  private func command(_ scope: Scope) -> String {
    let terms = Grant.Terms(uid: ask.identity.uid, client: client, scope: scope)
    return "sudo \(terms.command)"
  }
}

/// How an ask stands, which depends on the grants and the time alone. A part of the ask
/// (``Scope/Part``) is granted only if a grant covers it, and no refusal covers it.
enum Judgement {
  /// - Parameter groups: those that an administrator has added the client to.
  static func verdict(
    on ask: Ask, in groups: [AccessGroup], grants: [Grant], at now: WallTime
  ) -> Verdict {
    // every client may have its own chords, which cannot be typing; even an anonymous sandbox
    if ask.scope.tier == .hotkey {
      return Verdict(.granted, entitlements: [Entitlement(ask.scope, .whenUnlocked)])
    }
    // a client that cannot be stored under its name cannot be named by a grant
    guard let client = ask.identity.client, (try? client.check()) != nil else {
      return Verdict(.restricted, advice: whyNobody(ask))
    }
    let held = grants.filter {
      $0.terms.uid == ask.identity.uid && $0.holds(at: now) && $0.isAbout(client, in: groups)
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
    case .none where ask.identity.isReplaced:
      "the program's file was replaced or removed since the program started: start it again"
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
struct DeviceSet: Hashable {
  /// The form used in a scope: `nil` for all.
  let names: Set<String>?

  init(_ names: Set<String>?) { self.names = names }

  init(_ sets: some Sequence<DeviceSet>) {
    self = sets.reduce(DeviceSet.empty) { set, other in
      guard let names = set.names, let others = other.names else { return .all }
      return DeviceSet(names.union(others))
    }
  }

  static let all = DeviceSet(nil)
  static let empty = DeviceSet([] as Set<String>)

  var isEmpty: Bool { self == .empty }

  func intersection(_ other: DeviceSet) -> DeviceSet {
    guard let names, let others = other.names else { return names == nil ? other : self }
    return DeviceSet(names.intersection(others))
  }

  /// The devices that `other` does not contain. Empty if that is all devices except some, which no
  /// scope can express.
  func removing(_ other: DeviceSet) -> DeviceSet {
    guard let others = other.names else { return .empty }
    guard let names else { return others.isEmpty ? .all : .empty }
    return DeviceSet(names.subtracting(others))
  }

  func isSubset(of other: DeviceSet) -> Bool { intersection(other) == self }
}
