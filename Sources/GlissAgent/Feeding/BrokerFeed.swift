import GlissBroker
import GlissClient
import GlissConfiguration
import GlissDevices
import GlissEvents
import GlissGate
import GlissHotkeys

/// Input from the broker: what the rules ask for, limited to what was granted.
final class BrokerFeed: Feed {
  var didReceive: ((FeedEvent) -> Void)?
  var didChange: (() -> Void)?
  let readsDevices = false
  let grabbed: [String] = []
  let press: PressKeys? = nil

  let loop: InputLoop
  var alarm: EventTime?
  var didRing: (() -> Void)?

  private let path: String
  private let log: AgentLog
  private var needs: InputNeeds
  private var backoff: Backoff
  private var registry: BrokerHotkeys
  private var monitors: [Part: Monitor] = [:]
  private var strokes: BrokerConnection?
  private var pointing: BrokerWatch?
  private var taken = (now: FingerCounts(), ever: FingerCounts())
  private var takingFault: ClientError?
  private var devices: [DeviceID: RuleDevice] = [:]
  private var mode: String?
  /// Why the broker was lost. It is handled later, when that is safe.
  private var loss: ClientError?
  /// What was refused, and how to get it.
  private var refusals: [Part: String] = [:]
  private var isPressingAskedFor = false
  /// The connections that report once a scope is granted that was refused.
  private var awaited: [Scope: BrokerWatch] = [:]
  /// Modes that were entered and that Escape does not leave.
  private var modesWithoutEscape: Set<String> = []

  /// What is requested beside hotkeys and strokes.
  private enum Part: CaseIterable {
    case gestures, modifiers, pressing

    var scope: Scope {
      switch self {
      case .gestures: Scope(tier: .gesture, events: .gesture)
      case .modifiers: Scope(tier: .raw, events: .key, keys: .modifiers)
      case .pressing: Scope(tier: .post)
      }
    }
  }

  private struct Monitor {
    var watch: BrokerWatch
    /// Which part of the request was not granted.
    var fault: String?
  }

  init(_ path: String, on loop: InputLoop, _ log: AgentLog, _ needs: InputNeeds) {
    self.path = path
    self.loop = loop
    self.log = log
    self.needs = needs
    backoff = Backoff(at: InputLoop.now, longest: .milliseconds(30_000))
    registry = BrokerHotkeys(path, loop)
  }

  var isConnected: Bool { backoff.isThere && loss == nil }
  var hotkeys: [HotkeyRequest: HotkeyID] { registry.ids }
  var problems: [String] {
    // part of what was requested may not have been granted
    Part.allCases.compactMap { refusals[$0] } + Part.allCases.compactMap { monitors[$0]?.fault }
      + registry.faults(of: needs) + keyboardFault + settingsFault + modeFaults
      + (takingFault.map { [needs.fault(ofTaking: "\($0)")] } ?? [])
  }
  /// The modifiers held on the keyboard, as far as known.
  private var modifiers: Modifiers = []

  /// Hotkeys that are limited to a keyboard, which can never match here.
  private var keyboardFault: [String] {
    if needs.keyboardRules.isEmpty { return [] }
    return [
      "\(needs.names(needs.keyboardRules)): not registered: the broker does not report which keyboard a hotkey was pressed on; leave out device:, or let 'gliss run --devices' read the keyboards itself"
    ]
  }

  /// Recognizer settings, which the broker does not take from its clients.
  private var settingsFault: [String] {
    guard needs.configuration.hasSettings else { return [] }
    return [
      "settings: not applied: the broker recognizes gestures with the defaults; let 'gliss run --devices' read the devices itself, or leave them out"
    ]
  }

  /// The faults of modes that neither Escape nor a rule leaves. Each is reported once, and only
  /// after the mode was entered.
  private var modeFaults: [String] {
    modesWithoutEscape.subtracting(needs.modesWithExit).sorted().map { mode in
      "the mode \(mode): Escape does not leave it, because the broker may not report that key to this program, and no rules lead from it back to none: give it a hotkey that leaves it, as in {hotkey: super+escape, mode: \(mode), do: {mode: none}}"
    }
  }

