import GlissEvents
import GlissHotkeys
import GlissSynthesis
import TestSupport
import Testing

/// Random hotkeys and keys; few of each, so that they meet.
@Suite struct PropertyTests {
  static let modifierKeys: [Key] = [
    .leftShift, .rightShift, .leftControl, .leftSuper, .rightSuper, .rightAlt,
  ]
  /// The keys of a small keyboard, and what its layout makes of them.
  static let keys: [(key: Key, plain: Unicode.Scalar, shifted: Unicode.Scalar)] = [
    (.a, "q", "Q"), (Key(rawValue: 0x10), "a", "A"), (Key(rawValue: 0x27), "ö", "Ö"),
    (Key(rawValue: 2), "1", "!"), (Key(rawValue: 3), "2", "?"),
    (Key(rawValue: 1), "\u{1}", "\u{1}"),
  ]

  static func chord(_ random: inout RandomSource) -> Chord {
    let sets: [ChordModifiers] = [
      [], .super, .leftSuper, .rightSuper, .shift, .leftShift, [.super, .shift], .control, .altGr,
      [.leftSuper, .rightSuper], [.leftSuper, .shift],
    ]
    let trigger: Chord.Trigger =
      random.chance(0.3)
      ? .symbol(random.pick(["q", "a", "ö", "1", "!", "?"])) : .key(random.pick(keys).key)
    return Chord(random.pick(sets), trigger)
  }

  static func hotkey(_ random: inout RandomSource) -> Hotkey {
    if random.chance(0.1) { return Hotkey(tap: random.pick(TappedModifier.allCases)) }
    let rest = random.chance(0.5) ? (0..<random.integer(1...2)).map { _ in chord(&random) } : []
    return Hotkey(chord(&random), then: rest, activation: random.pick(Hotkey.Activation.allCases))
  }

  static func rig(_ random: inout RandomSource) -> Rig {
    var rig = Rig()
    for _ in 0..<20 {
      _ = try? rig.matcher.register(
        hotkey(&random), owner: "rig", mode: random.pick([nil, nil, "m"]))
    }
    return rig
  }

  /// A key goes down, up or repeats, as on a real keyboard; sometimes time passes.
  static func key(
    _ random: inout RandomSource, _ down: inout Set<Key>, _ modifiers: inout Modifiers,
    at time: Int64
  ) -> KeyEvent {
    let place = random.pick(keys)
    let key = random.chance(0.4) ? random.pick(modifierKeys) : place.key
    var state = KeyEvent.State.down
    if down.contains(key) { state = random.chance(0.3) ? .repeat : .up }
    if state == .down { down.insert(key) }
    if state == .up { down.remove(key) }
    modifiers = down.reduce(into: []) { $0.formUnion(Modifiers($1)) }
    let isShifted = !modifiers.isDisjoint(with: [.leftShift, .rightShift])
    let keysym = Modifiers(key).isEmpty ? (isShifted ? place.shifted : place.plain).value : 0xffe1
    return KeyEvent(
      time: EventTime(microseconds: time), device: DeviceID(rawValue: 1), key: key, state: state,
      modifiers: modifiers, keysym: keysym)
  }

  /// All keys go up, and then one is pressed and released alone.
  static func tap(
    _ key: Key, _ down: inout Set<Key>, _ modifiers: inout Modifiers, at time: inout Int64
  ) -> [KeyEvent] {
    var events: [KeyEvent] = []
    let ups = down.sorted().map { ($0, KeyEvent.State.up) }
    for (key, state) in ups + [(key, .down), (key, .up)] {
      time += 10_000
      if state == .down { modifiers.formUnion(Modifiers(key)) }
      if state == .up { modifiers.subtract(Modifiers(key)) }
      events.append(
        KeyEvent(
          time: EventTime(microseconds: time), device: DeviceID(rawValue: 1), key: key,
          state: state, modifiers: modifiers))
    }
    down.removeAll()
    return events
  }

  @Test func theTableAgreesWithANaiveSearch() {
    let told = (0..<60).map { compare($0) }
    #expect(told.contains { $0.count > 0 }, "these keys meet no hotkey; \(Seed.advice)")
    #expect(told.contains { $0.taps > 0 }, "nothing is tapped; \(Seed.advice)")
  }

  /// - Returns: how much was told, and how much of it were taps.
  private func compare(_ index: Int) -> (count: Int, taps: Int) {
    var random = Seed.source("reference", index)
    var rig = Self.rig(&random)
    var reference = Reference(rig.matcher.table.all)
    var down: Set<Key> = []
    var modifiers: Modifiers = []
    var now: Int64 = 0
    for step in 0..<600 {
      now += random.chance(0.02) ? 3_000_000 : 10_000
      if random.chance(0.02) {
        let isThere = rig.matcher.enter(mode: "m")
        if isThere { reference.enter("m") }
      }
      if random.chance(0.02) {
        rig.matcher.leaveMode()
        reference.enter(nil)
      }
      let event = Self.key(&random, &down, &modifiers, at: now)
      var events = [event]
      if random.chance(0.05) {
        events += Self.tap(random.pick(Self.modifierKeys), &down, &modifiers, at: &now)
      }
      for event in events {
        let kept = rig.take { matcher, _, emit in matcher.process(event, emit: emit) }
        let expected = reference.process(event)
        #expect(kept == expected, "event \(step), \(Seed.advice)")
        #expect(rig.matcher.mode == reference.mode, "event \(step), \(Seed.advice)")
      }
    }
    let told = rig.events.map { "\($0.hotkey.rawValue) \($0.phase.name)" }
    #expect(told == reference.told, "\(Seed.advice)")
    let taps = Set(rig.matcher.table.all.filter { $0.hotkey.chords.isEmpty }.map(\.id))
    return (told.count, rig.events.count { taps.contains($0.hotkey) })
  }

