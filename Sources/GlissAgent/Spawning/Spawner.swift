import Glibc
import GlissConfiguration
import GlissDevices
import GlissEvents

/// Starts commands, enforces their limits, and reports how they ended.
///
/// It is used by one thread, which is not the one that handles events.
final class Spawner {
  /// A command that runs, or has left something behind that still has its standard error open.
  private final class Running {
    let child: ChildProcess
    let action: RuleAction
    let context: ActionContext
    /// When it is asked to end; once it was asked, when its group is killed.
    var deadline: EventTime?
    /// It was asked to end, because it has exceeded its time limit.
    var isLate = false
    var output: ErrorOutput
    /// The command itself has ended.
    var isOver = false
    /// It has ended, and its id may belong to another process.
    var isReaped = false
    var hasErrors = true
    /// The loop does not report its end.
    var isUnwatched = false

    init(
      _ child: ChildProcess, _ action: RuleAction, _ context: ActionContext,
      _ limit: EventInterval?, at time: EventTime
    ) {
      self.child = child
      self.action = action
      self.context = context
      deadline = limit.map { time + $0 }
      output = ErrorOutput(from: time)
    }
  }

  var didEndBadly: ((ActionRecord.ID, String) -> Void)?

  private let loop: InputLoop
  private let log: AgentLog
  private let commandEnvironment: CommandEnvironment
  private(set) var count: CommandCount
  private var limits: CommandLimits
  private var commands: [pid_t: Running] = [:]
  private var chunk = [UInt8](repeating: 0, count: 4096)

  /// From SIGTERM to SIGKILL.
  private static let grace = EventInterval.milliseconds(2000)

  init(
    _ loop: InputLoop, _ log: AgentLog, environment: [String], limits: CommandLimits
  ) {
    self.loop = loop
    self.log = log
    self.limits = limits
    commandEnvironment = CommandEnvironment(environment: environment)
    count = CommandCount(limit: limits.running)
  }

  func change(limits: CommandLimits) {
    self.limits = limits
    count.limit = limits.running
  }

  var folders: NamedFolders { commandEnvironment.folders }

  // MARK: Starting

  /// Starts `command`, unless too many run already.
  @discardableResult
  func start(_ command: Command, _ place: Place, for context: ActionContext) -> ActionRecord.Result
  {
    for running in commands.values where running.isUnwatched { checkEnd(of: running) }
    let action = RuleAction(rule: context.owner, place: place)
    if case .refused(let reason, let isNews) = count.admit(action, atOnce: command.atOnce) {
      if isNews { log.report(.warning, "\(context.rule): not started: \(reason)") }
      return .failed("not started: \(reason)")
    }
    do throws(ActionFailure) {
      let child = try spawn(command, context)
      let running = Running(child, action, context, limit(of: command), at: InputLoop.now)
      commands[child.pid] = running
      watch(running)
      return .done
    } catch {
      log.report(.error, "\(context.rule): \(error)")
      count.fail(action)
      return .failed(error.description)
    }
  }

  private func limit(of command: Command) -> EventInterval? {
    let milliseconds: Int? =
      switch command.time {
      case .standard: limits.milliseconds
      case .milliseconds(let own): own
      case .endless: nil
      }
    return milliseconds.map { .milliseconds(Double($0)) }
  }

  private func spawn(
    _ command: Command, _ context: ActionContext
  ) throws(ActionFailure) -> ChildProcess {
    let arguments: [String]
    switch command.program {
    case .arguments(let words): arguments = words.map(folders.expand)
    case .shell(let text): arguments = ["/bin/sh", "-c", text]
    }
    guard let name = arguments.first else { throw ActionFailure("there is no command") }
    let path = commandEnvironment.path(of: command)
    guard let program = ProgramSearch.path(of: name, in: path) else {
      throw ActionFailure("there is no program \(name) in \(path)")
    }
    return try ChildProcess.start(
      program, arguments, environment: commandEnvironment.environment(of: command, on: context),
      folder: command.folder.map(folders.expand) ?? folders.home, keepsOutput: log.isVerbose)
  }

