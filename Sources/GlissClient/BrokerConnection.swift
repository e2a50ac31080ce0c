import Glibc
package import GlissDevices
public import GlissEvents
public import GlissGate
public import GlissHotkeys
import Synchronization

/// A connection to the broker. Calls and answers go one after the other. A call blocks until its
/// answer comes, or ``close()`` ends the wait. ``GlobalEventMonitor`` and ``RemoteHotkeys`` follow
/// something and need a connection of their own.
public final class BrokerConnection: Sendable {
  /// `GLISS_SOCKET`, or the standard path of the broker's socket.
  public static var standardPath: String {
    guard let path = getenv("GLISS_SOCKET"), path.pointee != 0 else {
      return "/run/gliss/org.gliss.Broker"
    }
    return String(cString: path)
  }

  /// The timeout of a call that asks nobody.
  public static let standardTimeout = Duration.seconds(10)
  package static let standardInterval = EventInterval(standardTimeout)

  /// The limits of one message from the broker. Its touch frames are far below them.
  private static let limits = JSON.Limits(
    bytes: 1 << 20, depth: 16, values: 65_536, onlyStreamSafe: false)
  private let socket: ClientSocket
  /// Received data that nobody has asked for yet.
  private let framer = Mutex(MessageFramer(limit: BrokerConnection.limits.bytes))

  /// Connects to the broker at `path`, by default ``standardPath``. The broker ends a connection
  /// without a call within 5 s, so connect when you have one to make.
  ///
  /// - Throws: ``ClientError/noBroker(path:code:)``.
  public convenience init(
    path: String? = nil, timeout: Duration = standardTimeout
  ) throws(ClientError) {
    self.init(try ClientSocket(path: path ?? Self.standardPath, timeout: EventInterval(timeout)))
  }

  init(_ socket: ClientSocket) { self.socket = socket }

  /// Takes over a socket that is already connected to a broker.
  public convenience init(descriptor: Int32) { self.init(ClientSocket(descriptor: descriptor)) }

  /// Becomes readable when an answer comes, for a loop that waits for several things.
  public var descriptor: Int32 { socket.descriptor }

  /// Ends the connection, from any thread or a signal handler. A waiting call throws
  /// ``ClientError/closed``.
  public func close() { socket.shut() }

  /// Whether this side has closed it.
  var isClosed: Bool { socket.isClosed }

  // MARK: Calls

  /// Calls `method` (its full name) and waits for its single answer; without a `timeout` as long as
  /// it takes, for calls that ask somebody first.
  package func call(
    _ method: String, _ parameters: JSON = [:], timeout: EventInterval? = standardInterval
  ) throws(ClientError) -> JSON {
    let deadline = timeout.map { InputLoop.now + $0 }
    try send(method, parameters, until: deadline)
    guard let (answer, continues) = try answer(until: deadline) else {
      // a late answer would be mistaken for the next call's
      close()
      throw .timedOut
    }
    guard !continues else { throw broken("an answer that says that more follow") }
    return answer
  }

  /// Calls `method` and asks for all its answers. ``next(timeout:)`` returns them.
  package func follow(_ method: String, _ parameters: JSON = [:]) throws(ClientError) {
    try send(
      method, parameters, as: "more", until: InputLoop.now + Self.standardInterval)
  }

  /// Calls `method` without an answer, and without waiting for anything.
  func post(_ method: String, _ parameters: JSON) throws(ClientError) {
    try send(method, parameters, as: "oneway", until: .zero)
  }

  /// The next answer to the followed method; `nil` if none came in time. Without a timeout it waits
  /// forever; with a timeout of zero it does not wait.
  package func next(timeout: EventInterval? = nil) throws(ClientError) -> JSON? {
    try answer(until: timeout.map { InputLoop.now + $0 })?.0
  }

  /// The first answer to the followed method. What follows it stays in the socket, so that the
  /// ``descriptor`` is readable.
  func first(timeout: EventInterval = standardInterval) throws(ClientError) -> JSON {
    guard let (answer, _) = try answer(until: InputLoop.now + timeout, isAlone: true) else {
      close()
      throw .timedOut
    }
    return answer
  }

