public import GlissEvents
public import GlissGate
public import GlissHotkeys

// The calls of org.gliss.Broker that have a single answer.
extension BrokerConnection {
  /// How this program stands. Asks nobody.
  ///
  /// - Throws: ``ClientError/noKeyboard(_:advice:)`` for the tier post if it is granted but no keys
  ///   can be pressed.
  public func preflight(_ scope: Scope) throws(ClientError) -> Verdict {
    let answer = try call("org.gliss.Broker.Preflight", ["scope": scope.json])
    return try read(answer) { (reply) throws(ParameterError) in try reply.verdict("verdict") }
  }

  /// Asks for a grant, and waits until somebody has answered or nobody can be asked.
  ///
  /// - Parameter reason: the reason shown to that person.
  /// - Returns: how the program stands now, and the number of the request if it is pending for
  ///   "gliss grants".
  public func request(
    _ scope: Scope, reason: String? = nil, timeout: EventInterval? = nil
  ) throws(ClientError) -> (verdict: Verdict, pending: Int64?) {
    var parameters: JSON = ["scope": scope.json]
    parameters.add("reason", reason.map(JSON.string))
    let answer = try call("org.gliss.Broker.Request", parameters, timeout: timeout)
    return try read(answer) { (reply) throws(ParameterError) in
      (try reply.verdict("verdict"), try reply.integer("pending"))
    }
  }

  /// Who is connected, and the state of the seat.
  public func status() throws(ClientError) -> BrokerStatus {
    try read(try call("org.gliss.Broker.Status")) { (reply) throws(ParameterError) in
      try BrokerStatus(reply)
    }
  }

  /// The keys that are down now, and the modifiers by their words in the event schema. This needs
  /// the raw tier and shows only what is granted.
  public func heldKeys() throws(ClientError) -> (keys: [Key], modifiers: [String]) {
    try read(try call("org.gliss.Broker.GetState")) { (reply) throws(ParameterError) in
      var keys: [Key] = []
      for name in try reply.strings("keys") ?? [] {
        guard let key = Key(schemaName: name) else {
          throw ParameterError("keys", "there is no such key")
        }
        keys.append(key)
      }
      return (keys, try reply.strings("modifiers") ?? [])
    }
  }

  /// Enters a mode of this program's hotkeys: until it is left, only the hotkeys of that mode work
  /// for this program. Other programs' hotkeys are not affected. `nil` leaves the mode.
  ///
  /// - Returns: whether Escape also leaves it, which needs a grant for keys that type; `nil` if no
  ///   mode was entered.
  @discardableResult
  public func enterMode(_ mode: String?) throws(ClientError) -> Bool? {
    let answer = try call("org.gliss.Broker.EnterMode", .members(["mode": mode.map(JSON.string)]))
    return try read(answer) { (reply) throws(ParameterError) in try reply.bool("leavesWithEscape") }
  }

  /// Frees hotkeys that this program registered over other connections.
  func release(_ hotkeys: [(text: String, mode: String?)]) throws(ClientError) {
    let wishes = hotkeys.map { JSON.hotkeyWish($0.text, mode: $0.mode) }
    _ = try call("org.gliss.Broker.ReleaseHotkeys", ["hotkeys": .array(wishes)])
  }

  /// Presses chords for the user, one after the other: all of them, or none. This needs the tier
  /// post.
  ///
  /// - Throws: ``ClientError/notGranted(_:advice:)``, ``ClientError/notServed(state:advice:)``,
  ///   ``ClientError/cannotPress(_:message:)``, ``ClientError/noKeyboard(_:advice:)``.
  public func post(_ chords: [Chord]) throws(ClientError) {
    try post(chords.map(\.textToPress))
  }

  /// Presses chords given as text: `alt+left`, `super+k ; w`, `tap:super`.
  public func post(_ chords: [String]) throws(ClientError) {
    _ = try call("org.gliss.Broker.Post", ["keys": .strings(chords)])
  }
}

extension JSON {
  static func hotkeyWish(_ text: String, mode: String?) -> JSON {
    .members(["hotkey": .string(text), "mode": mode.map(JSON.string)])
  }

  /// Adds a member to an object, unless `value` is `nil`.
  mutating func add(_ name: String, _ value: JSON?) {
    guard case .object(var members) = self, let value else { return }
    members.append(Member(name, value))
    self = .object(members)
  }
}
