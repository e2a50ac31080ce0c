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
        switch (cover.devices, better.devices) {
        case (_, .all): cover.devices = .named([])
        case (.named(let mine), .named(let theirs)):
          cover.devices = .named(mine.subtracting(theirs))
        case (.all, .named): break
        }
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
