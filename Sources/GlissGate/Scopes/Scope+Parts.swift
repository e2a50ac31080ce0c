import GlissEvents

extension Scope {
  /// One piece of a scope: one kind of event, or one class of keys. Whatever holds for every part
  /// holds for the whole.
  struct Part: Hashable {
    var tier: Tier
    var event: EventMask
    var keys: KeyClasses

    /// Recognized gestures without coordinates.
    static let gestures = Part(tier: .gesture, event: .gesture, keys: [])
  }

  /// The parts in a fixed order.
  var parts: [Part] {
    switch tier {
    case .hotkey, .post: return [Part(tier: tier, event: [], keys: [])]
    case .gesture: return events.contains(.gesture) ? [.gestures] : []
    case .raw:
      var parts: [Part] = []
      for (event, _) in EventMask.table where events.contains(event) {
        guard event == .key else {
          parts.append(Part(tier: tier, event: event, keys: []))
          continue
        }
        for (keys, _) in KeyClasses.words where self.keys.contains(keys) {
          parts.append(Part(tier: tier, event: event, keys: keys))
        }
      }
      return parts
    }
  }

  /// Whether a grant of this covers `part`. Gestures with coordinates include gestures.
  func covers(_ part: Part) -> Bool {
    if part.tier == .gesture, tier == .raw { return events.contains(.gesture) }
    guard tier == part.tier, events.isSuperset(of: part.event) else { return false }
    return keys.isSuperset(of: part.keys)
  }

  /// The parts that a grant of this shows of `part`, the largest first. A part for gestures with
  /// coordinates also yields the part without.
  func shown(of part: Part) -> [Part] {
    var shown = covers(part) ? [part] : []
    if part.event == .gesture, part != .gestures, covers(.gestures) { shown.append(.gestures) }
    return shown
  }

  /// Whether refusing this refuses `part`. Refusing gestures also refuses those with coordinates,
  /// but not the other way round.
  func refuses(_ part: Part) -> Bool {
    if tier == .gesture { return part.event == .gesture }
    return tier == part.tier && covers(part)
  }

  /// Combines `parts`, which all belong to one tier.
  init(_ parts: some Sequence<Part>, of tier: Tier, devices: Set<String>?) {
    self.init(tier: tier, devices: devices)
    for part in parts {
      events.formUnion(part.event)
      keys.formUnion(part.keys)
    }
  }
}