  func follow(_ needs: InputNeeds, because occasion: FeedOccasion) {
    self.needs = needs
    if occasion != .focus { modesWithoutEscape = [] }
    guard isConnected else { return }
    do throws(ClientError) {
      try settle(retries: occasion != .focus)
      // if all hotkeys of the mode were given back, it did not exist for a moment
      if mode != nil { enterMode(mode) }
    } catch {
      lose(error)
    }
    didChange?()
  }

  /// The broker's recognizer has its own settings.
  func focus(on window: RuleFocus.Window?, as matched: FollowedWindow) {}

  func enterMode(_ mode: String?) {
    let before = requests
    self.mode = mode
    guard isConnected else { return }
    if requests != before { followMode() }
    // for a mode without hotkeys, entering none is enough: it stops the hotkeys of other modes
    let named = registry.hasHotkeys(in: mode) ? mode : nil
    do throws(ClientError) {
      let leavesWithEscape = try registry.enterMode(named)
      if let named { note(named, leavesWithEscape: leavesWithEscape ?? true) }
    } catch .noSuchMode {
      return
    } catch {
      log.report(.warning, "the broker did not enter the mode: \(error)")
    }
  }

  /// The hotkeys to register. In a mode without hotkeys, consuming hotkeys of no mode are left out:
  /// they do not act, and the desktop shall get their keys.
  private var requests: [HotkeyRequest] {
    guard let mode, needs.bareModes.contains(mode) else { return needs.requests }
    return needs.requests.filter { !$0.consumes || $0.mode != nil }
  }

  private func followMode() {
    do throws(ClientError) {
      try registry.follow(requests, retries: false)
      didChange?()
    } catch {
      lose(error)
    }
  }

  private func note(_ mode: String, leavesWithEscape: Bool) {
    let isNew =
      leavesWithEscape
      ? modesWithoutEscape.remove(mode) != nil : modesWithoutEscape.insert(mode).inserted
    if isNew { didChange?() }
  }

  private func leftMode(_ left: String) {
    // unless another was entered meanwhile
    guard left == mode else { return }
    mode = nil
    didReceive?(.modeLeft)
  }

  // MARK: Coming and going

  func turn() throws(SystemError) {
    while !loop.isStopping {
      try loop.wait(until: alarm)
      guard let due = alarm, due <= InputLoop.now else { continue }
      alarm = nil
      didRing?()
    }
  }

  func stop() { loop.stop() }

  var deadline: EventTime? { loss == nil ? backoff.deadline : .zero }

  func advance(to time: EventTime) {
    if let loss { leave(because: loss, at: time) }
    guard let due = backoff.deadline, due <= time else { return }
    do throws(ClientError) {
      try connect()
    } catch {
      close()
      if backoff.missed(at: InputLoop.now) == 0 {
        log.report(.warning, "\(error); looking for it again")
      }
      didChange?()
    }
  }

  private func connect() throws(ClientError) {
    // check that the broker listens before asking it for anything
    try BrokerConnection(path: path).close()
    registry.didReceive = { [unowned self] in didReceive?(.hotkey($0)) }
    registry.didFail = { [unowned self] in lose($0) }
    registry.didLeaveMode = { [unowned self] in leftMode($0) }
    registry.didChange = { [unowned self] in refusalsChanged() }
    registry.open()
    try settle(retries: true)
    if backoff.found() { log.report(.notice, "input comes through the broker at \(path)") }
    // the new broker does not know the mode
    if mode != nil { enterMode(mode) }
    didChange?()
  }

  private func lose(_ error: ClientError) {
    guard loss == nil else { return }
    loss = error
    // the loss is handled when time advances, and the deadline for that has just changed
    didChange?()
  }

  private func leave(because error: ClientError, at time: EventTime) {
    loss = nil
    close()
    _ = backoff.missed(at: time)
    log.report(.warning, "the broker is lost: \(error); waiting for it")
    didReceive?(.interrupted(at: time))
    didChange?()
  }

  private func close() {
    registry.close()
    monitors = [:]
    awaited = [:]
    strokes?.close()
    strokes = nil
    pointing = nil
    modifiers = []
    for id in devices.keys { didReceive?(.removed(id, at: InputLoop.now)) }
    devices = [:]
  }

  // MARK: What is asked for

