import GlissEvents
import GlissGate

/// While this value lives, nobody is shown keys, because a secret is being typed. Several programs
/// may hold it at a time. The broker ends a hold after a while, and when this program exits.
public struct SecureInputHold: ~Copyable {
  /// How many seconds it may last.
  public let seconds: Double
  private let connection: BrokerConnection

  /// Starts the hold. `gliss status` shows `name`.
  ///
  /// - Throws: ``ClientError/secureInputTaken(seconds:)`` if it was held too long just now,
  ///   ``ClientError/notServed(state:advice:)``, ``ClientError/limitReached(_:maximum:advice:)``.
  public init(as name: String, path: String? = nil) throws(ClientError) {
    try self.init(as: name, over: try BrokerConnection(path: path))
  }

  init(as name: String, over connection: BrokerConnection) throws(ClientError) {
    try connection.follow("org.gliss.Broker.AssertSecureInput", ["name": .string(name)])
    let answer = try connection.first()
    seconds = try connection.read(answer) { (reply) throws(ParameterError) in
      try reply.number("seconds")
    }
    self.connection = connection
  }

  /// Waits until the broker ends the hold; `false` if it still lasts after `timeout`.
  public func waitUntilOver(timeout: Duration? = nil) throws(ClientError) -> Bool {
    guard let answer = try connection.next(timeout: timeout.map { EventInterval($0) }) else {
      return false
    }
    return answer["over"]?.bool ?? true
  }

  /// Ends it.
  public consuming func release() {}

  deinit { connection.close() }
}

/// While this value lives, the screen counts as locked. For lockers unknown to the system.
public struct ScreenLockHold: ~Copyable {
  private let connection: BrokerConnection

  /// - Parameter timeout: how long to wait for the broker, because locking should not depend on it.
  public init(
    path: String? = nil, timeout: Duration = BrokerConnection.standardTimeout
  ) throws(ClientError) {
    try self.init(over: try BrokerConnection(path: path, timeout: timeout), timeout: timeout)
  }

  init(
    over connection: BrokerConnection, timeout: Duration = BrokerConnection.standardTimeout
  ) throws(ClientError) {
    try connection.follow("org.gliss.Grants.Lock")
    let answer = try connection.first(timeout: EventInterval(timeout))
    let isLocked = try connection.read(answer) { (reply) throws(ParameterError) in
      try reply.required("locked", try reply.bool("locked"))
    }
    guard isLocked else { throw connection.broken("the screen is not locked") }
    self.connection = connection
  }

  /// Becomes readable when the broker ends it.
  public var descriptor: Int32 { connection.descriptor }

  /// Ends it.
  public consuming func release() {}

  deinit { connection.close() }
}
