import GlissEvents
import GlissGate
import GlissHotkeys

/// The hotkeys of one user's clients: which client owns each, and which is notified.
///
/// A chord has one owner, whatever the mode. Modes are private to a client: in a mode, only the
/// client's hotkeys of that mode work for it. Other clients are not affected.
struct UserHotkeys {
  struct Registration {
    let connection: Connection
    let isSandboxed: Bool
    let request: Request
  }

  struct Request {
    let hotkeyInMode: HotkeyInMode
    /// Its place in the call, such as `hotkeys[2].hotkey`.
    let parameter: String
    /// The grants it needs, and must keep; `nil` if it needs none.
    let need: Right?
    /// The grants it needs to consume its keys; `nil` if they are not to be consumed.
    let consuming: Right?

    var hotkey: Hotkey { hotkeyInMode.hotkey }
    var mode: String? { hotkeyInMode.mode }
    var needs: [Right] { [need, consuming].compactMap(\.self) }
    var grants: [GrantID] { needs.flatMap(\.grants) }
  }

  /// By process, in the order they came.
  private var clients: [ClientHotkeys] = []
  /// A program's hotkey, by its number in the program's own table. A hotkey has one owner, who may
  /// use it in several modes.
  private struct Claim: Equatable {
    let owner: ClientProcess
    let id: HotkeyID
  }
  private var claims = HotkeyConflicts<Claim>()

  var count: Int { clients.reduce(0) { $0 + $1.registrations.count } }
  var all: [Registration] {
    clients.flatMap { $0.registrations.sorted { $0.key < $1.key }.map(\.value) }
  }
  var deadline: EventTime? {
    clients.reduce(nil) { EventTime.earlier($0, $1.matcher.deadline) }
  }

  /// All keys that may be consumed at some time.
  var consumedKeys: ConsumedKeys {
    clients.reduce(.none) { $0.union($1.matcher.table.consumedKeys) }
  }

  /// The client's own hotkeys, which have a mode; `nil` if it has none.
  subscript(identity: ClientIdentity) -> ClientHotkeys? {
    get { index(of: identity).map { clients[$0] } }
    set {
      if let index = index(of: identity), let newValue { clients[index] = newValue }
    }
  }

  private func index(of identity: ClientIdentity) -> Int? {
    let process = ClientProcess(identity)
    return clients.firstIndex { $0.process == process }
  }

  // MARK: Registering

  /// Registers `requests`. If this throws, only some were: the value is to be discarded. The owner
  /// is the client's label, which ends with the process.
  mutating func register(
    _ requests: [Request], of identity: ClientIdentity, for connection: Connection
  ) throws(HotkeyError) {
    let index = index(of: identity) ?? clients.endIndex
    if index == clients.endIndex { clients.append(ClientHotkeys(identity)) }
    let process = clients[index].process
    for request in requests {
      if let claim = claims.all(with: request.hotkey).first(where: { $0.owner != process }),
        let holder = clients.first(where: { $0.process == claim.owner })?.matcher.table[claim.id]
      {
        throw .taken(request.hotkey, by: holder)
      }
      let registration = Registration(
        connection: connection, isSandboxed: !identity.confinement.isFree, request: request)
      let id = try clients[index].register(registration, owner: identity.label)
      claims.add(request.hotkey, Claim(owner: process, id: id))
    }
  }

  /// The grants that the hotkeys of a connection rest on, each set once.
  func grants(over connection: Connection) -> Set<Set<GrantID>> {
    Set(all.lazy.filter { $0.connection === connection }.map { Set($0.request.grants) })
  }

  /// Frees the hotkeys of the connection, and returns the grants that they rested on.
  mutating func unregister(_ connection: Connection, at time: EventTime) -> [GrantID] {
    free(at: time) { $0.connection === connection }.flatMap(\.request.grants)
  }

  /// Frees hotkeys of any of the client's connections. Returns how many, and the grants that only
  /// they rested on.
  mutating func release(
    _ meant: Set<HotkeyInMode>, of identity: ClientIdentity, at time: EventTime
  ) -> (count: Int, grants: [GrantID]) {
    let released = free(of: ClientProcess(identity), at: time) {
      meant.contains($0.request.hotkeyInMode)
    }
    let left = Set(all.flatMap(\.request.grants))
    return (released.count, released.flatMap(\.request.grants).filter { !left.contains($0) })
  }

  private mutating func free(
    of process: ClientProcess? = nil, at time: EventTime, where matches: (Registration) -> Bool
  ) -> [Registration] {
    var freed: [Registration] = []
    for index in clients.indices where process == nil || clients[index].process == process {
      for (id, registration) in clients[index].registrations where matches(registration) {
        clients[index].unregister(id, at: time)
        claims.remove(registration.request.hotkey, Claim(owner: clients[index].process, id: id))
        freed.append(registration)
      }
    }
    clients.removeAll { $0.registrations.isEmpty }
    return freed
  }

  // MARK: Events

  /// Passes an event to the hotkeys, with the modifiers that are down, and notifies their owners.
  /// Returns whether it is a press to be consumed.
  mutating func process(_ event: InputEvent, held modifiers: Modifiers, in state: SeatState) -> Bool
  {
    var isConsumed = false
    for index in clients.indices where clients[index].process(event, held: modifiers, in: state) {
      isConsumed = true
    }
    return isConsumed
  }

  mutating func forEach(_ body: (inout ClientHotkeys) -> Void) {
    for index in clients.indices { body(&clients[index]) }
  }
}

