import ArgumentParser
import Glibc
import Gliss

/// Requests events from the broker, and permission if it is not granted yet.
struct BrokerAsking {
  let path: String

  /// Whether there seems to be a broker. It is not contacted.
  static var isThere: Bool { access(BrokerConnection.standardPath, R_OK | W_OK) == 0 }

  /// What the broker shows without a new request for permission.
  enum Standing {
    /// Nothing: there is no broker, or not everything is granted.
    case notGranted
    case shown
    /// Nothing, although everything is granted: another user's session is on the screen. The text
    /// is advice.
    case elsewhere(String)
  }

  func standing(for scope: Scope) -> Standing {
    guard let connection = try? BrokerConnection(path: path),
      let verdict = try? connection.preflight(scope), Self.covers(verdict, scope)
    else { return .notGranted }
    guard let seat = try? connection.status().seat else { return .shown }
    // tell root to run this as the user at the screen
    let other = Users.caller == 0 && seat.user != 0 ? seat.user : nil
    guard seat.state == SessionState.inactive.rawValue || other != nil else { return .shown }
    return .elsewhere(Self.advice(for: other))
  }

  private static func advice(for user: UInt32?) -> String {
    guard let user else {
      return
        "the broker shows input only to the user whose session is on the screen: run this there"
        + " ('loginctl list-sessions' lists the sessions)"
    }
    let name = Users.name(user)
    return "the broker shows input only to \(name), whose session is on the screen: run this as"
      + " \(name), without sudo"
  }

  /// Monitors the granted part of `scope`.
  ///
  /// - Throws: ``ExitCode`` if nothing is granted. The reason has been reported.
  func monitor(_ scope: Scope) throws(ExitCode) -> GlobalEventMonitor {
    do throws(ClientError) {
      try request(scope)
      let monitor = try GlobalEventMonitor(scope, path: path)
      sayWhatIsLess(than: scope, monitor.verdict)
      return monitor
    } catch {
      throw BrokerOptions.report(error)
    }
  }

  private func request(_ scope: Scope) throws(ClientError) {
    let connection = try BrokerConnection(path: path)
    if try Self.covers(connection.preflight(scope), scope) { return }
    let (verdict, pending) = try Reminder.around { () throws(ClientError) in
      try connection.request(scope, reason: "to print them: gliss watch", timeout: nil)
    }
    guard verdict.standing != .granted else { return }
    guard let pending else {
      throw .notGranted(verdict.standing, advice: verdict.advice ?? "'gliss grants' lists what is")
    }
    let once = scope.tier == .raw ? " --expires once" : ""
    throw .notGranted(
      verdict.standing,
      advice: "allow request \(pending) with 'sudo gliss grants answer \(pending) --allow\(once)',"
        + " and then run this again")
  }

  /// Whether a request could add nothing.
  private static func covers(_ verdict: Verdict, _ scope: Scope) -> Bool {
    verdict.standing == .granted && verdict.entitlements.contains { $0.scope == scope }
  }

  private func sayWhatIsLess(than scope: Scope, _ verdict: Verdict) {
    guard !Self.covers(verdict, scope) else { return }
    let granted = verdict.entitlements.map { ScopeSentence.describe($0.scope) }
    Diagnostics.say("granted: \(granted.joined(separator: "; "))")
  }
}
