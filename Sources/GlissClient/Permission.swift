import GlissDevices
import GlissEvents
public import GlissGate
import Synchronization

/// A program's permission for a scope, as the broker reports it. `AVCaptureDevice` and others call
/// this an authorization.
///
/// ```swift
/// let scope = Scope(tier: .gesture, events: .gesture)
/// let permission = try await Permission.request(scope, reason: "to zoom")
/// guard permission.isGranted else { return print(permission.advice ?? "\(permission.status)") }
/// ```
///
/// Nothing here blocks a thread of the caller. Cancelling the task ends a call with
/// ``ClientError/closed``, and ``changes(of:path:)`` without an error.
public struct Permission: Hashable, Codable, Sendable {
  /// What was asked for.
  public let scope: Scope
  /// The broker's answer.
  package let verdict: Verdict
  /// The number under which a request waits for "gliss grants"; `nil` if none waits.
  public let pending: Int64?

  /// How it stands.
  public var status: Standing { verdict.standing }

  /// Whether all or part of it, such as one device, is granted; ``granted`` says which.
  public var isGranted: Bool { status == .granted }

  /// The granted part of ``scope``; empty unless it is granted.
  public var granted: [Scope] { verdict.entitlements.map(\.scope) }

  /// When the grant ends, in seconds since 1970; `nil` if it has no end.
  public var until: Int64? { verdict.until?.seconds }

  /// Why it is not, or only partly, granted, and what to do about it.
  public var advice: String? { verdict.advice }

  /// Whether ``request(_:reason:path:)`` would ask somebody.
  public var mayRequest: Bool { verdict.mayRequest }

  /// This program's current permission. Asks nobody.
  public static func preflight(
    _ scope: Scope, path: String? = nil
  ) async throws(ClientError) -> Permission {
    try await preflight(scope, over: connecting(path))
  }

  /// This program's current permission in one word. Asks nobody.
  public static func status(
    of scope: Scope, path: String? = nil
  ) async throws(ClientError) -> Standing {
    try await preflight(scope, path: path).status
  }

  /// Asks for a grant, and waits until somebody has answered or nobody can be asked, however long
  /// that takes. That person is shown the reason. The result is the permission then.
  public static func request(
    _ scope: Scope, reason: String? = nil, path: String? = nil
  ) async throws(ClientError) -> Permission {
    try await request(scope, reason: reason, over: connecting(path))
  }

  /// This program's permission now, and again whenever it has changed.
  ///
  /// A separate thread waits for the broker. Cancelling the task ends the sequence without an error.
  /// If the broker goes away, the sequence throws; start a new one then.
  public static func changes(
    of scope: Scope, path: String? = nil
  ) -> some AsyncSequence<Permission, ClientError> & Sendable {
    changes(of: scope, over: connecting(path))
  }

  static func changes(
    of scope: Scope, over connect: @escaping Connecting
  ) -> BrokerElements<Permission> {
    BrokerElements(capacity: 16) { intake, line in
      intake.follow { () throws(ClientError) in
        let connection = try connect()
        defer { connection.close() }
        try line.set(connection)
        try connection.followPreflight(scope)
        while !intake.isAbandoned {
          // closing the line ends the wait
          if let permission = try connection.nextPermission(for: scope) { intake.offer(permission) }
        }
      }
    }
  }

  // MARK: Calls

  typealias Connecting = @Sendable () throws(ClientError) -> BrokerConnection

  private static func connecting(_ path: String?) -> Connecting {
    { () throws(ClientError) in try BrokerConnection(path: path) }
  }

  static func preflight(
    _ scope: Scope, over connect: @escaping Connecting
  ) async throws(ClientError) -> Permission {
    try await call(connect) { (connection) throws(ClientError) in
      try connection.preflight(scope)
    }
  }

  static func request(
    _ scope: Scope, reason: String?, over connect: @escaping Connecting
  ) async throws(ClientError) -> Permission {
    try await call(connect) { (connection) throws(ClientError) in
      try connection.request(scope, reason: reason)
    }
  }

  /// Calls the broker on a thread of its own.
  private static func call(
    _ connect: @escaping Connecting,
    _ body: @escaping @Sendable (BrokerConnection) throws(ClientError) -> Permission
  ) async throws(ClientError) -> Permission {
    typealias Answer = Result<Permission, ClientError>
    let line = ConnectionBox()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (taker: CheckedContinuation<Answer, Never>) in
        let code = BackgroundThread.start {
          taker.resume(
            returning: Answer { () throws(ClientError) in
              let connection = try connect()
              defer { connection.close() }
              try line.set(connection)
              return try body(connection)
            })
        }
        if code != 0 { taker.resume(returning: .failure(.system(code))) }
      }
    } onCancel: {
      line.close()
    }
    return try result.get()
  }
}

/// Another thread's connection, closed to end that thread's wait.
final class ConnectionBox: Sendable {
  private let state = Mutex<(connection: BrokerConnection?, isClosed: Bool)>((nil, false))

  /// If it was closed before, closes the connection and throws ``ClientError/closed``.
  func set(_ connection: BrokerConnection) throws(ClientError) {
    let isClosed = state.withLock { state in
      state.connection = connection
      return state.isClosed
    }
    if isClosed {
      connection.close()
      throw .closed
    }
  }

  func close() {
    let connection = state.withLock { state in
      state.isClosed = true
      return state.connection
    }
    connection?.close()
  }
}

/// What another thread receives from the broker, for the task that takes it.
struct BrokerElements<Element: Sendable>: AsyncSequence, Sendable {
  /// The most elements that may wait to be taken; until one is, no more are received.
  let capacity: Int
  /// Starts the thread, which sets its connection.
  let begin: @Sendable (ElementReader<Element, ClientError>.Intake, ConnectionBox) -> Void

  func makeAsyncIterator() -> ElementReader<Element, ClientError> {
    let line = ConnectionBox()
    return ElementReader(
      capacity: capacity, begin: { [begin] in begin($0, line) }, stop: { line.close() })
  }
}

extension ElementReader.Intake where Failure == ClientError {
  /// Runs `body` on a thread of its own. The elements end with it; `closed` is not an error.
  func follow(_ body: @escaping @Sendable () throws(ClientError) -> Void) {
    let code = BackgroundThread.start {
      do throws(ClientError) {
        try body()
        self.end(nil)
      } catch {
        self.end(error == .closed ? nil : error)
      }
    }
    if code != 0 { end(.system(code)) }
  }
}

extension Permission: CustomStringConvertible {
  /// What was asked for, how it stands, and the waiting request: `gesture: granted: gesture, whenUnlocked`.
  public var description: String {
    "\(scope): \(verdict)" + (pending.map { "; request \($0) waits" } ?? "")
  }
}

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
    seconds = try connection.read(answer) { (reply) throws(GateError) in
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
    let isLocked = try connection.read(answer) { (reply) throws(GateError) in
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
