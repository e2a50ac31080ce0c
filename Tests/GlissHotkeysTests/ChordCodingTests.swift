import Foundation
import GlissEvents
import GlissHotkeys
import Testing

/// Chords and the timing of hotkeys as JSON.
@Suite struct ChordCodingTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func value<Value: Decodable>(_ text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

  @Test(arguments: ["alt+left", "super+'ö'", "tap:super", "ctrl+code:700", "f5"])
  func aChordIsItsText(_ text: String) throws {
    let chords: [Chord] = try value(#"["\#(text)"]"#)
    #expect(try chords == Chord.chords(toPress: text) && chords.count == 1)
    let again: [Chord] = try value(json(chords))
    #expect(again == chords)
  }

  @Test(arguments: [
    ("shift", "leftshift"), ("rshift", "rightshift"), ("lshift+rshift", "lshift+rightshift"),
    ("lsuper + rsuper", "lsuper+rightmeta"),
  ])
  func modifiersAloneArePressedBySide(_ text: String, _ keys: String) throws {
    #expect(try Chord.chords(toPress: text) == [Hotkey(keys).chords[0]])
  }

  @Test(arguments: ["super+k ; w", "release:f5", "supper+k", ""])
  func onlyOneChordIsAccepted(_ text: String) {
    #expect(throws: DecodingError.self) { let _: [Chord] = try value(#"["\#(text)"]"#) }
  }

  @Test func keysToPressHaveNoPrefix() {
    let error = #expect(throws: HotkeyError.self) { try Chord.chords(toPress: "release:f5") }
    #expect(
      error?.description.contains(
        "leave out “release:”, which says when a hotkey acts: these keys are pressed") == true)
  }

  @Test func theTimingIsInSeconds() throws {
    var configuration = HotkeyConfiguration()
    configuration.longestTap = .milliseconds(250)
    configuration.abortKey = .f12
    let text = #"{"abortKey":"KEY_F12","longestTap":0.25,"sequenceTimeout":3}"#
    #expect(try json(configuration) == text)
    #expect(try value(text) == configuration)
    #expect(try value("{}") == HotkeyConfiguration())
    #expect("\(configuration)" == "sequenceTimeout=3 s, longestTap=250 ms, abortKey=KEY_F12")
  }
}
