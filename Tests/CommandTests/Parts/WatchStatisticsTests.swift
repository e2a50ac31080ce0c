import GlissEvents
import Testing

@testable import gliss_cli

@Suite struct WatchStatisticsTests {
  private func statistics(_ latencies: some Sequence<Int64>) -> WatchStatistics {
    var statistics = WatchStatistics(from: .zero)
    for latency in latencies {
      statistics.note(packetOf: .zero, at: .zero + EventInterval(microseconds: latency))
    }
    return statistics
  }

  @Test func withoutAnythingThereIsNoPercentile() {
    #expect(statistics([]).percentile(0.5) == nil)
    #expect(statistics([]).packets == 0)
  }

  @Test func percentilesAreExact() {
    let few = statistics(0..<16)
    for value in Int64(0)..<16 { #expect(few.percentile(Double(value + 1) / 16) == value) }
    #expect(statistics([8_589_934_591, 1]).percentile(1) == 8_589_934_591)
  }

  @Test func percentilesCountFromTheShortest() {
    let all = statistics((1...1000).shuffled() + (1...1000).shuffled())
    #expect(all.percentile(0.5) == 500)
    #expect(all.percentile(0.99) == 990)
    #expect(all.percentile(1) == 1000)
    #expect(all.percentile(0) == 1)
    #expect(all.packets == 2000)
  }

  @Test(arguments: [Int64.min, -1, .max])
  func impossibleTimesAreCountedToo(_ value: Int64) {
    let odd = statistics([value])
    #expect(odd.packets == 1)
    #expect(odd.percentile(0.5) == max(0, value))
  }
}
