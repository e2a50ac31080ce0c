/// The arguments as bytes, where text is not enough.
enum Arguments {
  /// Those that are not UTF-8, with what is wrong in them replaced, as all of Swift sees them.
  private static let repaired: Set<String> = {
    var repaired: Set<String> = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let bytes = CommandLine.unsafeArgv[index] else { continue }
      if String(validatingCString: bytes) == nil { repaired.insert(String(cString: bytes)) }
    }
    return repaired
  }()

  /// Whether a path is not what was typed, so that no file can be opened by it.
  static func isRepaired(_ path: String, option: String? = nil) -> Bool {
    repaired.contains(path) || option.map { repaired.contains("\($0)=\(path)") } ?? false
  }
}
