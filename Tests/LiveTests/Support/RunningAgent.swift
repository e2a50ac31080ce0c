import Foundation
import GlissDevices
import GlissEvents
import TestSupport
import Testing

/// `gliss run --devices` as a process, in a home of its own, with a keyboard that a test types on and a desktop that reads.
final class RunningAgent {
  let keyboard: VirtualDevice
  let direct: KernelEvents
  private let home: URL
  private(set) var process = Process()
  private static let name = "Grabbed Keyboard"

  /// - Parameter rules: in which `note: WORD` stands for a command that leaves the word behind.
  init(_ rules: String) throws {
    home = FileManager.default.temporaryDirectory.appending(path: "gliss-\(UUID().uuidString)")
    for folder in [home, home.appending(path: "run")] {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    keyboard = try VirtualDevice.settled(Grabbed.description)
    direct = try KernelEvents(keyboard.path)
    try write(rules)
    try start()
  }

  deinit {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    try? FileManager.default.removeItem(at: home)
  }

  func write(_ rules: String) throws {
    let note = home.appending(path: "ran").path
    let text = rules.replacing(#/note: (\w+)/#) { "shell: \"echo \($0.1) >>\(note)\"" }
    try text.write(to: home.appending(path: "gliss.yaml"), atomically: true, encoding: .utf8)
  }

  func start() throws {
    process = try gliss([
      "run", "--verbose", "--devices", "--config", home.appending(path: "gliss.yaml").path,
    ])
    process.standardError = try file("log")
    try process.run()
  }

  private func gliss(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = try Built.gliss()
    process.arguments = arguments
    process.environment = [
      "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "NO_COLOR": "1", "HOME": home.path,
      "XDG_RUNTIME_DIR": home.appending(path: "run").path,
      "GLISS_SOCKET": home.appending(path: "no-broker").path,
    ]
    process.standardInput = FileHandle.nullDevice
    return process
  }

  private func file(_ name: String) throws -> FileHandle {
    let path = home.appending(path: name).path
    try Data().write(to: URL(filePath: path))
    return try FileHandle(forWritingTo: URL(filePath: path))
  }

  /// What a `gliss` that ends says on standard output; without a broker its status is no matter.
  func ask(_ arguments: String...) throws -> String {
    let asking = try gliss(arguments)
    asking.standardOutput = try file("answer")
    asking.standardError = FileHandle.nullDevice
    try asking.run()
    asking.waitUntilExit()
    return text("answer")
  }

  private func text(_ name: String) -> String {
    (try? String(contentsOf: home.appending(path: name), encoding: .utf8)) ?? ""
  }

  var log: String { text("log") }
  /// The words that commands have left, in order.
  var ran: [Substring] { text("ran").split(separator: "\n") }

  /// How often the log has said that.
  func count(of text: String) -> Int { log.components(separatedBy: text).count - 1 }

  func waitFor(_ count: Int, _ text: String) throws {
    do {
      try wait(for: "“\(text)”") { self.count(of: text) >= count }
    } catch {
      throw Impatience("\(error); the log: \(log)")
    }
  }

  /// One of Gliss' own devices, which is there.
  func own(_ name: String) throws -> String? {
    try DeviceFinder().devices().last { $0.isOwn && $0.name == name }?.path
  }

  /// What the desktop reads in the keyboard's place.
  func twin() throws -> KernelEvents {
    try KernelEvents(try #require(try own("\(Self.name) (Gliss)")))
  }

  /// Each a packet with the time to read it.
  func write(_ keys: [Key], _ value: Int32) throws {
    for key in keys {
      try keyboard.write([.key(key, value, at: .zero), .report(at: .zero)])
      usleep(3000)
    }
  }

  /// Presses them in turn, and lets go of all.
  func press(_ keys: Key...) throws {
    try write(keys, 1)
    try write(keys.reversed(), 0)
  }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}

extension KernelEvents {
  /// The keys of what has come since the last call, without the mask.
  func desktopKeys() throws -> [String] { try keys().filter { !$0.hasSuffix("KEY_UNKNOWN") } }
}
