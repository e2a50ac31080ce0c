import GlissConfiguration
import GlissDevices
import GlissEvents

/// Applies the rules to what a feed reports, and has the resulting actions carried out.
///
/// Rules can be replaced at any time. What the old rules have begun is ended first.
final class RuleEngine {
  /// Called with the mode that a rule has entered.
  var didChangeMode: ((String?) -> Void)?
  /// Called when rules keep strokes of other numbers of fingers from the desktop: those now, and those
  /// in any mode and application.
  var didChangeTaken: ((FingerCounts, FingerCounts) -> Void)?
  var didDecide: ((StrokeVerdict) -> Void)?
  /// Called when rules begin or cease to wait for their gesture to go on.
  var didChangeLingering: ((Bool) -> Void)?

  private let actor: LiveActor
  private var machine: RuleMachine
  private var devices: [DeviceID: RuleDevice] = [:]
  private var timeliness = TimelinessMachine()
  private let now: () -> EventTime
  private var taken = (now: FingerCounts(), ever: FingerCounts())
  private var isLingering = false
  private(set) var configuration: Configuration

  /// - Parameter now: the time at which input that was read is acted on.
  init(
    _ actor: LiveActor, _ configuration: Configuration, appliesSettings: Bool,
    now: @escaping () -> EventTime = { InputLoop.now }
  ) {
    self.actor = actor
    self.now = now
    self.configuration = configuration
    machine = RuleMachine(RuleTable(configuration, appliesSettings: appliesSettings))
    actor.take(configuration)
    actor.deviceName = { [unowned self] in devices[$0]?.name ?? "" }
    actor.didChangeMode = { [unowned self] mode in
      machine.enterMode(mode)
      reportTaken()
      didChangeMode?(mode)
    }
  }

  var mode: String? { machine.mode }
  /// What has the focus, and the rules that it meets.
  var focus: RuleFocus { machine.focus }

  /// Gestures and presses belong to this window from now on.
  func focus(on window: RuleFocus.Window?, as matched: MatchedWindow) {
    machine.focus(on: window, as: matched)
    reportTaken()
  }

  /// Reports which strokes rules keep from the desktop, if that has changed.
  func reportTaken() {
    let new = (now: machine.taken, ever: machine.table.everTaken)
    guard new != taken else { return }
    taken = new
    didChangeTaken?(new.now, new.ever)
  }

  /// The last strokes and hotkeys, with their results so far, by the rules in force at the time.
  var report: WhyReport {
    actor.settle(machine.strokes.kept, newest: machine.lastSerial)
    return WhyReport(machine.strokes, actor.actionLog)
  }

  /// Replaces the rules. The current mode is left if the new rules do not have it.
  func replace(_ next: Configuration, appliesSettings: Bool, at time: EventTime) {
    machine.cancelAll(at: time)
    act()
    configuration = next
    let mode = machine.mode.flatMap { name in next.rules.contains { $0.mode == name } ? name : nil }
    let isLeft = mode != machine.mode
    machine = RuleMachine(
      RuleTable(next, appliesSettings: appliesSettings), after: machine)
    actor.take(next)
    for device in devices.values { machine.add(device) }
    actor.mode = mode
    machine.enterMode(mode)
    reportTaken()
    if isLeft { didChangeMode?(mode) }
  }

  /// Sets which rules a feed's hotkeys trigger.
  func bind(_ hotkeys: [HotkeyRequest: HotkeyID], as needs: InputNeeds) {
    for (request, id) in hotkeys { machine.bind(id, to: needs.rules[request] ?? []) }
  }

  func receive(_ event: FeedEvent) {
    machine.receive(event)
    switch event {
    case .gesture:
      // before the actions: the desktop decides a moment later than Gliss
      if let verdict = machine.nextVerdict() { didDecide?(verdict) }
    case .modeLeft:
      actor.mode = nil
      reportTaken()
    case .added(let device): devices[device.id] = device
    case .removed(let id, _):
      act()
      devices[id] = nil
    case .lost(let loss, let device): actor.note(loss, of: device)
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
    if machine.isLingering != isLingering {
      isLingering.toggle()
      didChangeLingering?(isLingering)
    }
    let activations = machine.takeActivations()
    if activations.isEmpty { return }
    actor.settle(machine.strokes.kept, newest: machine.lastSerial)
    let now = now()
    for activation in activations { act(on: activation, at: now) }
  }

  private func act(on activation: Activation, at now: EventTime) {
    let acts = !configuration.actions(of: activation).isEmpty
    switch timeliness.judge(activation, acts: acts, at: now) {
    case .act: actor.act(on: activation)
    case .tooLate(let age): actor.skip(activation, because: Self.reason(age))
    case .cutShort(let age):
      actor.skip(activation, because: Self.reason(age))
      var cancellation = activation
      cancellation.moment = .cancel
      actor.act(on: cancellation)
    case .pointless: actor.skip(activation, because: "what it belongs to came too late")
    }
  }

  private static func reason(_ age: EventInterval) -> String {
    "it came too late, \(age.seconds.trimmed(1)) s after the event"
  }
}