  private func send(
    _ method: String, _ parameters: JSON, as kind: String? = nil, until deadline: EventTime?
  ) throws(ClientError) {
    var call: JSON = ["method": .string(method), "parameters": parameters]
    if let kind { call.add(kind, true) }
    let message = call.encoded
    guard message.count <= MessageFramer.longestCall else { throw .tooLong }
    do {
      try socket.send(message + [0], until: deadline)
    } catch {
      // a partial call is invalid and spoils the next one
      defer { close() }
      // a broker that hangs up at once may have sent the reason
      if case .disconnected = error { _ = try answer(until: InputLoop.now) }
      throw error
    }
  }

  /// The next answer, and whether more follow. If it `isAlone`, nothing behind it is received.
  private func answer(
    until deadline: EventTime?, isAlone: Bool = false
  ) throws(ClientError) -> (JSON, Bool)? {
    guard let json = try message(until: deadline, isAlone) else { return nil }
    guard json.object != nil else { throw broken("an answer is an object") }
    let parameters = json["parameters"] ?? [:]
    if let name = json["error"] {
      throw ClientError(named: name.string ?? "an error without a name", parameters)
    }
    guard parameters.object != nil else { throw broken("its parameters are not an object") }
    return (parameters, json["continues"]?.bool ?? false)
  }

  private func message(until deadline: EventTime?, _ isAlone: Bool) throws(ClientError) -> JSON? {
    while true {
      do {
        let message = try framer.withLock { (framer) throws(VarlinkError) in try framer.next() }
        if let message { return try JSON(parsing: message, limits: Self.limits) }
      } catch {
        throw broken("\(error)")
      }
      let bytes = try socket.receive(until: deadline, upTo: isAlone ? 0 : nil)
      guard let bytes else { return nil }
      framer.withLock { $0.append(bytes) }
    }
  }

  /// Closes the connection after an invalid message, because nothing after it can be trusted.
  func broken(_ why: String) -> ClientError {
    close()
    return .malformed(why)
  }
}

// The calls of org.gliss.Broker that have a single answer.
extension BrokerConnection {
  /// How this program stands. Asks nobody. Throws ``ClientError/noKeyboard(_:advice:)`` if the tier
  /// post is granted but no keys can be pressed.
  public func preflight(_ scope: Scope) throws(ClientError) -> Permission {
    let answer = try call("org.gliss.Broker.Preflight", ["scope": scope.json])
    return try permission(answer, for: scope)
  }

  /// Follows how this program stands: ``nextPermission(for:timeout:)`` returns it now, and each change.
  package func followPreflight(_ scope: Scope) throws(ClientError) {
    try follow("org.gliss.Broker.Preflight", ["scope": scope.json])
  }

  /// The next answer to ``followPreflight(_:)``; `nil` if none came in time.
  package func nextPermission(
    for scope: Scope, timeout: EventInterval? = nil
  ) throws(ClientError) -> Permission? {
    guard let answer = try next(timeout: timeout) else { return nil }
    return try permission(answer, for: scope)
  }

  /// Asks for a grant, and waits until somebody has answered or nobody can be asked, or throws
  /// ``ClientError/timedOut`` after `timeout`.
  ///
  /// - Parameter reason: the reason shown to that person.
  /// - Returns: how the program stands then, also after a refusal.
  public func request(
    _ scope: Scope, reason: String? = nil, timeout: Duration? = nil
  ) throws(ClientError) -> Permission {
    let answer = try call(
      "org.gliss.Broker.Request",
      .members(["scope": scope.json, "reason": reason.map(JSON.string)]),
      timeout: timeout.map { EventInterval($0) })
    return try permission(answer, for: scope)
  }

  /// The verdict of an answer, and the number of the request that waits, if one does.
  func permission(_ answer: JSON, for scope: Scope) throws(ClientError) -> Permission {
    try read(answer) { (reply) throws(GateError) in
      Permission(
        scope: scope, verdict: try reply.verdict("verdict"), pending: try reply.integer("pending"))
    }
  }