/// Hashable, because comparing 256 with 256 would take milliseconds.
struct HotkeyInMode: Hashable {
  let hotkey: Hotkey
  let mode: String?
}

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

  let process: ClientProcess
  private let uid: UInt32
  private(set) var matcher = HotkeyMatcher()
  private(set) var registrations: [HotkeyID: Registration] = [:]
  /// The grants that let Escape leave the current mode. Without them Escape does nothing there:
  /// leaving the mode would reveal that Escape, a key that types, was pressed.
  private var escape: Right?
  /// Held hotkeys that are not reported, as their keys typed something.
  private var unreported: Set<HotkeyID> = []
  /// Whether a chord of the sequence that is being pressed has typed something.
  private var sequenceTyped = false

  init(_ identity: ClientIdentity) {
    process = ClientProcess(identity)
    uid = identity.uid
  }

  mutating func register(
    _ registration: Registration, owner: String
  ) throws(HotkeyError) -> HotkeyID {
    let id = try matcher.register(
      registration.request.hotkey, owner: owner, mode: registration.request.mode,
      consumes: registration.request.consuming != nil)
    registrations[id] = registration
    return id
  }

  /// The connection over which the client follows a hotkey.
  func connection(of hotkey: HotkeyInMode) -> Connection? {
    registrations.values.first { $0.request.hotkeyInMode == hotkey }?.connection
  }

  var grants: [GrantID] { registrations.values.flatMap(\.request.grants) }

  mutating func unregister(_ id: HotkeyID, at time: EventTime) {
    matcher.unregister(id, at: time) { _ in }
    registrations[id] = nil
    unreported.remove(id)
  }

  // MARK: Modes

  /// Returns `false` if the client has no hotkeys in that mode. `escape` lets Escape leave it.
  mutating func enter(mode: String, escape: Right?) -> Bool {
    guard matcher.enter(mode: mode) else { return false }
    self.escape = escape
    return true
  }

  mutating func leaveMode() {
    matcher.leaveMode()
    escape = nil
  }

  /// Stops Escape from leaving the mode if the client lacks the grants for it.
  mutating func reviewEscape(_ isLacking: (Right) -> Bool) {
    if let right = escape, isLacking(right) { escape = nil }
  }

  // MARK: Events

  /// - Returns: whether it is a press to be consumed.
  mutating func process(_ event: InputEvent, held modifiers: Modifiers, in state: SeatState) -> Bool
  {
    switch event {
    case .key(let key):
      matcher.escapeLeavesMode =
        escape != nil && state.reportsHotkeys(of: uid, couldType: true)
      report(in: state, typed: key.typed != .none) { _ = $0.process(key, emit: $1) }
      if let mode = matcher.leftMode { report(left: mode) }
    case .button(let button):
      matcher.hold(modifiers)
      report(in: state) { _ = $0.process(button, emit: $1) }
    case .scroll(let scroll):
      matcher.hold(modifiers)
      report(in: state) { _ = $0.process(scroll, emit: $1) }
    case .gesture(let gesture):
      if gesture.begins, gesture.kind != .hold { matcher.spoilTap() }
      return false
    case .touch, .motion, .device, .hotkey, .lost: return false
    }
    return matcher.isConsumed
  }

  mutating func advance(to time: EventTime) { matcher.advance(to: time) }

  /// Releases the held hotkeys of a device that is gone or has lost events; of all if it is `nil`.
  /// Keys that are down belong to none any more. `state` is the seat's when they were pressed.
  mutating func cancel(_ device: DeviceID?, at time: EventTime, in state: SeatState) {
    report(in: state) { $0.cancel(device, at: time, emit: $1) }
  }

  /// Reports the hotkeys that `match` emits. If the layout made text of the key, a hotkey without a
  /// grant is not reported, from its press to its release: on some layouts right Ctrl, left Alt or
  /// Super choose a character.
  private mutating func report(
    in state: SeatState, typed: Bool = false,
    _ match: (inout HotkeyMatcher, HotkeyMatcher.Emit) -> Void
  ) {
    let (registrations, uid) = (registrations, uid)
    var unreported = unreported
    let typed = typed || sequenceTyped && matcher.isFollowing
    match(&matcher) { event in
      let isTyped = typed && registrations[event.hotkey]?.request.needs.isEmpty == true
      if isTyped, event.phase == .pressed { unreported.insert(event.hotkey) }
      if !unreported.contains(event.hotkey) {
        Self.report(event, registrations, of: uid, in: state)
      }
      if event.phase == .released { unreported.remove(event.hotkey) }
    }
    self.unreported = unreported
    sequenceTyped = typed && matcher.isFollowing
  }

  /// Notifies the client once, however many connections have hotkeys there.
  private mutating func report(left mode: String) {
    escape = nil
    let first = registrations.filter { $0.value.request.mode == mode }.min { $0.key < $1.key }
    let reply = VarlinkReply.more(["left": .string(mode)])
    first?.value.connection.send(encoded: reply.json.encoded, isEvent: true)
  }

  private static func report(
    _ event: HotkeyEvent, _ registrations: [HotkeyID: Registration], of uid: UInt32,
    in state: SeatState
  ) {
    guard let registration = registrations[event.hotkey],
      state.reportsHotkeys(of: uid, couldType: registration.request.need != nil)
    else { return }
    var line = TextBuffer(capacity: 192)
    line.append("{\"parameters\":{\"event\":{\"time\":")
    line.append(seconds: event.time.microseconds)
    line.append(",\"kind\":\"hotkey\",\"hotkey\":")
    line.append(json: registration.request.hotkey.description)
    if let mode = registration.request.mode {
      line.append(",\"mode\":")
      line.append(json: mode)
    }
    line.append(",\"phase\":\"")
    line.append(text: event.phase.name)
    line.append(event.shouldAct ? "\",\"acts\":true" : "\",\"acts\":false")
    line.append("}},\"continues\":true}")
    registration.connection.send(encoded: line.bytes, isEvent: true)
  }
}
