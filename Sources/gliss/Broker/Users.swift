import Glibc
import Gliss

/// Converts between user names and numbers.
enum Users {
  /// The name of `uid`, or the number if no user has it.
  static func name(_ uid: UInt32) -> String {
    guard let entry = getpwuid(uid), let name = entry.pointee.pw_name else { return "\(uid)" }
    return String(cString: name).printable
  }

  /// The number of a user given by name or number; `nil` if there is none.
  static func uid(_ text: String) -> UInt32? {
    if let entry = getpwnam(text) { return entry.pointee.pw_uid }
    guard let uid = UInt32(text), uid != .max else { return nil }
    return uid
  }

  /// The user of this process.
  static var caller: UInt32 { getuid() }

  /// The user the command acts for. With sudo this is the user who typed it.
  static var principal: UInt32 {
    guard caller == 0 else { return caller }
    for name in ["SUDO_UID", "PKEXEC_UID"] {
      if let text = getenv(name), let uid = UInt32(String(cString: text)), uid != .max {
        return uid
      }
    }
    return caller
  }
}
