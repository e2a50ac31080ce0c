import GlissEvents
import GlissHotkeys

extension RuleChecks {
  /// Reports modes that nothing enters, and modes that nothing leaves.
  mutating func findLooseModes() {
    let modes = Modes(rules)
    var entered: Set<String?> = []
    modes.next.reach(from: nil, &entered)
    findUnleftModes(modes, entered)
    let (entrances, names) = (modes.entrances, modes.names)
    let unentered = names.filter { entrances[$0] == nil }
    let others = names.filter { entrances[$0] != nil }
    // the others may be entered only from these
    for name in unentered + others where !entered.contains(name) {
      modes.next.reach(from: name, &entered)
      guard let rule = modes.first[name] else { continue }
      var message =
        "the mode \(name.excerpt) is entered only from modes that are never entered themselves: give a rule without a mode the action mode: \(name)"
      if entrances[name] == nil {
        let near = Spelling.nearest(to: name, among: others).first
        let advice = near.map { ", or correct the name if \($0) is meant" } ?? ""
        message =
          "no rule enters the mode \(name.excerpt): give one the action mode: \(name)\(advice)"
      }
      report(message, at: rules[rule].place, length: rules[rule].length, .warning)
    }
  }

  private mutating func findUnleftModes(_ modes: Modes, _ entered: Set<String?>) {
    let left = modes.changes.modesWithExit
    for name in modes.names {
      guard let place = modes.entrances[name] else { continue }
      guard modes.first[name] != nil else {
        report(
          "no rule applies in the mode \(name.excerpt): correct its name, or add rules with it",
          at: place, length: 1, .warning)
        continue
      }
      guard entered.contains(name), !left.contains(name) else { continue }
      let what =
        modes.next[name] == nil
        ? "no rule leaves the mode \(name.excerpt)"
        : "no rules lead from the mode \(name.excerpt) back to none"
      // the broker reports Escape only to programs that may read all keys
      let escape =
        modes.keepEscape.contains(name)
        ? "Escape does not leave it, because it has a rule there"
        : "Escape leaves it only if gliss reads keyboards itself"
      report(
        "\(what), and \(escape): give one of its rules the action mode: none",
        at: place, length: 1, .warning)
    }
  }
}

private struct Modes {
  var names: [String] = []
  var first: [String: Int] = [:]
  var entrances: [String: Place] = [:]
  var changes: [ModeChange] = []
  var next: [String?: [String?]] = [:]
  /// Those with a hotkey on Escape, which then does not leave them.
  var keepEscape: Set<String> = []

  init(_ rules: [NotedRule]) {
    for index in rules.indices {
      let rule = rules[index].rule
      if let mode = rule.mode {
        if first[mode] == nil {
          if entrances[mode] == nil { names.append(mode) }
          first[mode] = index
        }
        if case .hotkey(let condition) = rule.trigger,
          condition.hotkey.chords.first == Chord([], .key(.escape))
        {
          keepEscape.insert(mode)
        }
      }
      for change in rule.modeChanges {
        changes.append(change)
        next[change.from, default: []].append(change.to)
        guard let mode = change.to, entrances[mode] == nil else { continue }
        if first[mode] == nil { names.append(mode) }
        entrances[mode] = change.place
      }
    }
  }
}

/// A change from one mode to another that a rule can make; `nil` stands for no mode.
package struct ModeChange: Hashable, Sendable {
  package var from: String?
  package var to: String?
  /// The place of the action in the file.
  package var place: Place
}

extension Rule {
  /// The changes that it can make: from its own mode, and from a mode that it enters at its
  /// beginning and leaves again in every case.
  package var modeChanges: [ModeChange] {
    let all = reactions.modes
    guard !all.isEmpty else { return [] }
    let start = isHotkey ? Reactions(end: reactions.end) : Reactions(begin: reactions.begin)
    let ends =
      isHotkey
      ? [Reactions(release: reactions.release)]
      : [Reactions(end: reactions.end), Reactions(cancel: reactions.cancel)]
    var changes = all.map { ModeChange(from: mode, to: $0.mode, place: $0.place) }
    for entered in start.modes {
      let exits = ends.map { end in end.modes.filter { $0.mode != entered.mode } }
      guard exits.allSatisfy({ !$0.isEmpty }) else { continue }
      for exit in exits.joined() {
        changes.append(ModeChange(from: entered.mode, to: exit.mode, place: exit.place))
      }
    }
    return changes.filter { $0.from != $0.to }
  }
}

extension Reactions {
  /// The modes that its actions enter; `nil` for an action that leaves the mode.
  fileprivate var modes: [(mode: String?, place: Place)] {
    actions.compactMap { action -> (mode: String?, place: Place)? in
      guard case .mode(let mode) = action.verb else { return nil }
      return (mode: mode, place: action.place)
    }
  }
}

extension [ModeChange] {
  /// The modes from which changes lead back to no mode.
  package var modesWithExit: Set<String> {
    var previous: [String?: [String?]] = [:]
    for change in self { previous[change.to, default: []].append(change.from) }
    var found: Set<String?> = []
    previous.reach(from: nil, &found)
    return Set(found.compactMap { $0 })
  }
}

extension [String?: [String?]] {
  /// Adds a mode to `found`, and the modes that are reached from it over any number of others.
  func reach(from mode: String?, _ found: inout Set<String?>) {
    guard found.insert(mode).inserted else { return }
    var rest = [mode]
    while let mode = rest.popLast() {
      for next in self[mode] ?? [] where found.insert(next).inserted { rest.append(next) }
    }
  }
}
