import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissGate

@Suite struct TextFormTests {
  static let clients: [(String, Client)] = [
    ("program:/usr/bin/foo", .program("/usr/bin/foo")),
    ("program:/opt/a b/c:d", .program("/opt/a b/c:d")),
    ("program:/opt/größe", .program("/opt/größe")),
    ("unit:foo.service", .unit("foo.service")),
    ("unit:foo@a:b.service", .unit("foo@a:b.service")),
    ("app:org.foo.Bar", .app("org.foo.Bar")),
  ]

  @Test(arguments: clients) func aClientReadsBackAsItIsWritten(_ text: String, _ client: Client)
    throws
  {
    #expect(try Client(text) == client)
    #expect(client.description == text)
  }

  @Test(arguments: [
    "", ":", "foo", "/usr/bin/foo", "program:", "program:foo", "program:./foo", "program:/",
    "program:/usr//foo", "program:/usr/./foo", "program:/usr/../foo", "program:/usr/foo/",
    "program:/a\u{0}b", "program:/a\nb", "program:/a\u{1b}[2J", "program:/a\u{202e}b",
    "Program:/usr/bin/foo", "unit:", "unit:foo", "unit:a/b.service", "app:", "app:a/b", "uid:5",
    "program:/" + String(repeating: "a", count: 5000),
  ])
  func anInvalidClientIsRefusedWithPlaceAndAdvice(_ text: String) throws {
    let error = try #require(try gateError { _ = try Client(text) })
    #expect(error.problem == .syntax)
    #expect(error.place == "client")
    #expect(error.advice?.contains("program:PATH") == true)
    let hasControls = error.description.unicodeScalars.contains { !$0.isPlain }
    #expect(!hasControls, "a terminal would obey it")
    #expect(error.description.utf8.count < 300)
  }

  /// What is stored already stays readable.
  @Test(arguments: [
    "unit:a b.service", "unit:ä.service", "unit:a,b.service", "app:foo", "app:org.a b", "app:a..b",
    "unit:" + String(repeating: "a", count: 248) + ".service",
  ])
  func aClientThatCannotExistIsOnlyRefusedForNewGrants(_ text: String) throws {
    let client = try Client(text)
    try client.check()
    let error = try #require(try gateError { try client.checkNew() })
    #expect(error.problem == .syntax && error.place == "client")
    #expect(error.advice?.contains("letters, digits") == true)
  }

  @Test(arguments: clients.map { $0.1 } + [.unit("a-b_c:d.e\\x2df@g.service"), .app("org.a-b._c")])
  func aClientThatCanExistMayBeNamed(_ client: Client) throws { try client.checkNew() }

  static let expiries: [(String, Expiry)] = [
    ("once", .once), ("never", .never), ("session:c2", .session("c2")),
    ("session:a:b", .session("a:b")), ("0", .at(WallTime(seconds: 0))),
    ("1700000000", .at(WallTime(seconds: 1_700_000_000))),
    ("9223372036854775807", .at(WallTime(seconds: .max))),
  ]

  @Test(arguments: expiries) func anExpiryReadsBackAsItIsWritten(_ text: String, _ expiry: Expiry)
    throws
  {
    #expect(try Expiry(text) == expiry)
    #expect(expiry.description == text)
  }

  @Test(arguments: [
    "", "Once", "session", "session:", "session:a\nb", "-1", "+5", "1.5", "0x10", "８",
    "9223372036854775808", "tomorrow",
  ])
  func anInvalidExpiryIsRefused(_ text: String) throws {
    let error = try #require(try gateError { _ = try Expiry(text) })
    #expect(error.problem == .syntax)
    #expect(error.place == "expiry")
  }

  @Test(arguments: [
    "", "org", ".", "org.", ".org", "org..foo", "org.foo bar", "org.foo/bar", "org.föö",
    "org.foo\u{0}", "org." + String(repeating: "a", count: 252),
  ])
  func anInvalidGroupIsRefused(_ text: String) throws {
    let error = try #require(try gateError { _ = try AccessGroup(text) })
    #expect(error.problem == .syntax)
    #expect(error.place == "group")
  }

