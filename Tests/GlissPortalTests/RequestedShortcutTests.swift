import GlissConfiguration
import GlissHotkeys
import GlissPortal
import Testing

@Suite struct PreferredTriggerTests {
  /// What applications send, and the hotkey that it means.
  static let known: [(String, String)] = [
    // the specification's own form; those without comment are KDE's
    ("CTRL+a", "ctrl+'a'"), ("CTRL+SHIFT+a", "shift+ctrl+'a'"),
    ("CTRL+ALT+Return", "ctrl+alt+enter"), ("CTRL+a;Banana", "ctrl+'a'"),
    ("Control_L", "tap:lctrl"), ("LOGO+F5", "super+f5"), ("a", "'a'"), ("F12", "f12"),
    ("LOGO+space", "super+space"), ("CTRL+XF86AudioMute", "ctrl+mute"),
    ("XF86AudioPlay", "playpause"),
    ("CTRL+ALT+RETURN", "ctrl+alt+enter"), ("ctrl+shift+F1", "shift+ctrl+f1"),
    ("CTRL+A", "ctrl+'a'"), ("CTRL+KP_1", "ctrl+kp1"), ("CTRL+minus", "ctrl+'-'"),
    ("CTRL+Adiaeresis", "ctrl+'ä'"), ("CTRL+ALT+p trailing words", "ctrl+alt+'p'"),
    // Chromium's extensions, whose suggestions are digits with Ctrl and Shift
    ("CTRL+SHIFT+2", "shift+ctrl+2"), ("CTRL+SHIFT+1", "shift+ctrl+1"),
    ("CTRL+SHIFT+comma", "shift+ctrl+comma"), ("CTRL+SHIFT+exclam", "shift+ctrl+1"),
    ("CTRL+2", "ctrl+'2'"),
    // GTK
    ("<Control>a", "ctrl+'a'"), ("<Primary><Shift>F9", "shift+ctrl+f9"),
    ("<Super>Page_Up", "super+pageup"), ("<Control><Alt>Delete", "ctrl+alt+delete"),
    // Electron and Qt
    ("CommandOrControl+Shift+X", "shift+ctrl+'x'"), ("Meta+PgUp", "super+pageup"),
    ("Ctrl+Alt+Del", "ctrl+alt+delete"), ("MediaPlayPause", "playpause"),
    ("Alt+Space", "alt+space"), ("Ctrl+Esc", "ctrl+esc"), ("Ctrl+,", "ctrl+','"),
    ("Win+VolumeUp", "super+volumeup"), ("AltGr+F1", "altgr+f1"),
  ]

  @Test(arguments: known) func isUnderstood(_ text: String, _ hotkey: String) throws {
    let expected = try Hotkey(hotkey)
    #expect(PreferredTrigger.hotkey(text) == expected)
  }

  static let unknown = [
    "", "+", "CTRL", "CTRL+", "CTRL++", "CTRL++a", "HYPER+a", "CAPS+a", "NUM+F1", "CTRL+Banana",
    "<Control>", "<Control", "<Banana>a", "CTRL+SHIFT", "ctrl alt p", "\u{0}", "CTRL+\n",
    "Fn+F1", String(repeating: "CTRL+", count: 40) + "a", "😀", "CTRL+0x61",
  ]

  @Test(arguments: unknown) func isNot(_ text: String) {
    #expect(PreferredTrigger.hotkey(text) == nil)
  }

  @Test func typeableShortcutsAreRejected() throws {
    for text in ["a", "SHIFT+a", "Return", "space", "KP_1"] {
      let hotkey = try #require(PreferredTrigger.hotkey(text))
      let trigger = Rule.Trigger.hotkey(HotkeyCondition(hotkey: hotkey))
      #expect(trigger.objection?.contains("could be typed") == true, "\(text)")
    }
    for text in ["CTRL+a", "F5", "LOGO+Return", "Control_L", "XF86AudioPlay"] {
      let hotkey = try #require(PreferredTrigger.hotkey(text))
      #expect(Rule.Trigger.hotkey(HotkeyCondition(hotkey: hotkey)).objection == nil, "\(text)")
    }
  }
}

@Suite struct RequestedShortcutTests {
  @Test func untrustedTextIsOneVisibleLine() {
    let wish = RequestedShortcut(
      id: "x", description: "Push\nto\u{202e}  talk\u{1b}[31m\u{0}", preferred: "a\tb")
    #expect(wish.description == "Push to talk [31m")
    #expect(wish.preferred == "a b")
    let long = RequestedShortcut(id: "x", description: String(repeating: "e\u{301}", count: 10_000))
    #expect(long.description.unicodeScalars.count == RequestedShortcut.longestDescription + 1)
  }

  @Test func repeatedIdsCountOnce() {
    let wishes = [
      RequestedShortcut(id: "a", description: "1"), RequestedShortcut(id: "b"),
      RequestedShortcut(id: "a", description: "2"),
    ]
    #expect(wishes.checked(atMost: 2)?.map(\.description) == ["1", ""])
    #expect(wishes.checked(atMost: 1) == nil)
  }

  @Test(arguments: ["", "a\nb", "a\u{202e}", String(repeating: "x", count: 257)])
  func idsThatCannotBeShown(_ id: String) {
    #expect([RequestedShortcut(id: id)].checked(atMost: 9) == nil)
  }

  @Test func triggersHaveWords() throws {
    let words = [
      "ctrl+alt+'p'": "Ctrl+Alt+P", "super+k ; w": "Super+K then W", "tap:lctrl": "tap Lctrl",
      "{gesture: hold, fingers: 3}": "hold with 3 fingers",
      "{gesture: swipe, fingers: 3..4, direction: left}": "swipe left with 3 to 4 fingers",
      "{gesture: edgeSwipe, edge: left, fingers: 1}": "edgeSwipe from the left with 1 finger",
      "{gesture: tap, fingers: 2, count: 2}": "tap 2 times with 2 fingers",
    ]
    for (text, expected) in words {
      #expect(try Rule.Trigger(text: text)?.words == expected)
    }
  }
}
