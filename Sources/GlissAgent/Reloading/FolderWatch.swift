import CLinux
import Glibc
import GlissDevices

/// Watches the files that rules come from.
final class FolderWatch {
  /// Called for each change that may affect them.
  var didChange: (() -> Void)?
  /// Why some changes may be missed, and what to do. ``follow(files:folders:)`` tries again.
  private(set) var problem: String?

  private let loop: EventLoop
  private let inotify: Inotify
  /// `nil` if inotify is not available.
  private var descriptor: Int32?
  private var footprint = FolderWatch.nowhere
  /// The watch descriptors by path. A folder that can be reached in two ways has one descriptor.
  private var watches: [String: Int32] = [:]
  private var chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)

  /// How often the paths are examined again if they change meanwhile. The watches report later
  /// changes.
  private static let mostLooks = 10

  init(_ loop: EventLoop, _ inotify: Inotify = Inotify()) {
    self.loop = loop
    self.inotify = inotify
  }

  deinit {
    if let descriptor {
      loop.unwatch(descriptor)
      close(descriptor)
    }
    chunk.deallocate()
  }

  // MARK: Watching

  /// Starts watching the paths that lead to `files` and `folders`.
  func follow(files: [String], folders: [String]) {
    guard let descriptor = opened() else { return }
    // a change made before its watch was added is seen by the next pass
    for _ in 0..<Self.mostLooks {
      var next = Self.nowhere
      for folder in folders { next.add(folder: folder) }
      for file in files { next.add(file: file) }
      if !watch(next, with: descriptor) { break }
    }
  }

  private func opened() -> Int32? {
    if let descriptor { return descriptor }
    let opened = inotify.open()
    guard opened >= 0 else {
      problem = Self.deafness(-opened, "instance", "max_user_instances")
      return nil
    }
    do throws(DeviceError) {
      try loop.watch(opened) { [unowned self] in read(opened) }
    } catch {
      close(opened)
      problem = Self.deafness(error.code, "instance", "max_user_instances")
      return nil
    }
    descriptor = opened
    return opened
  }

  /// - Returns: whether the footprint or its watches have changed.
  private func watch(_ next: Footprint, with descriptor: Int32) -> Bool {
    problem = nil
    var numbers: [String: Int32] = [:]
    // if there are too few watches for all folders, those whose files may be saved go first
    for (folder, interest) in next.folders.sorted(by: Self.isFirst) {
      // even if the path is watched already, because it may now be another folder
      let number = inotify.add(descriptor, folder, Inotify.mask(for: interest))
      if number >= 0 { numbers[folder] = number } else { note(-number) }
    }
    for number in Set(watches.values).subtracting(numbers.values) {
      inotify_rm_watch(descriptor, number)
    }
    defer { (footprint, watches) = (next, numbers) }
    return footprint != next || watches != numbers
  }

  private typealias Place = (key: String, value: Footprint.Interest)

  private static func isFirst(_ a: Place, _ b: Place) -> Bool {
    a.value.hasEnds == b.value.hasEnds ? a.key < b.key : a.value.hasEnds
  }

  private func note(_ code: Int32) {
    switch code {
    // it has just gone; the next pass sees that
    case ENOENT, ENOTDIR, ELOOP: break
    // we may pass through this folder but not read it; if that changes, the folder above reports it
    case EACCES: break
    case _: problem = Self.deafness(code, "watch", "max_user_watches")
    }
  }

  private static func deafness(_ code: Int32, _ what: String, _ limit: String) -> String {
    let isFull = code == EMFILE || code == ENOSPC
    let reason = isFull ? "no inotify \(what) is left" : String(cString: strerror(code))
    return "files that are saved may go unnoticed: \(reason); 'gliss reload' reads them"
      + (isFull ? ", and a higher fs.inotify.\(limit) (sysctl) leaves room for all" : "")
  }

  // MARK: Looking

  private static var nowhere: Footprint {
    Footprint(look: look) { Folder.names(in: $0).filter(ConfigurationFiles.isDropIn) }
  }

  private static func look(_ path: String) -> Footprint.Standing {
    var status = stat()
    guard lstat(path, &status) == 0 else { return .nothing }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFLNK: return Folder.target(of: path).map(Footprint.Standing.link) ?? .nothing
    case _: return .file
    }
  }

  // MARK: Hearing

  private func read(_ descriptor: Int32) {
    var isNews = false
    while true {
      let count = Glibc.read(descriptor, chunk.baseAddress, chunk.count)
      guard count > 0 else { break }
      if take(chunk[..<count], from: descriptor) { isNews = true }
    }
    if isNews { didChange?() }
  }

  private func take(_ bytes: Slice<UnsafeMutableRawBufferPointer>, from descriptor: Int32) -> Bool {
    let head = MemoryLayout<inotify_event>.size
    var isNews = false
    var offset = bytes.startIndex
    while offset + head <= bytes.endIndex {
      let event = bytes.base.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let name = bytes.base[(offset + head)...].prefix(Int(event.len)).prefix { $0 != 0 }
      offset += head + Int(event.len)
      if concerns(event, String(decoding: name, as: UTF8.self), descriptor) { isNews = true }
    }
    return isNews
  }

  private func concerns(_ event: inotify_event, _ name: String, _ descriptor: Int32) -> Bool {
    func isOf(_ bits: Int32) -> Bool { event.mask & UInt32(bits) != 0 }
    // events were lost
    if isOf(IN_Q_OVERFLOW) { return true }
    let folders = watches.filter { $0.value == event.wd }.keys
    guard !folders.isEmpty else { return false }
    // the watch would follow the folder to its new place
    if isOf(IN_MOVE_SELF) { inotify_rm_watch(descriptor, event.wd) }
    if isOf(IN_MOVE_SELF | IN_IGNORED) {
      for folder in folders { watches[folder] = nil }
      return true
    }
    // about the folder itself
    if name.isEmpty { return isOf(IN_DELETE_SELF | IN_ATTRIB) }
    return folders.contains { footprint.folders[$0]?.includes(name) == true }
  }
}

/// The system calls for watching files. They return a negative error number on failure.
struct Inotify {
  var open: () -> Int32 = {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    return descriptor >= 0 ? descriptor : -errno
  }
  /// If the folder is watched already, its mask is changed.
  var add: (_ descriptor: Int32, _ folder: String, _ mask: UInt32) -> Int32 = {
    let number = inotify_add_watch($0, $1, $2)
    return number >= 0 ? number : -errno
  }

  /// The events to watch a folder for. inotify filters by kind of event, not by file name.
  static func mask(for interest: Footprint.Interest) -> UInt32 {
    // for folders that paths only pass through, writes do not matter: other programs write there
    // and must not wake us
    let standing = IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_ATTRIB
    let itself = IN_DELETE_SELF | IN_MOVE_SELF
    let mask = UInt32(standing) | UInt32(itself) | UInt32(IN_ONLYDIR)
    return interest.hasEnds ? mask | UInt32(IN_CLOSE_WRITE) : mask
  }
}

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
