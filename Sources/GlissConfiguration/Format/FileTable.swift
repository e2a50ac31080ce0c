import GlissEvents
import GlissGestures
import GlissYaml

/// The contents of a file, before it is checked as a whole.
struct FileDraft {
  var settings: [SettingChange] = []
  var running: Int?
  var milliseconds: Int??
  var profiles: [DeviceProfile] = []
  var rules: [NotedRule] = []
}

/// A rule, with the place of its trigger.
struct NotedRule {
  var rule: Rule
  var place: Place
  var length: Int
  /// It comes from one of the system's files.
  var isSystem = false
}

extension [NotedRule] {
  /// Appends rules. If there are none yet, the new ones are not copied.
  mutating func take(_ more: [NotedRule]) {
    if isEmpty { self = more } else { self += more }
  }
}

enum FileTable {
  static let table = Table<FileDraft>(
    name: "the file", summary: "All keys may be left out.",
    fields: [
      Field("settings", .settings, "Recognizer numbers for every device.") { $0.settings = $1 },
      Field("limits", .limits, "What commands are held to that say nothing else.") {
        $0.running = $1.running
        $0.milliseconds = $1.time
      },
      Field(
        "devices", .list("a list of devices", of: .profile),
        "Recognizer numbers for some devices; a later one wins."
      ) {
        $0.profiles = $1
      },
      Field("gestures", .list("a list of rules", of: GestureTable.form), "Rules of gestures.") {
        $0.rules.take($1)
      },
      Field("hotkeys", .list("a list of rules", of: HotkeyRuleTable.form), "Rules of hotkeys.") {
        $0.rules.take($1)
      },
    ])
}

enum LimitsTable {
  struct Draft {
    var running: Int?
    var time: Int??
  }

  static let table = Table<Draft>(
    name: "limits", summary: "What all commands are held to.",
    fields: [
      Field(
        "running", .integer("a number", 1...10_000),
        "How many commands may run at a time, whatever started them.", standard: "64"
      ) { $0.running = $1 },
      Field(
        "time", .timeOrNone, "How long a command may run before it is ended; `none`: without end.",
        standard: "`none`"
      ) { $0.time = .some($1) },
    ])
}

extension Form where Value == LimitsTable.Draft {
  static let limits = Form.table(
    { LimitsTable.table }, schema: { LimitsTable.table.schema }, start: { LimitsTable.Draft() },
    finish: { draft, _, _ in draft })
}

extension Form where Value == Int? {
  /// Milliseconds, or none.
  static var timeOrNone: Form {
    let time = Form<Double>.quantity(.runningTime)
    var form = Form(
      "", schema: { ["anyOf": [time.schema(), ["const": "none"]]] }
    ) { node, reader in
      if reader.word(node) == "none" { return .some(nil) }
      return time.read(node, &reader).map { .some(Int($0)) }
    }
    form.words = FormWords(
      what: "\(time.words.what), or none", examples: time.words.examples)
    return form
  }
}

enum ProfileTable {
  struct Draft {
    var match: DeviceMatch?
    var settings: [SettingChange] = []
  }

  static let table = Table<Draft>(
    name: "a device's profile", summary: "",
    fields: [
      Field("match", .device, "Which devices it is for.", isRequired: true) { $0.match = $1 },
      Field("settings", .settings, "Recognizer numbers for them.", isRequired: true) {
        $0.settings = $1
      },
    ])
}

extension Form where Value == DeviceProfile {
  static let profile = Form.table(
    { ProfileTable.table }, schema: { ProfileTable.table.schema }, start: { ProfileTable.Draft() },
    finish: { draft, given, reader in
      draft.match.map {
        DeviceProfile(match: $0, settings: draft.settings, place: reader.place(of: given.node))
      }
    })
}

extension Form where Value == DeviceMatch {
  /// The devices that are meant.
  static let device = Form.table(
    { DeviceTable.table }, schema: { ["$ref": "#/$defs/device"] }, start: { DeviceMatch() },
    finish: { match, given, reader in
      if given.pairs.isEmpty {
        reader.report("this matches every device: leave it out, or give it a name", at: given.node)
      }
      return match
    })
}

enum DeviceTable {
  static let table = Table<DeviceMatch>(
    name: "a device", summary: "All that is named must fit. `gliss devices` lists what there is.",
    fields: [
      Field(
        "name", .text("a device's name", "\"ELAN*\""),
        "The device's name; `*` stands for anything, `?` for one character, and case does not count."
      ) { $0.name = $1 },
      Field("id", .identifier, "Vendor and product, as lsusb and udev write them.") {
        $0.vendorAndProduct = $1
      },
      Field(
        "kind", .choice("a kind of device", DeviceMatch.Kind.allCases.map { ($0.rawValue, $0) }),
        "What it is."
      ) { $0.kind = $1 },
    ])
}

extension Form where Value == DeviceMatch.VendorAndProduct {
  static var identifier: Form {
    let words = FormWords(
      what: "vendor and product, four hexadecimal digits each", examples: ["04f3:0676"])
    var form = Form(
      "", schema: { ["type": "string", "pattern": "^[0-9A-Fa-f]{4}:[0-9A-Fa-f]{4}$"] }
    ) { node, reader in
      let parts = (reader.word(node) ?? "").split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 4 && $0.first != "+" }),
        let vendor = UInt16(parts[0], radix: 16), let product = UInt16(parts[1], radix: 16)
      else {
        reader.expected(words, at: node)
        return nil
      }
      return DeviceMatch.VendorAndProduct(vendor: vendor, product: product)
    }
    form.words = words
    return form
  }
}

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
