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
    else { throw Self.error(text, "is empty, too long, or has characters nobody could see") }
    switch text[..<colon] {
    case "program":
      guard Self.isNormal(name) else {
        throw Self.error(text, "is no absolute path without “.”, “..” and doubled slashes")
      }
      self = .program(name)
    case "unit":
      guard name.hasSuffix(".service"), !name.contains("/") else {
        throw Self.error(text, "is no service's name")
      }
      self = .unit(name)
    case "app":
      guard !name.contains("/") else { throw Self.error(text, "is no app's id") }
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
