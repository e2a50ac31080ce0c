import GlissClient
import GlissConfiguration
import GlissDevices
import GlissEvents
import GlissHotkeys

/// Carries out rules. Mode changes take effect at once; all other actions are handed to another
/// thread.
final class LiveActor {
  /// Called with the mode that a rule has entered, or `nil` if a mode was left.
  var didChangeMode: ((String?) -> Void)?
  /// Returns a device's name.
  var deviceName: (DeviceID) -> String = { _ in "" }
  /// Presses keys at once if that does not block. If it cannot press, another thread does.
  var keys: KeyPresser
  /// The current mode.
  var mode: String?

  /// What became of the actions.
  private(set) var actionLog = ActionLog()

  private let worker: ActionWorker
  private let log: AgentLog
  private var configuration = Configuration()
  private var turns = Turns()

  init(_ worker: ActionWorker, log: AgentLog, press: PressKeys? = nil) {
    self.worker = worker
    self.log = log
    keys = KeyPresser(log, press)
  }

  /// Sets the rules that activations refer to from now on.
  func take(_ configuration: Configuration) {
    self.configuration = configuration
    turns = Turns()
    worker.add(.limit(configuration.limits))
  }

  /// Called on the thread that handles events. It does not block.
  func act(on activation: Activation) {
    guard configuration.rules.indices.contains(activation.rule), activation.moment.times > 0 else {
      return
    }
    let actions = configuration.actions(of: activation)
    if actions.isEmpty { return }
    let rule = configuration.rules[activation.rule]
    let context = ActionContext(
      activation, rule: rule.label, hotkey: rule.hotkey, mode: mode,
      device: deviceName(activation.cause.event.device))
    if log.isVerbose { report(context) }
    for action in actions { perform(action, of: rule, context) }
  }

  // MARK: What came of it

  /// Records why none of the activation's actions is carried out.
  func skip(_ activation: Activation, because reason: String) {
    let actions = configuration.actions(of: activation)
    if actions.isEmpty || activation.moment.times == 0 { return }
    let rule = configuration.rules[activation.rule]
    let isNews = actionLog.noteLate(activation)
    for action in actions {
      // what is held is still released
      if case .letGo = action.verb { continue }
      let id = actionLog.ask(action, of: rule, for: activation)
      actionLog.note(.failed(reason), times: activation.moment.times, of: id)
    }
    if isNews { log.report(.warning, "\(rule.label): not done: \(reason)") }
  }

  /// Records that input was lost.
  func note(_ loss: LossEvent, of device: String) {
    guard actionLog.note(loss, of: device), let report = actionLog.losses.last else { return }
    log.report(.warning, report.sentence)
  }

  /// Records the results that have arrived, and forgets records that can no longer be asked about.
  ///
  /// - Parameters:
  ///   - strokes: the gestures that are kept.
  ///   - newest: the number of the last gesture or press.
  func settle(_ strokes: [MatchedGesture], newest: UInt64) {
    for (id, result, times) in worker.takeResults() {
      actionLog.note(result, times: times, of: id)
    }
    actionLog.forget(but: strokes, newest: newest)
  }

  private func perform(_ action: Action, of rule: Rule, _ context: ActionContext) {
    let times = context.activation.moment.times
    var context = context
    if case .turns(let all) = action.verb {
      context.activation.moment = context.activation.moment.once
      for _ in 0..<times {
        for action in turns.next(of: all, at: action.place) { perform(action, of: rule, context) }
      }
      return
    }
    let record = actionLog.ask(action, of: rule, for: context.activation)
    context.record = record
    if case .mode(let mode) = action.verb {
      actionLog.note(.done, times: times, of: record)
      guard mode != self.mode else { return }
      self.mode = mode
      didChangeMode?(mode)
    } else if keys.press != nil, let order = KeyOrder(action.verb, for: context.activation) {
      keys.carryOut(order, times: times, for: context.rule) {
        actionLog.note($0, times: $1, of: record)
      }
    } else if !worker.add(.act(action, times: times, context)) {
      actionLog.note(.failed("more came than can be done"), times: times, of: record)
    }
  }

  private func report(_ context: ActionContext) {
    let times = context.activation.moment.times
    let late = InputLoop.now - context.activation.time
    worker.add(
      .log(
        .info,
        "\(context.rule): \(context.activation.moment.name)"
          + (times > 1 ? " × \(times)" : "") + ", \(late.microseconds) µs after the event"))
  }
}

/// Whose turn it is among actions that take turns, by their place in the file.
struct Turns {
  private var next: [Place: Int] = [:]

  mutating func next(of turns: [[Action]], at place: Place) -> [Action] {
    guard !turns.isEmpty else { return [] }
    let turn = next[place, default: 0] % turns.count
    next[place] = turn + 1
    return turns[turn]
  }
}

extension Activation.Moment {
  /// A single step.
  fileprivate var once: Activation.Moment {
    switch self {
    case .forward(let step, _): .forward(step: step, count: 1)
    case .back(let step, _): .back(step: step, count: 1)
    case .begin, .change, .end, .cancel, .release: self
    }
  }
}

extension Activation.Cause {
  var event: InputEvent {
    switch self {
    case .gesture(let gesture): .gesture(gesture)
    case .hotkey(let hotkey): .hotkey(hotkey)
    }
  }
}
