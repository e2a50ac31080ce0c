import GlissSynthesis
import TestSupport
import Testing

@testable import GlissGate

@Suite struct AuditCoalescerTests {
  static func entry(
    _ second: Int64, _ action: AuditAction = .connect, uid: UInt32 = 1000,
    detail: String = "d"
  ) -> AuditEntry {
    AuditEntry(
      time: WallTime(seconds: second), action: action, uid: uid, client: "unit:a", detail: detail)
  }

  static func counted(_ entry: AuditEntry, _ count: Int64) -> AuditEntry {
    var entry = entry
    entry.count = count
    return entry
  }

  @Test func theFirstIsToldAtOnceAndRepeatsOnceAMinute() {
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

  @Test func whatDiffersInAnythingIsTold() {
    var coalescer = AuditCoalescer()
    let entries = [
      Self.entry(0), Self.entry(0, .refuse), Self.entry(0, uid: 1001), Self.entry(0, detail: "e"),
    ]
    for entry in entries { #expect(coalescer.record(entry) == [entry]) }
  }

  @Test func aUserWithManyDifferentOnesHasAFewLines() {
    var coalescer = AuditCoalescer(.init(window: 60, linesPerUser: 3, lines: 100))
    let told = (0..<50).flatMap { coalescer.record(Self.entry(0, detail: "\($0)")) }
    #expect(told.map(\.detail) == ["0", "1", "2", "too many to list"])
    #expect(told.map(\.uid) == [1000, 1000, 1000, 1000])
    #expect(coalescer.record(Self.entry(0, uid: 1001)).count == 1)
    #expect(coalescer.finish().map(\.count) == [46])
  }

  @Test func manyUsersTogetherHaveAFewLinesToo() {
    var coalescer = AuditCoalescer(.init(window: 60, linesPerUser: 3, lines: 10))
    let told = (0..<500).flatMap { coalescer.record(Self.entry(0, uid: UInt32($0))) }
    #expect(told.count == 11)
    #expect(told.last?.uid == .max)
    #expect(coalescer.finish().map(\.count) == [489])
  }

  @Test func aClockThatIsSetBackKeepsNothingWaiting() {
    var coalescer = AuditCoalescer()
    _ = coalescer.record(Self.entry(1_000_000))
    _ = coalescer.record(Self.entry(1_000_000))
    #expect(coalescer.record(Self.entry(0)) == [Self.entry(1_000_000), Self.entry(0)])
  }

  @Test(arguments: [Int64.max, .max - 1, .min, 0])
  func noTimeIsTooLateOrTooEarly(_ second: Int64) {
    var coalescer = AuditCoalescer()
    for _ in 0..<3 { _ = coalescer.record(Self.entry(second)) }
    _ = coalescer.deadline
    _ = coalescer.advance(to: WallTime(seconds: .max))
    _ = coalescer.advance(to: WallTime(seconds: .min))
    #expect(coalescer.finish() == [])
  }

  /// Whatever comes, nothing is lost and nothing is told twice.
  @Test func countsAddUp() {
    var source = Seed.source("coalescer")
    var coalescer = AuditCoalescer(.init(window: 60, linesPerUser: 4, lines: 12))
    var now: Int64 = 0
    var told: Int64 = 0
    let recorded: Int64 = 5000
    for _ in 0..<recorded {
      now += Int64(source.integer(-3...8))
      let uid = UInt32(source.integer(0...6))
      let entries = coalescer.record(Self.entry(now, uid: uid, detail: "\(source.integer(0...8))"))
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
}
