import Foundation
import TestSupport
import Testing

/// The agent as its user runs it: rules in a file, keys and strokes on the stage, commands that really run. What these
/// write to standard error comes in the agent's log, so that nothing has to be waited for but lines.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can grant"))
struct AgentTests {
  private func hotkey(_ text: String, _ action: String) -> String {
    "  - hotkey: \(text)\n    do: {shell: \"\(action)\"}\n"
  }

  @Test func aHotkeyRunsItsCommandWithItsEnvironment() throws {
    let lodging = try Lodging(
      """
      hotkeys:
        - name: terminal
          hotkey: super+t
          do: {shell: "env | sort | grep GLISS_ >&2; pwd >&2"}
          release: {shell: "echo released >&2"}
      """)
    let agent = try lodging.agent()
    defer { agent.stop() }
    try lodging.press("KEY_LEFTMETA", "KEY_T")
    try agent.hear("terminal (gliss.yaml:2): GLISS_HOTKEY=super+t")
    try agent.hear("GLISS_MOMENT=end")
    try agent.hear("GLISS_PHASE=pressed")
    try agent.hear("terminal (gliss.yaml:2): \(lodging.home.path)")
    try wait(agent, for: "terminal (gliss.yaml:2): released")
    // a key that no rule names is none of the agent's business
    try lodging.press("KEY_LEFTMETA", "KEY_H")
    try lodging.press("KEY_LEFTMETA", "KEY_T")
    // the first may not have been heard yet
    try agent.hear("the second release") { _ in
      agent.said.count { $0.hasSuffix(": released") } == 2
    }
    #expect(agent.said.count { $0.contains(": end,") } == 2)
    #expect(!agent.said.joined().contains("KEY_"))
  }

  private func wait(_ agent: Player, for text: String) throws {
    if agent.said.contains(where: { $0.contains(text) }) { return }
    try agent.hear(text)
  }

  @Test func aGestureRunsItsCommands() throws {
    let lodging = try Lodging(
      """
      gestures:
        - name: wide
          gesture: pinch
          fingers: 2
          do: {shell: "echo $GLISS_GESTURE $GLISS_FINGERS $GLISS_SCALE >&2"}
          begin: {shell: "echo begun >&2"}
      """, grants: Scopes.gestures)
    let agent = try lodging.agent()
    defer { agent.stop() }
    try lodging.theatre.act("stroke pinch-out-symmetric")
    try agent.hear("the beginning") {
      $0.contains("wide (gliss.yaml:2): begun") || $0.contains("pinch 2")
    }
    try wait(agent, for: "wide (gliss.yaml:2): pinch 2 ")
    try wait(agent, for: "wide (gliss.yaml:2): begun")
  }

