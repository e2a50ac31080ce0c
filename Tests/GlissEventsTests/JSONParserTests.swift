import GlissEvents
import Testing

/// What RFC 8259 allows, and nothing else: the parser stands between every process of the machine and the broker.
@Suite struct JSONParserTests {
  private func parse(_ text: String, _ limits: JSON.Limits = .init()) throws(JSONError) -> JSON {
    try JSON(parsing: Array(text.utf8), limits: limits)
  }

  @Test(
    arguments: [
      ("null", .null), (" \t\r\n true \t\r\n ", true), ("false", false), ("[]", []), ("[ ]", []),
      ("{}", [:]), ("{ }", [:]), ("[1,2]", [1, 2]), ("[ 1 , 2 ]", [1, 2]),
      ("[[],[[]]]", [[], [[]]]),
      (#"{"a":1}"#, ["a": 1]), (#" { "a" : 1 , "b" : [ ] } "#, ["a": 1, "b": []]),
      (#"{"":""}"#, ["": ""]), (#"{"a":{"a":null}}"#, ["a": ["a": .null]]), (#""""#, ""),
    ] as [(String, JSON)])
  func valuesAreTaken(text: String, value: JSON) throws {
    #expect(try parse(text) == value)
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("1234567890", 1_234_567_890),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .decimal(0x1p63)),
      ("-9223372036854775809", .decimal(-0x1p63)), ("1.0", .decimal(1)),
      ("1e0", .decimal(1)), ("-0.0", .decimal(0)), ("0.5", .decimal(0.5)), ("1E2", .decimal(100)),
      ("1e+2", .decimal(100)), ("12.5e-1", .decimal(1.25)), ("0e0", .decimal(0)),
      ("1e-400", .decimal(0)), ("1.7976931348623157e308", .decimal(.greatestFiniteMagnitude)),
      ("5e-324", .decimal(.leastNonzeroMagnitude)), ("0.1", .decimal(0.1)),
    ] as [(String, JSON)])
  func numbersAreTaken(text: String, value: JSON) throws {
    #expect(try parse(text) == value)
    #expect(try parse("[\(text)]") == [value])
  }