  private func watch(_ running: Running) {
    do throws(SystemError) {
      try loop.watch(running.child.errors) { [unowned self] in readErrors(running) }
    } catch {
      running.hasErrors = false
      close(running.child.errors)
    }
    do throws(SystemError) {
      try loop.watch(running.child.descriptor) { [unowned self] in checkEnd(of: running) }
    } catch {
      running.isUnwatched = true
      say(.warning, "its end may be noticed late: \(error)", of: running)
    }
  }

  // MARK: Time

  var deadline: EventTime? {
    commands.values.reduce(nil) { .earlier($0, $1.deadline) }
  }

  func advance(to time: EventTime) {
    for running in commands.values {
      guard let due = running.deadline, due <= time else { continue }
      if !running.isLate {
        running.isLate = true
        running.deadline = time + Self.grace
        say(.warning, "exceeded its time limit and is asked to end", of: running)
        reportEnd(of: running, "exceeded its time limit")
        running.child.signalGroup(SIGTERM)
        continue
      }
      running.deadline = nil
      running.child.signalGroup(SIGKILL)
      if running.isOver {
        reap(running)
      } else {
        say(.warning, "did not end when it was asked to, and is killed", of: running)
      }
    }
  }

  // MARK: Ends

  private func checkEnd(of running: Running) {
    guard !running.isOver, running.child.hasEnded else { return }
    running.isOver = true
    if running.child.descriptor >= 0 {
      loop.unwatch(running.child.descriptor)
      close(running.child.descriptor)
    }
    // log its earlier output before its end
    readErrors(running)
    let leftOut = count.end(running.action)
    // If it was asked to end, so was the rest of its group, which has until the deadline. The
    // group's id is valid until the command is reaped.
    if !running.isLate || running.deadline == nil {
      running.deadline = nil
      let end = reap(running)
      // if we ended it, that was logged then
      if !running.isLate { report(end, of: running) }
    }
    if leftOut > 0 {
      say(.warning, "it was not started \(counted(leftOut, "time")) meanwhile", of: running)
    }
  }

  @discardableResult private func reap(_ running: Running) -> Launch.End? {
    running.isReaped = true
    defer { forget(running) }
    return running.child.reap()
  }

  private func report(_ end: Launch.End?, of running: Running) {
    let text: String
    switch end {
    case .status(0)?, nil: return
    case .status(let status)?: text = "ended with status \(status)"
    case .signal(let number)?:
      let words = strsignal(number).map { " (\(String(cString: $0)))" } ?? ""
      text = "was ended by signal \(number)\(words)"
    }
    say(.warning, text, of: running)
    reportEnd(of: running, text)
  }

  private func reportEnd(of running: Running, _ end: String) {
    if let record = running.context.record { didEndBadly?(record, end) }
  }

  private func readErrors(_ running: Running) {
    guard running.hasErrors else { return }
    // bounded, so that endless output does not starve other commands
    for _ in 0..<16 {
      let read = Glibc.read(running.child.errors, &chunk, chunk.count)
      if read < 0 { return }
      if read == 0 { return endErrors(running) }
      running.output.append(chunk[..<read], at: InputLoop.now) { say(.notice, $0, of: running) }
    }
  }

  private func endErrors(_ running: Running) {
    running.output.finish(at: InputLoop.now) { say(.notice, $0, of: running) }
    running.hasErrors = false
    loop.unwatch(running.child.errors)
    close(running.child.errors)
    forget(running)
  }

  private func say(_ priority: AgentLog.Priority, _ text: String, of running: Running) {
    log.report(priority, "\(running.context.rule): \(text)")
  }

  /// Forgets a command if its process was reaped and its standard error is closed.
  private func forget(_ running: Running) {
    if running.isReaped, !running.hasErrors, commands[running.child.pid] === running {
      commands[running.child.pid] = nil
    }
  }

  /// Nothing runs, and nothing that was started can write any more.
  var isIdle: Bool { commands.isEmpty }

