import Foundation
import Testing

/// `gliss watch` or `gliss record`, listening to devices while a test plays them.
final class Listener {
  let process: Process
  private let folder: TemporaryFolder

  /// Starts it; it has the devices open when this returns.
  ///
  /// - Parameter output: where its standard output goes; `nil` for a file of its own.
  init(_ arguments: [String], on paths: [String], output: Pipe? = nil) throws {
    folder = try TemporaryFolder()
    process = try Command.process(arguments + ["--device"] + paths)
    process.standardOutput = try output ?? folder.file("output")
    process.standardError = try folder.file("errors")
    try process.run()
    for path in paths { try wait(for: "\(path) to be opened") { self.hasOpen(path) } }
    // between the opening and the choice of its clock what comes is lost: one thread does both before it waits for input
    try wait(for: "it to wait for input") { self.isWaiting }
  }

  deinit { if process.isRunning { process.terminate() } }

  /// Whether its main thread sleeps in epoll_pwait2, which is 441 on every machine.
  private var isWaiting: Bool {
    let call = try? String(
      contentsOfFile: "/proc/\(process.processIdentifier)/syscall", encoding: .utf8)
    return call?.hasPrefix("441 ") ?? false
  }

  private func hasOpen(_ path: String) -> Bool {
    let descriptors = "/proc/\(process.processIdentifier)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
    return names.contains {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")) == path
    }
  }

  /// What it has printed so far.
  var output: String { (try? folder.text("output")) ?? "" }

  /// What it has said on standard error so far.
  var errors: String { (try? folder.text("errors")) ?? "" }

  /// Waits until `condition` holds; it must in the end.
  func wait(for what: String, _ condition: () -> Bool) throws {
    for _ in 0..<1500 {
      if condition() { return }
      if !process.isRunning { break }
      usleep(20_000)
    }
    throw Failure(
      "waited in vain for \(what); it said: \((try? folder.text("errors")) ?? "")\(output)")
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// Ends it as Ctrl-C does, or waits until it has ended by itself.
  func finish(_ signal: Int32? = SIGINT) throws -> Command {
    if let signal { kill(process.processIdentifier, signal) }
    process.waitUntilExit()
    return Command(
      status: process.terminationReason == .exit ? process.terminationStatus : -1,
      output: output, errors: try folder.text("errors"))
  }
}
