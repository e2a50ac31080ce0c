import Glibc
import GlissBroker
import GlissClient
import GlissConfiguration
import GlissDevices
import GlissEvents
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
      let (host, feed): (any AgentHost, any Feed)
      do {
        (host, feed) = try openFeed(options.route, options.socket, options.log) {
          InputNeeds(first.configuration, namesKeyboards: $0)
        }
      } catch {
        for mistake in first.mistakes { options.log.report(.error, mistake) }
        throw error
      }
      let agent = try Agent(options, folder, host, feed, first)
      try withExtendedLifetime(lock) { try agent.run() }
      return agent.isHungUp ? 128 + SIGHUP : 0
    } catch {
      options.log.report(.error, "\(error)")
      return 1
    }
  }

  /// Opens the source of input, and the loop that it runs on.
  ///
  /// - Parameter needs: what to request first, given whether the feed names keyboards.
  static func openFeed(
    _ route: AgentOptions.Route, _ socket: String, _ log: AgentLog,
    _ needs: (_ namesKeyboards: Bool) -> InputNeeds
  ) throws -> (any AgentHost, any Feed) {
    if try usesBroker(route, socket, log) {
      let host = try LoopHost()
      return (host, BrokerFeed(socket, on: host.loop, log, needs(false)))
    }
    let feed = try DeviceFeed(log, needs(true))
    return (feed, feed)
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

/// Runs the agent's event loop, with an alarm.
protocol AgentHost: BrokerHost {
  func turn() throws(SystemError)
  /// Makes ``turn()`` return.
  func stop()
}

/// A loop of the agent's own, for when another process reads the devices.
final class LoopHost: AgentHost {
  let loop: InputLoop
  var alarm: EventTime?
  var didRing: (() -> Void)?

  init() throws(SystemError) { loop = try InputLoop() }

  func stop() { loop.stop() }

  func turn() throws(SystemError) {
    while !loop.isStopping {
      try loop.wait(until: alarm)
      guard let due = alarm, due <= InputLoop.now else { continue }
      alarm = nil
      didRing?()
    }
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
