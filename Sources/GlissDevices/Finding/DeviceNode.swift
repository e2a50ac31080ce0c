import CLinux
import Glibc
package import GlissEvents

/// Opens device nodes and finds out why that fails.
enum DeviceNode {
  /// Returns a non-blocking descriptor for reading.
  ///
  /// - Parameter isLit: Open it for writing too if allowed, to set a keyboard's lights.
  static func open(_ path: String, isLit: Bool = false) throws(RefusedDevice.Reason) -> Int32 {
    let flags = O_NONBLOCK | O_CLOEXEC | O_NOCTTY
    var descriptor = isLit ? Glibc.open(path, O_RDWR | flags) : -1
    if descriptor < 0 { descriptor = Glibc.open(path, O_RDONLY | flags) }
    guard descriptor >= 0 else { throw reason(errno, path) }
    if OwnDevice.isOpen(on: descriptor) {
      Glibc.close(descriptor)
      throw .own
    }
    return descriptor
  }

  /// Returns a non-blocking duplicate of a descriptor that was handed over.
  static func copy(_ descriptor: Int32) throws(RefusedDevice.Reason) -> Int32 {
    if OwnDevice.isOpen(on: descriptor) { throw .own }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw .failed(errno) }
    _ = fcntl(copy, F_SETFL, O_NONBLOCK)
    return copy
  }

  /// The description of the device at `path`, which `descriptor` is open on.
  static func device(_ path: String, _ descriptor: Int32) throws(RefusedDevice.Reason) -> Device {
    guard let description = EvdevDescription(of: descriptor) else { throw reason(errno, path) }
    return description.device
  }

  /// Returns what `body` does with an open device. Its error is a reason not to read the device.
  static func use<Result>(
    _ path: String, _ body: () throws(SystemError) -> Result
  ) throws(RefusedDevice.Reason) -> Result {
    do { return try body() } catch { throw reason(error.code, path) }
  }

  /// The device number of the node at `path`, whatever its name; `nil` if it is not a device node.
  static func number(_ path: String) -> dev_t? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
    return status.st_rdev
  }

  private static func reason(_ code: Int32, _ path: String) -> RefusedDevice.Reason {
    switch code {
    case EACCES: lacking(path)
    case EPERM: .notAllowedHere
    case ENOENT, ENODEV, ENXIO: .missing
    case ENOTTY, EISDIR, ENOTDIR, EINVAL: .notInput
    case _: .failed(code)
    }
  }

  /// Who may read the node. By udev's rules these are root and the node's group.
  private static func lacking(_ path: String) -> RefusedDevice.Reason {
    var status = stat()
    guard stat(path, &status) == 0 else { return .failed(EACCES) }
    guard status.st_mode & S_IRGRP != 0 else {
      return .notPermitted(group: "root", isMember: false)
    }
    let entry = getgrgid(status.st_gid)
    let name = entry.flatMap { $0.pointee.gr_name }.map { String(cString: $0) }
    return .notPermitted(
      group: name ?? "\(status.st_gid)", isMember: isAssigned(status.st_gid))
  }

  /// Whether the user will have the group from the next login on.
  private static func isAssigned(_ group: gid_t) -> Bool {
    guard let user = getpwuid(getuid()), let name = user.pointee.pw_name else { return false }
    var count: Int32 = 256
    var groups = [gid_t](repeating: 0, count: Int(count))
    guard getgrouplist(name, user.pointee.pw_gid, &groups, &count) >= 0 else { return false }
    return groups.prefix(Int(count)).contains(group)
  }
}

/// The mark of the virtual devices that Gliss creates: keyboards, twins and the control device.
///
/// It is in the device's physical location (`phys`). The creator of a virtual device may choose
/// this freely, no hardware uses this value, and both sysfs and an ioctl report it, with or without
/// udev. No Gliss process ever reads, records or grabs a device with the mark, because events read
/// from it would be typed on it again.
enum OwnDevice {
  /// The device's purpose follows.
  static let mark = "gliss/"

  static func isMarked(_ place: String) -> Bool { place.hasPrefix(mark) }

  static func isOpen(on descriptor: Int32) -> Bool {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { room in
      room.initialize(repeating: 0)
      // longer text is truncated, and the last byte stays 0
      guard gliss_evdev_place(descriptor, room.baseAddress, Int32(room.count - 1)) > 0,
        let start = room.baseAddress
      else { return false }
      return isMarked(String(cString: start))
    }
  }
}

