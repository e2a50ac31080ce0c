public import GlissEvents

/// A local monitor's decision about an event.
public enum MonitorVerdict: Sendable {
  /// Everyone after it sees the event unchanged.
  case pass
  /// Nobody after it sees the event.
  case swallow
  /// Everyone after it sees this event instead, which must be of the same case.
  ///
  /// The kind of gesture, device, phase and touch identities stay those of the original, whatever
  /// the replacement says. Other members are taken as they are, `time` and `fingers` too; of a touch
  /// frame only the touches are taken. A press may be replaced with another key's; its release is
  /// then replaced too.
  case replace(InputEvent)
  /// For a gesture: nobody after it sees the event yet.
  ///
  /// The monitor decides at a later event of the gesture. ``pass`` and ``replace(_:)`` pass the
  /// gesture from its beginning on, all at the time of that event; ``swallow`` hides it to its end.
  /// A gesture that ends while deferred is swallowed; one that was passed cannot be deferred again.
  /// Of a long gesture only the beginning and the newest events are kept. Events that are not
  /// gestures cannot wait: they pass.
  case deferred
}

extension Session {
  /// Adds a monitor that sees events of the kinds in `mask` before recognizers, hotkeys and
  /// handlers do.
  ///
  /// Monitors are called in the order they were added; each sees what the earlier ones let through.
  /// Whatever they decide, everyone after them sees complete sequences. If the press of a key was
  /// swallowed, its release is swallowed too; the release of a reported press cannot be swallowed.
  /// A touch swallowed in the middle ends as cancelled, and nothing more is reported about it; a
  /// gesture that goes on is cancelled, and the other touches may begin another one, but no tap,
  /// hold or edge swipe until all fingers that do not rest have lifted. The changes of a gesture
  /// are swallowed one by one; if its end is swallowed, it ends as cancelled. What only a
  /// recognizer knows, such as ``GlissEvents/Touch/isResting`` of thumbs, is still missing.
  ///
  /// A monitor is called inline. It may remove itself, but must not feed the session.
  ///
  /// - Returns: a token that removes the monitor. A sequence whose beginning it swallowed then
  ///   stays swallowed to its end; a gesture that it deferred is passed.
  @discardableResult
  public func addLocalMonitor(
    matching mask: EventMask = .all, _ monitor: @escaping (InputEvent) -> MonitorVerdict
  ) -> HandlerToken {
    handlers.monitors.add(mask, monitor)
  }
}

/// The local monitors of a session, each with the event sequences it has changed.
final class MonitorChain {
  private final class Stage {
    let mask: EventMask
    /// `nil` once it is removed.
    var monitor: ((InputEvent) -> MonitorVerdict)?
    var screen = MonitorScreen()

    init(_ mask: EventMask, _ monitor: @escaping (InputEvent) -> MonitorVerdict) {
      self.mask = mask
      self.monitor = monitor
    }
  }

  private var stages: [Stage] = []
  private var isPassing = false

  /// The events that any of them wants to see.
  private(set) var mask: EventMask = []

  func add(
    _ mask: EventMask, _ monitor: @escaping (InputEvent) -> MonitorVerdict
  ) -> HandlerToken {
    let stage = Stage(mask, monitor)
    stages.append(stage)
    self.mask.formUnion(mask)
    return HandlerToken { [weak self, weak stage] in self?.remove(stage) }
  }

  private func remove(_ stage: Stage?) {
    let removed = stage?.monitor
    stage?.monitor = nil
    // It is released after the change: what it owns may add or remove others when it ends.
    defer { withExtendedLifetime(removed) {} }
    // A monitor that is being called may still swallow the beginning of a sequence.
    if !isPassing { forgetTheDone() }
  }

  /// What all of them leave of `event`; `nil` if nothing.
  ///
  /// - Parameter ahead: called first with what was deferred until now.
  func pass(_ event: InputEvent, ahead: (InputEvent) -> Void) -> InputEvent? {
    isPassing = true
    defer {
      isPassing = false
      forgetTheDone()
    }
    // Monitors added meanwhile see only the next event.
    return pass(event, stages[...], ahead)
  }

