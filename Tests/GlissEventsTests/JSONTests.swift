import GlissEvents
import Testing

@Suite struct JSONTests {
  @Test func aNullMemberCountsAsAbsent() {
    let value = JSON.object([.init("a", .null), .init("b", .integer(1))])
    #expect(value["a"] == nil)
    #expect(value["b"] == .integer(1))
    #expect(JSON.array([value])["b"] == nil)
  }

  @Test func aValueIsOneThingOnly() {
    let values: [JSON] = [.null, true, 7, .decimal(0.5), "a", ["a", "b"], ["a": 1]]
    #expect(values.map(\.isNull) == [true, false, false, false, false, false, false])
    #expect(values.map(\.bool) == [nil, true, nil, nil, nil, nil, nil])
    #expect(values.map(\.integer) == [nil, nil, 7, nil, nil, nil, nil])
    #expect(values.map(\.number) == [nil, nil, 7, 0.5, nil, nil, nil])
    #expect(values.map(\.string) == [nil, nil, nil, nil, "a", nil, nil])
    #expect(values.map(\.array) == [nil, nil, nil, nil, nil, ["a", "b"], nil])
    #expect(values.map(\.strings) == [nil, nil, nil, nil, nil, ["a", "b"], nil])
    #expect(values.map(\.object) == [nil, nil, nil, nil, nil, nil, [.init("a", 1)]])
    #expect((["a", 1] as JSON).strings == nil)
  }

  @Test(
    arguments: [
      (3, 3), (-0.0, 0), (0x1p53, 9_007_199_254_740_992),
      (-0x1p53, -9_007_199_254_740_992), (9_007_199_254_740_994, nil), (-0x1p63, nil),
      (1.5, nil), (1e300, nil), (.nan, nil), (.infinity, nil),
    ] as [(Double, Int64?)])
  func aDecimalWithoutAFractionIsAWholeNumber(decimal: Double, whole: Int64?) {
    #expect(JSON.decimal(decimal).integer == whole)
  }

  @Test(
    arguments: [
      (.null, "null"), (true, "true"), (false, "false"), (-7, "-7"), (.decimal(5), "5.0"),
      (.microseconds(0), "0.000000"), (.microseconds(-1_500_000), "-1.500000"),
      (.decimal(0.1), "0.1"), (.decimal(1e300), "1e+300"),
      (.decimal(.leastNonzeroMagnitude), "5e-324"),
      (.decimal(.nan), "null"), (.decimal(-.infinity), "null"), ("a\"\u{1}", #""a\"\u0001""#),
      ([], "[]"), ([:], "{}"), ([1, [2], [:]], "[1,[2],{}]"),
      (["b": 1, "a": [true]], #"{"b":1,"a":[true]}"#),
    ] as [(JSON, String)])
  func aValueHasOneText(value: JSON, text: String) {
    #expect(value.description == text)
    #expect(value.encoded == Array(text.utf8))
  }
}
