import Foundation
import Glibc
import Testing

/// A terminal of our own, with a shell at its other end that has it as its controlling one: keys are typed and seen as by
/// a person.
final class PseudoTerminal {
  // TIOCSPTLCK and TIOCGPTN, macros that Swift does not import
  private static let unlock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  private let master: Int32
  private let process: Process
  /// All that was written so far.
  private(set) var shown = ""
  private var bytes: [UInt8] = []

  /// - Parameter script: lines for a shell with job control, in which `gliss` is the one that was built.
  init(
    _ script: String, columns: Int = 90, rows: Int = 34, environment: [String: String] = [:]
  ) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    try #require(master >= 0)
    var (number, lock): (Int32, Int32) = (0, 0)
    try #require(ioctl(master, Self.unlock, &lock) == 0)
    try #require(ioctl(master, Self.getNumber, &number) == 0)
    let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try #require(slave >= 0)
    let folder = try Command.executable().deletingLastPathComponent().path
    process = try Command.process(
      [],
      environment: ["TERM": "xterm", "PATH": "\(folder):/usr/bin:/bin"].merging(environment) { $1 })
    process.executableURL = URL(filePath: "/usr/bin/setsid")
    process.arguments = ["--ctty", "--wait", "bash", "-c", "set -m\n" + script]
    let handle = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    resize(columns: columns, rows: rows)
    try process.run()
    try handle.close()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    close(master)
  }

  func resize(columns: Int, rows: Int) {
    var size = (UInt16(rows), UInt16(columns), UInt16(0), UInt16(0))
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  func type(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
  }

  /// Reads until what came since the last call satisfies `isEnough`, or for a minute.
  ///
  /// - Returns: what came since the last call.
  @discardableResult
  func wait(
    _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    until isEnough: (String) -> Bool
  ) -> String {
    let start = bytes.count
    let end = ContinuousClock.now + .seconds(60)
    var news = ""
    while !isEnough(news), ContinuousClock.now < end {
      var readiness = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&readiness, 1, 1000) > 0 else { continue }
      var piece = [UInt8](repeating: 0, count: 65536)
      let count = read(master, &piece, piece.count)
      if count <= 0 { break }
      bytes += piece.prefix(count)
      news = String(decoding: bytes[start...], as: UTF8.self)
    }
    shown += news
    #expect(isEnough(news), comment ?? "\(news.debugDescription)", sourceLocation: sourceLocation)
    return news
  }
}
