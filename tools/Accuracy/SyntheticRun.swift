import Foundation
import GlissEvents
import GlissGestures
import GlissRecordings
import GlissSynthesis
import Scoring
import StrokeClasses

/// Replays freshly made traces of the classes and prints what became of them.
struct SyntheticRun {
  var seeds: [UInt64]
  var perClass: Int
  var motor = MotorModel.Profile.minimumJerk
  var families: [TraceClass]
  var configuration = GestureConfiguration()
  var isVerbose: Bool
  /// Where wrong traces are written as recordings; `nil` for nowhere.
  var saveFolder: String?
  /// Where wrong traces are drawn; `nil` for nowhere.
  var report: HTMLReport?

  func run() throws -> [Tally] {
    var tallies: [Tally] = []
    for kind in families {
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
    let named = kind.pads[index % kind.pads.count]
    let trace = kind.trace(on: named, index: index, seed: seed, motor: motor)
    let found = outcomes(of: trace.events, on: trace.device, configuration: configuration)
    tally.count += 1
    let origin = trace.events.first?.time ?? .zero
    if trace.truth.strokeStart == nil && found.contains(where: \.isMotion) {
      tally.falseMotions += 1
    }
    let fault = SyntheticScore.fault(found, trace.truth)
    try report?.add(
      kind.name, "number \(index), seed \(seed), on \(named.name)", fault: fault, trace.events,
      on: trace.device, configuration)
    if let fault {
      tally.wrong[fault, default: 0] += 1
      if let saveFolder { try save(trace, to: saveFolder, "\(kind.name)-\(seed)-\(index)") }
      if isVerbose {
        let what = found.isEmpty ? "none" : found.map(\.description).joined(separator: "; ")
        print("wrong: \(kind.name) \(index) seed \(seed) on \(named.name): \(what)")
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
    let units = kind.drawn(on: named, index: index, seed: seed).pad.unitsPerMillimetre
    let contacts = Contacts(
      trace.events, millimetres: Vector2(x: 1 / units.x, y: 1 / units.y))
    let travels = contacts.travels(at: decided)
    if let farthest = travels.max() {
      tally.travel.append(travels.reduce(0, +) / Double(travels.count))
      tally.farthest.append(farthest)
    }
  }

  private func save(_ trace: Trace, to folder: String, _ name: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let bytes = RecordingWriter.bytes(of: RecordedDevice(trace.device), trace.events)
    try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name).yml"))
  }
}
