/// Who a client is according to the system, not its own claim. The caller supplies it.
///
/// The uid is enforced and, within it, a system unit or a sandbox. The program is only a label for
/// consent and audit: a process of the same user can run a granted program and control it
/// (docs/threat-model.md).
public struct ClientIdentity: Hashable, Sendable {
  /// What confines the client.
  public enum Confinement: Hashable, Sendable {
    case none
    /// A system service, by the name of its unit.
    case unit(String)
    /// A sandbox that identifies its app, by the app's id.
    case app(String)
    /// A sandbox that identifies nothing (bubblewrap). It can be granted nothing.
    case anonymous
    /// The confinement could not be determined. It can be granted nothing.
    case unknown
  }

  public var uid: UInt32
  public var pid: Int32
  /// When the process started, in kernel ticks since boot. With the pid it identifies one process.
  public var startTime: UInt64
  public var confinement: Confinement
  /// The path of its program; `nil` if it cannot be determined reliably.
  public var program: String?

  public init(
    uid: UInt32, pid: Int32, startTime: UInt64, confinement: Confinement, program: String?
  ) {
    self.uid = uid
    self.pid = pid
    self.startTime = startTime
    self.confinement = confinement
    self.program = program
  }

  /// Whether both are the same process.
  public func isSameProcess(as other: ClientIdentity) -> Bool {
    pid == other.pid && startTime == other.startTime
  }

  /// The client that a grant would name; `nil` if no grant can.
  public var client: Client? {
    switch confinement {
    case .none: program.map(Client.program)
    case .unit(let name): .unit(name)
    case .app(let id): .app(id)
    case .anonymous, .unknown: nil
    }
  }
}

/// The client that a grant names, in addition to the uid.
public enum Client: Hashable, Sendable {
  /// A program by its path.
  case program(String)
  /// A system service by its unit.
  case unit(String)
  /// A sandboxed app by its id.
  case app(String)
}

extension Client: CustomStringConvertible {
  /// `program:/usr/bin/foo`, `unit:foo.service` or `app:org.foo.Bar`.
  public var description: String {
    switch self {
    case .program(let path): "program:" + path
    case .unit(let name): "unit:" + name
    case .app(let id): "app:" + id
    }
  }

  /// Parses a ``description``.
  ///
  /// - Throws: ``GateError/Problem/syntax`` if it is invalid or its path is not normalized.
  public init(_ text: String) throws(GateError) {
    guard let colon = text.firstIndex(of: ":") else { throw Self.error(text, "has no kind") }
    let name = String(text[text.index(after: colon)...])
    guard !name.isEmpty, name.utf8.count <= TermsLimits.client,
      name.unicodeScalars.allSatisfy(\.isPlain)
    else { throw Self.error(text, "is empty, too long, or has invisible characters") }
    switch text[..<colon] {
    case "program":
      guard Self.isNormal(name) else {
        throw Self.error(text, "is not an absolute path without “.”, “..” and doubled slashes")
      }
      self = .program(name)
    case "unit":
      guard name.hasSuffix(".service"), !name.contains("/") else {
        throw Self.error(text, "is not a service's name")
      }
      self = .unit(name)
    case "app":
      guard !name.contains("/") else { throw Self.error(text, "is not an app's id") }
      self = .app(name)
    case _: throw Self.error(text, "is of no kind that there is")
    }
  }

  private static func isNormal(_ path: String) -> Bool {
    guard path.hasPrefix("/"), path.count > 1 else { return false }
    return path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0 != "." && $0 != ".."
    }
  }

  private static func error(_ text: String, _ problem: String) -> GateError {
    GateError(
      .syntax, "client", "“\(text.boundedLine(80))” \(problem)",
      advice: "it is program:PATH, unit:NAME.service or app:ID")
  }
}
