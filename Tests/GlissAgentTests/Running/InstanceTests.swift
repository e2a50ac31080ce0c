import Foundation
import GlissBroker
import GlissConfiguration
import GlissDevices
import GlissEvents
import Testing

@testable import GlissAgent

@Suite struct InstanceTests {
  @Test func theLockNamesItsHolder() throws {
    let scratch = try Scratch()
    let holder = InstanceLock.holder(
      pid: 7, since: 0, files: ["/etc/g.yaml", "/home/u/gliss.yaml"])
    do {
      let lock = try InstanceLock(scratch.file("lock"), as: holder)
      let error = #expect(throws: SystemError.self) {
        try InstanceLock(scratch.file("lock"), as: holder)
      }
      #expect(error?.description.contains("process 7, since 19") == true)
      #expect(error?.description.contains("with /home/u/gliss.yaml") == true)
      withExtendedLifetime(lock) {}
    }
    _ = try InstanceLock(scratch.file("lock"), as: holder)
  }

  @Test func aLinkIsNoLock() throws {
    let scratch = try Scratch()
    symlink("/dev/null", scratch.file("lock"))
    #expect(throws: SystemError.self) {
      try InstanceLock(scratch.file("lock"), as: "")
    }
  }

  @Test func theJournalIsKnownByItsDeviceAndNumber() {
    #expect(StandardError.isJournal("8:123", device: 8, inode: 123))
    #expect(!StandardError.isJournal("8:123", device: 8, inode: 124))
    #expect(!StandardError.isJournal("", device: 8, inode: 124))
  }
}

@Suite struct LoadedRulesTests {
  private static let one = "gestures: [{gesture: tap, do: {mode: none}}]"
  private static let none = "gestures: []"
  private static let bad = "gestures: ["

  private func found(_ text: String, isRefused: Bool = false) -> ConfigurationFiles.Found {
    var found = ConfigurationFiles.Found()
    found.texts = [ConfigurationText(name: "gliss.yaml", bytes: Array(text.utf8))]
    if isRefused { found.errors = [ConfigurationFileError("x", .notAFile)] }
    return found
  }

  @Test func aBadFileKeepsTheOldRulesUntilItIsMended() {
    var rules = LoadedRules(found(Self.one), at: 1)
    let first = rules.configuration
    #expect(rules.gestureCount == 1)
    #expect(rules.take(found(Self.bad), at: 2) == .refused)
    #expect(rules.mistakes.count == 1)
    #expect(rules.mistakes.first?.hasPrefix("gliss.yaml:") == true)
    #expect(rules.configuration == first)
    #expect(rules.loaded == 1)
    // mended, if only back to what it was
    #expect(rules.take(found(Self.one), at: 3) == .taken)
    #expect(rules.mistakes.isEmpty)
    #expect(rules.take(found(Self.one), at: 4) == .same)
    #expect(rules.take(found(Self.none), at: 5) == .taken)
    #expect(rules.configuration.rules.isEmpty)
  }

  @Test func oneFileThatIsRefusedKeepsTheOldRules() {
    var rules = LoadedRules(found(Self.one), at: 1)
    #expect(rules.take(found(Self.none, isRefused: true), at: 2) == .refused)
    #expect(rules.mistakes == ["x: not a file; name a file"])
    #expect(rules.configuration.rules.count == 1)
    #expect(rules.take(found(Self.one), at: 3) == .taken)
    #expect(rules.mistakes.isEmpty)
    #expect(
      LoadedRules(found(Self.one, isRefused: true), at: 1).configuration.rules.isEmpty)
  }

  @Test func withoutGoodRulesThereAreNone() {
    let rules = LoadedRules(found(Self.bad), at: 1)
    #expect(rules.configuration.rules.isEmpty)
    #expect(rules.summary == "no rules are in force")
  }

  @Test func withoutAnyFileTheOldRulesStay() {
    var rules = LoadedRules(found(Self.one), at: 1)
    #expect(rules.take(ConfigurationFiles.Found(), at: 2) == .refused)
    #expect(rules.configuration.rules.count == 1)
  }
}

@Suite struct AgentStatusTests {
  @Test func aStatusIsReadFromItsAnswer() throws {
    let json: JSON = [
      "version": "1", "pid": 2, "since": 3, "loaded": 4, "route": "broker", "connected": true,
      "grabbed": ["k (/e)"], "files": ["a"], "gestures": 5, "hotkeys": 6, "mode": "m",
      "mistakes": ["x"], "problems": ["y", 1, "z"],
      "commands": ["running": 7, "started": 8, "leftOut": 9],
    ]
    let status = try #require(AgentStatus(json))
    #expect(status.version == "1" && status.pid == 2 && status.since == 3)
    #expect(status.route == "broker" && status.isConnected && status.grabbed == ["k (/e)"])
    #expect(status.files == ["a"] && status.gestures == 5 && status.hotkeys == 6)
    #expect(status.mode == "m" && status.mistakes == ["x"] && status.problems == ["y", "z"])
    #expect(status.running == 7 && status.started == 8 && status.leftOut == 9)
    #expect(status.json == json)
    #expect(AgentStatus([:]) == nil)
  }
}