  @Test(arguments: 0..<40) func everyPressHasItsRelease(_ index: Int) {
    var random = Seed.source("hotkey balance", index)
    var rig = Self.rig(&random)
    for modifier in [TappedModifier.super, .leftShift] {
      _ = try? rig.matcher.register(Hotkey(tap: modifier), owner: "rig")
    }
    _ = try? rig.matcher.register(Hotkey(Chord(.super, .wheel(.up))), owner: "rig")
    _ = try? rig.matcher.register(Hotkey(Chord([], .key(.leftButton))), owner: "rig")
    for _ in 0..<500 {
      rig.now += Int64(random.integer(0...400))
      switch random.integer(0...40) {
      case 0: rig.take { $0.cancel(at: $1, emit: $2) }
      case 1: rig.matcher.enter(mode: "m")
      case 2: rig.matcher.leaveMode()
      case 3: rig.matcher.advance(to: rig.time)
      case 4: _ = rig.scroll(Vector2(x: random.normal(), y: random.normal() * 20))
      case 5:
        let id = HotkeyID(rawValue: UInt32(random.integer(1...25)))
        rig.take { matcher, time, emit in _ = matcher.unregister(id, at: time, emit: emit) }
      case 6: _ = try? rig.matcher.register(Self.hotkey(&random), owner: "rig")
      default:
        // in any order, also what no keyboard sends
        let key =
          random.chance(0.4)
          ? random.pick(Self.modifierKeys) : random.pick(Self.keys.map(\.key) + [.leftButton])
        rig.press(
          key, random.pick(KeyEvent.State.allCases), keysym: UInt32(random.integer(0x31...0x3f)),
          on: DeviceID(rawValue: UInt32(random.integer(1...2))))
      }
    }
    rig.take { $0.cancel(at: $1, emit: $2) }
    var held: Set<HotkeyID> = []
    for event in rig.events {
      switch event.phase {
      case .pressed:
        let isNew = held.insert(event.hotkey).inserted
        #expect(isNew, "\(Seed.advice)")
      case .repeated: #expect(held.contains(event.hotkey), "\(Seed.advice)")
      case .released:
        let wasHeld = held.remove(event.hotkey) != nil
        #expect(wasHeld, "\(Seed.advice)")
      }
    }
    #expect(held.isEmpty, "\(Seed.advice)")
  }

  /// What belongs to hotkeys is whole presses.
  @Test(arguments: 0..<20) func aKeyIsKeptFromPressToRelease(_ index: Int) {
    var random = Seed.source("kept keys", index)
    var rig = Self.rig(&random)
    var down: Set<Key> = []
    var modifiers: Modifiers = []
    var kept: Set<Key> = []
    for step in 0..<600 {
      rig.now += 10
      if random.chance(0.03) { rig.take { $0.cancel(at: $1, emit: $2) } }
      let event = Self.key(&random, &down, &modifiers, at: rig.now * 1000)
      let isKept = rig.take { matcher, _, emit in matcher.process(event, emit: emit) }
      switch event.state {
      case .down: if isKept { kept.insert(event.key) }
      case .repeat: #expect(isKept == kept.contains(event.key), "event \(step), \(Seed.advice)")
      case .up:
        let wasKept = kept.remove(event.key) != nil
        #expect(isKept == wasKept, "event \(step), \(Seed.advice)")
      }
    }
  }

  /// Ten thousand hotkeys beside those that are pressed change nothing.
  @Test(arguments: 0..<3) func tenThousandAreAsTen(_ index: Int) throws {
    var random = Seed.source("ten thousand", index)
    var few = Self.rig(&random)
    var many = few
    for number in 0..<10_000 {
      let modifiers: ChordModifiers = number % 2 == 0 ? .super : [.leftSuper, .control]
      let key = Key(rawValue: UInt16(0x300 + number / 2))
      _ = try many.matcher.register(Hotkey(Chord(modifiers, .key(key))), owner: "many")
    }
    #expect(many.matcher.table.all.count >= 10_000)
    var down: Set<Key> = []
    var modifiers: Modifiers = []
    for _ in 0..<2000 {
      few.now += 10
      let event = Self.key(&random, &down, &modifiers, at: few.now * 1000)
      let one = few.take { matcher, _, emit in matcher.process(event, emit: emit) }
      let other = many.take { matcher, _, emit in matcher.process(event, emit: emit) }
      #expect(one == other, "\(Seed.advice)")
    }
    #expect(few.events == many.events, "\(Seed.advice)")
  }
}
