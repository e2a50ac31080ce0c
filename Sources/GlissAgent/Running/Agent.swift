import Glibc
import GlissBroker
import GlissConfiguration
import GlissDevices
import GlissEvents
import GlissFocus
import GlissGate

/// The agent: rules from files, input from the broker or from devices, and actions.
///
/// One thread handles events. Another one does everything that takes time (``ActionWorker``).
final class Agent {
  private let options: AgentOptions
  private let log: AgentLog
  private let feed: any Feed
  private let worker: ActionWorker
  private let engine: RuleEngine
  private let watch: FolderWatch
  private let manager: ServiceManager
  private let signals: SignalQueue
  private let terminal = OwnTerminal()
  /// Only for windows that rules or profiles ask for, so that no other window wakes the loop.
  private var watchedWindows: [FollowedWindow: FocusWatch] = [:]
  private(set) var isHungUp = false
  private var service: OwnService?
  private var settling = SettlingMachine()
  private var rules: LoadedRules
  private let since = WallTime.now.seconds

  init(
    _ options: AgentOptions, _ folder: RuntimeFolder, _ feed: any Feed, _ first: LoadedRules
  ) throws {
    self.options = options
    self.feed = feed
    log = options.log
    rules = first
    signals = try DaemonProcess.takeSignals()
    manager = ServiceManager(now: InputLoop.now)
    worker = try ActionWorker(
      ActionWorker.Context(
        environment: ProcessEnvironment.all,
        bus: ProcessEnvironment.sessionBus, runtimeFolder: folder.base,
        broker: options.socket), log: log)
    engine = RuleEngine(
      worker, log, press: feed.press, first.configuration, appliesSettings: feed.readsDevices)
    watch = FolderWatch(on: feed.loop)
    service = try OwnService(
      folder.socket, product: "gliss", interface: "org.gliss.Agent",
      text: String(decoding: PackageResources.org_gliss_Agent_varlink, as: UTF8.self),
      on: feed.loop)
    followFiles()
    try connect()
  }

  private func connect() throws(SystemError) {
    feed.didReceive = { [unowned self] event in
      engine.receive(event)
      schedule()
    }
    feed.didChange = { [unowned self] in feedChanged() }
    engine.feed = feed
    watch.didChange = { [unowned self] in
      settling.changed(at: InputLoop.now)
      schedule()
    }
    feed.didRing = { [unowned self] in advance(to: InputLoop.now) }
    service?.answer = { [unowned self] in answer($0) }
    service?.deadlineDidMove = { [unowned self] in schedule() }
    try feed.loop.watch(signals.descriptor) { [unowned self] in takeSignals() }
  }

  // MARK: Running

  func run() throws(SystemError) {
    if rules.mistakes.isEmpty { announce() } else { refuse(rules.mistakes) }
    logProblems()
    // files may have changed since they were read
    settling.changed(at: InputLoop.now)
    followFocus()
    feed.follow(needs, because: .rules)
    engine.reportTaken()
    advance(to: InputLoop.now)
    manager.ready()
    reportStatus()
    defer { finish() }
    try feed.turn()
  }

  private func finish() {
    manager.stopping()
    engine.receive(.interrupted(at: InputLoop.now))
    service = nil
    worker.finish()
  }

  func stop() { feed.stop() }

  private func takeSignals() {
    while let signal = signals.next() {
      if signal.number == SIGHUP, !terminal.isGone {
        reload(isAsked: true)
      } else {
        isHungUp = signal.number == SIGHUP
        if isHungUp { log.report(.notice, "its terminal went away") }
        stop()
      }
    }
  }

  // MARK: Time

  private var deadline: EventTime? {
    var earliest = EventTime.earlier(engine.deadline, settling.deadline)
    earliest = .earlier(earliest, feed.deadline)
    earliest = .earlier(earliest, manager.deadline)
    return .earlier(earliest, service?.deadline)
  }

  private func advance(to time: EventTime) {
    engine.advance(to: time)
    feed.advance(to: time)
    manager.advance(to: time)
    service?.advance(to: time)
    if settling.advance(to: time) { reload(isAsked: false) }
    schedule()
  }

  /// Call this after any change that may affect the deadline.
  func schedule() { feed.alarm = deadline }

  // MARK: Rules

