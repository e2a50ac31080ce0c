import GlissDevices
import GlissEvents
import Testing

@Suite struct BackoffTests {
  private func ms(_ count: Int64) -> EventTime { EventTime(microseconds: count * 1000) }

  @Test func aBrokerThatIsGoneIsTriedLessAndLessOften() {
    var backoff = Backoff(at: ms(0), longest: .milliseconds(30_000))
    #expect(backoff.deadline == ms(0))
    #expect(backoff.found() == true)
    #expect(backoff.found() == false)
    #expect(backoff.deadline == nil)
    #expect(backoff.missed(at: ms(1000)) == 0)
    #expect(backoff.deadline == ms(1100))
    var waits: [Int64] = []
    for number in 1...12 {
      let due = backoff.deadline ?? .zero
      #expect(backoff.missed(at: due) == number)
      waits.append((backoff.deadline ?? .zero).microseconds / 1000 - due.microseconds / 1000)
    }
    #expect(
      waits == [200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000, 30_000])
    #expect(backoff.found() == true)
    #expect(backoff.missed(at: ms(0)) == 0, "the next loss is new")
  }

  @Test func aBrokerThatWasNeverThereIsNewOnce() {
    var backoff = Backoff(at: ms(0), longest: .milliseconds(30_000))
    #expect(backoff.missed(at: ms(0)) == 0)
    #expect(backoff.deadline == ms(100))
    #expect(backoff.missed(at: ms(100)) == 1)
  }

  @Test func aLockThatIsLostIsTriedAtOnceAndAtLeastEveryTwoSeconds() {
    var backoff = Backoff(at: ms(0), first: .zero, longest: .milliseconds(2000))
    #expect(backoff.found() == true)
    #expect(backoff.missed(at: ms(1000)) == 0)
    #expect(backoff.deadline == ms(1000))
    var last = ms(1000)
    for number in 1...20 {
      #expect(backoff.missed(at: last) == number)
      let next = backoff.deadline ?? .zero
      #expect(next > last && (next - last).milliseconds <= 2000)
      last = next
    }
  }
}
