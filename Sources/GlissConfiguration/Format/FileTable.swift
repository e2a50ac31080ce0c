import GlissEvents
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
