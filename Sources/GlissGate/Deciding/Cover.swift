/// A grant, what it shows of a part that was asked for, and where.
struct Cover: Hashable {
  var grant: Grant
  /// The part, or as much of it as is granted.
  var part: Scope.Part
  var devices: DeviceSet

  var availability: Availability { grant.terms.availability }

  /// Those of `covers` that are needed, no device twice as far as scopes can say so.
  ///
  /// The part comes before less of it, what lasts before what is for once and used up by using it, what holds at more
  /// times before what holds at fewer, and what is older before what is newer.
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
