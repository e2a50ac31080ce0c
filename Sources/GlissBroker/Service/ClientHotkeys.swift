import GlissEvents
import GlissGate
import GlissHotkeys

/// The hotkeys of one user's clients: who has which, and who is told.
///
/// A chord has one owner, in whatever mode. Modes are a client's own: while it is in one, only its hotkeys of that mode hold
/// for it, and for others nothing changes.
struct ClientHotkeys {
  /// A hotkey that a client follows.
  struct Registration {
    let connection: Connection
    let hotkey: Hotkey
    let mode: String?
    let isSandboxed: Bool
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

  /// Keys that are kept from the rest of the desktop, at one time or another.
  var consumedKeys: ConsumedKeys {
    desks.reduce(.none) { $0.union($1.matcher.table.consumedKeys) }
  }

  private func place(of identity: ClientIdentity) -> Int? {
    let process = ClientProcess(identity)
    return desks.firstIndex { $0.process == process }
  }

  // MARK: Registering

  /// Registers all of `wishes` or none.
  ///
  /// - Parameter owner: what others of the same user are told who want the same keys.
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

  /// The client's hotkeys are free again.
  ///
  /// - Returns: the grants that they rested on.
  mutating func unregister(_ connection: Connection, at time: EventTime) -> [GrantID] {
    free(at: time) { $0.connection === connection }.flatMap(\.grants)
  }

  /// Some of the client's hotkeys are free again, whichever of its connections they came over.
  ///
  /// - Returns: how many there were, and the grants that only they rested on.
  mutating func release(
    _ wishes: [(hotkey: Hotkey, mode: String?)], of identity: ClientIdentity, at time: EventTime
  ) -> (count: Int, grants: [GrantID]) {
    let process = ClientProcess(identity)
    // each is hashed once: 256 against 256 would take milliseconds
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

  /// Lets only the client's hotkeys of that mode hold for it.
  ///
  /// - Parameter escape: what lets Escape leave it again; without it Escape does nothing there.
  /// - Returns: `false` if the client has no hotkeys in that mode.
  mutating func enter(mode: String, of identity: ClientIdentity, escape: Need?) -> Bool {
    place(of: identity).map { desks[$0].enter(mode: mode, escape: escape) } ?? false
  }

  /// The client is in no mode any more.
  mutating func leaveMode(of identity: ClientIdentity) {
    if let index = place(of: identity) { desks[index].leaveMode() }
  }

  /// Escape leaves no mode any more of a client that lacks what lets it.
  mutating func reviewEscapes(_ isLacking: (Need) -> Bool) {
    for index in desks.indices { desks[index].reviewEscape(isLacking) }
  }

  /// The grants that the client's hotkeys rest on.
  func grants(of identity: ClientIdentity) -> [GrantID] {
    place(of: identity).map { desks[$0].registrations.values.flatMap(\.grants) } ?? []
  }

  // MARK: Events

  /// Takes in what may belong to a hotkey, and tells their owners.
  ///
  /// - Parameter modifiers: those that are down.
  /// - Returns: whether it is a press to be kept from the rest of the desktop.
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

  /// What is held is released; keys that are down belong to nothing any more.
  ///
  /// - Parameter state: what held when they were pressed.
  mutating func cancel(at time: EventTime, in state: SeatState) {
    for index in desks.indices { desks[index].cancel(at: time, in: state) }
  }
}
