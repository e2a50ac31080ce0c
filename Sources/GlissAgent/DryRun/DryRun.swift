public import GlissConfiguration
public import GlissEvents
import GlissHotkeys
public import GlissSession

/// Applies rules to input without acting, except on the mode, to show which rule would fire when.
public final class DryRun {
  /// The session to feed.
  public var session: Session { sessions.main }
  /// Called for each activation that would act.
  public var didActivate: ((Activation) -> Void)?
  /// Called for each gesture that has ended.
  public var didEndStroke: ((PastStroke) -> Void)?
  /// Hotkeys that cannot be registered, and why.
  public private(set) var problems: [String] = []

  private let configuration: Configuration
  private let sessions: RuleSessions
  private var machine: RuleMachine
  private var waiting: [Activation] = []
  private var known: Set<DeviceID> = []

  public init(_ configuration: Configuration) {
    self.configuration = configuration
    let table = RuleTable(configuration)
    machine = RuleMachine(table, strokes: 1)
    sessions = RuleSessions(table)
    sessions.addHandler { [unowned self] gesture, modifiers, stream in
      receive(gesture, modifiers, stream)
    }
    sessions.main.addHandler(matching: .device) { [unowned self] event in
      guard case .device(let event) = event, event.change == .removed else { return }
      known.remove(event.device)
      machine.remove(event.device, at: event.time) { waiting.append($0) }
      act()
    }
    register()
  }

  /// The device's name.
  public func name(of device: DeviceID) -> String { session.device(device)?.name ?? "" }

  private func register() {
    let needs = InputNeeds(configuration, namesKeyboards: true)
    for request in needs.requests {
      do throws(HotkeyError) {
        let id = try session.registerHotkey(
          request.hotkey, mode: request.mode, owner: needs.names(request)
        ) { [unowned self] in receive($0) }
        machine.bind(id, to: needs.rules[request] ?? [])
      } catch {
        problems.append("\(needs.names(request)): \(error)")
      }
    }
    session.addEscapes(from: needs.bareModes) { [unowned self] in enter(nil) }
    session.didLeaveHotkeyMode = { [unowned self] in enter(nil) }
  }

  // MARK: Events

  private func receive(_ gesture: GestureEvent, _ modifiers: Modifiers, _ stream: Int) {
    prepare(gesture.device)
    machine.process(gesture, modifiers: modifiers, stream: stream) { waiting.append($0) }
    let isOver: Bool =
      switch gesture.phase {
      case .began, .changed: false
      case .ended, .cancelled, .recognized: true
      }
    act()
    if isOver, let stroke = machine.strokes.kept.last { didEndStroke?(stroke) }
  }

  private func receive(_ hotkey: HotkeyEvent) {
    prepare(hotkey.device)
    machine.process(hotkey) { waiting.append($0) }
    act()
  }

  /// When ``advance(to:)`` must be called if no event comes first.
  public var deadline: EventTime? { machine.deadline }

  /// Advances the time of the rules. The session advances its own.
  public func advance(to time: EventTime) {
    machine.advance(to: time) { waiting.append($0) }
    act()
  }

  private func prepare(_ device: DeviceID) {
    if known.insert(device).inserted, let device = session.device(device) {
      machine.add(RuleDevice(device))
    }
  }

  private func act() {
    for activation in waiting {
      let actions = configuration.actions(of: activation)
      if !actions.isEmpty { didActivate?(activation) }
      for action in actions { if case .mode(let mode) = action.verb { enter(mode) } }
    }
    waiting.removeAll(keepingCapacity: true)
  }

  private func enter(_ mode: String?) {
    machine.enterMode(mode)
    session.follow(mode: mode)
  }
}
