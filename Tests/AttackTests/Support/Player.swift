import Foundation
import Testing

/// A process that is talked with by lines.
final class Player {
  private let process = Process()
  private let input = Pipe()
  private let lines = Lines()
  /// How many lines were asked for already.
  private var taken = 0

  /// Long enough for a machine that does much else; nothing waits so long that goes well.
  static let patience: TimeInterval = 60

  struct Silence: Error, CustomStringConvertible {
    var description: String
  }

  /// - Parameters:
  ///   - uid: whom it runs as; root only can choose.
  ///   - hearsErrors: what it writes to standard error is heard, too.
  init(_ arguments: [String], uid: UInt32? = nil, hearsErrors: Bool = false) throws {
    var arguments = arguments
    if let uid {
      arguments =
        [
          "/usr/bin/setpriv", "--reuid=\(uid)", "--regid=\(uid)", "--clear-groups",
        ] + arguments
    }
    let output = Pipe()
    process.executableURL = URL(filePath: try #require(arguments.first))
    process.arguments = Array(arguments.dropFirst())
    process.standardInput = input
    process.standardOutput = output
    if hearsErrors { process.standardError = output }
    try process.run()
    lines.follow(output.fileHandleForReading)
  }

  deinit {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
  }

  var pid: Int32 { process.processIdentifier }

  /// All that it has said so far.
  var said: [String] { lines.all }

  func say(_ line: String) {
    try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Waits for the next line that satisfies `condition`, and lets those before it go.
  @discardableResult
  func hear(_ what: String, where matches: (String) -> Bool = { _ in true }) throws -> String {
    while let line = lines.wait(for: taken, Self.patience) {
      taken += 1
      if matches(line) { return line }
    }
    throw Silence(
      description: "waited in vain for \(what); heard: \(said.suffix(5).map { $0.prefix(300) })")
  }

  /// The next line that has `text` in it.
  @discardableResult
  func hear(_ text: String) throws -> String { try hear(text) { $0.contains(text) } }

  /// Waits until it has ended by itself.
  ///
  /// - Returns: the status it has left with, or 128 and the number of the signal that has ended it.
  func end() throws -> Int32 {
    guard lines.waitForEnd(Self.patience) else {
      throw Silence(description: "it does not end; heard: \(said.suffix(5))")
    }
    process.waitUntilExit()
    let status = process.terminationStatus
    return process.terminationReason == .exit ? status : 128 + status
  }

  /// It can read no more from us.
  func hangUp() { try? input.fileHandleForWriting.close() }

  func stop() {
    hangUp()
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
  }

  func kill(_ signal: Int32) { Foundation.kill(process.processIdentifier, signal) }
}

/// What comes from a process, read on a thread of its own until the end: a handler of `FileHandle` is not told of every
/// end. All is under the lock of `changed`.
private final class Lines: @unchecked Sendable {
  private let changed = NSCondition()
  private var lines: [String] = []
  private var isOver = false

  var all: [String] { changed.withLock { lines } }

  func follow(_ handle: FileHandle) {
    Thread.detachNewThread { [self] in
      var unread = Data()
      while true {
        let data = handle.availableData
        if data.isEmpty { break }
        unread += data
        while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
          add(String(decoding: unread[unread.startIndex..<end], as: UTF8.self))
          unread = unread[unread.index(after: end)...]
        }
      }
      changed.withLock {
        isOver = true
        changed.broadcast()
      }
    }
  }

  private func add(_ line: String) {
    changed.withLock {
      lines.append(line)
      changed.broadcast()
    }
  }

  /// The line of that number, as soon as it is there; `nil` where it does not come.
  func wait(for number: Int, _ patience: TimeInterval) -> String? {
    let deadline = Date(timeIntervalSinceNow: patience)
    return changed.withLock {
      while number >= lines.count {
        guard !isOver, changed.wait(until: deadline) else { return nil }
      }
      return lines[number]
    }
  }

  func waitForEnd(_ patience: TimeInterval) -> Bool {
    let deadline = Date(timeIntervalSinceNow: patience)
    return changed.withLock {
      while !isOver, changed.wait(until: deadline) {}
      return isOver
    }
  }
}
