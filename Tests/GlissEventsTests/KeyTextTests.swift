import GlissEvents
import Testing

@Suite struct KeyTextTests {
  @Test(
    arguments: [
      "", "a", "é", "€", "🙂", "ffi", "12345678", "123456789", "123456789012345", "a\u{0}b",
      "e\u{301}",
    ])
  func theTextIsKept(text: String) throws {
    let value = try #require(KeyText(text))
    #expect(value.description == text)
    #expect(Array(value.description.utf8) == Array(text.utf8))
    #expect(value.utf8Count == text.utf8.count)
    #expect(value.isEmpty == text.isEmpty)
    #expect(KeyText(utf8: Array(text.utf8)) == value)
  }

  @Test func fifteenBytesAreTheMost() {
    #expect(KeyText("1234567890123456") == nil)
    #expect(KeyText(utf8: repeatElement(UInt8(ascii: "a"), count: 1_000_000)) == nil)
    #expect(KeyText("🙂🙂🙂🙂") == nil)
  }

  @Test(
    arguments: [[0x80], [0xc3], [0xff], [0x61, 0xe2, 0x82], [0xed, 0xa0, 0x80], [0xc0, 0x80]]
      as [[UInt8]])
  func invalidTextIsRefused(bytes: [UInt8]) {
    #expect(KeyText(utf8: bytes) == nil)
  }

  @Test func differentTextsAreDifferent() {
    let texts = ["", "\u{0}", "a", "b", "ab", "ba", "12345678a", "12345678b"].map { KeyText($0) }
    #expect(Set(texts).count == texts.count)
    #expect(KeyText("") == KeyText.none)
    #expect(MemoryLayout<KeyText>.size == 16)
  }
}
