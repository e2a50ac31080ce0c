import Foundation
import GlissEvents
import Testing

@testable import GlissGate

/// Stores that cannot be trusted grant nothing, with the reason.
@Suite struct StoreClosedTests {
  /// Kinds of damage, and the message for each.
  static let damages: [(String, String, @Sendable (GateRig) throws -> Void)] = [
    ("writable by all", "other users can write it", { rig in chmod(rig.grantsPath, 0o606) }),
    ("writable by its group", "other users can write it", { rig in chmod(rig.grantsPath, 0o620) }),
    ("folder writable by all", "other users can write it", { rig in chmod(rig.folder, 0o777) }),
    (
      "folder sticky and writable", "other users can write it", { rig in chmod(rig.folder, 0o1777) }
    ),
    (
      "a log that others may write", "other users can write it",
      { rig in
        try Data().write(to: URL(filePath: rig.grantsPath + "-wal"))
        chmod(rig.grantsPath + "-wal", 0o666)
      }
    ),
    (
      "a symbolic link", "a symbolic link",
      { rig in
        rename(rig.grantsPath, rig.folder + "/elsewhere.db")
        symlink("elsewhere.db", rig.grantsPath)
      }
    ),
    (
      "a link to nothing", "a symbolic link",
      { rig in
        unlink(rig.grantsPath)
        symlink("/nonexistent", rig.grantsPath)
      }
    ),
    (
      "a folder in its place", "not a regular file",
      { rig in
        unlink(rig.grantsPath)
        mkdir(rig.grantsPath, 0o700)
      }
    ),
    (
      "a pipe in its place", "not a regular file",
      { rig in
        unlink(rig.grantsPath)
        mkfifo(rig.grantsPath, 0o600)
      }
    ),
    ("empty", "is not one of Gliss's files", { rig in truncate(rig.grantsPath, 0) }),
    ("cut off", "disk image is malformed", { rig in truncate(rig.grantsPath, 8192) }),
    (
      "text", "file is not a database",
      { rig in
        try Data("all: granted\n".utf8).write(to: URL(filePath: rig.grantsPath))
        chmod(rig.grantsPath, 0o600)
      }
    ),
    (
      "another program's", "is not one of Gliss's files",
      { rig in
        try rig.sqlite("PRAGMA application_id=7")
      }
    ),
    ("newer", "has version 99", { rig in try rig.sqlite("PRAGMA user_version=99") }),
    (
      "older", "has version 1, and this program knows 3",
      { rig in try rig.sqlite("PRAGMA user_version=1") }
    ),
    ("without a version", "has no version", { rig in try rig.sqlite("PRAGMA user_version=0") }),
    (
      "with a row that its index does not have", "damaged: row 1 missing from index",
      { rig in
        var bytes = try StoreTornTests.read(rig.grantsPath)
        // the client, once in the table's row and once in its index
        let client = Array("program:/opt/a".utf8)
        let start = try #require(
          bytes.indices.first { bytes[$0...].prefix(client.count).elementsEqual(client) })
        bytes[start + client.count - 1] = UInt8(ascii: "b")
        try StoreTornTests.write(bytes, rig.grantsPath)
      }
    ),
    (
      "without members", "no such table: members",
      { rig in try rig.sqlite("DROP TABLE members") }
    ),
    (
      "a member of a kind that nobody knows", "a member of a group has an unknown client",
      { rig in try rig.sqlite("UPDATE members SET client = 'robot:r2'") }
    ),
    (
      "a group that is no name", "a member of a group has an unknown group",
      { rig in try rig.sqlite("UPDATE members SET access_group = 'suite'") }
    ),
    (
      "gone, and its log is not", "is missing, but grants.db-wal is there",
      { rig in
        rename(rig.grantsPath, rig.grantsPath + "-wal")
      }
    ),
    (
      "gone, and a backup is not", "is missing, but grants.db.backup is there",
      { rig in
        rename(rig.grantsPath, rig.grantsPath + ".backup")
      }
    ),
    (
      "in no folder", "No such file",
      { rig in try FileManager.default.removeItem(atPath: rig.folder) }
    ),
  ]

  @Test(arguments: damages.indices)
  func aStoreThatCannotBeTrustedGrantsNothingAndSaysWhy(_ index: Int) throws {
    let (name, said, damage) = Self.damages[index]
    let rig = try GateRig()
    let ask = Ask(.program("/opt/a"), .gestures)
    do {
      let gate = rig.openSound()
      _ = try gate.add(.program("/opt/a"), by: "root", at: rig.now)
      try gate.add(.program("/opt/c", in: "org.example.suite"), by: "root", at: rig.now)
      #expect(gate.verdict(on: ask, at: rig.now).standing == .granted)
    }
    try damage(rig)
    let gate = rig.open()
    let fault = try #require(gate.fault, "\(name)")
    #expect("\(fault)".contains(said), "\(name)")
    #expect(fault.problem == .store)
    #expect(
      rig.sink.entries.contains {
        $0.detail.hasPrefix("nothing is granted: ") && $0.detail.contains(said)
      }, "\(name)")
    let verdict = gate.verdict(on: ask, at: rig.now)
    #expect(verdict.standing == .restricted, "\(name)")
    #expect(verdict.entitlements.isEmpty && verdict.grants.isEmpty)
    #expect(verdict.advice?.contains(said) == true)
    #expect(throws: GateError.self) {
      try gate.add(.program("/opt/b"), by: "root", at: rig.now)
    }
    #expect(throws: GateError.self) { try gate.request(ask, reason: nil, at: rig.now) }
    #expect(throws: GateError.self) { try gate.grants() }
    #expect(throws: GateError.self) { try gate.members() }
    #expect(gate.groups(of: .program("/opt/c"), uid: 1000).isEmpty)
    #expect(throws: GateError.self) {
      try gate.add(.program("/opt/b", in: "org.example.suite"), by: "root", at: rig.now)
    }
    #expect(gate.check().first?.contains(said) == true)
  }

  @Test(.enabled(if: geteuid() == 0, "giving a file away is root's to do"))
  func aStoreOfAnotherUserGrantsNothing() throws {
    let rig = try GateRig()
    do { _ = rig.openSound() }
    chown(rig.grantsPath, 12345, 12345)
    #expect(rig.open().fault.map { "\($0)".contains("belongs to user 12345") } == true)
  }

  @Test func aLinkedFolderIsCheckedWhereItIs() throws {
    let rig = try GateRig()
    do { _ = rig.openSound() }
    let link = rig.folder + "-link"
    symlink(rig.folder, link)
    defer { unlink(link) }
    let gate = Gate(folder: link, machine: rig.machine, at: rig.now)
    #expect(gate.fault == nil)
    chmod(rig.folder, 0o770)
    #expect(Gate(folder: link, machine: rig.machine, at: rig.now).fault != nil)
  }

  @Test(
    arguments: [
      { (rig: GateRig) in chmod(rig.grantsPath, 0o666) },
      { rig in chmod(rig.folder, 0o777) },
      { rig in unlink(rig.grantsPath) },
      { rig in
        let copy = rig.grantsPath + ".copy"
        try? FileManager.default.copyItem(atPath: rig.grantsPath, toPath: copy)
        return rename(copy, rig.grantsPath)
      },
    ] as [@Sendable (GateRig) -> Int32])
  func tamperingWithAnOpenStoreIsNoticedAtTheNextWrite(
    _ tamper: @Sendable (GateRig) -> Int32
  ) throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    _ = try gate.add(.program("/opt/a"), by: "root", at: rig.now)
    #expect(tamper(rig) == 0)
    let before = gate.generation
    #expect(throws: GateError.self) {
      try gate.add(.program("/opt/b"), by: "root", at: rig.now)
    }
    #expect(gate.fault != nil)
    #expect(gate.generation != before)
    let verdict = gate.verdict(on: Ask(.program("/opt/a"), .gestures), at: rig.now)
    #expect(verdict.standing == .restricted)
  }

  @Test func twoProcessesDoNotShareAStore() throws {
    let rig = try GateRig()
    let second: Gate
    do {
      let gate = rig.openSound()
      _ = try gate.add(.program("/opt/a"), by: "root", at: rig.now)
      second = rig.open()
      #expect(second.fault.map { "\($0)".contains("another process has it open") } == true)
      #expect(gate.check() == [])
    }
    // the first has ended: a check opens the store without a new start
    let before = second.generation
    #expect(second.check(at: rig.now) == [])
    #expect(second.generation != before)
    let ask = Ask(.program("/opt/a"), .gestures)
    #expect(second.verdict(on: ask, at: rig.now).standing == .granted)
  }

  @Test(.enabled(if: geteuid() != 0, "root may read and write everything"))
  func aMissingPermissionIsNamed() throws {
    let rig = try GateRig()
    do { _ = rig.openSound() }
    for path in [rig.grantsPath, rig.auditPath] { chmod(path, 0o400) }
    let gate = rig.open()
    for fault in [gate.fault, gate.auditFault] {
      #expect(fault?.message == "Permission denied")
      #expect(fault?.advice == "let glissd's user read and write it")
    }
  }

  @Test func anUnfinishedNewStoreIsMadeAgain() throws {
    let rig = try GateRig()
    try Data("half a store".utf8).write(to: URL(filePath: rig.grantsPath + ".new"))
    try Data("its log".utf8).write(to: URL(filePath: rig.grantsPath + ".new-journal"))
    do { #expect(try rig.openSound().grants() == []) }
    let names = try FileManager.default.contentsOfDirectory(atPath: rig.folder)
    #expect(names.filter { $0.hasPrefix("grants") } == ["grants.db"])
  }

  @Test func onlyTheOwnerMayReadTheFiles() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    _ = try gate.add(.program("/opt/a"), by: "root", at: rig.now)
    let names = try FileManager.default.contentsOfDirectory(atPath: rig.folder)
    #expect(names.contains("grants.db") && names.contains("audit.db"))
    for name in names {
      var status = stat()
      #expect(lstat(rig.folder + "/" + name, &status) == 0)
      #expect(status.st_mode & 0o7777 == 0o600, "\(name)")
    }
  }

  @Test func deletedTextIsNotLeftInTheFile() throws {
    let rig = try GateRig()
    let secret = "a reason that nobody should find"
    do {
      let gate = rig.openSound()
      let grant = try gate.add(
        .program("/opt/a").with { $0.reason = secret }, by: "root", at: rig.now)
      #expect(try rig.files(contain: secret))
      _ = try gate.revoke(.id(grant.id), all: false, by: "root", at: rig.now)
      #expect(try !rig.files(contain: secret))
    }
    #expect(try !rig.files(contain: secret))
  }
}

