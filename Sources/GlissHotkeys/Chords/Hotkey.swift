public import GlissEvents

/// What a user presses to trigger something: a chord, a sequence of chords, or a modifier tapped
/// alone.
///
/// Written as text (docs/hotkeys.md): `super+shift+t`, `super+k ; w`, `release:super+t`,
/// `tap:lsuper`.
public struct Hotkey: Hashable, Sendable {
  /// When a hotkey acts. Its events report press and release in any case. The raw value is its
  /// word in the text.
  public enum Activation: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// On the press.
    case press
    /// On the release of its last key.
    case release
    /// On the press, and again on every repeat of the key.
    case `repeat`
  }

  /// Its chords in order, each of which must come before the timeout; empty for a tap.
  public let chords: [Chord]
  /// The modifier of a tap, pressed and released with nothing in between; `nil` for chords.
  public let tapped: TappedModifier?
  /// When it acts.
  public let activation: Activation

  /// A chord, and the chords that must follow it: up to ``longestSequence`` in all.
  public init(_ chord: Chord, then rest: [Chord] = [], activation: Activation = .press) {
    chords = rest.isEmpty ? [chord] : [chord] + rest
    tapped = nil
    self.activation = activation
  }

  /// A modifier tapped alone.
  public init(tap modifier: TappedModifier) {
    chords = []
    tapped = modifier
    activation = .press
  }

  /// Whether it is a modifier tapped alone.
  public var isTap: Bool { tapped != nil }

  /// Whether every step types nothing (``Chord/typesNothing``). Taps do not qualify: they reveal
  /// when the user shifts.
  public var typesNothing: Bool { !isTap && chords.allSatisfy(\.typesNothing) }

  package var onlyChord: Chord? { chords.count == 1 ? chords[0] : nil }
}

/// A modifier that can be tapped alone.
public enum TappedModifier: UInt8, Hashable, Sendable, CaseIterable {
  /// Either key of the pair.
  case shift, control, `super`
  /// One key of a pair.
  case leftShift, rightShift, leftControl, rightControl, leftSuper, rightSuper
  /// The left Alt key, or the right one.
  case alt, altGr

  var keys: [Key] {
    Key.modifiers.filter { modifiers.overlaps(ChordModifiers(Modifiers($0))) }
  }

  /// What a chord requires for each of them, in their order.
  private static let all: [ChordModifiers] = [
    .shift, .control, .super, .leftShift, .rightShift, .leftControl, .rightControl, .leftSuper,
    .rightSuper, .alt, .altGr,
  ]

  /// The same modifier as a chord requires it.
  public var modifiers: ChordModifiers { Self.all[Int(rawValue)] }

  init?(_ modifiers: ChordModifiers) {
    guard let index = Self.all.firstIndex(of: modifiers) else { return nil }
    self.init(rawValue: UInt8(index))
  }
}

extension Key {
  package static let modifiers: [Key] = [
    .leftShift, .rightShift, .leftControl, .rightControl, .leftAlt, .rightAlt, .leftSuper,
    .rightSuper,
  ]
}

extension Chord: CustomStringConvertible {
  /// Its text: modifiers in a fixed order, then the key.
  public var description: String {
    (Vocabulary.words(for: modifiers) + ["\(trigger)"]).joined(separator: "+")
  }
}

extension Chord.Trigger: CustomStringConvertible {
  public var description: String {
    switch self {
    case .key(let key): Vocabulary.word(for: key)
    case .symbol(let character): Vocabulary.word(for: character)
    case .wheel(let direction): Vocabulary.word(for: direction)
    }
  }
}

extension TappedModifier: CustomStringConvertible {
  public var description: String { Vocabulary.words(for: modifiers).joined() }
}

extension Hotkey.Activation: CustomStringConvertible {
  public var description: String { rawValue }
}

extension Hotkey: CustomStringConvertible {
  /// Its canonical text, which parses back to the same hotkey.
  public var description: String {
    if let tapped { return "\(Vocabulary.tap):\(tapped)" }
    let prefix = activation == .press ? "" : "\(activation):"
    return prefix + chords.map { "\($0)" }.joined(separator: " ; ")
  }
}

extension Hotkey: Codable {
  /// Reads the text of a hotkey.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with the mistake, if the text is not a hotkey.
  public init(from decoder: any Decoder) throws {
    self = try decoder.parsed { (text) throws(HotkeyError) in try Hotkey(text) }
  }

