import GlissEvents
import GlissHotkeys
import Testing

@testable import GlissDevices

/// When chords are pressed that wait for each other.
@Suite struct PressQueueTests {
  private static func chord(_ number: UInt16) -> [KeyStroke] {
    [.down(Key(rawValue: number)), .up(Key(rawValue: number))]
  }

  private func at(_ milliseconds: Int64) -> EventTime {
    EventTime(microseconds: milliseconds * 1000)
  }

  @Test func whatOneClientPressesIsForgottenAlone() {
    var queue = PressQueue(ready: at(0))
    for owner in [1, 2, 1] as [UInt64] {
      let isAdded = queue.add([Self.chord(UInt16(owner))], of: owner, at: at(1))
      #expect(isAdded)
    }
    queue.forget(1)
    let next = queue.next(at: at(100))
    #expect(next == Self.chord(2))
    #expect(queue.deadline == nil)
  }

  @Test func theFirstWaitsForTheDesktopAndTheOthersForEachOther() {
    var queue = PressQueue(ready: at(500))
    #expect(queue.deadline == nil)
    let got1 = queue.add([Self.chord(1), Self.chord(2)], at: at(100))
    #expect(got1)
    #expect(queue.deadline == at(500))
    let got2 = queue.next(at: at(499))
    #expect(got2 == nil)
    let got3 = queue.next(at: at(500))
    #expect(got3 == Self.chord(1))
    let got4 = queue.next(at: at(500))
    #expect(got4 == nil)
    let got5 = queue.add([Self.chord(3)], at: at(501))
    #expect(got5)
    #expect(queue.deadline == at(505))
    let got6 = queue.next(at: at(505))
    #expect(got6 == Self.chord(2))
    let got7 = queue.next(at: at(520))
    #expect(got7 == Self.chord(3))
    #expect(queue.deadline == nil)
    // right after the last one
    let got8 = queue.add([Self.chord(4)], at: at(521))
    #expect(got8)
    let got9 = queue.next(at: at(521))
    #expect(got9 == nil)
    let got10 = queue.next(at: at(525))
    #expect(got10 == Self.chord(4))
    // long after it
    let got11 = queue.add([Self.chord(5)], at: at(900))
    #expect(got11)
    let got12 = queue.next(at: at(900))
    #expect(got12 == Self.chord(5))
  }

  @Test func tooManyChordsAreRefusedAsAWhole() {
    var queue = PressQueue(ready: at(0))
    let many = [[KeyStroke]](repeating: Self.chord(1), count: PressQueue.capacity)
    let got13 = queue.add(many, at: at(0))
    #expect(got13)
    let got14 = queue.add([Self.chord(2)], at: at(0))
    #expect(!got14)
    let got15 = queue.next(at: at(0))
    #expect(got15 != nil)
    let got16 = queue.add([Self.chord(2)], at: at(0))
    #expect(got16)
    let got17 = queue.add([Self.chord(3), Self.chord(4)], at: at(0))
    #expect(!got17)
  }

  @Test func forgottenChordsAreNotPressed() {
    var queue = PressQueue(ready: at(0))
    _ = queue.add([Self.chord(1), Self.chord(2)], at: at(0))
    let got18 = queue.next(at: at(0))
    #expect(got18 == Self.chord(1))
    queue.forget()
    let none = queue.next(at: at(100))
    #expect(queue.deadline == nil && none == nil)
    _ = queue.add([Self.chord(3)], at: at(1))
    let got19 = queue.next(at: at(4))
    #expect(got19 == nil)
    let got20 = queue.next(at: at(5))
    #expect(got20 == Self.chord(3))
  }

  @Test func motionsThatWaitBecomeOneAndKeepTheirPlace() {
    var queue = PressQueue(ready: at(0))
    let all: [[KeyStroke]] = [
      Self.chord(1), [.move(1, 2)], [.move(3, -4)], [.up(.leftButton)], [.move(5, 6)],
    ]
    for piece in all {
      let isTaken = queue.add([piece], at: at(0))
      #expect(isTaken)
    }
    var written: [[KeyStroke]] = []
    while let due = queue.deadline, let next = queue.next(at: due) { written.append(next) }
    #expect(written == [Self.chord(1), [.move(4, -2)], [.up(.leftButton)], [.move(5, 6)]])
  }
}

@Suite struct HeldKeysTests {
  @Test func aKeyIsHeldUntilItsLastHolderReleasesIt() {
    var held = HeldKeys()
    #expect(held.hold([.leftControl, .leftAlt], by: 1) == [.leftControl, .leftAlt])
    #expect(held.hold([.leftAlt, .tab, .tab], by: 2) == [.tab])
    // a holder that holds already
    #expect(held.hold([.a], by: 1).isEmpty)
    #expect(held.contains(.leftAlt) && !held.contains(.a) && !held.contains(nil))
    #expect(held.release(1) == [.leftControl])
    #expect(held.release(1).isEmpty)
    #expect(held.release(2) == [.leftAlt, .tab])
    #expect(!held.contains(.leftAlt))
  }

  @Test func aChordLeavesHeldKeysDown() {
    var held = HeldKeys()
    _ = held.hold([.leftAlt, .tab], by: 1)
    let chord: [KeyStroke] = [.down(.leftAlt), .down(.a), .up(.a), .up(.leftAlt)]
    #expect(held.adapted(chord) == [.down(.a), .up(.a)])
    // a held key that is pressed comes up first
    #expect(held.adapted([.down(.tab), .up(.tab)]) == [.up(.tab), .down(.tab)])
    #expect(held.adapted([.notch(.up)]) == [.notch(.up)])
  }
}
