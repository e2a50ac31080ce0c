import Foundation
import TestSupport
import Testing

/// Rules for some applications, with a desktop that says which one has the focus.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can grant"))
struct ApplicationTests {
  private static func window(_ id: Int, _ name: String) -> String {
    #"{"id":\#(id),"app_id":"\#(name)","title":"secret \#(name)","is_focused":true}"#
  }

  /// Firefox has the focus, after a signal Gimp, and after another one nothing.
  private static func desktop(_ steps: DispatchSemaphore) throws -> FakeDesktop {
    try FakeDesktop("niri") { connection in
      func say(_ line: String) { FakeDesktop.write(Array((line + "\n").utf8), to: connection) }
      say(#"{"Ok":"Handled"}"#)
      say(#"{"WindowsChanged":{"windows":[\#(window(1, "Firefox"))]}}"#)
      steps.wait()
      say(#"{"WindowOpenedOrChanged":{"window":\#(window(2, "gimp"))}}"#)
      steps.wait()
      say(#"{"WindowFocusChanged":{"id":null}}"#)
      FakeDesktop.waitForEnd(connection)
    }
  }

  /// Presses the hotkey until the agent has followed the desktop: nothing else shows that it has. Each
  /// round waits for the agent, by a hotkey that always acts.
  private func press(_ lodging: Lodging, _ agent: Player, until word: String) throws {
    for _ in 0..<500 {
      let before = agent.said.count { $0.hasSuffix(": any") }
      try lodging.press("KEY_LEFTMETA", "KEY_T")
      try lodging.press("KEY_LEFTMETA", "KEY_K")
      try agent.hear("the other hotkey") { _ in
        agent.said.count { $0.hasSuffix(": any") } > before
      }
      if agent.said.contains(where: { $0.hasSuffix(": " + word) }) { return }
    }
    Issue.record("\(word) was not heard in \(agent.said)")
  }

  /// Without the right to consume keys. What is held must not be registered again.
  @Test func aHotkeyThatIsHeldStaysHeldWhileTheFocusChanges() throws {
    let steps = DispatchSemaphore(value: 0)
    let desktop = try Self.desktop(steps)
    let lodging = try Lodging(
      """
      hotkeys:
        - {hotkey: super+t, application: firefox, consume: true, do: {shell: "echo browser >&2"}}
        - {hotkey: super+t, application: gimp, consume: true, do: {shell: "echo painter >&2"}}
        - {hotkey: super+k, do: {shell: "echo any >&2"}}
        - hotkey: f9
          consume: true
          do: {shell: "echo held >&2"}
          release: {shell: "echo released >&2"}
      """)
    let agent = try lodging.start(["run", "--verbose"], ["NIRI_SOCKET=\(desktop.path)"])
    defer { agent.stop() }
    try agent.hear("input comes through the broker")
    try press(lodging, agent, until: "browser")
    try lodging.theatre.act("key KEY_F9 down")
    try agent.hear(": held")
    steps.signal()
    try press(lodging, agent, until: "painter")
    #expect(!agent.said.contains { $0.hasSuffix(": released") })
    try lodging.theatre.act("key KEY_F9 up")
    try agent.hear(": released")
    steps.signal()
    // it is refused once, not for each window
    #expect(agent.said.count { $0.contains("acts, but the rest of the desktop") } <= 3)
  }

  @Test func aHotkeyDoesWhatTheFocusedApplicationsRuleSays() throws {
    let steps = DispatchSemaphore(value: 0)
    let desktop = try Self.desktop(steps)
    let lodging = try Lodging(
      """
      hotkeys:
        - {hotkey: super+t, application: firefox, do: {shell: "echo browser >&2"}}
        - {hotkey: super+t, application: {not: firefox}, do: {shell: "echo other >&2"}}
        - {hotkey: super+k, do: {shell: "echo any >&2"}}
      """)
    let agent = try lodging.start(["run", "--verbose"], ["NIRI_SOCKET=\(desktop.path)"])
    defer { agent.stop() }
    try agent.hear("input comes through the broker")
    try press(lodging, agent, until: "browser")
    #expect(!agent.said.contains { $0.hasSuffix(": other") })
    steps.signal()
    try press(lodging, agent, until: "other")
    steps.signal()
    // With nothing focused neither acts. The count of both stands still once the agent knows.
    var (before, now) = (-1, 0)
    for _ in 0..<500 where before != now {
      let heard = agent.said.count { $0.hasSuffix(": any") }
      try lodging.press("KEY_LEFTMETA", "KEY_T")
      try lodging.press("KEY_LEFTMETA", "KEY_K")
      try agent.hear("the other hotkey") { _ in
        agent.said.count { $0.hasSuffix(": any") } > heard
      }
      (before, now) = (now, agent.said.count { $0.contains("): end,") && !$0.contains(":4)") })
    }
    #expect(before == now)
    #expect(!agent.said.joined().contains("secret"), "titles are private")
  }
}
