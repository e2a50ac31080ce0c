import GlissSynthesis
import TestSupport
import Testing

@testable import GlissBroker

@Suite struct MessageRingTests {
  private func text(_ ring: borrowing MessageRing, from number: UInt64, limit: Int = .max / 2)
    -> String
  {
    ring.withBytes(of: ring.run(from: number, limit: limit)) { String(decoding: $0, as: UTF8.self) }
  }

  @Test func messagesLieOneBehindTheOther() {
    var ring = MessageRing(bytes: 16, messages: 8)
    for message in ["ab", "c", ""] { ring.append(Array(message.utf8)) }
    #expect(ring.first == 0 && ring.next == 3)
    #expect(text(ring, from: 0) == "ab\0c\0\0")
    #expect(text(ring, from: 1) == "c\0\0")
    #expect(text(ring, from: 0, limit: 1) == "ab\0")
    #expect(text(ring, from: 0, limit: 4) == "ab\0c\0")
  }

  @Test func whatIsInTheWayIsForgotten() {
    var ring = MessageRing(bytes: 8, messages: 8)
    for message in ["aaa", "bb", "cc"] { ring.append(Array(message.utf8)) }
    // the third did not fit behind the second
    #expect(ring.first == 1)
    #expect(text(ring, from: 1) == "bb\0")
    #expect(text(ring, from: 2) == "cc\0")
    ring.append([])
    #expect(ring.first == 1)
    #expect(text(ring, from: 2) == "cc\0\0")
  }

  @Test func onlySoManyAreKept() {
    var ring = MessageRing(bytes: 100, messages: 2)
    for message in ["a", "b", "c"] { ring.append(Array(message.utf8)) }
    #expect(ring.first == 1 && ring.next == 3)
    #expect(text(ring, from: 1) == "b\0c\0")
  }

  @Test func oneThatIsLongerThanAllMemoryTakesTheOthersWithIt() {
    var ring = MessageRing(bytes: 4, messages: 8)
    ring.append([1, 2, 3])
    #expect(ring.first == 0)
    ring.append([1, 2, 3, 4])
    #expect(ring.isEmpty && ring.next == 2)
    ring.append([7])
    #expect(ring.first == 2 && ring.next == 3)
  }

  @Test(arguments: [(0, 0, 0), (1, 1, 2), (2, 1, 1), (3, 1, 0), (4, 2, 1), (5, 2, 0), (6, 3, 0)])
  func whatWentOutIsSplitAtAMessage(count: Int, next: UInt64, rest: Int) {
    var ring = MessageRing(bytes: 16, messages: 8)
    for message in ["ab", "c", ""] { ring.append(Array(message.utf8)) }
    let split = ring.split(ring.run(from: 0, limit: 100), after: count)
    #expect(split.next == next)
    #expect(split.rest == count..<count + rest)
  }

  /// Against an array that nothing is taken from.
  @Test func itKeepsWhatItTook() {
    for index in 0..<200 {
      var random = Seed.source("ring", index)
      let (bytes, messages) = (random.integer(4...60), random.integer(1...8))
      var ring = MessageRing(bytes: bytes, messages: messages)
      var all: [[UInt8]] = []
      for step in 0..<100 {
        let message = [UInt8](repeating: UInt8(step + 1), count: random.integer(0...12))
        ring.append(message)
        all.append(message)
        if random.chance(0.1) { ring.removeAll() }
        #expect(ring.next == UInt64(all.count))
        #expect(ring.next - ring.first <= UInt64(messages))
        var number = ring.first
        while number < ring.next {
          let run = ring.run(from: number, limit: random.integer(1...30))
          let kept = all[Int(number)..<Int(run.numbers.upperBound)]
          let expected = Array(kept.map { $0 + [0] }.joined())
          #expect(ring.withBytes(of: run) { Array($0) } == expected, "\(Seed.advice)")
          number = run.numbers.upperBound
        }
      }
    }
  }
}
