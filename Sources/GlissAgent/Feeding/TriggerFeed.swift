import GlissBroker
package import GlissConfiguration
package import GlissDevices
package import GlissEvents
import GlissHotkeys

/// Listens to the triggers it is given, independently of the user's rules: through the broker, or
/// on devices of our own.
package final class TriggerFeed {
  /// Called when a trigger begins and when it ends: at a hotkey's press and release, and at a
  /// gesture's beginning and end. What is over at once begins and ends at the same time.
  package var didTrigger: ((Rule.Trigger, _ hasBegun: Bool, EventTime) -> Void)?
  /// Called when ``missing``, ``problems`` or ``isConnected`` may have changed.
  package var didChange: (() -> Void)?

  private let feed: any Feed
  private var needs: InputNeeds
  /// The last one is for the current triggers, the others for earlier ones, until what has begun in
  /// them ends.
  private var machines: [RuleMachine]

  package convenience init(route: AgentOptions.Route, socket: String, log: AgentLog) throws {
    self.init(
      try AgentRun.openFeed(route, socket, log) {
        InputNeeds(Configuration(), namesKeyboards: $0)
      })
  }

  init(_ feed: any Feed) {
    let nothing = Configuration()
    machines = [RuleMachine(RuleTable(nothing, appliesSettings: false))]
    needs = InputNeeds(nothing, namesKeyboards: feed.readsDevices)
    self.feed = feed
    feed.didReceive = { [unowned self] in receive($0) }
    feed.didChange = { [unowned self] in feedChanged() }
    feed.didRing = { [unowned self] in advance(to: InputLoop.now) }
  }

  /// Whether the broker answers, or a device can be read.
  package static func isPossible(route: AgentOptions.Route, socket: String) -> Bool {
    (try? AgentRun.usesBroker(route, socket, AgentLog { _, _ in })) != nil
  }

  package var loop: InputLoop { feed.loop }
  package var isConnected: Bool { feed.isConnected }
  package var problems: [String] { feed.problems }
  package var route: String { feed.route }

  /// The triggers that do not act though input arrives: refused, or held by another program.
  package var missing: Set<Rule.Trigger> {
    guard feed.isConnected else { return [] }
    return needs.requests.reduce(into: []) { missing, request in
      guard feed.hotkeys[request] == nil else { return }
      for rule in needs.rules[request] ?? [] {
        missing.insert(needs.configuration.rules[rule].trigger)
      }
    }
  }

  /// Listens to these triggers from now on, and to no others. Each has a name for messages. What
  /// has begun still ends as it would have.
  package func follow(_ triggers: [(name: String, trigger: Rule.Trigger)]) {
    let place = Place(file: "", line: 1, column: 1)
    let rules = triggers.map {
      Rule(name: $0.name, trigger: $0.trigger, reactions: Reactions(), place: place)
    }
    let configuration = Configuration(rules: rules)
    var kinds = needs.kinds
    if !triggers.isEmpty { kinds = [.gesture, .key, .pointer, .scroll] }
    needs = InputNeeds(configuration, namesKeyboards: feed.readsDevices)
    needs.kinds = kinds
    machines.append(
      RuleMachine(RuleTable(configuration, appliesSettings: false), after: machines.last))
    feed.follow(needs, because: .rules)
    // no more gestures come
    if needs.gestureRules.isEmpty { cancelEnding(at: InputLoop.now) }
    bind()
    report()
    schedule()
  }

  package func run() throws(SystemError) {
    advance(to: InputLoop.now)
    try feed.turn()
  }

  package func stop() { feed.stop() }

  private func feedChanged() {
    bind()
    report()
    didChange?()
    schedule()
  }

  /// No release follows of hotkeys that the feed no longer has.
  private func bind() {
    machines[machines.count - 1].bind(needs.rules(of: feed.hotkeys))
    let known = Set(feed.hotkeys.values)
    for index in machines.indices { machines[index].release(allBut: known, at: InputLoop.now) }
  }

  private func cancelEnding(_ device: DeviceID? = nil, at time: EventTime) {
    for index in machines.indices.dropLast() {
      machines[index].cancelGestures(of: device, at: time)
    }
  }

  private func schedule() {
    feed.alarm = machines.reduce(feed.deadline) { .earlier($0, $1.deadline) }
  }

  private func advance(to time: EventTime) {
    for index in machines.indices { machines[index].advance(to: time) }
    report()
    feed.advance(to: time)
    schedule()
  }

  private func receive(_ event: FeedEvent) {
    let first = event.isBeginning ? machines.count - 1 : 0
    for index in first..<machines.count { machines[index].receive(event) }
    if case .gesture(let gesture, _, _) = event, event.isBeginning {
      // the end of the one before it was lost
      cancelEnding(gesture.device, at: gesture.time)
    }
    report()
    schedule()
  }

  private func report() {
    // a handler may call `follow`
    let reported = machines.indices.map { (machines[$0].table, machines[$0].takeActivations()) }
    machines = machines.dropLast().filter(\.isUnderWay) + machines.suffix(1)
    for (table, activations) in reported {
      for activation in activations {
        let trigger = table.configuration.rules[activation.rule].trigger
        for edge in activation.edges { didTrigger?(trigger, edge, activation.time) }
      }
    }
  }
}

extension Activation {
  /// What it does to its trigger, in order: begin it (`true`) or end it (`false`). A tap does both,
  /// a change nothing.
  fileprivate var edges: [Bool] {
    switch (moment, cause) {
    case (.begin, _): [true]
    // a hotkey acts when it is pressed, and its release follows
    case (.end, .hotkey): [true]
    case (.end, .gesture(let gesture)): gesture.phase == .recognized ? [true, false] : [false]
    case (.cancel, _), (.release, _): [false]
    case (.change, _), (.forward, _), (.back, _): []
    }
  }
}

extension FeedEvent {
  /// Whether a gesture or a press begins with it, which is only for the current triggers.
  fileprivate var isBeginning: Bool {
    switch self {
    case .gesture(let gesture, _, _): gesture.begins
    case .hotkey(let hotkey): hotkey.phase == .pressed
    case .pointed, .modeLeft, .added, .removed, .interrupted, .lost: false
    }
  }
}
