import GlissSynthesis
import TestSupport
import Testing

@testable import GlissGate

@Suite struct AuditCoalescerTests {
  static func entry(
    _ second: Int64, _ action: AuditAction = .refuse, uid: UInt32 = 1000,
    client: String = "unit:a", detail: String = "d"
  ) -> AuditEntry {
    AuditEntry(
      time: WallTime(seconds: second), action: action, uid: uid, client: client, detail: detail)
  }

  static func counted(_ entry: AuditEntry, _ count: Int64) -> AuditEntry {
    var entry = entry
    entry.count = count
    return entry
  }

  @Test func theFirstEntryIsWrittenAtOnceAndRepeatsOnceAMinute() {
    var coalescer = AuditCoalescer()
    #expect(coalescer.record(Self.entry(0)) == [Self.entry(0)])
    #expect(coalescer.deadline == nil)
    #expect(coalescer.record(Self.entry(10)) == [])
    #expect(coalescer.record(Self.entry(59)) == [])
    #expect(coalescer.deadline == WallTime(seconds: 60))
    #expect(coalescer.advance(to: WallTime(seconds: 59)) == [])
    #expect(coalescer.advance(to: WallTime(seconds: 60)) == [Self.counted(Self.entry(59), 2)])
    #expect(coalescer.deadline == nil)
    #expect(coalescer.record(Self.entry(61)) == [Self.entry(61)])
  }

