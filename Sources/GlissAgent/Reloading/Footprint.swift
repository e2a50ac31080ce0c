/// Which folders to watch, and for which names in each, to hear whenever a path leads to another file than before.
///
/// Each symbolic link on the way may be swapped, so the folder it stands in is watched for its name; of what is not there
/// yet the nearest folder that is. Ordinary folders on the way are not watched.
struct Footprint: Hashable {
  /// What stands at a path, not followed where it is a link.
  enum Standing: Hashable {
    case folder
    case file
    /// A symbolic link, and what it says.
    case link(String)
    case nothing
  }

  /// By folder; an empty set stands for any name.
  private(set) var names: [String: Set<String>] = [:]
  private let look: (String) -> Standing

  /// So many links are followed, as by the kernel.
  private static let mostLinks = 40

  init(_ look: @escaping (String) -> Standing) { self.look = look }

  static func == (a: Footprint, b: Footprint) -> Bool { a.names == b.names }
  func hash(into hasher: inout Hasher) { hasher.combine(names) }

  /// Whether something that happened to `name` in `folder` counts.
  func concerns(_ name: String, in folder: String) -> Bool {
    guard let wanted = names[folder] else { return false }
    return wanted.isEmpty || wanted.contains(name)
  }

  /// Adds the way to the file at `path`, which is absolute.
  mutating func add(file path: String) { _ = follow(path) }

  /// Adds the way to the folder at `path`, and all that happens in it.
  mutating func add(folder path: String) {
    guard let place = follow(path), look(place) == .folder else { return }
    names[place] = []
  }

  /// - Returns: where it leads to; `nil` where that is nothing.
  private mutating func follow(_ path: String) -> String? {
    var place = ""
    var rest = Self.parts(path)[...]
    var links = 0
    while let part = rest.popFirst() {
      if part == ".." {
        place = Self.parent(of: place)
        continue
      }
      let next = "\(place)/\(part)"
      switch look(next) {
      case .folder: place = next
      case .file:
        note(part, in: place)
        return rest.isEmpty ? next : nil
      case .nothing:
        note(part, in: place)
        return nil
      case .link(let target):
        note(part, in: place)
        links += 1
        if links > Self.mostLinks { return nil }
        if target.utf8.first == UInt8(ascii: "/") { place = "" }
        rest = (Self.parts(target) + rest)[...]
      }
    }
    return place
  }

  private mutating func note(_ name: String, in folder: String) {
    let folder = folder.isEmpty ? "/" : folder
    // all of it is watched already
    if let known = names[folder], known.isEmpty { return }
    names[folder, default: []].insert(name)
  }

  private static func parts(_ path: String) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.map(String.init)
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[..<slash])
  }
}
