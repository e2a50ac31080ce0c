import Foundation
import GlissEvents
import GlissGate
import Testing

@testable import GlissClient

/// What each call sends, and what becomes of its answer.
@Suite struct ClientCallTests {
  private let broker: FakeBroker
  private let connection: BrokerConnection

  init() throws {
    broker = try FakeBroker()
    connection = broker.connection
  }

  private static let grant =
    #"{"id":3,"uid":1000,"client":"program:/usr/bin/x","scope":{"tier":"raw","events":["key"],"#
    + #""keys":["media"],"devices":["Keys"]},"allowed":true,"availability":"always","#
    + #""expiry":"1700000000","thisDeviceOnly":false,"created":1,"modified":2,"#
    + #""lastUsed":5,"grantedBy":"root","reason":"music","later":true}"#

  private func expectGrant(_ grant: Grant?) {
    var scope = Scope(tier: .raw, events: .key, keys: .media)
    scope.devices = ["Keys"]
    #expect(grant?.id == GrantID(rawValue: 3))
    #expect(grant?.terms.scope == scope)
    #expect(grant?.terms.client == .program("/usr/bin/x"))
    #expect(grant?.terms.availability == .always)
    #expect(grant?.terms.expiry == .at(WallTime(seconds: 1_700_000_000)))
    #expect(grant?.terms.thisDeviceOnly == false && grant?.terms.isAllowed == true)
    #expect(grant?.lastUsed == WallTime(seconds: 5) && grant?.grantedBy == "root")
  }

