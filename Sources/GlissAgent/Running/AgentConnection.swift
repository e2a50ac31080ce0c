public import GlissBroker
public import GlissEvents

/// A connection to this user's running agent.
public struct AgentConnection {
  /// The path of its socket; `nil` if there is no runtime folder.
  public static var standardPath: String? {
    RuntimeFolder.standardBase.map { RuntimeFolder(base: $0).socket }
  }

  private let connection: BrokerConnection

  /// - Throws: ``GlissBroker/ClientError/noBroker(path:code:)`` if no agent runs.
  public init(path: String) throws(ClientError) { connection = try BrokerConnection(path: path) }

  public func status() throws(ClientError) -> AgentStatus {
    let answer = try connection.call("org.gliss.Agent.Status")
    guard let status = AgentStatus(answer) else { throw .malformed("it says nothing of itself") }
    return status
  }

  /// The result of reloading the rules.
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

  /// The last strokes and hotkeys, and lost input, in the JSON form of the interface
  /// (``WhyReport``).
  public func why() throws(ClientError) -> JSON { try connection.call("org.gliss.Agent.Why") }

  public func stop() throws(ClientError) { _ = try connection.call("org.gliss.Agent.Stop") }
}
