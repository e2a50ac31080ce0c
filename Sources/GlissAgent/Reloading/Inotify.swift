import CLinux
import Glibc

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
