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
