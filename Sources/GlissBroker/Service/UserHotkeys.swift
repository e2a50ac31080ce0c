import GlissEvents
import GlissGate
import GlissHotkeys

/// The hotkeys of one user's clients: who owns which, and who is notified.
///
/// A chord has one owner, whatever the mode. Modes are private to a client: in a mode, only the
/// client's hotkeys of that mode work for it. Other clients are not affected.
struct UserHotkeys {
  /// A hotkey that a client follows.
  struct Registration {
    let connection: Connection
    let hotkey: Hotkey
    let mode: String?
    let isSandboxed: Bool
    /// The grants it needs, and must keep; `nil` if it needs none.
    let need: Need?
    /// The grants it needs to consume its keys; `nil` if they are not to be consumed.
    let consuming: Need?

    /// The grants it rests on.
    var grants: [GrantID] { (need?.grants ?? []) + (consuming?.grants ?? []) }
  }

  /// A right that a hotkey rests on: what was asked for, and the grants for it.
  struct Need {
    let ask: Ask
    let grants: [GrantID]
  }

  /// A hotkey that a client requests.
  struct Request {
    let hotkey: Hotkey
    let mode: String?
    let need: Need?
    let consuming: Need?

    /// The grants it rests on.
    var grants: [GrantID] { (need?.grants ?? []) + (consuming?.grants ?? []) }
  }

  /// By process, in the order they came.
  private var clients: [ClientHotkeys] = []
  private var claims = HotkeyClaims<ClientProcess>()

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

  private func index(of identity: ClientIdentity) -> Int? {
    let process = ClientProcess(identity)
    return clients.firstIndex { $0.process == process }
  }

  // MARK: Registering

  /// Registers all of `requests`, or none.
  ///
  /// - Parameter owner: the name shown to other clients of the same user that want the same keys.
  mutating func register(
    _ requests: [Request], of identity: ClientIdentity, owner: String, for connection: Connection
  ) throws(HotkeyError) {
    let before = self
    if index(of: identity) == nil { clients.append(ClientHotkeys(identity)) }
    guard let index = index(of: identity) else { return }
    let process = clients[index].process
    do throws(HotkeyError) {
      for request in requests {
        if let claim = claims.holder(against: request.hotkey, of: process),
          let holder = entry(claim)
        {
          throw .taken(request.hotkey, by: holder)
        }
        let id = try clients[index].register(
          request.hotkey, owner: owner,
          Registration(
            connection: connection, hotkey: request.hotkey, mode: request.mode,
            isSandboxed: !identity.confinement.isFree, need: request.need,
            consuming: request.consuming))
        claims.add(request.hotkey, HotkeyClaims.Claim(owner: process, id: id))
      }
    } catch {
      self = before
      throw error
    }
  }

  private func entry(_ claim: HotkeyClaims<ClientProcess>.Claim) -> HotkeyTable.Entry? {
    clients.first { $0.process == claim.owner }?.matcher.table[claim.id]
  }

  /// Frees the hotkeys of the connection.
  ///
  /// - Returns: the grants that they rested on.
  mutating func unregister(_ connection: Connection, at time: EventTime) -> [GrantID] {
    free(at: time) { $0.connection === connection }.flatMap(\.grants)
  }

  /// Frees some of the client's hotkeys, whichever of its connections registered them.
  ///
  /// - Returns: how many there were, and the grants that only they rested on.
  mutating func release(
    _ requests: [(hotkey: Hotkey, mode: String?)], of identity: ClientIdentity, at time: EventTime
  ) -> (count: Int, grants: [GrantID]) {
    let process = ClientProcess(identity)
    // hash each once: comparing 256 with 256 would take milliseconds
    let meant = Set(requests.map { HotkeyInMode(hotkey: $0.hotkey, mode: $0.mode) })
    let released = free(of: process, at: time) { registration in
      meant.contains(HotkeyInMode(hotkey: registration.hotkey, mode: registration.mode))
    }
    let left = Set(all.flatMap(\.grants))
    return (released.count, released.flatMap(\.grants).filter { !left.contains($0) })
  }

  private struct HotkeyInMode: Hashable {
    let hotkey: Hotkey
    let mode: String?
  }

  private mutating func free(
    of process: ClientProcess? = nil, at time: EventTime, where isMeant: (Registration) -> Bool
  ) -> [Registration] {
    var freed: [Registration] = []
    for index in clients.indices where process == nil || clients[index].process == process {
      for (id, registration) in clients[index].registrations where isMeant(registration) {
        clients[index].unregister(id, at: time)
        claims.remove(
          registration.hotkey, HotkeyClaims.Claim(owner: clients[index].process, id: id))
        freed.append(registration)
      }
    }
    clients.removeAll { $0.registrations.isEmpty }
    return freed
  }

  // MARK: Modes

  /// Enters a mode: only the client's hotkeys of that mode work for it.
  ///
  /// - Parameter escape: the grants that let Escape leave it again. Without them Escape does
  ///   nothing there.
  /// - Returns: `false` if the client has no hotkeys in that mode.
  mutating func enter(mode: String, of identity: ClientIdentity, escape: Need?) -> Bool {
    index(of: identity).map { clients[$0].enter(mode: mode, escape: escape) } ?? false
  }

  /// Leaves the client's mode.
  mutating func leaveMode(of identity: ClientIdentity) {
    if let index = index(of: identity) { clients[index].leaveMode() }
  }

  /// Stops Escape from leaving the mode for clients that lack the grants for it.
  mutating func reviewEscapes(_ isLacking: (Need) -> Bool) {
    for index in clients.indices { clients[index].reviewEscape(isLacking) }
  }

  /// The grants that the client's hotkeys rest on.
  func grants(of identity: ClientIdentity) -> [GrantID] {
    index(of: identity).map { clients[$0].registrations.values.flatMap(\.grants) } ?? []
  }

  // MARK: Events

  /// Passes an event to the hotkeys and notifies their owners.
  ///
  /// - Parameter modifiers: the modifiers that are down.
  /// - Returns: whether it is a press to be consumed.
  mutating func process(_ event: InputEvent, held modifiers: Modifiers, in state: SeatState) -> Bool
  {
    var isConsumed = false
    for index in clients.indices where clients[index].process(event, held: modifiers, in: state) {
      isConsumed = true
    }
    return isConsumed
  }

  mutating func advance(to time: EventTime) {
    for index in clients.indices { clients[index].advance(to: time) }
  }

  /// Releases hotkeys that are held. Keys that are down no longer belong to any.
  ///
  /// - Parameter state: the state of the seat when they were pressed.
  mutating func cancel(at time: EventTime, in state: SeatState) {
    for index in clients.indices { clients[index].cancel(at: time, in: state) }
  }
}
