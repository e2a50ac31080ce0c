import GlissEvents
import GlissHotkeys
import GlissSynthesis
import Testing

/// A keyboard, a mouse and a clock that is moved by hand, written as words.
///
/// `+t` presses, `-t` releases and `~t` repeats the key called so; `+t=ö` says what the layout makes of it. `2+button4`
/// is the second mouse's. `wheelup*7.5` turns by degrees. `@300` lets time pass up to 300 ms, `cancel` loses the input,
/// `mode:m` enters a mode and `leave` leaves it.
struct Rig {
  var matcher = HotkeyMatcher()
  var modifiers: Modifiers = []
  var now: Int64 = 0
  /// What came out: `super+t pressed!`, where the mark says that now is when it acts.
  var told: [String] = []
  var events: [HotkeyEvent] = []
  /// The words that belonged to a hotkey.
  var kept: [String] = []

  init() {}

  init(_ hotkeys: [String]) throws {
    // `m/t` applies in the mode m
    for entry in hotkeys {
      let parts = entry.split(separator: "|", maxSplits: 1).map(String.init)
      _ = try matcher.register(
        Hotkey(parts.last ?? ""), owner: "rig", mode: parts.count > 1 ? parts[0] : nil)
    }
  }

  var time: EventTime { EventTime(microseconds: now * 1000) }

  mutating func play(_ script: String) throws {
    for word in script.split(separator: " ").map(String.init) {
      if try act(word) { kept.append(word) }
    }
  }

  private mutating func act(_ word: String) throws -> Bool {
    if word == "cancel" {
      take { $0.cancel(at: $1, emit: $2) }
      return false
    }
    if word == "leave" {
      matcher.leaveMode()
      return false
    }
    if word.hasPrefix("mode:") { return !matcher.enter(mode: String(word.dropFirst(5))) }
    if word.hasPrefix("@") {
      now = try #require(Int64(word.dropFirst()))
      matcher.advance(to: time)
      return false
    }
    if word.hasPrefix("wheel") { return try turn(word) }
    let isSecond = word.hasPrefix("2")
    return try key(isSecond ? String(word.dropFirst()) : word, on: isSecond ? 2 : 1)
  }

  private mutating func turn(_ word: String) throws -> Bool {
    let parts = word.split(separator: "*")
    let degrees = try #require(parts.count == 2 ? Double(parts[1]) : 15)
    let delta: Vector2 =
      switch parts[0] {
      case "wheelup": Vector2(x: 0, y: -degrees)
      case "wheeldown": Vector2(x: 0, y: degrees)
      case "wheelleft": Vector2(x: -degrees, y: 0)
      default: Vector2(x: degrees, y: 0)
      }
    return scroll(delta)
  }

  mutating func scroll(_ delta: Vector2, _ source: ScrollEvent.Source = .wheel) -> Bool {
    let event = ScrollEvent(
      time: time, device: DeviceID(rawValue: 1), source: source, delta: delta)
    return take { matcher, _, emit in matcher.process(event, emit: emit) }
  }

  private mutating func key(_ word: String, on device: UInt32) throws -> Bool {
    let parts = word.dropFirst().split(separator: "=", maxSplits: 1)
    let chord = try #require(try Hotkey(String(parts[0])).chords.first)
    guard case .key(let key) = chord.trigger else { return false }
    let state: KeyEvent.State =
      switch word.first {
      case "+": .down
      case "-": .up
      default: .repeat
      }
    let keysym = parts.count > 1 ? parts[1].unicodeScalars.first.map(keysym) ?? 0 : 0
    return press(key, state, keysym: keysym, on: DeviceID(rawValue: device))
  }

  private func keysym(_ character: Unicode.Scalar) -> UInt32 {
    character.value < 0x100 ? character.value : 0x100_0000 | character.value
  }

  @discardableResult mutating func press(
    _ key: Key, _ state: KeyEvent.State, keysym: UInt32 = 0, on device: DeviceID
  ) -> Bool {
    if key.isPointerButton {
      let event = ButtonEvent(time: time, device: device, button: key, isDown: state == .down)
      return take { matcher, _, emit in matcher.process(event, emit: emit) }
    }
    switch state {
    case .down: modifiers.formUnion(Modifiers(key))
    case .up: modifiers.subtract(Modifiers(key))
    case .repeat: break
    }
    let event = KeyEvent(
      time: time, device: device, key: key, state: state, modifiers: modifiers, keysym: keysym)
    return take { matcher, _, emit in matcher.process(event, emit: emit) }
  }

  @discardableResult mutating func take<Result>(
    _ body: (inout HotkeyMatcher, EventTime, (HotkeyEvent) -> Void) -> Result
  ) -> Result {
    let table = matcher.table
    var matcher = matcher
    var new: [HotkeyEvent] = []
    let result = body(&matcher, time) { new.append($0) }
    self.matcher = matcher
    events += new
    told += new.map {
      "\(table[$0.hotkey]?.hotkey.description ?? "?") \($0.phase.name)\($0.shouldAct ? "!" : "")"
    }
    return result
  }
}

extension RandomSource {
  /// Any hotkey that text can describe.
  mutating func hotkey() -> Hotkey {
    if chance(0.1) { return Hotkey(tap: pick(TappedModifier.allCases)) }
    let rest = chance(0.3) ? (0..<integer(1...3)).map { _ in chord() } : []
    return Hotkey(chord(), then: rest, activation: pick(Hotkey.Activation.allCases))
  }

  mutating func chord() -> Chord {
    let modifiers = ChordModifiers(rawValue: UInt16(integer(0...0x7ff)))
    switch integer(0...5) {
    case 0: return Chord(modifiers, .symbol(pick(["ö", "é", "я", "λ", "?", "1", "€", "א", "'"])))
    case 1: return Chord(modifiers, .wheel(pick(WheelDirection.allCases)))
    default: return Chord(modifiers, .key(Key(rawValue: UInt16(integer(0...0x2ff)))))
    }
  }
}
