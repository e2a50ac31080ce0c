package import GlissConfiguration
package import GlissEvents
package import GlissGestures
import GlissHotkeys
import GlissSession

/// The sessions that rules need: one that a source feeds, and a follower for each set of recognizer
/// settings that rules bring themselves.
///
/// Every device is recognized with the settings of the configuration and those of its profiles, and
/// in a follower also with those of its rules. If no rule has settings, there is only one session.
/// A profile for certain applications applies to strokes that begin in them.
final class RuleSessions {
  var didReceive: ((FeedEvent) -> Void)?
  /// The session to feed with all events. Hotkeys are registered here.
  let main: Session
  private(set) var hotkeys: [HotkeyRequest: HotkeyID] = [:]
  /// The rules that consume a hotkey. They may be for certain keyboards.
  private var consuming: [HotkeyID: [Rule]] = [:]
  private(set) var refusals: [HotkeyRequest: HotkeyError] = [:]
  /// Input is not for the rules now, for example at a locked screen: Escape leaves no mode.
  var isPaused = false

  private let followers: [Session]
  private let windows: Windows
  private let hasApplications: Bool
  private let consumes: Bool
  /// The hotkeys that leave modes without hotkeys of their own.
  private var escapes: [HotkeyID] = []
  private var mode: String?
  private var known: Set<DeviceID> = []
  /// `nil` if nobody wants to know when a finger points.
  private var pointing: PointingMachine?

  /// What has the focus and the pointer, as the sessions' configurations look it up.
  private final class Windows {
    var all: [FollowedWindow: RuleFocus.Window] = [:]
  }

  /// - Parameters:
  ///   - consumes: whether hotkeys may be kept from the rest of the desktop.
  ///   - earlier: the sessions that these replace. The mode, the windows and a pause stay.
  init(_ needs: InputNeeds, consumes: Bool, after earlier: RuleSessions? = nil) {
    let configuration = needs.configuration
    hasApplications = configuration.profiles.contains { $0.application != nil }
    self.consumes = consumes
    mode = earlier?.mode
    isPaused = earlier?.isPaused ?? false
    windows = earlier?.windows ?? Windows()
    let sessions = RuleTable(configuration).settingSets.map { [windows] settings in
      let session = Session()
      session.configurationForDevice = {
        configuration.recognizer(of: RuleDevice($0), in: windows.all, with: settings)
      }
      return session
    }
    main = sessions[0]
    followers = Array(sessions.dropFirst())
    for follower in followers { main.addFollower(follower) }
    addHandlers(lingers: needs.lingers)
    follow(needs)
  }

  private func addHandlers(lingers: Bool) {
    for (stream, session) in ([main] + followers).enumerated() {
      session.addHandler(matching: .gesture) { [unowned self, unowned session] event in
        guard case .gesture(let gesture) = event else { return }
        introduce(gesture.device)
        didReceive?(.gesture(gesture, stream: stream, modifiers: session.modifiers))
      }
    }
    if lingers {
      main.addHandler(matching: .touch) { [unowned self] event in
        guard case .touch(let frame) = event, pointing?.process(frame) == true else { return }
        pointing = nil
        didReceive?(.pointed(at: frame.time))
      }
    }
    main.addHandler(matching: .device) { [unowned self] event in
      guard case .device(let event) = event, !event.isAdded else { return }
      known.remove(event.device)
      didReceive?(.removed(event.device, at: event.time))
    }
    main.addHandler(matching: .lost) { [unowned self] event in
      guard case .lost(let loss) = event else { return }
      didReceive?(.lost(loss, device: main.device(loss.device)?.name ?? ""))
    }
    main.didLeaveHotkeyMode = { [unowned self] in leftMode() }
    main.mayConsume = { [unowned self] in isConsumed($0, on: $1) }
  }

  /// Reports a device before its first gesture or hotkey.
  private func introduce(_ id: DeviceID) {
    if known.insert(id).inserted, let device = main.device(id) {
      didReceive?(.added(RuleDevice(device)))
    }
  }

  private func isConsumed(_ hotkey: HotkeyID, on device: DeviceID) -> Bool {
    let keyboard = main.device(device).map { RuleDevice($0) }
    return consuming[hotkey, default: []].contains { $0.isFor(keyboard) }
  }

  /// Registers the hotkeys that are wanted and missing, and gives back those no longer wanted.
  func follow(_ needs: InputNeeds) {
    for (request, id) in hotkeys where needs.rules[request] == nil {
      main.unregisterHotkey(id)
      hotkeys[request] = nil
    }
    for escape in escapes { main.unregisterHotkey(escape) }
    let escape = Hotkey(Chord([], .key(HotkeyConfiguration().abortKey)))
    // modes without hotkeys become modes of the session, too
    escapes = needs.bareModes.compactMap { mode in
      try? main.registerHotkey(escape, mode: mode) { [unowned self] in
        if $0.shouldAct { leftMode() }
      }
    }
    refusals = [:]
    for request in needs.requests where hotkeys[request] == nil {
      do throws(HotkeyError) {
        hotkeys[request] = try main.registerHotkey(
          request.hotkey, mode: request.mode, owner: needs.names(request),
          consuming: consumes && request.consumes
        ) { [unowned self] in
          introduce($0.device)
          didReceive?(.hotkey($0))
        }
      } catch {
        refusals[request] = error
      }
    }
    consuming = needs.rules(of: hotkeys).mapValues { indices in
      indices.map { needs.configuration.rules[$0] }.filter(\.trigger.consumes)
    }
    // if all hotkeys of the mode were given back, it did not exist for a moment
    if main.hotkeyMode != mode { enterMode(mode) }
  }

  /// Enables the hotkeys of `mode` and disables those of other modes, also if `mode` has none or is
  /// `nil`.
  func enterMode(_ mode: String?) {
    self.mode = mode
    guard let mode, main.enterHotkeyMode(mode) else { return main.leaveHotkeyMode() }
  }

  private func leftMode() {
    // the session has left it already
    if isPaused { return enterMode(mode) }
    enterMode(nil)
    didReceive?(.modeLeft)
  }

  /// Strokes that begin from now on are recognized with the settings for this window's application.
  func focus(on window: RuleFocus.Window?, as matched: FollowedWindow) {
    windows.all[matched] = window
    guard hasApplications else { return }
    for session in [main] + followers { session.configureAgain() }
  }

  /// Reports once when a finger points; `false` cancels that.
  func watchPointing(_ isWanted: Bool) { pointing = isWanted ? PointingMachine() : nil }
}

extension Configuration {
  /// The recognizer configuration for a device: the configuration's settings, those of matching
  /// profiles, and `settings`. Later ones override earlier ones.
  package func recognizer(
    of device: RuleDevice, in windows: [FollowedWindow: RuleFocus.Window] = [:],
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