  /// The agent ends. Running commands go on without it.
  func leave() {
    guard count.running > 0 else { return }
    log.report(
      .notice,
      count.running == 1
        ? "1 command still runs, and goes on by itself"
        : "\(count.running) commands still run, and go on by themselves")
  }
}

/// Counts running commands, and decides whether another may start.
struct CommandCount {
  enum Admission: Hashable {
    case granted
    /// `isNews` if this was not reported since the action last started one.
    case refused(String, isNews: Bool)
  }

  private struct Entry {
    var running = 0
    /// How many were refused while some ran.
    var leftOut = 0
    /// Whether one was refused since one was last started.
    var hasRefused = false
  }

  var limit: Int
  private(set) var running = 0
  /// How many were ever started, and how many were refused.
  private(set) var started = 0
  private(set) var leftOut = 0
  private var entries: [RuleAction: Entry] = [:]

  init(limit: Int) { self.limit = limit }

  /// Decides whether the action may start a command. If so, it counts as running.
  mutating func admit(_ action: RuleAction, atOnce: Int?) -> Admission {
    let known = entries[action] ?? Entry()
    if let reason = refusal(known, atOnce: atOnce) {
      leftOut += 1
      entries[action] = Entry(
        running: known.running, leftOut: known.leftOut + 1, hasRefused: true)
      return .refused(reason, isNews: !known.hasRefused)
    }
    running += 1
    started += 1
    entries[action] = Entry(
      running: known.running + 1, leftOut: known.running == 0 ? 0 : known.leftOut)
    return .granted
  }

  private func refusal(_ entry: Entry, atOnce: Int?) -> String? {
    if let atOnce, entry.running >= atOnce {
      return "\(atOnce) already running (atOnce)"
    }
    return running < limit ? nil : "\(counted(limit, "command")) already running (limits: running)"
  }

  mutating func fail(_ action: RuleAction) {
    started -= 1
    _ = end(action)
  }

  /// An admitted command has ended.
  ///
  /// - Returns: if it was the action's last running command, how many were refused while some ran,
  ///   otherwise 0.
  mutating func end(_ action: RuleAction) -> Int {
    guard let entry = entries[action], entry.running > 0 else { return 0 }
    running -= 1
    guard entry.running == 1 else {
      entries[action]?.running -= 1
      return 0
    }
    entries[action] = nil
    return entry.leftOut
  }
}

/// Turns what a command writes to standard error into lines, limited to what a log can bear.
struct ErrorOutput {
  /// Output is limited to bursts of this many lines, and to this many lines a second after that.
  static let burst = 20.0
  static let rate = 2.0
  /// The most lines of one command, however long it runs.
  static let lines = 500
  static let length = 500

  private var line: [UInt8] = []
  private var allowance = ErrorOutput.burst
  private var last: EventTime
  private var written = 0
  private var leftOut = 0

  init(from time: EventTime) { last = time }

  mutating func append(
    _ bytes: some Collection<UInt8>, at time: EventTime, _ write: (String) -> Void
  ) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        end(at: time, write)
      } else if line.count <= Self.length {
        line.append(byte)
      }
    }
  }

  mutating func finish(at time: EventTime, _ write: (String) -> Void) {
    if !line.isEmpty { end(at: time, write) }
    writeLeftOut(write)
  }

  private mutating func end(at time: EventTime, _ write: (String) -> Void) {
    defer { line.removeAll(keepingCapacity: true) }
    let text = line.prefix(Self.length)
    if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { return }
    allowance = min(Self.burst, allowance + max(0, (time - last).seconds) * Self.rate)
    last = max(last, time)
    guard allowance >= 1, written < Self.lines else {
      leftOut += 1
      return
    }
    writeLeftOut(write)
    allowance -= 1
    written += 1
    write(String(decoding: text, as: UTF8.self) + (line.count > Self.length ? " …" : ""))
  }

  private mutating func writeLeftOut(_ write: (String) -> Void) {
    guard leftOut > 0 else { return }
    write("(\(counted(leftOut, "more line")) left out)")
    leftOut = 0
  }
}
