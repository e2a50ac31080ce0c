import GlissHotkeys
import Testing

@testable import GlissImport

/// Commands that only press keys.
@Suite struct PressingCommandTests {
  @Test(arguments: [
    ("xdotool key alt+Right", "alt+right"),
    ("/usr/bin/xdotool key --clearmodifiers --delay 100 F5", "f5"),
    ("xdotool keydown ctrl click 5 keyup ctrl", "ctrl+wheeldown"),
    ("xdotool keydown alt key Left; xdotool keyup alt", "alt+left"),
    ("xdotool key super", "lsuper"), ("xdotool click 2", "button2"),
    ("xdotool key ctrl+a ctrl+c", "ctrl+a ctrl+c"), ("xdotool key Tab &", "tab"),
    ("wtype -M ctrl -k c -m ctrl", "ctrl+c"), ("wtype -k XF86AudioMute", "mute"),
    ("ydotool key 29:1 46:1 46:0 29:0", "ctrl+c"), ("ydotool key ctrl+c", "ctrl+c"),
    ("ydotool key 125:1 125:0", "lsuper"),
  ])
  func isItsChords(_ line: String, _ expected: String) throws {
    let chords = try #require(PressingCommand.chords(in: line))
    #expect(chords.map(\.textToPress).joined(separator: " ") == expected)
  }

  @Test(arguments: [
    "xdotool type hello", "xdotool getactivewindow windowclose", "xdotool keydown alt",
    "xdotool key $KEY", "xdotool key a && foot", "foot", "", "xdotool key a | cat",
    "xdotool key 'a&b'", "xdotool mousemove 1 1 click 1", "xdotool key nosuchkey",
    "xdotool keydown space", "ydotool key 57:1", "wtype -P space",
    "xdotool key alt+Print", "ydotool key 0:1 0:0", "wtype hello", "ydotool click 0xC0",
    "echo xdotool key a",
  ])
  func anythingElseStaysACommand(_ line: String) {
    #expect(PressingCommand.chords(in: line) == nil)
  }
}
