import Foundation
import GlissEvents
import Testing

/// `gliss keys` hides what is typed: however it ends, the terminal shows it again.
@Suite(.timeLimit(.minutes(15))) struct HiddenTypingTests {
  /// One that grants all that it is asked for, and tells of a tap.
  private func broker() throws -> FakeBroker {
    try FakeBroker { call in
      let verdict: JSON = [
        "standing": "granted",
        "granted": [["scope": call.parameters["scope"] ?? [:], "availability": "whenUnlocked"]],
      ]
      return switch call.method {
      case "org.gliss.Broker.Preflight": .result(["verdict": verdict])
      case "org.gliss.Broker.Status": .result(FakeBroker.status)
      case "org.gliss.Broker.Monitor":
        .stream([
          ["verdict": verdict],
          [
            "events": [
              [
                "time": 1, "device": "Pad", "kind": "gesture", "gesture": "tap",
                "phase": "recognized", "fingers": 2, "count": 1,
              ]
            ]
          ],
        ])
      case _: .hangUp
      }
    }
  }

  @Test(
    arguments: [
      ("gliss keys >/dev/full", "over 1"), ("exec 3> >(true); wait $!; gliss keys >&3", "over 0"),
      ("gliss keys --seat seat-of-nobody 2>/dev/full", "over 1"),
    ])
  func whatCannotBeWrittenEndsItAndShowsTypingAgain(_ line: String, _ over: String) throws {
    let broker = try broker()
    let terminal = try PseudoTerminal(
      "\(line); echo over $?; stty -a | grep -qw -- -echo || echo echoes; echo end",
      environment: ["GLISS_SOCKET": broker.path])
    let text = terminal.wait { $0.contains("end\r\n") }
    #expect(text.contains(over) && text.contains("echoes"), "\(text)")
  }
}