  /// Requests what is wanted and missing, and gives back what is no longer wanted.
  ///
  /// - Parameter retries: whether what was refused before is requested again.
  private func settle(retries: Bool) throws(ClientError) {
    if retries {
      refusals = [:]
      isPressingAskedFor = false
      // what was granted in part may be granted whole now; what it has shown gets no end then
      if monitors.values.contains(where: { $0.fault != nil }) {
        monitors = monitors.filter { $0.value.fault == nil }
        didReceive?(.interrupted(at: InputLoop.now))
      }
    }
    try registry.follow(requests, retries: retries)
    try monitor(.gestures)
    let knewModifiers = monitors[.modifiers] != nil
    try monitor(.modifiers)
    if monitors[.modifiers] == nil {
      modifiers = []
    } else if !knewModifiers {
      try learnModifiers()
    }
    if !needs.pressRules.isEmpty, !isPressingAskedFor {
      isPressingAskedFor = true
      try askForPressing()
    }
    try takeStrokes()
    try awaitGrants()
  }

  /// Asks again for what was refused, once it is granted.
  private func awaitGrants() throws(ClientError) {
    var refused = registry.refusedScopes
    for part in Part.allCases where refusals[part] != nil || monitors[part]?.fault != nil {
      refused.insert(part.scope)
    }
    if takingFault?.isAboutGrant == true { refused.insert(Part.pressing.scope) }
    awaited = awaited.filter { refused.contains($0.key) }
    for scope in refused where awaited[scope] == nil {
      let connection = try BrokerConnection(path: path)
      try connection.followPreflight(scope)
      awaited[scope] = try BrokerWatch(
        connection.descriptor, on: loop,
        take: { [unowned self] () throws(ClientError) in
          while let permission = try connection.nextPermission(for: scope, timeout: .zero) {
            guard permission.isGranted else { continue }
            let granted = permission.granted.map(\.description).joined(separator: " and ")
            log.report(.notice, "granted: \(granted)")
            follow(needs, because: .rules)
          }
        }, didFail: { [unowned self] _ in awaited[scope] = nil })
    }
  }

  private func refusalsChanged() {
    guard isConnected else { return }
    do throws(ClientError) {
      try awaitGrants()
    } catch {
      lose(error)
    }
    didChange?()
  }

  private func rules(for part: Part) -> [Int] {
    switch part {
    case .gestures: needs.gestureRules
    case .modifiers: needs.modifierRules
    case .pressing: needs.pressRules
    }
  }

  /// Monitors what rules need. If nothing is granted, that is a problem of the rules, not of the
  /// connection.
  private func monitor(_ part: Part) throws(ClientError) {
    guard !rules(for: part).isEmpty else { return monitors[part] = nil }
    guard monitors[part] == nil, refusals[part] == nil else { return }
    do throws(ClientError) {
      let monitor = try GlobalEventMonitor(part.scope, path: path)
      let watch = try BrokerWatch(
        monitor.descriptor, on: loop,
        // after a loss, what is held is asked for
        take: { [unowned self] () throws(ClientError) in try monitor.takeAsSent { receive($0) } },
        didFail: { [unowned self] error in fail(part, error) })
      monitors[part] = Monitor(watch: watch, fault: monitor.permission.advice)
    } catch {
      guard error.isRefusal else { throw error }
      complain(part, error)
    }
  }

  /// Whether keys may be pressed. It is better to know this before a rule acts. It also has the
  /// broker create its keyboard, which desktops take a moment to open.
  private func askForPressing() throws(ClientError) {
    let connection = try BrokerConnection(path: path)
    defer { connection.close() }
    let reason: ClientError
    do throws(ClientError) {
      let permission = try connection.preflight(Part.pressing.scope)
      guard !permission.isGranted else { return }
      reason = .notGranted(permission.status, advice: permission.advice ?? "'gliss grants'")
    } catch {
      guard error.isRefusal else { throw error }
      reason = error
    }
    complain(.pressing, reason, "its keys are not pressed: ")
  }

  // MARK: Strokes kept from the desktop

  func take(_ now: FingerCounts, of ever: FingerCounts) {
    taken = (now, ever)
    guard isConnected else { return }
    do throws(ClientError) {
      try takeStrokes()
    } catch {
      lose(error)
    }
    refusalsChanged()
  }

  func decide(_ verdict: StrokeVerdict) {
    do throws(ClientError) {
      try strokes?.decide(verdict, on: verdict.device.flatMap { devices[$0]?.name })
    } catch {
      // A lost broker is noticed elsewhere. If only the grant was revoked, asking again reports it.
      // Meanwhile the desktop gets every stroke.
      strokes?.close()
      strokes = nil
      take(taken.now, of: taken.ever)
    }
  }

