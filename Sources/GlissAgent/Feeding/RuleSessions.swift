public import GlissConfiguration
public import GlissEvents
public import GlissGestures
public import GlissHotkeys
public import GlissSession

/// The sessions that rules need: one that a source feeds, and one that follows it for each set of recognizer settings that
/// rules ask for themselves.
///
/// Every device is recognized with the settings of the configuration, those of its profiles, and in a follower those of
/// the rules. Where no rule has settings there is one session, and nothing else.
public final class RuleSessions {
  /// To be fed, with all there is; hotkeys are registered here.
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

  /// Calls `handler` for every gesture, with the modifiers that are held and its stream, as
  /// ``RuleMachine/process(_:modifiers:stream:emit:)`` takes them.
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
  /// The numbers a device is recognized with: those of the configuration, of the profiles that fit it, and `settings`,
  /// later ones over earlier ones.
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
