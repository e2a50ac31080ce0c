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
  private let rule = Rule(
    trigger: .gesture(GestureCondition(kind: .tap)), reactions: Reactions(), place: .line(3))
  private let mistake = Mistake("it is wrong", at: .line(4))

  private func reading(_ rules: [Rule]?, refused: [String] = []) -> RuleReading {
    RuleReading(
      outcome: ConfigurationReading(
        configuration: rules.map { Configuration(rules: $0) },
        mistakes: rules == nil ? [mistake] : []), files: ["gliss.yaml"], refused: refused)
  }

  @Test func aBadFileKeepsTheOldRulesUntilItIsMended() {
    var rules = LoadedRules(reading([rule]), at: 1)
    #expect(rules.gestureCount == 1)
    #expect(rules.take(reading(nil), at: 2) == .refused)
    #expect(rules.mistakes == ["gliss.yaml:4:3: it is wrong"])
    #expect(rules.configuration.rules == [rule])
    #expect(rules.loaded == 1)
    #expect(rules.mistakes.count == 1)
    // mended, if only back to what it was
    #expect(rules.take(reading([rule]), at: 3) == .taken)
    #expect(rules.mistakes.isEmpty)
    #expect(rules.take(reading([rule]), at: 4) == .same)
    #expect(rules.take(reading([]), at: 5) == .taken)
    #expect(rules.configuration.rules.isEmpty)
  }

  @Test func oneFileThatIsRefusedKeepsTheOldRules() {
    var rules = LoadedRules(reading([rule]), at: 1)
    #expect(rules.take(reading([], refused: ["x: no"]), at: 2) == .refused)
    #expect(rules.mistakes == ["x: no"])
    #expect(rules.configuration.rules.count == 1 && rules.mistakes == ["x: no"])
    #expect(rules.take(reading([rule]), at: 3) == .taken)
    #expect(rules.mistakes.isEmpty)
    #expect(LoadedRules(reading([rule], refused: ["x: no"]), at: 1).configuration.rules.isEmpty)
  }

  @Test func withoutGoodRulesThereAreNone() {
    let rules = LoadedRules(reading(nil), at: 1)
    #expect(rules.configuration.rules.isEmpty)
    #expect(rules.summary == "no rules are in force")
  }
}

@Suite struct AgentStatusTests {
  @Test func aStatusIsReadAsItWasWritten() throws {
    let status = AgentStatus(
      version: "1", pid: 2, since: 3, loaded: 4, route: "broker", isConnected: true,
      grabbed: ["k (/e)"], files: ["a"], gestures: 5, hotkeys: 6, mode: "m", mistakes: ["x"],
      problems: ["y", "z"],
      running: 7, started: 8, leftOut: 9)
    #expect(AgentStatus(status.json) == status)
    #expect(AgentStatus([:]) == nil)
  }
}
