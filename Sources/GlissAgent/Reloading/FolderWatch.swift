import CLinux
import Glibc
package import GlissDevices
import GlissEvents

/// Watches the files that rules come from.
///
/// It watches the folders that hold them, and the folder of every symbolic link or missing part on
/// the way to them. Any change may lead to other folders, so call ``follow(files:folders:)`` after
/// each.
package final class FolderWatch {
  package var didChange: (() -> Void)?
  /// Why some changes may be missed, and what to do. ``follow(files:folders:)`` tries again.
  private(set) var problem: String?

  private let loop: InputLoop
  var inotify = Inotify()
  /// `nil` if inotify is not available.
  private var descriptor: Int32?
  /// By watch descriptor: the names that matter in the folder. An empty one stands for all.
  private var watches: [Int32: Set<String>] = [:]
  private var chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)

  /// How often the paths are examined again if they change meanwhile. The watches report later
  /// changes.
  private static let mostPasses = 10

  package init(on loop: InputLoop) { self.loop = loop }

  deinit {
    if let descriptor {
      loop.unwatch(descriptor)
      close(descriptor)
    }
    chunk.deallocate()
  }

  // MARK: Watching

  /// Watches `files`, everything in `folders`, and the files that links in those lead to.
  package func follow(files: [String], folders: [String]) {
    guard let descriptor = opened() else { return }
    // a change made before its watch was added is seen by the next pass
    for _ in 0..<Self.mostPasses {
      var paths = WatchedPaths()
      for folder in folders { paths.add(folder: folder) }
      for file in files { paths.add(file: file) }
      if !watch(paths.folders, with: descriptor) { break }
    }
  }

  private func opened() -> Int32? {
    if let descriptor { return descriptor }
    let opened = inotify.open()
    guard opened >= 0 else {
      problem = Self.text(-opened, "instance", "max_user_instances")
      return nil
    }
    do throws(SystemError) {
      try loop.watch(opened) { [unowned self] in read(opened) }
    } catch {
      close(opened)
      problem = Self.text(error.code, "instance", "max_user_instances")
      return nil
    }
    descriptor = opened
    return opened
  }

  /// - Returns: whether the watches have changed.
  private func watch(_ folders: [String: Set<String>], with descriptor: Int32) -> Bool {
    problem = nil
    var next: [Int32: Set<String>] = [:]
    for (folder, names) in folders {
      var (folder, names) = (folder, names)
      var number = inotify.add(descriptor, folder)
      // it has just gone or may not be read: the folder above reports when that changes
      while Self.isOutOfReach(-number), folder != "/" {
        let name: String
        (folder, name) = folder.folderAndName
        names = [name]
        number = inotify.add(descriptor, folder)
      }
      if number >= 0 {
        next[number, default: []].formUnion(names)
      } else if !Self.isOutOfReach(-number) {
        problem = Self.text(-number, "watch", "max_user_watches")
      }
    }
    for number in watches.keys where next[number] == nil { inotify_rm_watch(descriptor, number) }
    defer { watches = next }
    return watches != next
  }

  private static func isOutOfReach(_ code: Int32) -> Bool {
    code == ENOENT || code == ENOTDIR || code == ELOOP || code == EACCES
  }

  private static func text(_ code: Int32, _ what: String, _ limit: String) -> String {
    let isFull = code == EMFILE || code == ENOSPC
    let reason = isFull ? "no inotify \(what) is left" : String(cString: strerror(code))
    return "files that are saved may go unnoticed: \(reason); 'gliss reload' reads them"
      + (isFull ? ", and a higher fs.inotify.\(limit) (sysctl) leaves room for all" : "")
  }

  // MARK: Events

  private func read(_ descriptor: Int32) {
    let head = MemoryLayout<inotify_event>.size
    var isRelevant = false
    while true {
      let count = Glibc.read(descriptor, chunk.baseAddress, chunk.count)
      guard count > 0 else { break }
      var offset = 0
      while offset + head <= count {
        let event = chunk.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let name = chunk[(offset + head)...].prefix(Int(event.len)).prefix { $0 != 0 }
        offset += head + Int(event.len)
        if matters(event, String(decoding: name, as: UTF8.self)) { isRelevant = true }
      }
    }
    if isRelevant { didChange?() }
  }

  private func matters(_ event: inotify_event, _ name: String) -> Bool {
    // events were lost
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
    guard let names = watches[event.wd] else { return false }
    // without a name it is about the folder itself: moved, deleted, or with other permissions
    return name.isEmpty || names.contains("") || names.contains(name)
  }
}