  private func pass(
    _ event: InputEvent, _ stages: ArraySlice<Stage>, _ ahead: (InputEvent) -> Void
  ) -> InputEvent? {
    var event = event
    for (index, stage) in zip(stages.indices, stages) where stage.mask.contains(event.mask) {
      let verdict = stage.monitor?(event) ?? .pass
      guard let left = stage.screen.apply(verdict, to: event) else { return nil }
      for gesture in stage.screen.takeReleased() {
        let rest = stages[(index + 1)...]
        if let left = pass(.gesture(gesture), rest, ahead) { ahead(left) }
      }
      event = left
    }
    return event
  }

  /// Removed monitors stay until the sequences they swallowed are over.
  private func forgetTheDone() {
    guard stages.contains(where: { $0.monitor == nil && $0.screen.isIdle }) else { return }
    stages.removeAll { $0.monitor == nil && $0.screen.isIdle }
    mask = stages.reduce(into: []) { $0.formUnion($1.mask) }
  }
}

/// Applies a monitor's verdicts and keeps sequences complete: presses with releases, touches and
/// gestures with ends.
struct MonitorScreen {
  private typealias Press = Keyboard.Press

  /// What the monitor did to a press, if anything.
  private enum Fate {
    case swallowed
    case replaced(Key)
  }

  private var presses: [Press: Fate] = [:]
  /// Gestures of one kind on one device: only one goes on at a time.
  private struct Stroke: Hashable {
    var device: DeviceID
    var kind: GestureKind

    init(_ event: GestureEvent) { (device, kind) = (event.device, event.kind) }
  }

  /// What the monitor did to a current gesture, if anything.
  private enum GestureFate {
    /// It is no longer reported.
    case hidden
    /// It is deferred, with its events from the beginning on.
    case withheld([GestureEvent])
  }

  /// The most events of a deferred gesture that are kept. Of a longer one the oldest changes are
  /// left out: each event carries the totals since the beginning.
  private static let capacity = 128

  private var gestures: [Stroke: GestureFate] = [:]
  /// Events that were withheld and are to be reported before the one that was passed just now.
  private var released: [GestureEvent] = []
  /// Held hotkeys that are not reported.
  private var hiddenHotkeys: Set<HotkeyID> = []
  private var touches = TouchScreen()

  /// Whether all sequences that the monitor changed are over.
  var isIdle: Bool {
    presses.isEmpty && gestures.isEmpty && hiddenHotkeys.isEmpty && touches.isIdle
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
    // a button has the mask of motion
    if case .button = other { verdict.expectSameKind() }
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

  private func fate(of event: GestureEvent) -> GestureFate? {
    gestures.isEmpty ? nil : gestures[Stroke(event)]
  }

  private mutating func pass(_ event: GestureEvent) -> GestureEvent? {
    if event.phase == .recognized || event.phase == .began { return event }
    switch fate(of: event) {
    case nil: return event
    case .hidden:
      if event.phase != .changed { gestures[Stroke(event)] = nil }
      return nil
    case .withheld(let before):
      gestures[Stroke(event)] = nil
      released = before
      // time never goes back, and others may have been reported meanwhile
      for index in released.indices { released[index].time = event.time }
      return event
    }
  }

  private mutating func swallow(_ event: GestureEvent) -> GestureEvent? {
    switch event.phase {
    case .recognized: return nil
    case .began: gestures[Stroke(event)] = .hidden
    case .changed: if fate(of: event) != nil { gestures[Stroke(event)] = .hidden }
    case .ended, .cancelled:
      if gestures.removeValue(forKey: Stroke(event)) != nil { return nil }
      // it began in front of everybody
      var end = event
      end.phase = .cancelled
      return end
    }
    return nil
  }

  private mutating func withhold(_ event: GestureEvent) -> GestureEvent? {
    switch event.phase {
    case .recognized: return nil
    case .began:
      gestures[Stroke(event)] = .withheld([event])
      return nil
    case .changed, .ended, .cancelled:
      guard case .withheld(var events)? = fate(of: event) else { return pass(event) }
      // removed first, so that appending does not copy the array
      gestures[Stroke(event)] = nil
      if event.phase != .changed { return nil }
      if events.count == Self.capacity { events.remove(at: 1) }
      events.append(event)
      gestures[Stroke(event)] = .withheld(events)
      return nil
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