extension GateRig {
  /// Runs SQL on the store, as another program would.
  func sqlite(_ sql: String) throws { try Database(at: grantsPath).execute(sql) }

  func files(contain text: String) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: folder).contains { name in
      try Data(contentsOf: URL(filePath: folder + "/" + name)).range(of: Data(text.utf8)) != nil
    }
  }
}

/// The test runs in a process of its own.
@Suite struct StoreExitTests {
  /// The audit is written first: it must not keep a grant that was not made.
  @Test func aGrantThatCannotBeSavedIsInTheAuditAsSuch() async {
    await #expect(processExitsWith: .success) {
      let rig = try GateRig()
      let gate = rig.openSound()
      signal(SIGXFSZ, SIG_IGN)
      rig.sink.didRecord = { entry in
        // no file can grow, as on a full disk
        var limit = rlimit(rlim_cur: entry.action == .grant ? 0 : 1 << 20, rlim_max: 1 << 20)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      }
      guard (try? gate.add(.program("/usr/bin/foo"), by: "root", at: rig.now)) == nil else {
        exit(1)
      }
      guard let last = rig.sink.entries.last, last.action == .store,
        last.detail.hasPrefix("grant was not saved: ")
      else { exit(2) }
      guard try gate.grants().isEmpty else { exit(3) }
    }
  }
}
