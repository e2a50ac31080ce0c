import GlissEvents
import GlissGestures
import GlissYaml

/// The contents of the files so far, before they are checked as a whole.
struct FileDraft {
  /// Without rules.
  var configuration = Configuration()
  var rules: [NotedRule] = []
}

struct NotedRule {
  var rule: Rule
  var place: Place
  var length: Int
  /// Its hotkey could be typed or clicked.
  var isTyped = false
  /// It comes from one of the system's files.
  var isSystem = false
}

enum FileTable {
  static let table = Table<FileDraft>(
    name: "the file",
    fields: [
      // `ConfigurationText.includes` finds these; here they are only checked
      Field(
        "include", .oneOrMore(.text("a file", "volume.yaml", "~/.config/shared/gliss.yaml")),
        "Files that are read before this one; a path is relative to this file's folder."
      ) { _, _ in },
      Field("settings", .settings, "Recognizer numbers for every device.") {
        $0.configuration.settings += $1
      },
      Field("limits", LimitsTable.table, "Limits for commands without their own."),
      Field(
        "devices", .list("a list of devices", of: Form<DeviceProfile>.profile),
        "Recognizer numbers for some devices; a later one wins."
      ) { $0.configuration.profiles += $1 },
      Field("gestures", .list("a list of rules", of: GestureTable.form), "Rules of gestures.") {
        $0.rules += $1
      },
      Field("hotkeys", .list("a list of rules", of: HotkeyRuleTable.form), "Rules of hotkeys.") {
        for rules in $1 { $0.rules += rules }
      },
    ])
}

extension FileTable {
  private static let fusumaKeys = ["swipe", "pinch", "plugin", "thumbsense"]

  /// What to do with a file of another program, by keys that only such a file has.
  private static let strangers: KeyValuePairs = [
    "this is a recording: 'gliss replay FILE' shows what is recognized in it": [
      "ndevices", "libinput", "N",
    ],
    "if this is fusuma's file, 'gliss import fusuma FILE' makes rules of it": fusumaKeys,
    "if this is InputActions' file, 'gliss import inputactions FILE' makes rules of it": [
      "touchpad", "device_rules",
    ],
  ]

  /// Reads a file. A file of another program is one mistake, however many keys it has.
  static func read(_ root: YamlNode, into draft: inout FileDraft, _ reader: inout Reader) {
    let pairs = reader.yaml.pairs(of: root)
    let keys = pairs.map { reader.yaml.text($0.key) }
    if !keys.contains("gestures"), !keys.contains("hotkeys") {
      for (advice, words) in strangers {
        let found = pairs.indices.first { place in
          guard let key = keys[place], words.contains(key) else { return false }
          // a list below swipe is an attempt at our own rules
          return !fusumaKeys.contains(key) || reader.yaml.isMapping(pairs[place].value)
        }
        guard let place = found else { continue }
        let key = (keys[place] ?? "").excerpt
        reader.report(
          "unknown key \(key) in the file, whose rules stand below gestures and hotkeys; \(advice)",
          at: pairs[place].key)
        return
      }
    }
    // what 'gliss keys' prints is such a list
    let rule = reader.yaml.items(of: root).first
    for (key, list) in [("gesture", "gestures"), ("hotkey", "hotkeys")]
    where reader.yaml.value(key, of: rule) != nil {
      reader.expected(table.words, at: root, "; put \(list): above it")
      return
    }
    _ = table.read(root, into: &draft, &reader)
  }
}

enum LimitsTable {
  static let table = Table<FileDraft>(
    name: "limits",
    fields: [
      Field(
        "running", .integer("a number", 1...10_000), \.configuration.limits.running,
        "How many commands may run at a time, whatever started them.", standard: "64"),
      Field(
        "time", .timeOrNone, \.configuration.limits.milliseconds,
        "How long a command may run before it is ended; `none`: without end.", standard: "`none`"),
    ])
}

