import ArgumentParser
import Gliss
import GlissAgent

/// `CLIENT`: a program's path or name, `unit:NAME` or `app:ID`.
struct ClientArgument: ExpressibleByArgument {
  let text: String
  /// As typed: a program may be a name or a relative path.
  private let client: Client

  init?(argument: String) {
    text = argument
    let parts = argument.split(separator: ":", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count) {
    // systemd reads foo as foo.service
    case ("unit", 2): client = .unit(parts[1].contains(".") ? parts[1] : parts[1] + ".service")
    case ("app", 2): client = .app(parts[1])
    case ("program", 2): client = .program(parts[1])
    case ("unit", _), ("app", _), ("program", _), (nil, _): return nil
    case _: client = .program(argument)
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
    guard case .program(let name) = client else { return try identified() }
    let folders = environmentVariable("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
    guard let path = ProgramSearch.path(of: name, in: folders).flatMap(WholeFile.withoutLinks)
    else {
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
    guard case .program(let name) = client, !name.hasPrefix("/") else { return try identified() }
    return try resolved()
  }

  /// The client as typed, if a grant can name it.
  private func identified() throws -> Client {
    do throws(GateError) {
      return try Client(client.description)
    } catch {
      throw Diagnostics.refusal("\(error.message); \(error.advice ?? "")")
    }
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
