import GlissConfiguration
import GlissEvents

/// Imports rules from a libinput-gestures.conf.
enum LibinputGesturesImporter {
  static func add(_ source: ImportedText, to file: inout ImportedFile) {
    var settings = GestureLineSettings()
    var lines: [GestureLine] = []
    for number in 1...max(1, source.lineCount) {
      let text = source.line(number).trimmed
      guard !text.isEmpty, text.first != "#" else { continue }
      let (key, rest) = text.cutAtBlank
      let word = GestureLineSettings.bare(key)
      let place = source.place(of: "", line: number)
      switch word {
      case "gesture":
        if let line = GestureLine(rest, source, number, &file) { lines.append(line) }
      case _ where GestureLineSettings.names.contains(word):
        settings.take(word, rest, source, number, &file)
      case _:
        file.lose(text, "libinput-gestures has no such word", at: place)
      }
    }
    settings.tell(&file)
    for (index, line) in lines.enumerated() {
      if let later = lines[(index + 1)...].first(where: { $0.hasSameKey(as: line) }) {
        file.lose(
          line.text, "line \(later.number) has the same motion, and the last one counts",
          at: line.place)
        continue
      }
      // lines that apply to all rules are quoted with the first
      let sources = file.parts.isEmpty ? settings.sources : []
      let rules = rules(of: line, settings, among: lines)
      if rules.isEmpty {
        file.lose(
          line.text, "every number of fingers has a line of its own", at: line.place)
      }
      for rule in rules {
        file.add(
          rule, from: sources + [source.source(line.number)], proposal: line.proposal)
      }
    }
    if file.parts.isEmpty {
      for line in settings.sources {
        file.note(
          line.text, "there is no gesture that it could hold for",
          at: source.place(of: "", line: line.number))
      }
    }
  }

  /// A line without a finger count stands for all counts that no other line of the same motion
  /// names, so that none acts twice. Consecutive counts share a rule.
  private static func rules(
    of line: GestureLine, _ settings: GestureLineSettings, among lines: [GestureLine]
  ) -> [Rule] {
    if let fingers = line.fingers { return [line.rule(fingers: fingers, settings, among: lines)] }
    let named = Set(lines.filter { $0.motion == line.motion }.compactMap(\.fingers))
    var rules: [Rule] = []
    for fingers in line.motion.possibleFingers where !named.contains(fingers) {
      let rule = line.rule(fingers: fingers, settings, among: lines)
      if let joined = rules.last?.joined(with: rule) {
        rules[rules.count - 1] = joined
      } else {
        rules.append(rule)
      }
    }
    return rules
  }
}

extension Rule {
  /// One rule for both, if they differ by one finger only.
  fileprivate func joined(with next: Rule) -> Rule? {
    guard case .gesture(var mine) = trigger, case .gesture(var other) = next.trigger,
      let low = mine.fingers, let high = other.fingers, high.lowerBound == low.upperBound + 1
    else { return nil }
    mine.fingers = low.lowerBound...high.upperBound
    other.fingers = mine.fingers
    guard mine == other else { return nil }
    var joined = self
    joined.trigger = .gesture(mine)
    return joined
  }
}

/// The settings that apply to all gestures of the file.
struct GestureLineSettings {
  /// A line that takes effect.
  private struct Setting {
    var value: String
    var place: Place
    var line: ImportedFile.SourceLine

    var isForAll: Bool { value.lowercased() == "all" }
    var isPath: Bool { value.first == "/" }
  }

  private var named: Setting?
  private var threshold: (setting: Setting, dots: Double)?

  static let names: Set<String> = ["device", "swipe_threshold", "timeout"]

  /// Whether a line with that first word is a gesture or a setting.
  static func isKnown(_ key: String) -> Bool {
    bare(key) == "gesture" || names.contains(bare(key))
  }

  /// The first word of a line, without its optional colon.
  static func bare(_ key: String) -> String { key.last == ":" ? String(key.dropLast()) : key }

  /// The unit of libinput's gestures in mm: a 1000 dpi mouse's.
  private static let dot = 0.0254

  // MARK: What they come to

  /// libinput reports gestures of touchpads only.
  var device: DeviceMatch {
    guard let named, !named.isForAll, !named.isPath else { return DeviceMatch(kind: .touchpad) }
    return DeviceMatch(name: named.value)
  }

  var travel: Bounds? {
    guard let threshold, threshold.dots > 0 else { return nil }
    let length = (threshold.dots * Self.dot * 10).rounded() / 10
    return Bounds(from: min(max(0.1, length), 1000))
  }

  /// The lines that affect rules.
  var sources: [ImportedFile.SourceLine] {
    let lines = [
      device.name == nil ? nil : named?.line, travel == nil ? nil : threshold?.setting.line,
    ]
    return lines.compactMap { $0 }.sorted { $0.number < $1.number }
  }

  // MARK: Reading

  /// Takes a line's setting. The first device counts, but the last threshold.
  mutating func take(
    _ word: String, _ value: String, _ source: ImportedText, _ number: Int,
    _ file: inout ImportedFile
  ) {
    let place = source.place(of: "", line: number)
    let setting = Setting(value: value, place: place, line: source.source(number))
    switch word {
    case "device":
      if value.isEmpty {
        file.lose("device", "the name of a device was expected", at: place)
      } else if let named {
        file.lose(
          "device \(value)", "line \(named.line.number) has a device, and the first counts",
          at: place)
      } else {
        named = setting
      }
    case "swipe_threshold":
      guard let dots = Double(value), dots >= 0, dots < 1_000_000 else {
        file.lose(value, "a number of dots was expected", at: place)
        return
      }
      if let former = threshold?.setting {
        file.lose(
          "swipe_threshold \(former.value)",
          "line \(number) has another one, and the last one counts", at: former.place)
      }
      threshold = (setting, dots)
    case _:
      file.lose(
        "timeout \(value)",
        "a gesture may take as long as it likes; speed: separates quick ones from slow ones",
        at: place)
    }
  }

  /// Notes what became of the settings that take effect.
  func tell(_ file: inout ImportedFile) {
    if let named, named.isForAll {
      file.note("device", "so it is without saying", at: named.place)
    } else if let named, named.isPath {
      file.lose(
        "device \(named.value)",
        "devices are named by name, id or kind: device: {name: …}; 'gliss devices' lists them",
        at: named.place)
    }
    guard let setting = threshold?.setting else { return }
    guard let length = travel?.minimum else {
      file.note("swipe_threshold", "so it is without saying", at: setting.place)
      return
    }
    file.note(
      "swipe_threshold \(setting.value)",
      "taken for \(length.written) mm, as 1000 dots are an inch; change travel: where it is too much or too little",
      at: setting.place)
  }
}