  @Test(arguments: [
    ("org.foo", "org.foo", true), ("org.foo", "org.foo.bar", true),
    ("org.foo", "org.foo.bar.baz", true), ("org.foo", "org.foobar", false),
    ("org.foo", "org.foo-bar", false), ("org.foo", "org.fo", false),
    ("org.foo.bar", "org.foo", false), ("org.foo", "com.org.foo", false),
    ("org.foo", "org.Foo", false), ("org.foo", "org.foo_.bar", false),
  ])
  func aGroupContainsTheGroupsBelowIt(
    _ group: String, _ other: String, _ holds: Bool
  ) throws {
    #expect(try AccessGroup(group).contains(AccessGroup(other)) == holds)
  }

  @Test func namesOfTiersReadBack() {
    for tier in Tier.allCases { #expect(Tier(named: tier.name) == tier) }
    for text in ["", "Raw", "raw ", "keys"] { #expect(Tier(named: text) == nil) }
    #expect(Tier.allCases.sorted() == [.hotkey, .gesture, .raw, .post])
    for availability in Availability.allCases {
      #expect(Availability(rawValue: availability.rawValue) == availability)
    }
  }

  // MARK: Scopes

  static let sound: [Scope] = [
    Scope(tier: .hotkey), Scope(tier: .post), .gestures, .allKeys,
    Scope(tier: .gesture, events: .gesture, devices: ["Pad"]),
    Scope(tier: .raw, events: [.gesture, .touch, .pointer, .scroll, .device]),
    Scope(tier: .raw, events: [.key, .touch], devices: ["a", "b"], keys: .media),
  ]

  @Test(arguments: sound) func aValidScopeIsAccepted(_ scope: Scope) throws {
    #expect(try scope.validated() == scope)
  }

  static let unsound: [(String, Scope)] = [
    ("scope.events", Scope(tier: .hotkey, events: .key)),
    ("scope.events", Scope(tier: .post, events: .key)),
    ("scope.keys", Scope(tier: .post, keys: .media)),
    ("scope.events", Scope(tier: .gesture)),
    ("scope.events", Scope(tier: .gesture, events: [.gesture, .touch])),
    ("scope.keys", Scope(tier: .gesture, events: .gesture, keys: .media)),
    ("scope.events", Scope(tier: .raw)),
    ("scope.events", Scope(tier: .raw, events: [.hotkey])),
    ("scope.events", Scope(tier: .raw, events: EventMask(rawValue: 1 << 20))),
    ("scope.keys", Scope(tier: .raw, events: .key)),
    ("scope.keys", Scope(tier: .raw, events: .touch, keys: .media)),
    ("scope.keys", Scope(tier: .raw, events: .key, keys: KeyClasses(rawValue: 16))),
    ("scope.devices", Scope(tier: .raw, events: .touch, devices: [])),
    ("scope.devices", Scope(tier: .raw, events: .touch, devices: [""])),
    ("scope.devices", Scope(tier: .raw, events: .touch, devices: ["a\nb"])),
    (
      "scope.devices",
      Scope(tier: .raw, events: .touch, devices: [String(repeating: "a", count: 257)])
    ),
    ("scope.devices", Scope(tier: .raw, events: .touch, devices: Set((0..<65).map { "\($0)" }))),
  ]

  @Test(arguments: unsound) func anInvalidScopeIsRefused(_ place: String, _ scope: Scope) throws {
    let error = try #require(try gateError { _ = try scope.validated() })
    #expect(error.problem == .syntax)
    #expect(error.place == place)
    #expect(!error.message.contains("…"))
  }

  /// With a combining mark it is another character, but looks almost the same.
  @Test(arguments: [("a”\u{301}, “b", 1), ("a\\\u{301}b", 2)])
  func aMarkBeforeACombiningMarkIsEscaped(_ name: String, _ backslashes: Int) {
    let scope = Scope(tier: .raw, events: .touch, devices: [name])
    #expect(scope.description.unicodeScalars.count { $0 == "\\" } == backslashes)
  }

  @Test func noTwoScopesLookTheSame() {
    var seen: [String: Scope] = [:]
    var random = Seed.source("scopes as text")
    let odd = ["a", "b", "a”, “b", "”", "\\", "\\”", "a\\", ", ", "; keys: media"]
    for _ in 0..<3000 {
      var scope = random.scope(devices: odd)
      if scope.events.isEmpty { scope.events = .touch }
      if let other = seen[scope.description] {
        #expect(other == scope, "\(scope) \(Seed.advice)")
      }
      seen[scope.description] = scope
    }
    #expect(seen.count > 200)
  }
}
