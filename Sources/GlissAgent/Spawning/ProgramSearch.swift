/// Finds a program by its name.
struct ProgramSearch {
  /// The `PATH` that the command will have.
  var path: String
  /// What `~` stands for.
  var home: String
  var isExecutable: (String) -> Bool

  enum Outcome: Hashable {
    case found(String)
    /// Not found. `path` is the `PATH` that was searched.
    case missing(path: String)
  }

  /// A name with a slash is a path, relative to the working folder, or to the home folder if it
  /// begins with `~/`.
  func look(for program: String) -> Outcome {
    let program = program.expandingHome(home)
    // if it cannot be run, the kernel's error says why
    if program.utf8.contains(UInt8(ascii: "/")) { return .found(program) }
    for folder in path.split(separator: ":") where folder.utf8.first == UInt8(ascii: "/") {
      let candidate = "\(folder)/\(program)"
      if isExecutable(candidate) { return .found(candidate) }
    }
    return .missing(path: path)
  }
}

extension String {
  /// With a leading `~` replaced by the home folder.
  func expandingHome(_ home: String) -> String {
    if self == "~" { return home }
    return hasPrefix("~/") ? home + dropFirst() : self
  }
}
