/// How an agent runs.
public struct AgentOptions {
  /// Where input comes from.
  public enum Route: Sendable {
    /// The broker if its socket answers, devices otherwise.
    case automatic
    case broker
    case devices
  }

  public var source: RuleSource
  public var route = Route.automatic
  /// The path of the broker's socket.
  public var socket: String
  public var log: AgentLog

  public init(_ source: RuleSource, socket: String, log: AgentLog) {
    self.source = source
    self.socket = socket
    self.log = log
  }
}
