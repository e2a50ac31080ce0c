public import GlissEvents
public import GlissGate
public import GlissHotkeys

// The calls of org.gliss.Broker that have one answer.
extension BrokerConnection {
  /// How this program stands. Asks nobody.
  ///
  /// - Throws: ``ClientError/noKeyboard(_:advice:)`` for the tier post where it is granted and no keys can be pressed.
  public func preflight(_ scope: Scope) throws(ClientError) -> Verdict {
    let answer = try call("org.gliss.Broker.Preflight", ["scope": scope.json])
    return try read(answer) { (reply) throws(ParameterError) in try reply.verdict("verdict") }
  }

  /// Asks whoever can grant it, and waits until somebody has answered, or nobody is at hand.
  ///
  /// - Parameter reason: what that person is told.
  /// - Returns: how the program stands now, and the number under which the request waits for "gliss grants".
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

  /// Who is connected, and what holds.
  public func status() throws(ClientError) -> BrokerStatus {
    try read(try call("org.gliss.Broker.Status")) { (reply) throws(ParameterError) in
      try BrokerStatus(reply)
    }
  }

  /// The keys that are down now, and the modifiers by their words in the event schema; needs the raw tier, and shows what
  /// is granted.
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

  /// Enters a mode of this program's hotkeys: only these hold for it until it is left. Others' hotkeys go on. `nil` leaves
  /// it.
  ///
  /// - Returns: whether Escape leaves it, too, which takes the right to keys that type; `nil` if none was entered.
  @discardableResult
  public func enterMode(_ mode: String?) throws(ClientError) -> Bool? {
    let answer = try call("org.gliss.Broker.EnterMode", .members(["mode": mode.map(JSON.string)]))
    return try read(answer) { (reply) throws(ParameterError) in try reply.bool("leavesWithEscape") }
  }

  /// Frees hotkeys that this program has registered over other connections.
  func release(_ hotkeys: [(text: String, mode: String?)]) throws(ClientError) {
    let wishes = hotkeys.map { JSON.hotkeyWish($0.text, mode: $0.mode) }
    _ = try call("org.gliss.Broker.ReleaseHotkeys", ["hotkeys": .array(wishes)])
  }

  /// Presses chords for the user, one after the other: all of them, or none; needs the tier post.
  ///
  /// - Throws: ``ClientError/notGranted(_:advice:)``, ``ClientError/notServed(state:advice:)``,
  ///   ``ClientError/cannotPress(_:message:)``, ``ClientError/noKeyboard(_:advice:)``.
  public func post(_ chords: [Chord]) throws(ClientError) {
    try post(chords.map(\.textToPress))
  }

  /// The same for chords as text: `alt+left`, `super+k ; w`, `tap:super`.
  public func post(_ chords: [String]) throws(ClientError) {
    _ = try call("org.gliss.Broker.Post", ["keys": .strings(chords)])
  }
}

extension JSON {
  static func hotkeyWish(_ text: String, mode: String?) -> JSON {
    .members(["hotkey": .string(text), "mode": mode.map(JSON.string)])
  }

  /// Adds a member to an object, where there is one to add.
  mutating func add(_ name: String, _ value: JSON?) {
    guard case .object(var members) = self, let value else { return }
    members.append(Member(name, value))
    self = .object(members)
  }
}
