import CLinux
import Glibc

/// Opens device nodes and finds out why that fails.
enum DeviceNode {
  /// Returns a non-blocking descriptor for reading, or the reason it cannot be opened.
  ///
  /// - Parameter isLit: Open it for writing too if allowed, to set a keyboard's lights.
  static func open(_ path: String, isLit: Bool = false) -> Result<Int32, Refusal> {
    let flags = O_NONBLOCK | O_CLOEXEC | O_NOCTTY
    var descriptor = isLit ? Glibc.open(path, O_RDWR | flags) : -1
    if descriptor < 0 { descriptor = Glibc.open(path, O_RDONLY | flags) }
    guard descriptor >= 0 else {
      let code = errno
      return .failure(Refusal(reason: reason(code, path), code: code))
    }
    if OwnDevice.isOpen(on: descriptor) {
      Glibc.close(descriptor)
      return .failure(Refusal(reason: .own, code: EPERM))
    }
    return .success(descriptor)
  }

  /// Returns a non-blocking duplicate of a descriptor that was handed over, or the reason it fails.
  static func copy(_ descriptor: Int32) -> Result<Int32, Refusal> {
    if OwnDevice.isOpen(on: descriptor) {
      return .failure(Refusal(reason: .own, code: EPERM))
    }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else {
      let code = errno
      return .failure(Refusal(reason: .failed(code), code: code))
    }
    _ = fcntl(copy, F_SETFL, O_NONBLOCK)
    return .success(copy)
  }

  /// The device number of the node at `path`, whatever its name; `nil` if it is not a device node.
  static func number(_ path: String) -> dev_t? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
    return status.st_rdev
  }

  struct Refusal: Error {
    let reason: RefusedDevice.Reason
    let code: Int32
  }

  static func reason(_ code: Int32, _ path: String) -> RefusedDevice.Reason {
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
    let name = Group.name(of: status.st_gid) ?? "\(status.st_gid)"
    return .notPermitted(group: name, isMember: Group.isAssigned(status.st_gid))
  }
}

/// Groups from the system's group database.
enum Group {
  static func name(of group: gid_t) -> String? {
    guard let entry = getgrgid(group), let name = entry.pointee.gr_name else { return nil }
    return String(cString: name)
  }

  /// Whether this process has the group.
  static func isHeld(_ group: gid_t) -> Bool {
    if getegid() == group { return true }
    let count = getgroups(0, nil)
    guard count > 0 else { return false }
    var groups = [gid_t](repeating: 0, count: Int(count))
    let filled = getgroups(count, &groups)
    return filled > 0 && groups.prefix(Int(filled)).contains(group)
  }

  /// Whether the user will have the group from the next login on.
  static func isAssigned(_ group: gid_t) -> Bool {
    guard let user = getpwuid(getuid()), let name = user.pointee.pw_name else { return false }
    var count: Int32 = 256
    var groups = [gid_t](repeating: 0, count: Int(count))
    guard getgrouplist(name, user.pointee.pw_gid, &groups, &count) >= 0 else { return false }
    return groups.prefix(Int(count)).contains(group)
  }
}
