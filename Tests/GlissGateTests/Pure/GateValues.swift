import GlissEvents
import GlissSynthesis

@testable import GlissGate

// Random values for tests of the gate's decisions. There are few names, so that they meet.

extension RandomSource {
  static let deviceNames = ["Pad", "Keyboard", "Pedal"]

  mutating func subset<Element>(of elements: [Element]) -> [Element] {
    elements.filter { _ in chance(0.5) }
  }

  mutating func devices(_ names: [String] = RandomSource.deviceNames) -> Set<String>? {
    if chance(0.4) { return nil }
    return Set([pick(names)] + subset(of: names))
  }

  /// A valid scope, except that it may name no event.
  mutating func scope(_ tiers: [Tier] = Tier.allCases, devices names: [String] = deviceNames)
    -> Scope
  {
    let tier = pick(tiers)
    var scope = Scope(tier: tier, devices: devices(names))
    switch tier {
    case .hotkey, .post: break
    case .gesture: scope.events = .gesture
    case .raw:
      for (event, _) in EventMask.table where chance(0.5) { scope.events.insert(event) }
      guard scope.events.contains(.key) else { break }
      for (keys, _) in KeyClasses.words where chance(0.5) { scope.keys.insert(keys) }
      if scope.keys.isEmpty { scope.keys = .media }
    }
    return scope
  }

  mutating func grant(_ id: Int64, by now: WallTime) -> Grant {
    var terms = Grant.Terms(
      uid: chance(0.9) ? 1000 : 1001,
      client: pick([.program("/opt/foo"), .program("/opt/foo"), .program("/usr/bin/python3.11")]),
      scope: scope([.gesture, .raw, .raw, .post]))
    if chance(0.3) {
      terms.group = try? AccessGroup(pick(["org.foo", "org.foo.bar", "org.foobar"]))
    }
    terms.isAllowed = chance(0.75)
    terms.availability = pick(Availability.allCases)
    terms.expiry = pick([
      .never, .never, .once, .session("c1"), .at(WallTime(seconds: now.seconds + 60)),
      .at(now),
    ])
    return Grant(
      id: GrantID(rawValue: id), terms: terms, created: now, modified: now, grantedBy: "")
  }

  mutating func state() -> SeatState {
    var state = SeatState(activeUser: pick([1000, 1000, 1000, 1001, nil]), session: "c1")
    state.isLocked = chance(0.3)
    state.wasUnlocked = chance(0.6)
    state.isAsleep = chance(0.1)
    state.isPaused = chance(0.1)
    state.isInputSecure = chance(0.2)
    return state
  }

  mutating func event() -> InputEvent {
    let time = EventTime(microseconds: 5)
    let device = DeviceID(rawValue: 3)
    switch integer(0...8) {
    case 0:
      var gesture = GestureEvent(
        time: time, device: device, kind: pick(GestureKind.allCases),
        phase: pick(GesturePhase.allCases), fingers: 3)
      gesture.centroid = Vector2(x: 0.25, y: 0.5)
      return .gesture(gesture)
    case 1:
      var frame = TouchFrame(time: time, device: device)
      frame.isButtonDown = chance(0.5)
      frame.fingerCount = 1
      return .touch(frame)
    case 2:
      return .button(ButtonEvent(time: time, device: device, button: .leftButton, isDown: true))
    case 3: return .motion(MotionEvent(time: time, device: device, delta: Vector2(x: 1, y: 2)))
    case 4: return .device(DeviceEvent(time: time, device: device, change: .added))
    case 5:
      return .lost(
        LossEvent(
          time: time, device: device, since: .zero,
          kinds: pick([.key, [.gesture, .touch], [.key, .scroll]])))
    case _:
      return .key(
        KeyEvent(
          time: time, device: device,
          key: pick([.a, .leftShift, Key(rawValue: 59), Key(rawValue: 113), Key(rawValue: 0x2ff)]),
          state: pick(KeyEvent.State.allCases), modifiers: chance(0.5) ? .leftShift : [],
          keysym: 0x61, text: "a"))
    }
  }
}
