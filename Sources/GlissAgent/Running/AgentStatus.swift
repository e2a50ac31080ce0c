public import GlissEvents

/// The status that an agent reports.
public struct AgentStatus: Hashable, Sendable {
  public var version: String
  public var pid: Int32
  /// Seconds since 1970, like ``loaded``.
  public var since: Int64
  public var loaded: Int64
  /// `broker` or `devices`.
  public var route: String
  public var isConnected: Bool
  /// Keyboards that it has grabbed in order to keep hotkeys from the rest of the desktop.
  public var grabbed: [String]
  public var files: [String]
  public var gestures: Int
  public var hotkeys: Int
  public var mode: String?
  /// Why the rules that were read last were not taken.
  public var mistakes: [String]
  public var problems: [String]
  public var running: Int64
  public var started: Int64
  public var leftOut: Int64

  /// The JSON form of the interface.
  public var json: JSON {
    let members: KeyValuePairs<String, JSON?> = [
      "version": .string(version), "pid": .integer(Int64(pid)), "since": .integer(since),
      "loaded": .integer(loaded), "route": .string(route), "connected": .bool(isConnected),
      "grabbed": .array(grabbed.map(JSON.string)),
      "files": .array(files.map(JSON.string)), "gestures": .integer(Int64(gestures)),
      "hotkeys": .integer(Int64(hotkeys)), "mode": mode.map(JSON.string),
      "mistakes": .array(mistakes.map(JSON.string)),
      "problems": .array(problems.map(JSON.string)),
      "commands": .object([
        JSON.Member("running", .integer(running)), JSON.Member("started", .integer(started)),
        JSON.Member("leftOut", .integer(leftOut)),
      ]),
    ]
    return .object(members.compactMap { name, value in value.map { JSON.Member(name, $0) } })
  }
}

extension AgentStatus {
  /// `nil` if `json` is not a valid status.
  public init?(_ json: JSON) {
    guard let version = json["version"]?.string, let pid = json["pid"]?.integer,
      let since = json["since"]?.integer, let route = json["route"]?.string
    else { return nil }
    func strings(_ name: String) -> [String] {
      (json[name]?.array ?? []).compactMap(\.string)
    }
    func number(_ name: String, in json: JSON? = nil) -> Int64 { json?[name]?.integer ?? 0 }
    let commands = json["commands"]
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
