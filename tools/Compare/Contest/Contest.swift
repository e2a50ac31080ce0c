import ArgumentParser
import Foundation
import GlissDevices
import GlissEvents
import GlissSynthesis
import Scoring
import StrokeClasses

/// Plays the strokes once to all who read, and prints the table.
struct Contest: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contest", abstract: "The comparison itself: what runs without a subcommand.")

  @Option(help: "The gliss to run.")
  var gliss: String

  @Option(help: "Strokes of each class.")
  var count = 10

  @Option(help: "What the strokes are drawn from.")
  var seed: UInt64 = 1

  @Option(name: .customLong("class"), help: "Only classes whose name begins so.")
  var only: String?

  /// Between two strokes: longer than whatever either waits for.
  private static let pause = EventInterval.milliseconds(700)

  func run() throws {
    let columns = [Column("gliss"), Column("libinput")]
    var costs = Costs()
    for pad in [Pad.small, .medium, .large, .unsized] {
      let strokes = strokes(on: pad)
      guard !strokes.isEmpty else { continue }
      let round = try Round(pad: pad, gliss: gliss)
      let played = try round.play(strokes, pause: Self.pause)
      let found = round.finish(into: &costs)
      for (column, lines) in zip(columns, [found.gliss, found.libinput]) {
        column.score(lines, played)
      }
      FileHandle.standardError.write(Data("\(pad.name): \(strokes.count) strokes\n".utf8))
    }
    Report(gliss: columns[0], libinput: columns[1], costs: costs).print(
      count: count, seed: seed, classes: TraceClass.plain.map(\.name))
  }

  private func strokes(on pad: Pad) -> [Trace] {
    var strokes: [Trace] = []
    for kind in TraceClass.plain where only.map({ kind.name.hasPrefix($0) }) ?? true {
      let pads = kind.pads.filter { !$0.isTouchscreen }
      for index in 0..<count where !pads.isEmpty && pads[index % pads.count] == pad {
        strokes.append(kind.trace(on: pad, index: index, seed: seed))
      }
    }
    return strokes
  }
}

/// A stroke, and when its first packet was played.
struct Played {
  var trace: Trace
  var start: EventTime
}

/// All strokes of one pad, and who reads them.
final class Round {
  private let device: VirtualDevice
  private let contestants: [Contestant]
  private let warmUp: Trace
  private var frames = 0

  init(pad: Pad, gliss: String) throws {
    let myself = "/proc/self/exe"
    let me = try FileManager.default.destinationOfSymbolicLink(atPath: myself)
    warmUp = Stroke.drag(by: Vector2(x: 0, y: 12)).trace(on: pad, seed: 7)
    device = try VirtualDevice(warmUp.device)
    let path = device.path
    let newer = ProcessInfo.processInfo.environment["LIBINPUT_PREFIX"]
    let libraries = newer.map { ["LD_LIBRARY_PATH": Self.libraries(in: $0)] } ?? [:]
    var readers = [
      try Contestant("bare libevdev loop", [me, "listen", "bare", path], keepsOutput: false),
      try Contestant("gliss, a handler", [me, "listen", "gliss", path], keepsOutput: false),
      try Contestant(
        "gliss watch, JSON lines", [gliss, "watch", "--format", "jsonl", "--device", path],
        keepsOutput: true),
      try Contestant(
        "libinput, a handler", [me, "listen", "libinput", path], environment: libraries,
        keepsOutput: true),
    ]
    if let tool = Self.debugEvents(in: newer) {
      readers.append(
        try Contestant(
          "libinput debug-events", [tool, "--device", path], environment: libraries,
          keepsOutput: true))
    }
    contestants = readers
    for contestant in contestants { try contestant.waitUntilReading(path) }
  }

  private static func libraries(in prefix: String) -> String {
    ["lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"].map { "\(prefix)/\($0)" }
      .joined(separator: ":")
  }

  private static func debugEvents(in prefix: String?) -> String? {
    ["\(prefix ?? "/usr")/libexec/libinput/libinput-debug-events"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  /// The first stroke loads and binds what every one needs; costs are counted after it.
  func play(_ strokes: [Trace], pause: EventInterval) throws -> [Played] {
    try rest(pause)
    try play(warmUp)
    try rest(pause)
    for contestant in contestants { contestant.startCounting() }
    var played: [Played] = []
    for trace in strokes {
      played.append(Played(trace: trace, start: InputLoop.now))
      try play(trace)
      try rest(pause)
      frames += trace.events.count {
        $0.type == .synchronization && $0.code == SynchronizationCode.report
      }
    }
    return played
  }

  /// A trace assumes an untouched device: no slot has a palm, and slot 0 is current.
  private func play(_ trace: Trace) throws {
    let slots = trace.device.axes[.toolType] == nil ? 0 : trace.device.slotCount
    for slot in (0..<max(1, slots)).reversed() {
      try device.write([.absolute(.slot, Int32(slot), at: .zero)])
      if slots > 0 { try device.write([.absolute(.toolType, ToolType.finger, at: .zero)]) }
    }
    try device.write([.report(at: .zero)])
    try trace.play(on: [device])
  }

  private func rest(_ pause: EventInterval) throws { usleep(UInt32(pause.microseconds)) }

  /// Ends the round; what Gliss and libinput printed.
  func finish(into costs: inout Costs) -> (gliss: [Substring], libinput: [Substring]) {
    costs.frames += frames
    for contestant in contestants { costs.add(contestant) }
    device.close()
    let outputs = contestants.map { $0.finish() }
    return (outputs[2], outputs[3])
  }
}