  /// Writes its canonical text.
  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension Decoder {
  func parsed<Value>(_ parse: (String) throws(HotkeyError) -> Value) throws -> Value {
    let text = try String(from: self)
    do throws(HotkeyError) {
      return try parse(text)
    } catch {
      throw DecodingError.invalid("\(error)", at: self)
    }
  }
}

/// Turns what is pressed into a hotkey, for programs that let their users press the one they want.
///
/// A key with its modifiers is a chord that accepts either side of each pair; so is a button, and a
/// notch of a wheel with modifiers. A modifier pressed and released within 0.5 s, with nothing in
/// between, is a tap.
public struct HotkeyRecorder: Sendable {
  private var tap = ModifierTap(longest: HotkeyConfiguration().longestTap)
  private var modifiers: Modifiers = []
  /// The last turn of a wheel, with nothing since.
  private var turn: Chord?

  /// A recorder that has seen no key yet.
  public init() {}

  /// - Returns: the hotkey that `key` completes: a chord when its key goes down, a tap when the
  ///   modifier goes up.
  public mutating func process(_ key: KeyEvent) -> Hotkey? {
    let own = Modifiers(key.key)
    modifiers = key.modifiers
    if key.state != .repeat { turn = nil }
    switch key.state {
    case .repeat: return nil
    case .down:
      tap.pressed(key.key, others: modifiers.subtracting(own), at: key.time)
      return own.isEmpty ? Hotkey(chord(.key(key.key))) : nil
    case .up:
      guard tap.released(key.key, at: key.time) else { return nil }
      return TappedModifier(ChordModifiers(held: own)).map { Hotkey(tap: $0) }
    }
  }

  /// - Returns: the hotkey of a button that goes down; `nil` for the left one without modifiers,
  ///   with which programs are used.
  public mutating func process(_ button: ButtonEvent) -> Hotkey? {
    tap.spoil()
    turn = nil
    guard button.isDown, button.button != .leftButton || !modifiers.isEmpty else { return nil }
    return Hotkey(chord(.key(button.button)))
  }

  /// - Returns: the hotkey of a wheel that turns while modifiers are held, once for all notches in
  ///   that direction.
  public mutating func process(_ scroll: ScrollEvent) -> Hotkey? {
    tap.spoil()
    guard let (direction, _) = WheelDirection.of(scroll), !modifiers.isEmpty else { return nil }
    let chord = chord(.wheel(direction))
    defer { turn = chord }
    return chord == turn ? nil : Hotkey(chord)
  }

  private func chord(_ trigger: Chord.Trigger) -> Chord {
    Chord(ChordModifiers(held: modifiers), trigger)
  }
}

/// Timing of hotkeys, and the key that aborts a sequence or mode.
public struct HotkeyConfiguration: Hashable, Sendable {
  /// How long a sequence waits for its next chord. sxhkd: 3 s.
  public var sequenceTimeout = EventInterval.milliseconds(3000)
  /// How long a modifier may be held and still count as tapped: half of xremap's 1 s, so that
  /// hesitation is not a tap.
  public var longestTap = EventInterval.milliseconds(500)
  /// Pressed without modifiers, it ends a sequence or leaves a mode, unless a hotkey there uses it.
  public var abortKey = Key.escape

  /// Creates a configuration with the defaults above.
  public init() {}
}

extension HotkeyConfiguration: Codable {
  /// Reads an object with times in seconds and the key's name. What is missing has its default.
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: CodingKeys.self)
    sequenceTimeout =
      try container.decodeIfPresent(EventInterval.self, forKey: .sequenceTimeout)
      ?? sequenceTimeout
    longestTap =
      try container.decodeIfPresent(EventInterval.self, forKey: .longestTap) ?? longestTap
    abortKey = try container.decodeIfPresent(Key.self, forKey: .abortKey) ?? abortKey
  }
}

extension HotkeyConfiguration: CustomStringConvertible {
  /// All of it: `sequenceTimeout=3 s, longestTap=500 ms, abortKey=KEY_ESC`.
  public var description: String {
    "sequenceTimeout=\(sequenceTimeout), longestTap=\(longestTap), abortKey=\(abortKey)"
  }
}
