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

  @Test(
    arguments: [
      ("dead_circumflex", "^"), ("dead_acute", "´"), ("dead_tilde", "~"), ("dead_nonsense", nil),
      ("acute", nil),
    ] as [(String, Unicode.Scalar?)])
  func aDeadKeyIsNamedAfterACharacter(name: String, character: Unicode.Scalar?) {
    #expect(Keysyms.dead(name) == character)
  }

  @Test func aCapitalNeedsShift() {
    #expect(Keysyms.isShifted("A") && Keysyms.isShifted("Odiaeresis"))
    #expect(!Keysyms.isShifted("a") && !Keysyms.isShifted("odiaeresis"))
  }

  @Test func aMisspeltNameHasASimilarOne() {
    #expect(Keysyms.similar(to: "Retrun") == "Return")
    #expect(Keysyms.similar(to: "exclan") == "exclam")
  }
}
