import ArgumentParser
import Foundation
import GlissDevices
import GlissEvents
import GlissSynthesis
import Scoring

/// What a frame costs where several touchpads are touched at once.
struct Pads: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "What a frame costs with one touchpad, and with ten that are touched at once.")

  @Option(help: "Strokes on each pad.")
  var count = 20

  func run() throws {
    var rows: [[String]] = []
    var single = 0.0
    for pads in [1, 2, 5, 10] {
      let each = try cost(of: pads)
      if pads == 1 { single = each }
      rows.append(["\(pads)", each.shown(1), (each / single).shown(2), ""])
    }
    printTable(["touchpads", "µs a frame", "of one", ""], rows)
  }

  /// Microseconds a frame.
  private func cost(of pads: Int) throws -> Double {
    let trace = Stroke.drag(by: Vector2(x: 0, y: 25)).trace(on: .medium, seed: 5)
    let devices = try (0..<pads).map { _ in try VirtualDevice(trace.device) }
    let me = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let reader = try Contestant(
      "gliss", [me, "listen", "gliss"] + devices.map(\.path), keepsOutput: false)
    for device in devices { try reader.waitUntilReading(device.path) }
    usleep(500_000)
    for round in 0...count {
      if round == 1 { reader.startCounting() }
      try trace.play(on: devices)
      usleep(400_000)
    }
    let frames = trace.events.count {
      $0.type == .synchronization && $0.code == SynchronizationCode.report
    }
    let each = reader.spent / Double(frames * count * pads)
    for device in devices { device.close() }
    _ = reader.finish()
    return each
  }
}

extension Trace {
  /// Plays the stroke on all, on each a little later than on the one before.
  func play(on devices: [VirtualDevice]) throws {
    var all: [(time: EventTime, device: Int, event: EvdevEvent)] = []
    for index in devices.indices {
      let delay = EventInterval(microseconds: Int64(index) * 900)
      all += events.map { ($0.time + delay, index, $0) }
    }
    let merged = all.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    let (start, origin) = (InputLoop.now, events.first?.time ?? .zero)
    for (_, (time, device, event)) in merged {
      let wait = (start + (time - origin)) - InputLoop.now
      if wait.microseconds > 0 { usleep(UInt32(wait.microseconds)) }
      try devices[device].write([event])
    }
  }
}

/// How often a reader is woken while nobody touches anything.
struct Idle: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "How often 'gliss watch' is woken while nobody touches anything.")

  @Option(help: "The gliss to run.")
  var gliss: String

  @Option(help: "For how many seconds.")
  var seconds = 30

  func run() throws {
    let pad = try VirtualDevice(Pad.medium.device)
    let reader = try Contestant(
      "gliss watch",
      [gliss, "watch", "--format", "jsonl", "--events", "all", "--device", pad.path],
      keepsOutput: false)
    try reader.waitUntilReading(pad.path)
    usleep(1_000_000)
    let before = reader.wakeups
    usleep(UInt32(seconds) * 1_000_000)
    let woken = reader.wakeups - before
    print("gliss watch was woken \(woken) times in \(seconds) s")
    pad.close()
    _ = reader.finish()
    if woken > 0 { throw ExitCode(1) }
  }
}
