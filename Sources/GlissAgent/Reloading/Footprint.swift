/// Which folders to watch, and for which names in each, to hear whenever a path leads to another file than before.
///
/// Every part of the way may be swapped, be it a folder, a link or nothing yet. So each folder on it, up to the root, is
/// watched for the name of the next part.
struct Footprint: Hashable {
  /// What stands at a path, not followed where it is a link.
  enum Standing: Hashable {
    case folder
    case file
    /// A symbolic link, and what it says.
    case link(String)
    case nothing
  }

  /// What counts of what happens in a folder.
  struct Interest: Hashable {
    /// Ways lead on through these: what stands there counts, not what is written to it.
    var parts: Set<String> = []
    /// Ways end at these: what is written to them counts too.
    var ends: Set<String> = []
    /// All in it are ends.
    var isWhole = false

    var hasEnds: Bool { isWhole || !ends.isEmpty }
    func includes(_ name: String) -> Bool {
      isWhole || ends.contains(name) || parts.contains(name)
    }
  }

  private(set) var folders: [String: Interest] = [:]
  private let look: (String) -> Standing
  private let list: (String) -> [String]

  /// So many links are followed, as by the kernel.
  private static let mostLinks = 40

  /// - Parameters:
  ///   - look: tells what stands at a path.
  ///   - list: tells the names in a folder that count.
  init(look: @escaping (String) -> Standing, list: @escaping (String) -> [String]) {
    self.look = look
    self.list = list
  }

  static func == (a: Footprint, b: Footprint) -> Bool { a.folders == b.folders }
  func hash(into hasher: inout Hasher) { hasher.combine(folders) }

  /// Adds the way to the file at `path`, which is absolute.
  mutating func add(file path: String) { _ = follow(path, toFile: true) }

  /// Adds the way to the folder at `path`, all that happens in it, and the ways on from the links in it.
  mutating func add(folder path: String) {
    guard let place = follow(path, toFile: false) else { return }
    folders[place.isEmpty ? "/" : place, default: Interest()].isWhole = true
    for name in list(place) {
      let path = "\(place)/\(name)"
      if case .link = look(path) { add(file: path) }
    }
  }

  /// - Returns: the folder it leads to; `nil` where there is none.
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
