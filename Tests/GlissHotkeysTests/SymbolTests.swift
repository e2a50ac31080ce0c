import CXkbcommon
import Testing

@testable import GlissHotkeys

@Suite struct SymbolTests {
  /// libxkbcommon knows them, too.
  @Test func theOldKeysymsAreThoseOfX11() {
    var ours: [UInt32: UInt32] = [:]
    for (character, keysyms) in LegacyKeysyms.of {
      for keysym in keysyms { ours[keysym] = character }
    }
    var theirs: [UInt32: UInt32] = [:]
    for keysym in UInt32(0x100)...0x2fff {
      let character = xkb_keysym_to_utf32(keysym)
      if character != 0 { theirs[keysym] = character }
    }
    #expect(theirs.count > 700)
    #expect(ours == theirs)
  }

  /// Whatever keysym a layout has for a character or its other case, it is among ours.
  @Test(arguments: [0x20...0x7e, 0xa0...0x52f, 0x5d0...0x5ea, 0xe01...0xe2e, 0x20a0...0x20ac])
  func everyKeysymOfACharacterIsFound(_ range: ClosedRange<UInt32>) throws {
    for value in range {
      let character = try #require(Unicode.Scalar(value))
      let symbol = Symbol(character)
      let keysyms = symbol.keysyms
      #expect(Set(keysyms).count == keysyms.count)
      #expect(keysyms.contains(xkb_utf32_to_keysym(symbol.character.value)))
      for keysym in keysyms {
        let given = try #require(Unicode.Scalar(xkb_keysym_to_utf32(keysym)))
        #expect(Symbol(given).character == symbol.character)
      }
    }
  }

  /// Caps Lock makes these of a German and a Turkish layout.
  @Test(arguments: [("ß", 0x100_1e9e), ("i", 0x100_0130), ("i", 0x2a9), ("i", 0x49)])
  func capitalsOfOneLayoutAreFound(_ character: Unicode.Scalar, _ keysym: UInt32) {
    #expect(Symbol(character).keysyms.contains(keysym))
  }

  @Test func noKeysymIsTwoCharacters() {
    var owners: [UInt32: Unicode.Scalar] = [:]
    for value in UInt32(0x20)...0x2fff {
      guard let character = Unicode.Scalar(value) else { continue }
      let symbol = Symbol(character)
      for keysym in symbol.keysyms {
        let owner = owners.updateValue(symbol.character, forKey: keysym)
        #expect(owner == nil || owner == symbol.character)
      }
    }
  }
}
