import GlissEvents
import Testing

@testable import GlissAgent

@Suite struct SettlingTests {
  private func ms(_ count: Int64) -> EventTime { EventTime(microseconds: count * 1000) }

  @Test func itComesToRestOnceNothingChangesForAWhile() {
    var settling = SettlingMachine()
    #expect(settling.deadline == nil)
    settling.changed(at: ms(0))
    #expect(settling.deadline == ms(50))
    settling.changed(at: ms(40))
    #expect(settling.advance(to: ms(50)) == false)
    #expect(settling.advance(to: ms(90)) == true)
    #expect(settling.advance(to: ms(200)) == false)
  }

  @Test func theWaitForAFileThatKeepsChangingEnds() {
    var settling = SettlingMachine()
    for time in stride(from: 0, to: 1000, by: 20) {
      settling.changed(at: ms(Int64(time)))
      #expect(settling.advance(to: ms(Int64(time))) == false)
    }
    #expect(settling.advance(to: ms(1000)) == true)
  }
}
