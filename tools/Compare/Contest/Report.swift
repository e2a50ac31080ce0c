import Foundation
import GlissSynthesis
import Scoring
import StrokeClasses

/// What the readers cost, over all rounds.
struct Costs {
  var frames = 0
  private(set) var order: [String] = []
  private var spent: [String: Double] = [:]
  private var peak: [String: Double] = [:]

  mutating func add(_ contestant: Contestant) {
    if spent[contestant.name] == nil { order.append(contestant.name) }
    spent[contestant.name, default: 0] += contestant.spent
    // the memory of those that run in this program is this program's
    guard !contestant.isThisProgram else { return }
    peak[contestant.name] = max(peak[contestant.name] ?? 0, contestant.peakMemory)
  }

  /// Microseconds a frame.
  func perFrame(_ name: String) -> Double { (spent[name] ?? 0) / Double(max(1, frames)) }

  func rows() -> [[String]] {
    let bare = order.first.map { perFrame($0) } ?? 1
    return order.map { name in
      let each = perFrame(name)
      return [name, each.shown(1), (each / bare).shown(2), peak[name]?.shown(1) ?? "–", ""]
    }
  }
}

/// The tables.
struct Report {
  let gliss: Column
  let libinput: Column
  let costs: Costs

  func print(count: Int, seed: UInt64, classes: [String]) {
    Swift.print("the same strokes to both: \(count) of each class, seed \(seed)\n")
    var rows: [[String]] = []
    for name in classes {
      guard let ours = gliss.tallies[name], let theirs = libinput.tallies[name] else { continue }
      let truth = TraceClass.named(name)?.trace(index: 0, seed: seed).truth
      let hasWord = truth.map(Column.isInLibinput) ?? true
      rows.append([
        name, "\(ours.count)", "\(ours.clean)", hasWord ? "\(theirs.clean)" : "–", early(ours),
        hasWord ? early(theirs) : "–", ours.wrongs, hasWord ? theirs.wrongs : "it has none",
      ])
    }
    rows.append(total(classes))
    printTable(
      [
        "class", "n", "gliss", "libinput", "gliss after", "libinput after", "gliss wrong",
        "libinput wrong",
      ], rows)
    Swift.print("\nclean strokes, and the median from the motion's start to the decision")
    Swift.print("\nprocessor time and memory over \(costs.frames) frames, after one stroke\n")
    printTable(["reader", "µs a frame", "of the bare loop", "peak MB", ""], costs.rows())
  }

  /// Over the classes that libinput has a word for.
  private func total(_ classes: [String]) -> [String] {
    var (ours, theirs) = (Tally("both"), Tally("both"))
    for name in classes {
      guard let truth = TraceClass.named(name)?.trace(index: 0, seed: 1).truth,
        Column.isInLibinput(truth), let a = gliss.tallies[name], let b = libinput.tallies[name]
      else { continue }
      ours.add(a)
      theirs.add(b)
    }
    return [
      "what both can", "\(ours.count)", "\(ours.clean)", "\(theirs.clean)", early(ours),
      early(theirs), "", "",
    ]
  }

  private func early(_ tally: Tally) -> String {
    tally.fromStart.quantile(0.5).map { $0.shown(0) + " ms" } ?? "–"
  }
}
