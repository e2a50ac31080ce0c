import GlissEvents

extension Scope {
  /// The command that grants it.
  func command(
    for client: Client, of uid: UInt32, isForOnce: Bool = false
  ) -> String {
    let name =
      switch client {
      case .program(let path): path
      case .unit, .app: client.description
      }
    var words = [
      "gliss", "grants", "grant", name.quotedForShell, "--user", "\(uid)", "--tier", tier.name,
    ]
    if tier == .raw { words += ["--events", events.words.joined(separator: ",")] }
    if !keys.isEmpty { words += ["--keys", keys.names.joined(separator: ",")] }
    for device in devices?.sorted() ?? [] { words += ["--device", device.quotedForShell] }
    if isForOnce { words += ["--expires", "once"] }
    return words.joined(separator: " ")
  }
}

extension String {
  /// Quoted as a single shell word.
  package var quotedForShell: String {
    if !isEmpty, utf8.allSatisfy(\.isPlainForShell) { return self }
    return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}

extension UInt8 {
  fileprivate var isPlainForShell: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "+"):
      true
    case _: false
    }
  }
}