  /// Without the finger the button would stay down for a minute.
  @Test func aFingerThatPointsDropsWhatThreeFingersHaveDragged() throws {
    let lodging = try Lodging(
      "gestures:\n  - {gesture: swipe, fingers: 3, hold: button1, linger: 60 s}\n",
      grants: Scopes.gestures, Scopes.post)
    let agent = try lodging.agent()
    defer { agent.stop() }
    try lodging.theatre.act("stroke swipe-3")
    try TestSupport.wait(for: "the button and the agent's call") {
      try lodging.theatre.act("held") == "held button1"
        && lodging.gliss("status", "--format", "json").text.contains(#""doing":"pointing""#)
    }
    try lodging.theatre.act("stroke pointing")
    try TestSupport.wait(for: "the button to come up") {
      try lodging.theatre.act("held") == "held "
    }
  }

  @Test func aMissingGrantIsReportedWithItsCommandAndTheRestWorks() throws {
    let lodging = try Lodging(
      """
      gestures:
        - name: back
          gesture: swipe
          do: {shell: "echo swiped >&2"}
      hotkeys:
        - hotkey: h
          do: {shell: "true"}
        - hotkey: super+k
          do: [{shell: "true"}, {keys: alt+left}]
        - hotkey: super+t
          do: {shell: "echo works >&2"}
      """)
    let agent = try lodging.start(["run"])
    defer { agent.stop() }
    try agent.hear("input comes through the broker")
    try lodging.press("KEY_LEFTMETA", "KEY_T")
    try agent.hear("works")
    let said = agent.said.joined(separator: "\n")
    #expect(said.contains("back (gliss.yaml:2)"))
    #expect(said.contains("gliss grants grant"))
    #expect(said.contains("gliss.yaml:6: h could be part of typing"))
    let status = try lodging.gliss("status")
    #expect(status.status == 0)
    #expect(status.text.contains("problem  gliss.yaml:8: its keys are not pressed: "))
    #expect(status.text.contains("--tier post"))
    #expect(status.text.contains("problem  gliss.yaml:6: h could be part of typing"))
    // granted while it runs, first without what keys are pressed on: nothing else is to be done
    try lodging.theatre.act("uinput gone")
    for scope in [Scopes.gestures, Scopes.post] { try lodging.grant(scope) }
    try expectProblems(of: lodging) { problems in
      problems.contains("its keys are not pressed: no keys can be pressed")
        && !problems.contains("back (gliss.yaml:2)")
    }
    try agent.hear("gliss: granted: gesture")
    try agent.hear("gliss: granted: post")
    try lodging.theatre.act("stroke swipe-3")
    try agent.hear("swiped")
    // a keyboard that may be created again is not noticed
    try lodging.theatre.act("uinput there")
    let reload = try lodging.gliss("reload")
    #expect(reload.status == 0 && !reload.text.contains("are not pressed"), "\(reload.text)")
    // what is revoked works again once it is granted again
    try lodging.theatre.revokeAll()
    try expectProblems(of: lodging) { $0.contains("ended: revoked") && $0.contains("back") }
    try lodging.grant(Scopes.gestures)
    try expectProblems(of: lodging) { !$0.contains("back (gliss.yaml:2)") }
    let swipes = agent.said.count { $0.contains("swiped") }
    try lodging.theatre.act("stroke swipe-3")
    try TestSupport.wait(for: "the swipe") { agent.said.count { $0.contains("swiped") } > swipes }
  }

  @Test func anAgentThatMayNotTakeStrokesIsReportedByTake() throws {
    let lodging = try Lodging(
      "gestures:\n  - {gesture: swipe, fingers: 3, consume: true, do: {notify: a}}\n",
      grants: Scopes.gestures)
    let agent = try lodging.agent()
    defer { agent.stop() }
    func take(on desktop: String) throws -> (status: Int32, text: String) {
      let player = try lodging.start(["take"], ["XDG_CURRENT_DESKTOP=\(desktop)"])
      return (try player.end(), player.said.joined(separator: "\n"))
    }
    try TestSupport.wait(for: "the refusal") { agent.said.contains { $0.contains("post") } }
    let (status, text) = try take(on: "COSMIC")
    #expect(status == 1 && text.contains("gets the strokes, too"), "\(text)")
    #expect(text.contains("gliss grants grant") && text.contains("--tier post"), "\(text)")
    // sway acts on no stroke, so nothing is left to do
    #expect(
      try take(on: "sway") == (
        0, "sway acts on no stroke by itself, so none has to be kept from it"
      ))
  }

  private func expectProblems(of lodging: Lodging, _ areSo: (String) -> Bool) throws {
    try TestSupport.wait(for: "the problems") {
      let status = try lodging.gliss("status", "--format", "json").text
      return areSo(status)
    }
  }

