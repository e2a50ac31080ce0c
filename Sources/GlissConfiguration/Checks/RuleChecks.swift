import GlissEvents
import GlissHotkeys

/// Finds conflicts between rules, each of which is valid by itself.
struct RuleChecks {
  private let sources: [String: SourceText]
  private(set) var mistakes = MistakeList()
  /// The rules in force: a user's rule replaces a system rule with the same trigger.
  private(set) var rules: [NotedRule]
  private var overridden: Set<Int> = []
  /// The last conflict, if it is not reported yet, and the others of its place in the file, where a
  /// group in braces has many hotkeys.
  private var taken: (noted: NotedRule, message: String, others: [Hotkey])?

  /// - Parameter areWhole: no rule had errors, so whole rules can be compared.
  init(_ rules: [NotedRule], _ sources: [String: SourceText], areWhole: Bool) {
    self.rules = rules
    self.sources = sources
    findTakenHotkeys(together: false)
    let isScoped = rules.contains {
      $0.rule.isHotkey && ($0.rule.device != nil || $0.rule.application != nil)
    }
    if isScoped { findTakenHotkeys(together: true) }
    if areWhole {
      findSharedGestures()
      findDoubledHotkeys()
    }
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

  /// Rules of one scope are in force together.
  private struct Scope: Hashable {
    var mode: String?
    var device: DeviceMatch?
    var application: ApplicationMatch?

    init(_ rule: Rule) { (mode, device, application) = (rule.mode, rule.device, rule.application) }
  }

  /// Finds hotkeys that share keys or that begin with another hotkey: those of one scope, or all
  /// of a mode `together`, each text once. A feed that distinguishes devices registers them so.
  private mutating func findTakenHotkeys(together: Bool) {
    var tables: [Scope: HotkeyTable] = [:]
    var known: [String?: Set<Hotkey>] = [:]
    hotkeys: for index in rules.indices where !overridden.contains(index) {
      guard let hotkey = rules[index].rule.hotkey else { continue }
      guard !mistakes.isFull(.error) else { break }
      let own = Scope(rules[index].rule)
      var scope = own
      if together {
        (scope.device, scope.application) = (nil, nil)
        guard known[own.mode, default: []].insert(hotkey).inserted else { continue }
      }
      while let holder = register(hotkey, of: index, in: &tables[scope, default: HotkeyTable()]),
        let first = Int(holder.owner)
      {
        // all rules with the other text give way, or none does
        let others = (together ? 0..<index : first..<first + 1).filter {
          rules[$0].rule.hotkey == holder.hotkey && rules[$0].rule.mode == own.mode
        }
        if let kept = others.first(where: { !overridden.contains($0) && !overrides(index, $0) }) {
          // conflicts in the same scope are reported already
          if !together || Scope(rules[first].rule) != own {
            reportTaken(hotkey, by: holder.hotkey, of: rules[kept], rules[index])
          }
          continue hotkeys
        }
        tables[scope]?.unregister(holder.id)
      }
    }
    reportLastTaken()
  }

  /// Registers a hotkey, and returns the one it conflicts with, if any.
  private func register(
    _ hotkey: Hotkey, of rule: Int, in table: inout HotkeyTable
  ) -> HotkeyTable.Entry? {
    do throws(HotkeyError) {
      _ = try table.register(hotkey, owner: String(rule))
      return nil
    } catch {
      if case .taken(_, let holder) = error { return holder }
      return nil
    }
  }

  private mutating func reportTaken(
    _ hotkey: Hotkey, by other: Hotkey, of holder: NotedRule, _ noted: NotedRule
  ) {
    if taken?.noted.place == noted.place {
      taken?.others.append(hotkey)
      return
    }
    reportLastTaken()
    // a hotkey that begins with the other cannot be written like it
    let isSpelling = hotkey.chords.count == 1 && other.chords.count == 1
    let advice =
      Scope(holder.rule) == Scope(noted.rule)
      ? ""
      : "; other applications or devices do not change that"
        + (isSpelling ? ": write the same hotkey in both" : "")
    let what =
      other == hotkey
      ? "\(hotkey.description.excerpt) has a rule already, at \(holder.place)"
      : "\(hotkey.description.excerpt) and \(other.description.excerpt) at \(holder.place) use the"
        + " same keys, or one begins with the other\(advice)"
    taken = (noted, what, [])
  }

  private mutating func reportLastTaken() {
    guard let last = taken else { return }
    taken = nil
    var names = last.others.prefix(4).map(\.description.excerpt)
    if last.others.count > names.count { names.append("\(last.others.count - names.count) more") }
    let rest = names.isEmpty ? "" : "; the same goes for \(String.list(names, "and"))"
    report(last.message + rest, at: last.noted.place, length: last.noted.length, .error)
  }

  private struct Keys: Hashable {
    var hotkey: Hotkey
    var mode: String?
    var device: DeviceMatch?

    /// `nil` for a gesture.
    init?(_ rule: Rule) {
      guard let hotkey = rule.hotkey else { return nil }
      (self.hotkey, mode, device) = (hotkey, rule.mode, rule.device)
    }
  }

  /// Finds hotkeys that act twice in an application: one for it alone, and one for all, or for all
  /// but others.
  private mutating func findDoubledHotkeys() {
    guard rules.contains(where: { !($0.rule.application?.only.isEmpty ?? true) }) else { return }
    var general: [Keys: Int] = [:]
    for index in rules.indices where !overridden.contains(index) {
      let match = rules[index].rule.application ?? ApplicationMatch()
      guard let keys = Keys(rules[index].rule), match.only.isEmpty, match.titles.isEmpty,
        match.window == .focused
      else { continue }
      general[keys] = index
    }
    // a group has many hotkeys at one place
    var places: Set<Place> = []
    for index in rules.indices where !overridden.contains(index) {
      let noted = rules[index]
      guard let match = noted.rule.application, !match.only.isEmpty, match.window == .focused,
        // the general rule has to act in the application's other windows
        match.titles.isEmpty, let keys = Keys(noted.rule), let other = general[keys],
        // a user cannot change the system's rule
        rules[other].isSystem == noted.isSystem
      else { continue }
      let excluded = rules[other].rule.application?.not ?? []
      let names = match.only.filter { name in
        !(excluded + match.not).contains { FoldedText(name).fits($0) }
      }
      guard !names.isEmpty, places.insert(noted.place).inserted else { continue }
      let list = CommandLine.list(excluded + names)
      report(
        "the rule at \(rules[other].place) has the same keys: both act in"
          + " \(String.list(names.map(\.excerpt), "and")); give that one application: {not:"
          + " \(list.utf8.count > 100 ? "…" : list)}",
        at: noted.place, length: noted.length, .warning)
    }
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
        guard let hotkey = noted.rule.hotkey else { continue }
        report(
          "\(hotkey.description.excerpt) could be typed or clicked: through the broker it needs a grant for raw keys",
          at: noted.place, length: noted.length, .warning)
      }
      guard isMany else { continue }
      report(
        "this and \(typed.count - 3) more hotkeys below could be typed or clicked",
        at: typed[2].place, length: typed[2].length, .warning)
    }
  }

  // MARK: Gestures

  /// What a rule waits for, but for its fingers and direction.
  private struct Case: Hashable {
    var condition: GestureCondition
    var scope: Scope

    init(_ condition: GestureCondition, _ rule: Rule) {
      (self.condition, scope) = (condition, Scope(rule))
      (self.condition.fingers, self.condition.sense) = (nil, nil)
      // rules with other settings wait for the same gesture, too
      self.condition.settings = []
      // the case of names does not count, nor does their order
      func folded(_ names: [String]) -> [String] { names.map { $0.lowercased() }.sorted() }
      if let name = scope.device?.name { scope.device?.name = name.lowercased() }
      if let match = scope.application {
        scope.application = ApplicationMatch(
          only: folded(match.only), not: folded(match.not), titles: folded(match.titles),
          window: match.window)
      }
    }
  }

  /// A rule, and what a ``Case`` leaves out.
  private struct Sharer {
    var rule: Int
    var fingers: ClosedRange<Int>
    var sense: GestureCondition.Sense?
    /// Something happens before the end.
    var isEarly: Bool
    /// It holds modifiers for what another rule does, as Ctrl for a wheel.
    var holdsModifiers: Bool
  }

  private mutating func findSharedGestures() {
    var groups: [Case: [Sharer]] = [:]
    for index in rules.indices {
      let rule = rules[index].rule
      guard case .gesture(let condition) = rule.trigger else { continue }
      let sharer = Sharer(
        rule: index, fingers: condition.fingers ?? condition.kind.fingerRange,
        sense: condition.sense, isEarly: rule.reactions.isEarly,
        holdsModifiers: rule.reactions.onlyHoldModifiers)
      groups[Case(condition, rule), default: []].append(sharer)
    }
    let shared = groups.values.filter { $0.count > 1 }.sorted { $0[0].rule < $1[0].rule }
    for group in shared {
      findSameConditions(group)
      let left = group.filter { !overridden.contains($0.rule) }
      // many rules of one case take long to compare
      for index in left.indices where !mistakes.isFull(.warning) {
        findOverlappingFingers(left[index], left[..<index])
        if left[index].sense == nil { findDirected(left[index], left) }
      }
    }
  }

  private mutating func findSameConditions(_ group: [Sharer]) {
    for (index, later) in group.enumerated() {
      for earlier in group[..<index].reversed()
      where earlier.fingers == later.fingers && earlier.sense == later.sense {
        // system rules come first, so all rules before a system rule are the system's too
        if overrides(later.rule, earlier.rule) { continue }
        guard later.holdsModifiers == earlier.holdsModifiers else { continue }
        reportShared(later, earlier, "")
        break
      }
    }
  }

  /// Finds an earlier rule that differs in its fingers alone and shares a number of them.
  private mutating func findOverlappingFingers(_ later: Sharer, _ earlier: ArraySlice<Sharer>) {
    let found = earlier.last {
      $0.sense == later.sense && $0.fingers != later.fingers && $0.fingers.overlaps(later.fingers)
        && areAlike($0, later)
    }
    guard let found else { return }
    let shared = max(found.fingers.lowerBound, later.fingers.lowerBound)
    reportShared(later, found, " of \(counted(shared, "finger"))")
  }

  /// Finds a rule that has a direction and acts together with one that has none, if one of the two
  /// begins before the stroke is over.
  private mutating func findDirected(_ loose: Sharer, _ group: [Sharer]) {
    let found = group.first {
      $0.sense != nil && $0.fingers == loose.fingers && ($0.isEarly || loose.isEarly)
        && areAlike($0, loose)
    }
    if let found {
      reportShared(loose, found, " in one direction", "; give this one a direction, too")
    }
  }

  /// Whether a user can change both or none, and neither is there for what the other one does.
  private func areAlike(_ one: Sharer, _ other: Sharer) -> Bool {
    rules[one.rule].isSystem == rules[other.rule].isSystem
      && one.holdsModifiers == other.holdsModifiers
  }

  private mutating func reportShared(
    _ later: Sharer, _ earlier: Sharer, _ what: String, _ advice: String = ""
  ) {
    let noted = rules[later.rule]
    report(
      "the rule at \(rules[earlier.rule].place) waits for the same gesture\(what): both act\(advice)",
      at: noted.place, length: noted.length, .warning)
  }

  // MARK: Modes

  /// Reports modes that nothing enters, and modes that nothing leaves.
  private mutating func findLooseModes() {
    var names: [String] = []
    // the first rule in each mode, and the first place that enters it
    var (first, entrances): ([String: Int], [String: Place]) = ([:], [:])
    var left: Set<String> = []
    for index in rules.indices {
      let mode = rules[index].rule.mode
      if let mode, first[mode] == nil {
        if entrances[mode] == nil { names.append(mode) }
        first[mode] = index
      }
      for action in rules[index].rule.reactions.actions {
        guard case .mode(let next) = action.verb, next != mode else { continue }
        if let mode { left.insert(mode) }
        guard let next, entrances[next] == nil else { continue }
        if first[next] == nil { names.append(next) }
        entrances[next] = action.place
      }
    }
    let entered = names.filter { entrances[$0] != nil }
    for name in names {
      if entrances[name] == nil, let rule = first[name] {
        let similar = Spelling.nearest(to: name, among: entered).first
        let advice = similar.map { ", or correct the name if \($0) is meant" } ?? ""
        report(
          "no rule enters the mode \(name.excerpt): give one the action mode: \(name)\(advice)",
          at: rules[rule].place, length: rules[rule].length, .warning)
      }
      guard !left.contains(name), let place = entrances[name] else { continue }
      report(
        first[name] == nil
          ? "no rule applies in the mode \(name.excerpt): correct its name, or add rules with it"
          // the broker reports Escape only to programs that may read all keys
          : "no rule leaves the mode \(name.excerpt), and Escape leaves it only if gliss reads keyboards itself: give one of its rules the action mode: none",
        at: place, length: 1, .warning)
    }
  }
}

extension Reactions {
  /// Whether something happens before the end.
  fileprivate var isEarly: Bool {
    !(hold.isEmpty && begin.isEmpty && change.isEmpty && steps.isEmpty)
  }

  /// Whether modifiers are held and nothing else happens. Such a rule is meant to act together with
  /// another, as Ctrl with a wheel.
  fileprivate var onlyHoldModifiers: Bool {
    !hold.isEmpty && actions.isEmpty
      && hold.allSatisfy { chord in
        if case .key(let key) = chord.trigger { !Modifiers(key).isEmpty } else { false }
      }
  }
}

extension Rule {
  /// The chord of a rule whose hotkey is just one.
  fileprivate var chord: Chord? { hotkey?.onlyChord }

  fileprivate var hotkey: Hotkey? {
    if case .hotkey(let condition) = trigger { condition.hotkey } else { nil }
  }
}
