import GlissConfiguration
import GlissSynthesis
import TestSupport
import Testing

/// Any bytes give rules or mistakes that lie in the file; `GLISS_SEED` repeats a failure.
@Suite struct ReadingPropertyTests {
  static let example = ConfigurationExample.bytes
  /// What is put in between: signs that mean something to YAML or to the file.
  static let pieces: [String] = [
    "\n", "  ", "\t", ":", ": ", "- ", "[", "]", "{", "}", "\"", "'", "#", "&a ", "*a", "!x ",
    "|\n",
    ">\n", "---\n", "...\n", "<<: ", "..", "mm", "\u{0}", "\u{feff}", "\u{2028}", "漢", "\u{85}",
    "\r",
    "null", "~", "99999999999999999999", "-1", "1e309", "gesture: ", "do: ", "steps: ", "\\x", "%",
  ]

  static func mutated(_ source: inout RandomSource) -> [UInt8] {
    var bytes = example
    for _ in 0..<source.integer(1...8) {
      let place = source.integer(0...bytes.count)
      switch source.integer(0...4) {
      case 0: bytes.insert(contentsOf: pieces[source.integer(0...pieces.count - 1)].utf8, at: place)
      case 1: bytes.removeSubrange(place..<min(bytes.count, place + source.integer(0...40)))
      case 2 where place < bytes.count: bytes[place] = UInt8(source.integer(0...255))
      case 3:
        let end = min(bytes.count, place + source.integer(0...200))
        bytes.insert(contentsOf: bytes[place..<end], at: source.integer(0...bytes.count))
      case _: bytes = Array(bytes.prefix(max(place, 1)))
      }
    }
    return bytes
  }

  @Test func anyBytesGiveRulesOrMistakesThatLieInTheFile() {
    for index in 0..<2000 {
      var source = Seed.source("configuration", index)
      let bytes = Self.mutated(&source)
      let reading = Configuration.read([ConfigurationText(name: "f", bytes: bytes)])
      let fault = ReadingInvariants.fault(in: reading, of: bytes)
      #expect(fault == nil, "\(fault ?? ""), \(Seed.advice), \(index)")
    }
  }

  @Test func noiseGivesMistakes() {
    for index in 0..<500 {
      var source = Seed.source("noise", index)
      let bytes = (0..<source.integer(0...300)).map { _ in UInt8(source.integer(0...255)) }
      let reading = Configuration.read([ConfigurationText(name: "f", bytes: bytes)])
      let fault = ReadingInvariants.fault(in: reading, of: bytes)
      #expect(fault == nil, "\(fault ?? ""), \(Seed.advice), \(index)")
    }
  }
}