  @Test func aLateRepeatClosesTheMinuteBeforeIt() {
    var coalescer = AuditCoalescer()
    _ = coalescer.record(Self.entry(0))
    _ = coalescer.record(Self.entry(1))
    #expect(
      coalescer.record(Self.entry(100)) == [Self.counted(Self.entry(1), 1), Self.entry(100)])
  }

  @Test func entriesThatDifferAreWritten() {
    var coalescer = AuditCoalescer()
    let entries = [
      Self.entry(0), Self.entry(0, .connect), Self.entry(0, .request), Self.entry(0, uid: 1001),
      Self.entry(0, client: "unit:b"), Self.entry(0, detail: "e"),
    ]
    for entry in entries { #expect(coalescer.record(entry) == [entry]) }
  }

  static let small = AuditCoalescer.Limits(
    window: 60, linesPerProgram: 3, programsPerUser: 4, lines: 20)

  @Test(arguments: [AuditAction.refuse, .connect])
  func aProgramWithManyDifferentEntriesGetsAFewLines(_ action: AuditAction) {
    var coalescer = AuditCoalescer(Self.small)
    let told = (0..<50).flatMap { coalescer.record(Self.entry(0, action, detail: "\($0)")) }
    #expect(told.map(\.detail) == ["0", "1", "2", "too many to list"])
    #expect(told.allSatisfy { $0.uid == 1000 && $0.client == "unit:a" && $0.action == action })
    // another program of the same user has lines of its own
    #expect(
      coalescer.record(Self.entry(0, action, client: "unit:b"))
        == [Self.entry(0, action, client: "unit:b")])
    #expect(coalescer.finish().map(\.count) == [46])
  }

  @Test func aFewProgramsOfAUserAreNamed() {
    var coalescer = AuditCoalescer(Self.small)
    let told = (0..<50).flatMap { coalescer.record(Self.entry(0, client: "unit:\($0)")) }
    #expect(told.map(\.client) == ["unit:0", "unit:1", "unit:2", "unit:3", ""])
    #expect(told.last?.detail == "too many programs to list" && told.last?.uid == 1000)
    #expect(coalescer.record(Self.entry(0, uid: 1001)).first?.client == "unit:a")
    #expect(coalescer.finish().map(\.count) == [45])
  }

  @Test func allUsersTogetherHaveALimitOfLines() {
    var coalescer = AuditCoalescer(Self.small)
    let told = (0..<500).flatMap { coalescer.record(Self.entry(0, uid: UInt32($0))) }
    #expect(told.count == 21)
    #expect(told.last?.uid == .max)
    #expect(coalescer.finish().map(\.count) == [479])
  }

  /// What a reader of keys could do first to keep its name out.
  @Test func aClientThatWasGivenEventsIsAlwaysNamed() {
    var coalescer = AuditCoalescer(Self.small)
    for number in 0..<1000 {
      let uid = UInt32(number % 40)
      _ = coalescer.record(Self.entry(0, uid: uid, client: "unit:\(number)", detail: "\(number)"))
    }
    let told = (0..<30).flatMap { coalescer.record(Self.entry(0, .connect, client: "unit:\($0)")) }
    #expect(told == (0..<30).map { Self.entry(0, .connect, client: "unit:\($0)") })
  }

  @Test func aClockSetBackDelaysNothing() {
    var coalescer = AuditCoalescer()
    _ = coalescer.record(Self.entry(1_000_000))
    _ = coalescer.record(Self.entry(1_000_000))
    #expect(coalescer.record(Self.entry(0)) == [Self.entry(1_000_000), Self.entry(0)])
  }

  @Test(arguments: [Int64.max, .max - 1, .min, 0])
  func extremeTimesDoNotTrap(_ second: Int64) {
    var coalescer = AuditCoalescer()
    for _ in 0..<3 { _ = coalescer.record(Self.entry(second)) }
    _ = coalescer.deadline
    _ = coalescer.advance(to: WallTime(seconds: .max))
    _ = coalescer.advance(to: WallTime(seconds: .min))
    #expect(coalescer.finish() == [])
  }

  /// No entry is ever lost or written twice.
  @Test func countsAddUp() {
    var source = Seed.source("coalescer")
    var coalescer = AuditCoalescer(Self.small)
    var now: Int64 = 0
    var told: Int64 = 0
    let recorded: Int64 = 5000
    for _ in 0..<recorded {
      now += Int64(source.integer(-3...8))
      let entries = coalescer.record(Self.random(&source, at: now))
      told += entries.reduce(0) { $0 + $1.count }
      if source.chance(0.1) {
        let due = coalescer.advance(to: WallTime(seconds: now))
        told += due.reduce(0) { $0 + $1.count }
      }
    }
    told += coalescer.finish().reduce(0) { $0 + $1.count }
    #expect(told == recorded, "\(Seed.advice)")
    #expect(coalescer.deadline == nil)
  }

  static func random(_ source: inout RandomSource, at now: Int64) -> AuditEntry {
    let actions: [AuditAction] = [.refuse, .refuse, .request, .post, .secureInput, .connect]
    return entry(
      now, source.pick(actions), uid: UInt32(source.integer(0...30)),
      client: "unit:\(source.integer(0...12))", detail: "\(source.integer(0...12))")
  }

  /// Under any flood of refusals, requests and posts by any users and programs, every client that was given events is
  /// named within the minute, no minute has more other lines than the limit, and counts by name are right.
  @Test(arguments: 0..<20)
  func everyClientThatWasGivenEventsIsInTheOutput(_ index: Int) {
    var source = Seed.source("storm", index)
    var coalescer = AuditCoalescer()
    var expected: [String: Int64] = [:]
    var found: [String: Int64] = [:]
    var others: [AuditEntry] = []
    func take(_ entries: [AuditEntry]) {
      for entry in entries {
        if entry.action == .connect {
          found["\(entry.uid) \(entry.client)", default: 0] += entry.count
        } else {
          others.append(entry)
        }
      }
    }
    let start: Int64 = 1_000_000
    for step in 0..<4000 {
      let entry = Self.random(&source, at: start + Int64(step / 70))
      if entry.action == .connect { expected["\(entry.uid) \(entry.client)", default: 0] += 1 }
      take(coalescer.record(entry))
    }
    // a client that was given events is named at once, not when the minute is over
    #expect(Set(found.keys) == Set(expected.keys), "\(Seed.advice)")
    #expect(others.count <= 1024 + AuditAction.allCases.count, "\(Seed.advice)")
    take(coalescer.finish())
    #expect(found == expected, "\(Seed.advice)")
  }
}
