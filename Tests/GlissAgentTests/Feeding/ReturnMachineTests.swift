import GlissEvents
import Testing

@testable import GlissAgent

@Suite struct ReturnMachineTests {
  private func ms(_ count: Int64) -> EventTime { EventTime(microseconds: count * 1000) }

  @Test func whoIsGoneIsLookedForLessAndLessOften() {
    var machine = ReturnMachine(at: ms(0))
    #expect(machine.deadline == ms(0))
    #expect(machine.found() == true)
    #expect(machine.found() == false)
    #expect(machine.deadline == nil)
    #expect(machine.missed(at: ms(1000)) == true)
    #expect(machine.deadline == ms(1100))
    var waits: [Int64] = []
    for _ in 0..<12 {
      let due = machine.deadline ?? .zero
      let isNews = machine.missed(at: due)
      #expect(!isNews)
      waits.append((machine.deadline ?? .zero).microseconds / 1000 - due.microseconds / 1000)
    }
    #expect(
      waits == [200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000, 30_000])
    #expect(machine.found() == true)
  }

  @Test func thatItWasNeverThereIsNewsOnce() {
    var machine = ReturnMachine(at: ms(0))
    #expect(machine.missed(at: ms(0)) == true)
    #expect(machine.missed(at: ms(100)) == false)
  }
}
