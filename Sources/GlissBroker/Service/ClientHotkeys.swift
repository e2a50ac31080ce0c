import GlissEvents
import GlissGate
import GlissHotkeys

/// The hotkeys of one user's clients: who has which, and who is told.
///
/// A chord has one owner. Modes are a client's own: its name for one says nothing to others.
struct ClientHotkeys {
  /// A hotkey that a client follows.
  struct Registration {
    let connection: Connection
    let hotkey: Hotkey
    let mode: String?
    /// What it needs beyond nothing, and has to keep.
    let need: Need?
    /// What it needs so that its keys are kept from the rest of the desktop; `nil` where they are not to be.
    let consuming: Need?

    /// The grants it rests on.
    var grants: [GrantID] { (need?.grants ?? []) + (consuming?.grants ?? []) }
  }

  /// A right on which a hotkey rests.
  struct Need {
    let ask: Ask
    let grants: [GrantID]
  }

  /// A hotkey that a client wants.
  struct Wish {
    let hotkey: Hotkey
    let mode: String?
    let need: Need?
    let consuming: Need?

    /// The grants it rests on.
    var grants: [GrantID] { (need?.grants ?? []) + (consuming?.grants ?? []) }
  }

  private(set) var matcher = HotkeyMatcher()
  private var registrations: [HotkeyID: Registration] = [:]
  private var ids: [ObjectIdentifier: [HotkeyID]] = [:]

  var count: Int { registrations.count }
  var all: some Collection<Registration> { registrations.values }
  var deadline: EventTime? { matcher.deadline }

  /// Registers all of `wishes` or none.
  ///
  /// - Parameter owner: what others of the same user are told who want the same keys.
  mutating func register(
    _ wishes: [Wish], owner: String, for connection: Connection, at time: EventTime
  ) throws(HotkeyError) {
    for wish in wishes {
      let place = wish.mode.map { Self.place($0, of: connection.identity) }
      do throws(HotkeyError) {
        let id = try matcher.register(
          wish.hotkey, owner: owner, mode: place, consumes: wish.consuming != nil)
        registrations[id] = Registration(
          connection: connection, hotkey: wish.hotkey, mode: wish.mode, need: wish.need,
          consuming: wish.consuming)
        ids[ObjectIdentifier(connection), default: []].append(id)
      } catch {
        _ = unregister(connection, at: time)
        throw error
      }
    }
  }

  /// The client's hotkeys are free again.
  ///
  /// - Returns: the grants that they rested on.
  mutating func unregister(_ connection: Connection, at time: EventTime) -> [GrantID] {
    var grants: [GrantID] = []
    for id in ids.removeValue(forKey: ObjectIdentifier(connection)) ?? [] {
      grants += registrations[id]?.grants ?? []
      matcher.unregister(id, at: time) { _ in }
      registrations[id] = nil
    }
    return grants
  }

  /// Some of the client's hotkeys are free again, whichever of its connections they came over.
  ///
  /// - Returns: how many there were, and the grants that only they rested on.
  mutating func release(
    _ wishes: [(hotkey: Hotkey, mode: String?)], of identity: ClientIdentity, at time: EventTime
  ) -> (count: Int, grants: [GrantID]) {
    var released: [Registration] = []
    for (id, registration) in registrations
    where registration.connection.identity.isSameProcess(as: identity)
      && wishes.contains(where: { ($0.hotkey, $0.mode) == (registration.hotkey, registration.mode) }
      )
    {
      matcher.unregister(id, at: time) { _ in }
      registrations[id] = nil
      ids[ObjectIdentifier(registration.connection)]?.removeAll { $0 == id }
      released.append(registration)
    }
    let left = Set(registrations.values.flatMap(\.grants))
    return (released.count, released.flatMap(\.grants).filter { !left.contains($0) })
  }

  /// `false` where the client has no hotkeys in that mode.
  mutating func enter(mode: String, of identity: ClientIdentity) -> Bool {
    matcher.enter(mode: Self.place(mode, of: identity))
  }

  /// `false` where the mode that was entered is another client's.
  mutating func leaveMode(of identity: ClientIdentity) -> Bool {
    guard let mode = matcher.mode, mode.hasPrefix(Self.place("", of: identity)) else {
      return false
    }
    matcher.leaveMode()
    return true
  }

  /// The matcher's name for a client's mode.
  private static func place(_ mode: String, of identity: ClientIdentity) -> String {
    "\(identity.pid).\(identity.startTime).\(mode)"
  }

  // MARK: Events

  /// Takes in what may belong to a hotkey, and tells their owners.
  ///
  /// - Parameter modifiers: those that are down.
  /// - Returns: whether it is a press to be kept from the rest of the desktop.
  mutating func process(_ event: InputEvent, held modifiers: Modifiers, in state: SeatState) -> Bool
  {
    let registrations = registrations
    let emit = { (event: HotkeyEvent) in Self.tell(event, registrations, in: state) }
    switch event {
    case .key(let key):
      _ = matcher.process(key, emit: emit)
      if let place = matcher.leftMode { tell(left: place) }
    case .button(let button):
      matcher.hold(modifiers)
      _ = matcher.process(button, emit: emit)
    case .scroll(let scroll):
      matcher.hold(modifiers)
      _ = matcher.process(scroll, emit: emit)
    case .gesture, .touch, .motion, .device, .hotkey: return false
    }
    return matcher.isConsumed
  }

  mutating func advance(to time: EventTime) { matcher.advance(to: time) }

  /// What is held is released; keys that are down belong to nothing any more.
  ///
  /// - Parameter state: what held when they were pressed.
  mutating func cancel(at time: EventTime, in state: SeatState) {
    let registrations = registrations
    matcher.cancel(at: time) { Self.tell($0, registrations, in: state) }
  }

  /// Tells who was in a mode that Escape has left it: once, however many connections have hotkeys there.
  private func tell(left place: String) {
    let first = registrations.filter { _, registration in
      registration.mode.map { Self.place($0, of: registration.connection.identity) } == place
    }.min { $0.key < $1.key }?.value
    guard let first, let mode = first.mode else { return }
    first.connection.send(.more(["left": .string(mode)]))
  }

  private static func tell(
    _ event: HotkeyEvent, _ registrations: [HotkeyID: Registration], in state: SeatState
  ) {
    guard let registration = registrations[event.hotkey],
      state.tellsHotkeys(
        of: registration.connection.identity.uid, couldType: registration.need != nil)
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
