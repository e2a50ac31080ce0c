import Foundation
import Testing

@testable import GlissDevices

/// Files such as /etc/default/keyboard.
@Suite struct ShellAssignmentsTests {
  private func parse(_ text: String) -> [String: String] {
    ShellAssignments.parse(Array(text.utf8))
  }

  @Test func theFileOfDebiansInstaller() {
    let text = """
      # KEYBOARD CONFIGURATION FILE

      # Consult the keyboard(5) manual page.

      XKBMODEL="pc105"
      XKBLAYOUT="de,us"
      XKBVARIANT=",intl"
      XKBOPTIONS="ctrl:nocaps,compose:ralt"

      BACKSPACE="guess"
      """
    #expect(
      parse(text) == [
        "XKBMODEL": "pc105", "XKBLAYOUT": "de,us", "XKBVARIANT": ",intl",
        "XKBOPTIONS": "ctrl:nocaps,compose:ralt", "BACKSPACE": "guess",
      ])
  }

  @Test(
    arguments: [
      ("A=de", "de"), ("A='de'", "de"), ("A=\"de\"", "de"), ("A=", ""), ("A=\"\"", ""),
      ("  A=de  ", "de"), ("\tA=de\r\n", "de"), ("export A=de", "de"), ("B=1; A=de; C=2", "de"),
      ("B=1 A=de", "de"), ("A=de # comment", "de"), ("A=de#no comment", "de#no"),
      ("A=\"d#e\"", "d#e"), ("# A=de", nil), ("#A=us\nA=de", "de"), ("A=us\nA=de", "de"),
      ("A=d\"e,\"'us'", "de,us"), ("A=d\\e", "de"), ("A=\"d\\e\"", "d\\e"),
      ("A=\"d\\\"e\"", "d\"e"), ("A='d\\e'", "d\\e"), ("A=d\\\ne", "de"), ("A=\"d\\\ne\"", "de"),
      ("A='d e'", "d e"), ("A=d\\ e", "d e"), ("A=\"d\ne\"", "d\ne"), ("A =de", nil),
      ("A= de", ""), ("AA=de", nil), ("A", nil), ("A de", nil), ("=de", nil), ("export", nil),
      ("export A", nil), ("A=de\\", "de"),
      // only a shell knows
      ("A=$B", nil), ("A=\"$B\"", nil), ("A=`b`", nil), ("A=us\nA=$B", nil), ("A='$B'", "$B"),
      ("A=\\$B", "$B"), ("A=\"\\$B\"", "$B"), ("A=\"de", nil), ("A='de", nil),
      ("if true; then\nA=de\nfi", "de"), ("A=\u{fc}", "\u{fc}"),
    ] as [(String, String?)])
  func values(text: String, value: String?) {
    #expect(parse(text)["A"] == value)
  }

  @Test func bytesThatAreNoTextTrapNothing() {
    for byte in UInt8.min...UInt8.max {
      _ = ShellAssignments.parse([byte])
      _ = ShellAssignments.parse(Array("A=".utf8) + [byte, byte])
      _ = ShellAssignments.parse(Array("A=\"".utf8) + [byte] + Array("\"\nB=1".utf8))
    }
  }

  @Test func aFileThatCannotBeReadHasNone() throws {
    #expect(ShellAssignments.read("/nonexistent/keyboard") == [:])
    #expect(ShellAssignments.read("/etc") == [:])
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // a pipe nobody writes to
    let pipe = folder.appending(path: "pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(ShellAssignments.read(pipe) == [:])
    // more than anybody writes
    let long = folder.appending(path: "long").path
    try (String(repeating: "# x\n", count: 50_000) + "A=de\n").write(
      toFile: long, atomically: false, encoding: .utf8)
    #expect(ShellAssignments.read(long) == [:])
  }
}
