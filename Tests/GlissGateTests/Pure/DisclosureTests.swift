import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissGate

/// What a client is shown of an event.
@Suite struct DisclosureTests {
  static let time = EventTime(microseconds: 5)
  static let device = DeviceID(rawValue: 3)
  static let pad = "Pad"

  static let gesture: InputEvent = {
    var gesture = GestureEvent(
      time: time, device: device, kind: .swipe, phase: .changed, fingers: 3)
    gesture.centroid = Vector2(x: 0.25, y: 0.5)
    gesture.translation.points = Vector2(x: 3, y: 4)
    return .gesture(gesture)
  }()
  static let touch: InputEvent = {
    var frame = TouchFrame(time: time, device: device)
    frame.isButtonDown = true
    frame.touches.append(
      Touch(
        id: TouchID(device: device, serial: 1), phase: .began,
        normalizedPosition: Vector2(x: 0.5, y: 0.5), position: Vector2(x: 50, y: 30)))
    return .touch(frame)
  }()
  static func key(_ key: Key) -> InputEvent {
    .key(
      KeyEvent(
        time: time, device: device, key: key, state: .down,
        modifiers: [.leftShift, Modifiers(key)], keysym: 0x41, text: "A"))
  }
  static let letter = key(.a)
  static let shift = key(.leftShift)
  static let f1 = key(Key(rawValue: 59))
  static let mute = key(Key(rawValue: 113))
  static let unknown = key(Key(rawValue: 0x2ff))
  static let button: InputEvent = .button(
    ButtonEvent(time: time, device: device, button: .leftButton, isDown: true))
  static let motion: InputEvent = .motion(
    MotionEvent(time: time, device: device, delta: Vector2(x: 1, y: 2)))
  static let plugged: InputEvent = .device(
    DeviceEvent(time: time, device: device, change: .added))

  static let all: [(String, InputEvent)] = [
    ("gesture", gesture), ("touch", touch), ("letter", letter), ("shift", shift), ("f1", f1),
    ("mute", mute), ("unknown", unknown), ("button", button), ("motion", motion),
    ("plugged", plugged),
  ]

  /// What a client can distinguish of an event.
  static func text(_ event: InputEvent?) -> String? {
    guard let event else { return nil }
    var encoder = JSONLineEncoder()
    encoder.append(event, deviceName: pad)
    var text = String(decoding: encoder.buffer.bytes, as: UTF8.self)
    if case .touch(let frame) = event { text += " \(frame.isButtonDown)" }
    return text
  }

  static func raw(
    _ events: EventMask, keys: KeyClasses = [], on devices: Set<String>? = nil,
    _ availability: Availability = .whenUnlocked
  ) -> Entitlement {
    Entitlement(Scope(tier: .raw, events: events, devices: devices, keys: keys), availability)
  }

  static let gestures = Entitlement(.gestures, .whenUnlocked)
  static let everything = raw(
    [.gesture, .touch, .key, .pointer, .scroll, .device], keys: .all, .always)

  static let active = SeatState(activeUser: 1000, session: "c1")
  static func state(_ change: (inout SeatState) -> Void) -> SeatState {
    var state = active
    change(&state)
    return state
  }

  static func seen(_ entitlements: [Entitlement], in state: SeatState = active) -> [String] {
    let disclosure = Disclosure(uid: 1000, entitlements: entitlements)
    return all.filter { disclosure.visible($0.1, device: pad, in: state) != nil }.map(\.0)
  }

  // MARK: Tiers and masks

  static let scopes: [(Entitlement, [String])] = [
    (gestures, ["gesture"]),
    (raw(.gesture), ["gesture"]),
    (raw(.touch), ["touch"]),
    (raw(.pointer), ["button", "motion"]),
    (raw(.device), ["plugged"]),
    (raw(.scroll), []),
    (raw(.key, keys: .typing), ["letter", "unknown"]),
    (raw(.key, keys: .modifiers), ["shift"]),
    (raw(.key, keys: .function), ["f1"]),
    (raw(.key, keys: .media), ["mute"]),
    (raw([.key, .touch], keys: [.media, .function]), ["touch", "f1", "mute"]),
    (everything, all.map(\.0)),
    // classes without keys, and other tiers, mean nothing
    (raw(.touch, keys: .all), ["touch"]),
    (Entitlement(Scope(tier: .post, events: .key, keys: .all), .always), []),
    (Entitlement(Scope(tier: .hotkey, events: .all, keys: .all), .always), []),
    (Entitlement(Scope(tier: .gesture, events: .all, keys: .all), .always), ["gesture"]),
    // another device's
    (raw([.touch, .key, .pointer], keys: .all, on: ["Pen"]), []),
    (raw([.touch, .key], keys: .media, on: ["Pen", "Pad"]), ["touch", "mute"]),
  ]

