import CSystemd
import Glibc

/// logind's state, read from its files without calling it.
enum LoginManager {
  /// Whether logind runs. A running logind always lists a seat.
  static var isRunning: Bool {
    var seats: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_get_seats(&seats)
    guard let seats else { return count > 0 }
    for index in 0..<max(0, Int(count)) { free(seats[index]) }
    free(seats)
    return count > 0
  }

  /// The login session of this process; `nil` for services, in containers and without logind.
  static var login: Circumstances.Login? {
    guard let id = session else { return nil }
    return Circumstances.Login(
      id: id, seat: text { sd_session_get_seat(id, $0) }, isActive: sd_session_is_active(id) > 0,
      isRemote: sd_session_is_remote(id) > 0, type: text { sd_session_get_type(id, $0) } ?? "")
  }

  private static var session: String? {
    if let id = text({ sd_pid_get_session(0, $0) }) { return id }
    // a terminal started by the user's service manager is in no session, but its user has one
    if let id = getenv("XDG_SESSION_ID").map({ String(cString: $0) }), sd_session_is_active(id) >= 0
    {
      return id
    }
    return text { sd_uid_get_display(getuid(), $0) }
  }

  private static func text(
    _ ask: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
  ) -> String? {
    var answer: UnsafeMutablePointer<CChar>?
    guard ask(&answer) >= 0, let answer else { return nil }
    defer { free(answer) }
    return String(cString: answer)
  }
}
