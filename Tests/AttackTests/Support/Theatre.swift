import Foundation
import Testing

/// A broker on a stage of its own, in a folder of its own, and clients that are real processes.
final class Theatre {
  let folder: URL
  let stage: Player
  var socket: String { folder.appending(path: "socket").path }
  var store: String { folder.appending(path: "store/grants.db").path }

  /// Users that need no account.
  static let user: UInt32 = 61_001
  static let other: UInt32 = 61_002

  /// Only root can be somebody else.
  static var canChangeUsers: Bool { getuid() == 0 }

  /// The folder with the programs that were built.
  static func programs() throws -> URL {
    var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    for _ in 0..<4 {
      if FileManager.default.isExecutableFile(atPath: folder.appending(path: "gliss-stage").path) {
        return folder
      }
      folder.deleteLastPathComponent()
    }
    throw Player.Silence(description: "gliss-stage is not built")
  }

  init(
    user: UInt32 = Theatre.user, connections: Int = 32, rest: Int = 60_000,
    folder existing: URL? = nil,
    machine: String = "0123456789abcdef0123456789abcdef"
  ) throws {
    folder =
      existing
      ?? FileManager.default.temporaryDirectory.appending(path: "gliss-\(UUID().uuidString)")
    let files = FileManager.default
    try files.createDirectory(
      at: folder.appending(path: "store"), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    let heckler = folder.appending(path: "heckler")
    if !files.fileExists(atPath: heckler.path) {
      try copyProgram(try Self.programs().appending(path: "gliss-heckler").path, to: heckler.path)
    }
    let path = try Self.programs().appending(path: "gliss-stage").path
    let arguments =
      [
        path, folder.appending(path: "socket").path,
        folder.appending(path: "store").path, "\(user)", machine,
        "\(connections)", "\(rest)",
      ]
    stage = try Player(arguments)
    try stage.hear("ready")
  }

  deinit {
    stage.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Does something on the stage, and waits until it is done.
  @discardableResult
  func act(_ line: String) throws -> String {
    stage.say(line)
    return try stage.hear("an answer to \(line)") { !$0.hasPrefix("flood") }
  }

  /// A client; what `wrapper` names runs it.
  func client(
    as uid: UInt32? = Theatre.user, wrapper: [String] = [], _ lines: String...
  ) throws -> Player {
    try Player(
      wrapper + [folder.appending(path: "heckler").path, socket] + lines, uid: uid)
  }

  var heckler: String { "program:\(folder.appending(path: "heckler").path)" }

  /// Root grants the heckler `scope` and waits until it holds.
  @discardableResult
  func grant(_ scope: String, to uid: UInt32 = Theatre.user, _ more: String = "") throws -> String {
    let root = try client(
      as: nil,
      #"{"method":"org.gliss.Grants.Add","parameters":{"terms":{"uid":\#(uid),"client":"\#(heckler)","scope":\#(scope)\#(more)}}}"#
    )
    defer { root.stop() }
    return try root.hear("grant")
  }

  @discardableResult
  func revokeAll() throws -> String {
    let root = try client(
      as: nil, #"{"method":"org.gliss.Grants.Revoke","parameters":{"query":{},"all":true}}"#)
    defer { root.stop() }
    return try root.hear("revoked")
  }

  /// Waits until the broker says of the seat that it is so: the end of a connection is seen when it is seen.
  func wait(until state: String) throws {
    while true {
      let root = try client(as: nil, #"{"method":"org.gliss.Broker.Status"}"#)
      defer { root.stop() }
      if try root.hear("session").contains(#""session":{"state":"\#(state)""#) { return }
    }
  }

  /// What the audit says, as root sees it.
  func audit() throws -> String {
    let root = try client(
      as: nil, #"{"method":"org.gliss.Grants.Log","parameters":{"limit":200}}"#)
    defer { root.stop() }
    return try root.hear("entries")
  }
}

enum Scopes {
  static let gestures = #"{"tier":"gesture"}"#
  static let post = #"{"tier":"post"}"#
  static let keys =
    #"{"tier":"raw","events":["key"],"keys":["typing","modifiers","function","media"]}"#
  static let media = #"{"tier":"raw","events":["key"],"keys":["media"]}"#
  static let everything =
    #"{"tier":"raw","events":["gesture","touch","key","pointer","scroll","device"],"keys":["typing","modifiers","function","media"]}"#

  static func monitor(_ scope: String) -> String {
    #"{"method":"org.gliss.Broker.Monitor","parameters":{"scope":\#(scope)},"more":true}"#
  }

  static func hotkey(_ text: String) -> String {
    #"{"method":"org.gliss.Broker.RegisterHotkey","parameters":{"hotkey":"\#(text)"},"more":true}"#
  }

  /// Several over one connection.
  static func hotkeys(_ texts: [String], mode: String? = nil) -> String {
    let place = mode.map { #","mode":"\#($0)""# } ?? ""
    return wishes(texts.map { #"{"hotkey":"\#($0)"\#(place)}"# })
  }

  /// The same for wishes as the broker reads them.
  static func wishes(_ wishes: [String]) -> String {
    #"{"method":"org.gliss.Broker.RegisterHotkeys","parameters":{"hotkeys":[\#(wishes.joined(separator: ","))]},"more":true}"#
  }

  /// Enters a mode over a connection of its own, or leaves it.
  static func enter(_ mode: String?) -> String {
    let parameters = mode.map { #"{"mode":"\#($0)"}"# } ?? "{}"
    return #"!call {"method":"org.gliss.Broker.EnterMode","parameters":\#(parameters)}"#
  }

  static func secureInput(_ name: String) -> String {
    #"{"method":"org.gliss.Broker.AssertSecureInput","parameters":{"name":"\#(name)"},"more":true}"#
  }
}