  @Test(arguments: scopes.indices) func onlyGrantedEventsAreShown(_ index: Int) {
    let (entitlement, expected) = Self.scopes[index]
    #expect(Self.seen([entitlement]) == expected)
    #expect(Self.seen([]) == [])
    #expect(
      Disclosure(uid: 1001, entitlements: [entitlement]).visible(
        Self.mute, device: Self.pad, in: Self.active) == nil, "another user sees something")
  }

  @Test func gesturesHaveCoordinatesInTheRawTierOnly() throws {
    for (entitlements, has) in [
      ([Self.gestures], false), ([Self.raw(.gesture)], true),
      ([Self.gestures, Self.raw(.gesture)], true),
      ([Self.gestures, Self.raw(.gesture, on: ["Pen"])], false),
    ] {
      let disclosure = Disclosure(uid: 1000, entitlements: entitlements)
      let text = try #require(
        Self.text(disclosure.visible(Self.gesture, device: Self.pad, in: Self.active)))
      #expect(text.contains("centroid") == has)
      #expect(text.contains(#""translation":[3.000,4.000]"#))
    }
  }

  static let details: [(KeyClasses, Set<String>?, hasText: Bool, hasModifiers: Bool)] = [
    (.function, nil, false, false), ([.function, .modifiers], nil, false, true),
    ([.function, .typing], nil, true, false), (.all, nil, true, true),
    // a grant for this keyboard does not show whether Shift is held on another
    (.all, ["Pad"], true, false),
  ]

  @Test(arguments: details.indices)
  func aKeyRevealsNothingOfUngrantedClasses(_ index: Int) throws {
    let (classes, devices, hasText, hasModifiers) = Self.details[index]
    let disclosure = Disclosure(
      uid: 1000, entitlements: [Self.raw(.key, keys: classes, on: devices)])
    guard
      case .key(let key)? = disclosure.visible(Self.f1, device: Self.pad, in: Self.active)
    else {
      Issue.record("the key is not seen")
      return
    }
    #expect(key.key == Key(rawValue: 59))
    #expect((key.keysym != 0) == hasText)
    #expect(!key.text.isEmpty == hasText)
    #expect(!key.modifiers.isEmpty == hasModifiers)
  }

  @Test func aFrameShowsThePadsButtonOnlyIfPointersAreGranted() {
    for (mask, tells) in [(EventMask.touch, false), ([.touch, .pointer], true)] {
      let disclosure = Disclosure(uid: 1000, entitlements: [Self.raw(mask)])
      if case .touch(let frame)? = disclosure.visible(
        Self.touch, device: Self.pad, in: Self.active)
      {
        #expect(frame.isButtonDown == tells)
        #expect(frame.touches.count == 1)
      } else {
        Issue.record("the touch is not seen")
      }
    }
  }

  // MARK: States

  @Test(arguments: Availability.allCases) func anInactiveUserIsShownNothing(
    _ availability: Availability
  ) {
    let all = [Self.raw(.all, keys: .all, availability), Entitlement(.gestures, availability)]
    for state in [
      Self.state { $0.activeUser = nil }, Self.state { $0.activeUser = 1001 },
      Self.state { $0.isAsleep = true }, Self.state { $0.isPaused = true },
      Self.state { ($0.isAsleep, $0.isLocked) = (true, true) },
      SeatState(),
    ] {
      #expect(Self.seen(all, in: state) == [])
      for couldType in [true, false] {
        #expect(!state.reportsHotkeys(of: 1000, couldType: couldType))
      }
    }
    #expect(Self.seen(all).count == Self.all.count)
  }

  static let locked: [(Availability, wasUnlocked: Bool, seesMedia: Bool)] = [
    (.whenUnlocked, true, false), (.whenUnlocked, false, false),
    (.afterFirstUnlock, true, true), (.afterFirstUnlock, false, false),
    (.always, true, true), (.always, false, true),
  ]

  @Test(arguments: locked.indices) func aLockedScreenShowsMediaKeysAtMost(_ index: Int) {
    let (availability, wasUnlocked, seesMedia) = Self.locked[index]
    let state = Self.state { ($0.isLocked, $0.wasUnlocked) = (true, wasUnlocked) }
    let all = [Self.raw(.all, keys: .all, availability), Entitlement(.gestures, availability)]
    #expect(Self.seen(all, in: state) == (seesMedia ? ["mute"] : []))
    let disclosure = Disclosure(uid: 1000, entitlements: all)
    if case .key(let key)? = disclosure.visible(Self.mute, device: Self.pad, in: state) {
      #expect(key.modifiers.isEmpty && key.text.isEmpty && key.keysym == 0)
    }
    #expect(!state.reportsHotkeys(of: 1000, couldType: false))
    #expect(
      Self.seen(all, in: Self.state { $0.wasUnlocked = false }).count == Self.all.count,
      "an unlocked screen counts as never unlocked")
  }

  @Test func secureInputStopsKeysOfAllClassesAndNothingElse() {
    let state = Self.state { $0.isInputSecure = true }
    #expect(
      Self.seen([Self.everything], in: state) == [
        "gesture", "touch", "button", "motion", "plugged",
      ])
    #expect(
      Self.seen(
        [Self.everything],
        in: Self.state {
          ($0.isInputSecure, $0.isLocked) = (true, true)
        }) == [])
    #expect(state.reportsHotkeys(of: 1000, couldType: false))
    #expect(!state.reportsHotkeys(of: 1000, couldType: true))
    #expect(!state.reportsHotkeys(of: 1001, couldType: false))
    #expect(Self.active.reportsHotkeys(of: 1000, couldType: true))
  }

  static let losses: [(EventMask, Entitlement, sees: Bool, seesInSecret: Bool)] = [
    (.key, raw(.key, keys: .media), true, false), (.key, gestures, false, false),
    (.key, raw(.gesture), false, false), (.key, raw(.key, keys: .all, on: ["Pen"]), false, false),
    ([.key, .scroll], raw([.key, .scroll], keys: .all), true, true),
    ([.gesture, .touch, .pointer], gestures, true, true),
    ([.gesture, .touch, .pointer], raw(.touch), true, true),
    ([.gesture, .touch, .pointer], raw(.key, keys: .all), false, false),
    (.all, Entitlement(Scope(tier: .hotkey, events: .all, keys: .all), .always), false, false),
    (.all, Entitlement(Scope(tier: .post), .always), false, false),
  ]

  @Test(arguments: losses.indices)
  func aLossIsShownToClientsThatMightHaveSeenTheEvents(_ index: Int) {
    let (kinds, entitlement, sees, seesInSecret) = Self.losses[index]
    let disclosure = Disclosure(uid: 1000, entitlements: [entitlement])
    func isSeen(_ change: (inout SeatState) -> Void = { _ in }) -> Bool {
      let loss = LossEvent(time: Self.time, device: Self.device, since: .zero, kinds: kinds)
      let left = disclosure.visible(.lost(loss), device: Self.pad, in: Self.state(change))
      if case .lost(let left)? = left { #expect(!left.kinds.isEmpty) }
      return left != nil && disclosure.mask.contains(.lost)
    }
    #expect(isSeen() == sees)
    // the length of a secret
    #expect(isSeen { $0.isInputSecure = true } == seesInSecret)
    #expect(!isSeen { $0.isLocked = true } && !isSeen { $0.isPaused = true })
    #expect(!isSeen { $0.activeUser = 1001 })
  }

  static let times: [(EventMask, [Entitlement], sees: Bool, seesInSecret: Bool)] = [
    (.key, [raw(.key, keys: .media)], false, false),
    (.key, [raw(.key, keys: .all.subtracting(.modifiers))], false, false),
    (.key, [raw(.key, keys: .all)], true, false),
    (.key, [raw(.key, keys: .all.subtracting(.media)), raw(.key, keys: .media)], true, false),
    (
      .key, [raw(.key, keys: .all.subtracting(.media)), raw(.key, keys: .media, on: ["Pen"])],
      false, false
    ),
    ([.key, .pointer, .scroll], [raw(.pointer)], false, false),
    ([.key, .pointer, .scroll], [raw([.pointer, .key], keys: .all)], true, false),
    ([.gesture, .touch, .pointer], [gestures], true, true),
  ]

  /// It may be the time of a key that is not shown.
  @Test(arguments: times.indices)
  func theTimeBeforeALossIsShownOnlyWithAllKeys(_ index: Int) {
    let (kinds, entitlements, sees, seesInSecret) = Self.times[index]
    let disclosure = Disclosure(uid: 1000, entitlements: entitlements)
    let loss = LossEvent(time: Self.time, device: Self.device, since: .zero, kinds: kinds)
    for (isSecret, sees) in [(false, sees), (true, seesInSecret)] {
      let state = Self.state { $0.isInputSecure = isSecret }
      let left = disclosure.visible(.lost(loss), device: Self.pad, in: state)
      if case .lost(let left)? = left {
        #expect((left.since != nil) == sees)
      } else {
        #expect(isSecret && !sees)
      }
    }
  }

  @Test func theMaskCoversEverythingThatCanBeShown() {
    for (entitlement, seen) in Self.scopes {
      let mask = Disclosure(uid: 1000, entitlements: [entitlement]).mask
      for (name, event) in Self.all where seen.contains(name) {
        #expect(mask.contains(event.mask))
      }
      if entitlement.scope.tier == .post || entitlement.scope.tier == .hotkey {
        #expect(mask.isEmpty)
      }
    }
  }

  @Test func hotkeysNeedAGrantOnlyIfTheyCouldTypeOrAreTaps() {
    #expect(Scope.needed(typesNothing: true, isTap: false) == nil)
    #expect(Scope.needed(typesNothing: false, isTap: true) == .gestures)
    #expect(Scope.needed(typesNothing: false, isTap: false) == .allKeys)
  }

  // MARK: Properties

  /// A reference that applies the rules one by one.
  private static func reference(
    _ entitlements: [Entitlement], _ event: InputEvent, _ device: String, _ state: SeatState
  ) -> InputEvent? {
    if state.activeUser != 1000 || state.isAsleep || state.isPaused { return nil }
    let valid = entitlements.filter { entitlement in
      if let devices = entitlement.scope.devices, !devices.contains(device) { return false }
      if !state.isLocked { return true }
      switch entitlement.availability {
      case .whenUnlocked: return false
      case .afterFirstUnlock: return state.wasUnlocked
      case .always: return true
      }
    }
    func has(_ mask: EventMask) -> Bool {
      valid.contains { $0.scope.tier == .raw && $0.scope.events.contains(mask) }
    }
    func has(_ keys: KeyClasses, onAll: Bool = false) -> Bool {
      valid.contains {
        $0.scope.tier == .raw && $0.scope.events.contains(.key) && $0.scope.keys.contains(keys)
          && (!onAll || $0.scope.devices == nil)
      }
    }
    switch event {
    case .key(var key):
      if state.isInputSecure || !has(key.key.classes) { return nil }
      if state.isLocked && key.key.classes != .media { return nil }
      if state.isLocked || !has(.typing) { (key.keysym, key.typed) = (0, .none) }
      if state.isLocked || !has(.modifiers, onAll: true) { key.modifiers = [] }
      return .key(key)
    case _ where state.isLocked: return nil
    case .gesture(let gesture):
      if has(.gesture) { return event }
      return valid.contains { $0.scope.tier == .gesture } ? .gesture(gesture.withoutCentroid) : nil
    case .touch(var frame):
      if !has(.touch) { return nil }
      if !has(.pointer) { frame.isButtonDown = false }
      return .touch(frame)
    case .lost(var loss):
      let seesAll = !state.isInputSecure && KeyClasses.words.allSatisfy { has($0.0) }
      if loss.kinds.contains(.key), !seesAll { loss.since = nil }
      let kinds = state.isInputSecure ? loss.kinds.subtracting(.key) : loss.kinds
      let shows = valid.contains {
        !$0.scope.events.isDisjoint(with: kinds) && $0.scope.tier == .raw
      }
      let showsGestures = valid.contains { $0.scope.tier == .gesture } && kinds.contains(.gesture)
      return shows || showsGestures ? .lost(loss) : nil
    case .button, .motion, .scroll, .device: return has(event.mask) ? event : nil
    case .hotkey: return nil
    }
  }

  @Test(arguments: 0..<20) func shownEventsMatchTheReference(_ index: Int) {
    var random = Seed.source("disclosure", index)
    var seen = 0
    for _ in 0..<400 {
      let entitlements = (0..<random.integer(0...3)).map { _ in
        Entitlement(random.scope(), random.pick(Availability.allCases))
      }
      let (event, state) = (random.event(), random.state())
      let device = random.pick(RandomSource.deviceNames + ["Other"])
      let disclosure = Disclosure(uid: 1000, entitlements: entitlements)
      let visible = Self.text(disclosure.visible(event, device: device, in: state))
      let expected = Self.text(Self.reference(entitlements, event, device, state))
      #expect(visible == expected, "\(entitlements) \(event) \(state) \(Seed.advice)")
      if visible != nil { seen += 1 }
    }
    #expect(seen > 0, "nothing is ever seen; \(Seed.advice)")
  }

  @Test(arguments: 0..<10) func anotherEntitlementNeverShowsLess(_ index: Int) {
    var random = Seed.source("one entitlement more", index)
    for _ in 0..<300 {
      var entitlements = (0..<random.integer(0...2)).map { _ in
        Entitlement(random.scope(), random.pick(Availability.allCases))
      }
      let (event, state) = (random.event(), random.state())
      let before = Disclosure(uid: 1000, entitlements: entitlements).visible(
        event, device: "Pad", in: state)
      entitlements.append(Entitlement(random.scope(), .always))
      let after = Disclosure(uid: 1000, entitlements: entitlements).visible(
        event, device: "Pad", in: state)
      #expect(before == nil || after != nil, "\(entitlements) \(event) \(Seed.advice)")
    }
  }
}
