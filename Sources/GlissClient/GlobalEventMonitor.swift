import GlissDevices
public import GlissEvents
public import GlissGate
import Synchronization

/// Reports copies of the seat's input events that this program was granted (``permission``). The
/// events still go to their usual receivers.
///
/// Take its events with ``run(_:)``, which blocks, or with ``events``, which does not; never with
/// both. If this end is too slow, the broker leaves events out and reports that (`lost`).
public final class GlobalEventMonitor: Sendable {
  /// What is granted, which may be less than was asked for, until when, and why not more.
  public let permission: Permission

  private let connection: BrokerConnection
  private let isTaken = Atomic<Bool>(false)
  /// Knows the devices that earlier events named, and what is open.
  private let decoder = Mutex(EventDecoder())

  /// Starts to follow the granted part of `scope`. If nothing is granted, it throws
  /// ``ClientError/notGranted(_:advice:)``;
  /// ``BrokerConnection/request(_:reason:timeout:)`` asks for it.
  public convenience init(_ scope: Scope, path: String? = nil) throws(ClientError) {
    try self.init(scope, over: try BrokerConnection(path: path))
  }

  /// Starts to follow it over a connection that nothing else uses.
  public init(_ scope: Scope, over connection: BrokerConnection) throws(ClientError) {
    self.connection = connection
    try connection.follow("org.gliss.Broker.Monitor", ["scope": scope.json])
    permission = try connection.permission(try connection.first(), for: scope)
  }

  deinit { connection.close() }

  /// Calls `handler` for each event, on this thread, until ``stop()``. Throws any other reason for
  /// the end: ``ClientError/notGranted(_:advice:)`` if the grant was revoked. A second call throws.
  public func run(_ handler: (GlobalEvent) -> Void) throws(ClientError) {
    guard begin() else { throw takenAlready }
    try follow(handler)
  }

  /// Becomes readable when data has come or the connection has ended.
  public var descriptor: Int32 { connection.descriptor }

  /// Calls `handler` for each event that has come, without waiting. Use it instead of ``run(_:)``.
  public func take(_ handler: (GlobalEvent) -> Void) throws(ClientError) {
    while let answer = try connection.next(timeout: .zero) { try report(answer, to: handler) }
  }

  /// As ``take(_:)``, but a loss ends nothing: for a caller that handles losses itself. After one,
  /// a touch that is still down is in frames again from its next change on.
  package func takeAsSent(_ handler: (GlobalEvent) -> Void) throws(ClientError) {
    while let answer = try connection.next(timeout: .zero) {
      try report(answer, endsLost: false, to: handler)
    }
  }

  /// The ``Device/unit`` of a device that an event named.
  package func unit(of device: DeviceID) -> Int { decoder.withLock { $0.unit(of: device) } }

  /// Ends it, from any thread and from a signal handler. A handler that calls it gets no more
  /// events.
  public func stop() { connection.close() }

  /// Marks its events as being taken. Returns `false` if they already were.
  func begin() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }

  /// Why its events cannot be taken again.
  private var takenAlready: ClientError {
    if connection.isClosed { return .closed }
    return .refused(
      "the events of this monitor are taken already", advice: "make a second GlobalEventMonitor")
  }

  /// Follows the events to the end. Being stopped is not an error.
  func follow(_ handler: (GlobalEvent) -> Void) throws(ClientError) {
    do {
      while let answer = try connection.next() { try report(answer, to: handler) }
    } catch .closed {
      return
    }
  }

  /// Throws ``ClientError/closed`` once the handler has stopped it.
  private func report(
    _ answer: JSON, endsLost: Bool = true, to handler: (GlobalEvent) -> Void
  ) throws(ClientError) {
    let texts = answer["events"]?.array ?? []
    let events: [GlobalEvent]
    do {
      events = try decoder.withLock { decoder in try decoder.decode(texts, endsLost: endsLost) }
    } catch {
      throw connection.broken("\(error)")
    }
    for event in events {
      if connection.isClosed { throw .closed }
      handler(event)
    }
  }
}

extension GlobalEventMonitor {
  /// The most ``events`` that wait to be taken.
  static let capacity = 1024

  /// Its events, which can be taken once. A separate thread reads them. At most 1,024 wait; the
  /// broker leaves out the rest, and counts them. Cancelling the task that takes them ends the
  /// monitor.
  public var events: some AsyncSequence<GlobalEvent, ClientError> & Sendable {
    // only the iterator that takes the events ends the monitor: a second one just gets an error
    BrokerElements<GlobalEvent>(capacity: Self.capacity) { self.read(into: $0, $1) }
  }

  /// Follows the events on another thread, to the end.
  private func read(
    into intake: ElementReader<GlobalEvent, ClientError>.Intake, _ line: ConnectionBox
  ) {
    guard begin() else { return intake.end(takenAlready) }
    // before the thread starts, so that whoever abandons the events closes the connection
    do throws(ClientError) { try line.set(connection) } catch { return intake.end(nil) }
    intake.follow { [self] () throws(ClientError) in try follow { intake.offer($0) } }
  }
}
