import GlissClient
import GlissDevices
import GlissEvents
import GlissGate
import GlissHotkeys
import GlissSession

extension Broker {
  /// Who is connected, and the state of the seat. Only root sees other users' clients.
  func status(for connection: Connection) -> VarlinkReply {
    let uid = connection.identity.uid
    let isFree = connection.identity.confinement.isFree
    let seesAll = uid == 0 && isFree
    let shown = server.connections.filter {
      isFree ? seesAll || $0.identity.uid == uid : $0 === connection
    }
    let hotkeys = hotkeys.filter { isFree && (seesAll || $0.key == uid) }.sorted { $0.key < $1.key }
      .flatMap { uid, registered in registered.all.map { hotkey($0, uid) } }
    let (clients, omittedClients) = Self.fitting(shown.map { client($0, for: connection) })
    let (shownHotkeys, omittedHotkeys) = Self.fitting(hotkeys)
    return .result([
      "version": .string(Release.version),
      "session": session(for: connection),
      "clients": .array(clients),
      "hotkeys": .array(shownHotkeys),
      "omitted": JSON.count(omittedClients + omittedHotkeys),
      "devices": .strings(
        isFree && (uid == 0 || uid == state.activeUser) ? session.devices.map(\.name) : []),
      "problems": .strings(
        isFree ? problems + [gate.fault, gate.auditFault].compactMap { $0?.description } : []),
    ])
  }

  private func session(for connection: Connection) -> JSON {
    let uid = connection.identity.uid
    let user = state.activeUser
    let maySeeUser = uid == 0 || uid == user
    // root gets the active user's state
    let served = SessionState(of: uid == 0 ? user ?? uid : uid, in: state)
    var secure: JSON?
    if let user, maySeeUser, connection.identity.confinement.isFree,
      seat.secureInput.isHeld(of: user)
    {
      let now = InputLoop.now
      secure = .array(
        seat.secureInput.holders(of: user).map { holder in
          .members([
            "holder": .string(holder.name), "uid": .integer(Int64(user)),
            "remaining": .decimal(max(0, (holder.until - now).seconds)),
          ])
        })
    }
    return .members([
      "state": .string(served.rawValue),
      "user": maySeeUser ? user.map { .integer(Int64($0)) } : nil,
      "name": maySeeUser ? state.session.map(JSON.string) : nil,
      "secureInput": secure,
    ])
  }

  /// How many messages another program was sent reveals when keys are pressed, so only root and the
  /// program itself see that.
  private func client(_ connection: Connection, for asking: Connection) -> JSON {
    let identity = connection.identity
    let isOwn = identity.pid == asking.identity.pid
    let isCounted = isOwn || asking.identity.uid == 0 && asking.identity.confinement.isFree
    let stream = streams[connection]
    return .members([
      "pid": .integer(Int64(identity.pid)), "uid": .integer(Int64(identity.uid)),
      "name": .string(identity.client?.description ?? "unknown"),
      "since": .decimal(Double(connection.since.microseconds) / 1_000_000),
      "doing": .string(doing(connection)),
      "granted": .array((stream?.verdict.entitlements ?? []).map { JSON($0) }),
      "delivered": isCounted ? .integer(Int64(clamping: connection.outbox.delivered)) : nil,
      "lost": isCounted ? .integer(Int64(clamping: connection.outbox.lost)) : nil,
    ])
  }

  private func doing(_ connection: Connection) -> String {
    switch activities[ObjectIdentifier(connection)] {
    case nil where hiddenStrokes[ObjectIdentifier(connection)] != nil: "strokes"
    case nil: "nothing"
    case .monitor?: "events"
    case .hotkey?: "hotkey"
    case .secureInput?: "secureInput"
    case .lock?: "lock"
    case .hold?: "keys"
    case .pointing?: "pointing"
    case .question?: "waits for an answer"
    }
  }

  private func hotkey(_ registration: UserHotkeys.Registration, _ uid: UInt32) -> JSON {
    .members([
      "hotkey": .string(registration.request.hotkey.description),
      "mode": registration.request.mode.map(JSON.string),
      "consumes": registration.request.consuming == nil ? nil : .bool(true),
      "holder": .string(registration.connection.identity.label), "uid": .integer(Int64(uid)),
    ])
  }
}
