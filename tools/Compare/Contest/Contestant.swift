import Foundation

/// One process that reads the device, and what it costs.
final class Contestant {
  let name: String
  let isThisProgram: Bool
  private let process = Process()
  private let output: URL
  private var costAtStart: Double = 0

  /// - Parameter keepsOutput: what it prints is what it found; otherwise that is thrown away.
  init(
    _ name: String, _ arguments: [String], environment: [String: String] = [:], keepsOutput: Bool
  )
    throws
  {
    self.name = name
    isThisProgram = arguments.dropFirst().first == "listen"
    process.executableURL = URL(fileURLWithPath: arguments[0])
    process.arguments = Array(arguments.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    output = FileManager.default.temporaryDirectory
      .appendingPathComponent("gliss-compare-\(UUID().uuidString)")
    if keepsOutput {
      try Data().write(to: output)
      process.standardOutput = try FileHandle(forWritingTo: output)
    } else {
      process.standardOutput = FileHandle.nullDevice
    }
    try process.run()
  }

  /// Waits until the process has the device open.
  func waitUntilReading(_ path: String) throws {
    let folder = "/proc/\(process.processIdentifier)/fd"
    for _ in 0..<600 {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let isOpen = names.contains {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
      }
      if isOpen { return }
      guard process.isRunning else {
        throw Failure("\(name) ended with \(process.terminationStatus)")
      }
      usleep(50_000)
    }
    throw Failure("\(name) does not open \(path)")
  }

  /// What it costs from here on is counted.
  func startCounting() { costAtStart = cost }

  /// Processor time since ``startCounting()``, in µs.
  var spent: Double { cost - costAtStart }

  /// Processor time so far, in µs, as the scheduler counts it.
  private var cost: Double {
    let path = "/proc/\(process.processIdentifier)/schedstat"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1000
  }

  /// How often its threads have gone to sleep, which is how often they were woken.
  var wakeups: Int {
    let folder = "/proc/\(process.processIdentifier)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return threads.map { Int(field("voluntary_ctxt_switches", of: "\(folder)/\($0)/status")) }
      .reduce(0, +)
  }

  /// The most memory it had at once, in MB.
  var peakMemory: Double {
    field("VmHWM", of: "/proc/\(process.processIdentifier)/status") / 1024
  }

  /// A number that the kernel tells of a process.
  private func field(_ name: String, of path: String) -> Double {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return Double(line?.filter(\.isNumber) ?? "") ?? 0
  }

  /// Ends it, where it has not ended with the device, and gives what it printed.
  func finish() -> [Substring] {
    for _ in 0..<100 where process.isRunning { usleep(20_000) }
    if process.isRunning { process.interrupt() }
    process.waitUntilExit()
    defer { try? FileManager.default.removeItem(at: output) }
    let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
    return text.split(separator: "\n")
  }
}
