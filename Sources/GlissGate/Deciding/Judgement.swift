import GlissEvents

/// How an ask stands, by the grants there are: a function of them, the time and nothing else.
///
/// What is asked for is taken apart (``Scope/Part``), each part is looked for in the grants, and what was found is put
/// together again (``Finding``). No part is granted that was not asked for, none that no grant covers, and none that
/// somebody refused, whoever else granted it.
enum Judgement {
  static func verdict(on ask: Ask, grants: [Grant], at now: WallTime) -> Verdict {
    // a client's own chords, which cannot be typing, are anybody's: also a sandbox's that has no name
    if ask.scope.tier == .hotkey {
      return Verdict(.granted, entitlements: [Entitlement(ask.scope, .whenUnlocked)])
    }
    guard let client = ask.identity.client, client.isNameable else {
      return Verdict(.restricted, advice: whyNobody(ask))
    }
    let held = grants.filter {
      $0.terms.uid == ask.identity.uid && $0.holds(at: now) && $0.isAbout(client, in: ask.groups)
    }
    let refusals = held.filter { !$0.terms.isAllowed }
    var allowances = held.filter(\.terms.isAllowed)
    if client == Packaged.client { allowances.append(Packaged.grant(for: ask.identity.uid)) }
    var finding = Finding(ask, client)
    for part in ask.scope.parts {
      let refusing = refusals.filter { $0.terms.scope.refuses(part) }
      finding.take(
        part, Cover.kept(of: covers(of: part, ask, client, allowances, but: refusing)), refusing)
    }
    return finding.verdict()
  }

  private static func whyNobody(_ ask: Ask) -> String {
    switch ask.identity.confinement {
    case .anonymous:
      "a sandbox that does not say what it holds is granted nothing: run the program outside it"
    case .none, .unit, .app, .unknown:
      "which program this is cannot be told, so that nothing can be granted to it"
    }
  }

  /// What each of the grants shows of `part`, and where.
  private static func covers(
    of part: Scope.Part, _ ask: Ask, _ client: Client, _ grants: [Grant], but refusing: [Grant]
  ) -> [Cover] {
    var found: [Cover] = []
    for grant in grants {
      let places = DeviceSet(ask.scope.devices).intersection(DeviceSet(grant.terms.scope.devices))
      for shown in grant.terms.scope.shown(of: part) where grant.counts(for: shown, client) {
        // who refused gestures with coordinates did not refuse those without
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

/// What the package itself grants, in no store: a first gesture works for who sits at the seat, and nothing else does.
enum Packaged {
  static let client = Client.program("/usr/bin/gliss")
  /// Of no grant in a store.
  static let id = GrantID(rawValue: 0)

  static func grant(for uid: UInt32) -> Grant {
    Grant(
      id: id,
      terms: Grant.Terms(uid: uid, client: client, scope: Scope(tier: .gesture, events: .gesture)),
      created: WallTime(seconds: 0), modified: WallTime(seconds: 0), grantedBy: "the package")
  }
}

extension Client {
  /// Whether a grant can name it: one that is only called so as to be taken for another cannot be.
  fileprivate var isNameable: Bool { (try? Client(description)) == self }
}

extension Grant {
  fileprivate func holds(at now: WallTime) -> Bool { terms.expiry.date.map { now < $0 } ?? true }

  /// Whether it names the client that asks, or is for a group that it is in; of a refusal, too.
  fileprivate func isAbout(_ client: Client, in groups: [AccessGroup]) -> Bool {
    if terms.client == client { return true }
    guard let group = terms.group else { return false }
    return groups.contains { group.contains($0) }
  }

  /// An interpreter sees raw input for once and no longer.
  fileprivate func counts(for part: Scope.Part, _ client: Client) -> Bool {
    guard case .program(let path) = client, Interpreters.contains(path, for: part) else {
      return true
    }
    return terms.expiry == .once
  }
}
