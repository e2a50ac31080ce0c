public import GlissConfiguration
public import GlissEvents
public import GlissGestures
public import GlissHotkeys
public import GlissSession

/// The sessions that rules need: one that a source feeds, and a follower for each set of recognizer
/// settings that rules bring themselves.
///
/// Every device is recognized with the settings of the configuration and those of its profiles, and
/// in a follower also with those of its rules. If no rule has settings, there is only one session.
public final class RuleSessions {
  /// The session to feed with all events. Hotkeys are registered here.
  public let main: Session
  private let followers: [Session]

  public init(
    _ table: RuleTable, hotkeys: HotkeyConfiguration = HotkeyConfiguration()
  ) {
    let configuration = table.configuration
    let sessions = table.settingSets.map { settings in
      let session = Session(hotkeys: hotkeys)
      session.configurationOf = {
        configuration.recognizer(of: RuleDevice($0), with: settings)
      }
      return session
    }
    main = sessions[0]
    followers = Array(sessions.dropFirst())
    for follower in followers { main.addFollower(follower) }
  }

  /// Calls `handler` for every gesture, with the held modifiers and the stream that
  /// ``RuleMachine/process(_:modifiers:stream:emit:)`` takes.
  public func addHandler(_ handler: @escaping (GestureEvent, Modifiers, _ stream: Int) -> Void) {
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
  public func recognizer(
    of device: RuleDevice, with settings: [SettingChange] = []
  ) -> GestureConfiguration {
    var recognizer = GestureConfiguration()
    var changes = self.settings
    for profile in profiles where profile.match.fits(device) { changes += profile.settings }
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
      try? registerHotkey(escape, mode: mode) { if $0.acts { leave() } }
    }
  }
}
