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

  private let host: any AgentHost
  private let feed: any Feed
  private var needs: InputNeeds
  private var machine: RuleMachine
  /// The machines for earlier triggers, until what has begun in them ends.
  private var ending: [RuleMachine] = []

  /// - Throws: if neither the broker nor devices are available.
  package convenience init(route: AgentOptions.Route, socket: String, log: AgentLog) throws {
    let (host, feed) = try AgentRun.openFeed(route, socket, log) {
      InputNeeds(Configuration(), namesKeyboards: $0)
    }
    self.init(host, feed)
  }

  init(_ host: any AgentHost, _ feed: any Feed) {
    let nothing = Configuration()
    machine = RuleMachine(RuleTable(nothing, appliesSettings: false))
    needs = InputNeeds(nothing, namesKeyboards: feed.readsDevices)
    (self.host, self.feed) = (host, feed)
    feed.didReceive = { [unowned self] in receive($0) }
    feed.didChange = { [unowned self] in feedChanged() }
    host.didRing = { [unowned self] in advance(to: InputLoop.now) }
  }

  /// Whether the broker answers, or a device can be read.
  package static func isPossible(route: AgentOptions.Route, socket: String) -> Bool {
    (try? AgentRun.usesBroker(route, socket, AgentLog { _, _ in })) != nil
  }

  package var loop: InputLoop { host.loop }
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
    if machine.isUnderWay { ending.append(machine) }
    let place = Place(file: "", line: 1, column: 1)
    let rules = triggers.map {
      Rule(name: $0.name, trigger: $0.trigger, reactions: Reactions(), place: place)
    }
    let configuration = Configuration(rules: rules)
    var kinds = needs.kinds
    if !triggers.isEmpty { kinds = [.gesture, .key, .pointer, .scroll] }
    needs = InputNeeds(configuration, namesKeyboards: feed.readsDevices)
    needs.kinds = kinds
    machine = RuleMachine(RuleTable(configuration, appliesSettings: false), after: machine)
    feed.follow(needs, because: .rules)
    // no more gestures come
    if needs.gestureRules.isEmpty { cancelEnding(at: InputLoop.now) }
    bind()
    report()
    schedule()
  }

  package func run() throws(SystemError) {
    advance(to: InputLoop.now)
    try host.turn()
  }

  package func stop() { host.stop() }

  private func feedChanged() {
    bind()
    report()
    didChange?()
    schedule()
  }

  /// No release follows of hotkeys that the feed no longer has.
  private func bind() {
    machine.bind(needs.rules(of: feed.hotkeys))
    let known = Set(feed.hotkeys.values)
    machine.release(allBut: known, at: InputLoop.now)
    for index in ending.indices { ending[index].release(allBut: known, at: InputLoop.now) }
  }

  private func cancelEnding(_ device: DeviceID? = nil, at time: EventTime) {
    for index in ending.indices { ending[index].cancelGestures(of: device, at: time) }
  }

  private func schedule() {
    let due = ending.reduce(machine.deadline) { EventTime.earlier($0, $1.deadline) }
    host.alarm = EventTime.earlier(due, feed.deadline)
  }

  private func advance(to time: EventTime) {
    machine.advance(to: time)
    for index in ending.indices { ending[index].advance(to: time) }
    report()
    feed.advance(to: time)
    schedule()
  }

  private func receive(_ event: FeedEvent) {
    machine.receive(event)
    if !event.isBeginning {
      for index in ending.indices { ending[index].receive(event) }
    } else if case .gesture(let gesture, _, _) = event {
      // the end of the one before it was lost
      cancelEnding(gesture.device, at: gesture.time)
    }
    report()
    schedule()
  }

  private func report() {
    var machines = ending + [machine]
    // a handler may call `follow`
    let taken = machines.indices.map { machines[$0].takeActivations() }
    machine = machines.removeLast()
    ending = machines.filter(\.isUnderWay)
    for (machine, activations) in zip(machines + [machine], taken) {
      for activation in activations {
        let trigger = machine.table.configuration.rules[activation.rule].trigger
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
