import Testing

@testable import GlissFocus

@Suite struct TextTests {
  @Test(
    arguments: [
      ([], ""), ([0x61], "a"), ([0x61, 0xc3], "a"), ([0xc3, 0xa9], "é"), ([0xf0, 0x9f, 0x98], ""),
      ([0xf0, 0x9f, 0x98, 0x80], "😀"), ([0x80, 0x80], "\u{fffd}\u{fffd}"), ([0xff], "\u{fffd}"),
      ([0xc3, 0x28], "\u{fffd}("),
    ] as [([UInt8], String)])
  func onlyACutCharacterIsLeftOut(_ bytes: [UInt8], _ text: String) {
    #expect(String(cut: bytes) == text)
  }

  @Test(arguments: [(0, ""), (1, ""), (2, "é"), (3, "é"), (5, "éé"), (9, "éé")])
  func aTextIsCutBetweenCharacters(_ limit: Int, _ text: String) {
    #expect("éé".limited(toBytes: limit) == text)
  }

  @Test func namesAreKeptOnceAndTitlesStayOutOfDescriptions() {
    let window = FocusedWindow(names: [nil, "", "a", "b", "a"], title: "secret", pid: 0)
    #expect(window.names == ["a", "b"])
    #expect(window.pid == nil)
    #expect(
      "\(window) \(String(reflecting: window)) \(Optional(window) as Any)".contains("secret")
        == false)
  }
}
