/// The folders to watch, and the names in each, to notice whenever a path leads to another file
/// than before.
///
/// Any part of a path may be replaced, whether it is a folder, a link or does not exist yet. So
/// each folder on the path, up to the root, is watched for the name of the next part.
struct Footprint: Hashable {
  /// What is at a path. Links are not followed.
  enum Standing: Hashable {
    case folder
    case file
    /// A symbolic link, and its target.
    case link(String)
    case nothing
  }

  /// The names in a folder that matter.
  struct Interest: Hashable {
    /// Paths continue through these. It matters what they are, but not what is written to them.
    var parts: Set<String> = []
    /// Paths end at these. What is written to them matters too.
    var ends: Set<String> = []
    /// Every name in the folder is an end.
    var isWhole = false

    var hasEnds: Bool { isWhole || !ends.isEmpty }
    func includes(_ name: String) -> Bool {
      isWhole || ends.contains(name) || parts.contains(name)
    }
  }

  private(set) var folders: [String: Interest] = [:]
  private let look: (String) -> Standing
  private let list: (String) -> [String]

  /// The most links that are followed, as in the kernel.
  private static let mostLinks = 40

  /// - Parameters:
  ///   - look: returns what is at a path.
  ///   - list: returns the relevant names in a folder.
  init(look: @escaping (String) -> Standing, list: @escaping (String) -> [String]) {
    self.look = look
    self.list = list
  }

  static func == (a: Footprint, b: Footprint) -> Bool { a.folders == b.folders }
  func hash(into hasher: inout Hasher) { hasher.combine(folders) }

  /// Adds the path of a file. `path` must be absolute.
  mutating func add(file path: String) { _ = follow(path, toFile: true) }

  /// Adds the path of a folder, everything in it, and the paths that links in it lead to.
  mutating func add(folder path: String) {
    guard let place = follow(path, toFile: false) else { return }
    folders[place.isEmpty ? "/" : place, default: Interest()].isWhole = true
    for name in list(place) {
      let path = "\(place)/\(name)"
      if case .link = look(path) { add(file: path) }
    }
  }

  /// - Returns: the folder that the path leads to; `nil` if there is none.
  private mutating func follow(_ path: String, toFile: Bool) -> String? {
    var place = ""
    var rest = Self.parts(path)[...]
    var links = 0
    while let part = rest.popFirst() {
      if part == ".." {
        place = Self.parent(of: place)
        continue
      }
      let isEnd = toFile && rest.isEmpty
      switch look("\(place)/\(part)") {
      case .folder:
        note(part, in: place, isEnd: isEnd)
        place += "/\(part)"
      case .file, .nothing:
        note(part, in: place, isEnd: isEnd)
        return nil
      case .link(let target):
        note(part, in: place, isEnd: false)
        links += 1
        if links > Self.mostLinks { return nil }
        if target.utf8.first == UInt8(ascii: "/") { place = "" }
        rest = (Self.parts(target) + rest)[...]
      }
    }
    return place
  }

  private mutating func note(_ name: String, in folder: String, isEnd: Bool) {
    let folder = folder.isEmpty ? "/" : folder
    if isEnd {
      folders[folder, default: Interest()].ends.insert(name)
    } else {
      folders[folder, default: Interest()].parts.insert(name)
    }
  }

  private static func parts(_ path: String) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.map(String.init)
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[..<slash])
  }
}
