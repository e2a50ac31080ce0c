import GlissEvents
import Testing

@testable import gliss_cli

@Suite struct LatencyHistogramTests {
  private func histogram(_ microseconds: some Sequence<Int64>) -> LatencyHistogram {
    var histogram = LatencyHistogram()
    for value in microseconds { histogram.record(EventInterval(microseconds: value)) }
    return histogram
  }

  @Test func withoutAnythingThereIsNoPercentile() {
    #expect(histogram([]).percentile(0.5) == nil)
    #expect(histogram([]).count == 0)
  }

  @Test func shortLengthsAreExact() {
    let few = histogram(0..<16)
    for value in Int64(0)..<16 {
      let share = Double(value + 1) / 16
      #expect(few.percentile(share)?.microseconds == value)
    }
  }

  @Test(arguments: [1, 15, 16, 17, 31, 32, 63, 64, 1000, 4096, 99_999, 16_777_215, 8_589_934_591])
  func aLengthIsWrittenToASixteenth(_ value: Int64) throws {
    // a longer one, so that the maximum does not make it exact
    let both = histogram([value, value * 4])
    let told = try #require(both.percentile(0.5)).microseconds
    #expect(told >= value)
    #expect(Double(told) <= Double(value) * (1 + 1.0 / 16))
  }

  @Test func percentilesCountFromTheShortest() throws {
    let all = histogram((1...1000).shuffled())
    let (half, most) = (try #require(all.percentile(0.5)), try #require(all.percentile(0.99)))
    #expect((500...532).contains(half.microseconds))
    #expect((990...1000).contains(most.microseconds))
    #expect(all.percentile(1)?.microseconds == 1000)
    #expect(all.percentile(0)?.microseconds == 1)
    #expect(all.count == 1000)
  }

  @Test(arguments: [Int64.min, -1, .max])
  func impossibleTimesAreCountedToo(_ value: Int64) {
    let odd = histogram([value])
    #expect(odd.count == 1)
    #expect(odd.percentile(0.5) != nil)
  }
}
