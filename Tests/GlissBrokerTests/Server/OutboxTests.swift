import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissBroker

@Suite struct OutboxTests {
  /// Sends `count` bytes of the next `limit`.
  private func send(_ outbox: inout Outbox, _ count: Int = .max, limit: Int = 10_000) -> String {
    var sent: [UInt8] = []
    _ = outbox.send(limit: limit) {
      sent = Array($0.prefix(count))
      return .bytes(sent.count)
    }
    return String(decoding: sent, as: UTF8.self)
  }

  private func append(_ outbox: inout Outbox, event: String) {
    outbox.append(event: Array(event.utf8))
  }

  private func lost(_ count: Int) -> String {
    #"{"parameters":{"events":[{"kind":"lost","count":\#(count)}]},"continues":true}"# + "\0"
  }

  @Test func manyMessagesAreSentWithOneWriteAnswersFirst() {
    var outbox = Outbox(eventLimit: 100)
    append(&outbox, event: "a")
    append(&outbox, event: "bc")
    outbox.append { $0.append("answer") }
    #expect(send(&outbox) == "answer\0")
    #expect(send(&outbox, limit: 2) == "a\0")
    #expect(send(&outbox) == "bc\0")
    #expect(outbox.isEmpty && send(&outbox).isEmpty)
    #expect(outbox.delivered == 2 && outbox.lost == 0)
  }

  @Test func anAnswerThatIsAnEventIsCounted() {
    var outbox = Outbox(eventLimit: 1)
    outbox.append { $0.append("answer") }
    #expect(outbox.delivered == 0)
    outbox.append(isEvent: true) { $0.append("hotkey") }
    #expect(send(&outbox) == "answer\0hotkey\0")
    #expect(outbox.delivered == 1 && outbox.lost == 0)
  }

  @Test func noFurtherEventWaitsInAFullQueueUntilItIsRead() {
    var outbox = Outbox(eventLimit: 6)
    for event in ["ab", "cd", "e", ""] { append(&outbox, event: event) }
    #expect(outbox.lost == 2)
    #expect(send(&outbox, 3) == "ab\0")
    append(&outbox, event: "f")
    #expect(send(&outbox) == "cd\0")
    #expect(send(&outbox) == lost(3))
    append(&outbox, event: "g")
    #expect(send(&outbox) == "g\0")
    #expect(outbox.isEmpty)
    #expect(outbox.delivered == 3 && outbox.lost == 3)
  }

  @Test func theNewestStateFollowsALoss() {
    var outbox = Outbox(eventLimit: 4)
    append(&outbox, event: "abc")
    for state in ["locked", "active"] {
      outbox.append(event: Array(state.utf8), isState: true)
      append(&outbox, event: "e")
    }
    #expect(send(&outbox) == "abc\0")
    #expect(send(&outbox) == lost(4) + "active\0")
    append(&outbox, event: "abcd")
    #expect(send(&outbox) == lost(1))
    #expect(outbox.isEmpty && outbox.delivered == 1 && outbox.lost == 5)
  }

  @Test func anEventThatNeverFitsIsReportedAtOnce() {
    var outbox = Outbox(eventLimit: 4)
    append(&outbox, event: "abc")
    #expect(send(&outbox) == "abc\0")
    append(&outbox, event: "abcd")
    append(&outbox, event: "e")
    #expect(send(&outbox) == lost(1))
    #expect(send(&outbox) == "e\0")
  }

  @Test(arguments: [(0, ""), (1, "b\0"), (2, "\0"), (3, ""), (4, "\0"), (5, "")])
  func whenEventsAreRemovedTheRestOfAPartlySentOneStays(count: Int, rest: String) {
    var outbox = Outbox(eventLimit: 100)
    for event in ["ab", "c", "d"] { append(&outbox, event: event) }
    _ = send(&outbox, count)
    outbox.removeEvents()
    #expect(send(&outbox) == rest)
    #expect(outbox.isEmpty)
  }

  @Test func removedEventsAreNotReportedAsLost() {
    var outbox = Outbox(eventLimit: 2)
    append(&outbox, event: "a")
    append(&outbox, event: "b")
    outbox.removeEvents()
    append(&outbox, event: "c")
    #expect(send(&outbox) == "c\0")
    #expect(outbox.isEmpty)
  }

  /// The queue is never empty, and its memory must not grow.
  @Test func aClientThatAlwaysLeavesSomethingUnreadCostsNoMoreMemory() {
    var outbox = Outbox(eventLimit: 1000)
    for _ in 0..<10_000 {
      outbox.append { $0.append("answer answer answer answer answer") }
      append(&outbox, event: "event event event event event event")
      _ = send(&outbox, 35)
      if outbox.answerBytes > 1000 { while outbox.answerBytes > 36 { _ = send(&outbox, 35) } }
    }
    #expect(!outbox.isEmpty)
    #expect(outbox.capacity < 16_384)
  }

  @Test func theMemoryOfALongQueueIsGivenBack() {
    var outbox = Outbox(eventLimit: 100_000)
    for _ in 0..<1000 { append(&outbox, event: "event event event event event event") }
    #expect(outbox.capacity > 36_000)
    while !outbox.isEmpty { _ = send(&outbox) }
    #expect(outbox.capacity <= 4096)
  }

  /// Against a list of all events. Each is sent whole, in order, or counted as lost in its place.
  @Test func everyEventIsSentOrCounted() {
    for index in 0..<200 {
      var random = Seed.source("outbox", index)
      let limit = random.integer(4...60)
      var outbox = Outbox(eventLimit: limit)
      var count = 0
      var received = ""
      for _ in 0..<200 {
        if random.chance(0.6) {
          let padding = String(repeating: ".", count: random.integer(0...12))
          append(&outbox, event: "\(count)\(padding)")
          count += 1
        } else {
          received += send(&outbox, random.integer(0...30), limit: random.integer(1...30))
        }
      }
      while !outbox.isEmpty { received += send(&outbox, limit: random.integer(1...30)) }
      var next = 0
      for message in received.split(separator: "\0") {
        if let number = Int(message.prefix { $0 != "." }) {
          #expect(number == next, "\(Seed.advice)")
          next += 1
        } else {
          let omitted = message.split(separator: #""count":"#)[1].prefix { $0.isNumber }
          next += Int(omitted) ?? .min
        }
      }
      #expect(next == count, "\(Seed.advice)")
      #expect(outbox.delivered + outbox.lost == UInt64(count), "\(Seed.advice)")
    }
  }
}
