/// What `Package.swift` says of its targets, as far as it is needed to know what a product links.
struct Manifest {
  /// What each target depends on.
  private(set) var dependencies: [String: Set<String>] = [:]
  /// The targets that stand for a C library.
  private(set) var systemLibraries: Set<String> = []
  /// The targets of each library.
  private(set) var products: [String: Set<String>] = [:]

  init(_ text: String) {
    for (call, arguments) in Self.calls(in: text) {
      let words = Self.strings(in: arguments)
      guard let name = words.first else { continue }
      switch call {
      case "system", "systemLibrary": systemLibraries.insert(name)
      case "library": products[name] = Set(words.dropFirst())
      case _: dependencies[name, default: []].formUnion(words.dropFirst())
      }
    }
  }

  /// All targets that are built for `product`.
  func targets(of product: String) -> Set<String> {
    var found: Set<String> = []
    var waiting = Array(products[product] ?? [])
    while let name = waiting.popLast() {
      guard found.insert(name).inserted else { continue }
      waiting += dependencies[name] ?? []
    }
    return found
  }

  /// The calls that describe targets and libraries, with all that stands between their parentheses.
  private static func calls(in text: String) -> [(name: String, arguments: Substring)] {
    let calls = /\b(module|system|systemLibrary|library|target|executableTarget|tests)\(/
    return text.matches(of: calls).compactMap { match in
      var depth = 1
      let end = text[match.range.upperBound...].firstIndex { character in
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        return depth == 0
      }
      return end.map { (String(match.1), text[match.range.upperBound..<$0]) }
    }
  }

  private static func strings(in text: Substring) -> [String] {
    text.matches(of: /"([^"]*)"/).map { String($0.1) }
  }
}
