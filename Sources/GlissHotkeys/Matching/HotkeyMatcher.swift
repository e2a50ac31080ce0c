package import GlissEvents

/// Turns keys, buttons and wheels into hotkeys: a table of hotkeys, and the current position of a
/// seat's keys in it.
///
/// It has no clock. Events carry their time, which must not go back; between them ``advance(to:)``
/// advances it. An event costs a few lookups, however many hotkeys there are, and allocates
/// nothing.
///
/// Each `process` method returns whether the event belongs to a hotkey, and so may be withheld from
/// others: the last key of a chord, the keys that begin a sequence and the key that aborts one, from
/// press to release. A modifier belongs to a hotkey only as its key; a key that matches nothing
/// belongs to none.
package struct HotkeyMatcher: Sendable {
  /// Receives hotkey events, called inline.
  package typealias Emit = (HotkeyEvent) -> Void

  private enum State {
    case ready
    /// Some chords of a sequence were pressed, the last one on `device`; the next one must come
    /// before `due`.
    case following(HotkeyTable.Node, due: EventTime, device: DeviceID)
  }

  /// A key that is down and whose press belonged to a hotkey.
  private struct Hold {
    var device: DeviceID
    var key: Key
    /// The hotkey that its release ends; `nil` if the release only has to be withheld too.
    var hotkey: (id: HotkeyID, activation: Hotkey.Activation)?
  }

  /// The registered hotkeys and their owners.
  package private(set) var table = HotkeyTable()
  private let configuration: HotkeyConfiguration
  /// Where first chords are looked up: the root of the current mode.
  private var root = HotkeyTable.Node.base
  /// The mode that was entered last; Escape may have left it since.
  private var entered: String?
  /// Whether some chords of a sequence were pressed, but not all.
  package var isFollowing: Bool { if case .following = state { true } else { false } }

  private var state = State.ready {
    didSet {
      deadline = if case .following(_, let due, _) = state { due } else { nil }
    }
  }
  private var holds: [Hold] = []
  /// The modifiers that are down, as key events report them, or ``hold(_:)``.
  private var modifiers: Modifiers = []
  private var tap: ModifierTap
  private var notches = NotchCounter()
  /// Whether the last press or wheel turn must be withheld from the rest of the desktop, a press
  /// with its repeats and release.
  package private(set) var isConsumed = false
  /// What that press or turn led to, while ``isConsumed``.
  private var consumed = HotkeyTable.Target.node(.base)
  /// Whether the last key left a mode, because it was Escape.
  package private(set) var hasLeftMode = false
  /// Whether Escape leaves a mode. If not, it is an ordinary key in modes and belongs to nothing.
  /// It still ends a waiting sequence, like any key that does not continue it.
  package var escapeLeavesMode = true
  /// When ``advance(to:)`` must be called if no event comes first; `nil` while no sequence is
  /// waiting. It is stored: for a getter, another module would copy the whole matcher.
  package private(set) var deadline: EventTime?

  /// A matcher without hotkeys, with the given times and abort key.
  package init(configuration: HotkeyConfiguration = HotkeyConfiguration()) {
    self.configuration = configuration
    tap = ModifierTap(longest: configuration.longestTap)
    // One for each finger; it grows if more keys are held.
    holds.reserveCapacity(10)
  }

  // MARK: Registering

  /// As ``HotkeyTable/register(_:owner:mode:consumes:)``.
  package mutating func register(
    _ hotkey: Hotkey, owner: String, mode: String? = nil, consumes: Bool = false
  ) throws(HotkeyError) -> HotkeyID {
    try table.register(hotkey, owner: owner, mode: mode, consumes: consumes)
  }

  /// Unregisters a hotkey, and releases it if it is held; `false` if it does not exist.
  @discardableResult package mutating func unregister(
    _ id: HotkeyID, at time: EventTime, emit: Emit
  ) -> Bool {
    guard table.unregister(id) else { return false }
    for index in holds.indices where holds[index].hotkey?.id == id {
      end(index, at: time, acts: false, emit)
    }
    // A mode without hotkeys does not exist.
    if let mode, table.root(of: mode) != root { leaveMode() }
    return true
  }

  // MARK: Modes

  /// The current mode, in which only its own hotkeys are active; `nil` without one.
  package var mode: String? { root == .base ? nil : entered }

  /// The mode that the last key left, if that key was Escape; `nil` if it left none.
  package var leftMode: String? { hasLeftMode ? entered : nil }

  /// Activates only the hotkeys of `mode`; returns `false`, and changes nothing, if it has none.
  /// Held hotkeys stay held until their key goes up.
  @discardableResult package mutating func enter(mode: String) -> Bool {
    guard let root = table.root(of: mode) else { return false }
    entered = mode
    enter(root)
    return true
  }

  /// Activates the hotkeys without a mode again.
  package mutating func leaveMode() {
    entered = nil
    enter(.base)
  }

  private mutating func enter(_ root: HotkeyTable.Node) {
    self.root = root
    state = .ready
    notches.reset()
  }

  // MARK: Events

  /// Whether ``isConsumed`` also holds if only the consuming hotkeys that match count.
  package func hasConsumer(where matches: (HotkeyID) -> Bool) -> Bool {
    isConsumed && table.consumes(consumed, where: matches)
  }

  /// Notes whether the press or turn that leads to `target` must be withheld.
  private mutating func consume(_ target: HotkeyTable.Target) {
    guard table.consumesAny else { return }
    isConsumed = table.consumes(target)
    consumed = target
  }

  /// Advances the clock: a sequence whose timeout has passed ends.
  package mutating func advance(to time: EventTime) {
    if let deadline, deadline <= time { state = .ready }
  }

  /// Processes a key. Returns whether it belongs to a hotkey; the whole press then does.
  package mutating func process(_ event: KeyEvent, emit: Emit) -> Bool {
    advance(to: event.time)
    modifiers = event.modifiers
    (isConsumed, hasLeftMode) = (false, false)
    let others = modifiers.subtracting(Modifiers(event.key))
    switch event.state {
    case .down:
      tap.pressed(event.key, others: others, at: event.time)
      let belongs = press(event, emit)
      if belongs { tap.spoil() }
      return belongs
    case .repeat:
      // the kernel repeats a modifier that is held, and that is no other key
      if Modifiers(event.key).isEmpty { tap.spoil() }
      return `repeat`(event, emit)
    case .up:
      let wasTapped = tap.released(event.key, at: event.time)
      let belonged = release(event.key, of: event.device, at: event.time, acts: true, emit)
      if wasTapped { tapped(event, emit) }
      return belonged
    }
  }

  /// Something was pressed that is not processed here, or a gesture other than a hold began: a
  /// modifier that is down is not tapped alone.
  package mutating func spoilTap() { tap.spoil() }

  /// Processes a button. Returns whether it belongs to a hotkey.
  package mutating func process(_ event: ButtonEvent, emit: Emit) -> Bool {
    advance(to: event.time)
    tap.spoil()
    (isConsumed, hasLeftMode) = (false, false)
    guard event.isDown else {
      return release(event.button, of: event.device, at: event.time, acts: true, emit)
    }
    return press(
      KeyEvent(
        time: event.time, device: event.device, key: event.button, state: .down,
        modifiers: modifiers, keysym: 0, typed: .none), emit)
  }

  /// Processes a wheel turn. Returns whether it belongs to a hotkey, which it does from its first
  /// degree.
  package mutating func process(_ event: ScrollEvent, emit: Emit) -> Bool {
    advance(to: event.time)
    tap.spoil()
    (isConsumed, hasLeftMode) = (false, false)
    guard let (direction, degrees) = WheelDirection.of(event),
      let target = target(of: direction)
    else {
      notches.reset()
      return false
    }
    consume(target)
    let turn = NotchCounter.Turn(
      device: event.device, direction: direction, modifiers: modifiers)
    let count = notches.turn(turn, by: degrees)
    guard count > 0 else { return true }
    switch target {
    case .node(let node): follow(node, from: event.time, on: event.device)
    case .hotkey(let id, let activation):
      // A sequence's last step is one notch; further notches would be unintended steps.
      let pulses = if case .ready = state { count } else { 1 }
      state = .ready
      for _ in 0..<pulses { pulse(id, activation, of: event.device, at: event.time, emit) }
    }
    return true
  }

  /// The hotkey of a wheel with the modifiers that are down. One that does not continue a sequence
  /// ends it only if it has a hotkey of its own.
  private mutating func target(of wheel: WheelDirection) -> HotkeyTable.Target? {
    if let next = table.target(from: place, .wheel(wheel), modifiers) { return next }
    guard isFollowing, let target = table.target(from: root, .wheel(wheel), modifiers) else {
      return nil
    }
    state = .ready
    return target
  }

  /// The input ended, lost events, or the session was locked: held hotkeys are released without
  /// acting, and a waiting sequence ends. Keys that belonged to a hotkey still do until they go up.
  /// The mode stays.
  ///
  /// - Parameter device: the only one that is gone or has lost events. Hotkeys held on other devices
  ///   stay held then; a sequence ends if its last chord came from this one.
  package mutating func cancel(_ device: DeviceID? = nil, at time: EventTime, emit: Emit) {
    if device == nil { (state, modifiers) = (.ready, []) }
    if case .following(_, _, let last) = state, last == device { state = .ready }
    tap.spoil()
    notches.reset()
    for index in holds.indices where device == nil || holds[index].device == device {
      end(index, at: time, acts: false, emit)
    }
  }

  /// Sets the modifiers that are down, for the next button or wheel. Every key event reports them;
  /// a caller that withholds some of those sets them here.
  package mutating func hold(_ modifiers: Modifiers) { self.modifiers = modifiers }

  // MARK: Keys

  /// Where the next chord is looked up.
  private var place: HotkeyTable.Node {
    if case .following(let node, _, _) = state { node } else { root }
  }

  private mutating func press(_ press: KeyEvent, _ emit: Emit) -> Bool {
    // If the key is still held, its release was lost.
    _ = release(press.key, of: press.device, at: press.time, acts: false, emit)
    let own = Modifiers(press.key)
    let held = modifiers.subtracting(own)
    if let target = table.target(from: place, of: press, held: held) {
      consume(target)
      take(target, press, emit)
      return true
    }
    switch state {
    case .ready:
      guard root != .base, escapeLeavesMode, isAbort(press, held) else { return false }
      consume(.node(root))
      root = .base
      hasLeftMode = true
    case .following(let node, _, _):
      // The next chord's modifiers go down before its key.
      guard own.isEmpty else { return false }
      state = .ready
      guard isAbort(press, held) else {
        // A chord that does not continue the sequence may start a new one.
        return self.press(press, emit)
      }
      consume(.node(node))
    }
    holds.append(Hold(device: press.device, key: press.key))
    return true
  }

  private func isAbort(_ press: KeyEvent, _ held: Modifiers) -> Bool {
    press.key == configuration.abortKey && held.isEmpty
  }

  private mutating func take(_ target: HotkeyTable.Target, _ press: KeyEvent, _ emit: Emit) {
    var hold = Hold(device: press.device, key: press.key)
    switch target {
    case .node(let node): follow(node, from: press.time, on: press.device)
    case .hotkey(let id, let activation):
      state = .ready
      hold.hotkey = (id, activation)
      // A second key for the same hotkey is not a second press.
      if !isHeld(id) {
        report(id, .pressed, of: press.device, at: press.time, acts: activation != .release, emit)
      }
    }
    holds.append(hold)
  }

  private mutating func follow(
    _ node: HotkeyTable.Node, from time: EventTime, on device: DeviceID
  ) {
    state = .following(node, due: time + configuration.sequenceTimeout, device: device)
  }

  private func isHeld(_ id: HotkeyID) -> Bool { holds.contains { $0.hotkey?.id == id } }

  private func `repeat`(_ event: KeyEvent, _ emit: Emit) -> Bool {
    guard let hold = holds.first(where: { $0.key == event.key && $0.device == event.device })
    else { return false }
    if let (id, activation) = hold.hotkey, activation == .repeat {
      report(id, .repeated, of: event.device, at: event.time, acts: true, emit)
    }
    return true
  }

  private mutating func release(
    _ key: Key, of device: DeviceID, at time: EventTime, acts: Bool, _ emit: Emit
  ) -> Bool {
    guard let index = holds.firstIndex(where: { $0.key == key && $0.device == device })
    else { return false }
    end(index, at: time, acts: acts, emit)
    holds.remove(at: index)
    return true
  }

  /// The key no longer holds its hotkey.
  private mutating func end(_ index: Int, at time: EventTime, acts: Bool, _ emit: Emit) {
    guard let (id, activation) = holds[index].hotkey else { return }
    holds[index].hotkey = nil
    guard !isHeld(id) else { return }
    report(
      id, .released, of: holds[index].device, at: time, acts: acts && activation == .release, emit)
  }

  private func report(
    _ id: HotkeyID, _ phase: HotkeyEvent.Phase, of device: DeviceID, at time: EventTime,
    acts: Bool, _ emit: Emit
  ) {
    emit(HotkeyEvent(time: time, device: device, hotkey: id, phase: phase, shouldAct: acts))
  }

  // MARK: Taps and notches

  private func tapped(_ event: KeyEvent, _ emit: Emit) {
    // Within a sequence, modifiers belong to its next chord.
    guard case .ready = state,
      case .hotkey(let id, let activation)? = table.target(from: root, .tap(event.key), [])
    else { return }
    pulse(id, activation, of: event.device, at: event.time, emit)
  }

  /// Reports a hotkey as pressed and released at once.
  private func pulse(
    _ id: HotkeyID, _ activation: Hotkey.Activation, of device: DeviceID, at time: EventTime,
    _ emit: Emit
  ) {
    report(id, .pressed, of: device, at: time, acts: activation != .release, emit)
    report(id, .released, of: device, at: time, acts: activation == .release, emit)
  }
}