extension Form where Value == Int? {
  static var timeOrNone: Form {
    let time = Form<Double>.quantity(.runningTime)
    return Form(
      FormWords("\(time.words.what), or none", examples: time.words.examples),
      schema: ["anyOf": [time.schema(), ["const": "none"]]]
    ) { node, reader in
      if reader.word(node) == "none" { return .some(nil) }
      return time.read(node, &reader).map { .some(Int($0)) }
    }
  }
}

enum ProfileTable {
  static let table = Table<DeviceProfile>(
    name: "a device's profile",
    fields: [
      Field(
        "match", .device(or: "put the settings below the file's own settings"), \.match,
        "Which devices it is for.", isRequired: true),
      Field(
        "application", .application, \.application,
        "The application that has the focus when the fingers land (docs/focus.md).",
        standard: "any, or none"),
      Field("settings", .settings, \.settings, "Recognizer numbers for them.", isRequired: true),
    ])
}

extension Form where Value == DeviceProfile {
  static let profile = Form.table(
    ProfileTable.table, start: DeviceProfile(match: DeviceMatch(), settings: [])
  ) { profile, given, reader in
    if let kind = profile.match.kind, kind == .keyboard || kind == .mouse {
      reader.report(
        "a \(kind.rawValue) makes no gestures, so these settings have no effect: leave them out",
        at: given.value("match") ?? given.node, severity: .warning)
    }
    return profile
  }
}

extension Form where Value == DeviceMatch {
  static let device = device(or: "leave it out")

  /// - Parameter advice: what to do if it is for every device.
  static func device(or advice: String) -> Form {
    let table = Form.table(DeviceTable.table, definition: "device", start: DeviceMatch()) {
      match, given, reader in
      if given.pairs.isEmpty, !given.hasUnknown {
        reader.report("this matches every device: \(advice), or give it a name", at: given.node)
      }
      return match
    }
    return Form(table.words, schema: table.schema()) { node, reader in
      guard let word = reader.word(node) else { return table.read(node, &reader) }
      let isID = word.utf8.count == 9 && word.contains(":") && !word.contains(" ")
      let key = DeviceMatch.Kind(rawValue: word) != nil ? "kind" : isID ? "id" : "name"
      reader.expected(table.words, at: node, ": write {\(key): \(YamlQuoting.item(word))}")
      return nil
    }
  }
}

enum DeviceTable {
  static let table = Table<DeviceMatch>(
    name: "a device",
    fields: [
      Field(
        "name", .text("a device's name", "\"ELAN*\"").filled, \.name,
        "The device's name; `*` matches anything, `?` one character, and case does not count."
      ),
      Field(
        "id", .identifier, \.vendorAndProduct, "Vendor and product, as lsusb and udev write them."),
      Field(
        "kind", .choice("a kind of device", DeviceMatch.Kind.allCases.map { ($0.rawValue, $0) }),
        \.kind, "What it is."),
    ])
}

extension Form where Value == DeviceMatch.VendorAndProduct {
  static var identifier: Form {
    .scalar(
      FormWords("vendor and product, four hexadecimal digits each", "04f3:0676"),
      schema: ["type": "string", "pattern": "^[0-9A-Fa-f]{4}:[0-9A-Fa-f]{4}$"]
    ) { text in
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 4 && $0.first != "+" }),
        let vendor = UInt16(parts[0], radix: 16), let product = UInt16(parts[1], radix: 16)
      else { return nil }
      return DeviceMatch.VendorAndProduct(vendor: vendor, product: product)
    }
  }
}

extension Form where Value == [SettingChange] {
  /// Recognizer settings by name, as `gliss thresholds` lists them.
  static let settings: Form = {
    let words = FormWords(
      "settings of gliss thresholds with their values", "{motion.floor: 0.5 mm}")
    return Form(words, schema: ["$ref": "#/$defs/settings"]) { node, reader in
      reader.entries(of: node, words, "a setting's name").map { changes($0, &reader) }
    }
  }()

