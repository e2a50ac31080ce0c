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
/// ``ClientError/closed``, and ``changes(of:every:path:)`` without an error.
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
  ///
  /// - Parameter path: the broker's socket, by default ``BrokerConnection/standardPath``.
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
  /// that takes.
  ///
  /// - Parameter reason: the reason shown to that person.
  /// - Returns: the resulting permission, also after a refusal.
  public static func request(
    _ scope: Scope, reason: String? = nil, path: String? = nil
  ) async throws(ClientError) -> Permission {
    try await request(scope, reason: reason, over: connecting(path))
  }

  /// This program's permission now, and again whenever it has changed, for `for try await`.
  ///
  /// A separate thread asks the broker from time to time. Cancelling the task ends the sequence
  /// without an error. If the broker goes away, the sequence throws; start a new one then.
  ///
  /// - Parameter interval: how often the broker is asked.
  public static func changes(
    of scope: Scope, every interval: Duration = .seconds(1), path: String? = nil
  ) -> some AsyncSequence<Permission, ClientError> & Sendable {
    PermissionChanges(scope: scope, interval: EventInterval(interval), connect: connecting(path))
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

  private typealias Answer = Result<Permission, ClientError>
}

/// Another thread's connection, closed to end that thread's wait.
final class ConnectionBox: Sendable {
  private enum State {
    case empty, closed
    case open(BrokerConnection)
  }

  private let state = Mutex(State.empty)

  /// - Throws: ``ClientError/closed`` if it was closed before.
  func set(_ connection: BrokerConnection) throws(ClientError) {
    let isClosed = state.withLock { state in
      switch state {
      case .empty, .open:
        state = .open(connection)
        return false
      case .closed: return true
      }
    }
    if isClosed { throw .closed }
  }

  func close() {
    let connection: BrokerConnection? = state.withLock { state in
      defer { state = .closed }
      switch state {
      case .empty, .closed: return nil
      case .open(let connection): return connection
      }
    }
    connection?.close()
  }
}

/// A program's permission from the broker, repeated whenever it has changed.
struct PermissionChanges: AsyncSequence, Sendable {
  /// The most changes that may wait to be taken; until one is, the broker is not asked again.
  static let capacity = 16

  let scope: Scope
  let interval: EventInterval
  let connect: Permission.Connecting

  func makeAsyncIterator() -> Iterator {
    let stopper = Stopper()
    return Iterator(
      ElementReader(
        capacity: Self.capacity, whenFull: .wait,
        begin: { intake in
          let code = BackgroundThread.start { follow(into: intake, stopper) }
          if code != 0 { intake.end(.system(code)) }
        }, stop: { stopper.stop() }))
  }

  /// Takes the changes.
  struct Iterator: AsyncIteratorProtocol {
    private let reader: ElementReader<Permission, ClientError>

    fileprivate init(_ reader: ElementReader<Permission, ClientError>) { self.reader = reader }

    /// Waits until the permission has changed, and returns it; `nil` if the task was cancelled.
    ///
    /// - Throws: why the broker cannot be asked any more.
    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(ClientError) -> Permission? {
      try await reader.next(isolation: actor)
    }
  }

  /// What the thread waits for.
  private final class Stopper: Sendable {
    private let line = ConnectionBox()
    private let handle = Mutex<InputLoop.Handle?>(nil)

    func set(_ connection: BrokerConnection, _ new: InputLoop.Handle) throws(ClientError) {
      handle.withLock { $0 = new }
      try line.set(connection)
    }

    func stop() {
      line.close()
      handle.withLock { $0 }?.stop()
    }
  }

  private func follow(
    into intake: ElementReader<Permission, ClientError>.Intake, _ stopper: Stopper
  ) {
    do throws(ClientError) {
      let connection = try connect()
      defer { connection.close() }
      let loop = try Self.loop()
      try stopper.set(connection, loop.handle)
      var last: Permission?
      while !loop.isStopping, !intake.isAbandoned {
        let permission = try connection.preflight(scope)
        if permission != last { intake.offer(permission) }
        last = permission
        try Self.wait(interval, on: loop)
      }
      intake.end(nil)
    } catch .closed {
      intake.end(nil)
    } catch {
      intake.end(error)
    }
  }

  private static func loop() throws(ClientError) -> InputLoop {
    do {
      return try InputLoop()
    } catch {
      throw .system(error.code)
    }
  }

  private static func wait(_ interval: EventInterval, on loop: InputLoop) throws(ClientError) {
    do {
      _ = try loop.wait(until: InputLoop.now + interval)
    } catch {
      throw .system(error.code)
    }
  }
}

extension Permission: CustomStringConvertible {
  /// What was asked for, how it stands, and the waiting request: `gesture: granted: gesture, whenUnlocked`.
  public var description: String {
    "\(scope): \(verdict)" + (pending.map { "; request \($0) waits" } ?? "")
  }
}
