package import GlissConfiguration
package import GlissEvents
package import GlissGestures
package import GlissHotkeys
package import GlissSession

/// Applies rules to input without acting, except on the mode, to show which rule would fire when.
package final class DryRun {
  /// The session to feed.
  package var session: Session { sessions.main }
  /// Called for each activation that would act.
  package var didActivate: ((Activation) -> Void)?
  /// Called for each gesture that has ended.
  package var didEndStroke: ((MatchedGesture) -> Void)?
  /// Hotkeys that cannot be registered, and why.
  package private(set) var problems: [String] = []

  private let configuration: Configuration
  private let sessions: RuleSessions
  private var machine: RuleMachine
  private var turns = Turns()
  private var known: Set<DeviceID> = []
  private var pointing = PointingMachine()

  /// - Parameter window: what has the focus and the pointer until ``focus(on:as:)``.
  package init(_ configuration: Configuration, focus window: RuleFocus.Window? = nil) {
    self.configuration = configuration
    let table = RuleTable(configuration)
    machine = RuleMachine(table, strokes: 1)
    for matched in MatchedWindow.allCases { machine.focus(on: window, as: matched) }
    sessions = RuleSessions(table)
    for matched in MatchedWindow.allCases { sessions.focus(on: window, as: matched) }
    sessions.addHandler { [unowned self] gesture, modifiers, stream in
      receive(gesture, modifiers, stream)
    }
    sessions.main.addHandler(matching: .touch) { [unowned self] event in
      if case .touch(let frame) = event { receive(frame) }
    }
    sessions.main.addHandler(matching: .device) { [unowned self] event in
      guard case .device(let event) = event, event.change == .removed else { return }
      known.remove(event.device)
      machine.remove(event.device, at: event.time)
      act()
    }
    register()
  }

  /// Gestures and presses belong to this window from now on. Which hotkeys are consumed does not
  /// matter here.
  package func focus(on window: RuleFocus.Window?, as matched: MatchedWindow) {
    machine.focus(on: window, as: matched)
    sessions.focus(on: window, as: matched)
  }

  /// The device's name.
  package func name(of device: DeviceID) -> String { session.device(device)?.name ?? "" }

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
    machine.process(gesture, modifiers: modifiers, stream: stream)
    let isOver: Bool =
      switch gesture.phase {
      case .began, .changed: false
      case .ended, .cancelled, .recognized: true
      }
    act()
    if isOver, let stroke = machine.strokes.kept.last { didEndStroke?(stroke) }
  }

  private func receive(_ frame: TouchFrame) {
    guard pointing.process(frame), machine.isLingering else { return }
    machine.endLingering(at: frame.time)
    act()
  }

  private func receive(_ hotkey: HotkeyEvent) {
    prepare(hotkey.device)
    machine.process(hotkey)
    act()
  }

  /// When ``advance(to:)`` must be called if no event comes first.
  package var deadline: EventTime? { machine.deadline }

  /// Advances the time of the rules. The session advances its own.
  package func advance(to time: EventTime) {
    machine.advance(to: time)
    act()
  }

  /// The recording has ended.
  package func end() {
    machine.endLingering()
    act()
  }

  private func prepare(_ device: DeviceID) {
    if known.insert(device).inserted, let device = session.device(device) {
      machine.add(RuleDevice(device))
    }
  }

  private func act() {
    for activation in machine.takeActivations() {
      let actions = configuration.actions(of: activation)
      if !actions.isEmpty { didActivate?(activation) }
      for action in actions { enterModes(of: action) }
    }
  }

  private func enterModes(of action: Action) {
    switch action.verb {
    case .mode(let mode): enter(mode)
    case .turns(let all): turns.next(of: all, at: action.place).forEach(enterModes)
    case .run, .keys, .hold, .letGo, .move, .notify, .emit, .desktop: break
    }
  }

  private func enter(_ mode: String?) {
    machine.enterMode(mode)
    session.follow(mode: mode)
  }
}

/// The sessions that rules need: one that a source feeds, and a follower for each set of recognizer
/// settings that rules bring themselves.
///
/// Every device is recognized with the settings of the configuration and those of its profiles, and
/// in a follower also with those of its rules. If no rule has settings, there is only one session.
/// Profiles for some applications apply from the stroke on that begins in them.
package final class RuleSessions {
  /// The session to feed with all events. Hotkeys are registered here.
  package let main: Session
  private let followers: [Session]
  private let windows = Windows()
  private let hasApplications: Bool

  /// What has the focus and the pointer, as the sessions' configurations look it up.
  private final class Windows {
    var all: [MatchedWindow: RuleFocus.Window] = [:]
  }

  package init(
    _ table: RuleTable, hotkeys: HotkeyConfiguration = HotkeyConfiguration()
  ) {
    let configuration = table.configuration
    hasApplications = configuration.profiles.contains { $0.application != nil }
    let sessions = table.settingSets.map { [windows] settings in
      let session = Session(hotkeys: hotkeys)
      session.configurationForDevice = {
        configuration.recognizer(of: RuleDevice($0), in: windows.all, with: settings)
      }
      return session
    }
    main = sessions[0]
    followers = Array(sessions.dropFirst())
    for follower in followers { main.addFollower(follower) }
  }

  /// Strokes that begin from now on are recognized as this window's application wants it.
  package func focus(on window: RuleFocus.Window?, as matched: MatchedWindow) {
    windows.all[matched] = window
    guard hasApplications else { return }
    for session in [main] + followers { session.configureAgain() }
  }

  /// Calls `handler` for every gesture, with the held modifiers and the stream that
  /// ``RuleMachine/process(_:modifiers:stream:emit:)`` takes.
  package func addHandler(_ handler: @escaping (GestureEvent, Modifiers, _ stream: Int) -> Void) {
    for (stream, session) in ([main] + followers).enumerated() {
      session.addHandler(matching: .gesture) { [unowned session] event in
        guard case .gesture(let gesture) = event else { return }
        handler(gesture, session.modifiers, stream)
      }
    }
  }
}

extension Configuration {
  /// The recognizer configuration for a device: the configuration's settings, those of matching
  /// profiles, and `settings`. Later ones override earlier ones.
  package func recognizer(
    of device: RuleDevice, in windows: [MatchedWindow: RuleFocus.Window] = [:],
    with settings: [SettingChange] = []
  ) -> GestureConfiguration {
    var recognizer = GestureConfiguration()
    var changes = self.settings
    for profile in profiles
    where profile.match.fits(device) && profile.application?.fits(windows) ?? true {
      changes += profile.settings
    }
    // name and value were checked when they were read
    for change in changes + settings { try? recognizer.set(change.name, to: change.value) }
    return recognizer
  }
}

// Modes of rules, for a session of our own.
extension Session {
  /// Enables the hotkeys of `mode` and disables those of other modes, also if `mode` has none or is
  /// `nil`.
  func follow(mode: String?) {
    guard let mode, enterHotkeyMode(mode) else { return leaveHotkeyMode() }
  }

  /// Makes `modes`, which have no hotkeys, modes of the session too. Escape calls `leave` there, as
  /// in other modes.
  @discardableResult
  func addEscapes(from modes: [String], _ leave: @escaping () -> Void) -> [HotkeyID] {
    let escape = Hotkey(Chord([], .key(HotkeyConfiguration().abortKey)))
    return modes.compactMap { mode in
      try? registerHotkey(escape, mode: mode) { if $0.shouldAct { leave() } }
    }
  }
}
