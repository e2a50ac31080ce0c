import GlissSynthesis
import Scoring
import StrokeClasses

/// Prints what became of the classes of a run.
struct SyntheticReport {
  var families: [TraceClass]
  var tallies: [Tally]

  /// The tables; returns what the classes come to together.
  func print() -> [Tally] {
    let sums = plainSums + wideSums
    let worstFirst = tallies.enumerated().sorted {
      ($0.element.share, $0.offset) < ($1.element.share, $1.offset)
    }.map(\.element)
    printTable(
      with("half", in: Tally.header),
      worstFirst.map { with(half(of: $0.name), in: $0.row) } + sums.map { with("–", in: $0.row) })
    printFalseMotions()
    printTravel()
    return sums
  }

  /// The row with a cell after the name.
  private func with(_ cell: String, in row: [String]) -> [String] {
    row.prefix(1) + [cell] + row.dropFirst()
  }

  private func half(of name: String) -> String {
    families.first { $0.name == name }?.half.rawValue ?? "–"
  }

  /// What the plain classes come to, under the names they have always had.
  private var plainSums: [Tally] {
    let names = Set(TraceClass.plain.map(\.name))
    let plain = tallies.filter { names.contains($0.name) }
    return [
      sum("drags and swipes", plain) { name in
        ["drag", "flick", "swipe"].contains(where: name.hasPrefix)
      },
      sum("pinches and rotations", plain) { name in
        ["pinch", "rotate"].contains(where: name.hasPrefix)
      },
      sum("all", plain) { _ in true },
    ].filter { $0.count > 0 }
  }

  private var wideSums: [Tally] {
    let wide = TraceClass.wide
    func names(_ isWanted: (TraceClass) -> Bool) -> Set<String> {
      Set(wide.filter(isWanted).map(\.name))
    }
    return [
      sum("wide drags and swipes", tallies, names(\.isMovingTogether).contains),
      sum("wide pinches and rotations", tallies, names(\.isPinchOrRotation).contains),
      sum("wide tuning", tallies, names { $0.half == .tuning }.contains),
      sum("wide held-out", tallies, names { $0.half == .heldOut }.contains),
    ].filter { $0.count > 0 }
  }

  private func sum(
    _ name: String, _ tallies: [Tally], _ isWanted: (String) -> Bool
  ) -> Tally {
    var sum = Tally(name)
    for tally in tallies where isWanted(tally.name) { sum.add(tally) }
    // the classes have said what was wrong
    sum.wrong = [:]
    return sum
  }

  private func printFalseMotions() {
    let still = tallies.filter { ["tap", "hold"].contains(where: $0.name.hasPrefix) }
      .filter { $0.name != "tap-drag" }
    let count = still.map(\.count).reduce(0, +)
    guard count > 0 else { return }
    let wrong = still.map(\.falseMotions).reduce(0, +)
    Swift.print("motion decided where there was none: \(wrong) of \(count) taps and holds")
  }

  /// How far the farthest finger had gone at the decision, of the strokes that came out clean.
  private func printTravel() {
    let rows = TravelGroup.allCases.compactMap { group -> [String]? in
      let ways = tallies.filter { TravelGroup($0.name) == group }.flatMap(\.farthest)
      guard let median = ways.quantile(0.5), let most = ways.quantile(0.9) else { return nil }
      return [group.rawValue, "\(ways.count)", median.shown(2) + " mm", most.shown(2) + " mm", ""]
    }
    guard !rows.isEmpty else { return }
    Swift.print("\nway of the farthest finger at the decision, clean traces alone")
    printTable(["group", "n", "median", "90 %", ""], rows)
  }
}
