import GlissEvents

/// Grabs one keyboard, mouse or touchpad from the desktop and gives it back. Every key goes down
/// and up exactly once, and none stays down on either side.
///
/// While the device is grabbed, the desktop reads its twin. Events are passed on to the twin,
/// except for consumed presses with their repeats, releases and preceding scan codes. The device
/// normally changes hands while no key is down; otherwise the twin releases what it has pressed.
///
/// If a press between a modifier's press and release is consumed, the desktop sees what looks like
/// a tap of the modifier, and such taps open menus and overviews. So the twin taps ``mask`` once
/// after a consumed press.
struct GrabMachine {
  /// What the caller must do now, after it has written the packet to the twin.
  enum Action: Hashable {
    /// Grab the keyboard if the kernel says that no key is down, then call ``took(at:)``,
    /// ``refused(until:)`` or ``postpone()``.
    case grab
    /// Release the grab, then call ``gaveBack(at:)``.
    case giveBack
  }

  private enum State: Equatable {
    /// The desktop reads the keyboard itself, and no grab is wanted.
    case free
    /// To be grabbed once no key is down, but not before `until`.
    case waiting(until: EventTime)
    /// To be grabbed once a key has been released.
    case postponed
    /// Grabbed. The desktop has read the events up to `since` itself.
    case grabbed(since: EventTime)
    /// To be given back once no key is down, at the latest at `until`.
    case leaving(since: EventTime, until: EventTime)
    /// Released. The desktop has not read the events up to `until`; the twin passes them on.
    case clearing(until: EventTime)
  }

  /// KEY_UNKNOWN: layouts give it no meaning, but desktops still treat it as a key.
  static let mask = Key.unknown
  /// How long to wait until all keys are released.
  var patience = EventInterval.milliseconds(1000)

  private var state = State.free
  /// The keys that are down, according to their events.
  private var down = Set<Key>()
  /// Those that are down on the twin.
  private(set) var passed = Set<Key>()
  /// Those whose press was consumed.
  private(set) var kept = Set<Key>()
  /// The scan code that precedes a key in its packet.
  private var scan: EvdevEvent?
  /// Whether part of this packet was passed on.
  private var hasPassed = false
  /// Whether ``mask`` is to follow this packet.
  private var isMasking = false

  var isFree: Bool { state == .free }

  /// Whether nobody else reads its events.
  var isGrabbed: Bool {
    switch state {
    case .grabbed, .leaving: true
    case .free, .waiting, .postponed, .clearing: false
    }
  }

  /// When ``advance(to:into:)`` must be called if nothing happens first.
  var deadline: EventTime? {
    switch state {
    case .waiting(let until): down.isEmpty ? until : nil
    case .leaving(_, let until): until
    case .free, .postponed, .grabbed, .clearing: nil
    }
  }

  // MARK: Requests

  /// Requests a grab from `ready` on. Before that the desktop does not read the twin.
  mutating func want(from ready: EventTime) {
    switch state {
    case .free, .clearing: state = .waiting(until: ready)
    case .leaving(let since, _): state = .grabbed(since: since)
    case .waiting, .postponed, .grabbed: break
    }
  }

  /// Requests that it be given back once no key is down.
  mutating func unwant(at time: EventTime) -> Action? {
    switch state {
    case .waiting, .postponed: state = .free
    case .grabbed(let since):
      state = .leaving(since: since, until: time + patience)
      return settle(at: time)
    case .free, .leaving, .clearing: break
    }
    return nil
  }

  /// Gives it back at once, even while keys are down: the twin releases them.
  mutating func leave(into packet: inout [EvdevEvent]) -> Action? {
    let wasGrabbed = isGrabbed
    state = .free
    letGo(into: &packet)
    return wasGrabbed ? .giveBack : nil
  }

  // MARK: Results

  /// The grab succeeded. The desktop has read the events up to `time` itself.
  mutating func took(at time: EventTime) {
    if case .waiting = state { state = .grabbed(since: time) }
  }

  /// The grab failed. It is not tried again before `time`.
  mutating func refused(until time: EventTime) {
    if case .waiting = state { state = .waiting(until: time) }
  }

  /// The grab must wait until a key has been released. Until then nothing has to be tried.
  mutating func postpone() {
    if case .waiting = state { state = .postponed }
  }

  /// The grab was released. The desktop has not seen unread events up to `time`.
  mutating func gaveBack(at time: EventTime) {
    if isGrabbed { state = .clearing(until: time) }
  }

  /// All events from before the release have been read.
  mutating func cleared(into packet: inout [EvdevEvent]) {
    guard case .clearing = state else { return }
    state = .free
    letGo(into: &packet)
  }

  // MARK: Events

  /// Processes one event of the keyboard and appends what is passed on to `packet`.
  ///
  /// - Parameters:
  ///   - keeps: Whether a press or a turn of a wheel is kept from the desktop.
  ///   - masks: Whether a modifier is down at the same time.
  mutating func process(
    _ event: EvdevEvent, keeps: Bool = false, masks: Bool = false,
    into packet: inout [EvdevEvent]
  ) -> Action? {
    guard isOurs(event.time, &packet) else {
      if event.type == .key {
        note(Key(rawValue: event.code), event.value)
        if state == .postponed, event.value == 0 { state = .waiting(until: event.time) }
      }
      return event.isReport ? settle(at: event.time) : nil
    }
    switch event.type {
    case .key: pass(event, keeps: keeps, masks: masks, &packet)
    case .miscellaneous where event.code == Self.scanCode:
      flushScan(&packet)
      scan = event
    case .synchronization: return end(event, &packet)
    // the keyboard echoes what is written to it; the desktop writes the same to the twin
    case .light, .sound, .repetition: break
    case .relative where keeps: isMasking = isMasking || masks
    case _:
      flushScan(&packet)
      append(event, &packet)
    }
    return nil
  }