  /// Also from escapes, and for characters of class 0 that decompose into marks.
  @Test(arguments: ["\u{301}", "\u{323}\u{301}", "\u{f73}", #"\u0301"#, "\u{f71}\u{345}"])
  func moreMarksThanStreamSafeTextHasAreRefused(mark: String) throws {
    let scalars = try parse("\"\(mark)\"").string?.unicodeScalars.count ?? 1
    let most = String(repeating: mark, count: 30 / scalars)
    #expect(try parse("\"a\(most)a\(most)\"").string?.isStreamSafe == true)
    #expect(throws: JSONError(.marks, at: 1)) { try parse("\"\(most)\(mark)\"") }
    #expect(throws: JSONError(.marks, at: 2)) { try parse("{\"\(most)\(mark)\":1}") }
    var limits = JSON.Limits()
    limits.onlyStreamSafe = false
    #expect(try parse("\"\(most)\(mark)\"", limits).string?.isStreamSafe == false)
  }

  @Test(
    arguments: [
      (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""Aé""#, "Aé"),
      (#""\u0041\u00e9\u20AC""#, "Aé€"), (#""\ud83d\ude00!""#, "😀!"), (#""a\u0001b""#, "a\u{1}b"),
      ("\"ß€😀\u{7f}\u{80}\"", "ß€😀\u{7f}\u{80}"), (#""\\u0041""#, "\\u0041"),
      (#""\uFFFF\uFFFE""#, "\u{FFFF}\u{FFFE}"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
      (#""\u00Aéx""#, nil), ("\"\u{2028}\"", "\u{2028}"),
    ] as [(String, String?)])
  func stringsAreTaken(text: String, value: String?) throws {
    #expect((try? parse(text)) == value.map { .string($0) })
  }

  @Test(
    arguments: [
      ("", .ended, 0), ("  ", .ended, 2), ("nul", .ended, 3), ("nulL", .unexpected, 3),
      ("True", .unexpected, 0), ("NaN", .unexpected, 0), ("Infinity", .unexpected, 0),
      ("-Infinity", .unexpected, 1), ("'a'", .unexpected, 0), ("a", .unexpected, 0),
      ("\u{feff}1", .unexpected, 0), ("// a\n1", .unexpected, 0), ("/**/1", .unexpected, 0),
      ("1 2", .trailing, 2), ("[] ,", .trailing, 3), ("{}}", .trailing, 2),
      ("1\u{c}", .trailing, 1),
      ("1\u{0}", .trailing, 1), ("1\u{a0}", .trailing, 1), ("[", .ended, 1), ("[1", .ended, 2),
      ("[1,", .ended, 3), ("[1,]", .unexpected, 3), ("[,1]", .unexpected, 1),
      ("[1 2]", .unexpected, 3), ("[1}", .unexpected, 2), ("[1,,2]", .unexpected, 3),
      ("{", .ended, 1), ("{1:2}", .unexpected, 1), ("{a:1}", .unexpected, 1),
      (#"{"a"}"#, .unexpected, 4), (#"{"a" 1}"#, .unexpected, 5), (#"{"a":}"#, .unexpected, 5),
      (#"{"a":1,}"#, .unexpected, 7), (#"{,"a":1}"#, .unexpected, 1),
      (#"{"a":1 "b":2}"#, .unexpected, 7),
      (#"{"a":1,"a":2}"#, .duplicate, 7), (#"{"a":1,"\u0061":2}"#, .duplicate, 7),
      (#"{"a":1;"b":2}"#, .unexpected, 6), (#"{"a":1"#, .ended, 6), (#"{"a""#, .ended, 4),
      (#"{"a":"#, .ended, 5),
    ] as [(String, JSONError.Reason, Int)])
  func invalidJSONIsRefused(text: String, reason: JSONError.Reason, offset: Int) {
    #expect(throws: JSONError(reason, at: offset)) { try parse(text) }
  }

  @Test(
    arguments: [
      ("01", .trailing, 1), ("-01", .trailing, 2), ("00", .trailing, 1), ("+1", .unexpected, 0),
      (".5", .unexpected, 0), ("1.", .ended, 2), ("[1.]", .unexpected, 3), ("-", .ended, 1),
      ("-a", .unexpected, 1), ("1e", .ended, 2), ("1e+", .ended, 3), ("1e5.5", .trailing, 3),
      ("1.5.5", .trailing, 3), ("0x10", .trailing, 1), ("1_000", .trailing, 1),
      ("1e400", .number, 0),
      ("[-1e400]", .number, 1), ("--1", .unexpected, 1), ("-.5", .unexpected, 1),
      ("1 e5", .trailing, 2),
      ("٣", .unexpected, 0), ("1f", .trailing, 1),
    ] as [(String, JSONError.Reason, Int)])
  func invalidNumbersAreRefused(text: String, reason: JSONError.Reason, offset: Int) {
    #expect(throws: JSONError(reason, at: offset)) { try parse(text) }
  }

  @Test(
    arguments: [
      (#"""#, .ended, 1), (#""a"#, .ended, 2), ("\"a\nb\"", .control, 2), ("\"\t\"", .control, 1),
      ("\"\u{0}\"", .control, 1), (#""\"#, .ended, 2), (#""\a""#, .escape, 2),
      (#""\'""#, .escape, 2),
      (#""\U0041""#, .escape, 2), (#""\x41""#, .escape, 2), (#""\u004""#, .escape, 6),
      (#""\u""#, .escape, 3), (#""\u00g0""#, .escape, 5), (#""\u"#, .ended, 3),
      (#""\u+041""#, .escape, 3), (#""\u0000""#, .nul, 1), (#""a\u0000b""#, .nul, 2),
      (#""\ud800""#, .surrogate, 1), (#""\udc00""#, .surrogate, 1), (#""\ud800a""#, .surrogate, 1),
      (#""\ud800\n""#, .surrogate, 1), (#""\ud800\u0041""#, .surrogate, 1),
      (#""\ud800\ud800""#, .surrogate, 1), (#""\udc00\ud800""#, .surrogate, 1),
      (#""\ud83d\ude0""#, .escape, 12),
    ] as [(String, JSONError.Reason, Int)])
  func invalidStringsAreRefused(text: String, reason: JSONError.Reason, offset: Int) {
    #expect(throws: JSONError(reason, at: offset)) { try parse(text) }
  }

  /// Bytes that are not a character: too long, surrogates, too large, cut off, and some that never occur.
  @Test(
    arguments: [
      [0x80], [0xbf], [0xc0, 0x80], [0xc0, 0xaf], [0xc1, 0xbf], [0xc2], [0xc2, 0x41],
      [0xe0, 0x80, 0xaf], [0xe0, 0x9f, 0xbf], [0xe2, 0x82], [0xe2, 0x82, 0x41], [0xe2, 0x41, 0x80],
      [0xed, 0xa0, 0x80], [0xed, 0xaf, 0xbf], [0xed, 0xb0, 0x80], [0xed, 0xbf, 0xbf],
      [0xf0, 0x80, 0x80, 0xaf], [0xf0, 0x8f, 0xbf, 0xbf], [0xf0, 0x9f, 0x98],
      [0xf0, 0x9f, 0x41, 0x80],
      [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xfe],
      [0xff],
    ] as [[UInt8]])
  func invalidUTF8IsRefused(bytes: [UInt8]) {
    let message = Array("[\"ß".utf8) + bytes + Array("\"]".utf8)
    #expect(throws: JSONError(.notUTF8, at: 2)) { try JSON(parsing: message) }
    // outside of a string nothing but ASCII can stand
    #expect(throws: JSONError(.unexpected, at: 0)) { try JSON(parsing: bytes) }
  }

  @Test func everyCharacterIsTakenAsUTF8AndAsEscapes() throws {
    for code in stride(from: 1, through: 0x10FFFF, by: 97) {
      guard let scalar = Unicode.Scalar(UInt32(code)) else { continue }
      let string = String(scalar)
      let escaped = string.utf16.map { unit in
        "\\u" + String(repeating: "0", count: 4 - String(unit, radix: 16).count)
          + String(unit, radix: 16)
      }.joined()
      #expect(try parse("\"\(escaped)\"") == .string(string))
      if code >= 0x20, !"\"\\".contains(string) {
        #expect(try parse("\"\(string)\"") == .string(string))
      }
    }
  }

  @Test func aMessageIsHeldToItsLimits() throws {
    let limits = JSON.Limits(bytes: 20, depth: 3, values: 5)
    #expect(try parse(String(repeating: " ", count: 19) + "1", limits) == 1)
    #expect(throws: JSONError(.tooLong, at: 20)) {
      try parse(String(repeating: " ", count: 20) + "1", limits)
    }
    #expect(try parse("[[[]],[[]]]", limits) == [[[]], [[]]])
    #expect(throws: JSONError(.tooDeep, at: 3, maximum: 3)) { try parse("[[[[]]]]", limits) }
    #expect(throws: JSONError(.tooDeep, at: 10, maximum: 3)) {
      try parse(#"{"a":[{"":{}}]}"#, limits)
    }
    #expect(try parse("[1,2,3,4]", limits) == [1, 2, 3, 4])
    for text in ["[1,2,3,4,5]", "[1,2,[3],4]"] {
      #expect(throws: JSONError(.tooMany, at: 9, maximum: 5)) { try parse(text, limits) }
    }
  }

  @Test func depthIsBoundedLongBeforeTheStackIs() {
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 65_536)
    #expect(throws: JSONError(.tooDeep, at: 16, maximum: 16)) { try JSON(parsing: deep) }
  }

  @Test(arguments: [7, 8, 9, 2000]) func namesDifferHoweverManyThereAre(count: Int) throws {
    let members = (0..<count).map { #""name \#($0)":\#($0)"# }
    let text = members.joined(separator: ",")
    #expect(try parse("{\(text)}").object?.count == count)
    for place in [0, count - 1] {
      #expect(throws: JSONError(.duplicate, at: text.utf8.count + 2)) {
        try parse("{\(text),\(members[place])}")
      }
    }
  }

  @Test func namesDifferWhereTheirBytesDo() throws {
    let text = "{\"e\u{301}\":1,\"\u{e9}\":2}"
    #expect(try parse(text).object?.count == 2)
  }

  @Test func anErrorSaysWhere() {
    #expect(
      JSONError(.duplicate, at: 7).description
        == "byte 7: a name appears twice in one object")
    #expect(
      JSONError(.tooMany, at: 7, maximum: 5).description
        == "byte 7: it has too many values (at most 5)")
  }
}