  package func status() throws(ClientError) -> BrokerStatus {
    try read(try call("org.gliss.Broker.Status"), BrokerStatus.init)
  }

  /// The keys that are down now, and the modifiers by their words, as far as raw is granted.
  public func heldKeys() throws(ClientError) -> (keys: [Key], modifiers: [String]) {
    try read(try call("org.gliss.Broker.GetState")) { (reply) throws(GateError) in
      var keys: [Key] = []
      for name in try reply.strings("keys") ?? [] {
        guard let key = Key(schemaName: name) else {
          throw GateError(.parameter, "keys", "there is no such key")
        }
        keys.append(key)
      }
      return (keys, try reply.strings("modifiers") ?? [])
    }
  }

  /// Enters a mode: until it is left, only this program's hotkeys of that mode work for it; other
  /// programs' are not affected. `nil` leaves the mode.
  ///
  /// - Returns: whether Escape also leaves it, which needs a grant for keys that type; `nil` if no
  ///   mode was entered.
  @discardableResult
  public func enterMode(_ mode: String?) throws(ClientError) -> Bool? {
    let answer = try call("org.gliss.Broker.EnterMode", .members(["mode": mode.map(JSON.string)]))
    return try read(answer) { (reply) throws(GateError) in try reply.bool("leavesWithEscape") }
  }

  /// Frees hotkeys that this program registered over other connections.
  func release(_ hotkeys: [RemoteHotkeys.Chord]) throws(ClientError) {
    let wishes = hotkeys.map { JSON.hotkeyWish($0.text, mode: $0.mode) }
    _ = try call("org.gliss.Broker.ReleaseHotkeys", ["hotkeys": .array(wishes)])
  }

  /// Registers a hotkey over the connection that has `neighbour`. Returns its text there.
  func addHotkey(
    _ hotkey: RemoteHotkeys.Chord, consuming: Bool, beside neighbour: RemoteHotkeys.Chord
  ) throws(ClientError) -> String {
    let answer = try call(
      "org.gliss.Broker.AddHotkeys",
      [
        "beside": .hotkeyWish(neighbour.text, mode: neighbour.mode),
        "hotkeys": [.hotkeyWish(hotkey.text, mode: hotkey.mode)], "consume": .bool(consuming),
      ])
    return try read(answer) { (reply) throws(GateError) in
      try reply.required("registered", try reply.strings("registered")?.first)
    }
  }

  /// Presses chords for the user, one after the other: all of them, or none. This needs the tier
  /// post.
  ///
  /// - Throws: ``ClientError/notGranted(_:advice:)``, ``ClientError/notServed(state:advice:)``,
  ///   ``ClientError/cannotPress(_:message:)``, ``ClientError/noKeyboard(_:advice:)``.
  public func post(_ chords: [Chord]) throws(ClientError) {
    try post(chords.map(\.textToPress))
  }

  /// Moves the pointer for the user, in mm, to the right and down. It needs the tier post, and
  /// throws the same as ``post(_:)-([Chord])``.
  public func move(_ way: Vector2) throws(ClientError) {
    _ = try call("org.gliss.Broker.Move", ["right": .decimal(way.x), "down": .decimal(way.y)])
  }

  /// Presses the keys of chords, and keeps them down until this connection is closed. Nothing else
  /// can be called over it meanwhile. It needs the tier post, and throws the same as
  /// ``post(_:)-([Chord])``.
  public func hold(_ chords: [Chord]) throws(ClientError) {
    try hold(chords.map(\.textToPress))
  }

  /// The same for chords given as text: `alt+left`, `super`, `button1`.
  public func hold(_ chords: [String]) throws(ClientError) {
    try follow("org.gliss.Broker.Hold", ["keys": .strings(chords)])
    _ = try first()
  }

