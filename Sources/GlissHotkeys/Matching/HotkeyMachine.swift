public import GlissEvents

/// Follows the keys of a seat through a table of hotkeys.
///
/// It says for each event whether it belongs to a hotkey: the last key of a chord, the keys that
/// begin a sequence and the key that aborts one, from press to release. A modifier belongs to one
/// only as its key, and a key that matches nothing to none.
struct HotkeyMachine {
  typealias Emit = (HotkeyEvent) -> Void

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

  private let configuration: HotkeyConfiguration
  /// Where first chords are looked up: the root of the current mode.
  private(set) var root = HotkeyTable.Node.base
  private var state = State.ready
  private var holds: [Hold] = []
  /// The modifiers that are down, as key events report them. A caller that withholds keys from this
  /// machine sets them here.
  var modifiers: Modifiers = []
  private var tap: TapMachine
  private var notches = NotchCounter()
  /// Whether the last event was a press to withhold from the rest of the desktop.
  private(set) var isConsumed = false
  /// Whether the last event left the mode.
  private(set) var hasLeftMode = false
  /// Whether Escape leaves the mode; if not, it is an ordinary key.
  var abortLeavesMode = true

  init(_ configuration: HotkeyConfiguration) {
    self.configuration = configuration
    tap = TapMachine(longest: configuration.longestTap)
    // One for each finger; it grows if more keys are held.
    holds.reserveCapacity(10)
  }

  var deadline: EventTime? {
    switch state {
    case .ready: nil
    case .following(_, let due, _): due
    }
  }

  mutating func advance(to time: EventTime) {
    switch state {
    case .following(_, let due, _) where due <= time: state = .ready
    case .following, .ready: break
    }
  }

  /// Looks up first chords at `root` from now on.
  mutating func enter(_ root: HotkeyTable.Node) {
    self.root = root
    state = .ready
    notches.reset()
  }

  // MARK: Events

  /// Whether `event` belongs to a hotkey.
  mutating func process(_ event: KeyEvent, in table: HotkeyTable, emit: Emit) -> Bool {
    advance(to: event.time)
    modifiers = event.modifiers
    (isConsumed, hasLeftMode) = (false, false)
    let others = modifiers.subtracting(Modifiers(event.key))
    switch event.state {
    case .down:
      tap.pressed(event.key, others: others, at: event.time)
      let press = Press(event)
      let belongs = self.press(press, in: table, emit: emit)
      if belongs { tap.spoil() }
      return belongs
    case .repeat:
      // the kernel repeats a modifier that is held, and that is no other key
      if Modifiers(event.key).isEmpty { tap.spoil() }
      return `repeat`(event, emit)
    case .up:
      let wasTapped = tap.released(event.key, at: event.time)
      let belonged = release(event.key, of: event.device, at: event.time, acts: true, emit)
      if wasTapped { tapped(event, in: table, emit) }
      return belonged
    }
  }

  mutating func spoilTap() { tap.spoil() }

  /// Whether `event` belongs to a hotkey.
  mutating func process(_ event: ButtonEvent, in table: HotkeyTable, emit: Emit) -> Bool {
    advance(to: event.time)
    tap.spoil()
    (isConsumed, hasLeftMode) = (false, false)
    guard event.isDown else {
      return release(event.button, of: event.device, at: event.time, acts: true, emit)
    }
    return press(Press(event), in: table, emit: emit)
  }

