import GlissConfiguration
import Testing

@Suite struct KeysymTests {
  @Test(
    arguments: [
      ("a", "a"), ("A", "a"), ("exclam", "!"), ("EuroSign", "€"), ("U20AC", "€"),
      ("udiaeresis", "ü"), ("Greek_alpha", "α"), ("Cyrillic_ya", "я"), ("space", " "),
    ] as [(String, Unicode.Scalar)])
  func aNameOfACharacterStandsForIt(name: String, character: Unicode.Scalar) {
    #expect(Keysyms.character(name) == character)
  }

  /// Some of these keysyms have the code of a character too.
  @Test(
    arguments: [
      "Return", "Tab", "Escape", "BackSpace", "Delete", "KP_1", "KP_Add", "Left", "Shift_L", "0x41",
      "dead_acute", "XF86AudioMute", "nonsense", "",
    ])
  func otherNamesStandForNone(name: String) { #expect(Keysyms.character(name) == nil) }

  @Test func aMisspeltNameHasASimilarOne() {
    #expect(Keysyms.similar(to: "Retrun") == "Return")
    #expect(Keysyms.similar(to: "exclan") == "exclam")
  }
}
