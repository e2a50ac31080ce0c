import GlissBroker
import GlissClient
package import GlissConfiguration
import GlissDevices
package import GlissEvents
package import GlissFocus
import Synchronization

/// Carries out actions on its own thread, in the order requested. A request costs one lock and, if
/// the thread sleeps, one write.
final class ActionWorker: Sendable {
  struct Context: Sendable {
    var environment: [String]
    /// The address of the session bus; `nil` without one.
    var bus: String?
    var runtimeFolder: String?
    /// The broker that presses keys; `nil` if this thread does not press keys.
    var broker: String?
  }

  let queue = ActionQueue()
  // other threads only call `wake`, which is safe from any thread
  private nonisolated(unsafe) let loop: InputLoop
  private let ended = Places(0)

  /// - Parameter press: replaces the broker in tests.
  init(
    _ context: Context, log: AgentLog,
    press: (@Sendable (KeyOrder) throws(ActionFailure) -> Void)? = nil
  ) throws(SystemError) {
    loop = try InputLoop()
    let code = BackgroundThread.start { [self] in
      ActionWorkerLoop(loop, context, log, press, queue).run()
      ended.giveBack()
    }
    guard code == 0 else { throw SystemError("thread", failed: code) }
  }

  /// - Returns: `false` if there is no room for it.
  @discardableResult
  func add(_ request: ActionRequest) -> Bool {
    let place = queue.append(request)
    // behind others the thread is awake already
    if place == 1 { loop.wake() }
    return place != nil
  }

  /// Carries out everything queued, then returns. Running commands go on.
  func finish() {
    add(.end)
    ended.take()
  }
}

private final class ActionWorkerLoop {
  private let loop: InputLoop
  private let log: AgentLog
  private var keys: KeyPresser
  private let spawner: Spawner
  private let notifier: Notifier
  private let emitter: Emitter
  private let queue: ActionQueue
  private let desktop: DesktopRequests
  private var leftOut = 0

  init(
    _ loop: InputLoop, _ context: ActionWorker.Context, _ log: AgentLog,
    _ press: PressKeys?, _ queue: ActionQueue
  ) {
    self.queue = queue
    self.loop = loop
    self.log = log
    keys = KeyPresser(log, press ?? context.broker.map { BrokerKeys($0).carryOut })
    spawner = Spawner(
      loop, log, environment: context.environment, limits: CommandLimits())
    notifier = Notifier(loop, log, address: context.bus)
    var folders = spawner.folders
    folders.runtime = context.runtimeFolder ?? folders.runtime
    emitter = Emitter(log, folders)
    desktop = DesktopRequests(loop, log) { DesktopEnvironment.current.actionChoices }
    spawner.didEndBadly = { [queue] in queue.add($0, .ended($1)) }
    desktop.didEnd = { [queue] in queue.add($0, $1) }
    notifier.didEnd = { [queue] in queue.add($0, $1) }
  }

  func run() {
    var isOver = false
    while !isOver {
      do throws(SystemError) {
        try loop.wait(until: spawner.deadline)
      } catch {
        log.report(.error, "actions are no longer carried out: \(error)")
        return
      }
      let (requests, missed) = queue.takeRequests()
      for request in requests { isOver = perform(request) || isOver }
      leftOut += missed
      if missed > 0 {
        log.report(
          .warning, "too many actions are waiting: \(counted(missed, "action")) skipped")
      }
      spawner.advance(to: InputLoop.now)
      let count = spawner.count
      queue.report = (count.running, count.started, count.leftOut + leftOut)
    }
    spawner.leave()
    notifier.close()
  }

  /// - Returns: whether it was the last request.
  private func perform(_ request: ActionRequest) -> Bool {
    switch request {
    case .act(let action, let times, let context): perform(action, times, context)
    case .log(let priority, let text): log.report(priority, text)
    case .announce(let summary, let body): notifier.notify("rules", summary, body, as: nil)
    case .limit(let limits): spawner.change(limits: limits)
    case .end: return true
    }
    return false
  }

  private func perform(_ action: Action, _ times: Int, _ context: ActionContext) {
    if let order = KeyOrder(action.verb, for: context.activation) {
      return keys.carryOut(order, times: times, for: context.rule) {
        queue.add(context.record, $0, times: $1)
      }
    }
    switch action.verb {
    case .run(let command):
      for _ in 0..<times {
        queue.add(context.record, spawner.start(command, action.place, for: context))
      }
    case .notify(let summary, let body):
      // each would replace the one before
      queue.add(context.record, .done, times: times - 1)
      notifier.notify(
        "\(RuleAction(rule: context.owner, place: action.place))", summary, body, as: context.rule,
        context.record)
    case .emit(let emission):
      for _ in 0..<times { queue.add(context.record, emitter.emit(emission, context)) }
    case .desktop(let action): for _ in 0..<times { desktop.perform(action, context) }
    // `mode` and `turns` are the event thread's; keys and motion were handled above
    case .keys, .hold, .letGo, .move, .mode, .turns: break
    }
  }
}

