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
  func aFailedWriteEndsItAndRestoresTheTerminal(_ line: String, _ over: String) throws {
    let broker = try broker()
    let terminal = try PseudoTerminal(
      "\(line); echo over $?; stty -a | grep -qw -- -echo || echo echoes; echo end",
      environment: ["GLISS_SOCKET": broker.path])
    let text = terminal.wait { $0.contains("end\r\n") }
    #expect(text.contains(over) && text.contains("echoes"), "\(text)")
  }

  /// Standard error is a full pipe. Signals come until one stops the process; then the pipe is read.
  @Test func aStopThatDidNotWaitForTheLineIsTheOnlyOne() throws {
    let folder = try TemporaryFolder()
    let terminal = try PseudoTerminal(
      """
      cd "$FOLDER"; mkfifo fifo; exec 5<>fifo; head -c 65536 /dev/zero >&5
      isSo() { grep -q "^State:.*$1" /proc/$(cat pid)/status; }
      { until stty -a </dev/tty | grep -qw -- -echo && isSo sleeping; do sleep 0.02; done
        until isSo stopped; do kill -TSTP $(cat pid); sleep 0.02; done; } &
      (echo $BASHPID >pid; exec gliss keys --seat seat-of-nobody 2>&5); echo stopped $?
      wait %1; cat <&5 & fg %2 >/dev/null; status=$?; kill -KILL %cat; echo over $status
      """, environment: ["FOLDER": folder.url.path])
    terminal.wait { $0.contains("stopped 148") }
    let text = terminal.wait { $0.contains("Ctrl-C ends") || $0.contains("over") }
    #expect(!text.contains("over"), "\(text.suffix(200))")
    terminal.type("\u{3}")
    terminal.wait { $0.contains("over 0") }
  }
}
