public import GlissEvents

extension Tier: Comparable {
  /// The tier with this name.
  public init?(named name: String) {
    guard let tier = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = tier
  }

  public static func < (a: Tier, b: Tier) -> Bool { a.rawValue < b.rawValue }
}

extension EventMask {
  /// The kinds of event a scope may name, in order.
  static let table: [(EventMask, String)] = [
    (.gesture, "gesture"), (.touch, "touch"), (.key, "key"), (.pointer, "pointer"),
    (.scroll, "scroll"), (.device, "device"),
  ]

  /// All kinds that a scope may name. Hotkeys belong only to their owner.
  static let grantable = table.reduce(into: EventMask()) { $0.formUnion($1.0) }

  /// The words for the kinds in it.
  public var words: [String] { Self.table.filter { contains($0.0) }.map(\.1) }

  init?(words: [Substring]) {
    self = []
    for word in words {
      guard let bit = Self.table.first(where: { $0.1 == word })?.0 else { return nil }
      insert(bit)
    }
  }
}

extension KeyClasses {
  /// The words for the classes in it.
  public var names: [String] { Self.words.filter { contains($0.0) }.map { "\($0.1)" } }

  init?(names: [Substring]) {
    self = []
    for name in names {
      guard let bit = Self.words.first(where: { "\($0.1)" == name })?.0 else { return nil }
      insert(bit)
    }
  }
}

extension Scope: CustomStringConvertible {
  /// The text shown to people: `raw: key, touch; keys: media; only on “Pad”`. Equal scopes have
  /// equal texts.
  public var description: String {
    var text = tier.name
    if tier == .raw {
      text += ": " + events.words.joined(separator: ", ")
      if events.contains(.key) { text += "; keys: " + keys.names.joined(separator: ", ") }
    }
    if let devices {
      text += "; only on " + devices.sorted().map(\.quoted).joined(separator: ", ")
    }
    return text
  }

  /// The same scope, if it is valid.
  ///
  /// - Throws: ``GateError/Problem/syntax`` if it names no events, no keys or no devices, or some
  ///   that do not belong.
  public func validated() throws(GateError) -> Scope {
    func error(_ place: String, _ message: String) -> GateError {
      GateError(.syntax, "scope.\(place)", message)
    }
    switch tier {
    case .hotkey, .post:
      guard events.isEmpty, keys.isEmpty else {
        throw error("events", "the tier \(tier.name) has neither events nor keys")
      }
    case .gesture:
      guard events == .gesture, keys.isEmpty else {
        throw error("events", "the tier gesture has gestures only: the tier raw has the rest")
      }
    case .raw:
      guard !events.isEmpty, events.isSubset(of: .grantable) else {
        throw error("events", "the tier raw needs the kinds of event: key, touch, …")
      }
      guard events.contains(.key) == !keys.isEmpty, keys.isSubset(of: .all) else {
        throw error("keys", "classes of keys are named exactly where events has key")
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

  /// The scope a hotkey needs; `nil` if it needs none.
  ///
  /// - Parameters:
  ///   - typesNothing: whether none of its steps could be part of typing.
  ///   - isTap: whether it is a modifier tapped alone, which reveals no more than a gesture.
  public static func needed(typesNothing: Bool, isTap: Bool) -> Scope? {
    if typesNothing { return nil }
    if isTap { return Scope(tier: .gesture, events: .gesture) }
    return Scope(tier: .raw, events: .key, keys: .all)
  }
}

extension String {
  /// In quotes, so that one name cannot look like two.
  fileprivate var quoted: String {
    var text = "“"
    for character in self {
      if character == "”" || character == "\\" { text.append("\\") }
      text.append(character)
    }
    return text + "”"
  }
}
