import Foundation
import Testing

/// Access groups: nobody is in one by its own word, and an administrator's holds as long as it does.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct GroupTests {
  static let group = "org.example.suite"
  /// Claims the group, as clients once could.
  static let claiming =
    #"{"method":"org.gliss.Broker.Monitor","parameters":{"scope":\#(Scopes.keys),"groups":["\#(group)"]},"more":true}"#

  /// Keys are granted, or refused, to the group in the name of a program that is not the heckler.
  func decide(_ theatre: Theatre, allowed: Bool = true) throws {
    try call(
      theatre, as: nil, "Add",
      #"{"terms":{"uid":\#(Theatre.user),"client":"program:/opt/suite/one","group":"\#(Self.group)","scope":\#(Scopes.keys),"allowed":\#(allowed)}}"#,
      expecting: "grant")
  }

  func change(
    _ theatre: Theatre, _ method: String, as caller: UInt32? = nil, uid: UInt32 = Theatre.user,
    group: String = group, expecting answer: String = #"{"parameters":{}}"#
  ) throws {
    try call(
      theatre, as: caller, method,
      #"{"group":"\#(group)","client":"\#(theatre.heckler)","uid":\#(uid)}"#, expecting: answer)
  }

  private func call(
    _ theatre: Theatre, as caller: UInt32?, _ method: String, _ parameters: String,
    expecting text: String
  ) throws {
    let client = try theatre.client(
      as: caller, #"{"method":"org.gliss.Grants.\#(method)","parameters":\#(parameters)}"#)
    defer { client.stop() }
    let answer = try client.hear("an answer") { _ in true }
    #expect(answer.contains(text), "\(method): \(answer)")
  }

  @Test func aClientIsInAGroupByAnAdministratorsWordAndNotByItsOwn() throws {
    let theatre = try Theatre()
    try decide(theatre)
    for method in ["Preflight", "Request"] {
      let asking = try theatre.client(
        #"{"method":"org.gliss.Broker.\#(method)","parameters":{"scope":\#(Scopes.keys),"groups":["\#(Self.group)"]}}"#
      )
      let answer = try asking.hear("an answer") { _ in true }
      #expect(answer.contains(#""parameter":"groups""#), "\(answer)")
    }
    let claimant = try theatre.client(Self.claiming)
    let refusal = try claimant.hear("an answer") { _ in true }
    #expect(refusal.contains(#""parameter":"groups""#), "\(refusal)")
    let stranger = try theatre.client(Scopes.monitor(Scopes.keys))
    #expect(try stranger.hear("an answer") { _ in true }.contains("NotGranted"))

    try change(theatre, "AddToGroup", group: Self.group + ".viewer")
    let member = try theatre.client(Scopes.monitor(Scopes.keys))
    try member.hear("verdict")
    let letter = try theatre.client(Scopes.hotkey("b"))
    try letter.hear("registered")
    try theatre.act("key KEY_A")
    try member.hear("KEY_A")
    // another user's program of the same path is in no group
    let other = try theatre.client(as: Theatre.other, Scopes.monitor(Scopes.keys))
    #expect(try other.hear("an answer") { _ in true }.contains("NotGranted"))

    try change(theatre, "RemoveFromGroup", group: Self.group + ".viewer")
    let end = try member.hear("the end") { $0.contains("error") }
    #expect(end.contains("org.gliss.Broker.NotGranted"))
    try letter.hear("NotGranted")
    try theatre.act("key KEY_C")
    let again = try theatre.client(Scopes.monitor(Scopes.keys))
    #expect(try again.hear("an answer") { _ in true }.contains("NotGranted"))
    #expect(!member.said.joined().contains("KEY_C"))
    let audit = try theatre.audit()
    for action in ["join", "leave"] { #expect(audit.contains(#""action":"\#(action)""#)) }
  }

  @Test func joiningADeniedGroupEndsGrants() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    try decide(theatre, allowed: false)
    let client = try theatre.client(Scopes.monitor(Scopes.keys))
    try client.hear("verdict")
    try change(theatre, "AddToGroup")
    #expect(try client.hear("the end") { $0.contains("error") }.contains("NotGranted"))
    let again = try theatre.client(Scopes.monitor(Scopes.keys))
    #expect(try again.hear("an answer") { _ in true }.contains("denied"))
  }

  @Test func membershipOutlivesTheBroker() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "gliss-\(UUID().uuidString)")
    let first = try Theatre(folder: folder)
    try decide(first)
    try change(first, "AddToGroup")
    first.stage.stop()
    let second = try Theatre(folder: folder)
    let client = try second.client(Scopes.monitor(Scopes.keys))
    try client.hear("verdict")
  }

  @Test func decisionsAboutGroupsNeedAnAdministrator() throws {
    let theatre = try Theatre(rest: 0)
    try decide(theatre)
    let user = Theatre.user
    try change(theatre, "AddToGroup", as: user, expecting: "NobodyToAsk")
    try theatre.act("consent refuse")
    try change(theatre, "AddToGroup", as: user, expecting: "NotAllowed")
    try change(theatre, "AddToGroup", as: Theatre.other, expecting: "NotAllowed")
    // nobody is asked in vain
    try theatre.act("consent agree")
    try change(theatre, "RemoveFromGroup", as: user, expecting: "NotFound")
    try change(theatre, "AddToGroup", as: user)
    try change(theatre, "AddToGroup", as: user, expecting: "AlreadyMember")
    let list = #"{"query":{"group":"\#(Self.group)"}}"#
    try call(theatre, as: user, "ListGroups", list, expecting: theatre.heckler)
    try call(theatre, as: nil, "ListGroups", list, expecting: theatre.heckler)
    try call(
      theatre, as: Theatre.other, "ListGroups", list, expecting: #"{"parameters":{"members":[]}}"#)
    try call(
      theatre, as: Theatre.other, "ListGroups", #"{"query":{"uid":\#(user)}}"#,
      expecting: "NotAllowed")
    try call(
      theatre, as: nil, "ListGroups", #"{"query":{"tier":"raw"}}"#, expecting: "InvalidParameter")
    try theatre.act("consent refuse")
    try change(theatre, "RemoveFromGroup", as: user, expecting: "NotAllowed")
    try change(theatre, "RemoveFromGroup")
    try change(theatre, "AddToGroup", group: "suite", expecting: "InvalidParameter")
  }

  /// Nobody is asked for a password if the change cannot be made.
  @Test func whatIsImpossibleIsSaidBeforeAnybodyIsAsked() throws {
    let theatre = try Theatre(rest: 0)
    for scope in [Scopes.keys, Scopes.gestures] { try theatre.grant(scope) }
    try theatre.act("consent agree")
    let terms =
      #"{"uid":\#(Theatre.user),"client":"\#(theatre.heckler)","scope":\#(Scopes.keys)}"#
    for (method, parameters, expected) in [
      ("Add", #"{"terms":\#(terms)}"#, "Duplicate"),
      ("Revoke", #"{"query":{"id":99}}"#, "NotFound"),
      ("Revoke", #"{"query":{}}"#, "Ambiguous"),
      ("Update", #"{"query":{"id":99},"reason":"a"}"#, "NotFound"),
      ("Update", #"{"query":{}}"#, "changes nothing"),
      ("Update", #"{"query":{},"expiry":"5"}"#, "is in the past; seconds since 1970"),
      ("Update", #"{"query":{},"reason":"a"}"#, "Ambiguous"),
      ("Update", #"{"query":{"id":1},"expiry":"session:nope"}"#, "open sessions: stage"),
      (
        "Add",
        #"{"terms":{"client":"\#(theatre.heckler)","scope":\#(Scopes.post),"expiry":"session:nope"}}"#,
        #""parameter":"terms.expiry""#
      ),
      (
        "Add", #"{"terms":{"client":"\#(theatre.heckler)","scope":\#(Scopes.post),"expiry":"5"}}"#,
        #""parameter":"terms.expiry""#
      ),
    ] {
      try call(theatre, as: Theatre.user, method, parameters, expecting: expected)
    }
    #expect(try theatre.act("asked") == "asked 0")
    try call(
      theatre, as: Theatre.user, "Update",
      #"{"query":{},"expiry":"session:stage","all":true}"#, expecting: #""changed":2"#)
    try call(theatre, as: Theatre.user, "Revoke", #"{"query":{},"all":true}"#, expecting: "revoked")
    #expect(try theatre.act("asked") == "asked 2")
  }

  @Test(.enabled(if: SandboxTests.hasBubblewrap, "bubblewrap is not installed"))
  func aSandboxDecidesAboutNoGroupAndLearnsOfNone() throws {
    let theatre = try Theatre()
    try theatre.act("consent agree")
    for (method, parameters) in [
      ("AddToGroup", #"{"group":"\#(Self.group)","client":"\#(theatre.heckler)"}"#),
      ("RemoveFromGroup", #"{"group":"\#(Self.group)","client":"\#(theatre.heckler)"}"#),
      ("ListGroups", "{}"),
    ] {
      let client = try theatre.client(
        wrapper: SandboxTests.sandbox(theatre),
        #"{"method":"org.gliss.Grants.\#(method)","parameters":\#(parameters)}"#)
      #expect(try client.hear("an answer") { _ in true }.contains("NotAllowed"), "\(method)")
    }
  }
}
