import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissGate

/// Grants as JSON, in and out.
@Suite struct GrantFileTests {
  static func parse(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }

  @Test func anExportImportsAsItWas() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    var terms: [Grant.Terms] = [
      .program("/opt/a"),
      .program(
        "/opt/b",
        Scope(tier: .raw, events: [.key, .touch], devices: ["b", "a"], keys: [.media, .typing])),
      Grant.Terms(uid: .max - 1, client: .unit("a.service"), scope: .gestures),
      Grant.Terms(
        uid: 0, client: .app("org.example.App"), group: try AccessGroup("org.example.suite"),
        scope: Scope(tier: .post)),
    ]
    terms[1].availability = .afterFirstUnlock
    terms[1].expiry = .at(WallTime(seconds: 9_000_000_000))
    terms[2].isAllowed = false
    terms[2].availability = .always
    terms[2].thisDeviceOnly = false
    terms[3].reason = "\"quoted\" \\ é"
    let once = Grant.Terms.program("/opt/once").with { $0.expiry = .once }
    let session = Grant.Terms.program("/opt/session").with { $0.expiry = .session("3") }
    for each in terms + [once, session] { _ = try gate.add(each, by: "root", at: rig.now) }
    let memberships = [
      Membership(uid: 0, client: .unit("b.service"), group: try AccessGroup("org.example.suite")),
      try .program("/opt/a", in: "org.example"),
    ]
    for membership in memberships { try gate.add(membership, by: "root", at: rig.now) }
    let text = "\(GrantFile.json(of: try gate.grants(), members: try gate.members()))"
    #expect(try GrantFile.terms(in: Self.parse(text)) == terms)
    #expect(try GrantFile.memberships(in: Self.parse(text)) == memberships)
    let secondRig = try GateRig()
    let other = secondRig.openSound()
    for each in try GrantFile.terms(in: Self.parse(text)) {
      _ = try other.add(each, by: "root", at: rig.now)
    }
    for membership in memberships { try other.add(membership, by: "root", at: rig.now) }
    #expect("\(GrantFile.json(of: try other.grants(), members: try other.members()))" == text)
  }

  @Test func aGrantIsWrittenAsTheInterfaceHasIt() throws {
    let rig = try GateRig()
    let grant = try rig.openSound().add(
      .program("/opt/b", Scope(tier: .raw, events: .key, keys: .media)).with { $0.reason = "r" },
      by: "root", at: rig.now)
    #expect(
      "\(grant.json)" == """
        {"id":1,"uid":1000,"client":"program:/opt/b","scope":{"tier":"raw","events":["key"],\
        "keys":["media"]},"allowed":true,"availability":"whenUnlocked","expiry":"never",\
        "thisDeviceOnly":true,"created":1000000,"modified":1000000,"grantedBy":"root","reason":"r"}
        """)
  }

  /// A refusal holds while the screen is locked, too.
  @Test func aRefusalIsWrittenAsHoldingAlways() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    let grant = try gate.add(
      .program("/opt/b").with { $0.isAllowed = false }, by: "root", at: rig.now)
    #expect(grant.json["availability"] == "always")
    #expect(grant.terms.json["availability"] == "always")
    #expect(try gate.log(limit: 1).first?.detail.contains(", always, ") == true)
  }

  static let plain = #"{"uid":1,"client":"unit:a.service","scope":{"tier":"gesture"}}"#

  static let mistakes: [(String, String, String)] = [
    ("[]", "the file", "must be an object"),
    ("{}", "version", "is missing"),
    (#"{"version":1}"#, "grants", "is missing"),
    (#"{"version":2,"grants":[]}"#, "version", "is not 1"),
    (#"{"version":"1","grants":[]}"#, "version", "must be a whole number"),
    (#"{"version":1,"grants":{}}"#, "grants", "must be a list of objects"),
    (#"{"version":1,"grants":[],"x":1}"#, "x", "is unknown"),
    (#"{"version":1,"grants":[\#(plain),7]}"#, "grants[1]", "must be an object"),
    (grant(#""uid":-1"#), "grants[0].uid", "is not a user's number"),
    (grant(#""uid":4294967296"#), "grants[0].uid", "is not a user's number"),
    (grant(#""uid":1.5"#), "grants[0].uid", "must be a whole number"),
    (grant(#""uid":9223372036854775808"#), "grants[0].uid", "is too large"),
    (grant(#""uid":-9223372036854775809"#), "grants[0].uid", "is too small"),
    (grant(#""uid":null"#), "grants[0].uid", "is missing"),
    (grant(#""client":"/bin/x""#), "grants[0].client", "“/bin/x” has no kind"),
    (grant(#""client":"program:relative""#), "grants[0].client", "is not an absolute path"),
    (grant(#""client":7"#), "grants[0].client", "must be a string"),
    (grant(#""scope":{}"#), "grants[0].scope.tier", "is missing"),
    (grant(#""scope":{"tier":"all"}"#), "grants[0].scope.tier", "must be one of hotkey, gesture"),
    (
      grant(#""scope":{"tier":"raw","events":["keys"]}"#), "grants[0].scope.events[0]",
      "must be one of gesture, touch, key"
    ),
    (
      grant(#""scope":{"tier":"raw","events":["key"],"keys":["media","\u001b[31m"]}"#),
      "grants[0].scope.keys[1]", "must be one of "
    ),
    (
      grant(#""scope":{"tier":"raw","events":["touch"],"devices":["a",2]}"#),
      "grants[0].scope.devices[1]", "must be a string"
    ),
    (
      grant(#""scope":{"tier":"raw","events":["touch"],"devices":[]}"#),
      "grants[0].scope.devices", "has 0 names"
    ),
    (
      grant(#""scope":{"tier":"raw","events":["touch"],"devices":["b","","a"]}"#),
      "grants[0].scope.devices[1]", "is empty"
    ),
    (grant(#""scope":{"tier":"gesture","extra":1}"#), "grants[0].scope.extra", "is unknown"),
    (grant(#""allowed":"yes""#), "grants[0].allowed", "must be true or false"),
    (grant(#""availability":"never""#), "grants[0].availability", "must be one of"),
    (grant(#""expiry":"tomorrow""#), "grants[0].expiry", "“tomorrow” is not a time"),
    (grant(#""expiry":12"#), "grants[0].expiry", "must be a string"),
    (grant(#""id":12"#), "grants[0].id", "is unknown"),
    (
      #"{"version":1,"grants":[\#(plain),{"uid":1,"client":"program:/bin/sh","scope":{"tier":"raw","events":["touch"]}}]}"#,
      "grants[1].client", "every program of the user can run program:/bin/sh"
    ),
  ]

  static let memberMistakes: [(String, String, String)] = [
    ("{}", "members", "must be a list of objects"), ("[7]", "members[0]", "must be an object"),
    (#"[{"client":"app:a","group":"org.a"}]"#, "members[0].uid", "is missing"),
    (#"[{"uid":1,"group":"org.a"}]"#, "members[0].client", "is missing"),
    (#"[{"uid":1,"client":"app:a"}]"#, "members[0].group", "is missing"),
    (#"[{"uid":-1,"client":"app:a","group":"org.a"}]"#, "members[0].uid", "is not a user's number"),
    (#"[{"uid":1,"client":"a","group":"org.a"}]"#, "members[0].client", "has no kind"),
    (#"[{"uid":1,"client":"app:a","group":"a"}]"#, "members[0].group", "is not a group's name"),
    (#"[{"uid":1,"client":"app:a","group":"org.a","by":"x"}]"#, "members[0].by", "is unknown"),
  ]

  @Test(arguments: memberMistakes)
  func aMistakeAboutMembersHasItsPlace(
    _ members: String, _ place: String, _ message: String
  ) throws {
    let json = try Self.parse(#"{"version":1,"grants":[],"members":\#(members)}"#)
    let error = try gateError { _ = try GrantFile.memberships(in: json) }
    #expect(error?.place == place)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "nothing")")
  }

  @Test func aFileWithoutMembersAddsNobodyToAGroup() throws {
    #expect(try GrantFile.memberships(in: Self.parse(#"{"version":1,"grants":[]}"#)) == [])
  }

  /// A file with one grant, in which `member` replaces the grant's own.
  static func grant(_ member: String) -> String {
    let name = member.split(separator: ":")[0]
    let parts = [#""uid":1"#, #""client":"unit:a.service""#, #""scope":{"tier":"gesture"}"#]
      .filter { !$0.hasPrefix(name) }
    return #"{"version":1,"grants":[{"# + (parts + [member]).joined(separator: ",") + "}]}"
  }

  @Test(arguments: mistakes)
  func aMistakeHasItsPlace(_ text: String, _ place: String, _ message: String) throws {
    let error = try gateError { _ = try GrantFile.terms(in: Self.parse(text)) }
    #expect(error?.place == place)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "nothing")")
  }

  /// An import grants all of a file or nothing.
  @Test func theSameGrantTwiceIsRefused() throws {
    let grant = Grant(
      id: GrantID(rawValue: 1), terms: .program("/opt/a"), created: WallTime(seconds: 1),
      modified: WallTime(seconds: 1), grantedBy: "root")
    let error = try gateError { _ = try GrantFile.terms(in: GrantFile.json(of: [grant, grant])) }
    #expect(error?.description.contains("scope as grants[0]") == true)
  }

  @Test func theUidMayBeLeftOutIfItIsKnown() throws {
    let json = try Self.parse(#"{"client":"unit:a.service","scope":{"tier":"gesture"}}"#)
    #expect(try Grant.Terms(Parameters(json, "terms."), uid: 7).uid == 7)
    let error = try gateError { _ = try Grant.Terms(Parameters(json, "terms.")) }
    #expect(error?.place == "terms.uid")
  }

  /// Accepted input reads back as the same; anything else is refused without a trap.
  @Test func anyInputIsAcceptedOrRefused() throws {
    var source = Seed.source("import")
    let rig = try GateRig()
    let words = [
      "version", "grants", "uid", "client", "scope", "tier", "raw", "gesture", "events", "key",
      "keys", "media", "devices", "expiry", "never", "once", "unit:a.service", "program:/opt/a",
      "allowed", "reason", "availability", "always", "\u{202e}", "", "session:", "session:3", "99",
    ]
    func value(_ depth: Int) -> JSON {
      switch source.integer(0...(depth > 3 ? 4 : 6)) {
      case 0: .null
      case 1: .bool(source.chance(0.5))
      case 2: .integer(Int64(bitPattern: source.next()))
      case 3: .integer(1)
      case 4: .string(source.pick(words))
      case 5: .array((0..<source.integer(0...3)).map { _ in value(depth + 1) })
      case _:
        .object(
          (0..<source.integer(0...4)).map { _ in .init(source.pick(words), value(depth + 1)) })
      }
    }
    let gate = rig.openSound()
    var taken = 0
    for _ in 0..<20_000 {
      // a valid grant with one arbitrary member
      var members = try #require(try Self.parse(Self.plain).object)
      members.removeAll { _ in source.chance(0.1) }
      members.append(.init(source.pick(words), value(0)))
      let file: JSON = ["version": 1, "grants": .array([.object(members)])]
      guard let terms = try? GrantFile.terms(in: source.chance(0.9) ? file : value(0)) else {
        continue
      }
      taken += terms.count
      for terms in terms where try gate.grants().count < 200 {
        guard let grant = try? gate.add(terms, by: "root", at: rig.now) else { continue }
        #expect(grant.terms == terms, "\(Seed.advice)")
      }
    }
    #expect(taken > 100)
    #expect(gate.check() == [], "\(Seed.advice)")
  }
}
