import CLinux
import Glibc

/// Who else is at a device.
enum Rivals {
  /// Tries whether another process keeps the device's events for itself: the kernel tells that only to one who tries to
  /// do so too.
  ///
  /// Where nobody does, this process has the device for itself for some microseconds, in which other readers of the node
  /// would miss what happens. So it is not tried while a key is down or a finger touches: a release that is missed would
  /// leave them stuck. Giving it back takes the kernel some milliseconds, in which only readers that are no event nodes
  /// (the text console) get nothing.
  static func grab(of path: String) -> Circumstances.Grab {
    guard case .success(let descriptor) = DeviceNode.open(path) else { return .unknown }
    defer { close(descriptor) }
    guard let description = EvdevDescription(of: descriptor) else { return .unknown }
    if description.hasKeyDown { return .busy }
    guard gliss_evdev_grab(descriptor, 1) == 0 else { return errno == EBUSY ? .taken : .unknown }
    _ = gliss_evdev_grab(descriptor, 0)
    return .free
  }

  /// The processes that have one of `paths` open, as far as this one may look: root at all, others at their own user's.
  static func holders(of paths: Set<String>) -> [String: [Circumstances.Holder]] {
    var holders: [String: [Circumstances.Holder]] = [:]
    if paths.isEmpty { return holders }
    let own = getpid()
    for entry in Folder.names(in: "/proc") {
      guard let process = Int32(entry), process != own else { continue }
      for path in open(by: process).intersection(paths) {
        holders[path, default: []].append(
          Circumstances.Holder(name: name(of: process), process: process))
      }
    }
    return holders.mapValues { $0.sorted { $0.process < $1.process } }
  }

  private static func open(by process: Int32) -> Set<String> {
    let folder = "/proc/\(process)/fd"
    return Set(Folder.names(in: folder).compactMap { Folder.target(of: "\(folder)/\($0)") })
  }

  private static func name(of process: Int32) -> String {
    let name = Folder.firstLine(of: "/proc/\(process)/comm") ?? ""
    return name.isEmpty ? "process" : name
  }
}
