import GlissConfiguration
import GlissDevices
import GlissEvents

/// Applies the rules to what a feed reports, and has the resulting actions carried out. Mode
/// changes take effect at once, and keys are pressed at once if that does not block; another thread
/// does the rest.
///
/// Rules can be replaced at any time. What the old rules have begun is ended first. Nothing here
/// blocks.
final class RuleEngine {
  /// The source of input, which follows the rules' mode, focus and strokes.
  var feed: (any Feed)?
  /// Presses keys at once if that does not block. If it cannot press, another thread does.
  var keys: KeyPresser

  private let worker: ActionWorker
  private let log: AgentLog
  private let now: () -> EventTime
  private var machine: RuleMachine
  private var devices: [DeviceID: RuleDevice] = [:]
  private var timeliness = TimelinessMachine()
  private var turns = Turns()
  private var actionLog = ActionLog()
  private var taken = (now: FingerCounts(), ever: FingerCounts())
  private var isLingering = false

  /// - Parameter now: the time at which input that was read is acted on.
  init(
    _ worker: ActionWorker, _ log: AgentLog, press: PressKeys? = nil,
    _ configuration: Configuration, appliesSettings: Bool,
    now: @escaping () -> EventTime = { InputLoop.now }
  ) {
    self.worker = worker
    self.log = log
    self.now = now
    keys = KeyPresser(log, press)
    machine = RuleMachine(RuleTable(configuration, appliesSettings: appliesSettings))
    worker.add(.limit(configuration.limits))
  }

  private var configuration: Configuration { machine.table.configuration }
  var mode: String? { machine.mode }
  var focus: RuleFocus { machine.focus }

  /// Gestures and presses belong to this window from now on.
  func focus(on window: RuleFocus.Window?, as matched: FollowedWindow, isKnown: Bool = true) {
    machine.focus(on: window, as: matched, isKnown: isKnown)
    feed?.focus(on: window, as: matched)
    reportTaken()
  }

  /// Reports to the feed which strokes rules keep from the desktop, if that has changed.
  func reportTaken() {
    let new = (now: machine.taken, ever: machine.table.everTaken)
    guard new != taken else { return }
    taken = new
    feed?.take(new.now, of: new.ever)
  }

  /// The last strokes and hotkeys, with their results so far, by the rules in force at the time.
  var report: WhyReport {
    settle()
    return WhyReport(machine.strokes, actionLog)
  }

  /// Records the results that have arrived, and forgets records that can no longer be asked about.
  private func settle() {
    for (id, result, times) in worker.queue.takeResults() {
      actionLog.note(result, times: times, of: id)
    }
    actionLog.forget(but: machine.strokes.kept, newest: machine.lastSerial)
  }

  /// Replaces the rules. The current mode is left if the new rules do not have it.
  func replace(_ next: Configuration, appliesSettings: Bool, at time: EventTime) {
    machine.cancelAll(at: time)
    act()
    let mode = machine.mode.flatMap { name in next.rules.contains { $0.mode == name } ? name : nil }
    let isLeft = mode != machine.mode
    machine = RuleMachine(
      RuleTable(next, appliesSettings: appliesSettings), after: machine)
    turns = Turns()
    worker.add(.limit(next.limits))
    for device in devices.values { machine.add(device) }
    machine.enterMode(mode)
    reportTaken()
    if isLeft { feed?.enterMode(mode) }
  }

  func bind(_ hotkeys: [HotkeyRequest: HotkeyID], as needs: InputNeeds) {
    machine.bind(needs.rules(of: hotkeys))
  }

  func receive(_ event: FeedEvent) {
    machine.receive(event)
    switch event {
    case .gesture:
      // before the actions: the desktop decides a moment later than Gliss
      if let verdict = machine.nextVerdict() { feed?.decide(verdict) }
    case .modeLeft: reportTaken()
    case .added(let device): devices[device.id] = device
    case .removed(let id, _):
      act()
      devices[id] = nil
    case .lost(let loss, let device):
      if actionLog.note(loss, of: device), let report = actionLog.losses.last {
        log.report(.warning, report.sentence)
      }
    case .hotkey, .pointed, .interrupted: break
    }
    act()
  }

