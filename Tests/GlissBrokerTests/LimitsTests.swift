import GlissBroker
import Testing

@Suite struct LimitsTests {
  @Test func aUserMayTakeALimitedShare() {
    #expect(Limits().connections == 32)
    #expect(Limits().messageBytes == 64 << 10)
  }
}
