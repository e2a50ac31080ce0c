import GlissEvents
import Testing

/// Decimals are fixed, so that output can be compared byte for byte.
@Suite struct TextBufferTests {
  private func text(_ write: (inout TextBuffer) -> Void) -> String {
    var buffer = TextBuffer()
    write(&buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  @Test(
    arguments: [
      (0, 3, "0.000"), (-0.0, 3, "0.000"), (-0.0004, 3, "0.000"), (-0.0006, 3, "-0.001"),
      (0.0005, 3, "0.001"), (1.0005, 3, "1.001"), (2.5, 0, "3"), (-2.5, 0, "-3"),
      (0.99996, 4, "1.0000"), (123.456789, 4, "123.4568"), (-0.5, 1, "-0.5"),
      (9.999, 2, "10.00"), (0.1, 6, "0.100000"), (.nan, 4, "0.0000"),
      (.infinity, 0, "9000000000000"), (-.infinity, 2, "-9000000000000.00"),
      (1e300, 1, "9000000000000.0"),
    ] as [(Double, Int, String)])
  func decimalsAreFixed(value: Double, places: Int, expected: String) {
    #expect(text { $0.append(value, places: places) } == expected)
  }

  @Test(
    arguments: [
      (0, "0"), (7, "7"), (-7, "-7"), (1_000_000, "1000000"), (.max, "9223372036854775807"),
      (.min, "-9223372036854775808"),
    ] as [(Int64, String)])
  func integersAreWhole(value: Int64, expected: String) {
    #expect(text { $0.append(value) } == expected)
  }

  @Test(
    arguments: [
      (0, "0.000000"), (1, "0.000001"), (1_500_000, "1.500000"), (-1, "-0.000001"),
      (-1_000_001, "-1.000001"), (.max, "9223372036854.775807"), (.min, "-9223372036854.775808"),
    ] as [(Int64, String)])
  func secondsAreExact(microseconds: Int64, expected: String) {
    #expect(text { $0.append(seconds: microseconds) } == expected)
  }

  @Test(
    arguments: [
      ("", #""""#), ("Pad", #""Pad""#), ("a\"b\\c", #""a\"b\\c""#),
      ("tab\tend\u{1}\u{7f}", #""tab\u0009end\u0001\u007f""#), ("Größe ±", #""Größe ±""#),
      ("\u{80}a\u{9b}31m\u{9f}\u{a0}", "\"\\u0080a\\u009b31m\\u009f\u{a0}\""),
      ("ʀ\u{3080}", "\"ʀ\u{3080}\""),
    ])
  func stringsAreEscaped(string: String, expected: String) {
    #expect(text { $0.append(json: string) } == expected)
  }

  @Test func anEmptiedBufferStartsAgain() {
    #expect(
      text {
        $0.append("first")
        $0.removeAll()
        $0.append(text: "second" as String)
        $0.append(byte: UInt8(ascii: "!"))
      } == "second!")
  }
}
