import Foundation
import Testing

/// A user's home with rules in it, and `gliss run` as a real process, on the stage's broker.
final class Lodging {
  let theatre: Theatre
  let home: URL
  private let gliss: String

  var rules: URL { home.appending(path: ".config/gliss/gliss.yaml") }

  /// - Parameter grants: scopes that root grants to the agent.
  init(_ rules: String, grants: String...) throws {
    theatre = try Theatre(user: getuid())
    home = theatre.folder.appending(path: "home")
    let files = FileManager.default
    try files.createDirectory(
      at: home.appending(path: ".config/gliss"), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try files.createDirectory(
      at: home.appending(path: "run"), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    // a name of its own, to which things are granted
    let program = theatre.folder.appending(path: "gliss")
    try copyProgram(try Theatre.programs().appending(path: "gliss").path, to: program.path)
    gliss = program.path
    try write(rules)
    for scope in grants { try grant(scope) }
  }

  /// Super+R enters the mode `size`, in which Super+A does something else.
  static func modes(_ inMode: String) -> String {
    """
    hotkeys:
      - hotkey: super+r
        do: {mode: size}
      - hotkey: super+a
        do: {shell: "echo plain >&2"}
      - hotkey: super+a
        mode: size
        do: \(inMode)
    """
  }

  func write(_ text: String) throws {
    try text.write(to: rules, atomically: true, encoding: .utf8)
  }

  func grant(_ scope: String) throws {
    let root = try theatre.client(
      as: nil,
      #"{"method":"org.gliss.Grants.Add","parameters":{"terms":{"uid":\#(getuid()),"client":"program:\#(gliss)","scope":\#(scope)}}}"#
    )
    defer { root.stop() }
    try root.hear("\"grant\"")
  }

  private func environment(_ more: [String]) -> [String] {
    [
      "/usr/bin/env", "-i", "PATH=/usr/bin:/bin", "HOME=\(home.path)", "LC_ALL=C.UTF-8",
      "XDG_RUNTIME_DIR=\(home.path)/run", "GLISS_SOCKET=\(theatre.socket)",
    ] + more
  }

  /// `gliss` with `arguments`, which goes on.
  func start(_ arguments: [String], _ more: [String] = []) throws -> Player {
    try Player(environment(more) + [gliss] + arguments, hearsErrors: true)
  }

  /// The agent, which has its input.
  func agent(_ arguments: String...) throws -> Player {
    let agent = try start(["run", "--verbose"] + arguments)
    try agent.hear("input comes through the broker")
    return agent
  }

  /// `gliss`, to its end.
  func gliss(_ arguments: String...) throws -> (status: Int32, text: String) {
    let player = try start(arguments)
    let status = try player.end()
    return (status, player.said.joined(separator: "\n"))
  }

  func press(_ names: String...) throws {
    for name in names { try theatre.act("key \(name) down") }
    for name in names.reversed() { try theatre.act("key \(name) up") }
  }
}
