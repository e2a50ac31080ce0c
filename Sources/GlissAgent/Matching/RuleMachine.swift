import GlissConfiguration
package import GlissDevices
package import GlissEvents

/// Turns gestures and hotkeys into activations of rules.
///
/// A gesture belongs to the mode and modifiers in force when it began. Later changes affect only
/// the next gesture. Every `begin` is followed by exactly one `end` or `cancel` of the same rule,
/// and every press of a hotkey that acts by exactly one `release`, whatever happens. The machine
/// has no clock: events carry their time, and ``advance(to:)`` advances it between events. An
/// event at which no rule begins, changes or ends allocates nothing.
///
/// Call ``takeActivations()`` after each event.
package struct RuleMachine: Sendable {
  package let table: RuleTable
  package private(set) var mode: String?
  private var windows: [FollowedWindow: RuleFocus.Window] = [:]
  private var knownWindows: Set<FollowedWindow> = []
  private(set) var focus: RuleFocus
  package private(set) var strokes: Strokes
  /// The numbers of fingers of gestures that rules may keep from the desktop now.
  package var taken: FingerCounts { fingersTaken(by: nil) }
  /// The verdict on the last gesture that began, until ``nextVerdict()`` takes it.
  private var verdict: StrokeVerdict?
  /// The number of the last gesture or press (``Activation/serial``).
  private(set) var lastSerial: UInt64
  private var streams: [DeviceStream] = []
  private var hotkeyRules: [HotkeyID: [Int]] = [:]
  private var held: [HeldHotkey] = []
  private var activations: [Activation] = []

  /// One device, in one stream of gestures.
  private struct DeviceStream {
    var id: DeviceID
    var stream: Int
    var device: RuleDevice?
    /// When its last gesture that was not cancelled ended.
    var lastEnd: EventTime?
    /// The value of `lastEnd` before the current row of taps began.
    var lastEndBeforeTaps: EventTime?
    var gesture: MatchedGesture?
    /// Whether the desktop gets the stroke is not decided yet.
    var isOpen = false
    var lingering: [LingeringRule] = []
  }

  private struct HeldHotkey: BitwiseCopyable {
    var hotkey: HotkeyID
    var device: DeviceID
    var rule: Int
    var serial: UInt64
  }

  /// - Parameter earlier: the machine for the previous rules. Its recorded gestures and windows are
  ///   kept.
  package init(_ table: RuleTable, after earlier: RuleMachine? = nil) {
    self.table = table
    windows = earlier?.windows ?? [:]
    knownWindows = earlier?.knownWindows ?? []
    focus = table.focus(on: windows, known: knownWindows)
    lastSerial = earlier?.lastSerial ?? 0
    strokes = Strokes(limit: Strokes.usual * table.settingSets.count)
    for stroke in earlier?.strokes.kept ?? [] { strokes.add(stroke) }
  }

  package mutating func takeActivations() -> [Activation] {
    defer { activations = [] }
    return activations
  }

  // MARK: Modes and devices

  /// Engages only rules of `mode` from now on, or only those without a mode if it is `nil`. Rules
  /// that are engaged already continue to their end, but those of other modes do not repeat.
  package mutating func enterMode(_ mode: String?) { self.mode = mode }

  /// From now on gestures and presses belong to this window, or to none. Those under way stay with
  /// the window where they began.
  ///
  /// - Parameter isKnown: whether it is known which window that is.
  package mutating func focus(
    on window: RuleFocus.Window?, as matched: FollowedWindow = .focused, isKnown: Bool = true
  ) {
    windows[matched] = window
    if isKnown { knownWindows.insert(matched) } else { knownWindows.remove(matched) }
    focus = table.focus(on: windows, known: knownWindows)
  }

  /// Makes a device known. An unknown device matches only rules without a device condition.
  package mutating func add(_ device: RuleDevice) {
    for stream in table.settingSets.indices {
      streams[index(of: device.id, stream)].device = device
    }
  }

  /// Removes a device. Cancels the rules it has engaged and releases the hotkeys it holds.
  package mutating func remove(_ device: DeviceID, at time: EventTime) {
    cancelGestures(of: device, at: time)
    streams.removeAll { $0.id == device }
    releaseHotkeys(at: time) { $0.device == device }
  }

  /// Cancels all engaged rules and releases all held hotkeys, because input ends or the rules are
  /// about to be replaced. Gestures under way engage no more rules.
  package mutating func cancelAll(at time: EventTime) {
    cancelGestures(of: nil, at: time)
    releaseHotkeys(at: time) { _ in true }
  }

  /// The same for the gestures on one device, or on all of them.
  mutating func cancelGestures(of device: DeviceID?, at time: EventTime) {
    advance(to: time)
    for index in streams.indices where device == nil || streams[index].id == device {
      cancel(nil, at: time, index)
      endLingering(index, at: time)
    }
  }

  /// Releases the held hotkeys other than `kept`, because no release of them will come.
  mutating func release(allBut kept: Set<HotkeyID>, at time: EventTime) {
    releaseHotkeys(at: time) { !kept.contains($0.hotkey) }
  }

  var isUnderWay: Bool {
    !held.isEmpty || isLingering || streams.contains { $0.gesture?.isRunning == true }
  }

  private mutating func index(of device: DeviceID, _ stream: Int) -> Int {
    if let index = streams.firstIndex(where: { $0.id == device && $0.stream == stream }) {
      return index
    }
    streams.append(DeviceStream(id: device, stream: stream))
    return streams.count - 1
  }

  mutating func receive(_ event: FeedEvent) {
    switch event {
    case .gesture(let gesture, let stream, let modifiers):
      process(gesture, modifiers: modifiers, stream: stream)
    case .hotkey(let hotkey): process(hotkey)
    case .pointed(let time): endLingering(at: time)
    case .modeLeft: enterMode(nil)
    case .added(let device): add(device)
    case .removed(let id, let time): remove(id, at: time)
    case .interrupted(let time): cancelAll(at: time)
    case .lost: break
    }
  }

  // MARK: Gestures

  /// Processes an event of a gesture.
  ///
  /// - Parameters:
  ///   - modifiers: the modifiers held on the keyboard.
  ///   - stream: the index in ``RuleTable/settingSets`` of the settings it was recognized with.
  package mutating func process(
    _ gesture: GestureEvent, modifiers: Modifiers = [], stream: Int = 0
  ) {
    advance(to: gesture.time)
    let index = index(of: gesture.device, stream)
    switch gesture.phase {
    case .began: begin(gesture, modifiers, index)
    case .changed:
      let first = activations.count
      streams[index].gesture?.change(gesture, &activations)
      goOn(from: first, index, at: gesture.time)
      if streams[index].isOpen { judge(gesture, index) }
    case .ended: end(gesture, index)
    case .cancelled: cancel(gesture, at: gesture.time, index)
    case .recognized: recognize(gesture, modifiers, index)
    }
  }

  private mutating func begin(
    _ event: GestureEvent, _ modifiers: Modifiers, _ index: Int
  ) {
    // the end of the previous gesture was lost
    cancel(nil, at: event.time, index)
    let gesture = measured(event, modifiers, after: streams[index].lastEnd, index)
    lastSerial += 1
    let first = activations.count
    streams[index].gesture = MatchedGesture(
      gesture, serial: lastSerial, in: table, goingOn: streams[index].lingering.map(\.end.rule),
      &activations)
    goOn(from: first, index, at: event.time)
    judge(event, index)
  }

  /// Whether the desktop gets the stroke. A hold says nothing yet: its fingers may go on to swipe.
  private mutating func judge(_ event: GestureEvent, _ index: Int) {
    if table.everTaken.isEmpty || event.kind == .hold { return }
    // another recognizer may have kept it already
    let isKept = streams.contains {
      $0.id == event.device && $0.gesture?.isTaken == true
    }
    streams[index].isOpen = !isKept && streams[index].gesture?.isTaken == nil
    guard !streams[index].isOpen, isKept || !mayBeTakenLater(event) else { return }
    verdict = StrokeVerdict(time: event.time, isKept: isKept, device: event.device)
  }

  /// Whether the recognizer of another stream may still find that a rule consumes the stroke.
  private func mayBeTakenLater(_ event: GestureEvent) -> Bool {
    table.settingSets.indices.contains { stream in
      let hasDecided = streams.contains {
        $0.id == event.device && $0.stream == stream && !$0.isOpen
          && $0.gesture?.isRunning == true
      }
      return !hasDecided && fingersTaken(by: stream).contains(event.fingers)
    }
  }

  /// The numbers of fingers of gestures that rules, or those of one stream, may keep from the
  /// desktop now. A rule that waits for its gesture to go on may have entered another mode.
  private func fingersTaken(by stream: Int?) -> FingerCounts {
    streams.reduce(into: table.taken(in: mode, focus, stream)) { counts, place in
      if let stream, stream != place.stream { return }
      for rule in place.lingering {
        counts.formUnion(table.conditions[rule.end.rule]?.taken ?? [])
      }
    }
  }

  /// The verdict on a stroke, once. Ask for it after each event.
  package mutating func nextVerdict() -> StrokeVerdict? {
    defer { verdict = nil }
    return verdict
  }

  private func measured(
    _ event: GestureEvent, _ modifiers: Modifiers, after lastEnd: EventTime?, _ index: Int
  ) -> MeasuredGesture {
    MeasuredGesture(
      start: event, now: event, modifiers: modifiers.eitherSide, mode: mode,
      rest: lastEnd.map { (event.time - $0).milliseconds } ?? .infinity,
      stream: streams[index].stream, device: streams[index].device, focus: focus)
  }

  private mutating func end(_ event: GestureEvent, _ index: Int) {
    streams[index].lastEnd = event.time
    guard streams[index].gesture?.isRunning == true else { return }
    var lingering: [LingeringRule] = []
    let first = activations.count
    streams[index].gesture?.end(event, &activations)
    let own = goOn(from: first, index, at: event.time)
    let due = Array(activations[own...])
    activations.removeSubrange(own...)
    for activation in due {
      if activation.moment == .end,
        let linger = table.configuration.rules[activation.rule].reactions.linger
      {
        lingering.append(LingeringRule(end: activation, patience: .milliseconds(linger)))
      } else {
        activations.append(activation)
      }
    }
    streams[index].lingering = lingering
    if let gesture = streams[index].gesture { strokes.add(gesture) }
  }

  private mutating func cancel(_ event: GestureEvent?, at time: EventTime, _ index: Int) {
    guard streams[index].gesture?.isRunning == true else { return }
    streams[index].gesture?.cancel(event, at: time, &activations)
    // usually a hold has become a motion: rules now wait anew for their gesture
    for place in streams[index].lingering.indices {
      streams[index].lingering[place].due = time + streams[index].lingering[place].patience
    }
    if let gesture = streams[index].gesture { strokes.add(gesture) }
  }

  /// Rules that wait for their gesture go on when it engages them, without an `end` and a `begin`.
  /// Those that it cannot engage any more end before all else.
  ///
  /// - Parameter first: the place of the first activation that the gesture gave rise to.
  /// - Returns: the same after the rules have ended.
  @discardableResult private mutating func goOn(
    from first: Int, _ index: Int, at time: EventTime
  ) -> Int {
    let lingering = streams[index].lingering
    if lingering.isEmpty { return first }
    var first = first
    streams[index].lingering = []
    for var rule in lingering {
      let number = rule.end.rule
      let begin = activations[first...].firstIndex { $0.rule == number && $0.moment == .begin }
      if let begin {
        activations.remove(at: begin)
        for place in first..<activations.count where activations[place].rule == number {
          activations[place].serial = rule.end.serial
        }
        streams[index].gesture?.resume(number, as: rule.end.serial)
      } else if streams[index].gesture?.mayGoOn(with: rule) == true {
        rule.due = nil
        streams[index].lingering.append(rule)
      } else {
        activations.insert(rule.ended(at: time), at: first)
        first += 1
        streams[index].gesture?.endWait(of: number)
      }
    }
    return first
  }

  private mutating func endLingering(
    _ index: Int, at time: EventTime, if isOver: (LingeringRule) -> Bool = { _ in true }
  ) {
    for rule in streams[index].lingering where isOver(rule) {
      activations.append(rule.ended(at: time))
      streams[index].gesture?.endWait(of: rule.end.rule)
    }
    streams[index].lingering.removeAll(where: isOver)
  }

  private mutating func recognize(
    _ event: GestureEvent, _ modifiers: Modifiers, _ index: Int
  ) {
    endLingering(index, at: event.time)
    // each tap of a row is reported, but the row began with the first
    if event.count <= 1 { streams[index].lastEndBeforeTaps = streams[index].lastEnd }
    streams[index].lastEnd = event.time
    let gesture = measured(event, modifiers, after: streams[index].lastEndBeforeTaps, index)
    lastSerial += 1
    strokes.add(MatchedGesture(gesture, serial: lastSerial, in: table, &activations))
  }

  package var isLingering: Bool { streams.contains { !$0.lingering.isEmpty } }

  /// A finger points, or a button was pressed: rules wait no longer for their gesture to go on.
  package mutating func endLingering(at time: EventTime) {
    advance(to: time)
    for index in streams.indices { endLingering(index, at: time) }
  }

  /// No more input will come: rules that wait for a gesture to go on end when they would have.
  package mutating func endLingering() {
    for index in streams.indices {
      for rule in streams[index].lingering {
        activations.append(rule.ended(at: rule.due ?? rule.end.time))
      }
      streams[index].lingering = []
    }
  }

  // MARK: Time

  /// When ``advance(to:)`` must be called if no event comes first: a hold will have lasted long
  /// enough, an action is to be repeated, or a rule's wait for its gesture to go on is over.
  package var deadline: EventTime? {
    var earliest: EventTime?
    for stream in streams {
      earliest = EventTime.earlier(earliest, stream.gesture?.deadline)
      for rule in stream.lingering { earliest = EventTime.earlier(earliest, rule.due) }
    }
    return earliest
  }

  package mutating func advance(to time: EventTime) {
    while let due = deadline, due <= time {
      for index in streams.indices where streams[index].gesture?.deadline == due {
        let first = activations.count
        streams[index].gesture?.advance(to: due, &activations)
        goOn(from: first, index, at: due)
      }
      for index in streams.indices {
        endLingering(index, at: due) { $0.due.map { $0 <= due } ?? false }
      }
    }
  }

  // MARK: Hotkeys

  /// Sets the rules, by index in the configuration, that each registered hotkey triggers. Hotkeys
  /// that are missing trigger none any more; those that are held keep theirs until they are released.
  package mutating func bind(_ rules: [HotkeyID: [Int]]) {
    let known = table.conditions.indices
    hotkeyRules = rules.mapValues { $0.filter(known.contains).sorted() }
  }

  package mutating func process(_ hotkey: HotkeyEvent) {
    advance(to: hotkey.time)
    if hotkey.phase == .pressed {
      releaseHotkeys(at: hotkey.time) { $0.hotkey == hotkey.hotkey }
      press(hotkey)
    }
    if hotkey.shouldAct {
      for place in held where place.hotkey == hotkey.hotkey {
        let own = table.configuration.rules[place.rule].mode
        // its first press may have left the mode
        if hotkey.phase == .repeated, own != nil, own != mode { continue }
        activate(place, .end, hotkey)
      }
    }
    if hotkey.phase == .released {
      releaseHotkeys(at: hotkey.time) { $0.hotkey == hotkey.hotkey }
    }
  }

  private mutating func press(_ hotkey: HotkeyEvent) {
    let device = streams.first { $0.id == hotkey.device }?.device
    lastSerial += 1
    for rule in hotkeyRules[hotkey.hotkey] ?? []
    where focus.isMet[rule] && table.configuration.rules[rule].mode == mode
      && table.configuration.rules[rule].isFor(device)
    {
      held.append(
        HeldHotkey(
          hotkey: hotkey.hotkey, device: hotkey.device, rule: rule, serial: lastSerial))
    }
  }

  /// The rules that apply to the press of this hotkey, which goes on.
  func heldRules(_ hotkey: HotkeyID) -> [Int] {
    held.filter { $0.hotkey == hotkey }.map(\.rule)
  }

  private mutating func releaseHotkeys(at time: EventTime, _ matches: (HeldHotkey) -> Bool) {
    for place in held where matches(place) {
      activate(
        place, .release,
        HotkeyEvent(
          time: time, device: place.device, hotkey: place.hotkey, phase: .released,
          shouldAct: false))
    }
    held.removeAll(where: matches)
  }

  private mutating func activate(
    _ place: HeldHotkey, _ moment: Activation.Moment, _ event: HotkeyEvent
  ) {
    activations.append(
      Activation(
        time: event.time, rule: place.rule, moment: moment, cause: .hotkey(event),
        serial: place.serial))
  }
}

/// A rule whose gesture has ended. Its end waits, because the fingers may land again and go on.
struct LingeringRule: Sendable {
  /// What is due if they do not.
  let end: Activation
  let patience: EventInterval
  /// When it ends; `nil` while the fingers are on the pad and may go on.
  var due: EventTime?

  init(end: Activation, patience: EventInterval) {
    self.end = end
    self.patience = patience
    due = end.time + patience
  }

  /// Whether the fingers have landed again and rest: they may go on later.
  func rests(in gesture: GestureEvent) -> Bool {
    guard gesture.kind == .hold, case .gesture(let last) = end.cause else { return false }
    return last.fingers == gesture.fingers
  }

  func ended(at time: EventTime) -> Activation {
    var end = end
    end.time = time
    return end
  }
}
