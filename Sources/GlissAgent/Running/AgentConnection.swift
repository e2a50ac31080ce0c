public import GlissBroker
public import GlissEvents

/// The way to the agent that runs for this user.
public struct AgentConnection {
  /// Where it listens; `nil` where there is no place for it.
  public static var standardPath: String? {
    RuntimeFolder.standardBase.map { RuntimeFolder(base: $0).socket }
  }

  private let connection: BrokerConnection

  /// - Throws: ``GlissBroker/ClientError/noBroker(path:code:)`` where none runs.
  public init(path: String) throws(ClientError) { connection = try BrokerConnection(path: path) }

  public func status() throws(ClientError) -> AgentStatus {
    let answer = try connection.call("org.gliss.Agent.Status")
    guard let status = AgentStatus(answer) else { throw .malformed("it says nothing of itself") }
    return status
  }

  /// What came of reading the rules anew.
  public struct Reloading: Hashable, Sendable {
    public var isTaken: Bool
    public var rules: Int
    public var mistakes: [String]
  }

  public func reload() throws(ClientError) -> Reloading {
    let answer = try connection.call("org.gliss.Agent.Reload")
    guard let isTaken = answer["taken"]?.bool, let rules = answer["rules"]?.integer else {
      throw .malformed("it does not say whether it has")
    }
    return Reloading(
      isTaken: isTaken, rules: Int(clamping: rules),
      mistakes: (answer["mistakes"]?.array ?? []).compactMap(\.string))
  }

  /// The last strokes and hotkeys, and what was lost, as the interface has them (``WhyReport``).
  public func why() throws(ClientError) -> JSON { try connection.call("org.gliss.Agent.Why") }

  public func stop() throws(ClientError) { _ = try connection.call("org.gliss.Agent.Stop") }
}
