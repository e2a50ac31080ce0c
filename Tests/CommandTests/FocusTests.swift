import Foundation
import TestSupport
import Testing

/// `gliss focus` against a socket that speaks as sway does: no desktop is needed.
@Suite struct FocusTests {
  static let one =
    #"{"change":"focus","container":{"id":7,"app_id":"foot, b","pid":41,"name":"~ \u001b[31m\nü"}}"#
  static let end = #"{"change":"close","container":{"id":7}}"#

  /// Runs a line of shell in which `$SWAYSOCK` is the socket of a desktop that reports `events`.
  private func run(_ line: String, _ events: String...) throws -> Command {
    let start =
      FakeDesktop.swayFrame(2, #"{"success":true}"#)
      + FakeDesktop.swayFrame(4, #"{"id":1,"focused":true}"#)
    let bytes = start + events.flatMap { FakeDesktop.swayFrame(0x8000_0003, $0) }
    let desktop = try FakeDesktop("s") { connection in
      FakeDesktop.write(bytes, to: connection)
      FakeDesktop.waitForEnd(connection)
    }
    return try withExtendedLifetime(desktop) {
      try Command.shell("export SWAYSOCK=\(desktop.path); \(line)")
    }
  }

  @Test func thePresentFocusIsPrintedOnce() throws {
    let command = try run("gliss focus --once", Self.one)
    #expect(command.status == 0, "\(command.errors)")
    #expect(command.lines.count == 1)
    #expect(command.output.hasPrefix("foot, b "))
    // control characters do not reach the terminal
    #expect(command.output.hasSuffix("     41  ~ \u{fffd}[31m\u{fffd}ü\n"))
  }

  @Test func nothingIsAnAnswerToo() throws {
    #expect(try run("gliss focus --once").output == "(nothing)\n")
    let command = try run("gliss focus --once --format jsonl", Self.one, Self.end)
    let line = try #require(
      try JSONSerialization.jsonObject(with: Data(command.output.utf8)) as? [String: Any])
    #expect(line["focused"] as? Bool == false)
    #expect(line["names"] == nil)
    #expect(line["source"] as? String == "sway")
  }

  @Test func aProgramReadsNamesAndTitle() throws {
    let command = try run("gliss focus --format jsonl | head -n 1", Self.one)
    #expect(command.errors == "")
    let line = try #require(
      try JSONSerialization.jsonObject(with: Data(command.output.utf8)) as? [String: Any])
    #expect(line["names"] as? [String] == ["foot, b"])
    #expect(line["pid"] as? Int == 41)
    #expect(line["title"] as? String == "~ \u{1b}[31m\nü")
  }

  @Test func ctrlCIsTheWayToEnd() throws {
    let command = try run("timeout --preserve-status -s INT 1 gliss focus", Self.one)
    #expect(command.status == 0)
    #expect(command.lines.first?.hasPrefix("application ") == true)
    #expect(command.lines.count == 2)
    #expect(command.errors == "")
  }

  @Test func aReaderThatLeavesEndsItQuietly() throws {
    let command = try run("gliss focus > >(exit 0); echo $?", Self.one)
    #expect(command.errors == "")
    #expect(command.output == "0\n")
  }

  @Test func withoutADesktopItSaysWhatToDo() throws {
    let command = try Command.run(
      "focus", environment: ["XDG_RUNTIME_DIR": "/nonexistent", "SWAYSOCK": "/nonexistent/s"])
    #expect(command.status == 1)
    #expect(command.output == "")
    #expect(command.errors.hasPrefix("gliss: no desktop was found"))
    #expect(command.errors.contains("; run it in the desktop's session"))
  }

  @Test func theDoctorNamesTheSource() throws {
    let command = try run("gliss doctor || true", Self.one)
    let words = command.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("the socket of sway or i3 reports which application has the focus"))
  }

  private static let rule =
    "hotkeys: [{hotkey: super+F1, application: foot, do: {run: [ls]}}]"

  @Test func checkWarnsOfRulesForApplicationsThatNothingReports() throws {
    let desktop = try FakeDesktop("s") { FakeDesktop.write([0xff], to: $0) }
    let two = """
      hotkeys:
        - {hotkey: super+F1, application: foot, do: {run: [ls]}}
        - {hotkey: super+F2, application: {title: a*}, do: {run: [ls]}}
      """
    let check = "export SWAYSOCK=\(desktop.path); gliss check -"
    let command = try withExtendedLifetime(desktop) { try Command.shell(check, input: two) }
    #expect(command.status == 0)
    #expect(
      command.errors.contains("-:2:5: warning: this rule and 1 other do not act here: which"),
      "\(command.errors)")
    #expect(command.errors.contains("docs/focus.md lists the desktops that report it"))
    #expect(command.errors.hasSuffix("1 warning\n"))
  }

  // MARK: The pointer

  @Test func aDesktopThatDoesNotReportThePointerIsNamed() throws {
    let command = try run("gliss focus --under-pointer", Self.one)
    #expect(command.status == 1)
    #expect(
      command.errors.hasPrefix(
        "gliss: which application is under the pointer is not known: the socket of sway or i3 does not"
      ), "\(command.errors)")
  }

  @Test func checkWarnsOfRulesForThePointerIfOnlyTheFocusIsReported() throws {
    let rules = """
      gestures:
        - {gesture: tap, fingers: 3, application: foot, do: {run: [ls]}}
        - {gesture: tap, fingers: 4, application: {only: foot, window: underPointer}, do: {run: [ls]}}
      """
    let command = try run("gliss check - <<< '\(rules)'", Self.one)
    #expect(command.status == 0)
    #expect(
      command.errors.contains(
        "-:3:5: warning: this rule does not act here: which application is under the pointer"),
      "\(command.errors)")
    #expect(command.errors.hasSuffix("1 warning\n"))
  }

  /// Where the pointer is unknown, the focus must do.
  @Test func theImportOfToucheggLooksAtThePointerIfItCan() throws {
    let file = """
      <touchégg><application name="Firefox"><gesture type="SWIPE" fingers="3" direction="LEFT">
      <action type="SEND_KEYS"><keys>Left</keys></action></gesture></application></touchégg>
      """
    let known = try run("gliss import touchegg - <<< '\(file)'", Self.one)
    #expect(known.output.contains("application: Firefox"), "\(known.output)")
    #expect(known.errors.contains("which this desktop does not report"), "\(known.errors)")
    let alone = try Command.shell("gliss import touchegg -", input: file)
    #expect(
      alone.output.contains("application: {only: Firefox, window: underPointer}"),
      "\(alone.output)")
    #expect(!alone.errors.contains("pointer"), "\(alone.errors)")
  }

  @Test func checkDoesNotWarnIfTheFocusIsReportedOrNoDesktopRuns() throws {
    let known = try run("gliss check - <<< '\(Self.rule)'", Self.one)
    #expect(known.status == 0 && known.errors == "", "\(known.errors)")
    let alone = try Command.shell(
      "export SWAYSOCK=/nonexistent/s; gliss check -", input: Self.rule)
    #expect(alone.status == 0 && alone.errors == "", "\(alone.errors)")
  }
}
