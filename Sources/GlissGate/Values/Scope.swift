public import GlissEvents

/// How much of the input a grant concerns, from least to most.
public enum Tier: String, Hashable, Sendable, CaseIterable {
  /// A client's own chords, which cannot spell out typing. Nobody needs a grant for them, not even
  /// an anonymous sandbox.
  case hotkey
  /// Recognized gestures without coordinates, and taps of bare modifiers.
  case gesture
  /// Keys, touches, pointers, gestures with coordinates, and what is down now.
  case raw
  /// Pressing keys for the user, and grabbing a chord so that the desktop does not get it.
  case post
}

/// What a client asks to see, or is granted.
public struct Scope: Hashable, Sendable {
  /// How much it reveals.
  public var tier: Tier
  /// The kinds of event. Used in the raw tier; in the gesture tier only `.gesture` is valid.
  public var events: EventMask
  /// The devices by name; `nil` for all.
  public var devices: Set<String>?
  /// The classes of keys, if `events` contains keys.
  public var keys: KeyClasses

  /// A scope as written. The broker refuses one whose tier cannot have these events or keys.
  public init(
    tier: Tier, events: EventMask = [], devices: Set<String>? = nil, keys: KeyClasses = []
  ) {
    self.tier = tier
    self.events = events
    self.devices = devices
    self.keys = keys
  }
}

extension Scope {
  /// One kind of event or class of keys. Whatever holds for every part holds for the scope.
  struct Part: Hashable {
    var tier: Tier
    var event: EventMask
    var keys: KeyClasses

    /// Recognized gestures without coordinates.
    static let gestures = Part(tier: .gesture, event: .gesture, keys: [])
  }

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

  /// Refusing gestures also refuses those with coordinates, but not the other way round.
  func refuses(_ part: Part) -> Bool {
    if tier == .gesture { return part.event == .gesture }
    return tier == part.tier && covers(part)
  }

  /// Whether a refusal of this takes something away from a grant of `other`.
  package func overrides(_ other: Scope) -> Bool {
    !DeviceSet(devices).intersection(DeviceSet(other.devices)).isEmpty
      && other.parts.contains(where: refuses)
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

extension Tier: Comparable {
  /// The tier with this name.
  public init?(named name: String) {
    self.init(rawValue: name)
  }

  /// A greater tier allows more.
  public static func < (a: Tier, b: Tier) -> Bool { a.rank < b.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension EventMask {
  /// All kinds that a scope may name. Hotkeys belong only to their owner.
  package static let grantable: EventMask = [.gesture, .touch, .key, .pointer, .scroll, .device]

  package static let table = kinds.filter { grantable.contains($0.0) }

  /// The words for the kinds in it.
  public var words: [String] { words(of: Self.table) }
}

extension KeyClasses {
  /// The words for the classes in it.
  public var names: [String] { words(of: Self.words) }
}

extension Scope: CustomStringConvertible {
  /// `raw: key, touch; keys: media; only on “Pad”`. Equal scopes have equal texts.
  public var description: String { texts.what + texts.devices }

  /// Its text before the names of devices, which a client may choose, and the text of those.
  package var texts: (what: String, devices: String) {
    var text = tier.name
    if tier == .raw {
      text += ": " + events.words.joined(separator: ", ")
      if events.contains(.key) { text += "; keys: " + keys.names.joined(separator: ", ") }
    }
    guard let devices else { return (text, "") }
    return (text, "; only on " + devices.sorted().map(\.quoted).joined(separator: ", "))
  }

  /// The same scope. Throws ``GateError/Problem/syntax`` if it names no events, no keys or no
  /// devices, or some that do not belong.
  package func validated() throws(GateError) -> Scope {
    func error(_ place: String, _ message: String) -> GateError {
      GateError(.syntax, "scope.\(place)", message)
    }
    switch tier {
    case .hotkey, .post:
      guard events.isEmpty, keys.isEmpty else {
        let place = keys.isEmpty ? "events" : "keys"
        throw error(place, "the tier \(tier.name) has neither events nor keys")
      }
    case .gesture:
      guard events == .gesture, keys.isEmpty else {
        let place = keys.isEmpty ? "events" : "keys"
        throw error(place, "the tier gesture has gestures only: the tier raw has the rest")
      }
    case .raw:
      guard !events.isEmpty, events.isSubset(of: .grantable) else {
        let words = EventMask.grantable.words.joined(separator: ", ")
        throw error("events", "the tier raw needs kinds of event: \(words)")
      }
      guard events.contains(.key) == !keys.isEmpty, keys.isSubset(of: .all) else {
        let names = KeyClasses.all.names.joined(separator: ", ")
        throw error("keys", "name classes of keys (\(names)) if events has key, and only then")
      }
    }
    if let devices { try Self.check(devices) }
    return self
  }

  private static func check(_ devices: Set<String>) throws(GateError) {
    guard (1...TermsLimits.devices).contains(devices.count) else {
      throw GateError(
        .syntax, "scope.devices",
        "has \(devices.count) names, and may have 1 to \(TermsLimits.devices)",
        advice: "leave devices out to mean all")
    }
    for name in devices.sorted() {
      try Grant.Terms.check("scope.devices", name, TermsLimits.device)
    }
  }

  /// The scope a hotkey needs; `nil` if none of its steps could be part of typing. A modifier
  /// tapped alone reveals no more than a gesture.
  package static func needed(typesNothing: Bool, isTap: Bool) -> Scope? {
    if typesNothing { return nil }
    if isTap { return Scope(tier: .gesture, events: .gesture) }
    return Scope(tier: .raw, events: .key, keys: .all)
  }
}

extension String {
  /// In quotes, so that one name cannot look like two.
  fileprivate var quoted: String {
    var text = "“"
    // not by characters: with a combining mark a quotation mark is another character
    for scalar in unicodeScalars {
      if scalar == "”" || scalar == "\\" { text.append("\\") }
      text.unicodeScalars.append(scalar)
    }
    return text + "”"
  }
}

extension Grant.Terms {
  /// The command that grants the scope, for as long as this client may have it.
  var command: String {
    let name =
      switch client {
      case .program(let path): path
      case .unit, .app: client.description
      }
    var words = [
      "gliss", "grants", "grant", name.quotedForShell, "--user", "\(uid)", "--tier",
      scope.tier.name,
    ]
    if scope.tier == .raw { words += ["--events", scope.events.words.joined(separator: ",")] }
    if !scope.keys.isEmpty { words += ["--keys", scope.keys.names.joined(separator: ",")] }
    for device in scope.devices?.sorted() ?? [] { words += ["--device", device.quotedForShell] }
    if isForInterpreterOnly { words += ["--expires", "once"] }
    return words.joined(separator: " ")
  }
}