/// Work that would take too long on the event thread.
enum ActionRequest: Sendable {
  case act(Action, times: Int, ActionContext)
  case log(AgentLog.Priority, String)
  /// A message from the agent itself about its rules. It replaces the previous one.
  case announce(summary: String, body: String?)
  case limit(CommandLimits)
  case end
}

extension ActionRequest {
  /// Whether there is always room for it. Limits stay in force until the next ones, and there is
  /// one such request per reload. A key that is not released stays down.
  fileprivate var mustNotBeLost: Bool {
    switch self {
    case .act(let action, _, _): if case .letGo = action.verb { true } else { false }
    case .limit, .end: true
    case .log, .announce: false
    }
  }
}

/// Passes requests to the thread, and results back. It never blocks: requests that do not fit are
/// dropped and counted. Results wake nobody: they are taken when someone asks for them, or before
/// more actions are carried out.
final class ActionQueue: Sendable {
  typealias Entry = (ActionRecord.ID, ActionRecord.Result, times: Int)
  typealias Report = (running: Int, started: Int, leftOut: Int)

  private struct State {
    var requests: [ActionRequest] = []
    var leftOut = 0
    var results: [Entry] = []
    var report: Report = (0, 0, 0)
  }

  static let capacity = 512
  /// If this many results are waiting, the older half is dropped.
  private static let mostResults = 4096
  private let state = Mutex(State())

  /// Returns its place in the queue, from 1 on; `nil` if there is no room for it.
  func append(_ request: ActionRequest) -> Int? {
    state.withLock { state in
      guard state.requests.count < Self.capacity || request.mustNotBeLost else {
        state.leftOut += 1
        return nil
      }
      state.requests.append(request)
      return state.requests.count
    }
  }

  /// Takes all queued requests, and the number dropped since the last call.
  func takeRequests() -> (requests: [ActionRequest], leftOut: Int) {
    state.withLock { state in
      defer { (state.requests, state.leftOut) = ([], 0) }
      return (state.requests, state.leftOut)
    }
  }

  func add(_ id: ActionRecord.ID?, _ result: ActionRecord.Result, times: Int = 1) {
    guard let id, times > 0 else { return }
    state.withLock { state in
      if state.results.count == Self.mostResults {
        state.results.removeFirst(Self.mostResults / 2)
      }
      state.results.append((id, result, times))
    }
  }

  func takeResults() -> [Entry] {
    state.withLock { state in
      defer { state.results = [] }
      return state.results
    }
  }

  /// The numbers of commands that `gliss status` shows.
  var report: Report {
    get { state.withLock { $0.report } }
    set { state.withLock { $0.report = newValue } }
  }
}

/// Asks the desktop for what rules want of it, and reports what came of it.
final class DesktopRequests {
  var didEnd: ((ActionRecord.ID?, ActionRecord.Result) -> Void)?

  private let log: AgentLog
  private let actor: Result<DesktopActor, SystemError>
  /// The failures already logged, by rule and action. They would recur with every gesture.
  private var reported: Set<String> = []

  init(_ loop: InputLoop, _ log: AgentLog, choosing choices: @escaping () -> [ActionChoice]) {
    self.log = log
    actor = Result { () throws(SystemError) in try DesktopActor(on: loop, choosing: choices) }
  }

  func perform(_ action: DesktopAction, _ context: ActionContext) {
    switch actor {
    case .failure(let error): end(action, context, error.description)
    case .success(let actor):
      actor.perform(action) { [weak self] in
        switch $0 {
        case .success: self?.end(action, context, nil)
        case .failure(let failure): self?.end(action, context, failure.description)
        }
      }
    }
  }

  /// - Parameter failure: why it is not done; `nil` if it is.
  private func end(_ action: DesktopAction, _ context: ActionContext, _ failure: String?) {
    let what = "\(context.rule): \(action.written)"
    if let failure, reported.insert(what).inserted {
      log.report(.error, "\(what) is not done: \(failure)")
    } else if failure == nil {
      reported.remove(what)
    }
    didEnd?(context.record, failure.map(ActionRecord.Result.failed) ?? .done)
  }
}

extension Configuration {
  /// Whether a rule or profile asks for the application of this window. A profile's settings apply
  /// only if this process reads the devices.
  package func asks(for window: FollowedWindow, appliesSettings: Bool = true) -> Bool {
    rules.contains { $0.application?.window == window }
      || appliesSettings && profiles.contains { $0.application?.window == window }
  }

  package var asksDesktop: Bool {
    rules.contains { rule in
      rule.reactions.actions.contains { if case .desktop = $0.verb { true } else { false } }
    }
  }
}

extension FocusKind {
  /// An error for each action that this desktop does not do.
  package func mistakes(in rules: [Rule]) -> [Mistake] {
    rules.flatMap { rule in
      rule.reactions.actions.compactMap { action in
        guard case .desktop(let wanted) = action.verb, let refusal = refusal(of: wanted) else {
          return nil
        }
        return Mistake("\(wanted.written) does nothing here: \(refusal)", at: action.place)
      }
    }
  }
}
