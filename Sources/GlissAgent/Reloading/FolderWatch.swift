import CLinux
import Glibc
import GlissDevices

/// Hears of what happens to the files that rules come from.
final class FolderWatch {
  /// Called for each change that may concern them.
  var didChange: (() -> Void)?

  private let loop: EventLoop
  private let descriptor: Int32
  private var footprint = Footprint { _ in .nothing }
  private var folders: [Int32: String] = [:]
  private var chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)

  private static let mask =
    UInt32(IN_CLOSE_WRITE) | UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM)
    | UInt32(IN_DELETE) | UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
    | UInt32(IN_ONLYDIR)

  /// - Throws: where the user may watch no more.
  init(_ loop: EventLoop) throws(DeviceError) {
    self.loop = loop
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else {
      throw DeviceError("inotify", String(cString: strerror(errno)), code: errno)
    }
    try loop.watch(descriptor) { [unowned self] in read() }
  }

  deinit {
    loop.unwatch(descriptor)
    close(descriptor)
    chunk.deallocate()
  }

  /// Watches the ways to `files` and `folders` from now on.
  func follow(files: [String], folders wanted: [String]) {
    var next = Footprint(Self.look)
    for folder in wanted { next.add(folder: folder) }
    for file in files { next.add(file: file) }
    let known = Dictionary(folders.map { ($0.value, $0.key) }, uniquingKeysWith: { a, _ in a })
    for (folder, number) in known where next.names[folder] == nil {
      inotify_rm_watch(descriptor, number)
      folders[number] = nil
    }
    for folder in next.names.keys where known[folder] == nil {
      let number = inotify_add_watch(descriptor, folder, Self.mask)
      if number >= 0 { folders[number] = folder }
    }
    footprint = next
  }

  static func look(_ path: String) -> Footprint.Standing {
    var status = stat()
    guard lstat(path, &status) == 0 else { return .nothing }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFLNK:
      var target = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(path, &target, target.count)
      guard count > 0 else { return .nothing }
      return .link(String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    case _: return .file
    }
  }

  private func read() {
    var isNews = false
    while true {
      let count = Glibc.read(descriptor, chunk.baseAddress, chunk.count)
      guard count > 0 else { break }
      if take(chunk[..<count]) { isNews = true }
    }
    if isNews { didChange?() }
  }

  private func take(_ bytes: Slice<UnsafeMutableRawBufferPointer>) -> Bool {
    let head = MemoryLayout<inotify_event>.size
    var isNews = false
    var offset = bytes.startIndex
    while offset + head <= bytes.endIndex {
      let event = bytes.base.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let name = bytes.base[(offset + head)...].prefix(Int(event.len)).prefix { $0 != 0 }
      offset += head + Int(event.len)
      if concerns(event, String(decoding: name, as: UTF8.self)) { isNews = true }
    }
    return isNews
  }

  private func concerns(_ event: inotify_event, _ name: String) -> Bool {
    // some were lost
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
    guard let folder = folders[event.wd] else { return false }
    if event.mask & UInt32(IN_IGNORED) != 0 {
      folders[event.wd] = nil
      return true
    }
    if event.mask & UInt32(IN_MOVE_SELF) != 0 {
      // it would be followed to where it is now
      inotify_rm_watch(descriptor, event.wd)
      folders[event.wd] = nil
      return true
    }
    // of the folder itself
    if name.isEmpty { return event.mask & (UInt32(IN_DELETE_SELF) | UInt32(IN_ATTRIB)) != 0 }
    return footprint.concerns(name, in: folder)
  }
}
