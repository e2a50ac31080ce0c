import GlissClient
import GlissDevices
import GlissEvents
import GlissGate
import GlissHotkeys
import GlissSession

// Hotkeys of clients, and their modes.
extension Broker {
  /// Registers a list of hotkeys, or a single one, whose answer is then no list either.
  func registerHotkeys(_ call: VarlinkCall, _ connection: Connection, consumes: Bool) throws {
    guard call.wantsMore else { throw VarlinkService.expectedMore }
    let parameters = Parameters(call.parameters)
    let isList = call.method.hasSuffix("Hotkeys")
    let requests =
      isList
      ? try requests(parameters, connection, consumes: consumes)
      : [try request(parameters, connection, consuming: consuming(consumes, connection))]
    try register(requests, connection, of: connection.identity)
    let texts = requests.map { JSON.string($0.hotkey.description) }
    connection.send(.more(["registered": isList ? .array(texts) : texts[0]]))
  }

  /// Adds to another connection of the calling process, so that it needs no new one.
  func addHotkeys(_ parameters: Parameters, _ connection: Connection) throws {
    let beside = try parameters.required("beside", try parameters.object("beside"))
    let neighbour = try hotkey(beside, connection)
    let identity = connection.identity
    guard let follower = hotkeys[identity.uid]?[identity]?.connection(of: neighbour)
    else { throw GateError(.parameter, "beside", "is not a hotkey of this process") }
    let consumes = try parameters.bool("consume") ?? false
    let requests = try requests(parameters, connection, consumes: consumes)
    // a connection ends when any of its hotkeys loses a grant
    let needed = Set(requests.map { Set($0.grants) })
    guard needed.isSubset(of: hotkeys[identity.uid]?.grants(over: follower) ?? []) else {
      throw GateError(.parameter, "beside", "has hotkeys that need other grants")
    }
    try register(requests, follower, of: identity)
    connection.send(.result(["registered": .strings(requests.map(\.hotkey.description))]))
  }

  private func requests(
    _ parameters: Parameters, _ connection: Connection, consumes: Bool
  ) throws -> [UserHotkeys.Request] {
    let need = try consuming(consumes, connection)
    let list = try list(parameters)
    let requests = try list.map { try request($0, connection, consuming: need) }
    var first: [HotkeyInMode: Int] = [:]
    for (index, request) in requests.enumerated() {
      guard let other = first.updateValue(index, forKey: request.hotkeyInMode) else { continue }
      throw GateError(.parameter, "hotkeys[\(index)]", "is the same as hotkeys[\(other)]")
    }
    return requests
  }

  private func list(_ parameters: Parameters) throws(GateError) -> [Parameters] {
    let list = try parameters.required("hotkeys", try parameters.objects("hotkeys"))
    guard (1...limits.hotkeys).contains(list.count) else {
      throw GateError(.parameter, "hotkeys", "must have 1 to \(limits.hotkeys) elements")
    }
    return list
  }

  /// The right to consume keys; `nil` if none are to be consumed. Throws if it is not granted, or
  /// keys cannot be consumed here.
  private func consuming(_ consumes: Bool, _ connection: Connection) throws -> Right? {
    guard consumes else { return nil }
    let right = try mayPost(connection)
    try host.checkConsuming()
    return right
  }

  private func request(
    _ parameters: Parameters, _ connection: Connection, consuming: Right?
  ) throws -> UserHotkeys.Request {
    let wish = try hotkey(parameters, connection)
    if let mode = wish.mode, !(1...64).contains(mode.utf8.count) {
      throw GateError(.parameter, parameters.place("mode"), "must have 1 to 64 bytes")
    }
    let place = parameters.place("hotkey")
    return UserHotkeys.Request(
      hotkeyInMode: wish, parameter: place, need: try need(of: wish.hotkey, place, connection),
      consuming: consuming)
  }

  private func hotkey(_ parameters: Parameters, _ connection: Connection) throws -> HotkeyInMode {
    try parameters.allowOnly(["hotkey", "mode"])
    let text = try parameters.required("hotkey", try parameters.string("hotkey"))
    let hotkey: Hotkey
    do throws(HotkeyError) { hotkey = try Hotkey(text) } catch {
      throw failure(error, connection.identity, parameters.place("hotkey"))
    }
    return HotkeyInMode(hotkey: hotkey, mode: try parameters.string("mode"))
  }

  /// The grants that the hotkey needs; `nil` for chords that cannot type. A tapped modifier needs
  /// gestures, and all others need all keys.
  private func need(
    of hotkey: Hotkey, _ parameter: String, _ connection: Connection
  ) throws(VarlinkReply) -> Right? {
    guard let scope = hotkey.neededScope else { return nil }
    let right = right(to: scope, connection.identity)
    // a narrower grant, such as media keys, does not cover a letter
    guard right.isWhole else {
      record(.refuse, connection, "\(hotkey)")
      throw .hotkeyCouldType(hotkey, parameter: parameter, right.verdict)
    }
    return right
  }