  var deadline: EventTime? { machine.deadline }

  func advance(to time: EventTime) {
    guard let due = machine.deadline, due <= time else { return }
    machine.advance(to: time)
    act()
  }

  private func act() {
    let activations = machine.takeActivations()
    if !activations.isEmpty {
      settle()
      let now = now()
      for activation in activations { judge(activation, at: now) }
    }
    // after the actions, so that they need not wait for the broker
    if machine.isLingering != isLingering {
      isLingering.toggle()
      feed?.watchPointing(isLingering)
      reportTaken()
    }
  }

  private func judge(_ activation: Activation, at now: EventTime) {
    let acts = !configuration.actions(of: activation).isEmpty
    switch timeliness.judge(activation, acts: acts, at: now) {
    case .act: act(on: activation)
    case .tooLate(let age): skip(activation, because: Self.reason(age))
    case .cutShort(let age):
      skip(activation, because: Self.reason(age))
      var cancellation = activation
      cancellation.moment = .cancel
      act(on: cancellation)
    case .pointless: skip(activation, because: "its beginning came too late")
    }
  }

  private static func reason(_ age: EventInterval) -> String {
    "it came too late, \(age.seconds.trimmed(1)) s after the event"
  }

  // MARK: Acting

  private func act(on activation: Activation) {
    let actions = configuration.actions(of: activation)
    if actions.isEmpty { return }
    let rule = configuration.rules[activation.rule]
    let context = ActionContext(
      activation: activation, rule: rule.label,
      owner: configuration.owner(of: activation.rule), hotkey: rule.hotkey, mode: mode,
      device: devices[activation.cause.event.device]?.name ?? "")
    if log.isVerbose { report(context) }
    for action in actions { perform(action, of: rule, context) }
  }

  /// Records why none of the activation's actions is carried out.
  private func skip(_ activation: Activation, because reason: String) {
    let actions = configuration.actions(of: activation)
    if actions.isEmpty { return }
    let rule = configuration.rules[activation.rule]
    let isNews = actionLog.noteLate(activation)
    for action in actions {
      let id = actionLog.ask(action, of: rule, for: activation)
      actionLog.note(.failed(reason), times: activation.count, of: id)
    }
    if isNews { log.report(.warning, "\(rule.label): not done: \(reason)") }
  }

  private func perform(_ action: Action, of rule: Rule, _ context: ActionContext) {
    let times = context.activation.count
    var context = context
    // an action before this one may have entered it
    context.mode = mode
    if case .turns = action.verb {
      context.activation.count = 1
      for deed in turns.deeds(of: action, for: context.owner, times: times) {
        perform(deed.action, of: rule, context)
      }
      return
    }
    let record = actionLog.ask(action, of: rule, for: context.activation)
    context.record = record
    if case .mode(let mode) = action.verb {
      actionLog.note(.done, times: times, of: record)
      guard mode != machine.mode else { return }
      machine.enterMode(mode)
      reportTaken()
      feed?.enterMode(mode)
    } else if keys.press != nil, let order = KeyOrder(action.verb, for: context.activation) {
      keys.carryOut(order, times: times, for: context.rule) {
        actionLog.note($0, times: $1, of: record)
      }
    } else if !worker.add(.act(action, times: times, context)) {
      actionLog.note(.failed("too many actions are waiting"), times: times, of: record)
    }
  }

  private func report(_ context: ActionContext) {
    let times = context.activation.count
    let late = InputLoop.now - context.activation.time
    worker.add(
      .log(
        .info,
        "\(context.rule): \(context.activation.moment.rawValue)"
          + (times > 1 ? " × \(times)" : "") + ", \(late.microseconds) µs after the event"))
  }
}
