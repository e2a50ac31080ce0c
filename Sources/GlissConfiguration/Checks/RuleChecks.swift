import GlissEvents
import GlissHotkeys

/// Finds conflicts between rules, each of which is valid by itself.
struct RuleChecks {
  private let sources: [String: SourceText]
  private(set) var mistakes = MistakeList()
  /// The rules in force: a user's rule replaces a system rule with the same trigger.
  private(set) var rules: [NotedRule]
  private var overridden: Set<Int> = []

  /// - Parameter areWhole: no rule had errors, so whole rules can be compared.
  init(_ rules: [NotedRule], _ sources: [String: SourceText], areWhole: Bool) {
    self.rules = rules
    self.sources = sources
    findTakenHotkeys()
    findHotkeysTakenAcrossDevices()
    if areWhole { findSameConditions() }
    if !overridden.isEmpty {
      self.rules = rules.indices.filter { !overridden.contains($0) }.map { rules[$0] }
    }
    findLooseModes()
    findUnusualKeys()
    findTypedHotkeys()
  }

  /// If the earlier rule is the system's and the later one is not, drops the earlier one and
  /// returns `true`.
  private mutating func overrides(_ later: Int, _ earlier: Int) -> Bool {
    guard rules[earlier].isSystem, !rules[later].isSystem else { return false }
    overridden.insert(earlier)
    return true
  }

  private mutating func report(
    _ message: String, at place: Place, length: Int, _ severity: Mistake.Severity
  ) {
    guard !mistakes.isFull(severity) else { return }
    let source = sources[place.file]?.line(place.line - 1)
    mistakes.append(Mistake(message, at: place, length: length, source: source, severity: severity))
  }

  // MARK: Hotkeys

  /// The devices and applications of a rule.
  private struct Scope: Hashable {
    var device: DeviceMatch?
    var application: ApplicationMatch?

    init(_ rule: Rule? = nil) { (device, application) = (rule?.device, rule?.application) }
  }

  /// Finds hotkeys in the same mode, for the same devices and applications, that share keys or that
  /// begin with another hotkey.
  private mutating func findTakenHotkeys() {
    // most hotkeys are for all devices and applications
    var tables = [Scope(): HotkeyTable(minimumCapacity: rules.count)]
    for index in rules.indices {
      guard case .hotkey(let condition) = rules[index].rule.trigger else { continue }
      guard !mistakes.isFull(.error) else { return }
      let scope = Scope(rules[index].rule)
      while let holder = register(
        condition.hotkey, of: index, mode: rules[index].rule.mode,
        in: &tables[scope, default: HotkeyTable()])
      {
        guard let first = Int(holder.owner) else { break }
        if overrides(index, first) {
          tables[scope]?.unregister(holder.id)
          continue
        }
        reportTaken(condition.hotkey, by: holder.hotkey, of: rules[first].place, rules[index])
        break
      }
    }
  }

  /// Finds the same among hotkeys for different devices or applications: a feed that distinguishes
  /// devices registers all of them together, each text once.
  private mutating func findHotkeysTakenAcrossDevices() {
    guard rules.contains(where: { $0.rule.isHotkey && Scope($0.rule) != Scope() }) else { return }
    var table = HotkeyTable()
    var known: [String?: Set<Hotkey>] = [:]
    for index in rules.indices where !overridden.contains(index) {
      guard case .hotkey(let condition) = rules[index].rule.trigger else { continue }
      guard !mistakes.isFull(.error) else { return }
      let rule = rules[index].rule
      guard known[rule.mode, default: []].insert(condition.hotkey).inserted else { continue }
      while let holder = register(condition.hotkey, of: index, mode: rule.mode, in: &table) {
        guard let first = Int(holder.owner) else { break }
        // all rules with the other text give way, or none does
        let others = rules[..<index].indices.filter {
          guard case .hotkey(let other) = rules[$0].rule.trigger else { return false }
          return other.hotkey == holder.hotkey && rules[$0].rule.mode == rule.mode
        }
        if let kept = others.first(where: { !overridden.contains($0) && !overrides(index, $0) }) {
          // conflicts in the same scope are reported already
          if Scope(rules[first].rule) != Scope(rule) {
            reportTaken(condition.hotkey, by: holder.hotkey, of: rules[kept].place, rules[index])
          }
          break
        }
        table.unregister(holder.id)
      }
    }
  }

  /// Registers a hotkey, and returns the one it conflicts with, if any.
  private func register(
    _ hotkey: Hotkey, of rule: Int, mode: String?, in table: inout HotkeyTable
  ) -> HotkeyTable.Entry? {
    do throws(HotkeyError) {
      _ = try table.register(hotkey, owner: String(rule), mode: mode)
      return nil
    } catch {
      guard case .taken(_, let holder) = error else { return nil }
      return holder
    }
  }

  private mutating func reportTaken(
    _ hotkey: Hotkey, by other: Hotkey, of place: Place, _ noted: NotedRule
  ) {
    let what =
      other == hotkey
      ? "\(hotkey.description.excerpt) has a rule already, at \(place)"
      : "\(hotkey.description.excerpt) and \(other.description.excerpt) at \(place) use the same"
        + " keys, or one begins with the other"
    report(what, at: noted.place, length: noted.length, .error)
  }

