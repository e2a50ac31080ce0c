import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@Suite struct JSONPropertyTests {
  private static let pieces = [
    "a", "\"", "\\", "/", "\n", "\u{1}", "\u{7f}", "\u{85}", "ß", "€", "\u{301}", "😀", "\u{ffff}",
    "name",
  ]

  private static func string(_ random: inout RandomSource) -> String {
    (0..<random.integer(0...6)).map { _ in random.pick(pieces) }.joined()
  }

  private static func number(_ random: inout RandomSource) -> JSON {
    if random.chance(0.5) {
      return .integer(Int64(bitPattern: random.next()) >> Int64(random.integer(0...63)))
    }
    let number = Double(bitPattern: random.next())
    return .decimal(number.isFinite ? number : 0.5)
  }

  static func value(_ random: inout RandomSource, depth: Int = 0) -> JSON {
    switch random.integer(0...(depth < 5 ? 7 : 5)) {
    case 0: return .null
    case 1: return .bool(random.chance(0.5))
    case 2, 3: return number(&random)
    case 4, 5: return .string(string(&random))
    case 6:
      return .array((0..<random.integer(0...5)).map { _ in value(&random, depth: depth + 1) })
    case _:
      let count = random.integer(0...12)
      return .object(
        (0..<count).map { .init("\($0)" + string(&random), value(&random, depth: depth + 1)) })
    }
  }

  @Test func writtenJSONReadsBackTheSame() throws {
    for index in 0..<2000 {
      var random = Seed.source("written and read", index)
      let value = Self.value(&random)
      #expect(try JSON(parsing: value.encoded) == value, "\(Seed.advice)")
    }
  }

  /// Random bytes are seldom JSON: a text with a few bytes changed is nearer to it.
  @Test func whateverIsReadIsReadAgainAsItIsWritten() {
    var taken = 0
    for index in 0..<5000 {
      var random = Seed.source("changed", index)
      var text = Self.value(&random).encoded
      for _ in 0..<random.integer(1...3) {
        let place = random.integer(0...text.count - 1)
        text[place] =
          random.chance(0.7)
          ? random.pick(Array("{}[]\",:\\ue0-1.".utf8)) : UInt8(random.integer(0...255))
      }
      guard let value = try? JSON(parsing: text) else { continue }
      taken += 1
      #expect((try? JSON(parsing: value.encoded)) == value, "\(Seed.advice)")
    }
    #expect(taken > 100)
  }

  @Test func anErrorIsNeverBeyondTheText() {
    for index in 0..<2000 {
      var random = Seed.source("cut", index)
      let text = Self.value(&random).encoded
      let cut = Array(text.prefix(random.integer(0...text.count)))
      do throws(JSONError) {
        _ = try JSON(parsing: cut)
      } catch {
        #expect((0...cut.count).contains(error.offset), "\(Seed.advice)")
      }
    }
  }
}
