/// Where a program is, by its name.
struct ProgramSearch {
  /// `PATH` as the command will have it.
  var path: String
  /// What `~` stands for.
  var home: String
  var isExecutable: (String) -> Bool

  enum Outcome: Hashable {
    case found(String)
    /// Nowhere: in which folders, as `PATH` names them.
    case missing(path: String)
  }

  /// A name with a slash is a path: from the folder it runs in, or from home where it begins with `~/`.
  func look(for program: String) -> Outcome {
    let program = program.expandingHome(home)
    // what cannot be run the kernel says better
    if program.utf8.contains(UInt8(ascii: "/")) { return .found(program) }
    for folder in path.split(separator: ":") where folder.utf8.first == UInt8(ascii: "/") {
      let candidate = "\(folder)/\(program)"
      if isExecutable(candidate) { return .found(candidate) }
    }
    return .missing(path: path)
  }
}

extension String {
  /// With the home folder in the place of a `~` at its beginning.
  func expandingHome(_ home: String) -> String {
    if self == "~" { return home }
    return hasPrefix("~/") ? home + dropFirst() : self
  }
}