  /// Finds keys that hardly any keyboard has, unless the usual one has a rule as well, in the same
  /// mode and with the same modifiers.
  private mutating func findUnusualKeys() {
    // hardly any file needs it
    lazy var chords = Dictionary(grouping: rules, by: \.rule.mode)
      .mapValues { Set($0.compactMap(\.rule.chord)) }
    for noted in rules {
      guard let chord = noted.rule.chord, case .key(let key) = chord.trigger,
        let usual = Self.usualKeys[key], let used = chords[noted.rule.mode],
        !usual.contains(where: { used.contains(Chord(chord.modifiers, .key($0))) })
      else { continue }
      let names = ([key] + usual).map { Chord([], .key($0)).textToPress }
      report(
        "hardly any keyboard has the key \(names[0]); you probably want "
          + names.dropFirst().joined(separator: " or "),
        at: noted.place, length: noted.length, .warning)
    }
  }

  /// Keys that share their name with a more common key: print, play, next, previous, menu, stop.
  private static let usualKeys: [Key: [Key]] = [
    0xd2: [0x63], 0xcf: [0xa4], 0x197: [0xa3, 0x6d], 0x19c: [0xa5, 0x68], 0x8b: [0x7f],
    0x80: [0xa6],
  ].reduce(into: [:]) { $0[Key(rawValue: $1.key)] = $1.value.map(Key.init) }

  /// Finds hotkeys that could be typed. Of many in a file, two are named and the others counted.
  private mutating func findTypedHotkeys() {
    for (_, typed) in Dictionary(grouping: rules.filter { $0.isTyped }, by: \.place.file) {
      let isMany = typed.count > 4
      for noted in typed.prefix(isMany ? 2 : 4) {
        guard case .hotkey(let condition) = noted.rule.trigger else { continue }
        report(
          "\(condition.hotkey.description.excerpt) could be typed or clicked: through the broker it needs a grant for raw keys",
          at: noted.place, length: noted.length, .warning)
      }
      guard isMany else { continue }
      report(
        "this and \(typed.count - 3) more hotkeys below could be typed or clicked",
        at: typed[2].place, length: typed[2].length, .warning)
    }
  }

  // MARK: Gestures

  private struct Case: Hashable {
    var condition: GestureCondition
    var mode: String?
    var scope: Scope

    /// `nil` for a hotkey.
    init?(_ rule: Rule) {
      guard case .gesture(let condition) = rule.trigger else { return nil }
      (self.condition, mode, scope) = (condition, rule.mode, Scope(rule))
      // rules with other settings wait for the same gesture, too
      self.condition.settings = []
    }
  }

  private mutating func findSameConditions() {
    // the last rule with each case
    var known: [Case: Int] = [:]
    // by rule: the previous rule with the same case
    var before: [Int: Int] = [:]
    for index in rules.indices {
      guard let found = Case(rules[index].rule) else { continue }
      guard let last = known.updateValue(index, forKey: found) else { continue }
      before[index] = last
      guard overrides(index, last) else {
        report(
          "the rule at \(rules[last].place) waits for the same gesture: both act",
          at: rules[index].place, length: rules[index].length, .warning)
        continue
      }
      // system rules come first, so all rules before a system rule are the system's too
      var other = before[last]
      while let earlier = other, overrides(index, earlier) { other = before[earlier] }
    }
  }

  // MARK: Modes

  private struct Mode {
    var isEntered = false
    var isLeft = false
    /// The number of the first rule in the mode.
    var rule: Int?
    /// The first place that enters the mode.
    var entrance: Place?
  }

  /// Reports modes that nothing enters, and modes that nothing leaves.
  private mutating func findLooseModes() {
    var modes: [String: Mode] = [:]
    var names: [String] = []
    for index in rules.indices {
      let mode = rules[index].rule.mode
      if let mode, modes[mode]?.rule == nil {
        if modes[mode] == nil { names.append(mode) }
        modes[mode, default: Mode()].rule = index
      }
      for action in rules[index].rule.reactions.actions {
        guard case .mode(let next) = action.verb else { continue }
        if let mode, next != mode { modes[mode, default: Mode()].isLeft = true }
        guard let next, next != mode else { continue }
        if modes[next] == nil { names.append(next) }
        modes[next, default: Mode()].isEntered = true
        if modes[next]?.entrance == nil { modes[next]?.entrance = action.place }
      }
    }
    let entered = names.filter { modes[$0]?.isEntered == true }
    for name in names {
      guard let mode = modes[name] else { continue }
      if !mode.isEntered, let rule = mode.rule {
        let similar = Spelling.nearest(to: name, among: entered).first
        let advice = similar.map { ", or correct the name if \($0) is meant" } ?? ""
        report(
          "no rule enters the mode \(name.excerpt): give one the action mode: \(name)\(advice)",
          at: rules[rule].place, length: rules[rule].length, .warning)
      }
      if !mode.isLeft, let place = mode.entrance {
        report(Self.withoutExit(name, mode), at: place, length: 1, .warning)
      }
    }
  }

  private static func withoutExit(_ name: String, _ mode: Mode) -> String {
    if mode.rule == nil {
      return "no rule applies in the mode \(name.excerpt): correct its name, or add rules with it"
    }
    // the broker reports Escape only to programs that may read all keys
    return
      "no rule leaves the mode \(name.excerpt), and Escape leaves it only if gliss reads keyboards itself: give one of its rules the action mode: none"
  }
}

extension Rule {
  /// The chord of a rule whose hotkey is just one.
  fileprivate var chord: Chord? {
    if case .hotkey(let condition) = trigger { condition.hotkey.onlyChord } else { nil }
  }
}
