import Foundation
import Testing

/// The built `gliss`, run as a process of its own.
struct Command {
  var status: Int32
  var output: String
  var errors: String

  var lines: [Substring] { output.split(separator: "\n") }

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The recording that the demonstration shows.
  static let demo = "recordings/demo/demo.yml"

  /// `gliss` lies beside the test program, whatever folder was built into.
  static func executable() throws -> URL {
    var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let candidates = [folder, root.appending(path: ".build/debug")]
    for _ in 0..<4 {
      let candidate = folder.appending(path: "gliss")
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
      folder.deleteLastPathComponent()
    }
    return try #require(
      candidates.map { $0.appending(path: "gliss") }.first {
        FileManager.default.isExecutableFile(atPath: $0.path)
      }, "gliss is not built")
  }

  /// A shell ignores signals for what it starts in the background, and nohup does; what is started from here must not
  /// inherit that.
  static let standardSignals: Void = {
    for number in [SIGHUP, SIGINT, SIGQUIT] { signal(number, SIG_DFL) }
  }()

  /// A process that is ready to run in the repository's root, with nothing on its standard input.
  static func process(_ arguments: [String], environment: [String: String] = [:]) throws -> Process
  {
    standardSignals
    let process = Process()
    process.executableURL = try executable()
    process.arguments = arguments
    process.currentDirectoryURL = root
    var inherited = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
    // what the sanitizers ignore, if the programs were built with one
    for name in ["LSAN_OPTIONS", "TSAN_OPTIONS"] {
      inherited[name] = ProcessInfo.processInfo.environment[name]
    }
    process.environment = inherited.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    return process
  }

  /// Runs a line of shell to its end, in which `gliss` is the one that was built.
  static func shell(_ line: String, input: String = "") throws -> Command {
    let folder = try executable().deletingLastPathComponent().path
    let process = try process([], environment: ["PATH": "\(folder):/usr/bin:/bin"])
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", line]
    return try run(process, input: Data(input.utf8))
  }

  /// Runs `gliss` to its end.
  static func run(
    _ arguments: String..., input: Data? = nil, outputPath: String? = nil,
    environment: [String: String] = [:]
  ) throws -> Command {
    let process = try process(arguments, environment: environment)
    return try run(process, input: input, outputPath: outputPath)
  }

  /// Runs `gliss` to its end.
  static func run(_ arguments: [String]) throws -> Command {
    try run(try process(arguments), input: nil)
  }

  static func run(_ process: Process, input: Data? = nil, outputPath: String? = nil) throws
    -> Command
  {
    let folder = try TemporaryFolder()
    let output = try folder.file("output")
    let errors = try folder.file("errors")
    process.standardOutput =
      try outputPath.map { try FileHandle(forWritingTo: URL(filePath: $0)) }
      ?? output
    process.standardError = errors
    if let input {
      let path = try folder.write(input, as: "input")
      process.standardInput = try FileHandle(forReadingFrom: URL(filePath: path))
    }
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    return Command(
      status: process.terminationStatus, output: try folder.text("output"),
      errors: try folder.text("errors"))
  }
}

/// A folder that goes away with its owner.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "gliss-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// A new, empty file, open for writing.
  func file(_ name: String) throws -> FileHandle {
    let path = try write(Data(), as: name)
    return try FileHandle(forWritingTo: URL(filePath: path))
  }

  /// The path of a new file that holds `data`.
  func write(_ data: Data, as name: String) throws -> String {
    let file = url.appending(path: name)
    try data.write(to: file)
    return file.path
  }

  func write(_ text: String, as name: String) throws -> String {
    try write(Data(text.utf8), as: name)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOf: url.appending(path: name), encoding: .utf8)
  }
}
