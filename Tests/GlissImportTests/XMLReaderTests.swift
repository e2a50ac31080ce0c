import GlissConfiguration
import GlissImport
import TestSupport
import Testing

/// The XML of touchegg.conf: what is read, and what is refused, where.
@Suite struct XMLReaderTests {
  private static func wrapped(_ command: String) -> String {
    """
    <touchégg><application name="All"><gesture type="TAP" fingers="3">
    <action type="RUN_COMMAND"><command>\(command)</command></action>
    </gesture></application></touchégg>
    """
  }

  @Test(
    arguments: [
      ("a &amp;&amp; b &lt; c &gt; d", "a && b < c > d"), ("&quot;&apos;&#65;&#x1F600;", "\"'A😀"),
      ("a <!-- not this --> b", "a  b"), ("<![CDATA[a && <b> ]] ]]>", "a && <b> ]]"),
      ("  blanks \n around ", "blanks \n around"), ("a ]]> b", "a ]]> b"),
      ("a <!-- -- & -- ---> b", "a  b"),
      ("<![CDATA[<!-- a & -- --> &amp;]]>", "<!-- a & -- --> &amp;"),
    ])
  func textIsWhatItStandsFor(_ written: String, _ meant: String) throws {
    let imported = try ImportedTool.touchegg.imported(Self.wrapped(written))
    #expect(imported.remarks.isEmpty, "\(imported.remarks)")
    expect(imported, meant)
  }

  private func expect(_ imported: ImportedFile, _ command: String) {
    let verbs = imported.rules.flatMap(\.reactions.end).map(\.verb)
    #expect(verbs == [.run(Command(.shell(command)))])
  }

  /// pugixml, by which touchégg reads, leaves them as they are.
  @Test(
    arguments: [
      "é & #", "&nbsp;", "&#0;", "&#xD800;", "&#xFFFF;", "&#1;", "a || b & disown", "a && b; c &d;",
      "&averylongname that; ends", "&", "&#+65;", "&;", "&#;",
    ])
  func referencesToNothingAreThemselves(_ written: String) throws {
    let imported = try ImportedTool.touchegg.imported(Self.wrapped(written))
    expect(imported, written)
    #expect(imported.remarks.isEmpty)
  }

  @Test func anAttributeMayHaveThemToo() throws {
    let imported = try ImportedTool.touchegg.imported(
      "<touchégg><application\nx='A & B&amp;C' name='All'></application></touchégg>")
    #expect(imported.remarks.map { "\($0.place):\($0.what)" } == ["file:1:11:x=\"A & B&C\""])
  }

  /// What is made readable for expat does not move what stands behind it.
  @Test func placesAreThoseOfTheFile() throws {
    let imported = try ImportedTool.touchegg.imported(
      "\n <?xml version='1.0'?><!-- -- é --><touchégg>&& é<x/>\r<y/></touchégg>")
    #expect(
      imported.remarks.map { "\($0.place.line):\($0.place.column) \($0.what)" } == [
        "2:36 && é", "2:50 <x>", "3:1 <y>",
      ])
  }

  @Test(
    arguments: [
      ("", "1:1"), ("no xml", "1:1"), ("<touchégg>", "1:1"), ("<touchégg></touchegg>", "1:13"),
      ("<a/>", "1:1"), ("<touchégg/><touchégg/>", "1:12"), ("<touchégg a=b/>", "1:13"),
      ("<touchégg a='1' a='2'/>", "1:17"), ("<touchégg a='<'/>", "1:14"),
      ("<touchégg a='1'b='2'/>", "1:16"),
      ("<!DOCTYPE x [<!ENTITY a 'b'>]><touchégg/>", "1:13"), ("<!-- <touchégg/>", "1:1"),
      ("<touchégg>\n  <x>\n</touchégg>", "3:3"), ("<touchégg/>\ntext", "2:1"), ("<", "1:1"),
      ("<touchégg a=\"1", "1:1"), ("</touchégg>", "1:2"), ("<touchégg><![CDATA[a", "1:21"),
    ])
  func mistakesHaveAPlace(_ text: String, _ place: String) {
    do {
      _ = try ImportedTool.touchegg.imported(text)
      Issue.record("\(text) was read")
    } catch {
      let mistake = error as? Mistake
      #expect(mistake.map { "\($0.place.line):\($0.place.column)" } == place, "\(error)")
    }
  }

  @Test(arguments: [
    "<touchégg/>", "<touchegg></touchegg>", "<?xml version='1.0'?><!DOCTYPE a>\n<touchégg/>",
  ])
  func anEmptyFileHasNoRules(_ text: String) throws {
    let imported = try ImportedTool.touchegg.imported("\u{feff}" + text)
    #expect(imported.parts.isEmpty && imported.remarks.isEmpty)
    #expect(Configuration.rules(of: imported.text).isEmpty)
  }

  @Test func elementsMayNotBeNestedEndlessly() {
    let deep = String(repeating: "<a>", count: 100_000)
    #expect(throws: Mistake.self) { try ImportedTool.touchegg.imported("<touchégg>" + deep) }
  }

  @Test(arguments: ImportedTool.allCases) func invalidTextIsRefused(_ tool: ImportedTool) {
    for (bytes, place) in [
      ([0x61, 0x0a, 0x62, 0x00], "2:2"), ([0x61, 0xff], "1:2"), ([0x61, 0xef, 0x76], "1:2"),
    ] {
      do {
        _ = try tool.rules(in: ConfigurationText(name: "f", bytes: bytes.map { UInt8($0) }))
        Issue.record("it was read")
      } catch {
        #expect("\(error.place.line):\(error.place.column)" == place)
      }
    }
  }
}
