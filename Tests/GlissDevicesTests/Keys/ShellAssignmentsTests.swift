import Testing

@testable import GlissDevices

/// Files such as /etc/default/keyboard.
@Suite struct ShellAssignmentsTests {
  private func parse(_ text: String) -> [String: String] {
    LayoutSearch.assignments(Array(text.utf8))
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
      ("  A=de  ", "de"), ("\tA=de\r\n", "de"), ("export A=de", "de"), ("A=de; C=2", "de"),
      ("A=de # comment", "de"), ("A=\"de\" # comment", "de"), ("A=de#no comment", "de#no"),
      ("A=\"d#e\"", "d#e"), ("# A=de", nil), ("#A=us\nA=de", "de"), ("A=us\nA=de", "de"),
      ("A='d e'", "d e"), ("A =de", nil), ("A= de", ""), ("AA=de", nil), ("A", nil), ("A de", nil),
      ("=de", nil), ("export", nil), ("export A", nil), ("if true; then\nA=de\nfi", "de"),
      ("A=\u{fc}", "\u{fc}"),
      // only a shell knows
      ("A=$B", nil), ("A=\"$B\"", nil), ("A=`b`", nil), ("A=us\nA=$B", nil), ("A='$B'", nil),
      ("A=\"de", nil), ("A='de", nil), ("A=\"", nil), ("A=d\"e,\"'us'", nil), ("A='de',us", nil),
      ("A=d\\e", nil), ("A=\"d\\\"e\"", nil), ("A=\"d\ne\"", nil),
    ] as [(String, String?)])
  func values(text: String, value: String?) {
    #expect(parse(text)["A"] == value)
  }

  @Test func bytesThatAreNoTextTrapNothing() {
    for byte in UInt8.min...UInt8.max {
      _ = LayoutSearch.assignments([byte])
      _ = LayoutSearch.assignments(Array("A=".utf8) + [byte, byte])
      _ = LayoutSearch.assignments(Array("A=\"".utf8) + [byte] + Array("\"\nB=1".utf8))
    }
  }
}
