import GlissConfiguration
import GlissEvents
import GlissImport
import Testing

/// Keys that are named after characters.
extension HotkeyImportTests {
  @Test(arguments: [true, false])
  func aCapitalThatALayoutLacksKeepsItsShift(_ byCharacter: Bool) throws {
    let names = ["odiaeresis", "Odiaeresis", "Ä", "Cyrillic_ya", "Cyrillic_YA"]
    let text = names.map { "super + \($0)\n  x\n" }.joined()
    let imported = try ImportedTool.sxhkd.imported(text, byCharacter: byCharacter)
    #expect(
      Self.rules(imported) == [
        "super+'ö' | x", "super+shift+'ö' | x", "super+shift+'ä' | x", "super+'я' | x",
        "super+shift+'я' | x",
      ])
    #expect(imported.remarks.isEmpty, "\(imported.remarks)")
  }

  /// On the Turkish layout, I is the capital of the dotless ı.
  @Test func aCapitalIsWhereTheLayoutHasIt() throws {
    let keys: [Unicode.Scalar: (Key, Bool)] = [
      "ı": (Key(rawValue: 23), false), "I": (Key(rawValue: 23), true),
      "i": (Key(rawValue: 40), false), "İ": (Key(rawValue: 40), true), "a": (.a, false),
    ]
    let places: LayoutPlaces = { keys[$0].map { (key: $0.0, needsShift: $0.1) } }
    let imported = try ImportedTool.sxhkd.rules(
      in: ConfigurationText(
        name: "f", bytes: Array("super + I\n  x\nsuper + i\n  y\nsuper + A\n  z\n".utf8)),
      options: ImportOptions(layout: { _ in places }))
    #expect(
      Self.rules(imported) == ["super+shift+i | x", "super+apostrophe | y", "super+shift+a | z"])
  }

  /// As a character it would lose its Shift.
  @Test(arguments: [true, false]) func spaceIsAKey(_ byCharacter: Bool) throws {
    let imported = try ImportedTool.sxhkd.imported(
      "super + shift + space\n  x\n", byCharacter: byCharacter)
    #expect(Self.rules(imported) == ["super+shift+space | x"])
    #expect(imported.remarks.isEmpty, "\(imported.remarks)")
  }

  @Test func aDeadKeyBecomesItsCharacter() throws {
    let imported = try ImportedTool.sxhkd.imported("super + dead_circumflex\n  x\n")
    #expect(Self.rules(imported) == ["super+'^' | x"])
    #expect(imported.remarks.isEmpty, "\(imported.remarks)")
  }

  @Test func aCharacterThatSwhkdHasNoNameForIsAdvised() throws {
    let imported = try ImportedTool.swhkd.imported("super + ö\n  x\nsuper + <\n  y\n")
    #expect(
      imported.remarks.map(\.why) == [
        "unknown key; for the key with this character write super+'ö'",
        "unknown key; for the key with this character write super+'<'",
      ])
  }

  /// A character cannot be named with the modifiers that choose it.
  @Test func aModifierThatChoosesCharactersIsNotDropped() throws {
    let text = "mod5 + u\n  a\nsuper + shift + 1\n  b\nsuper + shift + period\n  c\n"
    let imported = try ImportedTool.sxhkd.imported(text, byCharacter: true)
    #expect(Self.rules(imported) == ["super+shift+1 | b"])
    #expect(imported.remarks.map(\.what) == ["u", "period"])
  }
}
