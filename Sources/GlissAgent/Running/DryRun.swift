package import GlissConfiguration
package import GlissEvents
package import GlissSession

/// Applies rules to input without acting, except on the mode, to show which rule would fire when.
package final class DryRun {
  package var session: Session { sessions.main }
  /// Called with what would be done.
  package var didActivate: ((Activation, [Deed]) -> Void)?
  package var didEndStroke: ((MatchedGesture) -> Void)?
  /// Hotkeys that cannot be registered, and why.
  package let problems: [String]

  /// Called when Escape has left a mode, with its name.
  package var didLeaveMode: ((String) -> Void)?

  /// An action that would be carried out.
  package struct Deed {
    package var action: Action
    /// Its place among actions that take turns, from 1.
    package var turn: (number: Int, count: Int)?
  }

  private let configuration: Configuration
  private let sessions: RuleSessions
  private var machine: RuleMachine
  private var turns = Turns()
  private var presses: IdlePresses
  private var isLingering = false

  /// Held besides those that the input has.
  private let modifiers: Modifiers

  /// - Parameters:
  ///   - window: what has the focus and the pointer until ``focus(on:as:)``.
  ///   - modifiers: held during all gestures.
  package init(
    _ configuration: Configuration, focus window: RuleFocus.Window? = nil,
    modifiers: Modifiers = []
  ) {
    self.configuration = configuration
    self.modifiers = modifiers
    machine = RuleMachine(RuleTable(configuration))
    presses = IdlePresses(configuration)
    let needs = InputNeeds(configuration, namesKeyboards: true)
    let sessions = RuleSessions(needs, consumes: false)
    self.sessions = sessions
    problems = needs.requests.compactMap { request in
      sessions.refusals[request].map { "\(needs.names(request)): \($0)" }
    }
    machine.bind(needs.rules(of: sessions.hotkeys))
    if let window { for matched in FollowedWindow.allCases { focus(on: window, as: matched) } }
    sessions.didReceive = { [unowned self] in receive($0) }
    session.addHandler(matching: presses.kinds) { [unowned self] event in
      let device = session.device(event.device).map { RuleDevice($0) }
      presses.process(
        event, of: device, in: machine.mode, machine.focus, until: session.sequenceDeadline)
    }
  }

  /// The presses that have triggered no rule so far; each is returned once. Those of a sequence are
  /// returned when it has ended.
  package func takeIdlePresses() -> [PressReport] {
    if session.sequenceDeadline == nil { presses.settle() }
    defer { presses.found = [] }
    return presses.found
  }

  /// Gestures and presses belong to this window from now on. Which hotkeys are consumed does not
  /// matter here.
  package func focus(
    on window: RuleFocus.Window?, as matched: FollowedWindow, isKnown: Bool = true
  ) {
    machine.focus(on: window, as: matched, isKnown: isKnown)
    sessions.focus(on: window, as: matched)
  }

  private func receive(_ event: FeedEvent) {
    if case .modeLeft = event, let mode = machine.mode { didLeaveMode?(mode) }
    if case .gesture(let gesture, let stream, let held) = event {
      let held = held.union(modifiers)
      machine.receive(.gesture(gesture, stream: stream, modifiers: held))
    } else {
      machine.receive(event)
    }
    if case .hotkey(let hotkey) = event {
      presses.note(hotkey, of: machine.heldRules(hotkey.hotkey))
    }
    act()
    if case .gesture(let gesture, _, _) = event, gesture.phase != .began, gesture.phase != .changed,
      let stroke = machine.strokes.kept.last
    {
      didEndStroke?(stroke)
    }
  }

  /// When ``advance(to:)`` must be called if no event comes first.
  package var deadline: EventTime? { machine.deadline }

  /// Advances the time of the rules. The session advances its own.
  package func advance(to time: EventTime) {
    machine.advance(to: time)
    act()
  }

  package func end() {
    machine.endLingering()
    act()
  }

  private func act() {
    if machine.isLingering != isLingering {
      isLingering.toggle()
      sessions.watchPointing(isLingering)
    }
    for activation in machine.takeActivations() {
      let actions = configuration.actions(of: activation)
      if actions.isEmpty { continue }
      let owner = configuration.owner(of: activation.rule)
      let deeds = actions.flatMap { turns.deeds(of: $0, for: owner, times: activation.count) }
      didActivate?(activation, deeds)
      for deed in deeds {
        if case .mode(let mode) = deed.action.verb { enterMode(mode) }
      }
    }
  }

  package func enterMode(_ mode: String?) {
    machine.enterMode(mode)
    sessions.enterMode(mode)
  }
}
