import Glibc
import GlissBroker
package import GlissClient
import GlissConfiguration
import GlissDevices
package import GlissEvents
import GlissGate

/// The command `gliss run`, from its options to its exit.
package enum AgentRun {
  /// Runs until a signal or a call ends it, and logs what happens.
  ///
  /// - Returns: 0 if a signal or call ended it, 1 if it cannot run, 129 if its terminal went away.
  package static func run(_ options: AgentOptions) -> Int32 {
    do {
      let folder = try RuntimeFolder.make()
      let lock = try InstanceLock(
        folder.lock,
        as: InstanceLock.holder(
          pid: getpid(), since: WallTime.now.seconds, files: options.source.files))
      // the ends of children are reported by pidfds; the kernel must not reap them for us
      signal(SIGCHLD, SIG_DFL)
      signal(SIGPIPE, SIG_IGN)
      let first = LoadedRules(options.source.read(), at: WallTime.now.seconds)
      let feed: any Feed
      do {
        feed = try openFeed(options.route, options.socket, options.log) {
          InputNeeds(first.configuration, namesKeyboards: $0)
        }
      } catch {
        for mistake in first.mistakes { options.log.report(.error, mistake) }
        throw error
      }
      let agent = try Agent(options, folder, feed, first)
      try withExtendedLifetime(lock) { try agent.run() }
      return agent.isHungUp ? 128 + SIGHUP : 0
    } catch {
      options.log.report(.error, "\(error)")
      return 1
    }
  }

  /// Opens the source of input.
  ///
  /// - Parameter needs: what to request first, given whether the feed names keyboards.
  static func openFeed(
    _ route: AgentOptions.Route, _ socket: String, _ log: AgentLog,
    _ needs: (_ namesKeyboards: Bool) -> InputNeeds
  ) throws -> any Feed {
    if try usesBroker(route, socket, log) {
      return BrokerFeed(socket, on: try InputLoop(), log, needs(false))
    }
    return try DeviceFeed(log, needs(true))
  }

  /// - Throws: if neither the broker nor devices are available.
  static func usesBroker(
    _ route: AgentOptions.Route, _ socket: String, _ log: AgentLog
  ) throws(SystemError) -> Bool {
    switch route {
    case .broker: return true
    case .devices: return false
    case .automatic: break
    }
    do throws(ClientError) {
      try BrokerConnection(path: socket).close()
      return true
    } catch {
      guard DeviceFeed.mayRead else {
        let reason =
          switch error {
          case .noBroker(_, ENOENT), .noBroker(_, ECONNREFUSED): "no broker runs at \(socket)"
          case _: "no broker answers (\(error))"
          }
        throw SystemError(
          "input", "\(reason), and no device can be read",
          advice: "'gliss doctor' says how to change either")
      }
      log.report(
        .notice, "no broker answers at \(socket): this process reads the devices itself")
      return false
    }
  }
}

package struct AgentOptions {
  package enum Route: Sendable {
    /// The broker if its socket answers, devices otherwise.
    case automatic
    case broker
    case devices
  }

  package var source: ConfigurationFiles
  package var route = Route.automatic
  package var socket: String
  package var log: AgentLog

  package init(_ source: ConfigurationFiles, socket: String, log: AgentLog) {
    self.source = source
    self.socket = socket
    self.log = log
  }
}

