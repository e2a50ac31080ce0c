import Foundation

/// What only a kernel with uinput, and udev, can show: `tools/test live` runs it, in a machine of its own where this one
/// has none (`tools/vm`).
package enum Live {
  /// Never unasked, also where it could run: what is played moves the pointer of whoever sits there, and clicks.
  package static let isAsked = ProcessInfo.processInfo.environment["GLISS_LIVE"] != nil
  /// This is the machine that `tools/vm` makes: a test may change what it likes.
  package static let isInGuest =
    isAsked && FileManager.default.fileExists(atPath: "/run/guest/session")
}
