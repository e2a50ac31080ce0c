import GlissDevices
import Testing

/// Layouts as they are written on a command line.
@Suite struct LayoutNameTests {
  @Test(
    arguments: [
      ("de", "de", "", "de"), ("us(intl)", "us", "intl", "us:intl"),
      ("us:intl", "us", "intl", "us:intl"), ("us,de", "us,de", "", "us,de"),
      ("us,de:nodeadkeys", "us,de", ",nodeadkeys", "us,de:nodeadkeys"),
      ("us(dvorak),ru,de:neo", "us,ru,de", "dvorak,,neo", "us:dvorak,ru,de:neo"),
      ("macintosh_vndr/us", "macintosh_vndr/us", "", "macintosh_vndr/us"),
      ("gb:dvorakukp", "gb", "dvorakukp", "gb:dvorakukp"),
    ])
  func oneOrSeveral(text: String, layout: String, variant: String, written: String) throws {
    let parsed = try KeyboardLayout(parsing: text)
    #expect(parsed == KeyboardLayout(layout: layout, variant: variant))
    #expect(parsed.description == written)
    #expect(try KeyboardLayout(parsing: parsed.description) == parsed)
  }

  @Test(
    arguments: [
      "", ",", "us,", ",us", "us:", ":intl", "us()", "us(intl", "us)intl(", "(intl)", "us(a)(b)",
      "us:a:b", "us(a:b)", "us de", "us;de", "ü", "us\u{1b}[31m", "us\u{0}",
      String(repeating: "x", count: 1000) + "!",
    ])
  func unknownLayoutsAreRefused(text: String) throws {
    let error = #expect(throws: SystemError.self) { try KeyboardLayout(parsing: text) }
    let words = try #require(error?.description)
    #expect(words.contains("us:intl"))
    #expect(words.count < 200)
    #expect(!words.unicodeScalars.contains { $0.value < 0x20 })
  }

  @Test func modelOptionsAndRulesAreReported() {
    let layout = KeyboardLayout(
      rules: "base", model: "pc104", layout: "us,de", variant: "intl", options: "ctrl:nocaps")
    #expect(layout.description == "us:intl,de, model pc104, options ctrl:nocaps, rules base")
    #expect(KeyboardLayout().description == "xkb's default")
  }

  @Test func everySourceHasItsWord() {
    let words = LayoutSource.allCases.map(\.description)
    #expect(Set(words).count == words.count && !words.contains(""))
  }
}
