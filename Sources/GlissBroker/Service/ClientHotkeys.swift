import GlissEvents
import GlissGate
import GlissHotkeys

/// The hotkeys of one user's clients: who owns which, and who is notified.
///
/// A chord has one owner, whatever the mode. Modes are private to a client: in a mode, only the
/// client's hotkeys of that mode work for it. Other clients are not affected.
struct ClientHotkeys {
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
  struct Wish {
    let hotkey: Hotkey
    let mode: String?
    let need: Need?
    let consuming: Need?

    /// The grants it rests on.
    var grants: [GrantID] { (need?.grants ?? []) + (consuming?.grants ?? []) }
  }

  /// By process, in the order they came.
  private var desks: [ClientDesk] = []
  private var claims = HotkeyClaims<ClientProcess>()

  var count: Int { desks.reduce(0) { $0 + $1.registrations.count } }
  var all: [Registration] {
    desks.flatMap { $0.registrations.sorted { $0.key < $1.key }.map(\.value) }
  }
  var deadline: EventTime? {
    desks.reduce(nil) { EventTime.earlier($0, $1.matcher.deadline) }
  }

  /// All keys that may be consumed at some time.
  var consumedKeys: ConsumedKeys {
    desks.reduce(.none) { $0.union($1.matcher.table.consumedKeys) }
  }

  private func place(of identity: ClientIdentity) -> Int? {
    let process = ClientProcess(identity)
    return desks.firstIndex { $0.process == process }
  }

  // MARK: Registering

  /// Registers all of `wishes`, or none.
  ///
  /// - Parameter owner: the name shown to other clients of the same user that want the same keys.
  mutating func register(
    _ wishes: [Wish], of identity: ClientIdentity, owner: String, for connection: Connection
  ) throws(HotkeyError) {
    let before = self
    if place(of: identity) == nil { desks.append(ClientDesk(identity)) }
    guard let index = place(of: identity) else { return }
    let process = desks[index].process
    do throws(HotkeyError) {
      for wish in wishes {
        if let claim = claims.holder(against: wish.hotkey, of: process), let holder = entry(claim) {
          throw .taken(wish.hotkey, by: holder)
        }
        let id = try desks[index].register(
          wish.hotkey, owner: owner,
          Registration(
            connection: connection, hotkey: wish.hotkey, mode: wish.mode,
            isSandboxed: !identity.confinement.isFree, need: wish.need, consuming: wish.consuming))
        claims.add(wish.hotkey, HotkeyClaims.Claim(owner: process, id: id))
      }
    } catch {
      self = before
      throw error
    }
  }

  private func entry(_ claim: HotkeyClaims<ClientProcess>.Claim) -> HotkeyTable.Entry? {
    desks.first { $0.process == claim.owner }?.matcher.table[claim.id]
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
    _ wishes: [(hotkey: Hotkey, mode: String?)], of identity: ClientIdentity, at time: EventTime
  ) -> (count: Int, grants: [GrantID]) {
    let process = ClientProcess(identity)
    // hash each once: comparing 256 with 256 would take milliseconds
    let meant = Set(wishes.map { Place(hotkey: $0.hotkey, mode: $0.mode) })
    let released = free(of: process, at: time) { registration in
      meant.contains(Place(hotkey: registration.hotkey, mode: registration.mode))
    }
    let left = Set(all.flatMap(\.grants))
    return (released.count, released.flatMap(\.grants).filter { !left.contains($0) })
  }

  private struct Place: Hashable {
    let hotkey: Hotkey
    let mode: String?
  }

  private mutating func free(
    of process: ClientProcess? = nil, at time: EventTime, where isMeant: (Registration) -> Bool
  ) -> [Registration] {
    var freed: [Registration] = []
    for index in desks.indices where process == nil || desks[index].process == process {
      for (id, registration) in desks[index].registrations where isMeant(registration) {
        desks[index].unregister(id, at: time)
        claims.remove(
          registration.hotkey, HotkeyClaims.Claim(owner: desks[index].process, id: id))
        freed.append(registration)
      }
    }
    desks.removeAll { $0.registrations.isEmpty }
    return freed
  }

  // MARK: Modes

  /// Enters a mode: only the client's hotkeys of that mode work for it.
  ///
  /// - Parameter escape: the grants that let Escape leave it again. Without them Escape does
  ///   nothing there.
  /// - Returns: `false` if the client has no hotkeys in that mode.
  mutating func enter(mode: String, of identity: ClientIdentity, escape: Need?) -> Bool {
    place(of: identity).map { desks[$0].enter(mode: mode, escape: escape) } ?? false
  }

  /// Leaves the client's mode.
  mutating func leaveMode(of identity: ClientIdentity) {
    if let index = place(of: identity) { desks[index].leaveMode() }
  }

  /// Stops Escape from leaving the mode for clients that lack the grants for it.
  mutating func reviewEscapes(_ isLacking: (Need) -> Bool) {
    for index in desks.indices { desks[index].reviewEscape(isLacking) }
  }

  /// The grants that the client's hotkeys rest on.
  func grants(of identity: ClientIdentity) -> [GrantID] {
    place(of: identity).map { desks[$0].registrations.values.flatMap(\.grants) } ?? []
  }

  // MARK: Events

  /// Passes an event to the hotkeys and notifies their owners.
  ///
  /// - Parameter modifiers: the modifiers that are down.
  /// - Returns: whether it is a press to be consumed.
  mutating func process(_ event: InputEvent, held modifiers: Modifiers, in state: SeatState) -> Bool
  {
    var isConsumed = false
    for index in desks.indices where desks[index].process(event, held: modifiers, in: state) {
      isConsumed = true
    }
    return isConsumed
  }

  mutating func advance(to time: EventTime) {
    for index in desks.indices { desks[index].advance(to: time) }
  }

  /// Releases hotkeys that are held. Keys that are down no longer belong to any.
  ///
  /// - Parameter state: the state of the seat when they were pressed.
  mutating func cancel(at time: EventTime, in state: SeatState) {
    for index in desks.indices { desks[index].cancel(at: time, in: state) }
  }
}
