import Foundation
import Testing

/// What rules that change, and what rules ask for that the broker cannot give, do to the agent and to others.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can grant"))
struct AgentReloadTests {
  private func hotkey(_ text: String, _ action: String) -> String {
    "  - hotkey: \(text)\n    do: {shell: \"\(action)\"}\n"
  }

  /// The broker's answer to another program of the same user that wants the chord.
  private func answer(to text: String, in theatre: Theatre) throws -> String {
    let client = try theatre.client(as: nil, Scopes.hotkey(text))
    defer { client.stop() }
    return try client.hear("an answer") { $0.contains("registered") || $0.contains("error") }
  }

  @Test func aHotkeyThatIsGivenUpIsFreeForOthersAtOnceAndThoseBesideItStay() throws {
    let lodging = try Lodging(
      "hotkeys:\n" + hotkey("super+a", "echo one >&2") + hotkey("super+b", "echo two >&2"))
    let agent = try lodging.agent()
    defer { agent.stop() }
    #expect(try answer(to: "super+b", in: lodging.theatre).contains("HotkeyTaken"))
    try lodging.theatre.act("key KEY_LEFTMETA down")
    try lodging.theatre.act("key KEY_A down")
    try agent.hear("one")
    try lodging.write("hotkeys:\n" + hotkey("super+a", "echo one >&2"))
    try agent.hear("1 rule of")
    #expect(try lodging.gliss("reload").status == 0)
    #expect(try answer(to: "super+b", in: lodging.theatre).contains("registered"))
    #expect(try answer(to: "super+a", in: lodging.theatre).contains("HotkeyTaken"))
    try lodging.theatre.act("key KEY_A up")
    try lodging.theatre.act("key KEY_A")
    try agent.hear("one")
    try lodging.theatre.act("key KEY_LEFTMETA up")
  }

