import Glibc
import GlissDevices
public import GlissEvents
import Synchronization

/// A connection to the broker: calls go out, answers come back, one after the other.
///
/// It blocks its caller until there is an answer; ``close()`` ends that, from any thread and from a signal handler. What
/// follows something (``GlobalEventMonitor``, ``RemoteHotkeys``) needs a connection of its own.
public final class BrokerConnection: Sendable {
  /// `GLISS_SOCKET`, or where the broker listens on every system.
  public static var standardPath: String {
    guard let path = getenv("GLISS_SOCKET"), path.pointee != 0 else {
      return "/run/gliss/org.gliss.Broker"
    }
    return String(cString: path)
  }

  /// How long a call waits that asks nobody.
  public static let standardTimeout = EventInterval.milliseconds(10_000)

  /// What one message from the broker may hold: its frames of touches are far below.
  private static let limits = JSON.Limits(bytes: 1 << 20, depth: 16, values: 65_536)
  /// The most the broker takes.
  private static let longestCall = Limits().messageBytes

  private let socket: ClientSocket
  /// What has come and was not asked for yet.
  private let framer = Mutex(MessageFramer(limit: BrokerConnection.limits.bytes))

  /// Connects to the broker at `path`, by default ``standardPath``.
  ///
  /// - Throws: ``ClientError/noBroker(path:code:)``.
  public convenience init(
    path: String? = nil, timeout: EventInterval = standardTimeout
  ) throws(ClientError) {
    self.init(try ClientSocket(path: path ?? Self.standardPath, timeout: timeout))
  }

  init(_ socket: ClientSocket) { self.socket = socket }

  /// Takes over a socket that is connected to a broker.
  public convenience init(descriptor: Int32) { self.init(ClientSocket(descriptor: descriptor)) }

  /// Becomes readable when an answer comes: for a loop that waits for several things.
  public var descriptor: Int32 { socket.descriptor }

  /// Ends the connection, and whoever waits for an answer with ``ClientError/closed``.
  public func close() { socket.shut() }

  // MARK: Calls

  /// Calls `method` (its full name) and waits for its one answer.
  ///
  /// - Parameter timeout: `nil` to wait as long as it takes, where somebody is asked first.
  /// - Throws: ``ClientError``: what the broker answers instead, or that it does not.
  public func call(
    _ method: String, _ parameters: JSON = [:], timeout: EventInterval? = standardTimeout
  ) throws(ClientError) -> JSON {
    let deadline = timeout.map { EventLoop.now + $0 }
    try send(method, parameters, wantsMore: false, until: deadline)
    guard let (answer, continues) = try answer(until: deadline) else {
      // its answer may still come, and would be taken for the next one's
      close()
      throw .timedOut
    }
    guard !continues else { throw broken("an answer that says that more follow") }
    return answer
  }

  /// Calls `method` and asks for all its answers: ``next(timeout:)`` has them.
  public func follow(_ method: String, _ parameters: JSON = [:]) throws(ClientError) {
    try send(
      method, parameters, wantsMore: true, until: EventLoop.now + Self.standardTimeout)
  }

  /// The next answer to what is followed; `nil` where none came in time. Without a timeout it waits for ever, with one
  /// of zero not at all.
  ///
  /// - Throws: ``ClientError``: with what the broker ends it, or that it does.
  public func next(timeout: EventInterval? = nil) throws(ClientError) -> JSON? {
    try answer(until: timeout.map { EventLoop.now + $0 })?.0
  }

  /// The first answer to what is followed.
  func first(timeout: EventInterval = standardTimeout) throws(ClientError) -> JSON {
    guard let answer = try next(timeout: timeout) else {
      close()
      throw .timedOut
    }
    return answer
  }

  private func send(
    _ method: String, _ parameters: JSON, wantsMore: Bool, until deadline: EventTime?
  ) throws(ClientError) {
    var text = TextBuffer()
    text.append("{\"method\":")
    text.append(json: method)
    text.append(",\"parameters\":")
    parameters.write(into: &text)
    text.append(wantsMore ? ",\"more\":true}" : "}" as StaticString)
    guard text.bytes.count <= Self.longestCall else { throw .tooLong }
    text.append(byte: 0)
    do {
      try socket.send(text.bytes, until: deadline)
    } catch {
      // half a call is none, and spoils the next one
      defer { close() }
      // who hangs up at once may have said why
      if case .disconnected = error { _ = try answer(until: EventLoop.now) }
      throw error
    }
  }

  /// The next answer, and whether others follow it.
  private func answer(until deadline: EventTime?) throws(ClientError) -> (JSON, Bool)? {
    guard let message = try message(until: deadline) else { return nil }
    let json = try parse(message)
    guard json.object != nil else { throw broken("an answer is an object") }
    let parameters = json["parameters"] ?? [:]
    if let name = json["error"] {
      throw ClientError(named: name.string ?? "an error without a name", parameters)
    }
    guard parameters.object != nil else { throw broken("its parameters are no object") }
    return (parameters, json["continues"]?.bool ?? false)
  }

  private func parse(_ message: [UInt8]) throws(ClientError) -> JSON {
    do throws(JSONError) {
      return try JSON(parsing: message, limits: Self.limits)
    } catch {
      throw broken("\(error)")
    }
  }

  /// A message that has come already.
  private func whole() throws(ClientError) -> [UInt8]? {
    do throws(VarlinkError) {
      return try framer.withLock { (framer) throws(VarlinkError) in try framer.next() }
    } catch {
      throw broken("\(error)")
    }
  }

  private func message(until deadline: EventTime?) throws(ClientError) -> [UInt8]? {
    while true {
      if let message = try whole() { return message }
      guard let bytes = try socket.receive(until: deadline) else { return nil }
      framer.withLock { $0.append(bytes) }
    }
  }

  /// What comes after something that is not understood is not understood either.
  func broken(_ why: String) -> ClientError {
    close()
    return .malformed(why)
  }
}
