import GlissEvents

/// Applies a monitor's verdicts and keeps sequences complete: presses with releases, touches and
/// gestures with ends.
struct MonitorScreen {
  private struct Press: Hashable {
    var device: DeviceID
    var key: Key
  }

  /// What the monitor did to a press, if anything.
  private enum Fate {
    case swallowed
    case replaced(Key)
  }

  private var presses: [Press: Fate] = [:]
  /// Current gestures that are no longer reported.
  private var hiddenGestures: Set<WithheldGestures.Identity> = []
  private var withheld = WithheldGestures()
  /// Events that were withheld and are to be reported before the one that was passed just now.
  private var released: [GestureEvent] = []
  /// Held hotkeys that are not reported.
  private var hiddenHotkeys: Set<HotkeyID> = []
  private var touches = TouchScreen()

  /// Whether all sequences that the monitor changed are over.
  var isIdle: Bool {
    presses.isEmpty && hiddenGestures.isEmpty && withheld.isEmpty && hiddenHotkeys.isEmpty
      && touches.isIdle
  }

  /// Takes the events that were withheld until the one that was just passed.
  mutating func takeReleased() -> [GestureEvent] {
    if released.isEmpty { return [] }
    defer { released = [] }
    return released
  }

  /// What is left of `event`; `nil` if nothing.
  mutating func apply(_ verdict: MonitorVerdict, to event: InputEvent) -> InputEvent? {
    switch event {
    case .key(let key): apply(verdict, to: key).map { .key($0) }
    case .button(let button): apply(verdict, to: button).map { .button($0) }
    case .gesture(let gesture): apply(verdict, to: gesture).map { .gesture($0) }
    case .touch(let frame): touches.apply(verdict, to: frame).map { .touch($0) }
    case .hotkey(let hotkey): apply(verdict, to: hotkey).map { .hotkey($0) }
    case .motion, .scroll, .device, .lost: apply(verdict, toSingle: event)
    }
  }

  private func apply(_ verdict: MonitorVerdict, toSingle event: InputEvent) -> InputEvent? {
    guard case .replace(let other) = verdict else { return verdict.keeps ? event : nil }
    if other.mask != event.mask { verdict.expectSameKind() }
    return other
  }

  // MARK: Keys and buttons

  private mutating func apply(_ verdict: MonitorVerdict, to event: KeyEvent) -> KeyEvent? {
    var left = event
    if case .replace(.key(let other)) = verdict { left = other } else { verdict.expectSameKind() }
    left.state = event.state
    left.device = event.device
    let press = Press(device: event.device, key: event.key)
    switch event.state {
    case .down: return begin(press, as: left.key, verdict.keeps) ? left : nil
    case .repeat, .up:
      guard let key = reportedKey(of: press, isOver: event.state == .up) else { return nil }
      left.key = key
      return verdict.keeps || event.state == .up ? left : nil
    }
  }

  private mutating func apply(_ verdict: MonitorVerdict, to event: ButtonEvent) -> ButtonEvent? {
    var left = event
    if case .replace(.button(let other)) = verdict {
      left = other
    } else {
      verdict.expectSameKind()
    }
    left.isDown = event.isDown
    left.device = event.device
    let press = Press(device: event.device, key: event.button)
    if event.isDown { return begin(press, as: left.button, verdict.keeps) ? left : nil }
    guard let button = reportedKey(of: press, isOver: true) else { return nil }
    left.button = button
    return left
  }

  /// - Returns: whether the press is reported.
  private mutating func begin(_ press: Press, as key: Key, _ isWanted: Bool) -> Bool {
    presses[press] = isWanted ? key == press.key ? nil : .replaced(key) : .swallowed
    return isWanted
  }

  /// The key the press was reported as; `nil` if it was not reported.
  private mutating func reportedKey(of press: Press, isOver: Bool) -> Key? {
    let fate = presses[press]
    if isOver { presses[press] = nil }
    switch fate {
    case .swallowed: return nil
    case .replaced(let key): return key
    case nil: return press.key
    }
  }

  // MARK: Gestures

  private mutating func apply(_ verdict: MonitorVerdict, to event: GestureEvent) -> GestureEvent? {
    var left = event
    switch verdict {
    case .swallow: return swallow(event)
    case .deferred: return withhold(event)
    case .replace(.gesture(let other)): left = other
    case .replace: verdict.expectSameKind()
    case .pass: break
    }
    (left.kind, left.phase, left.device) = (event.kind, event.phase, event.device)
    return pass(left)
  }

  private mutating func pass(_ event: GestureEvent) -> GestureEvent? {
    let identity = WithheldGestures.Identity(event)
    switch event.phase {
    case .recognized, .began: return event
    case .changed:
      if hiddenGestures.contains(identity) { return nil }
    case .ended, .cancelled:
      if hiddenGestures.remove(identity) != nil { return nil }
    }
    if let before = withheld.take(event) {
      released = before
      // time never goes back, and others may have been reported meanwhile
      for index in released.indices { released[index].time = event.time }
    }
    return event
  }

  private mutating func swallow(_ event: GestureEvent) -> GestureEvent? {
    let identity = WithheldGestures.Identity(event)
    switch event.phase {
    case .recognized: return nil
    case .began:
      hiddenGestures.insert(identity)
      return nil
    case .changed:
      if withheld.take(event) != nil { hiddenGestures.insert(identity) }
      return nil
    case .ended, .cancelled:
      if hiddenGestures.remove(identity) != nil || withheld.take(event) != nil { return nil }
      // it began in front of everybody
      var end = event
      end.phase = .cancelled
      return end
    }
  }