  /// Presses chords given as text: `alt+left`, `super+k ; w`, `super`, `button1`, `wheelup`.
  public func post(_ chords: [String]) throws(ClientError) {
    _ = try call("org.gliss.Broker.Post", ["keys": .strings(chords)])
  }
}

extension JSON {
  static func hotkeyWish(_ text: String, mode: String?) -> JSON {
    .members(["hotkey": .string(text), "mode": mode.map(JSON.string)])
  }
}

// Strokes that the desktop does not get.
extension BrokerConnection {
  /// Until this connection ends, hides strokes of `now` fingers from the desktop, and prepares for
  /// strokes of `ever` fingers. ``decide(_:on:)`` keeps a stroke hidden or gives it back.
  package func takeStrokes(_ now: FingerCounts, of ever: FingerCounts) throws(ClientError) {
    _ = try call(
      "org.gliss.Broker.TakeStrokes",
      ["fingers": Self.list(ever), "now": Self.list(now)])
  }

  /// Waits for no answer: a late verdict is useless. `pad` is the name that events have.
  package func decide(_ verdict: StrokeVerdict, on pad: String?) throws(ClientError) {
    try post(
      "org.gliss.Broker.DecideStroke",
      .members([
        "time": .integer(verdict.time.microseconds), "keep": .bool(verdict.isKept),
        "device": pad.map(JSON.string),
      ]))
  }

  /// Waits for a finger that points, or for the touchpad's button, after a drag or swipe has ended.
  /// This connection becomes readable when that happens.
  package func awaitPointing() throws(ClientError) {
    try follow("org.gliss.Broker.AwaitPointing")
  }

  /// When a finger pointed, after ``awaitPointing()``; `nil` if no answer has come yet.
  package func pointing() throws(ClientError) -> EventTime? {
    guard let answer = try next(timeout: .zero) else { return nil }
    return try read(answer) { (reply) throws(GateError) in
      EventTime(microseconds: try reply.required("time", try reply.integer("time")))
    }
  }

  private static func list(_ counts: FingerCounts) -> JSON {
    .array(counts.counts.map { .integer(Int64($0)) })
  }
}

extension BrokerConnection {
  /// Reads an answer. Anything that does not match the interface ends the connection.
  func read<Value>(
    _ answer: JSON, _ body: (Parameters) throws(GateError) -> Value
  ) throws(ClientError) -> Value {
    do {
      return try body(Parameters(answer))
    } catch {
      throw broken("\(error.place) \(error.message)")
    }
  }
}

// The answers of both interfaces.
extension Parameters {
  func objects<Value>(
    _ name: String, _ body: (Parameters) throws(GateError) -> Value
  ) throws(GateError) -> [Value] {
    var values: [Value] = []
    for element in try objects(name) ?? [] { values.append(try body(element)) }
    return values
  }

  func number(_ name: String) throws(GateError) -> Double {
    try required(name, try decimal(name))
  }

  func text(_ name: String) throws(GateError) -> String {
    try required(name, try string(name))
  }

  func whole<Number: FixedWidthInteger>(_ name: String) throws(GateError) -> Number {
    guard let number = Number(exactly: try required(name, try integer(name))) else {
      throw GateError(.parameter, place(name), "is too large or below zero")
    }
    return number
  }

  func wall(_ name: String) throws(GateError) -> WallTime? {
    try integer(name).map { WallTime(seconds: $0) }
  }

  func verdict(_ name: String) throws(GateError) -> Verdict {
    let inner = try required(name, try object(name))
    return Verdict(
      try inner.required("standing", try inner.word("standing")),
      entitlements: try inner.entitlements("granted"), until: try inner.wall("until"),
      advice: try inner.string("advice"), mayRequest: try inner.bool("mayRequest") ?? false)
  }

  func entitlements(_ name: String) throws(GateError) -> [Entitlement] {
    try objects(name) { (each) throws(GateError) in
      Entitlement(
        try each.scope("scope"), try each.word("availability") ?? .whenUnlocked)
    }
  }
}

