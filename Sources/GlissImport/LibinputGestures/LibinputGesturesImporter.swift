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
