import GlissEvents

/// What slow pads get wrong: two contacts close to each other are one for a few reports, and slots change places.
struct ContactFaults {
  private let pad: Pad
  private var random: RandomSource
  /// Two fingers that are seen as one, and for how many reports more.
  private var merged: (first: Int, second: Int, reports: Int)?
  /// Whom the pad takes a finger for; itself where there is nothing.
  private var identities: [Int: Int] = [:]

  /// How likely two that are close enough merge with the next report, and for how many reports.
  private static let mergeChance = 0.2
  private static let mergedReports = 1...4

  init(pad: Pad, seed: UInt64) {
    self.pad = pad
    random = RandomSource(seed: seed, name: "faults")
  }

  /// The contacts as the pad sees them, `period` s after the last report.
  mutating func applied(
    to contacts: [KernelDriver.Contact], period: Double
  ) -> [KernelDriver.Contact] {
    guard pad.mergeDistance > 0 || pad.swapRate > 0 else { return contacts }
    var seen = contacts
    merge(&seen)
    swap(seen, period)
    for i in seen.indices { seen[i].finger = identities[seen[i].finger] ?? seen[i].finger }
    return seen
  }

  private mutating func merge(_ seen: inout [KernelDriver.Contact]) {
    if merged == nil, let (a, b) = closest(seen), random.chance(Self.mergeChance) {
      merged = (seen[a].finger, seen[b].finger, random.integer(Self.mergedReports))
    }
    guard let pair = merged else { return }
    merged = pair.reports > 1 ? (pair.first, pair.second, pair.reports - 1) : nil
    guard let a = seen.firstIndex(where: { $0.finger == pair.first }),
      let b = seen.firstIndex(where: { $0.finger == pair.second })
    else {
      merged = nil
      return
    }
    seen[a].position = (seen[a].position + seen[b].position) * 0.5
    seen[a].major += seen[b].major * 0.5
    seen[a].pressure += seen[b].pressure * 0.5
    seen.remove(at: b)
  }

  /// The two that are closest to each other, if that is close enough to merge.
  private func closest(_ seen: [KernelDriver.Contact]) -> (Int, Int)? {
    var found: (pair: (Int, Int), distance: Double)?
    for a in seen.indices {
      for b in seen.indices where b > a {
        let distance = (seen[a].position - seen[b].position).length
        if distance < found?.distance ?? pad.mergeDistance { found = ((a, b), distance) }
      }
    }
    return found?.pair
  }

  private mutating func swap(_ seen: [KernelDriver.Contact], _ period: Double) {
    guard seen.count > 1, pad.swapRate > 0, random.chance(pad.swapRate * period) else { return }
    let a = random.integer(0...seen.count - 2)
    let (first, second) = (seen[a].finger, seen[a + 1].finger)
    let before = identities[first] ?? first
    identities[first] = identities[second] ?? second
    identities[second] = before
  }
}