/// The agent's log: one line per message, on standard error, from any thread.
package struct AgentLog: Sendable {
  /// The priorities of syslog(3), as the journal reads them.
  package enum Priority: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    /// Logged only if verbose.
    case info = 6
  }

  /// Also logs each activation.
  package let isVerbose: Bool
  private let write: @Sendable (Priority, String) -> Void

  package init(isVerbose: Bool = false, _ write: @escaping @Sendable (Priority, String) -> Void) {
    self.isVerbose = isVerbose
    self.write = write
  }

  /// Logs to standard error. Lines have a priority if it leads to the journal, and our name
  /// otherwise.
  ///
  /// - Parameter spelling: rewrites a text in characters that the reader's terminal can show.
  package static func standard(
    isVerbose: Bool, spelling: @escaping @Sendable (String) -> String = { $0 }
  ) -> AgentLog {
    AgentLog(isVerbose: isVerbose) { priority, text in
      StandardError.write(spelling(text), from: "gliss", priority: priority.rawValue)
    }
  }

  /// Logs `text` without control characters that a terminal would act on.
  package func report(_ priority: Priority, _ text: String) {
    guard isVerbose || priority != .info else { return }
    write(priority, text.printable)
  }
}

/// The answer to the call Status.
package struct AgentStatus: Hashable, Sendable {
  /// The agent's own answer. Members that an older agent does not know are missing.
  package let json: JSON

  package init?(_ json: JSON) {
    guard json["version"]?.string != nil, json["pid"]?.integer != nil,
      json["since"]?.integer != nil, json["route"]?.string != nil
    else { return nil }
    self.json = json
  }

  package var version: String { json["version"]?.string ?? "" }
  package var pid: Int64 { json["pid"]?.integer ?? 0 }
  /// Seconds since 1970.
  package var since: Int64 { json["since"]?.integer ?? 0 }
  /// `broker` or `devices`.
  package var route: String { json["route"]?.string ?? "" }
  package var isConnected: Bool { json["connected"]?.bool ?? false }
  /// Keyboards that it has grabbed in order to keep hotkeys from the rest of the desktop.
  package var grabbed: [String] { json.texts("grabbed") }
  package var files: [String] { json.texts("files") }
  package var gestures: Int64 { json["gestures"]?.integer ?? 0 }
  package var hotkeys: Int64 { json["hotkeys"]?.integer ?? 0 }
  package var mode: String? { json["mode"]?.string }
  package var mistakes: [String] { json.texts("mistakes") }
  package var problems: [String] { json.texts("problems") }
  /// Those that keep it from consuming strokes.
  package var takingProblems: [String] {
    problems.filter { $0.contains(InputNeeds.strokesArrive) }
  }
  package var running: Int64 { json["commands"]?["running"]?.integer ?? 0 }
  package var started: Int64 { json["commands"]?["started"]?.integer ?? 0 }
  package var leftOut: Int64 { json["commands"]?["leftOut"]?.integer ?? 0 }
}

extension JSON {
  /// The strings of a list. Whatever else is in it is left out.
  fileprivate func texts(_ name: String) -> [String] {
    (self[name]?.array ?? []).compactMap(\.string)
  }
}

package struct AgentConnection {
  /// The path of its socket; `nil` if there is no runtime folder.
  package static var standardPath: String? {
    RuntimeFolder.standardBase.map { RuntimeFolder(base: $0).socket }
  }

  private let connection: BrokerConnection

  /// - Throws: ``GlissClient/ClientError/noBroker(path:code:)`` if no agent runs.
  package init(path: String) throws(ClientError) { connection = try BrokerConnection(path: path) }

  package func status() throws(ClientError) -> AgentStatus {
    let answer = try connection.call("org.gliss.Agent.Status")
    guard let status = AgentStatus(answer) else { throw .malformed("its answer is not a status") }
    return status
  }

  package func reload() throws(ClientError) -> (isTaken: Bool, mistakes: [String]) {
    let answer = try connection.call("org.gliss.Agent.Reload")
    guard let isTaken = answer["taken"]?.bool else {
      throw .malformed("its answer does not say whether the rules were taken")
    }
    return (isTaken, answer.texts("mistakes"))
  }

  /// The last strokes and hotkeys, and lost input, in the JSON form of the interface
  /// (``WhyReport``).
  package func why() throws(ClientError) -> JSON { try connection.call("org.gliss.Agent.Why") }

  package func stop() throws(ClientError) { _ = try connection.call("org.gliss.Agent.Stop") }
}