extension Grant {
  init(reply: Parameters) throws(GateError) {
    self.init(
      id: GrantID(rawValue: try reply.whole("id")), terms: try reply.terms(),
      created: WallTime(seconds: try reply.whole("created")),
      modified: WallTime(seconds: try reply.whole("modified")),
      lastUsed: try reply.wall("lastUsed"), grantedBy: try reply.text("grantedBy"))
  }
}

/// The clients of the broker, what each may see, and the state of the seat.
package struct BrokerStatus: Hashable, Sendable {
  package struct Seat: Hashable, Sendable {
    /// `active`, `locked` and so on.
    package var state: String
    /// The user whose session is on the screen. Only that user and root get it.
    package var user: UInt32?
    package var name: String?
    /// All holders of secure input. Only that user and root get them.
    package var secureInput: [SecureInput]

    fileprivate init(_ session: Parameters) throws(GateError) {
      state = try session.text("state")
      user = try session.uid("user")
      name = try session.string("name")
      secureInput = try session.objects("secureInput") { (each) throws(GateError) in
        SecureInput(holder: try each.text("holder"), remaining: try each.number("remaining"))
      }
    }
  }

  /// A client that holds secure input while a password is typed.
  package struct SecureInput: Hashable, Sendable {
    package var holder: String
    /// Seconds until it ends by itself.
    package var remaining: Double
  }

  package struct Client: Hashable, Sendable {
    package var pid: Int32
    package var uid: UInt32
    /// The program, unit or sandboxed app, as in grants; `unknown` if it cannot be identified.
    package var name: String
    /// Seconds of CLOCK_MONOTONIC.
    package var since: Double
    /// What it does: `events`, `hotkey`, `keys`, `pointing`, `strokes`, `secureInput`, `lock`,
    /// `waits for an answer` or `nothing`.
    package var doing: String
    package var granted: [Entitlement]
    /// How many messages it was sent. Only root and the client itself get this.
    package var delivered: Int64?
    /// How many were left out because it read too slowly. Only root and the client itself get this.
    package var lost: Int64?

    fileprivate init(_ client: Parameters) throws(GateError) {
      pid = try client.whole("pid")
      uid = try client.required("uid", try client.uid("uid"))
      name = try client.text("name")
      since = try client.number("since")
      doing = try client.text("doing")
      granted = try client.entitlements("granted")
      delivered = try client.integer("delivered")
      lost = try client.integer("lost")
    }
  }

  package struct Hotkey: Hashable, Sendable {
    package var hotkey: String
    /// The mode in which it acts; `nil` if it is in none.
    package var mode: String?
    package var holder: String
    package var uid: UInt32

    fileprivate init(_ hotkey: Parameters) throws(GateError) {
      self.hotkey = try hotkey.text("hotkey")
      mode = try hotkey.string("mode")
      holder = try hotkey.text("holder")
      uid = try hotkey.required("uid", try hotkey.uid("uid"))
    }
  }

  package var version: String
  package var seat: Seat
  /// The processes that are connected. Only root sees other users'.
  package var clients: [Client]
  /// The registered hotkeys. Only root sees other users'.
  package var hotkeys: [Hotkey]
  /// How many clients and hotkeys did not fit into the answer.
  package var omitted: Int
  /// The connected devices; none if they are hidden from this program.
  package var devices: [String]
  /// Whether the broker names the devices to this program, so that no name means no device.
  package var showsDevices: Bool
  /// Problems that keep the broker from working fully.
  package var problems: [String]
  /// The whole, as the broker reports it.
  package let json: JSON

  fileprivate init(_ answer: Parameters) throws(GateError) {
    version = try answer.text("version")
    seat = try Seat(try answer.required("session", try answer.object("session")))
    clients = try answer.objects("clients", Client.init)
    hotkeys = try answer.objects("hotkeys", Hotkey.init)
    omitted = try answer.integer("omitted").flatMap(Int.init(exactly:)) ?? 0
    let names = try answer.strings("devices")
    devices = names ?? []
    showsDevices = names != nil
    problems = try answer.strings("problems") ?? []
    json = answer.json
  }
}