  /// `identity` asks, possibly over a connection other than `connection`.
  private func register(
    _ requests: [UserHotkeys.Request], _ connection: Connection, of identity: ClientIdentity
  ) throws {
    let uid = identity.uid
    var registered = hotkeys[uid] ?? UserHotkeys()
    try checkRoom(for: requests.count, in: registered, identity)
    do throws(HotkeyError) {
      try registered.register(requests, of: identity, for: connection)
    } catch {
      throw failure(error, identity, parameter(of: error, in: requests))
    }
    // a single-use grant serves all of them
    try gate.use(Set(requests.flatMap(\.grants)).sorted(), at: .now)
    hotkeys[uid] = registered
    connection.activity = .hotkey
    updateConsumption()
    let consumes = requests.contains { $0.consuming != nil }
    if consumes { host.resumeConsumingAfterStall() }
    record(given: Set(requests.compactMap { $0.need?.ask.scope }), consumes, connection)
  }

  /// Records hotkeys that needed a grant.
  private func record(given scopes: Set<Scope>, _ consumes: Bool, _ connection: Connection) {
    let given = scopes.map(\.description).sorted() + (consumes ? ["consume"] : [])
    if given.isEmpty { return }
    record(
      .connect, connection, "hotkeys: \(given.joined(separator: ", "))",
      ofGestures: !consumes && scopes.allSatisfy { $0.tier == .gesture })
  }

  private func checkRoom(
    for count: Int, in registered: UserHotkeys, _ identity: ClientIdentity
  ) throws(VarlinkReply) {
    let advice = "release some, or close their connection"
    guard registered.count + count <= limits.hotkeys else {
      throw .limitReached("hotkeys", maximum: limits.hotkeys, advice: advice)
    }
    let kept = isFavored(identity.uid) ? 0 : limits.keptHotkeys
    let all = hotkeys.values.reduce(0) { $0 + $1.count }
    guard all + count <= limits.allHotkeys - kept else {
      throw .limitReached("hotkeys of all users", maximum: limits.allHotkeys, advice: advice)
    }
    if identity.confinement.isFree { return }
    guard registered.all.count(where: \.isSandboxed) + count <= limits.sandboxHotkeys else {
      throw .limitReached(
        "hotkeys of sandboxed programs", maximum: limits.sandboxHotkeys, advice: advice)
    }
  }

  func releaseHotkeys(_ parameters: Parameters, _ connection: Connection) throws {
    let requests = Set(try list(parameters).map { try hotkey($0, connection) })
    let identity = connection.identity
    let released = hotkeys[identity.uid]?.release(requests, of: identity, at: InputLoop.now)
    wereFreed(of: identity.uid, restingOn: released?.grants ?? [])
    connection.send(.result(["released": .integer(Int64(released?.count ?? 0))]))
  }

  func unregister(_ connection: Connection, at time: EventTime) {
    let uid = connection.peer.uid
    wereFreed(of: uid, restingOn: hotkeys[uid]?.unregister(connection, at: time) ?? [])
  }

  private func wereFreed(of uid: UInt32, restingOn grants: [GrantID]) {
    gate.ended(grants)
    if hotkeys[uid]?.count == 0 { hotkeys[uid] = nil }
    reviewEscapes()
    updateConsumption()
  }

  /// Consumes keys only while the active user's hotkeys are reported.
  func updateConsumption() {
    var keys = ConsumedKeys.none
    if let user = state.activeUser, let registered = hotkeys[user],
      state.reportsHotkeys(of: user, couldType: false)
    {
      keys = registered.consumedKeys
    }
    if host.consumed != keys { host.consumed = keys }
  }

  /// Consumes the key that is being handled, unless it is part of a secret being typed.
  func keep(_ event: InputEvent) {
    if case .key(let key) = event, state.isInputSecure, key.modifiers.isDisjoint(with: .commands) {
      return
    }
    session.keepsKey = true
  }

  private func failure(
    _ error: HotkeyError, _ identity: ClientIdentity, _ parameter: String?
  ) -> VarlinkReply {
    switch error {
    case .syntax(let mistake): return .invalidHotkey(mistake, parameter: parameter ?? "hotkey")
    case .taken(let hotkey, let holder):
      // sandboxes may not learn what else runs
      let name = identity.confinement.isFree ? holder.owner : nil
      // the program's name in a label changes when its file is replaced
      let isOwn = holder.owner.hasSuffix(", process \(identity.pid)")
      return .hotkeyTaken(
        hotkey, parameter: parameter, holder: isOwn ? "this program" : name,
        conflict: isOwn ? holder.hotkey : nil)
    case .notConsumable: return GateError(.parameter, parameter ?? "hotkey", "\(error)").reply
    }
  }