/// The system calls for watching files. They return a negative error number on failure.
struct Inotify {
  var open: () -> Int32 = {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    return descriptor >= 0 ? descriptor : -errno
  }
  var add: (_ descriptor: Int32, _ folder: String) -> Int32 = {
    let number = inotify_add_watch($0, $1, mask)
    return number >= 0 ? number : -errno
  }

  private static let mask: UInt32 = {
    let inside = IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_ATTRIB | IN_CLOSE_WRITE
    return UInt32(inside) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)
  }()
}

/// The folders to watch in order to notice that a path leads to another file than before.
///
/// A real folder on the way is not watched: only its own name in the folder above would show that
/// it was replaced, and nobody replaces whole homes while a program runs in them.
struct WatchedPaths {
  /// The names that matter in each. An empty one stands for all.
  private(set) var folders: [String: Set<String>] = [:]

  /// The most links that are followed, as in the kernel.
  private static let mostLinks = 40

  /// Adds the path of a file. `path` must be absolute.
  mutating func add(file path: String) { _ = follow(path, toFile: true) }

  /// Adds a folder, everything in it, and the files that links in it lead to.
  mutating func add(folder path: String) {
    guard let place = follow(path, toFile: false) else { return }
    folders[place.isEmpty ? "/" : place, default: []].insert("")
    for name in Folder.names(in: place).filter(ConfigurationFiles.isDropIn)
    where Folder.target(of: "\(place)/\(name)") != nil {
      add(file: "\(place)/\(name)")
    }
  }

  /// - Returns: the folder that the path leads to; `nil` without one.
  private mutating func follow(_ path: String, toFile: Bool) -> String? {
    var place = ""
    var rest = Self.parts(path)[...]
    var links = 0
    while let part = rest.popFirst() {
      if part == ".." {
        place = String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])
        continue
      }
      let next = "\(place)/\(part)"
      if let target = Folder.target(of: next) {
        watch(part, in: place)
        links += 1
        if links > Self.mostLinks { return nil }
        if target.hasPrefix("/") { place = "" }
        rest = (Self.parts(target) + rest)[...]
      } else if Folder.isOne(next), !toFile || !rest.isEmpty {
        place = next
      } else {
        watch(part, in: place)
        return nil
      }
    }
    return place
  }

  private mutating func watch(_ name: String, in folder: String) {
    folders[folder.isEmpty ? "/" : folder, default: []].insert(name)
  }

  private static func parts(_ path: String) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.map(String.init)
  }
}

/// Waits until changes have settled: an editor writes more than once, and tools that link files
/// replace many.
struct SettlingMachine {
  static let quiet = EventInterval.milliseconds(50)
  static let longest = EventInterval.milliseconds(1000)

  /// When the wait ends even if changes go on; `nil` if nothing has changed.
  private var latest: EventTime?
  private(set) var deadline: EventTime?

  mutating func changed(at time: EventTime) {
    let end = latest ?? time + Self.longest
    latest = end
    deadline = min(time + Self.quiet, end)
  }

  /// - Returns: whether changes have just settled.
  mutating func advance(to time: EventTime) -> Bool {
    guard let due = deadline, due <= time else { return false }
    (latest, deadline) = (nil, nil)
    return true
  }
}
