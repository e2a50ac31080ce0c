public import GlissEvents
public import GlissGate
import Synchronization

/// Sees copies of events that go elsewhere: all of a seat's input of which this program was granted something.
///
/// It changes nothing, and it is shown nothing that was not granted. ``grantedEntitlements`` says what that is; it may be
/// less than was asked for.
///
/// Take its events with ``run(_:)``, which blocks, or ``events``, which does not; not with both. What this end is too
/// slow for the broker leaves out, and says so (`lost`).
public final class GlobalEventMonitor: Sendable {
  /// What was asked for.
  public let scope: Scope
  /// How this program stands: until when it holds, and why it is less than was asked for where it is.
  public let verdict: Verdict

  private let connection: BrokerConnection
  private let isTaken = Atomic<Bool>(false)

  /// What is granted of ``scope``.
  public var grantedEntitlements: [Entitlement] { verdict.entitlements }

  /// Begins to follow what is granted of `scope`.
  ///
  /// - Parameter path: the broker's socket, by default ``BrokerConnection/standardPath``.
  /// - Throws: ``ClientError/notGranted(_:advice:)`` where that is nothing; ``BrokerConnection/request(_:reason:timeout:)``
  ///   asks for it.
  public convenience init(_ scope: Scope, path: String? = nil) throws(ClientError) {
    try self.init(scope, over: try BrokerConnection(path: path))
  }

  /// The same over a connection that nothing else uses.
  public init(_ scope: Scope, over connection: BrokerConnection) throws(ClientError) {
    self.scope = scope
    self.connection = connection
    try connection.follow("org.gliss.Broker.Monitor", ["scope": scope.json])
    let answer = try connection.first()
    verdict = try connection.read(answer) { (reply) throws(ParameterError) in
      try reply.verdict("verdict")
    }
  }

  deinit { connection.close() }

  /// Calls `handler` for each event, on this thread, until ``stop()``.
  ///
  /// - Throws: why it ended otherwise: ``ClientError/notGranted(_:advice:)`` where the grant was taken away.
  public func run(_ handler: (GlobalEvent) -> Void) throws(ClientError) {
    guard begin() else { throw .closed }
    try follow(handler)
  }

  /// Becomes readable when something has come, or it has ended: for a loop that waits for several things.
  public var descriptor: Int32 { connection.descriptor }

  /// Calls `handler` for each event that has come, and waits for none; instead of ``run(_:)``, not beside it.
  ///
  /// - Parameter decoder: the same each time: it knows the devices.
  /// - Throws: why it has ended.
  public func take(
    with decoder: inout EventDecoder, _ handler: (GlobalEvent) -> Void
  ) throws(ClientError) {
    while let answer = try connection.next(timeout: .zero) {
      for event in try decode(answer, &decoder) { handler(event) }
    }
  }

  /// Ends it; from any thread, and from a signal handler.
  public func stop() { connection.close() }

  /// Whether nobody has taken its events before.
  func begin() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }

  /// Follows it to its end; being stopped is none to complain of.
  func follow(_ handler: (GlobalEvent) -> Void) throws(ClientError) {
    var decoder = EventDecoder()
    do {
      while let answer = try connection.next() {
        for event in try decode(answer, &decoder) { handler(event) }
      }
    } catch .closed {
      return
    }
  }

  private func decode(
    _ answer: JSON, _ decoder: inout EventDecoder
  ) throws(ClientError) -> [GlobalEvent] {
    do {
      return try decoder.decode(answer["events"]?.array ?? [])
    } catch {
      throw connection.broken("\(error)")
    }
  }
}