  /// The place of the refused hotkey; `nil` if the call has it in several modes.
  private func parameter(of error: HotkeyError, in requests: [UserHotkeys.Request]) -> String? {
    let refused: Hotkey
    switch error {
    case .syntax: return nil
    case .taken(let hotkey, _), .notConsumable(let hotkey): refused = hotkey
    }
    let places = requests.filter { $0.hotkey == refused }.map(\.parameter)
    return places.count == 1 ? places[0] : nil
  }

  // MARK: Modes

  func enterMode(_ parameters: Parameters, _ connection: Connection) throws {
    let identity = connection.identity
    guard let mode = try parameters.string("mode") else {
      hotkeys[identity.uid]?[identity]?.leaveMode()
      return connection.send(.result())
    }
    let escape = rightToEscape(of: identity)
    guard hotkeys[identity.uid]?[identity]?.enter(mode: mode, escape: escape) == true else {
      throw VarlinkReply.noSuchMode(mode)
    }
    connection.send(.result(["leavesWithEscape": .bool(escape != nil)]))
  }

  /// The grants that a hotkey on Escape would need, if the client has them. Without them the client
  /// must not learn that Escape was pressed. No single-use grant is used up for this.
  private func rightToEscape(of identity: ClientIdentity) -> Right? {
    let escape = Hotkey(Chord([], .key(HotkeyConfiguration().abortKey)))
    guard let scope = escape.neededScope else { return nil }
    let ask = Ask(identity, scope)
    let verdict = gate.verdict(
      on: ask, holding: hotkeys[identity.uid]?[identity]?.grants ?? [], usesOnce: false, at: .now
    )
    let right = Right(ask: ask, verdict: verdict)
    return right.isWhole ? right : nil
  }

  /// Stops Escape from leaving the mode for clients that may no longer learn of it.
  func reviewEscapes() {
    forEachHotkeyClient { $0.reviewEscape { lack(of: $0, usesOnce: false) != nil } }
  }

  func forEachHotkeyClient(_ body: (inout ClientHotkeys) -> Void) {
    for uid in hotkeys.keys { hotkeys[uid]?.forEach(body) }
  }
}

// Keys that are pressed for the user.
extension Broker {
  func post(_ parameters: Parameters, _ connection: Connection) throws {
    let chords = try chords(parameters, connection)
    try press(connection, chords) { try $0.press(chords, by: connection.number) }
    record(.post, connection, "keys were pressed")
    connection.send(.result())
  }

  func move(_ parameters: Parameters, _ connection: Connection) throws {
    let x = try parameters.required("right", try parameters.decimal("right"))
    let y = try parameters.required("down", try parameters.decimal("down"))
    guard abs(x) <= limits.motion, abs(y) <= limits.motion else {
      throw GateError(
        .parameter, abs(x) > limits.motion ? "right" : "down",
        "is at most \(Int(limits.motion)) mm")
    }
    try press(connection) { try $0.move(Vector2(x: x, y: y), by: connection.number) }
    record(.post, connection, "the pointer was moved")
    connection.send(.result())
  }

  /// Presses keys or moves the pointer. Some of it may wait until the desktop has read the rest.
  private func press(
    _ connection: Connection, _ chords: [Chord] = [], _ body: (any KeyPressing) throws -> Void
  ) throws {
    let (right, keyboard) = try keyboard(for: connection, pressing: chords)
    defer { gate.ended(right.grants) }
    if !keyboard.isWaiting { posters.removeAll() }
    try body(keyboard)
    // a single-use grant is used up, so nobody can revoke it any more
    let isLasting = gate.verdict(on: right.ask, usesOnce: false, at: .now).standing == .granted
    posters[connection.number] = isLasting ? right.ask : nil
  }

  /// Cancels what waits to be pressed for clients that may no longer press anything.
  func reviewPosters() {
    for (number, ask) in posters {
      let verdict = gate.verdict(on: ask, usesOnce: false, at: .now)
      guard verdict.isNarrower(than: ask.scope) else { continue }
      plugged?.forget(number)
      posters[number] = nil
    }
  }

