import GlissEvents
import Testing

@testable import GlissBroker

@Suite struct PressBudgetTests {
  private func at(_ milliseconds: Int64) -> EventTime {
    EventTime(microseconds: milliseconds * 1000)
  }

  @Test func theBudgetIsSpentAndRefills() {
    var budget = PressBudgets(at: at(0)).chords
    let got1 = budget.take(budget.most, at: at(0))
    #expect(got1)
    let got2 = budget.take(1, at: at(0))
    #expect(!got2)
    let got3 = budget.take(2, at: at(20))
    #expect(!got3)
    let got4 = budget.take(1, at: at(20))
    #expect(got4)
    let got5 = budget.take(budget.perSecond, at: at(1020))
    #expect(got5)
    let got6 = budget.take(2, at: at(1020))
    #expect(!got6)
  }

  @Test func theBudgetNeverExceedsItsMaximum() {
    var budget = PressBudgets(at: at(0)).chords
    let got7 = budget.take(budget.most + 1, at: at(10_000_000))
    #expect(!got7)
    let got8 = budget.take(budget.most, at: EventTime(microseconds: .max))
    #expect(got8)
    // a clock that goes back
    let got9 = budget.take(1, at: at(0))
    #expect(!got9)
  }
}
