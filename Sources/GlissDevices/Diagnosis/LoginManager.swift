import CSystemd
import Glibc

/// What logind says: from the files it keeps, without asking it.
enum LoginManager {
  /// Whether it runs: it always knows one seat.
  static var isRunning: Bool {
    var seats: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_get_seats(&seats)
    guard let seats else { return count > 0 }
    for index in 0..<max(0, Int(count)) { free(seats[index]) }
    free(seats)
    return count > 0
  }

  /// The login that this process belongs to; `nil` for services and containers, and without logind.
  static var login: Circumstances.Login? {
    guard let id = session else { return nil }
    return Circumstances.Login(
      id: id, seat: text { sd_session_get_seat(id, $0) }, isActive: sd_session_is_active(id) > 0,
      isRemote: sd_session_is_remote(id) > 0, type: text { sd_session_get_type(id, $0) } ?? "")
  }

  private static var session: String? {
    if let id = text({ sd_pid_get_session(0, $0) }) { return id }
    // a terminal that the user's own service manager started is in no session, but its user is
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