  /// Reads the rules again, and takes them if they are valid.
  ///
  /// - Parameter isAsked: whether someone asked for it and gets an answer even if nothing has
  ///   changed.
  @discardableResult
  private func reload(isAsked: Bool) -> Bool {
    // start watching first, so that no later change is missed
    followFiles()
    let (known, watched) = (rules.mistakes, rules.included)
    let outcome = rules.take(options.source.read(), at: WallTime.now.seconds)
    if rules.included != watched {
      // those that are new may have changed before they were watched
      followFiles()
      settling.changed(at: InputLoop.now)
      schedule()
    }
    logProblems()
    switch outcome {
    case .same: if isAsked { retry() }
    case .taken: begin(because: isAsked ? .user : .rules)
    case .refused: if isAsked || rules.mistakes != known { refuse(rules.mistakes) }
    }
    return outcome != .refused
  }

  private func followFiles() {
    watch.follow(files: options.source.files + rules.included, folders: options.source.folders)
  }

  private func begin(because occasion: FeedOccasion) {
    manager.reloading(at: InputLoop.now)
    engine.replace(
      rules.configuration, appliesSettings: feed.readsDevices, at: InputLoop.now)
    followFocus()
    needs = wanted
    feed.follow(needs, because: occasion)
    announce()
    manager.ready()
    reportStatus()
    schedule()
  }

  /// Requests input again: more may have been granted meanwhile.
  private func retry() {
    log.report(.notice, "the rules are as they were: \(rules.summary)")
    feed.follow(needs, because: .user)
    schedule()
  }

  private func refuse(_ mistakes: [String]) {
    for mistake in mistakes { log.report(.error, mistake) }
    let kept =
      rules.configuration.rules.isEmpty ? "no rule is in force" : "the old rules stay in force"
    log.report(.error, "these rules are not taken: \(kept)")
    worker.add(
      .announce(
        summary: "The rules were not taken: \(kept)",
        body: mistakes.prefix(3).joined(separator: "\n")))
    reportStatus()
  }

  private func announce() {
    for warning in rules.warnings { log.report(.warning, warning) }
    log.report(.notice, rules.summary)
  }

  // MARK: The feed

  private lazy var needs = wanted

  private var wanted: InputNeeds {
    InputNeeds(rules.configuration, namesKeyboards: feed.readsDevices, focus: engine.focus)
  }

  private func feedChanged() {
    engine.bind(feed.hotkeys, as: needs)
    logProblems()
    reportStatus()
    schedule()
  }

  private var loggedProblems: Set<String> = []

  private var problems: [String] {
    feed.problems + (watch.problem.map { [$0] } ?? []) + focusProblems
  }

  private func logProblems() {
    let problems = problems
    // a problem that comes back is reported again, but not because a desktop is looked for again
    if !watchedWindows.values.contains(where: { $0.status == .searching }) {
      loggedProblems.formIntersection(problems)
    }
    for problem in problems where loggedProblems.insert(problem).inserted {
      log.report(.warning, problem)
    }
  }

  private func reportStatus() {
    var parts = [feed.isConnected ? "input through \(feed.route)" : "waiting for the \(feed.route)"]
    parts.append(rules.summary)
    if !rules.mistakes.isEmpty { parts.append("the newest rules have mistakes") }
    manager.report(status: parts.joined(separator: "; "))
  }

  // MARK: The focus

  private func followFocus() {
    for matched in FollowedWindow.allCases {
      guard rules.configuration.asks(for: matched, appliesSettings: feed.readsDevices) else {
        watchedWindows[matched] = nil
        engine.focus(on: nil, as: matched, isKnown: false)
        continue
      }
      guard watchedWindows[matched] == nil else { continue }
      do throws(SystemError) {
        watchedWindows[matched] = try watchWindow(matched)
      } catch {
        log.report(.error, "\(matched.question) cannot be watched: \(error)")
      }
    }
  }

  private func watchWindow(_ matched: FollowedWindow) throws(SystemError) -> FocusWatch {
    let watch = try FocusWatch(on: feed.loop, following: matched)
    watch.didChange = { [unowned self, unowned watch] in
      focusChanged(to: $0, matched, isKnown: watch.focus != .unknown)
    }
    watch.didChangeStatus = { [unowned self] in
      if log.isVerbose, case .watching(let kind) = $0 {
        log.report(.info, "\(kind.name) reports \(matched.question)")
      }
      logProblems()
      schedule()
    }
    return watch
  }

