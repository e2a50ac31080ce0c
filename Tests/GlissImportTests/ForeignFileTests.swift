import GlissConfiguration
import GlissImport
import TestSupport
import Testing

/// A file that is another tool's is refused, with the command that reads it.
@Suite struct ForeignFileTests {
  /// A fixture of one tool, given for every other's but that with the same lines.
  static let exchanged: [(ImportFixture, ImportedTool)] = ImportFixture.all.flatMap { fixture in
    ImportedTool.allCases.filter { tool in
      let both: Set = [tool, fixture.tool]
      return tool != fixture.tool && both != [.sxhkd, .swhkd]
    }.map { (fixture, $0) }
  }

  private static func refusal(
    _ tool: ImportedTool, _ text: String, path: String? = nil
  ) -> Mistake? {
    do throws(Mistake) {
      _ = try tool.rules(
        in: ConfigurationText(name: "its file", bytes: Array(text.utf8)),
        options: ImportOptions(path: path))
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: exchanged)
  func isRefusedWithTheCommandToUse(_ fixture: ImportFixture, _ tool: ImportedTool) throws {
    let refusal = try #require(Self.refusal(tool, try fixture.text))
    #expect(refusal.message.hasPrefix("not a file of \(tool.rawValue): "))
    let likely = fixture.tool.rawValue
    #expect(
      refusal.message.hasSuffix(
        "; it looks like one of \(likely): gliss import \(likely) 'its file'"),
      "\(refusal.message)")
    #expect(!refusal.message.contains("\n"))
  }

  @Test(arguments: [
    (ImportedTool.sxhkd, "#!/bin/sh\nset -e\nexec true\n", "2:1"),
    (.swhkd, "\n  text\n", "2:3"), (.libinputGestures, "# one\nother\n", "2:1"),
    (.fusuma, "services:\n  one: {image: two}\n", "1:1"), (.fusuma, "text", "1:1"),
    (.touchegg, "<html></html>", "1:1"), (.fusuma, "one: {image: two}", "1:1"),
    (.touchegg, "swipe:\n  one: two\n", "1:1"),
    (.fusuma, "x: 1\n---\nedge:\n  left: {command: a}\n", "1:1"),
  ])
  func unknownFilesAreRefusedWithoutAHint(
    _ tool: ImportedTool, _ text: String, _ place: String
  ) throws {
    let refusal = try #require(Self.refusal(tool, text))
    #expect("\(refusal.place)" == "its file:\(place)")
    #expect(!refusal.message.contains("looks like"))
  }

  /// One line that the tool would look at is enough, right or wrong.
  @Test(arguments: [
    (ImportedTool.sxhkd, ""), (.sxhkd, "# text\n"), (.sxhkd, "any + x\n  a\n"),
    (.sxhkd, "text\n  a\n{_,shift + }F1\n  b\n"), (.sxhkd, "super + nokey"),
    (.swhkd, "include /nowhere\n"), (.swhkd, "mode m\nendmode\n"), (.swhkd, "volumeup\n  a\n"),
    (.libinputGestures, "\n#\n"), (.libinputGestures, "text\ntimeout: 2\n"),
    (.fusuma, ""), (.fusuma, "# text"), (.fusuma, "plugin:\n  inputs:\n"),
    (.fusuma, "tap:\n  3:\n    command: a\n"), (.fusuma, "context: {a: b}\nx:\n"),
  ])
  func aCommandOnItsOwnLineIsRead(_ tool: ImportedTool, _ text: String) {
    #expect(Self.refusal(tool, text) == nil)
  }

  @Test func xmlIsNoListOfHotkeysWhateverItSays() {
    let text = "<touchégg><!--\na\n  b\ntimeout 3 -->\n</touchégg>"
    for tool in [ImportedTool.sxhkd, .swhkd, .libinputGestures] {
      #expect(
        Self.refusal(tool, text)?.message.hasSuffix(": gliss import touchegg 'its file'") == true)
    }
  }

  /// Lines of which nearly none has a key: what it looks like is told by the first hotkey.
  @Test func junkLooksLikeItsFirstHotkey() {
    let junk = "#;>\n&a\nsuper + b\n  <a\n" + String(repeating: "<xyz;}c\n", count: 200)
    for tool in [ImportedTool.touchegg, .libinputGestures] {
      #expect(Self.refusal(tool, junk)?.message.hasSuffix("gliss import sxhkd 'its file'") == true)
    }
  }

  @Test(arguments: [100, 5000]) func aHotkeyCountsWhereverItStands(_ before: Int) {
    let hotkey = "super + b\n"
    let junk = String(repeating: "#\n<\n", count: before) + hotkey + "<\n  a\n\(hotkey)  a\n"
    let message = Self.refusal(.libinputGestures, "x\n" + junk)?.message
    #expect(message?.hasSuffix("gliss import sxhkd 'its file'") == true, "\(message ?? "")")
  }

  /// Its own file with a mistake is not somebody else's.
  @Test(arguments: [
    (ImportedTool.touchegg, "<touchégg>"), (.fusuma, "swipe:\n  3: [\n"),
  ])
  func aMistakeStaysOne(_ tool: ImportedTool, _ text: String) throws {
    let refusal = try #require(Self.refusal(tool, text))
    #expect(!refusal.message.contains("no file of"))
  }

  @Test func theCommandNamesTheFileAsItWasNamed() throws {
    let refusal = try #require(Self.refusal(.sxhkd, "<touchégg/>", path: "-"))
    #expect(refusal.message.hasSuffix(": gliss import touchegg -"))
  }
}
