import GlissEvents

/// Takes one keyboard away from the desktop and gives it back, so that every key goes down and up once, and none is left
/// down on either side.
///
/// While it is ours, the desktop reads its twin: what comes from the keyboard is passed on to that, but for presses that are
/// kept, with their repeats, their release and the scan codes before them. Hands over only happen while no key is down, or
/// the twin lets go of what it has pressed.
///
/// A modifier that the desktop sees go down and up, with nothing between because that was kept, would look like a tap of
/// it, which opens menus and overviews. So behind a press that is kept the twin taps ``mask`` once.
struct GrabMachine {
  /// What is to be done now, once the twin was handed what there is for it.
  enum Action: Hashable {
    /// Grab it if the kernel says that no key is down; ``took(at:)`` or ``refused(until:)`` tells how that went.
    case grab
    /// Give it back; then ``gaveBack(at:)``.
    case giveBack
  }

  private enum State: Equatable {
    /// The desktop reads the keyboard itself, and is to.
    case free
    /// It is to be grabbed when no key is down, and not before that time.
    case waiting(until: EventTime)
    /// It is ours. What came up to that time the desktop has read itself.
    case grabbed(since: EventTime)
    /// It is to be given back when no key is down, and at the latest at `until`.
    case leaving(since: EventTime, until: EventTime)
    /// It was given back. What came up to that time the desktop has not read, and still gets.
    case clearing(until: EventTime)
  }

  /// KEY_UNKNOWN: layouts give it no meaning, and desktops take it for a key all the same.
  static let mask = Key(rawValue: 240)
  /// So long it may take until somebody lets go of all keys.
  static let patience = EventInterval.milliseconds(1000)

  private var state = State.free
  /// Keys that are down, as far as their events have told.
  private var down = KeySet()
  /// Those of them that are down on the twin.
  private(set) var passed = KeySet()
  /// Those of them whose press was kept.
  private(set) var kept = KeySet()
  /// What stands before a key in its packet.
  private var scan: EvdevEvent?
  /// Something of this packet was passed on.
  private var hasPassed = false
  /// The packet is to be followed by ``mask``.
  private var isMasking = false

  var isFree: Bool { state == .free }

  /// Whether its events are read by nobody else.
  var isGrabbed: Bool {
    switch state {
    case .grabbed, .leaving: true
    case .free, .waiting, .clearing: false
    }
  }

  /// When ``advance(to:into:)`` must be called if nothing happens first.
  var deadline: EventTime? {
    switch state {
    case .waiting(let until): down.isEmpty ? until : nil
    case .leaving(_, let until): until
    case .free, .grabbed, .clearing: nil
    }
  }

  // MARK: Wishes

  /// It is to be grabbed, from `ready` on: before that the desktop does not read its twin.
  mutating func want(from ready: EventTime) {
    switch state {
    case .free, .clearing: state = .waiting(until: ready)
    case .leaving(let since, _): state = .grabbed(since: since)
    case .waiting, .grabbed: break
    }
  }

  /// It is to be given back, once no key is down.
  mutating func unwant(at time: EventTime) -> Action? {
    switch state {
    case .waiting: state = .free
    case .grabbed(let since):
      state = .leaving(since: since, until: time + Self.patience)
      return settle(at: time)
    case .free, .leaving, .clearing: break
    }
    return nil
  }

  /// It is to be given back at once, whatever is down: the twin lets go of it.
  mutating func leave(into packet: inout [EvdevEvent]) -> Action? {
    let wasGrabbed = isGrabbed
    state = .free
    letGo(into: &packet)
    return wasGrabbed ? .giveBack : nil
  }

  // MARK: What became of them

  /// It is ours; what came up to `time` the desktop has read itself.
  mutating func took(at time: EventTime) {
    switch state {
    case .waiting: state = .grabbed(since: time)
    case .free, .grabbed, .leaving, .clearing: break
    }
  }

  /// It could not be grabbed, and is not tried again before that time.
  mutating func refused(until time: EventTime) {
    switch state {
    case .waiting: state = .waiting(until: time)
    case .free, .grabbed, .leaving, .clearing: break
    }
  }

  /// It is the desktop's again; what came up to `time` and is not read yet, the desktop has not seen.
  mutating func gaveBack(at time: EventTime) {
    switch state {
    case .leaving, .grabbed: state = .clearing(until: time)
    case .free, .waiting, .clearing: break
    }
  }

