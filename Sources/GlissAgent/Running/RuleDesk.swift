import GlissConfiguration
import GlissDevices
import GlissEvents

/// Where what a feed tells meets the rules, and what comes of it is done.
///
/// Rules can be replaced at any time: what the old ones have begun comes to its end first.
final class RuleDesk {
  /// Called with the mode that a rule has entered.
  var didChangeMode: ((String?) -> Void)?

  private let actor: LiveActor
  private var machine: RuleMachine
  private var devices: [DeviceID: RuleDevice] = [:]
  private var waiting: [Activation] = []
  private(set) var configuration: Configuration

  init(_ actor: LiveActor, _ configuration: Configuration, appliesSettings: Bool) {
    self.actor = actor
    self.configuration = configuration
    machine = RuleMachine(RuleTable(configuration, appliesSettings: appliesSettings))
    actor.take(configuration)
    actor.deviceName = { [unowned self] in devices[$0]?.name ?? "" }
    actor.didChangeMode = { [unowned self] mode in
      machine.enterMode(mode)
      didChangeMode?(mode)
    }
  }

  var mode: String? { machine.mode }
  /// The last ones, and what came of them by the rules that held then.
  var strokes: Strokes { machine.strokes }

  /// Rules from now on. A mode that has none among them is left.
  func replace(_ next: Configuration, appliesSettings: Bool, at time: EventTime) {
    machine.cancelAll(at: time) { waiting.append($0) }
    act()
    configuration = next
    let mode = machine.mode.flatMap { name in next.rules.contains { $0.mode == name } ? name : nil }
    let isLeft = mode != machine.mode
    machine = RuleMachine(
      RuleTable(next, appliesSettings: appliesSettings), after: machine.strokes)
    actor.take(next)
    for device in devices.values { machine.add(device) }
    actor.mode = mode
    machine.enterMode(mode)
    if isLeft { didChangeMode?(mode) }
  }

  /// Which rules the hotkeys of a feed stand for.
  func bind(_ hotkeys: [HotkeyWish: HotkeyID], as demand: FeedDemand) {
    for (wish, id) in hotkeys { machine.bind(id, to: demand.rules[wish] ?? []) }
  }

  func hear(_ event: FeedEvent) {
    switch event {
    case .gesture(let gesture, let stream, let modifiers):
      machine.process(gesture, modifiers: modifiers, stream: stream) { waiting.append($0) }
    case .hotkey(let hotkey): machine.process(hotkey) { waiting.append($0) }
    case .modeLeft:
      actor.mode = nil
      machine.enterMode(nil)
    case .added(let device):
      devices[device.id] = device
      machine.add(device)
    case .removed(let id, let time):
      machine.remove(id, at: time) { waiting.append($0) }
      act()
      devices[id] = nil
    case .interrupted(let time): machine.cancelAll(at: time) { waiting.append($0) }
    }
    act()
  }

  var deadline: EventTime? { machine.deadline }

  func advance(to time: EventTime) {
    guard let due = machine.deadline, due <= time else { return }
    machine.advance(to: time) { waiting.append($0) }
    act()
  }

  /// The machine must not be asked anything while it tells.
  private func act() {
    var index = 0
    while index < waiting.count {
      actor.act(on: waiting[index])
      index += 1
    }
    waiting.removeAll(keepingCapacity: true)
  }
}
