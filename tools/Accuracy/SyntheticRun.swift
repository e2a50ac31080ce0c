import Foundation
import GlissEvents
import GlissRecordings
import GlissSynthesis
import Scoring

/// Replays freshly made traces of the classes and prints what became of them.
struct SyntheticRun {
  var seeds: [UInt64]
  var perClass: Int
  var filter: String?
  var isVerbose: Bool
  /// Where wrong traces are written as recordings; `nil` for nowhere.
  var saveFolder: String?

  func run() throws -> [Tally] {
    var tallies: [Tally] = []
    for kind in TraceClass.all where filter.map({ kind.name.hasPrefix($0) }) ?? true {
      var tally = Tally(kind.name)
      for seed in seeds {
        for index in 0..<perClass { try score(kind, index, seed, &tally) }
      }
      tallies.append(tally)
    }
    return tallies
  }

  private func score(_ kind: TraceClass, _ index: Int, _ seed: UInt64, _ tally: inout Tally)
    throws
  {
    let pad = kind.pads[index % kind.pads.count]
    let trace = kind.trace(on: pad, index: index, seed: seed)
    let found = outcomes(of: trace.events, on: trace.device)
    tally.count += 1
    let origin = trace.events.first?.time ?? .zero
    if trace.truth.strokeStart == nil && found.contains(where: \.isMotion) {
      tally.falseMotions += 1
    }
    if let fault = SyntheticScore.fault(found, trace.truth) {
      tally.wrong[fault, default: 0] += 1
      if let saveFolder { try save(trace, to: saveFolder, "\(kind.name)-\(seed)-\(index)") }
      if isVerbose {
        let what = found.isEmpty ? "none" : found.map(\.description).joined(separator: "; ")
        print("wrong: \(kind.name) \(index) seed \(seed) on \(pad.name): \(what)")
      }
      return
    }
    tally.clean += 1
    guard let decision = found.first(where: \.isMotion), let start = trace.truth.strokeStart else {
      return
    }
    let decided = origin + (decision.began - .zero)
    tally.fromStart.append((decided - start).milliseconds)
    if let onset = trace.truth.onset { tally.fromOnset.append((decided - onset).milliseconds) }
    let millimetres = Vector2(
      x: 1 / pad.unitsPerMillimetre.x, y: 1 / pad.unitsPerMillimetre.y)
    if let travel = Contacts(trace.events, millimetres: millimetres).meanTravel(at: decided) {
      tally.travel.append(travel)
    }
  }

  private func save(_ trace: Trace, to folder: String, _ name: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let bytes = RecordingWriter.bytes(of: trace.device, trace.events)
    try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name).yml"))
  }

  /// The classes and what they come to together.
  static func report(_ tallies: [Tally]) -> [Tally] {
    var all = Tally("all")
    var moving = Tally("drags and swipes")
    var scaling = Tally("pinches and rotations")
    for tally in tallies {
      all.add(tally)
      if ["drag", "flick", "swipe"].contains(where: tally.name.hasPrefix) { moving.add(tally) }
      if ["pinch", "rotate"].contains(where: tally.name.hasPrefix) { scaling.add(tally) }
    }
    var sums: [Tally] = [moving, scaling, all]
    // the classes have said what was wrong
    for i in sums.indices { sums[i].wrong = [:] }
    printTable(Tally.header, (tallies + sums.filter { $0.count > 0 }).map(\.row))
    let still = tallies.filter { ["tap", "hold"].contains(where: $0.name.hasPrefix) }
      .filter { $0.name != "tap-drag" }
    let count = still.map(\.count).reduce(0, +)
    let false_ = still.map(\.falseMotions).reduce(0, +)
    print("motion decided where there was none: \(false_) of \(count) taps and holds")
    return sums
  }
}
