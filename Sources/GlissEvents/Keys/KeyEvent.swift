/// A key pressed, repeated or released.
///
/// Keys belong to the seat, not the device: a key held on two keyboards is reported as pressed by
/// the first and as released when the last one releases it. Each press is followed by exactly one
/// release, which names the same device.
public struct KeyEvent: Hashable, Sendable, BitwiseCopyable {
  /// What has happened to a key.
  public enum State: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// It was pressed.
    case down
    /// It was released.
    case up
    /// Still held down and reported again: by the keyboard itself, or by the session's own
    /// `KeyRepeat`.
    case `repeat`
  }

  /// When the kernel got it, on the source's clock.
  public var time: EventTime
  /// The keyboard that pressed it.
  public var device: DeviceID
  /// The physical key, whatever the layout makes of it.
  public var key: Key
  /// Whether it was pressed, repeated or released.
  public var state: State
  /// The modifiers that are down after this event, on any keyboard.
  public var modifiers: Modifiers
  /// The layout's keysym for the key with the current modifiers: a number of X11's `keysymdef.h`, 0
  /// if nothing translated the key or the layout has nothing there.
  public var keysym: UInt32 {
    // a monitor may replace it, and then the base is that of another key
    didSet { if keysym != oldValue { base = KeyBase() } }
  }
  /// What a press or repeat types; empty if nothing.
  ///
  /// Commands and control characters type nothing: Return, Tab, Escape and Backspace, and keys
  /// pressed with Ctrl, Alt or Super, have only their ``keysym``. So do dead keys and Compose:
  /// composing is up to the program that shows the text.
  public var text: String {
    get { typed.description }
    set { typed = KeyText(newValue) ?? .none }
  }
  /// How the layout chose ``keysym``; for hotkeys with a character.
  package var base: KeyBase
  /// ``text`` without reference counting.
  package var typed: KeyText

  /// An event of a key; without a layout it has neither keysym nor text. Text of more than 15 bytes
  /// of UTF-8 is left out.
  public init(
    time: EventTime, device: DeviceID, key: Key, state: State, modifiers: Modifiers,
    keysym: UInt32 = 0, text: String = ""
  ) {
    self.init(
      time: time, device: device, key: key, state: state, modifiers: modifiers, keysym: keysym,
      typed: KeyText(text) ?? .none)
  }

  package init(
    time: EventTime, device: DeviceID, key: Key, state: State, modifiers: Modifiers,
    keysym: UInt32, base: KeyBase = KeyBase(), typed: KeyText
  ) {
    self.time = time
    self.device = device
    self.key = key
    self.state = state
    self.modifiers = modifiers
    self.keysym = keysym
    self.base = base
    self.typed = typed
  }

  /// Whether both say the same. How the layout chose the keysym does not count, because events are
  /// written without it.
  public static func == (a: KeyEvent, b: KeyEvent) -> Bool {
    a.time == b.time && a.device == b.device && a.key == b.key && a.state == b.state
      && a.modifiers == b.modifiers && a.keysym == b.keysym && a.typed == b.typed
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(time)
    hasher.combine(device)
    hasher.combine(key)
    hasher.combine(state)
    hasher.combine(modifiers)
    hasher.combine(keysym)
    hasher.combine(typed)
  }
}

/// What the layout has on a key apart from the keysym of an event, and with which modifiers it
/// chose that keysym.
package struct KeyBase: Hashable, Sendable, BitwiseCopyable {
  /// The keysym without Shift and locks; 0 if it is unknown.
  package var keysym: UInt32
  /// The letter of another alphabet on this key, from another group of the layout; 0 without one.
  package var letter: UInt32 = 0
  /// The modifiers without which the layout would have chosen another character. Shift is not one
  /// where it makes a small letter a capital.
  package var choosers: Modifiers

  package init(keysym: UInt32 = 0, choosers: Modifiers = []) {
    self.keysym = keysym
    self.choosers = choosers
  }
}

/// A button of a pad or mouse, pressed or released.
public struct ButtonEvent: Hashable, Sendable, BitwiseCopyable {
  /// When the kernel got it, on the source's clock.
  public var time: EventTime
  /// The pad or mouse.
  public var device: DeviceID
  /// Which button, for example `leftButton`.
  public var button: Key
  /// Whether it was pressed; otherwise released.
  public var isDown: Bool

  /// A press or release of a button.
  public init(time: EventTime, device: DeviceID, button: Key, isDown: Bool) {
    self.time = time
    self.device = device
    self.button = button
    self.isDown = isDown
  }
}

/// The number of a registered hotkey within one table; never reused for another.
public struct HotkeyID: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static func < (a: HotkeyID, b: HotkeyID) -> Bool { a.rawValue < b.rawValue }
}

/// A hotkey was pressed, repeated or released.
///
/// Each press is followed by exactly one release: when the key that completed it goes up, whatever
/// its modifiers do, or when the input is cancelled. A tap or a wheel notch is released as soon as
/// it is pressed.
public struct HotkeyEvent: Hashable, Sendable, BitwiseCopyable {
  /// What has happened to a hotkey.
  public enum Phase: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// All of it is down, or its sequence is complete.
    case pressed
    /// Its last key went up, or something ended it. Sent exactly once after each press.
    case released
    /// The key repeats. Reported only for hotkeys that act on repeats.
    case repeated
  }

  /// The time of the key event behind it.
  public var time: EventTime
  /// The device of the key.
  public var device: DeviceID
  /// The hotkey, by the number that registering returned.
  public var hotkey: HotkeyID
  /// Whether it was pressed, repeated or released.
  public var phase: Phase
  /// Whether to act now: on the press, the release or every repeat, as the hotkey specifies. A
  /// release that replaces a lost one does not act.
  public var shouldAct: Bool

  /// An event of a hotkey.
  public init(
    time: EventTime, device: DeviceID, hotkey: HotkeyID, phase: Phase, shouldAct: Bool
  ) {
    self.time = time
    self.device = device
    self.hotkey = hotkey
    self.phase = phase
    self.shouldAct = shouldAct
  }
}

/// Backspace, Escape and Enter held together, in any order, end secure input and release grabbed
/// keyboards: nobody presses these keys together by accident (keyd's panic chord is the same).
package struct PanicChord: Hashable, Sendable {
  private static let all: UInt8 = 0b111
  /// A bit for each of the three keys: a set would allocate for each event.
  private var held: UInt8 = 0

  package init() {}

  /// Whether `event` completes it.
  package mutating func process(_ event: KeyEvent) -> Bool { process(event.key, event.state) }

  /// The same before a key has become an event.
  package mutating func process(_ key: Key, _ state: KeyEvent.State) -> Bool {
    let bit: UInt8
    switch key {
    case .backspace: bit = 0b001
    case .escape: bit = 0b010
    case .enter: bit = 0b100
    case _: return false
    }
    switch state {
    case .down:
      let isNew = held & bit == 0
      held |= bit
      return isNew && held == Self.all
    case .up: held &= ~bit
    case .repeat: break
    }
    return false
  }
}