  /// If the broker does not report pointing to this program, rules wait until their time is up.
  func watchPointing(_ isWanted: Bool) {
    pointing = nil
    guard isWanted, isConnected else { return }
    pointing = try? watchPointing()
  }

  private func watchPointing() throws(ClientError) -> BrokerWatch {
    let connection = try BrokerConnection(path: path)
    try connection.awaitPointing()
    return try BrokerWatch(
      connection.descriptor, on: loop,
      take: { [unowned self] () throws(ClientError) in
        guard let time = try connection.pointing() else { return }
        pointing = nil
        didReceive?(.pointed(at: time))
      }, didFail: { _ in })
  }

  private func takeStrokes() throws(ClientError) {
    takingFault = nil
    guard !taken.ever.isEmpty else {
      strokes?.close()
      strokes = nil
      return
    }
    let isOld = strokes != nil
    if strokes == nil { strokes = try BrokerConnection(path: path) }
    guard let connection = strokes else { return }
    do throws(ClientError) {
      try connection.takeStrokes(taken.now, of: taken.ever)
    } catch {
      strokes = nil
      connection.close()
      guard error.isRefusal else {
        // the broker ends this connection alone when nothing can be hidden any more
        if isOld { return try takeStrokes() }
        throw error
      }
      takingFault = error
    }
  }

  private func fail(_ part: Part, _ error: ClientError) {
    guard error.isRefusal else { return lose(error) }
    monitors[part] = nil
    if part == .modifiers { modifiers = [] }
    didReceive?(.interrupted(at: InputLoop.now))
    complain(part, error)
    refusalsChanged()
  }

  private func complain(_ part: Part, _ error: ClientError, _ what: String = "") {
    refusals[part] = "\(needs.names(rules(for: part))): \(what)\(error.withRest)"
  }

  private func learnModifiers() throws(ClientError) {
    let connection = try BrokerConnection(path: path)
    defer { connection.close() }
    do throws(ClientError) {
      modifiers = try connection.heldKeys().keys.reduce(into: []) { $0.formUnion(Modifiers($1)) }
    } catch {
      guard error.isRefusal else { throw error }
      // they are not known any more
      modifiers = []
    }
  }

  // MARK: What comes

  private func receive(_ event: GlobalEvent) {
    switch event {
    case .input(.gesture(let gesture), let name):
      introduce(gesture.device, name)
      didReceive?(.gesture(gesture, stream: 0, modifiers: modifiers))
    case .input(.key(let key), _):
      let changed = Modifiers(key.key)
      if key.state == .up { modifiers.subtract(changed) } else { modifiers.formUnion(changed) }
    case .input(.lost(let loss), let name): didReceive?(.lost(loss, device: name))
    case .session(.active, _): break
    case .session(_, let time):
      modifiers = []
      didReceive?(.interrupted(at: time))
    case .lost(let count):
      log.report(.warning, "the broker was not read in time: \(counted(count, "message")) lost")
      didReceive?(.interrupted(at: InputLoop.now))
      do throws(ClientError) {
        // a modifier's release may be among the lost events
        if monitors[.modifiers] != nil { try learnModifiers() }
      } catch {
        lose(error)
      }
    case .input: break
    }
  }

  private func introduce(_ id: DeviceID, _ name: String) {
    guard devices[id] == nil else { return }
    let device = RuleDevice(id, reportedAs: name)
    devices[id] = device
    didReceive?(.added(device))
  }
}

extension ClientError {
  /// Whether the broker refused the request or cannot meet it now; it is still connected.
  var isRefusal: Bool {
    switch self {
    case .notGranted, .notServed, .hotkeyCouldType, .hotkeyTaken, .invalidHotkey, .limitReached,
      .notImplemented, .invalidParameter, .notAllowed, .refused, .noSuchMode, .secureInputTaken,
      .nobodyToAsk, .notFound, .ambiguous, .duplicate, .alreadyMember, .cannotPress, .noKeyboard,
      .other:
      true
    case .noBroker, .disconnected, .closed, .timedOut, .tooLong, .notUnderstood, .malformed,
      .system:
      false
    }
  }
}
