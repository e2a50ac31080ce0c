import GlissDevices
import Testing

@Suite struct LayoutCharacterTests {
  @Test(
    arguments: [
      ("us", "a", true), ("us", "?", true), ("us", "ö", false), ("us,de", "ö", true),
      // with AltGr, and as a dead key
      ("de", "€", true), ("de", "^", true), ("de", "я", false),
    ] as [(String, Unicode.Scalar, Bool)])
  func aLayoutHasWhatItsKeysProduce(
    _ layout: String, _ character: Unicode.Scalar, _ expected: Bool
  ) throws {
    let translator = try XkbKeyTranslator(KeyboardLayout(layout: layout))
    #expect(translator.has(character) == expected)
  }
}