/// Detects modifiers tapped alone: pressed and soon released, with no other key, button, wheel or
/// gesture in between.
struct ModifierTap {
  private let longest: EventInterval
  /// The modifier that went down alone, if nothing has happened since.
  private var armed: (key: Key, since: EventTime)?

  init(longest: EventInterval) { self.longest = longest }

  /// - Parameter others: the other modifiers that are down.
  mutating func pressed(_ key: Key, others: Modifiers, at time: EventTime) {
    armed = !Modifiers(key).isEmpty && others.isEmpty ? (key, time) : nil
  }

  /// Whether that was a tap.
  mutating func released(_ key: Key, at time: EventTime) -> Bool {
    defer { armed = nil }
    guard let armed, armed.key == key else { return false }
    return time - armed.since <= longest
  }

  /// Something else happened.
  mutating func spoil() { armed = nil }
}

/// Converts a wheel's degrees into notches.
struct NotchCounter {
  /// A continuous turn in one direction.
  struct Turn: Equatable {
    var device: DeviceID
    var direction: WheelDirection
    var modifiers: Modifiers
  }

  /// libinput's notch; finer wheels report parts of it.
  static let notch = 15.0
  /// The most notches one event counts for: no wheel turns faster, and a broken one must not flood.
  static let most = 10

