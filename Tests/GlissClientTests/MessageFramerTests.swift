import GlissSynthesis
import TestSupport
import Testing

@testable import GlissClient

@Suite struct MessageFramerTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func aNULEndsAMessage() throws {
    var framer = MessageFramer(limit: 10)
    #expect(try !framer.hasMessage && framer.next() == nil && !framer.isInside)
    framer.append(bytes("ab"))
    #expect(try !framer.hasMessage && framer.next() == nil && framer.isInside)
    framer.append(bytes("c\0d\0\0e"))
    #expect(try framer.hasMessage && !framer.isInside && framer.next() == bytes("abc"))
    #expect(try framer.next() == bytes("d"))
    #expect(try framer.next() == [])
    #expect(try framer.next() == nil)
    #expect(framer.isInside)
    framer.append(bytes("f\0"))
    #expect(try framer.next() == bytes("ef"))
    #expect(!framer.isInside && !framer.isTooLong)
  }

  @Test(arguments: [(10, false), (11, true)]) func lengthIsBounded(count: Int, isTooLong: Bool)
    throws
  {
    let message = [UInt8](repeating: 0x61, count: count)
    for whole in [message + [0], message] {
      var framer = MessageFramer(limit: 10)
      framer.append(whole)
      #expect(framer.isTooLong == isTooLong)
      if isTooLong {
        #expect(throws: VarlinkError.tooLong(10)) { try framer.next() }
      } else {
        #expect(try framer.next() == (whole.count > 10 ? message : nil))
      }
    }
  }

  @Test func aLongOneIsFoundOnceThoseBeforeItAreTaken() throws {
    var framer = MessageFramer(limit: 3)
    framer.append(bytes("ab\0cdef"))
    #expect(!framer.isTooLong)
    #expect(try framer.next() == bytes("ab"))
    #expect(framer.isTooLong)
    #expect(throws: VarlinkError.tooLong(3)) { try framer.next() }
  }

  @Test func anyPiecesGiveTheSameMessages() throws {
    for index in 0..<300 {
      var random = Seed.source("pieces", index)
      let messages: [[UInt8]] = (0..<random.integer(1...6)).map { _ in
        (0..<random.integer(0...40)).map { _ in UInt8(random.integer(1...255)) }
      }
      var rest = Array(messages.map { $0 + [0] }.joined())[...]
      var framer = MessageFramer(limit: 64)
      var found: [[UInt8]] = []
      while !rest.isEmpty {
        let piece = rest.prefix(random.integer(1...50))
        rest = rest.dropFirst(piece.count)
        framer.append(piece)
        while let message = try framer.next() { found.append(message) }
      }
      #expect(found == messages, "\(Seed.advice)")
    }
  }
}
