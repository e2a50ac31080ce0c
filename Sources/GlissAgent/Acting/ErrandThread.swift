import GlissBroker
import GlissClient
import GlissConfiguration
import GlissDevices
import GlissEvents
import GlissHotkeys
import Synchronization

/// Carries out actions on its own thread, in the order requested. A request costs one lock and, if
/// the thread sleeps, one write.
final class ErrandThread: Sendable {
  /// What the thread needs to know about its environment.
  struct Surroundings: Sendable {
    var environment: [String]
    var limits: CommandLimits
    /// The address of the session bus; `nil` if there is none.
    var bus: String?
    var runtimeFolder: String?
    /// The broker that presses keys; `nil` if pressing keys is not done on this thread.
    var broker: String?
  }

  /// The figures that `gliss status` shows.
  struct Report: Sendable {
    var running = 0
    var started = 0
    var leftOut = 0
  }

  private let queue = ErrandQueue()
  private let results = DeedResults()
  // other threads only call `wake`, which is safe from any thread
  private nonisolated(unsafe) let loop: EventLoop
  private let ended = Places(0)
  private let shared = Mutex(Report())

  /// - Parameter press: replaces the broker in tests.
  init(
    _ surroundings: Surroundings, log: AgentLog,
    press: (@Sendable ([Chord]) throws(KeyRefusal) -> Void)? = nil
  ) throws(SystemError) {
    loop = try EventLoop()
    do throws(ClientError) {
      try ReaderThread.start { [self] in
        ErrandRunner(loop, surroundings, log, press, results).run(queue) { report in
          shared.withLock { $0 = report }
        }
        ended.giveBack()
      }
    } catch {
      throw SystemError("thread", error.description)
    }
  }

  /// - Returns: `false` if there is no room for it.
  @discardableResult
  func add(_ errand: Errand) -> Bool {
    switch queue.append(errand) {
    case .first: loop.wake()
    case .behindOthers: break
    case .leftOut: return false
    }
    return true
  }

  /// The results since the last call.
  func takeResults() -> [(Deed.ID, Deed.Result)] { results.take() }

  /// The figures so far.
  var report: Report { shared.withLock { $0 } }

  /// Carries out everything queued, then returns. Running commands go on.
  func finish() {
    queue.end()
    loop.wake()
    ended.take()
  }
}

/// Results on their way back. They wake nobody: they are taken when someone asks for them, or
/// before more actions are carried out.
private final class DeedResults: Sendable {
  /// If this many are waiting, the older half is dropped.
  private static let capacity = 4096
  private let waiting = Mutex<[(Deed.ID, Deed.Result)]>([])

  func add(_ id: Deed.ID?, _ result: Deed.Result) {
    guard let id else { return }
    waiting.withLock { waiting in
      if waiting.count == Self.capacity { waiting.removeFirst(Self.capacity / 2) }
      waiting.append((id, result))
    }
  }

  func take() -> [(Deed.ID, Deed.Result)] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}

/// The part that runs on the thread.
private final class ErrandRunner {
  private let loop: EventLoop
  private let log: AgentLog
  private let press: PressChords?
  private let spawner: Spawner
  private let notifier: Notifier
  private let emitter: Emitter
  private let results: DeedResults
  private var refusals: Set<String> = []
  /// Errands dropped because the queue was full.
  private var leftOut = 0

  init(
    _ loop: EventLoop, _ surroundings: ErrandThread.Surroundings, _ log: AgentLog,
    _ press: PressChords?, _ results: DeedResults
  ) {
    self.results = results
    self.loop = loop
    self.log = log
    self.press = press ?? surroundings.broker.map { BrokerKeys($0).press }
    spawner = Spawner(
      loop, log, environment: surroundings.environment, limits: surroundings.limits)
    notifier = Notifier(loop, log, address: surroundings.bus)
    emitter = Emitter(log, home: spawner.home, runtimeFolder: surroundings.runtimeFolder)
    spawner.didEndBadly = { [results] in results.add($0, .ended($1)) }
    notifier.didEnd = { [results] in results.add($0, $1) }
  }

