import Glibc
import GlissBroker
import GlissConfiguration
import GlissDevices
import GlissEvents
import GlissGate
import GlissGestures
import GlissHotkeys
import GlissSession

/// Input from devices that this process reads itself.
final class DeviceFeed: Feed {
  var didReceive: ((FeedEvent) -> Void)?
  var didChange: (() -> Void)?
  let readsDevices = true

  let live: LiveDevices
  private let log: AgentLog
  private let keys: OwnKeys
  private let seatWatch: SeatWatch
  private var seat: SeatPermission
  private var isSeatWatched = false
  private var pause: SeatPermission.Pause?
  private var sessions: RuleSessions
  private var needs: InputNeeds
  private var grabs = GrabNotes()
  private var refusedDevices: [String: String] = [:]
  private var paths: [DeviceID: String] = [:]
  private let strokes: StrokeChoice
  private var taken = (now: FingerCounts(), ever: FingerCounts())
  private var takingFault: SystemError?
  /// By the touchpad's device node: why it has no twin, although root has chosen twins.
  private var twinFaults: [String: String] = [:]
  /// The devices read now cannot deliver what is wanted, so reading must start over.
  private var mustRestart = false
  private var isStopping = false
  /// By the layout: the hotkeys whose characters were looked for on it.
  private var soughtHotkeys: [KeyboardLayout: Set<Hotkey>] = [:]

  /// - Parameters:
  ///   - rule: how to learn whether the screen is locked. Terminals without logind do not report
  ///     it.
  ///   - user: the user whose rules these are.
  init(
    _ log: AgentLog, _ needs: InputNeeds, _ selection: DeviceSelection = .defaultSeat,
    seat rule: SeatWatch.Rule = LoginManager.isRunning ? .logind(busAddress: nil) : .none,
    user: UInt32 = getuid()
  ) throws(SystemError) {
    live = try LiveDevices(selection)
    strokes = StrokeChoice(control: try StrokeControl(on: live.loop), twins: live)
    seatWatch = SeatWatch(rule)
    seat = SeatPermission(user: user, isUnknown: rule == .none)
    keys = OwnKeys(on: live.loop)
    keys.didPlugIn = { [live] in live.lendTwins(to: $0) }
    sessions = RuleSessions(needs, consumes: true)
    self.log = log
    self.needs = needs
    live.didAdd = { [unowned self] device, path in added(device, at: path) }
    live.didRefuse = { [unowned self] in refused($0) }
    live.didChangeGrab = { [unowned self] in receive($0) }
    live.didChangeTwin = { [unowned self] in receiveTwin($0) }
    seatWatch.didChange = { [unowned self] in
      seat.observed = $0
      seatChanged()
    }
    seatWatch.didFail = { [unowned self] in
      seat.problem = $0
      seatChanged()
    }
    seatWatch.didChangeDeadline = { [unowned self] in didChange?() }
    live.mayConsume = seat.mayConsume
    prepare()
  }

  static var mayRead: Bool {
    DeviceFinder.all.contains { access($0.path, R_OK) == 0 }
  }

  var isConnected: Bool { !paths.isEmpty }
  var grabbed: [String] { grabs.grabbed }
  var press: PressKeys? { { [keys] order throws(ActionFailure) in try keys.carryOut(order) } }
  var session: Session { sessions.main }
  var hotkeys: [HotkeyRequest: HotkeyID] { sessions.hotkeys }

  var problems: [String] {
    (pause.map { ["no rule acts: \($0.rawValue)"] } ?? [])
      + sessions.refusals.map { "\(needs.names($0.key)): \($0.value)" }.sorted()
      + refusedDevices.values.sorted() + consumingProblems
      + (takingFault.map { [needs.fault(ofTaking: "\($0)")] } ?? [])
      + twinFaults.values.sorted()
  }

  private var consumingProblems: [String] {
    guard needs.consumes else { return taken.ever.isEmpty ? [] : grabs.problems }
    let unknown = seat.mayConsume ? nil : seat.problem.map { "no hotkey is consumed: \($0)" }
    return [unknown].compactMap(\.self) + grabs.problems
  }

  // MARK: What is asked for

  func follow(_ needs: InputNeeds, because occasion: FeedOccasion) {
    let before = self.needs
    self.needs = needs
    if !before.configuration.hasSameSettings(as: needs.configuration)
      || !Self.mask(before).isSuperset(of: Self.mask(needs))
    {
      mustRestart = true
      live.stop()
    } else {
      sessions.follow(needs)
      warnOfCharacters()
      watchSeat()
    }
    if occasion == .user {
      grabs.resume()
      live.resumeConsuming()
    }
    takeStrokes()
    didChange?()
  }

