import GlissEvents
import GlissGestures
import Testing

/// The table of settings and the configuration it describes are the same thing.
@Suite struct ConfigurationTests {
  @Test func everyNumberOfTheConfigurationIsInTheTable() {
    var stored: [String] = []
    for group in Mirror(reflecting: GestureConfiguration()).children {
      for field in Mirror(reflecting: group.value).children {
        #expect(field.value is Double, "\(group.label ?? "").\(field.label ?? "") is no number")
        stored.append("\(group.label ?? "").\(field.label ?? "")")
      }
    }
    let named = GestureConfiguration.settings.map(\.name)
    #expect(stored.sorted() == named.sorted())
    #expect(Set(named).count == named.count)
  }

  @Test(arguments: GestureConfiguration.settings.map(\.name))
  func aSettingIsDescribedAndItsNameIsItsOwn(name: String) throws {
    let setting = try #require(GestureConfiguration.settings.first { $0.name == name })
    #expect(setting.range.contains(setting.defaultValue))
    #expect(setting.range.lowerBound < setting.range.upperBound)
    #expect(["mm", "mm/s", "ms", "°", "×", "0/1"].contains(setting.unit))
    #expect(setting.summary.hasSuffix(".") && !setting.source.isEmpty)

    // changing it by name changes the field of that name and no other
    var changed = GestureConfiguration()
    let value = try #require(
      [setting.range.lowerBound, setting.range.upperBound].first { $0 != setting.defaultValue })
    try changed.set(name, to: value)
    #expect(changed.value(of: name) == value)
    for other in GestureConfiguration.settings where other.name != name {
      #expect(changed.value(of: other.name) == other.defaultValue, "\(other.name) changed too")
    }
    let parts = name.split(separator: ".").map(String.init)
    let group = Mirror(reflecting: changed).children.first { $0.label == parts.first }
    let field = group.flatMap {
      Mirror(reflecting: $0.value).children.first { $0.label == parts.last }
    }
    #expect(field?.value as? Double == value)
  }

  @Test(arguments: GestureConfiguration.settings.map(\.name))
  func bothEndsOfARangeAreInItAndNothingBeyond(name: String) throws {
    let setting = try #require(GestureConfiguration.settings.first { $0.name == name })
    let range = setting.range
    let bounds =
      setting.unit == "0/1"
      ? ["true", "false"] : [range.lowerBound.shortest, range.upperBound.shortest]
    var configuration = GestureConfiguration()
    try configuration.set(name, to: range.lowerBound)
    try configuration.set(name, to: range.upperBound)
    for wrong in [range.lowerBound.nextDown, range.upperBound.nextUp, .infinity, .nan] {
      let error = #expect(throws: ConfigurationError.self) {
        try configuration.set(name, to: wrong)
      }
      let words = error?.description ?? ""
      #expect(words.contains(name))
      #expect(bounds.allSatisfy { words.contains($0) })
    }
    #expect(configuration.value(of: name) == range.upperBound)
  }

  @Test func aNameThatDoesNotExistBringsTheOnesThatResembleIt() throws {
    var configuration = GestureConfiguration()
    #expect(configuration.value(of: "tap.durtion") == nil)
    let error = #expect(throws: ConfigurationError.self) {
      try configuration.set("tap.durtion", to: 1)
    }
    #expect(error?.description.contains("tap.duration") == true)
    let strange = #expect(throws: ConfigurationError.self) {
      try configuration.set("zzzzzzzzzzzzzzzzzzzz", to: 1)
    }
    #expect(
      strange?.description
        == "unknown setting “zzzzzzzzzzzzzzzzzzzz”; gliss thresholds lists them all")
  }
}