  func run(_ queue: ErrandQueue, _ tell: (ErrandThread.Report) -> Void) {
    var isOver = false
    while !isOver {
      do throws(DeviceError) {
        try loop.wait(until: .earlier(spawner.deadline, notifier.deadline))
      } catch {
        log.say(.error, "actions are not done any more: \(error)")
        return
      }
      let (errands, missed) = queue.take()
      for errand in errands { isOver = perform(errand) || isOver }
      leftOut += missed
      if missed > 0 {
        log.say(.warning, "\(missed) actions were left out: more were asked for than can be done")
      }
      let now = EventLoop.now
      spawner.advance(to: now)
      notifier.advance(to: now)
      let count = spawner.count
      tell(
        ErrandThread.Report(
          running: count.running, started: count.started, leftOut: count.leftOut + leftOut))
    }
    spawner.leave()
    notifier.close()
  }

  /// - Returns: whether it was the last errand.
  private func perform(_ errand: Errand) -> Bool {
    switch errand {
    case .run(let command, let place, let times, let occasion):
      for _ in 0..<times {
        results.add(occasion.deed, spawner.start(command, place, for: occasion))
      }
    case .press(let chords, let times, let occasion):
      for _ in 0..<times { results.add(occasion.deed, press(chords, occasion)) }
    case .notify(let summary, let body, let place, let occasion):
      notifier.notify("\(place)", summary, body, as: occasion.rule, occasion.deed)
    case .emit(let emission, let event, let device, let times, let occasion):
      for _ in 0..<times {
        results.add(occasion.deed, emitter.emit(emission, event, device, occasion))
      }
    case .say(let priority, let text): log.say(priority, text)
    case .announce(let topic, let summary, let body):
      notifier.notify(topic, summary, body, as: nil)
    case .limit(let limits): spawner.change(limits: limits)
    case .end: return true
    }
    return false
  }

  private func press(_ chords: [Chord], _ occasion: Occasion) -> Deed.Result {
    do throws(KeyRefusal) {
      guard let press else { throw KeyRefusal("there is no keyboard to press them on") }
      try press(chords)
      refusals.remove(occasion.rule)
      return .done
    } catch {
      // the same failure would recur every time, so it is logged once per rule
      if refusals.insert(occasion.rule).inserted {
        log.say(.error, "\(occasion.rule): its keys are not pressed: \(error)")
      }
      return .failed(error.description)
    }
  }
}

/// Work that would take too long on the event thread.
enum Errand: Sendable {
  case run(Command, Place, times: Int, Occasion)
  case press([Chord], times: Int, Occasion)
  case notify(summary: String, body: String?, Place, Occasion)
  /// The event and its device are written if the emission has no line of its own.
  case emit(Emission, InputEvent, device: String, times: Int, Occasion)
  case say(AgentLog.Priority, String)
  /// A message from the agent itself. It replaces the previous one with the same topic.
  case announce(topic: String, summary: String, body: String?)
  case limit(CommandLimits)
  case end
}

extension Errand {
  /// Limits stay in force until the next ones, and there is one such errand per reload.
  fileprivate var mustNotBeLost: Bool {
    switch self {
    case .limit, .end: true
    case .run, .press, .notify, .emit, .say, .announce: false
    }
  }
}

/// Passes errands from one thread to another. It never blocks: errands that do not fit are dropped
/// and counted.
final class ErrandQueue: Sendable {
  private struct State {
    var errands: [Errand] = []
    var leftOut = 0
  }

  static let capacity = 512
  private let state = Mutex(State())

  /// What became of an errand that was to be queued.
  enum Admission {
    /// The other thread must be woken.
    case first
    case behindOthers
    case leftOut
  }

  func append(_ errand: Errand) -> Admission {
    state.withLock { state in
      guard state.errands.count < Self.capacity || errand.mustNotBeLost else {
        state.leftOut += 1
        return .leftOut
      }
      state.errands.append(errand)
      return state.errands.count == 1 ? .first : .behindOthers
    }
  }

  /// Appends the final errand. There is always room for it.
  func end() { state.withLock { $0.errands.append(.end) } }

  /// Takes all queued errands, and the number dropped since the last call.
  func take() -> (errands: [Errand], leftOut: Int) {
    state.withLock { state in
      defer { state = State() }
      return (state.errands, state.leftOut)
    }
  }
}
