import ArgumentParser
import Glibc
import Gliss

/// Asks the broker for events, and whoever can grant them where nobody has.
struct BrokerAsking {
  let path: String

  /// Whether there seems to be a broker to ask; it is not disturbed.
  static var isThere: Bool { access(BrokerConnection.standardPath, R_OK | W_OK) == 0 }

  /// What the broker shows if nobody is asked for more.
  enum Standing {
    /// Nothing: there is no broker, or it has not granted all of it.
    case notGranted
    case shown
    /// Nothing, though all is granted: another user's session is on the screen. With what to do about it.
    case elsewhere(String)
  }

  func standing(for scope: Scope) -> Standing {
    guard let connection = try? BrokerConnection(path: path),
      let verdict = try? connection.preflight(scope), Self.covers(verdict, scope)
    else { return .notGranted }
    guard let seat = try? connection.status().seat else { return .shown }
    // root is told how the user at the screen is served
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

  /// What is granted of `scope`.
  ///
  /// - Throws: ``ExitCode`` where that is nothing; why has been said.
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

  /// Whether no more is to be had by asking.
  private static func covers(_ verdict: Verdict, _ scope: Scope) -> Bool {
    verdict.standing == .granted && verdict.entitlements.contains { $0.scope == scope }
  }

  private func sayWhatIsLess(than scope: Scope, _ verdict: Verdict) {
    guard !Self.covers(verdict, scope) else { return }
    let granted = verdict.entitlements.map { ScopeSentence.describe($0.scope) }
    Diagnostics.say("granted: \(granted.joined(separator: "; "))")
  }
}