  /// The broker may not report Escape to a program without the right to keys; a hotkey of the mode leaves it.
  @Test func throughTheBrokerAHotkeyLeavesAModeAndEscapeDoesNot() throws {
    let lodging = try Lodging(
      Lodging.modes(#"{shell: "echo sized >&2"}"#)
        + "\n  - {hotkey: super+escape, mode: size, do: {mode: none}}\n")
    let agent = try lodging.agent()
    defer { agent.stop() }
    try lodging.press("KEY_LEFTMETA", "KEY_R")
    try agent.hear("gliss.yaml:2: end")
    #expect(try lodging.gliss("status").text.contains("mode     size"))
    try lodging.press("KEY_LEFTMETA", "KEY_A")
    try agent.hear("sized")
    try lodging.press("KEY_ESC")
    try lodging.press("KEY_LEFTMETA", "KEY_A")
    try agent.hear("sized")
    try lodging.press("KEY_LEFTMETA", "KEY_ESC")
    try agent.hear("gliss.yaml:9: end")
    #expect(try lodging.gliss("status").status == 0)
    try lodging.press("KEY_LEFTMETA", "KEY_A")
    try agent.hear("plain")
    #expect(!(try lodging.gliss("status").text.contains("mode     size")))
  }

  @Test func theLastStrokesAreKeptWhenRulesChange() throws {
    let rules = { (name: String) in
      """
      gestures:
        - name: \(name)
          gesture: pinch
          fingers: 2
          do: {shell: "echo \(name) done >&2"}
      """
    }
    let lodging = try Lodging(rules("wide"), grants: Scopes.gestures)
    let agent = try lodging.agent()
    defer { agent.stop() }
    try lodging.theatre.act("stroke pinch-out-symmetric")
    try agent.hear("wide done")
    try lodging.write(rules("wider"))
    try agent.hear("wider") { _ in (try? lodging.gliss("reload").status) == 0 }
    try lodging.theatre.act("stroke pinch-out-symmetric 2")
    try agent.hear("wider done")
    let why = try lodging.gliss("why").text
    #expect(why.contains("wide (gliss.yaml:2)"), "\(why)")
    #expect(why.contains("wider (gliss.yaml:2)"), "\(why)")
  }

  @Test func aHotkeyOfOneKeyboardIsListedAndNotTaken() throws {
    let lodging = try Lodging(
      """
      hotkeys:
        - name: mine
          hotkey: super+t
          device: {name: "USB*"}
          do: {shell: "true"}
        - hotkey: super+a
          do: {shell: "true"}
      """)
    let agent = try lodging.agent()
    defer { agent.stop() }
    let status = try lodging.gliss("status").text
    #expect(status.contains("problem  mine (gliss.yaml:2): not registered"), "\(status)")
    #expect(status.contains("gliss run --devices"))
    #expect(agent.said.contains { $0.contains("mine (gliss.yaml:2): not registered") })
    #expect(try answer(to: "super+t", in: lodging.theatre).contains("registered"))
  }

  /// A user may have 32 connections for all of his programs.
  @Test func manyModesNeedFewConnections() throws {
    let modes = (1...40).map { number in
      """
        - hotkey: super+f5
          mode: m\(number)
          do: {shell: "echo in m\(number) >&2"}
        - {hotkey: super+f6, mode: m\(number), do: {mode: none}}

      """
    }
    let lodging = try Lodging(
      "hotkeys:\n  - hotkey: super+r\n    do: {mode: m39}\n" + modes.joined())
    let agent = try lodging.agent()
    defer { agent.stop() }
    try lodging.press("KEY_LEFTMETA", "KEY_R")
    try agent.hear("gliss.yaml:2: end")
    // it answers when it has told the broker
    let status = try lodging.gliss("status").text
    #expect(status.contains("mode     m39") && !status.contains("problem"))
    try lodging.press("KEY_LEFTMETA", "KEY_F5")
    try agent.hear("in m39")
    // there is room for others
    for letter in "abcdefghij" {
      #expect(try answer(to: "super+\(letter)", in: lodging.theatre).contains("registered"))
    }
  }

  @Test func hotkeysBeyondTheLimitAreReportedTogether() throws {
    let letters = (UInt8(ascii: "a")...UInt8(ascii: "t")).map { String(UnicodeScalar($0)) }
    let rules = letters.flatMap { first in
      letters.prefix(15).map { hotkey("super+\(first) ; ctrl+\($0)", "echo \(first) \($0) >&2") }
    }
    let lodging = try Lodging("hotkeys:\n" + rules.joined())
    let agent = try lodging.agent()
    defer { agent.stop() }
    try agent.hear("and 41 more: at most 256 hotkeys are allowed")
    #expect(agent.said.count { $0.contains("at most 256 hotkeys are allowed") } == 1)
    try lodging.press("KEY_LEFTMETA", "KEY_B")
    try lodging.press("KEY_LEFTCTRL", "KEY_C")
    try agent.hear("b c")
  }

  @Test func rulesThatAreAddedOneByOneKeepWorking() throws {
    var rules = "hotkeys:\n" + hotkey("super+f1", "echo first >&2")
    let lodging = try Lodging(rules)
    let agent = try lodging.agent()
    defer { agent.stop() }
    for number in 2...9 {
      rules += hotkey("super+f\(number)", "echo number \(number) >&2")
      try lodging.write(rules)
      try agent.hear("\(number) rules of")
      #expect(try lodging.gliss("reload").status == 0)
      try lodging.press("KEY_LEFTMETA", "KEY_F\(number)")
      try agent.hear("number \(number)")
      try lodging.press("KEY_LEFTMETA", "KEY_F1")
      try agent.hear("first")
    }
    #expect(!agent.said.contains { $0.contains("lost") })
  }

  @Test func anIncludedFileIsWatchedAlsoWhileItIsMissing() throws {
    let lodging = try Lodging("include: [more/keys.yaml]\n")
    let agent = try lodging.agent()
    defer { agent.stop() }
    #expect(agent.said.contains { $0.hasSuffix("keys.yaml, which does not exist") })
    let more = lodging.rules.deletingLastPathComponent().appending(path: "more")
    try FileManager.default.createDirectory(
      at: more, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let file = more.appending(path: "keys.yaml")
    try Data(("hotkeys:\n" + hotkey("super+f1", "echo first >&2")).utf8).write(to: file)
    try agent.hear("1 rule of")
    try Data(
      ("hotkeys:\n" + hotkey("super+f1", "echo first >&2") + hotkey("super+f2", "true")).utf8
    ).write(to: file)
    try agent.hear("2 rules of")
    try lodging.press("KEY_LEFTMETA", "KEY_F1")
    try agent.hear("keys.yaml:2: first")
  }

  /// In a mode of gestures alone no hotkey acts, so the desktop gets the keys.
  @Test func aModeWithoutHotkeysGivesTheirKeysBackUntilItIsLeft() throws {
    let lodging = try Lodging(
      """
      gestures:
        - {gesture: pinch, fingers: 2, mode: only, do: {mode: none}}
      hotkeys:
        - {hotkey: super+r, do: {mode: only}}
        - {hotkey: super+a, consume: true, do: {shell: "echo plain >&2"}}
      """, grants: Scopes.gestures)
    let agent = try lodging.agent()
    defer { agent.stop() }
    try lodging.press("KEY_LEFTMETA", "KEY_R")
    try agent.hear("gliss.yaml:4: end")
    #expect(try lodging.gliss("status").text.contains("mode     only"))
    let other = try lodging.theatre.client(as: nil, Scopes.hotkey("super+a"))
    #expect(
      try other.hear("an answer") { $0.contains("registered") || $0.contains("error") }
        .contains("registered"))
    other.stop()
    try lodging.theatre.act("stroke pinch-out-symmetric")
    try agent.hear("gliss.yaml:2: end")
    #expect(try !lodging.gliss("status").text.contains("mode     only"))
    #expect(try answer(to: "super+a", in: lodging.theatre).contains("HotkeyTaken"))
    try lodging.press("KEY_LEFTMETA", "KEY_A")
    try agent.hear("plain")
  }

  @Test func aFileThatIsRefusedKeepsTheRulesOfAll() throws {
    let lodging = try Lodging("hotkeys:\n" + hotkey("super+f1", "echo first >&2"))
    let agent = try lodging.agent()
    defer { agent.stop() }
    let more = lodging.rules.deletingLastPathComponent().appending(path: "gliss.d")
    try FileManager.default.createDirectory(
      at: more, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try Data(("hotkeys:\n" + hotkey("super+f2", "echo more >&2")).utf8)
      .write(to: more.appending(path: "more.yaml"))
    try agent.hear("2 rules of")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o666], ofItemAtPath: lodging.rules.path)
    let reload = try lodging.gliss("reload")
    #expect(reload.status != 0 && reload.text.contains("gliss.yaml"))
    try lodging.press("KEY_LEFTMETA", "KEY_F1")
    try agent.hear("first")
  }
}