  private func focusChanged(
    to window: FocusedWindow?, _ matched: FollowedWindow, isKnown: Bool
  ) {
    let window = window.map { RuleFocus.Window(names: $0.names, title: $0.title) }
    engine.focus(on: window, as: matched, isKnown: isKnown)
    let next = wanted
    guard next.requests != needs.requests || next.rules != needs.rules else { return }
    needs = next
    feed.follow(next, because: .focus)
    schedule()
  }

  private var focusProblems: [String] {
    FollowedWindow.allCases.compactMap { matched in
      guard case .missing = watchedWindows[matched]?.status else { return nil }
      return
        "rules for some applications do not act: nothing reports \(matched.question); 'gliss doctor' says why"
    }
  }

  // MARK: Calls

  private func answer(_ method: String) -> JSON? {
    switch method {
    case "Reload":
      let isTaken = reload(isAsked: true)
      return [
        "taken": .bool(isTaken), "rules": .whole(rules.configuration.rules.count),
        "mistakes": .strings(isTaken ? rules.warnings : rules.mistakes),
      ]
    case "Status": return status
    case "Why": return engine.report.json
    case "Stop":
      stop()
      return [:]
    case _: return nil
    }
  }

  private var status: JSON {
    let commands = worker.queue.report
    return .members([
      "version": .string(Release.version), "pid": .whole(getpid()), "since": .integer(since),
      "loaded": .integer(rules.loaded), "route": .string(feed.route),
      "connected": .bool(feed.isConnected), "grabbed": .strings(feed.grabbed),
      "files": .strings(rules.files), "gestures": .whole(rules.gestureCount),
      "hotkeys": .whole(rules.hotkeyCount), "mode": engine.mode.map(JSON.string),
      "mistakes": .strings(rules.mistakes), "problems": .strings(problems),
      "commands": [
        "running": .whole(commands.running), "started": .whole(commands.started),
        "leftOut": .whole(commands.leftOut),
      ],
    ])
  }
}

/// The rules in force, and what was wrong with those that were read last.
struct LoadedRules {
  private(set) var configuration: Configuration
  private(set) var files: [String]
  /// The paths that the files read last include, whether they exist or not.
  private(set) var included: [String]
  private(set) var mistakes: [String]
  private(set) var warnings: [String]
  /// When the rules in force were read, in seconds since 1970.
  private(set) var loaded: Int64

  enum Outcome: Hashable {
    case same
    case taken
    case refused
  }

  /// The first rules, or no rules if those have mistakes.
  init(_ found: ConfigurationFiles.Found, at time: Int64) {
    configuration = Configuration()
    (files, included, mistakes, warnings, loaded) = ([], [], [], [], time)
    _ = take(found, at: time)
  }

  mutating func take(_ found: ConfigurationFiles.Found, at time: Int64) -> Outcome {
    included = found.included
    let (reading, names) = (found.rules, found.texts.map(\.name))
    // one refused file keeps all rules from being taken: other files' rules might apply in place of
    // its own
    guard let next = reading.configuration, found.errors.isEmpty else {
      // keep naming the files of the rules in force
      if configuration.rules.isEmpty { files = names }
      mistakes = Self.texts(reading.mistakes, .error) + found.errors.map(\.description)
      return .refused
    }
    files = names
    warnings = Self.texts(reading.mistakes, .warning)
    let hadMistakes = !mistakes.isEmpty
    mistakes = []
    if next == configuration, !hadMistakes { return .same }
    configuration = next
    loaded = time
    return .taken
  }

  private static func texts(_ mistakes: [Mistake], _ severity: Mistake.Severity) -> [String] {
    let label = severity == .warning ? "warning: " : ""
    return mistakes.filter { $0.severity == severity }.map { "\($0.place): \(label)\($0.message)" }
  }

  var hotkeyCount: Int { configuration.rules.count { $0.isHotkey } }
  var gestureCount: Int { configuration.rules.count - hotkeyCount }

  var summary: String {
    if configuration.rules.isEmpty {
      return mistakes.isEmpty ? "there are no rules yet" : "no rules are in force"
    }
    let rules = counted(configuration.rules.count, "rule")
    return "\(rules) of \(files.joined(separator: ", "))"
  }
}