  func enterMode(_ mode: String?) { sessions.enterMode(mode) }

  func focus(on window: RuleFocus.Window?, as matched: FollowedWindow) {
    sessions.focus(on: window, as: matched)
  }

  func watchPointing(_ isWanted: Bool) { sessions.watchPointing(isWanted) }

  static func mask(_ needs: InputNeeds) -> EventMask {
    var mask = needs.kinds
    if !needs.gestureRules.isEmpty { mask.insert(.gesture) }
    if needs.lingers { mask.insert(.touch) }
    if !needs.modifierRules.isEmpty { mask.insert(.key) }
    if !needs.bareModes.isEmpty { mask.insert(.key) }
    if !needs.requests.isEmpty { mask.formUnion([.key, .pointer, .scroll]) }
    // devices are looked for even if no rule waits for an event
    return mask.isEmpty ? .gesture : mask
  }

  private func prepare() {
    live.eventKinds = Self.mask(needs)
    session.keyRepeat = .standard
    session.keyTranslator = try? XkbKeyTranslator.find().translator
    sessions.didReceive = { [unowned self] in receive($0) }
    warnOfCharacters()
    watchSeat()
  }

  /// Warns once of each hotkey with a character that no key of the layout has.
  private func warnOfCharacters() {
    guard let translator = session.keyTranslator else { return }
    for hotkey in needs.requests.map(\.hotkey)
    where soughtHotkeys[translator.layout, default: []].insert(hotkey).inserted {
      if let warning = translator.warning(about: hotkey) { log.report(.warning, warning) }
    }
  }

  private func receive(_ event: FeedEvent) {
    switch event {
    case .removed(let id, _):
      removed(id)
      didReceive?(event)
      didChange?()
    case .added, .modeLeft, .interrupted: didReceive?(event)
    // rules must not react to another user's input, or to input at a locked screen
    case .gesture, .hotkey, .pointed, .lost: if pause == nil { didReceive?(event) }
    }
  }

  // MARK: Devices

  private func added(_ device: Device, at path: String) {
    paths[device.id] = path
    refusedDevices[path] = nil
    log.report(.info, "reading \(path) (\(device.name))")
    didChange?()
  }

  private func removed(_ id: DeviceID) {
    guard let path = paths.removeValue(forKey: id) else { return }
    grabs.forget(path)
    twinFaults[path] = nil
  }

  private func refused(_ device: RefusedDevice) {
    refusedDevices[device.path] = "\(device)"
    didChange?()
  }

  // MARK: Consuming

  func take(_ now: FingerCounts, of ever: FingerCounts) {
    taken = (now, ever)
    takeStrokes()
  }

  func decide(_ verdict: StrokeVerdict) { if pause == nil { strokes.decide(verdict) } }

  private func takeStrokes() {
    let before = takingFault
    takingFault = nil
    do throws(SystemError) {
      let mayTake = pause == nil && seat.mayConsume
      live.hidesResting = TwinSwitch.system.hidesResting
      try strokes.take(
        mayTake ? taken.now : [], of: mayTake ? taken.ever : [], twins: TwinSwitch.system.isOn)
    } catch {
      takingFault = error
    }
    if takingFault != before { didChange?() }
  }

  func receive(_ news: GrabChange) {
    grabs.note(news)
    if !news.isProblem { log.report(.notice, "\(news)") }
    didChange?()
  }

  private func receiveTwin(_ news: GrabChange) {
    if let path = news.path { twinFaults[path] = news.isProblem ? news.strokeSentence : nil }
    if !news.isProblem { log.report(.notice, news.strokeSentence) }
    didChange?()
  }

  private func watchSeat() {
    guard !needs.configuration.rules.isEmpty, !isSeatWatched else { return }
    isSeatWatched = true
    do throws(SystemError) {
      try seatWatch.start(on: loop)
    } catch {
      log.report(.error, "it is unknown whether the screen is locked: \(error)")
    }
  }

  private func seatChanged() {
    let wasActive = pause == nil
    pause = seat.pause
    sessions.isPaused = pause != nil
    if wasActive != (pause == nil) {
      let now = InputLoop.now
      if wasActive { didReceive?(.interrupted(at: now)) }
      // what began at the lock screen must not go on after it either
      session.interrupt(at: now)
    }
    live.mayConsume = seat.mayConsume
    takeStrokes()
    didChange?()
  }

