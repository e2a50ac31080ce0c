/// What ``ProgramTeller`` asks its helper, and what that answers: a message each.
///
/// The question is the process' number, four bytes, the least first, and one that says whether Flatpak's file is
/// to be looked into as well. The answer is what `/proc/PID/exe` says, a NUL, and the app's id; what is not known is empty.
struct ProgramQuestion: Hashable, Sendable {
  static let size = 5

  var pid: Int32
  var wantsFlatpakApp: Bool

  init(_ pid: Int32, wantsFlatpakApp: Bool) {
    self.pid = pid
    self.wantsFlatpakApp = wantsFlatpakApp
  }

  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size, bytes[4] <= 1 else { return nil }
    let number = bytes[..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    pid = Int32(bitPattern: number)
    wantsFlatpakApp = bytes[4] == 1
    guard pid > 0 else { return nil }
  }

  var bytes: [UInt8] {
    let number = UInt32(bitPattern: pid)
    return (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } + [wantsFlatpakApp ? 1 : 0]
  }
}

struct ProgramAnswer: Hashable, Sendable {
  /// A path of PATH_MAX, and an app's id.
  static let largest = 8192

  /// What `exe` says.
  var executable: String?
  var flatpakApp: String?

  init(executable: String?, flatpakApp: String?) {
    self.executable = executable
    self.flatpakApp = flatpakApp
  }

  /// - Returns: `nil` for what is no answer.
  init?(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
    guard parts.count == 2, let executable = String(validating: parts[0], as: UTF8.self),
      let app = String(validating: parts[1], as: UTF8.self)
    else { return nil }
    self.executable = executable.isEmpty ? nil : executable
    flatpakApp = app.isEmpty ? nil : app
  }

  var bytes: [UInt8] { Array((executable ?? "").utf8) + [0] + Array((flatpakApp ?? "").utf8) }
}
