import GlissEvents
import GlissGate
import GlissHotkeys

/// A process, identified by pid and start time.
struct ClientProcess: Hashable, Sendable {
  private let pid: Int32
  private let startTime: UInt64

  init(_ identity: ClientIdentity) {
    pid = identity.pid
    startTime = identity.startTime
  }
}

/// One client's hotkeys, its mode, and the progress of its key sequences.
struct ClientHotkeys {
  typealias Registration = UserHotkeys.Registration
  typealias Need = UserHotkeys.Need

  let process: ClientProcess
  private let uid: UInt32
  private(set) var matcher = HotkeyMatcher()
  private(set) var registrations: [HotkeyID: Registration] = [:]
  /// The grants that let Escape leave the current mode. Without them Escape does nothing there:
  /// leaving the mode would reveal that Escape, a key that types, was pressed.
  private var escape: Need?

  init(_ identity: ClientIdentity) {
    process = ClientProcess(identity)
    uid = identity.uid
  }

  mutating func register(
    _ hotkey: Hotkey, owner: String, _ registration: Registration
  ) throws(HotkeyError) -> HotkeyID {
    let id = try matcher.register(
      hotkey, owner: owner, mode: registration.mode, consumes: registration.consuming != nil)
    registrations[id] = registration
    return id
  }

  mutating func unregister(_ id: HotkeyID, at time: EventTime) {
    matcher.unregister(id, at: time) { _ in }
    registrations[id] = nil
  }

  // MARK: Modes

  mutating func enter(mode: String, escape: Need?) -> Bool {
    guard matcher.enter(mode: mode) else { return false }
    self.escape = escape
    return true
  }

  mutating func leaveMode() {
    matcher.leaveMode()
    escape = nil
  }

  mutating func reviewEscape(_ isLacking: (Need) -> Bool) {
    if let need = escape, isLacking(need) { escape = nil }
  }

  // MARK: Events

  /// - Returns: whether it is a press to be consumed.
  mutating func process(_ event: InputEvent, held modifiers: Modifiers, in state: SeatState) -> Bool
  {
    let (registrations, uid) = (registrations, uid)
    let emit = { (event: HotkeyEvent) in Self.report(event, registrations, of: uid, in: state) }
    switch event {
    case .key(let key):
      matcher.escapeLeavesMode =
        escape != nil && state.reportsHotkeys(of: uid, couldType: true)
      _ = matcher.process(key, emit: emit)
      if let mode = matcher.leftMode { report(left: mode) }
    case .button(let button):
      matcher.hold(modifiers)
      _ = matcher.process(button, emit: emit)
    case .scroll(let scroll):
      matcher.hold(modifiers)
      _ = matcher.process(scroll, emit: emit)
    case .gesture, .touch, .motion, .device, .hotkey, .lost: return false
    }
    return matcher.isConsumed
  }

  mutating func advance(to time: EventTime) { matcher.advance(to: time) }

  mutating func cancel(at time: EventTime, in state: SeatState) {
    let (registrations, uid) = (registrations, uid)
    matcher.cancel(at: time) { Self.report($0, registrations, of: uid, in: state) }
  }

  /// Notifies the client that Escape has left the mode: once, however many connections have hotkeys
  /// there.
  private mutating func report(left mode: String) {
    escape = nil
    let first = registrations.filter { $0.value.mode == mode }.min { $0.key < $1.key }
    first?.value.connection.send(.more(["left": .string(mode)]))
  }

  private static func report(
    _ event: HotkeyEvent, _ registrations: [HotkeyID: Registration], of uid: UInt32,
    in state: SeatState
  ) {
    guard let registration = registrations[event.hotkey],
      state.reportsHotkeys(of: uid, couldType: registration.need != nil)
    else { return }
    var line = TextBuffer(capacity: 192)
    line.append("{\"parameters\":{\"event\":{\"time\":")
    line.append(seconds: event.time.microseconds)
    line.append(",\"kind\":\"hotkey\",\"hotkey\":")
    line.append(json: registration.hotkey.description)
    if let mode = registration.mode {
      line.append(",\"mode\":")
      line.append(json: mode)
    }
    line.append(",\"phase\":\"")
    line.append(event.phase.name)
    line.append(event.acts ? "\",\"acts\":true" : "\",\"acts\":false")
    line.append("}},\"continues\":true}")
    registration.connection.send(encoded: line.bytes)
  }
}