  var deadline: EventTime? { seatWatch.deadline }
  func advance(to time: EventTime) { seatWatch.advance(to: time) }
}

extension DeviceFeed {
  var loop: InputLoop { live.loop }
  var alarm: EventTime? {
    get { live.alarm }
    set { live.alarm = newValue }
  }
  var didRing: (() -> Void)? {
    get { live.didRing }
    set { live.didRing = newValue }
  }

  func stop() {
    isStopping = true
    live.stop()
  }

  func turn() throws(SystemError) {
    repeat {
      mustRestart = false
      paths = [:]
      try live.run(into: session)
      guard mustRestart, !isStopping else { return }
      // device numbers change
      didReceive?(.interrupted(at: InputLoop.now))
      sessions = RuleSessions(needs, consumes: true, after: sessions)
      prepare()
      didChange?()
    } while true
  }
}

extension Configuration {
  /// Whether the same sessions serve both.
  fileprivate func hasSameSettings(as other: Configuration) -> Bool {
    settings == other.settings && profiles == other.profiles
      && RuleTable(self).settingSets == RuleTable(other).settingSets
  }
}

extension RuleDevice {
  /// What the system knows of a device that the broker reads, which reports only its name. One that
  /// makes gestures goes before others of that name.
  init(_ id: DeviceID, reportedAs name: String) {
    self.init(id: id, name: name)
    let named = DeviceFinder.all.filter { $0.name == name }
    let hand = named.first { !$0.classes.isDisjoint(with: [.touchpad, .touchscreen]) }
    guard let found = hand ?? named.first else { return }
    vendorAndProduct = DeviceMatch.VendorAndProduct(
      vendor: found.identifier.vendor, product: found.identifier.product)
    let kinds: [(DeviceClasses, DeviceMatch.Kind)] = [
      (.touchpad, .touchpad), (.touchscreen, .touchscreen), (.mouse, .mouse),
      ([.keyboard, .key], .keyboard),
    ]
    kind = kinds.first { !found.classes.isDisjoint(with: $0.0) }?.1
  }
}

/// Whether rules may act now, and whether keys may be kept from the desktop. Neither is allowed
/// while the screen is locked, another user's session is active, or the machine sleeps.
///
/// If logind runs, it is asked. Until it answers, and while no session is active (as on a machine
/// without a screen), rules act but no keys are kept from the desktop. Without logind there is no
/// such information: rules act and keys may be kept.
struct SeatPermission {
  let user: UInt32
  /// There is no logind.
  let isUnknown: Bool
  var observed: SeatState?
  /// Why logind does not say.
  var problem: String?

  enum Pause: String {
    case locked = "the screen is locked"
    case asleep = "the machine is asleep"
    case elsewhere = "another user's session is active"
  }

  /// Root may consume keys in every session.
  var mayConsume: Bool {
    guard let seat = observed else { return isUnknown }
    return !seat.isLocked && !seat.isAsleep && (user == 0 || seat.activeUser == user)
  }

  /// Root's rules apply to the whole machine, so they always act.
  var pause: Pause? {
    guard problem == nil, user != 0, let seat = observed else { return nil }
    if let active = seat.activeUser, active != user { return .elsewhere }
    return seat.isAsleep ? .asleep : seat.isLocked ? .locked : nil
  }
}

/// The current state of grabs on keyboards whose hotkeys are to be consumed.
struct GrabNotes {
  /// The last news, by the keyboard's device node. What applies to all keyboards, as the panic chord
  /// or a stall, has an empty path.
  private var news: [String: GrabChange] = [:]

  mutating func note(_ change: GrabChange) {
    news[change.path ?? ""] = change
    if case .grabbed = change { forget("") }
  }

  mutating func resume() { news = news.filter { !$1.isProblem } }

  mutating func forget(_ path: String) { news[path] = nil }

  /// `NAME (PATH)` of the grabbed keyboards.
  var grabbed: [String] {
    let texts = news.compactMap { path, change -> String? in
      if case .grabbed(_, let name) = change { "\(name) (\(path))" } else { nil }
    }
    return texts.sorted()
  }

  var problems: [String] {
    // the command restores the grabs
    news.filter(\.value.isProblem).sorted { $0.key < $1.key }
      .map { $0.value.sentence(resumedBy: "gliss reload") }
  }
}
