import GlissEvents
import Testing

/// The constants of keys, which tools/keys writes.
@Suite struct KeyNameTests {
  @Test(arguments: [
    (Key.t, "KEY_T"), (.escape, "KEY_ESC"), (.f1, "KEY_F1"), (.volumeUp, "KEY_VOLUMEUP"),
    (.digit1, "KEY_1"), (.keypad0, "KEY_KP0"), (.leftSuper, "KEY_LEFTMETA"),
    (.leftButton, "BTN_LEFT"), (.left, "KEY_LEFT"), (.break, "KEY_BREAK"),
    (.brightnessMenu, "KEY_BRIGHTNESS_MENU"), (.toolDoubleTap, "BTN_TOOL_DOUBLETAP"),
  ])
  func eachIsTheKeyOfTheKernel(_ key: Key, _ name: String) { #expect(key.name == name) }
}