  /// Whether `event` belongs to a hotkey. A wheel turn does so from its first degree.
  mutating func process(_ event: ScrollEvent, in table: HotkeyTable, emit: Emit) -> Bool {
    advance(to: event.time)
    tap.spoil()
    (isConsumed, hasLeftMode) = (false, false)
    guard let (direction, degrees) = WheelDirection.of(event),
      let target = table.target(from: place, .wheel(direction), modifiers)
    else {
      notches.reset()
      return false
    }
    if table.consumesAny { isConsumed = table.consumes(target) }
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

  /// The input ends or may have lost events: releases held hotkeys and ends sequences. Their keys
  /// are still withheld until they go up. The mode stays.
  mutating func cancel(at time: EventTime, emit: Emit) {
    state = .ready
    modifiers = []
    tap.spoil()
    notches.reset()
    for index in holds.indices {
      end(index, at: time, acts: false, emit)
    }
  }

  /// The device is gone or its stream broke: releases what it holds, and ends a sequence whose last
  /// chord came from it. Its keys are still withheld until they go up.
  mutating func cancel(_ device: DeviceID, at time: EventTime, emit: Emit) {
    switch state {
    case .following(_, _, device): state = .ready
    case .following, .ready: break
    }
    tap.spoil()
    notches.reset()
    for index in holds.indices where holds[index].device == device {
      end(index, at: time, acts: false, emit)
    }
  }

  /// The hotkey was unregistered: releases it if it is held.
  mutating func unregistered(_ id: HotkeyID, at time: EventTime, emit: Emit) {
    for index in holds.indices where holds[index].hotkey?.id == id {
      end(index, at: time, acts: false, emit)
    }
  }

  // MARK: Keys

  private struct Press {
    var time: EventTime
    var device: DeviceID
    var key: Key
    var keysym: UInt32

    init(_ event: KeyEvent) {
      (time, device, key, keysym) = (event.time, event.device, event.key, event.keysym)
    }

    init(_ event: ButtonEvent) {
      (time, device, key, keysym) = (event.time, event.device, event.button, 0)
    }
  }

  /// Where the next chord is looked up.
  private var place: HotkeyTable.Node {
    switch state {
    case .ready: root
    case .following(let node, _, _): node
    }
  }

  private mutating func press(_ press: Press, in table: HotkeyTable, emit: Emit) -> Bool {
    // If the key is still held, its release was lost.
    _ = release(press.key, of: press.device, at: press.time, acts: false, emit)
    let own = Modifiers(press.key)
    let held = modifiers.subtracting(own)
    if let target = table.target(from: place, key: press.key, keysym: press.keysym, held: held) {
      if table.consumesAny { isConsumed = table.consumes(target) }
      take(target, press, emit)
      return true
    }
    switch state {
    case .ready:
      guard root != .base, abortLeavesMode, isAbort(press, held) else { return false }
      isConsumed = table.consumes(.node(root))
      root = .base
      hasLeftMode = true
    case .following(let node, _, _):
      // The next chord's modifiers go down before its key.
      guard own.isEmpty else { return false }
      state = .ready
      guard isAbort(press, held) else {
        // A chord that does not continue the sequence may start a new one.
        return self.press(press, in: table, emit: emit)
      }
      isConsumed = table.consumes(.node(node))
    }
    holds.append(Hold(device: press.device, key: press.key))
    return true
  }

  private func isAbort(_ press: Press, _ held: Modifiers) -> Bool {
    press.key == configuration.abortKey && held.isEmpty
  }

  private mutating func take(_ target: HotkeyTable.Target, _ press: Press, _ emit: Emit) {
    var hold = Hold(device: press.device, key: press.key)
    switch target {
    case .node(let node): follow(node, from: press.time, on: press.device)
    case .hotkey(let id, let activation):
      state = .ready
      hold.hotkey = (id, activation)
      // A second key for the same hotkey is not a second press.
      if !isHeld(id) {
        let acts = activation != .release
        emit(
          HotkeyEvent(
            time: press.time, device: press.device, hotkey: id, phase: .pressed, shouldAct: acts))
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
      emit(
        HotkeyEvent(
          time: event.time, device: event.device, hotkey: id, phase: .repeated, shouldAct: true))
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
    emit(
      HotkeyEvent(
        time: time, device: holds[index].device, hotkey: id, phase: .released,
        shouldAct: acts && activation == .release))
  }

  // MARK: Taps and notches

  private func tapped(_ event: KeyEvent, in table: HotkeyTable, _ emit: Emit) {
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
    emit(
      HotkeyEvent(
        time: time, device: device, hotkey: id, phase: .pressed, shouldAct: activation != .release))
    emit(
      HotkeyEvent(
        time: time, device: device, hotkey: id, phase: .released, shouldAct: activation == .release)
    )
  }
}

/// Detects modifiers tapped alone: pressed and soon released, with no other key, button or wheel
/// in between.
struct TapMachine {
  private enum State {
    case idle
    /// A modifier went down alone, and nothing has happened since.
    case armed(Key, since: EventTime)
  }

  private let longest: EventInterval
  private var state = State.idle

  init(longest: EventInterval) { self.longest = longest }

  /// - Parameter others: the other modifiers that are down.
  mutating func pressed(_ key: Key, others: Modifiers, at time: EventTime) {
    let isAlone = !Modifiers(key).isEmpty && others.isEmpty
    state = isAlone ? .armed(key, since: time) : .idle
  }

  /// Whether that was a tap.
  mutating func released(_ key: Key, at time: EventTime) -> Bool {
    defer { state = .idle }
    return switch state {
    case .armed(key, let since): time - since <= longest
    case .armed, .idle: false
    }
  }

  /// Something else happened.
  mutating func spoil() { state = .idle }
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
  private enum CodingKeys: String, CodingKey {
    case sequenceTimeout, longestTap, abortKey
  }

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

  /// Writes an object with times in seconds and the key's name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(sequenceTimeout, forKey: .sequenceTimeout)
    try container.encode(longestTap, forKey: .longestTap)
    try container.encode(abortKey, forKey: .abortKey)
  }
}

extension HotkeyConfiguration: CustomStringConvertible {
  /// All of it: `sequenceTimeout=3 s, longestTap=500 ms, abortKey=KEY_ESC`.
  public var description: String {
    "sequenceTimeout=\(sequenceTimeout), longestTap=\(longestTap), abortKey=\(abortKey)"
  }
}