  /// The turn under way, which has made less than a notch since the last one.
  private var turning: (turn: Turn, degrees: Double)?

  /// The number of notches completed by another `degrees`, which must be above 0.
  mutating func turn(_ turn: Turn, by degrees: Double) -> Int {
    // A step of a whole notch or more counts as is: some wheels have wider notches.
    if degrees >= Self.notch {
      turning = nil
      return Int(min(Double(Self.most), (degrees / Self.notch).rounded()))
    }
    let before = if let turning, turning.turn == turn { turning.degrees } else { 0.0 }
    let total = before + degrees
    // Parts of a notch do not add up to it exactly.
    let isWhole = total >= Self.notch - 0.01
    turning = (turn, isWhole ? max(0, total - Self.notch) : total)
    return isWhole ? 1 : 0
  }

  mutating func reset() { turning = nil }
}

extension WheelDirection {
  /// The direction and degrees of a turn, along the axis with the larger turn.
  static func of(_ scroll: ScrollEvent) -> (direction: WheelDirection, degrees: Double)? {
    switch scroll.source {
    case .finger, .continuous: return nil
    case .wheel: break
    }
    let (x, y) = (scroll.delta.x, scroll.delta.y)
    guard x.isFinite, y.isFinite, x != 0 || y != 0 else { return nil }
    if abs(y) >= abs(x) { return (y < 0 ? .up : .down, abs(y)) }
    return (x < 0 ? .left : .right, abs(x))
  }
}