  @Test func aFileThatIsSavedHoldsAtOnceAndABadOneDoesNot() throws {
    let lodging = try Lodging("hotkeys:\n" + hotkey("super+a", "echo one >&2"))
    let agent = try lodging.agent()
    defer { agent.stop() }
    try lodging.write(
      "hotkeys:\n" + hotkey("super+a", "echo two >&2") + hotkey("super+b", "echo three >&2"))
    try agent.hear("2 rules of")
    try lodging.press("KEY_LEFTMETA", "KEY_A")
    try agent.hear("gliss.yaml:2: two")
    try lodging.press("KEY_LEFTMETA", "KEY_B")
    try agent.hear("gliss.yaml:4: three")
    try lodging.write("hotkeys:\n  - hotkey: super+a\n    doo: {run: [true]}\n")
    try agent.hear("gliss.yaml:3:5")
    try agent.hear("these rules are not taken: the old rules stay in force")
    try lodging.press("KEY_LEFTMETA", "KEY_B")
    try agent.hear("gliss.yaml:4: three")
    let status = try lodging.gliss("status")
    #expect(status.text.contains("mistake"))
    #expect(status.text.contains("gliss.yaml:3:5"))
    let reload = try lodging.gliss("reload")
    #expect(reload.status == 2)
    #expect(reload.text.contains("gliss.yaml:3:5"))
    try lodging.write("hotkeys:\n" + hotkey("super+b", "echo four >&2"))
    try agent.hear("1 rule of")
    try lodging.press("KEY_LEFTMETA", "KEY_B")
    try agent.hear("gliss.yaml:2: four")
    // given up, and wanted again
    try lodging.write("hotkeys:\n" + hotkey("super+a", "echo five >&2"))
    try agent.hear("1 rule of")
    try lodging.press("KEY_LEFTMETA", "KEY_A")
    try agent.hear("gliss.yaml:2: five")
    #expect(!agent.said.contains { $0.contains("taken by") })
  }

  @Test func aHotkeyThatIsHeldWhileRulesChangeIsReleasedOnce() throws {
    let text = { (word: String) in
      """
      hotkeys:
        - hotkey: super+a
          do: {shell: "echo \(word) down >&2"}
          release: {shell: "echo \(word) up >&2"}
      """
    }
    let lodging = try Lodging(text("old"))
    let agent = try lodging.agent()
    defer { agent.stop() }
    try lodging.theatre.act("key KEY_LEFTMETA down")
    try lodging.theatre.act("key KEY_A down")
    try agent.hear("old down")
    try lodging.write(text("new"))
    try agent.hear("old up")
    try lodging.theatre.act("key KEY_A up")
    try lodging.theatre.act("key KEY_A down")
    try agent.hear("new down")
    try lodging.theatre.act("key KEY_A up")
    try agent.hear("new up")
    try lodging.theatre.act("key KEY_LEFTMETA up")
    for word in ["old down", "old up", "new down", "new up"] {
      #expect(agent.said.count { $0.hasSuffix(word) } == 1, "\(word)")
    }
  }

  @Test func aSecondAgentLearnsWhoRuns() throws {
    let lodging = try Lodging("hotkeys:\n" + hotkey("super+a", "true"))
    let agent = try lodging.agent()
    let second = try lodging.gliss("run")
    #expect(second.status == 1)
    #expect(second.text.contains("already runs: process \(agent.pid), since "))
    #expect(second.text.contains(lodging.rules.path))
    // who is killed leaves nothing that keeps the next one out
    agent.kill(SIGKILL)
    _ = try agent.end()
    let next = try lodging.agent()
    #expect(try lodging.gliss("run", "--stop").status == 0)
    #expect(try next.end() == 0)
    let none = try lodging.gliss("reload")
    #expect(none.status == 1)
    #expect(none.text.contains("no agent runs"))
  }

  @Test func aBrokerThatRestartsIsFoundAgain() throws {
    let lodging = try Lodging("hotkeys:\n" + hotkey("super+a", "echo works >&2"))
    let agent = try lodging.agent()
    defer { agent.stop() }
    lodging.theatre.stage.kill(SIGKILL)
    try agent.hear("the broker is lost")
    let second = try Theatre(user: getuid(), folder: lodging.theatre.folder)
    try agent.hear("input comes through the broker")
    try second.act("key KEY_LEFTMETA down")
    try second.act("key KEY_A")
    try agent.hear("works")
  }

