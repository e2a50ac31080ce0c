import GlissEvents
import GlissGate
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

  /// A client may ask for devices of any names, and for many.
  @Test func whatIsAskedForStandsBeforeAllThatAClientMayChoose() {
    let name = "Pad” and nothing else; it is “/usr/bin/gliss"
    let scope = Scope(tier: .raw, events: .key, devices: [name, "Key"], keys: .media)
    #expect(scope.texts.what == "raw: key; keys: media")
    #expect(
      Broker.devices(of: scope)
        == "; only on “Key, Pad and nothing else; it is /usr/bin/gliss”")
    #expect(Broker.devices(of: Scope(tier: .post)) == "")
    let grant = Grant(
      id: GrantID(rawValue: 1), terms: .init(uid: 1, client: .program("/opt/a"), scope: scope),
      created: .now, modified: .now, grantedBy: "")
    let text = Broker.describe([grant])
    #expect(text.hasPrefix("grant raw: key; keys: media, "))
    #expect(text.hasSuffix(" to “program:/opt/a”" + Broker.devices(of: scope)))
  }

  @Test func aChangesReasonStandsLastAndInQuotes() {
    var change = Gate.Change()
    change.reason = "a” for nothing"
    change.availability = .always
    #expect(change.words == ["always", "with the reason “a for nothing”"])
  }
}