  /// Events were lost. `kernel` holds the keys that are down now.
  mutating func lost(_ kernel: Set<Key>, at time: EventTime, into packet: inout [EvdevEvent]) {
    scan = nil
    // a key may have been released
    if state == .postponed { state = .waiting(until: time) }
    for key in down.sorted() where !kernel.contains(key) {
      down.remove(key)
      kept.remove(key)
      if passed.remove(key) != nil { append(.key(key, 0, at: time), &packet) }
    }
    for key in kernel.sorted() where !down.contains(key) {
      down.insert(key)
      guard isGrabbed else { continue }
      passed.insert(key)
      append(.key(key, 1, at: time), &packet)
    }
    close(at: time, &packet)
  }

  mutating func advance(to time: EventTime, into packet: inout [EvdevEvent]) -> Action? {
    switch state {
    case .waiting: return settle(at: time)
    case .leaving(_, let until) where until <= time:
      letGo(into: &packet)
      return .giveBack
    case .leaving, .free, .postponed, .grabbed, .clearing: return nil
    }
  }

  /// Presses another device's chord on the twin, and lifts the held modifiers meanwhile.
  mutating func press(
    _ strokes: [KeyStroke], at time: EventTime, into packet: inout [EvdevEvent]
  ) {
    let lifted = passed.sorted().filter { !Modifiers($0).isEmpty }
    tapMask(at: time, &packet)
    for key in lifted.reversed() { packet += [.key(key, 0, at: time), .report(at: time)] }
    for stroke in strokes {
      if let key = stroke.key, isHeld(key) { continue }
      packet += stroke.events(at: time)
    }
    for key in lifted { packet += [.key(key, 1, at: time), .report(at: time)] }
    tapMask(at: time, &packet)
  }

  // MARK: Parts

  private static let scanCode: UInt16 = 4

  /// Whether an event from `time` reaches the desktop through the twin.
  private mutating func isOurs(_ time: EventTime, _ packet: inout [EvdevEvent]) -> Bool {
    switch state {
    case .free, .waiting, .postponed: return false
    case .grabbed(let since), .leaving(let since, _): return time > since
    case .clearing(let until):
      if time <= until { return true }
      cleared(into: &packet)
      return false
    }
  }

  private mutating func note(_ key: Key, _ value: Int32) {
    if value == 0 { down.remove(key) } else { down.insert(key) }
  }

  /// The pending grab or release, if no key is down.
  private func settle(at time: EventTime) -> Action? {
    guard down.isEmpty else { return nil }
    switch state {
    case .waiting(let until) where until <= time: return .grab
    case .leaving: return .giveBack
    case .waiting, .postponed, .free, .grabbed, .clearing: return nil
    }
  }

  private mutating func pass(
    _ event: EvdevEvent, keeps: Bool, masks: Bool, _ packet: inout [EvdevEvent]
  ) {
    let key = Key(rawValue: event.code)
    defer { scan = nil }
    note(key, event.value)
    switch event.value {
    case 0:
      kept.remove(key)
      guard passed.remove(key) != nil else { return }
    case 1:
      guard !keeps else {
        kept.insert(key)
        isMasking = isMasking || masks
        return
      }
      kept.remove(key)
      passed.insert(key)
    case _: guard passed.contains(key) else { return }
    }
    flushScan(&packet)
    append(event, &packet)
  }

  private mutating func flushScan(_ packet: inout [EvdevEvent]) {
    guard let event = scan else { return }
    scan = nil
    append(event, &packet)
  }

  private mutating func append(_ event: EvdevEvent, _ packet: inout [EvdevEvent]) {
    packet.append(event)
    hasPassed = true
  }

  private mutating func end(_ event: EvdevEvent, _ packet: inout [EvdevEvent]) -> Action? {
    // ``lost(_:at:into:)`` handles losses
    guard event.isReport else { return nil }
    flushScan(&packet)
    close(at: event.time, &packet)
    return settle(at: event.time)
  }

  private mutating func close(at time: EventTime, _ packet: inout [EvdevEvent]) {
    if hasPassed { packet.append(.report(at: time)) }
    hasPassed = false
    guard isMasking else { return }
    isMasking = false
    tapMask(at: time, &packet)
  }

  private func tapMask(at time: EventTime, _ packet: inout [EvdevEvent]) {
    guard !isHeld(Self.mask) else { return }
    packet += [
      .key(Self.mask, 1, at: time), .report(at: time), .key(Self.mask, 0, at: time),
      .report(at: time),
    ]
  }

  /// Whether the key is down on the twin and not a modifier, which would be lifted.
  private func isHeld(_ key: Key) -> Bool { passed.contains(key) && Modifiers(key).isEmpty }

  /// The twin releases all its keys.
  private mutating func letGo(into packet: inout [EvdevEvent]) {
    for key in passed.sorted() { append(.key(key, 0, at: .zero), &packet) }
    passed.removeAll()
    kept.removeAll()
    scan = nil
    isMasking = false
    close(at: .zero, &packet)
  }
}