  private static func changes(
    _ entries: [Reader.Entry], _ reader: inout Reader
  ) -> [SettingChange] {
    var changes: [SettingChange] = []
    for (name, key, value) in entries {
      let parts = name.split(separator: "=", maxSplits: 1)
      if parts.count == 2, reader.isNothing(value) {
        reader.report(
          "a setting and its value are separated by a colon: write \(parts[0]): \(parts[1])",
          at: key)
        continue
      }
      guard let text = reader.word(value) else {
        let below = reader.yaml.pairs(of: value).compactMap { reader.yaml.text($0.0) }
        let full = below.map { "\(name).\($0)" }.first {
          GestureConfiguration().value(of: $0) != nil
        }
        let advice = full.map { ": a setting's name is one word, as in \($0)" }
        reader.expected(FormWords("a setting's value", "0.5 mm"), at: value, advice ?? "")
        continue
      }
      var configuration = GestureConfiguration()
      do throws(ConfigurationError) {
        try configuration.set(name, to: text)
        let number = configuration.value(of: name) ?? 0
        changes.append(SettingChange(name: name, value: number))
      } catch {
        switch error {
        case .unknownSetting: reader.report(error.description, at: key)
        case .notAValue(_, _, _, let unit):
          let (numbers, other) = Measure.parts(of: text)
          let ours = OtherWords.converted(numbers, other, to: [unit]) ?? ""
          let isValid = (try? configuration.set(name, to: ours)) != nil
          reader.report(
            isValid ? "\(name) is a number in \(unit): write \(ours)" : error.description,
            at: value)
        case .outOfRange: reader.report(error.description, at: value)
        }
      }
    }
    return changes
  }

  static var schemaOfAll: JSON {
    let properties = GestureConfiguration.settings.map { setting in
      let isSwitch = setting.unit == "0/1"
      let head: JSON = [
        "description": .string(setting.summary + (isSwitch ? "" : " In \(setting.unit).")),
        "default": .decimal(setting.defaultValue),
      ]
      let values: JSON =
        isSwitch
        ? ["enum": [0, 1, true, false]]
        : [
          "type": ["number", "string"],
          "pattern": .string("^-?[0-9]+(\\.[0-9]+)? *(\(setting.unit))?$"),
          "minimum": .decimal(setting.range.lowerBound),
          "maximum": .decimal(setting.range.upperBound),
        ]
      return JSON.Member(setting.name, head.adding(values))
    }
    return ["type": "object", "additionalProperties": false, "properties": .object(properties)]
  }
}

enum ApplicationTable {
  static let table = Table<ApplicationMatch>(
    name: "an application",
    fields: [
      Field("only", names, \.only, "Only these applications."),
      Field("not", names, \.not, "All but these."),
      Field(
        "title", .oneOrMore(.text("a window's title", "\"YouTube*\"").filled), \.titles,
        "Only windows with one of these titles."),
      Field(
        "window", .choice("a window", FollowedWindow.allCases.map { ($0.rawValue, $0) }), \.window,
        "Which window must match (docs/focus.md).", standard: "`focused`"),
    ])

  static let name = Form.text("an application's name", "firefox", "\"org.gnome.*\"").filled

  /// The name that stands for a regular expression without ends; `nil` if none may.
  private static func replacement(
    for pattern: String, _ start: String, _ end: String
  ) -> String? {
    let words = pattern.replacing(".*", with: "*").replacing("\\.", with: ".")
    let name = (start + words + end).replacing("**", with: "*")
    let isAny = name == "*" && !pattern.contains(".*")
    let hasOther = name.contains { "[]()|{}+?\\^$".contains($0) }
    return name.isEmpty || isAny || hasOther ? nil : name
  }

