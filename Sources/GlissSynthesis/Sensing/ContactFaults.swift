import GlissEvents

/// The faults of slow pads: two contacts close to each other merge for a few reports, and contacts
/// swap slots.
struct ContactFaults {
  private let pad: Pad
  private var random: RandomSource
  /// Two fingers reported as one, and for how many more reports.
  private var merged: (first: Int, second: Int, reports: Int)?
  /// The finger that the pad reports each finger as; itself if missing.
  private var identities: [Int: Int] = [:]

  /// The probability that two close contacts merge at the next report, and for how many reports.
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

  /// The two closest contacts, if they are close enough to merge.
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
