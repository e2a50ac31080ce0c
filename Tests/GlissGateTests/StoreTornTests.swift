import Foundation
import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissGate

/// Files that a bad disk has changed are refused, unless the damage changed nothing that counts.
@Suite struct StoreTornTests {
  enum Damage: Int, CaseIterable {
    case cut, zeroes, swap, more, bits
  }

  /// Damages a file's bytes.
  static func damage(
    _ bytes: [UInt8], _ damage: Damage, _ source: inout RandomSource
  ) -> [UInt8] {
    var bytes = bytes
    guard !bytes.isEmpty else { return bytes }
    switch damage {
    case .cut: return Array(bytes.prefix(source.integer(0...bytes.count)))
    case .zeroes:
      // a sector that was never written
      let start = source.integer(0...(bytes.count - 1)) & ~511
      for index in start..<min(start + 512, bytes.count) { bytes[index] = 0 }
    case .swap:
      // a sector in another's place
      let from = source.integer(0...(bytes.count - 1)) & ~511
      let to = source.integer(0...(bytes.count - 1)) & ~511
      for index in 0..<512 where from + index < bytes.count && to + index < bytes.count {
        bytes[to + index] = bytes[from + index]
      }
    case .more: bytes += (0..<source.integer(1...5000)).map { _ in UInt8(source.integer(0...255)) }
    case .bits:
      for _ in 0..<source.integer(1...8) {
        bytes[source.integer(0...(bytes.count - 1))] ^= UInt8(1 << source.integer(0...7))
      }
    }
    return bytes
  }

  static func filled(_ rig: GateRig) throws -> [Grant] {
    let gate = rig.openSound()
    for number in 0..<30 {
      let scope = Scope(
        tier: .raw, events: [.key, .touch], devices: ["pad \(number)"], keys: [.media, .modifiers])
      _ = try gate.add(
        .program("/opt/\(number)", scope, uid: UInt32(1000 + number)).with {
          $0.isAllowed = number % 3 != 0
          $0.reason = "reason \(number)"
          $0.expiry = number % 2 == 0 ? .never : .at(WallTime(seconds: 2_000_000))
        }, by: "root", at: WallTime(seconds: 5))
    }
    _ = try gate.revoke(.id(GrantID(rawValue: 5)), all: false, by: "root", at: rig.now)
    return try gate.grants()
  }

  static func read(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }

  static func write(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(filePath: path))
    chmod(path, 0o600)
  }

  /// Puts these files into the folder, and nothing else.
  static func restore(_ files: [(String, [UInt8])], in folder: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      unlink(folder + "/" + name)
    }
    for (name, bytes) in files { try write(bytes, folder + "/" + name) }
  }

  @Test(arguments: Damage.allCases)
  func aTornFileGrantsWhatWasGrantedOrIsRefusedWithAdvice(_ damage: Damage) throws {
    let rig = try GateRig()
    rig.now = WallTime(seconds: 5)
    let granted = try Self.filled(rig)
    let sound = try Self.read(rig.grantsPath)
    var source = Seed.source("torn", damage.rawValue)
    var refused = 0
    for round in 0..<100 {
      let torn = Self.damage(sound, damage, &source)
      try Self.restore([("grants.db", torn)], in: rig.folder)
      // one bit can end a grant: the gate removes what has expired, so the rows are read before
      let rows = try? GrantStore(StoreFile("grants.db", in: rig.folder)).grants()
      let gate = rig.open()
      if let fault = gate.fault {
        refused += 1
        #expect(fault.problem == .store && fault.advice?.isEmpty == false)
        // left as it is, for whoever can repair it
        #expect(try Self.read(rig.grantsPath) == torn)
        continue
      }
      // who may see what is in an index too, and both must agree
      try #require(
        rows?.map(\.terms.key) == granted.map(\.terms.key), "round \(round), \(Seed.advice)")
      let found = try gate.grants()
      if damage != .bits { try #require(found == granted, "round \(round), \(Seed.advice)") }
    }
    #expect(refused > 10 || damage == .more, "nothing was damaged")
    try Self.restore([("grants.db", sound)], in: rig.folder)
    #expect(try rig.openSound().grants() == granted)
  }

  /// After a crash the log has changes that the file does not have yet. A damaged log can only end earlier.
  @Test func aTornLogGivesTheStateBeforeOrAfterOrNothing() throws {
    let rig = try GateRig()
    rig.now = WallTime(seconds: 5)
    let before = try Self.filled(rig)
    let (file, log, after) = try Self.interrupted(rig)
    #expect(!log.isEmpty && after.count == before.count - 10)
    var source = Seed.source("torn log")
    var seen: Set<[Grant]> = []
    for round in 0..<200 {
      let damage = Damage.allCases[round % Damage.allCases.count]
      let damaged = round == 0 ? log : Self.damage(log, damage, &source)
      try Self.restore([("grants.db", file), ("grants.db-wal", damaged)], in: rig.folder)
      let gate = rig.open()
      guard gate.fault == nil else { continue }
      let found = try gate.grants()
      try #require(found == before || found == after, "round \(round), \(Seed.advice)")
      seen.insert(found)
    }
    #expect(seen.contains(after))
  }

  /// The file and its log as they are when a process ends between the two.
  private static func interrupted(_ rig: GateRig) throws -> ([UInt8], [UInt8], [Grant]) {
    let database = try StoreSchema.grants.open(StoreFile("grants.db", in: rig.folder)).database
    try database.transaction { () throws(GateError) in
      try database.execute("DELETE FROM grants WHERE id > 20")
    }
    let files = (try read(rig.grantsPath), try read(rig.grantsPath + "-wal"))
    try restore([("grants.db", files.0), ("grants.db-wal", files.1)], in: rig.folder)
    let after = try rig.openSound().grants()
    return (files.0, files.1, after)
  }

  /// Damage can hit the pages of one kind of entry only. A grant is then still given, because its own
  /// entry could be written.
  @Test func aGrantIsGivenOnlyIfATornAuditRecordsIt() throws {
    let rig = try GateRig()
    rig.now = WallTime(seconds: 5)
    let granted = try Self.filled(rig)
    let audit = try Self.read(rig.auditPath)
    var source = Seed.source("torn audit")
    var refused = 0
    for round in 0..<100 {
      let damage = Damage.allCases[round % Damage.allCases.count]
      try Self.write(Self.damage(audit, damage, &source), rig.auditPath)
      let gate = rig.open()
      try #require(gate.fault == nil, "round \(round), \(Seed.advice)")
      try #require(try gate.grants() == granted, "round \(round), \(Seed.advice)")
      gate.record(.connect, uid: 1000, client: "program:/opt/a", detail: "", at: rig.now)
      guard gate.auditFault != nil else { continue }
      let added = Result { () throws(GateError) in
        try gate.add(.program("/opt/new"), by: "root", at: rig.now)
      }
      switch added {
      case .success(let grant):
        let entry = try gate.log(limit: 1).last
        try #require(
          entry?.action == .grant && entry?.client == "program:/opt/new" && gate.auditFault == nil,
          "round \(round), \(Seed.advice)")
        _ = try gate.revoke(.id(grant.id), all: false, by: "root", at: rig.now)
      case .failure(let error):
        refused += 1
        try #require(error.problem == .audit, "round \(round), \(Seed.advice)")
      }
      try #require(try gate.grants() == granted, "round \(round), \(Seed.advice)")
    }
    #expect(refused > 10, "nothing was damaged")
  }
}