  /// What is wrong with a name as regular expressions and files are written; `nil` for others.
  private static func mistake(in name: String) -> String? {
    let inner = name.trimmed
    // a name of blanks alone is reported already
    if inner.isEmpty { return nil }
    guard inner == name else {
      return "blanks at the ends of a name count: write \(YamlQuoting.item(inner))"
    }
    // the name of a program's domain may end so, as in org.telegram.desktop
    if name.hasSuffix(".desktop"), name.count > 8, !name.contains("*"),
      name.count(where: { $0 == "." }) != 2
    {
      let stem = YamlQuoting.item(String(name.dropLast(8)))
      return "a name has no .desktop at its end: write \(stem)"
    }
    if name.count > 1, name.first == "!" { return "\(wildcards): write not, as in {not: gimp}" }
    let isPattern = name.count > 2 && name.first == "/" && name.last == "/"
    let pattern = isPattern ? String(name.dropFirst().dropLast()) : name
    let (isStart, isEnd) = (pattern.first == "^", pattern.count > 1 && pattern.last == "$")
    let rest = pattern.dropFirst(isStart ? 1 : 0).dropLast(isEnd ? 1 : 0)
    let isGroup = rest.count > 1 && rest.first == "(" && rest.last == ")"
    let parts = (isGroup ? rest.dropFirst().dropLast() : rest).split(separator: "|")
    // .* behind a name may as well be part of it, as in org.gnome.*
    guard isPattern || isStart || isEnd || parts.count > 1 || name.hasPrefix(".*") else {
      return nil
    }
    let isOpen = isPattern || parts.count == 1 && isStart != isEnd
    let names = parts.enumerated().compactMap { index, part in
      // without a group, ^ belongs to the first alternative and $ to the last
      let begins = isStart && (isGroup || index == 0)
      let ends = isEnd && (isGroup || index == parts.count - 1)
      return replacement(
        for: String(part).trimmed, isOpen && !begins ? "*" : "", isOpen && !ends ? "*" : "")
    }
    guard names.count == parts.count, let first = names.first else { return inGeneral }
    let ours = names.count > 1 ? CommandLine.list(names) : YamlQuoting.item(first)
    return "\(wildcards): write \(ours)"
  }

  private static let wildcards = "in a name only * and ? stand for other characters"
  private static let inGeneral = wildcards + ", as in \"org.gnome.*\""

  static let names: Form<[String]> = {
    let names = Form<[String]>.oneOrMore(name)
    return Form(names.words, schema: names.schema()) { node, reader in
      let read = names.read(node, &reader)
      for item in reader.yaml.isSequence(node) ? reader.yaml.items(of: node) : [node] {
        guard let name = reader.yaml.text(item) else { continue }
        let comma = "this is one name with a comma; several are a list, as in [firefox, chromium]"
        let isList = item == node && name.contains(",")
        for advice in [isList ? comma : nil, mistake(in: name)].compactMap(\.self) {
          reader.report(advice, at: item, severity: .warning)
        }
      }
      return read
    }
  }()
}

extension ApplicationMatch {
  /// Whether it surely excludes all that it includes.
  fileprivate var isNever: Bool {
    if not.contains("*") { return true }
    // a pattern is within another if that is the same
    return !only.isEmpty
      && only.allSatisfy { name in
        let isPattern = name.contains("*") || name.contains("?")
        return not.contains { isPattern ? $0 == name : FoldedText(name).fits($0) }
      }
  }
}

extension Form where Value == ApplicationMatch {
  static let application: Form = {
    let names = ApplicationTable.names
    let mapping = Form.table(
      ApplicationTable.table, definition: "application", start: ApplicationMatch()
    ) { match, given, reader in
      if given.pairs.isEmpty, !given.hasUnknown {
        reader.report(
          "this matches every application: leave it out, or give it a name, as in application: firefox",
          at: given.node)
      }
      if match.isNever {
        reader.report(
          match.not.contains("*")
            ? "not: * excludes every application"
            : "this leaves no application: not excludes all of them",
          at: given.value("not") ?? given.node, severity: .warning)
      }
      return match
    }
    let words = FormWords(
      "an application's name, a list of them, or a mapping (only, not, title and window)",
      examples: ["firefox", "[firefox, chromium]", "{not: [gimp, krita]}"])
    return Form(words, schema: ["anyOf": [names.schema(), mapping.schema()]]) { node, reader in
      reader.yaml.isMapping(node)
        ? mapping.read(node, &reader) : names.read(node, &reader).map { ApplicationMatch(only: $0) }
    }
  }()
}