  @Test func modesHoldUntilTheyAreLeft() throws {
    let lodging = try Lodging(
      Lodging.modes(#"[{shell: "echo sized $GLISS_MODE >&2"}, {mode: none}]"#))
    let agent = try lodging.agent()
    defer { agent.stop() }
    try lodging.press("KEY_LEFTMETA", "KEY_A")
    try agent.hear("plain")
    try lodging.press("KEY_LEFTMETA", "KEY_R")
    try agent.hear("gliss.yaml:2: end")
    // it answers when it has told the broker
    #expect(try lodging.gliss("status").text.contains("size"))
    try lodging.press("KEY_LEFTMETA", "KEY_A")
    try agent.hear("sized size")
    _ = try lodging.gliss("status")
    try lodging.press("KEY_LEFTMETA", "KEY_A")
    try agent.hear("plain")
    #expect(agent.said.count { $0.hasSuffix(": plain") } == 2)
  }

  /// The agent answers its user's programs, and no sandbox of theirs.
  @Test(.enabled(if: SandboxTests.hasBubblewrap, "bubblewrap is not installed"))
  func aSandboxNeitherAsksTheAgentNorEndsIt() throws {
    let lodging = try Lodging("hotkeys: []\n")
    let agent = try lodging.agent()
    defer { agent.stop() }
    let socket = lodging.home.appending(path: "run/gliss/org.gliss.Agent").path
    let heckler = lodging.theatre.folder.appending(path: "heckler").path
    for method in ["Why", "Status", "Stop"] {
      let call = #"{"method":"org.gliss.Agent.\#(method)"}"#
      let inside = try Player(SandboxTests.sandbox(lodging.theatre) + [heckler, socket, call])
      let answer = try inside.hear("an answer") { _ in true }
      #expect(answer.contains("PermissionDenied"), "\(method): \(answer)")
    }
    #expect(try lodging.gliss("status").text.contains("agent"))
  }

  @Test func aModeThatNothingLeavesIsNamedOnce() throws {
    let stuck = "the mode size: Escape does not leave it"
    let lodging = try Lodging(Lodging.modes(#"{shell: "echo sized >&2"}"#))
    let agent = try lodging.agent()
    try lodging.press("KEY_LEFTMETA", "KEY_R")
    let problem = try agent.hear(stuck)
    #expect(problem.contains("super+escape") && problem.contains("no rules lead from it back"))
    #expect(try lodging.gliss("status").text.contains(stuck))
    // Escape is no way out
    try lodging.press("KEY_ESC")
    try lodging.press("KEY_LEFTMETA", "KEY_A")
    try agent.hear("sized")
    agent.stop()
    #expect(agent.said.count { $0.contains(stuck) } == 1)
    // one with a way out is as it should be
    let open = try Lodging(Lodging.modes("{mode: none}"))
    let second = try open.agent()
    defer { second.stop() }
    try open.press("KEY_LEFTMETA", "KEY_R")
    try second.hear("gliss.yaml:2: end")
    let status = try open.gliss("status").text
    #expect(status.contains("size") && !status.contains(stuck), "\(status)")
  }

  @Test func aDevicesNameIsNothingThatACommandGets() throws {
    // the stage's pad is called so in the events; nothing of it is in the environment
    let lodging = try Lodging(
      """
      gestures:
        - gesture: pinch
          do: {shell: "env >&2; echo done >&2"}
      """, grants: Scopes.gestures)
    let agent = try lodging.agent()
    defer { agent.stop() }
    try lodging.theatre.act("stroke pinch-out-symmetric")
    try agent.hear("gliss.yaml:2: done")
    #expect(!agent.said.joined().contains("Stage pad"))
  }
}
