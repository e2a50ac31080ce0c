/// Who may import whom: the table of docs/architecture.md, and the rules that SwiftPM does not enforce.
enum ImportRules {
  /// What each module may import. Arrows go down only: a module names those it stands on.
  static let allowed: [String: Set<String>] = [
    "GlissEvents": [],
    "GlissGestures": ["GlissEvents"],
    "GlissHotkeys": ["GlissEvents"],
    "GlissSynthesis": ["GlissEvents", "GlissSession"],
    "GlissSession": ["GlissEvents", "GlissGestures", "GlissHotkeys"],
    "GlissRecordings": [
      "GlissEvents", "GlissGestures", "GlissSession", "GlissYaml", "Glibc",
    ],
    "GlissDevices": [
      "GlissEvents", "GlissGestures", "GlissHotkeys", "GlissSession", "CLinux", "CLibinput",
      "CLibevdev", "CLibudev",
      "CXkbcommon", "CSystemd", "Glibc", "Synchronization",
    ],
    "GlissGate": ["GlissEvents", "CSQLite", "Glibc"],
    "GlissClient": [
      "GlissEvents", "GlissHotkeys", "GlissGate", "GlissDevices", "CLinux", "Glibc",
      "Synchronization",
    ],
    "GlissFocus": ["GlissEvents", "GlissDevices", "Glibc"],
    "GlissBroker": [
      "GlissEvents", "GlissHotkeys", "GlissSession", "GlissGate", "GlissDevices", "GlissClient",
      "CLinux", "CSystemd", "Glibc",
    ],
    "GlissYaml": ["CYaml"],
    "GlissConfiguration": [
      "GlissEvents", "GlissGestures", "GlissHotkeys", "GlissYaml", "CXkbcommon",
    ],
    "GlissImport": [
      "GlissEvents", "GlissGestures", "GlissHotkeys", "GlissYaml", "GlissConfiguration", "CExpat",
    ],
    "GlissAgent": [
      "GlissEvents", "GlissGestures", "GlissHotkeys", "GlissSession", "GlissConfiguration",
      "GlissDevices", "GlissFocus", "GlissGate", "GlissClient", "GlissBroker", "CLinux", "Glibc",
      "Synchronization",
    ],
    "GlissPlot": ["GlissEvents", "GlissGestures", "GlissSession"],
    "GlissPortal": [
      "GlissEvents", "GlissHotkeys", "GlissConfiguration", "GlissDevices", "GlissAgent", "CLinux",
      "Glibc",
    ],
    "glissd": ["GlissBroker"],
    "GlissRecognition": [
      "GlissEvents", "GlissGestures", "GlissHotkeys", "GlissSession", "GlissRecordings",
    ],
    "Gliss": [
      "GlissRecognition", "GlissDevices", "GlissGate", "GlissClient", "GlissFocus",
    ],
    "gliss": [
      "Gliss", "GlissConfiguration", "GlissImport", "GlissAgent", "GlissPlot", "GlissPortal",
      "ArgumentParser",
      "CLinux", "Glibc", "Synchronization",
    ],
  ]

  /// The modules that `source` imports, whatever stands before or behind the word.
  static func imports(in source: String) -> [(line: Int, module: String)] {
    let kinds: Set<Substring> = [
      "struct", "class", "enum", "protocol", "func", "var", "let", "typealias", "actor",
    ]
    let modifiers: Set<Substring> = [
      "public", "package", "internal", "fileprivate", "private", "@_exported", "@testable",
      "@preconcurrency", "@_implementationOnly",
    ]
    var found: [(Int, String)] = []
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      // one line may hold several statements
      for statement in line.split(separator: ";") {
        var words = statement.split(whereSeparator: \.isWhitespace)
        words = Array(words.drop { modifiers.contains($0) || $0.hasPrefix("@_spi") })
        guard words.first == "import", words.count > 1 else { continue }
        words.removeFirst()
        if words.count > 1, let kind = words.first, kinds.contains(kind) { words.removeFirst() }
        guard let module = words.first?.split(separator: ".").first else { continue }
        found.append((index + 1, String(module)))
      }
    }
    return found
  }

  /// What `source` imports and must not, as `FILE:LINE: …`; empty where all is well.
  static func violations(in source: String, at path: String) -> [String] {
    let parts = path.split(separator: "/")
    guard parts.count > 2, parts[0] == "Sources" else { return ["\(path): not under Sources"] }
    let module = String(parts[1])
    guard let allowed = allowed[module] else {
      return ["\(path): the module \(module) is not in the table of import rules"]
    }
    return imports(in: source).compactMap { line, imported in
      if allowed.contains(imported) { return nil }
      return "\(path):\(line): \(module) must not import \(imported)"
    }
  }
}
