package import GlissClient
package import GlissEvents

/// The answer to the call Status.
package struct AgentStatus: Hashable, Sendable {
  /// The agent's own answer. Members that an older agent does not know are missing.
  package let json: JSON

  /// - Returns: `nil` if `json` is not a status.
  package init?(_ json: JSON) {
    guard json["version"]?.string != nil, json["pid"]?.integer != nil,
      json["since"]?.integer != nil, json["route"]?.string != nil
    else { return nil }
    self.json = json
  }

  package var version: String { json["version"]?.string ?? "" }
  package var pid: Int64 { json["pid"]?.integer ?? 0 }
  /// Seconds since 1970.
  package var since: Int64 { json["since"]?.integer ?? 0 }
  /// `broker` or `devices`.
  package var route: String { json["route"]?.string ?? "" }
  package var isConnected: Bool { json["connected"]?.bool ?? false }
  /// Keyboards that it has grabbed in order to keep hotkeys from the rest of the desktop.
  package var grabbed: [String] { json.texts("grabbed") }
  package var files: [String] { json.texts("files") }
  package var gestures: Int64 { json["gestures"]?.integer ?? 0 }
  package var hotkeys: Int64 { json["hotkeys"]?.integer ?? 0 }
  package var mode: String? { json["mode"]?.string }
  package var mistakes: [String] { json.texts("mistakes") }
  package var problems: [String] { json.texts("problems") }
  package var running: Int64 { json["commands"]?["running"]?.integer ?? 0 }
  package var started: Int64 { json["commands"]?["started"]?.integer ?? 0 }
  package var leftOut: Int64 { json["commands"]?["leftOut"]?.integer ?? 0 }
}

extension JSON {
  /// The strings of a list. Whatever else is in it is left out.
  fileprivate func texts(_ name: String) -> [String] {
    (self[name]?.array ?? []).compactMap(\.string)
  }
}

enum AgentInterface {
  static let name = "org.gliss.Agent"
  static var text: String {
    String(decoding: PackageResources.org_gliss_Agent_varlink, as: UTF8.self)
  }
}

package struct AgentConnection {
  /// The path of its socket; `nil` if there is no runtime folder.
  package static var standardPath: String? {
    RuntimeFolder.standardBase.map { RuntimeFolder(base: $0).socket }
  }

  private let connection: BrokerConnection

  /// - Throws: ``GlissClient/ClientError/noBroker(path:code:)`` if no agent runs.
  package init(path: String) throws(ClientError) { connection = try BrokerConnection(path: path) }

  package func status() throws(ClientError) -> AgentStatus {
    let answer = try connection.call("org.gliss.Agent.Status")
    guard let status = AgentStatus(answer) else { throw .malformed("its answer is not a status") }
    return status
  }

  package func reload() throws(ClientError) -> (isTaken: Bool, mistakes: [String]) {
    let answer = try connection.call("org.gliss.Agent.Reload")
    guard let isTaken = answer["taken"]?.bool else {
      throw .malformed("its answer does not say whether the rules were taken")
    }
    return (isTaken, answer.texts("mistakes"))
  }

  /// The last strokes and hotkeys, and lost input, in the JSON form of the interface
  /// (``WhyReport``).
  package func why() throws(ClientError) -> JSON { try connection.call("org.gliss.Agent.Why") }

  package func stop() throws(ClientError) { _ = try connection.call("org.gliss.Agent.Stop") }
}
