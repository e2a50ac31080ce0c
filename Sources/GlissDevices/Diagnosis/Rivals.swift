import CLinux
import Glibc

/// Other processes that use a device.
enum Rivals {
  /// Whether another process has grabbed the device. The kernel reveals this only to a process that
  /// tries to grab it too.
  ///
  /// If nobody has, this process holds the grab for some microseconds, and other readers of the
  /// node would miss events in that time. So it is not tried while a key is down or a finger
  /// touches: a missed release would leave them stuck. Releasing the grab takes the kernel some
  /// milliseconds. During these, only readers that are not event nodes (the text console) get
  /// nothing.
  static func grab(of path: String) -> Circumstances.Grab {
    guard case .success(let descriptor) = DeviceNode.open(path) else { return .unknown }
    defer { close(descriptor) }
    guard let description = EvdevDescription(of: descriptor) else { return .unknown }
    if description.hasKeyDown { return .busy }
    guard gliss_evdev_grab(descriptor, 1) == 0 else { return errno == EBUSY ? .taken : .unknown }
    _ = gliss_evdev_grab(descriptor, 0)
    return .free
  }

  /// The processes that have one of `paths` open, among those this one may inspect: all of them for
  /// root, the user's own for others.
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
