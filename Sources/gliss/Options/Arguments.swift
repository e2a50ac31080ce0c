/// The arguments as bytes, for cases where text is not enough.
enum Arguments {
  /// Arguments that are not UTF-8, with the invalid parts replaced, as Swift shows them.
  private static let repaired: Set<String> = {
    var repaired: Set<String> = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let bytes = CommandLine.unsafeArgv[index] else { continue }
      if String(validatingCString: bytes) == nil { repaired.insert(String(cString: bytes)) }
    }
    return repaired
  }()

  /// Whether a path differs from what was typed, so that the file cannot be opened.
  static func isRepaired(_ path: String, option: String? = nil) -> Bool {
    repaired.contains(path) || option.map { repaired.contains("\($0)=\(path)") } ?? false
  }
}
