import CLinux
import Glibc

/// The system calls that files are watched with. They give a negative error number where they fail.
struct Inotify {
  var open: () -> Int32 = {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    return descriptor >= 0 ? descriptor : -errno
  }
  /// Of a folder that is watched already the mask is changed.
  var add: (_ descriptor: Int32, _ folder: String, _ mask: UInt32) -> Int32 = {
    let number = inotify_add_watch($0, $1, $2)
    return number >= 0 ? number : -errno
  }

  /// What is asked of a folder: it filters by what happens, and not by whose name it happens to.
  static func mask(for interest: Footprint.Interest) -> UInt32 {
    // of what is only passed through it matters what it is: others write in such folders, and must not wake us
    let standing = IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_ATTRIB
    let itself = IN_DELETE_SELF | IN_MOVE_SELF
    let mask = UInt32(standing) | UInt32(itself) | UInt32(IN_ONLYDIR)
    return interest.hasEnds ? mask | UInt32(IN_CLOSE_WRITE) : mask
  }
}
