import GlissEvents
import GlissGestures
import GlissYaml

extension Form where Value == [SettingChange] {
  /// Recognizer settings by name, as `gliss thresholds` lists them.
  static let settings: Form = {
    let words = FormWords(
      what: "settings of gliss thresholds with their values", examples: ["{motion.floor: 0.5}"])
    var form = Form("", schema: { ["$ref": "#/$defs/settings"] }) { node, reader in
      guard reader.yaml.isMapping(node) else {
        if reader.isNothing(node) { return [] }
        reader.expected(words, at: node)
        return nil
      }
      return changes(node, &reader)
    }
    form.words = words
    return form
  }()

  private static func changes(_ node: YamlNode, _ reader: inout Reader) -> [SettingChange] {
    var changes: [SettingChange] = []
    var known: [String: YamlNode] = [:]
    for (key, value) in reader.yaml.pairs(of: node) {
      guard let name = reader.yaml.text(key) else {
        reader.report("expected a setting's name", at: key)
        continue
      }
      if let first = known.updateValue(key, forKey: name) {
        let line = reader.place(of: first).line
        reader.report("\(name) is there already, in line \(line)", at: key)
      }
      guard let number = number(value, of: name, &reader) else { continue }
      var configuration = GestureConfiguration()
      do throws(ConfigurationError) {
        try configuration.set(name, to: number)
        changes.append(SettingChange(name: name, value: number, place: reader.place(of: key)))
      } catch {
        report(error, key, value, &reader)
      }
    }
    return changes
  }

  private static func number(
    _ node: YamlNode, of name: String, _ reader: inout Reader
  ) -> Double? {
    let setting = GestureConfiguration.settings.first { $0.name == name }
    // an unknown name is reported, so its value may be either
    let isSwitch = setting.map { $0.unit == "0/1" } ?? true
    let word = reader.word(node)
    if isSwitch, word == "true" || word == "on" { return 1 }
    if isSwitch, word == "false" || word == "off" { return 0 }
    switch word {
    case let text?:
      let isNumber = text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
      }
      if isNumber, let number = Double(text) { return number }
    case nil: break
    }
    reader.expected(
      isSwitch && setting != nil
        ? FormWords(what: "true or false", examples: [])
        : FormWords(what: "a number in the unit that gliss thresholds names", examples: ["0.5"]),
      at: node)
    return nil
  }

  private static func report(
    _ error: ConfigurationError, _ key: YamlNode, _ value: YamlNode, _ reader: inout Reader
  ) {
    switch error {
    case .unknownSetting(let name, let similar):
      let advice =
        similar.isEmpty
        ? "gliss thresholds lists them all" : "did you mean \(String.list(similar))?"
      reader.report("there is no setting \(name.excerpt); \(advice)", at: key)
    case .outOfRange(let name, let number, let range, let unit):
      let bounds =
        unit == "0/1"
        ? "0 or 1" : "from \(range.lowerBound.shortest) to \(range.upperBound.shortest)"
      let words = unit == "0/1" || unit == "×" ? "" : " \(unit)"
      reader.report("\(name) cannot be \(number.shortest): it is \(bounds)\(words)", at: value)
    }
  }

  /// Every setting with its range and what it does.
  static var schemaOfAll: JSON {
    let properties = GestureConfiguration.settings.map { setting in
      let isSwitch = setting.unit == "0/1"
      var members: [JSON.Member] = [
        .init("description", .string("\(setting.summary) In \(setting.unit).")),
        .init("default", .decimal(setting.defaultValue)),
      ]
      if isSwitch {
        members[0] = .init("description", .string(setting.summary))
        members.append(.init("enum", [0, 1, true, false]))
      } else {
        members.append(.init("type", "number"))
        members.append(.init("minimum", .decimal(setting.range.lowerBound)))
        members.append(.init("maximum", .decimal(setting.range.upperBound)))
      }
      return JSON.Member(setting.name, .object(members))
    }
    return ["type": "object", "additionalProperties": false, "properties": .object(properties)]
  }
}