/// Whether a device should be opened for the wanted events.
package enum DeviceNeed: Hashable, Sendable {
  /// It provides nothing that is wanted and is not opened.
  case none
  /// It improves wanted events. A failure to open it is not reported.
  case helpful
  case wanted

  package init(_ classes: DeviceClasses, for mask: EventMask) {
    let touches: EventMask = [.gesture, .touch]
    var needed: EventMask = []
    if classes.contains(.touchpad) { needed.formUnion(touches.union(.pointer)) }
    if classes.contains(.touchscreen) { needed.formUnion(touches) }
    if !classes.isDisjoint(with: [.keyboard, .key]) { needed.formUnion([.key, .hotkey]) }
    if !classes.isDisjoint(with: [.mouse, .trackpoint]) {
      needed.formUnion([.pointer, .scroll, .hotkey])
    }
    if !needed.isDisjoint(with: mask) {
      self = .wanted
    } else if classes.contains(.keyboard), !touches.isDisjoint(with: mask) {
      // typing helps to detect palms on the pad
      self = .helpful
    } else {
      self = .none
    }
  }
}

/// A device that cannot be read, and what to do about it.
public struct RefusedDevice: Hashable, Sendable, CustomStringConvertible {
  /// Why it cannot be read.
  public enum Reason: Error, Hashable {
    /// The node belongs to `group`, and this process is not in it. `isMember` is true if the user
    /// has joined the group since logging in.
    case notPermitted(group: String, isMember: Bool)
    /// The node exists, but this container or unit may not open it.
    case notAllowedHere
    /// The node is gone.
    case missing
    /// It is not an input device.
    case notInput
    /// udev's rules have not run for it, so libinput rejects it.
    case unknownToUdev
    /// libinput does not support it.
    case notSupported
    /// Gliss itself made it.
    case own
    /// Any other error, by number.
    case failed(Int32)
  }

  /// The device's path, such as `/dev/input/event5`.
  public var path: String
  /// The device's name; empty if it is unknown.
  public var name: String
  /// Why it is not read.
  public var reason: Reason

  /// A device that is not read.
  public init(path: String, name: String, reason: Reason) {
    self.path = path
    self.name = name
    self.reason = reason
  }
}

extension RefusedDevice {
  init(_ found: FoundDevice, _ reason: Reason) {
    self.init(path: found.path, name: found.name, reason: reason)
  }

  var error: SystemError {
    let code: Int32 =
      switch reason {
      case .notPermitted: EACCES
      case .notAllowedHere, .own: EPERM
      case .missing: ENOENT
      case .notInput: ENOTTY
      case .unknownToUdev, .notSupported: 0
      case .failed(let code): code
      }
    return SystemError(path, problem, advice: advice, code: code)
  }

  /// The problem, without the path.
  public var problem: String {
    switch reason {
    case .notPermitted("root", _): "only root may read it"
    case .notPermitted(let group, _): "only root and group '\(group)' may read it"
    case .notAllowedHere: "this container or service may not open input devices"
    case .missing: "the node does not exist"
    case .notInput: "not an event device"
    case .unknownToUdev: "udev has not set it up"
    case .notSupported: "libinput does not support such a device"
    case .own: "Gliss itself made it"
    case .failed(let code): String(cString: strerror(code))
    }
  }

  /// How to fix it; `nil` if nothing can or need be done.
  public var advice: String? {
    switch reason {
    case .notPermitted("root", _): "let the seat's user read only touchpads: see 'gliss doctor'"
    case .notPermitted(let group, isMember: true):
      "you are in '\(group)', but this login is older than that: log out and in again"
    case .notPermitted(let group, isMember: false):
      "join with 'sudo usermod -aG \(group) $USER' and log in again (then every program of yours can read every key), "
        + "or let the seat's user read only touchpads: see 'gliss doctor'"
    case .notAllowedHere: "run it outside, or let it have the devices (DeviceAllow=char-input r)"
    case .missing:
      "it was unplugged, or the container has no access to it; 'gliss devices' lists the devices"
    case .notInput: "name a device node such as /dev/input/event5; 'gliss devices' lists them"
    case .unknownToUdev:
      "start udev (systemd-udevd), or 'udevadm trigger' for devices that existed before it"
    case .notSupported, .own, .failed: nil
    }
  }

  public var description: String {
    path + (name.isEmpty ? "" : " (\(name))") + ": \(problem)" + (advice.map { "; \($0)" } ?? "")
  }
}