  /// Nothing is left to be read that came before it was given back.
  mutating func cleared(into packet: inout [EvdevEvent]) {
    switch state {
    case .clearing: state = .free
    case .free, .waiting, .grabbed, .leaving: return
    }
    letGo(into: &packet)
  }

  // MARK: Events

  /// Takes in one event of the keyboard; `packet` gets what is passed on.
  ///
  /// - Parameters:
  ///   - keeps: whether a press is kept from the desktop.
  ///   - masks: whether a modifier is down meanwhile.
  mutating func process(
    _ event: EvdevEvent, keeps: Bool = false, masks: Bool = false,
    into packet: inout [EvdevEvent]
  ) -> Action? {
    guard isOurs(event.time, &packet) else {
      if event.type == .key { note(Key(rawValue: event.code), event.value) }
      return event.isReport ? settle(at: event.time) : nil
    }
    switch event.type {
    case .key: pass(event, keeps: keeps, masks: masks, &packet)
    case .miscellaneous where event.code == Self.scanCode:
      flushScan(&packet)
      scan = event
    case .synchronization: return end(event, &packet)
    // what the keyboard is told comes back from it; the twin is told the same by the desktop
    case .light, .sound, .repetition: break
    case _:
      flushScan(&packet)
      append(event, &packet)
    }
    return nil
  }

  /// Events were lost: the kernel says which keys are down now.
  mutating func lost(_ kernel: KeySet, at time: EventTime, into packet: inout [EvdevEvent]) {
    scan = nil
    for key in down.keys where !kernel.contains(key) {
      down.remove(key)
      kept.remove(key)
      if passed.remove(key) { append(.key(key, 0, at: time), &packet) }
    }
    for key in kernel.keys where !down.contains(key) {
      down.insert(key)
      guard isGrabbed else { continue }
      passed.insert(key)
      append(.key(key, 1, at: time), &packet)
    }
    close(at: time, &packet)
  }

  /// Lets time pass.
  mutating func advance(to time: EventTime, into packet: inout [EvdevEvent]) -> Action? {
    switch state {
    case .waiting: return settle(at: time)
    case .leaving(_, let until) where until <= time:
      letGo(into: &packet)
      return .giveBack
    case .leaving, .free, .grabbed, .clearing: return nil
    }
  }

  /// The chord of somebody else is pressed on the twin, its modifiers lifted meanwhile.
  mutating func press(
    _ strokes: [KeyStroke], at time: EventTime, into packet: inout [EvdevEvent]
  ) {
    let lifted = passed.keys.filter { !Modifiers($0).isEmpty }
    tapMask(at: time, &packet)
    for key in lifted.reversed() { packet += [.key(key, 0, at: time), .report(at: time)] }
    for stroke in strokes where !isHeld(stroke.key) {
      packet += [.key(stroke.key, stroke.isDown ? 1 : 0, at: time), .report(at: time)]
    }
    for key in lifted { packet += [.key(key, 1, at: time), .report(at: time)] }
    tapMask(at: time, &packet)
  }

  // MARK: Parts

  private static let scanCode: UInt16 = 4

  /// Whether the desktop gets what came at `time` from the twin.
  private mutating func isOurs(_ time: EventTime, _ packet: inout [EvdevEvent]) -> Bool {
    switch state {
    case .free, .waiting: return false
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

  /// What a hand-over has waited for is there.
  private func settle(at time: EventTime) -> Action? {
    guard down.isEmpty else { return nil }
    switch state {
    case .waiting(let until) where until <= time: return .grab
    case .leaving: return .giveBack
    case .waiting, .free, .grabbed, .clearing: return nil
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
      guard passed.remove(key) else { return }
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
    // what is told of a loss comes with ``lost(_:at:into:)``
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

  /// Down on the twin, and no modifier that is lifted.
  private func isHeld(_ key: Key) -> Bool { passed.contains(key) && Modifiers(key).isEmpty }

  /// The twin lets go of all that it has pressed.
  private mutating func letGo(into packet: inout [EvdevEvent]) {
    for key in passed.keys { append(.key(key, 0, at: .zero), &packet) }
    passed.removeAll()
    kept.removeAll()
    scan = nil
    isMasking = false
    close(at: .zero, &packet)
  }
}
