package import GlissClient
import GlissConfiguration
package import GlissEvents

package struct AgentStatus: Hashable, Sendable {
  package var version: String
  package var pid: Int32
  /// Seconds since 1970, like ``loaded``.
  package var since: Int64
  package var loaded: Int64
  /// `broker` or `devices`.
  package var route: String
  package var isConnected: Bool
  /// Keyboards that it has grabbed in order to keep hotkeys from the rest of the desktop.
  package var grabbed: [String]
  package var files: [String]
  package var gestures: Int
  package var hotkeys: Int
  package var mode: String?
  package var mistakes: [String]
  package var problems: [String]
  package var running: Int64
  package var started: Int64
  package var leftOut: Int64

  package var json: JSON {
    .members([
      "version": .string(version), "pid": .integer(Int64(pid)), "since": .integer(since),
      "loaded": .integer(loaded), "route": .string(route), "connected": .bool(isConnected),
      "grabbed": .strings(grabbed),
      "files": .strings(files), "gestures": .integer(Int64(gestures)),
      "hotkeys": .integer(Int64(hotkeys)), "mode": mode.map(JSON.string),
      "mistakes": .strings(mistakes),
      "problems": .strings(problems),
      "commands": [
        "running": .integer(running), "started": .integer(started), "leftOut": .integer(leftOut),
      ],
    ])
  }
}

extension AgentStatus {
  package init?(_ json: JSON) {
    guard let version = json["version"]?.string, let pid = json["pid"]?.integer,
      let since = json["since"]?.integer, let route = json["route"]?.string
    else { return nil }
    func strings(_ name: String) -> [String] {
      (json[name]?.array ?? []).compactMap(\.string)
    }
    let commands = json["commands"] ?? [:]
    func number(_ name: String, in json: JSON) -> Int64 { json[name]?.integer ?? 0 }
    self.init(
      version: version, pid: Int32(clamping: pid), since: since, loaded: number("loaded", in: json),
      route: route, isConnected: json["connected"]?.bool ?? false,
      grabbed: strings("grabbed"), files: strings("files"),
      gestures: Int(clamping: number("gestures", in: json)),
      hotkeys: Int(clamping: number("hotkeys", in: json)), mode: json["mode"]?.string,
      mistakes: strings("mistakes"), problems: strings("problems"),
      running: number("running", in: commands), started: number("started", in: commands),
      leftOut: number("leftOut", in: commands))
  }
}

enum AgentInterface {
  static let name = "org.gliss.Agent"
  static var text: String {
    String(decoding: PackageResources.org_gliss_Agent_varlink, as: UTF8.self)
  }

  static func reloaded(_ isTaken: Bool, _ rules: LoadedRules) -> JSON {
    let mistakes = isTaken ? rules.warnings : rules.mistakes
    return [
      "taken": .bool(isTaken), "rules": .integer(Int64(rules.configuration.rules.count)),
      "mistakes": .strings(mistakes),
    ]
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

  package struct Reloading: Hashable, Sendable {
    package var isTaken: Bool
    package var rules: Int
    package var mistakes: [String]
  }

  package func reload() throws(ClientError) -> Reloading {
    let answer = try connection.call("org.gliss.Agent.Reload")
    guard let isTaken = answer["taken"]?.bool, let rules = answer["rules"]?.integer else {
      throw .malformed("its answer does not say whether the rules were taken")
    }
    return Reloading(
      isTaken: isTaken, rules: Int(clamping: rules),
      mistakes: (answer["mistakes"]?.array ?? []).compactMap(\.string))
  }

  /// The last strokes and hotkeys, and lost input, in the JSON form of the interface
  /// (``WhyReport``).
  package func why() throws(ClientError) -> JSON { try connection.call("org.gliss.Agent.Why") }

  package func stop() throws(ClientError) { _ = try connection.call("org.gliss.Agent.Stop") }
}
