import Foundation
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissGate

/// Stores written by another process that is killed at some instant or runs out of disk.
@Suite struct StoreTortureTests {
  /// Which clients have a grant according to the process, and the one it was about to change.
  struct Told {
    var granted: Set<Int> = []
    var underWay: String?

    mutating func read(_ output: String) {
      underWay = nil
      for line in output.split(separator: "\n") {
        let change = String(line.dropFirst(2))
        guard line.hasPrefix("? ") || line.hasPrefix("! ") else { continue }
        underWay = line.hasPrefix("?") ? change : nil
        if line.hasPrefix("!") { granted = Self.changed(granted, by: change) }
      }
    }

    static func changed(_ granted: Set<Int>, by change: String) -> Set<Int> {
      guard let number = Int(change.dropFirst()) else { return granted }
      return change.hasPrefix("+") ? granted.union([number]) : granted.subtracting([number])
    }

    /// What may be in the store: acknowledged changes, and perhaps the pending one.
    var possible: [Set<Int>] {
      [granted] + (underWay.map { [Self.changed(granted, by: $0)] } ?? [])
    }
  }

  static func executable() throws -> URL {
    var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    for _ in 0..<5 {
      let candidate = folder.appending(path: "gate-torture")
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
      folder.deleteLastPathComponent()
    }
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return root.appending(path: ".build/debug/gate-torture")
  }

  /// - Parameter lines: kills it after that many lines of output; `nil` lets it run to its end.
  static func run(
    in folder: String, seed: UInt64, bytes: Int? = nil, killedAfter lines: Int?,
    delay: UInt32 = 0
  ) throws -> String {
    let process = Process()
    process.executableURL = try executable()
    process.arguments = [folder, "\(seed)"] + (bytes.map { ["\($0)"] } ?? [])
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    var output = Data()
    var isKilled = false
    while true {
      let piece = pipe.fileHandleForReading.availableData
      if piece.isEmpty { break }
      output += piece
      if let lines, !isKilled, output.count(where: { $0 == 0x0a }) >= lines {
        usleep(delay)
        kill(process.processIdentifier, SIGKILL)
        isKilled = true
      }
    }
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  static func granted(_ gate: Gate) throws -> Set<Int> {
    Set(
      try gate.grants().compactMap { grant in
        grant.terms.client.description.split(separator: "-").last.flatMap { Int($0) }
      })
  }

  @Test func acknowledgedChangesSurviveAKillAtAnyInstant() throws {
    let rig = try GateRig()
    var source = Seed.source("kill")
    var told = Told()
    var acknowledged = 0
    for round in 0..<52 {
      let output = try Self.run(
        in: rig.folder, seed: source.next(), killedAfter: source.integer(1...12),
        delay: UInt32(source.integer(0...3000)))
      acknowledged += output.split(separator: "\n").count { $0.hasPrefix("!") }
      told.read(output)
      let gate = rig.open()
      try #require(gate.fault == nil, "round \(round), \(Seed.advice)")
      #expect(gate.auditFault == nil, "round \(round), \(Seed.advice)")
      let found = try Self.granted(gate)
      try #require(told.possible.contains(found), "round \(round), \(Seed.advice)")
      told.granted = found
      #expect(gate.check() == [])
    }
    #expect(acknowledged > 100, "too few changes to tell")
  }

  /// Limits at which different files are the first that cannot grow.
  @Test(arguments: [30_000, 45_000, 70_000, 100_000, 130_000])
  func aFullDiskLosesNoAcknowledgedChange(_ bytes: Int) throws {
    let rig = try GateRig()
    let output = try Self.run(in: rig.folder, seed: 7, bytes: bytes, killedAfter: nil)
    var told = Told()
    told.read(output)
    #expect(
      output.contains("\nerror ") || output.hasPrefix("fault "),
      "the disk was never full: \(output.suffix(200))")
    let gate = rig.open()
    #expect(gate.fault == nil)
    #expect(try Self.granted(gate) == told.granted)
    #expect(gate.check() == [])
    _ = try gate.add(.program("/opt/other"), by: "root", at: rig.now)
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a small disk is root's to do"))
  func afterAFullDiskWritingWorksAgain() throws {
    let rig = try GateRig()
    guard Self.shell("mount -t tmpfs -o size=200k,mode=700 none \(rig.folder)") == 0 else { return }
    defer { _ = Self.shell("umount \(rig.folder)") }
    let gate = rig.openSound()
    let first = try gate.add(.program("/opt/first"), by: "root", at: rig.now)
    let filler = rig.folder + "/filler"
    _ = Self.shell("dd if=/dev/zero of=\(filler) bs=1k status=none 2>/dev/null")
    let error = try #require(
      try gateError {
        for number in 0..<200 {
          _ = try gate.add(.program("/opt/\(number)"), by: "root", at: rig.now)
        }
      })
    #expect(error.problem == .audit || error.problem == .store)
    #expect(error.advice != nil)
    // verdicts continue
    #expect(gate.fault == nil)
    let ask = Ask(.program("/opt/first"), .gestures)
    #expect(gate.verdict(on: ask, at: rig.now).standing == .granted)
    // revoked grants are off, whether or not that could be written
    _ = try? gate.revoke(.id(first.id), all: false, by: "root", at: rig.now)
    #expect(gate.verdict(on: ask, at: rig.now).standing == .notDetermined)
    let granted = try gate.grants()
    try FileManager.default.removeItem(atPath: filler)
    let later = try gate.add(.program("/opt/later"), by: "root", at: rig.now)
    #expect(gate.auditFault == nil)
    #expect(try gate.grants() == granted + [later])
    #expect(gate.check() == [])
  }

  static func shell(_ line: String) -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", line]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
  }
}
