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
      findDoubledRules()
    }
    if !overridden.isEmpty {
      self.rules = rules.indices.filter { !overridden.contains($0) }.map { rules[$0] }
    }
    findLooseModes()
    findUnusualKeys()
    findUnregisteredHotkeys()
  }

  /// If the earlier rule is the system's and the later one is not, drops the earlier one and
  /// returns `true`.
  private mutating func overrides(_ later: Int, _ earlier: Int) -> Bool {
    guard rules[earlier].isSystem, !rules[later].isSystem else { return false }
    overridden.insert(earlier)
    return true
  }

  mutating func report(
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

  private func register(
    _ hotkey: Hotkey, of rule: Int, in table: inout HotkeyTable
  ) -> RegisteredHotkey? {
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
        // the page's word, which says more than the kernel's
        .map { $0 == "sysrq" ? "prtsc" : $0 }
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

  /// The most hotkeys that the broker takes from a user (`Limits`).
  private static let mostOfBroker = 256

  /// Finds hotkeys that the broker does not register, or for some programs only.
  private mutating func findUnregisteredHotkeys() {
    reportAll(
      rules.filter { $0.isTyped && $0.rule.device == nil },
      "could be typed or clicked: through the broker it needs a grant for raw keys",
      many: "could be typed or clicked")
    reportAll(
      rules.filter { $0.rule.isHotkey && $0.rule.device != nil },
      "has device: through the broker, which does not name the keyboard, it never acts",
      many: "have device")
    // rules of the same hotkey share it
    var known: [String?: Set<Hotkey>] = [:]
    let registered = rules.filter { noted in
      guard let hotkey = noted.rule.hotkey, noted.rule.device == nil else { return false }
      return known[noted.rule.mode, default: []].insert(hotkey).inserted
    }
    guard registered.count > Self.mostOfBroker else { return }
    let noted = registered[Self.mostOfBroker]
    report(
      "this is hotkey \(Self.mostOfBroker + 1) of \(registered.count): the broker takes at most"
        + " \(Self.mostOfBroker), so through it not all act",
      at: noted.place, length: noted.length, .warning)
  }

  /// Of many hotkeys in a file, two are named and the others counted.
  private mutating func reportAll(_ found: [NotedRule], _ one: String, many: String) {
    for (_, all) in Dictionary(grouping: found, by: \.place.file) {
      let isMany = all.count > 4
      for noted in all.prefix(isMany ? 2 : 4) {
        guard let hotkey = noted.rule.hotkey else { continue }
        report(
          "\(hotkey.description.excerpt) \(one)", at: noted.place, length: noted.length, .warning)
      }
      guard isMany else { continue }
      report(
        "this and \(all.count - 3) more hotkeys below \(many)",
        at: all[2].place, length: all[2].length, .warning)
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

  // MARK: Rules that act twice

  /// When a rule acts, but for its applications.
  private struct Occasion: Hashable {
    var trigger: Rule.Trigger
    var mode: String?
    var device: DeviceMatch?
    /// A user cannot change the system's rule.
    let isSystem: Bool
    /// Whether it is there for what another gesture's rule does. A hotkey never is.
    let holdsModifiers: Bool

    init(_ noted: NotedRule) {
      let rule = noted.rule
      (mode, device, isSystem) = (rule.mode, rule.device, noted.isSystem)
      holdsModifiers = !rule.isHotkey && rule.reactions.onlyHoldModifiers
      switch rule.trigger {
      case .hotkey(let condition): trigger = .hotkey(HotkeyCondition(hotkey: condition.hotkey))
      case .gesture(var condition):
        condition.fingers = condition.fingers ?? condition.kind.fingerRange
        (condition.settings, condition.consumes) = ([], false)
        trigger = .gesture(condition)
      }
    }
  }

  /// What is quickly compared of an occasion.
  private struct Outline: Hashable {
    /// `nil` for hotkeys.
    var kind: GestureKind?
    var modifiers: Modifiers?

    init(_ rule: Rule) { (kind, modifiers) = (rule.gesture?.kind, rule.gesture?.modifiers) }
  }

  /// Finds rules for some applications, devices or modifiers that act together with a rule for all.
  private mutating func findDoubledRules() {
    let narrow = rules.indices.filter { !overridden.contains($0) && rules[$0].rule.isNarrow }
    guard !narrow.isEmpty else { return }
    // whole conditions are slow to compare, and most rules wait for something else
    var wanted: Set<Outline> = []
    for index in narrow {
      var outline = Outline(rules[index].rule)
      if !rules[index].rule.isNarrowByModifiersAlone { wanted.insert(outline) }
      outline.modifiers = nil
      wanted.insert(outline)
    }
    var general: [Occasion: Int] = [:]
    for index in rules.indices
    where wanted.contains(Outline(rules[index].rule)) && !overridden.contains(index) {
      let match = rules[index].rule.application ?? ApplicationMatch()
      // the general rule has to act in an application's other windows
      guard match.only.isEmpty, match.titles.isEmpty else { continue }
      let occasion = Occasion(rules[index])
      // one without exceptions acts wherever another one does
      let isCovered = general[occasion].map { rules[$0].rule.application?.not.isEmpty ?? true }
      if isCovered != true { general[occasion] = index }
    }
    if general.isEmpty { return }
    // a group has many hotkeys at one place
    var places: Set<Place> = []
    for index in narrow where !mistakes.isFull(.warning) {
      let noted = rules[index]
      guard let (other, advice) = double(of: index, general), places.insert(noted.place).inserted
      else { continue }
      let what = noted.rule.isHotkey ? "has the same keys" : "waits for the same gesture"
      report(
        "the rule at \(rules[other].place) \(what): both act \(advice)",
        at: noted.place, length: noted.length, .warning)
    }
  }

  /// A rule of `general` that acts together with the one at `index`; when it does, and what to do.
  private func double(
    of index: Int, _ general: [Occasion: Int]
  ) -> (rule: Int, advice: String)? {
    let rule = rules[index].rule
    let match = rule.application ?? ApplicationMatch()
    let own = Occasion(rules[index])
    var others: [(Occasion, String)] = match.only.isEmpty ? [] : [(own, "")]
    if rule.device != nil {
      var wider = own
      wider.device = nil
      others.append((wider, "for this device; give that one a device, too"))
    }
    if case .gesture(var condition) = own.trigger, let held = condition.modifiers, !held.isEmpty {
      condition.modifiers = nil
      var wider = own
      wider.trigger = .gesture(condition)
      others.append((wider, "with \(held.spoken) held; give that one modifiers: none"))
    }
    for (occasion, advice) in others {
      guard let other = general[occasion] else { continue }
      let excluded = rules[other].rule.application ?? ApplicationMatch()
      guard excluded.not.isEmpty || excluded.window == match.window else { continue }
      if match.only.isEmpty { return (other, advice) }
      let names = match.only.filter { name in
        !(excluded.not + match.not).contains { FoldedText(name).fits($0) }
      }
      guard !names.isEmpty else { continue }
      // both act together only for this device, or with the modifiers
      return (other, advice.isEmpty ? Self.advice(on: names, excluded.not, match.window) : advice)
    }
    return nil
  }

  private static func advice(
    on names: [String], _ excluded: [String], _ window: FollowedWindow
  ) -> String {
    let list = CommandLine.list(excluded + names)
    return "in \(String.list(names.map(\.excerpt), "and")); give that one application: {not:"
      + " \(list.utf8.count > 100 ? "…" : list)"
      + (window == .focused ? "}" : ", window: \(window.rawValue)}")
  }
}

extension Reactions {
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
  fileprivate var chord: Chord? { hotkey?.onlyChord }

  fileprivate var hotkey: Hotkey? {
    if case .hotkey(let condition) = trigger { condition.hotkey } else { nil }
  }

  /// Whether it acts for some applications, devices or modifiers only, in any of their windows.
  fileprivate var isNarrow: Bool {
    guard application?.titles.isEmpty ?? true else { return false }
    return !(gesture?.modifiers ?? []).isEmpty || !isNarrowByModifiersAlone
  }

  fileprivate var isNarrowByModifiersAlone: Bool {
    device == nil && (application?.only.isEmpty ?? true)
  }
}
