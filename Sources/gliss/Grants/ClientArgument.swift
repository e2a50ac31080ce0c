import ArgumentParser
import Glibc
import Gliss

/// `CLIENT`: a program's path or name, `unit:NAME` or `app:ID`.
struct ClientArgument: ExpressibleByArgument {
  let text: String
  private let kind: Kind

  private enum Kind {
    case program(String)
    case unit(String)
    case app(String)
  }

  init?(argument: String) {
    text = argument
    let parts = argument.split(separator: ":", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count) {
    // systemd reads foo as foo.service
    case ("unit", 2): kind = .unit(parts[1].contains(".") ? parts[1] : parts[1] + ".service")
    case ("app", 2): kind = .app(parts[1])
    case ("program", 2): kind = .program(parts[1])
    case ("unit", _), ("app", _), ("program", _), (nil, _): return nil
    case _: kind = .program(argument)
    }
  }

  /// The program of this process, as a grant names it.
  static var ownProgram: String? { WholeFile.withoutLinks("/proc/self/exe") }

  static var defaultCompletionKind: CompletionKind { .file() }

  /// The client for a new grant. Programs are named as the kernel will report them, with links
  /// resolved.
  ///
  /// - Throws: If the program does not exist or is a script. The error has been reported.
  func resolved() throws -> Client {
    guard case .program(let name) = kind else { return try identified() }
    guard let found = Self.search(name), let path = WholeFile.withoutLinks(found) else {
      throw Diagnostics.refusal(
        "\(name): there is no such program; name its path, unit:NAME or app:ID")
    }
    if let interpreter = Self.interpreter(of: path) {
      throw Diagnostics.refusal(
        "\(path) is a script, which the kernel identifies as its interpreter, \(interpreter): "
          + "run it as a service of its own, and name unit:NAME")
    }
    if path != text { Diagnostics.say("\(text) is \(path)") }
    return .program(path)
  }

  /// The client for existing grants. Its program may have been removed or replaced by a link since.
  ///
  /// - Throws: If the name is neither a path nor a program. The error has been reported.
  func known() throws -> Client {
    guard case .program(let name) = kind, !name.hasPrefix("/") else { return try identified() }
    return try resolved()
  }

  /// The client as typed, if a grant can name it.
  private func identified() throws -> Client {
    let client: Client =
      switch kind {
      case .program(let path): .program(path)
      case .unit(let name): .unit(name)
      case .app(let id): .app(id)
      }
    do throws(GateError) {
      return try Client(client.description)
    } catch {
      throw Diagnostics.refusal("\(error.message); \(error.advice ?? "")")
    }
  }

  /// Where the shell would find it.
  private static func search(_ name: String) -> String? {
    if name.contains("/") { return name }
    let path = environmentVariable("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }
      .first { access($0, X_OK) == 0 && WholeFile.isRegular($0) }
  }

  /// The interpreter named in a script's first line.
  private static func interpreter(of path: String) -> String? {
    guard let bytes = FileBytes.start(of: path, upTo: 256), bytes.starts(with: "#!".utf8) else {
      return nil
    }
    let line = bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
    let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    return String(decoding: words.first ?? [], as: UTF8.self).printable
  }
}