  func hold(_ parameters: Parameters, _ connection: Connection, wantsMore: Bool) throws {
    let chords = try chords(parameters, connection)
    guard wantsMore else { throw VarlinkService.expectedMore }
    let (right, keyboard) = try keyboard(for: connection, pressing: chords, holding: true)
    do {
      try keyboard.hold(chords, by: connection.number)
    } catch {
      gate.ended(right.grants)
      throw error
    }
    connection.activity = .hold(right)
    record(.post, connection, "keys are held")
    connection.send(.more(["held": .bool(true)]))
  }

  private func chords(_ parameters: Parameters, _ connection: Connection) throws -> [Chord] {
    let texts = try parameters.required("keys", try parameters.strings("keys"))
    guard (1...limits.chords).contains(texts.count) else {
      throw GateError(.parameter, "keys", "must have 1 to \(limits.chords) elements")
    }
    var chords: [Chord] = []
    for (index, text) in texts.enumerated() {
      do throws(HotkeyError) {
        chords += try Chord.chords(toPress: text)
      } catch {
        throw failure(error, connection.identity, "keys[\(index)]")
      }
    }
    return chords
  }

  /// The keyboard, if `connection` may now press `chords` or, without any, move the pointer. The
  /// right's grants stay in use until they are ended.
  private func keyboard(
    for connection: Connection, pressing chords: [Chord] = [], holding: Bool = false
  ) throws -> (Right, any KeyPressing) {
    let right = try mayPost(connection)
    // this also keeps keys out of a password prompt
    try mustBeActive(connection)
    try spend(
      max(1, chords.count), of: connection.identity.uid, chords.isEmpty ? \.motion : \.chords)
    let keyboard = try keyboard()
    // check first: chords that cannot be pressed must not use up a grant
    try keyboard.check(chords, toHold: holding)
    try gate.use(right.grants, at: .now)
    return (right, keyboard)
  }

  func mustBeActive(_ connection: Connection) throws(VarlinkReply) {
    let served = SessionState(of: connection.identity.uid, in: state)
    guard served == .active else { throw .notServed(served) }
  }

  func mayPost(_ connection: Connection) throws(VarlinkReply) -> Right {
    let right = right(to: Scope(tier: .post), connection.identity)
    guard right.isWhole else {
      record(.refuse, connection, "post")
      throw .notGranted(right.verdict)
    }
    return right
  }

  func spend(
    _ count: Int, of uid: UInt32, _ kind: WritableKeyPath<PressBudgets, PressBudget>
  ) throws(VarlinkReply) {
    let now = InputLoop.now
    var own = budgets[uid] ?? PressBudgets(at: now)
    let isEnough = own[keyPath: kind].take(count, at: now)
    budgets[uid] = own
    guard isEnough else {
      let budget = own[keyPath: kind]
      throw .limitReached(
        budget.what, maximum: budget.most, advice: "no more than \(budget.perSecond) a second")
    }
  }
}

extension Hotkey {
  fileprivate var neededScope: Scope? { Scope.needed(typesNothing: typesNothing, isTap: isTap) }
}

/// What a user's programs may still press and move.
struct PressBudgets: Hashable, Sendable {
  var chords: PressBudget
  /// A touchpad reports motion up to some 200 times a second.
  var motion: PressBudget
  /// Calls that decide about hidden strokes, or that change which are to be hidden.
  var verdicts: PressBudget
  /// Virtual devices that hide strokes: desktops open each of them, so they are few.
  var controls: PressBudget

  init(at time: EventTime) {
    chords = PressBudget("chords", most: 256, perSecond: 64, at: time)
    motion = PressBudget("motions", most: 1000, perSecond: 500, at: time)
    verdicts = PressBudget("verdicts", most: 200, perSecond: 100, at: time)
    controls = PressBudget("control devices", most: 8, perSecond: 1, at: time)
  }
}

/// A burst, and then a rate per second. This is far more than fingers need, and keeps a runaway
/// program from flooding the desktop.
struct PressBudget: Hashable, Sendable {
  /// What is counted, such as chords.
  let what: String
  let most: Int
  let perSecond: Int

  /// How many are left, in millionths.
  private var left: Int64
  private var time: EventTime

  init(_ what: String, most: Int, perSecond: Int, at time: EventTime) {
    (self.what, self.most, self.perSecond, self.time) = (what, most, perSecond, time)
    left = Int64(most) * 1_000_000
  }

  /// Takes `count`. If fewer are left, takes none and returns `false`.
  mutating func take(_ count: Int, at now: EventTime) -> Bool {
    let full = Int64(most) * 1_000_000
    // a clock that goes back adds nothing, and no pause adds more than the maximum
    let passed = min(max(0, (now - time).microseconds), full)
    left = min(full, left + passed * Int64(perSecond))
    time = max(now, time)
    let wanted = Int64(count) * 1_000_000
    guard wanted <= left else { return false }
    left -= wanted
    return true
  }
}
