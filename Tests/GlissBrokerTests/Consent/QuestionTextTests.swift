import Testing

@testable import GlissBroker

/// What a person is shown before agreeing.
@Suite struct QuestionTextTests {
  @Test func aClientsNameCannotLookLikeTheTextAroundIt() {
    #expect(
      Broker.quoted("program:/opt/a”, and only “gesture") == "“program:/opt/a, and only gesture”")
    // not by characters: with a combining mark a quotation mark is another character
    #expect(Broker.quoted("a”\u{301}b").unicodeScalars.filter { $0 == "”" }.count == 1)
    #expect(Broker.quoted(String(repeating: "a", count: 5000)).count == 302)
  }
}