  private mutating func withhold(_ event: GestureEvent) -> GestureEvent? {
    switch event.phase {
    case .recognized: return nil
    case .began:
      withheld.begin(event)
      return nil
    case .changed: return withheld.add(event) ? nil : pass(event)
    case .ended, .cancelled: return withheld.take(event) == nil ? pass(event) : nil
    }
  }

  // MARK: Hotkeys

  private mutating func apply(_ verdict: MonitorVerdict, to event: HotkeyEvent) -> HotkeyEvent? {
    var left = event
    if case .replace(.hotkey(let other)) = verdict {
      left = other
    } else {
      verdict.expectSameKind()
    }
    (left.device, left.hotkey, left.phase) = (event.device, event.hotkey, event.phase)
    switch event.phase {
    case .pressed:
      if !verdict.keeps { hiddenHotkeys.insert(event.hotkey) }
      return verdict.keeps ? left : nil
    case .repeated:
      return verdict.keeps && !hiddenHotkeys.contains(event.hotkey) ? left : nil
    case .released: return hiddenHotkeys.remove(event.hotkey) == nil ? left : nil
    }
  }
}

extension MonitorVerdict {
  /// Whether the event, or another in its place, is reported.
  fileprivate var keeps: Bool { if case .swallow = self { false } else { true } }

  /// Traps if this replaces the event: another kind would leave both sequences incomplete.
  fileprivate func expectSameKind() {
    guard case .replace = self else { return }
    preconditionFailure("a local monitor replaced an event with one of another kind")
  }
}

/// Removes touches from frames, so that every other touch is still seen from beginning to end.
///
/// A swallowed touch is not reported, or ends as cancelled if it already was; it stays out of all
/// frames until it lifts.
struct TouchScreen {
  private var hidden = InlineList<32, TouchID>(
    filler: TouchID(device: DeviceID(rawValue: 0), serial: 0))

  var isIdle: Bool { hidden.isEmpty }

  /// What is left of `frame`; `nil` if nothing.
  mutating func apply(_ verdict: MonitorVerdict, to frame: TouchFrame) -> TouchFrame? {
    var left = frame
    left.touches.removeAll()
    for index in frame.touches.indices {
      let touch = frame.touches[index]
      let replaced = Self.replacement(for: touch, verdict)
      let shown = shown(touch, as: replaced)
      if let shown { left.touches.append(shown) }
      let isGone = shown?.phase.isFinal ?? true
      if isGone && !touch.phase.isFinal { left.fingerCount = max(0, left.fingerCount - 1) }
    }
    // The pad's button alone is reason for a frame, and so is a count of fingers without touches.
    let isEmptied = left.touches.isEmpty && !frame.touches.isEmpty
    return (verdict.keeps ? isEmptied : left.touches.isEmpty) ? nil : left
  }

  /// What the verdict leaves of a touch; `nil` if nothing.
  private static func replacement(for touch: Touch, _ verdict: MonitorVerdict) -> Touch? {
    switch verdict {
    case .pass, .deferred: return touch
    case .swallow: return nil
    case .replace(.touch(let other)):
      guard let index = other.touches.firstIndex(where: { $0.id == touch.id }) else { return nil }
      var replaced = other.touches[index]
      replaced.phase = touch.phase
      return replaced
    case .replace:
      verdict.expectSameKind()
      return nil
    }
  }

  /// What the monitors and handlers after this one see of a touch.
  private mutating func shown(_ touch: Touch, as replaced: Touch?) -> Touch? {
    if let index = hidden.firstIndex(where: { $0 == touch.id }) {
      if touch.phase.isFinal { hidden.remove(at: index) }
      return nil
    }
    if let replaced { return replaced }
    // If there is no room to remember it, it is let through.
    guard touch.phase.isFinal || hidden.append(touch.id) else { return touch }
    switch touch.phase {
    case .began: return nil
    case .moved, .stationary, .ended, .cancelled:
      var end = touch
      end.phase = .cancelled
      return end
    }
  }
}

/// The gestures that a monitor has deferred, from their beginning on.
struct WithheldGestures {
  /// The most events of a gesture that are kept. Of a longer one the oldest changes are left out:
  /// each event carries the totals since the beginning.
  static let capacity = 128

  /// Gestures of one kind on one device: only one goes on at a time.
  struct Identity: Hashable {
    var device: DeviceID
    var kind: GestureKind

    init(_ event: GestureEvent) { (device, kind) = (event.device, event.kind) }
  }

  private var events: [Identity: [GestureEvent]] = [:]

  var isEmpty: Bool { events.isEmpty }

  mutating func begin(_ event: GestureEvent) { events[Identity(event)] = [event] }

  /// Keeps another event; `false` if the gesture is not withheld.
  mutating func add(_ event: GestureEvent) -> Bool {
    if events.isEmpty { return false }
    let identity = Identity(event)
    guard let count = events[identity]?.count else { return false }
    if count == Self.capacity { events[identity]?.remove(at: 1) }
    events[identity]?.append(event)
    return true
  }

  /// Gives a gesture up or passes it on: its events so far, `nil` if it is not withheld.
  mutating func take(_ event: GestureEvent) -> [GestureEvent]? {
    events.isEmpty ? nil : events.removeValue(forKey: Identity(event))
  }
}