  @Test func preflight() throws {
    broker.say(
      #"{"parameters":{"verdict":{"standing":"notDetermined","granted":[],"advice":"ask","until":9,"mayRequest":true}}}"#
    )
    let scope = Scope(tier: .raw, events: [.key, .pointer], devices: ["b", "a"], keys: .media)
    let permission = try connection.preflight(scope)
    let expected = Verdict(
      .notDetermined, until: WallTime(seconds: 9), advice: "ask", mayRequest: true)
    #expect(permission == Permission(scope: scope, verdict: expected, pending: nil))
    #expect(permission.mayRequest && permission.until == 9 && permission.advice == "ask")
    #expect(
      try broker.heard() == [
        [
          "method": "org.gliss.Broker.Preflight",
          "parameters": [
            "scope": [
              "tier": "raw", "events": ["key", "pointer"], "devices": ["a", "b"],
              "keys": ["media"],
            ]
          ],
        ]
      ])
  }

  @Test func request() throws {
    broker.say(
      #"{"parameters":{"verdict":{"standing":"notDetermined","granted":[]},"pending":4}}"#)
    let permission = try connection.request(Scope(tier: .gesture), reason: "zoom")
    #expect(permission.status == .notDetermined && permission.pending == 4)
    #expect(try broker.heard().first?["parameters"]?["reason"] == "zoom")
  }

  @Test func statusOfEverything() throws {
    let text =
      #"{"version":"1","session":{"state":"active","user":1000,"name":"2","#
      + #""secureInput":[{"holder":"pinentry","uid":1000,"remaining":3.5},"#
      + #"{"holder":"gpg","uid":1000,"remaining":3.5}]},"clients":[{"pid":7,"#
      + #""uid":1000,"name":"program:/x","since":1,"doing":"events","granted":[],"#
      + #""delivered":3,"lost":1}],"hotkeys":[{"hotkey":"super+t","mode":null,"#
      + #""holder":"x","uid":1000}],"devices":["Pad"],"problems":[]}"#
    broker.say(#"{"parameters":\#(text)}"#)
    let status = try connection.status()
    #expect(status.seat.secureInput.map(\.holder) == ["pinentry", "gpg"])
    #expect(status.seat.secureInput.first?.remaining == 3.5)
    #expect(status.clients.first?.lost == 1 && status.clients.first?.since == 1)
    #expect(status.hotkeys.first?.hotkey == "super+t")
    #expect(status.devices == ["Pad"] && status.showsDevices)
    #expect(try status.json == JSON(parsing: Array(text.utf8)))
  }

  @Test(arguments: [("[]", true), ("null", false)])
  func hiddenDevicesAreNotNoDevices(_ devices: String, _ areShown: Bool) throws {
    broker.say(
      #"{"parameters":{"version":"1","session":{"state":"active"},"clients":[],"hotkeys":[],"#
        + #""devices":\#(devices)}}"#)
    let status = try connection.status()
    #expect(status.devices == [] && status.showsDevices == areShown)
  }

  @Test(arguments: [
    (#"{"version":"1","session":{},"clients":[],"hotkeys":[]}"#, "session.state"),
    ("{}", "version"),
  ])
  func aStatusThatIsInvalidIsRefusedWithThePlace(text: String, place: String) {
    broker.say(#"{"parameters":\#(text)}"#)
    #expect(throws: ClientError.malformed("\(place) is missing")) { try connection.status() }
  }

  @Test func heldKeys() throws {
    broker.say(#"{"parameters":{"keys":["KEY_A","KEY_764"],"modifiers":["super"]}}"#)
    let (keys, modifiers) = try connection.heldKeys()
    #expect(keys == [.a, Key(rawValue: 764)] && modifiers == ["super"])
  }

  @Test func modes() throws {
    broker.say(
      #"{"parameters":{"leavesWithEscape":true}}"#, #"{"parameters":{"leavesWithEscape":false}}"#,
      "{}")
    #expect(try connection.enterMode("resize") == true)
    #expect(try connection.enterMode("move") == false)
    #expect(try connection.enterMode(nil) == nil)
    #expect(
      try broker.heard().map { $0["parameters"] } == [["mode": "resize"], ["mode": "move"], [:]])
  }

  @Test func grants() throws {
    let request =
      #"{"number":1,"uid":1000,"pid":9,"client":"app:org.x","scope":{"tier":"gesture"},"since":8}"#
    broker.say(
      #"{"parameters":{"grants":[\#(Self.grant)],"pending":[\#(request)],"omittedPending":2}}"#)
    var query = Gate.Query()
    query.tier = .raw
    query.client = .program("/usr/bin/x")
    let (grants, pending, omitted) = try connection.grants(query)
    expectGrant(grants.first)
    #expect(omitted == 2)
    #expect(pending.first?.client == "app:org.x" && pending.first?.since.seconds == 8)
    #expect(try pending.map(\.json) == [JSON(parsing: Array(request.utf8))])
    #expect(
      try broker.heard().first?["parameters"]
        == ["query": ["client": "program:/usr/bin/x", "tier": "raw"]])
  }

  @Test func moreGrantsThanFitAnAnswerAreAskedForInParts() throws {
    broker.say(
      #"{"parameters":{"grants":[\#(Self.grant)],"pending":[],"omitted":1}}"#,
      #"{"parameters":{"grants":[\#(Self.grant)],"pending":[]}}"#)
    let grants = try connection.grants().grants
    #expect(grants.count == 2)
    let id = try #require(grants.first?.id.rawValue)
    let calls = try broker.heard()
    #expect(calls.map { $0["parameters"]?["after"] } == [nil, .integer(id)])
  }

  @Test func decisions() throws {
    broker.say(
      #"{"parameters":{"grant":\#(Self.grant)}}"#, #"{"parameters":{"changed":2}}"#,
      #"{"parameters":{"revoked":[\#(Self.grant)],"omitted":5}}"#,
      #"{"parameters":{"grant":null}}"#, "{}", "{}"
    )
    var terms = Grant.Terms(uid: 1000, client: .app("org.x"), scope: Scope(tier: .gesture))
    terms.expiry = .session("2")
    expectGrant(try connection.add(terms))
    var change = Gate.Change()
    change.availability = .always
    change.thisDeviceOnly = true
    #expect(try connection.update(Gate.Query(), change) == 2)
    let (revoked, omitted) = try connection.revoke(Gate.Query(), all: true)
    expectGrant(revoked.first)
    #expect(revoked.count == 1 && omitted == 5)
    #expect(try connection.answer(4, allow: false) == nil)
    try connection.pause()
    try connection.resume()
    let calls = try broker.heard()
    #expect(
      calls.map { $0["method"]?.string } == [
        "org.gliss.Grants.Add", "org.gliss.Grants.Update", "org.gliss.Grants.Revoke",
        "org.gliss.Grants.Answer", "org.gliss.Grants.Pause", "org.gliss.Grants.Resume",
      ])
    #expect(calls[0]["parameters"]?["terms"]?["expiry"] == "session:2")
    #expect(
      calls[1]["parameters"]
        == ["query": [:], "availability": "always", "thisDeviceOnly": true])
    #expect(calls[2]["parameters"]?["all"] == true)
    #expect(calls[3]["parameters"] == ["number": 4, "allow": false])
  }

  @Test func groups() throws {
    broker.say(
      "{}", "{}",
      #"{"parameters":{"members":[{"uid":7,"client":"app:org.x","group":"org.a","since":5,"by":"b"}]}}"#
    )
    let membership = Membership(uid: 7, client: .app("org.x"), group: try AccessGroup("org.a"))
    try connection.add(membership)
    try connection.remove(membership)
    let expected = GroupMember(membership, since: WallTime(seconds: 5), addedBy: "b")
    #expect(try connection.members() == [expected])
    let member: JSON = ["uid": 7, "client": "app:org.x", "group": "org.a"]
    #expect(
      try broker.heard() == [
        ["method": "org.gliss.Grants.AddToGroup", "parameters": member],
        ["method": "org.gliss.Grants.RemoveFromGroup", "parameters": member],
        ["method": "org.gliss.Grants.ListGroups", "parameters": ["query": [:]]],
      ])
  }

  @Test func auditAndStore() throws {
    let entry = #"{"time":1,"action":"grant","uid":0,"client":"x","detail":"y","count":2}"#
    broker.say(
      #"{"parameters":{"entries":[\#(entry)]}}"#, #"{"parameters":{"sound":false,"problems":[]}}"#)
    let line = try #require(connection.log(limit: 5).first)
    #expect(try line.count == 2 && line.json == JSON(parsing: Array(entry.utf8)))
    #expect(try connection.check() == ["the store is not sound"])
  }

  /// The broker records a client that it could not identify without a user. A newer one may record
  /// other actions.
  @Test func anEntryWithoutAUserIsRead() throws {
    broker.say(
      #"{"parameters":{"entries":[{"time":1,"action":"later","uid":4294967295,"client":"","#
        + #""detail":"y","count":1}]}}"#)
    let entries = try connection.log(limit: 1)
    #expect(entries.map(\.uid) == [.max] && entries.map(\.action) == ["later"])
  }

  private func sayEntries(_ ids: [Int]) {
    let entries = ids.map {
      #"{"id":\#($0),"time":1,"action":"grant","uid":0,"client":"x","detail":"y","count":1}"#
    }
    broker.say(#"{"parameters":{"entries":[\#(entries.joined(separator: ","))]}}"#)
  }

  @Test func moreOfTheAuditThanFitsAnAnswerIsAskedForInParts() throws {
    for ids in [[18, 19], [7, 9], [5]] { sayEntries(ids) }
    #expect(try connection.log(limit: 5).map(\.id) == [5, 7, 9, 18, 19])
    #expect(
      try broker.heard().map { $0["parameters"] } == [
        ["limit": 5], ["limit": 3, "before": 18], ["limit": 1, "before": 7],
      ])
  }

  @Test func theAuditIsAskedForUntilThereIsNoMore() throws {
    for ids in [[3, 4], []] { sayEntries(ids) }
    #expect(try connection.log(action: .grant).map(\.id) == [3, 4])
    #expect(
      try broker.heard().map { $0["parameters"] } == [
        ["limit": 100, "action": "grant"], ["limit": 98, "action": "grant", "before": 3],
      ])
    // nor again and again if the broker repeats itself
    for ids in [[3, 4], [3, 4]] { sayEntries(ids) }
    #expect(try connection.log().count == 4)
  }

  @Test(
    arguments: [
      #"{}"#, #"{"verdict":{}}"#, #"{"verdict":{"standing":"perhaps"}}"#,
      #"{"verdict":{"standing":"granted","granted":[3]}}"#,
      #"{"verdict":{"standing":"granted","granted":[{"scope":{"tier":"all"}}]}}"#,
    ])
  func anAnswerThatIsNoVerdictIsRefused(_ parameters: String) throws {
    broker.say(#"{"parameters":\#(parameters)}"#)
    let error = #expect(throws: ClientError.self) {
      try connection.preflight(Scope(tier: .gesture))
    }
    #expect(error?.isMalformed == true)
  }
}
