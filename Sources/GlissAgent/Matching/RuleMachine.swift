package import GlissConfiguration
package import GlissDevices
package import GlissEvents

/// Turns gestures and hotkeys into activations of rules.
///
/// A gesture belongs to the mode and modifiers in force when it began. Later changes affect only
/// the next gesture. Every `begin` is followed by exactly one `end` or `cancel` of the same rule,
/// and every press of a hotkey that acts by exactly one `release`, whatever happens. The machine
/// has no clock: events carry their time, and ``advance(to:emit:)`` advances it between events. An
/// event at which no rule begins, changes or ends allocates nothing.
///
/// `emit` is called while the machine is working and must not call back into it. If an activation
/// changes the mode, call ``enterMode(_:)`` after the call has returned.
package struct RuleMachine: Sendable {
  /// Called synchronously for each activation.
  package typealias Emit = (Activation) -> Void

  package let table: RuleTable
  /// The current mode.
  package private(set) var mode: String?
  private var windows: [MatchedWindow: RuleFocus.Window] = [:]
  /// What has the focus.
  private(set) var focus: RuleFocus
  /// The last gestures, and what came of them.
  package private(set) var strokes: Strokes
  /// The numbers of fingers of gestures that rules may keep from the desktop now.
  package private(set) var taken: FingerCounts
  /// On the last gesture that began, until ``nextVerdict()``.
  private var verdict: StrokeVerdict?
  /// The number of the last gesture or press (``Activation/serial``).
  private(set) var lastSerial: UInt64
  private var seats: [Seat] = []
  private var hotkeyRules: [HotkeyID: [Int]] = [:]
  private var held: [HeldHotkey] = []
  /// For taps, which are over by the time they are reported.
  private var tap = MatchedGesture()

  /// One device, in one stream of gestures.
  private struct Seat {
    var device: DeviceID
    var stream: Int
    var name = ""
    /// By rule: whether the device matches.
    var isForDevice: [Bool]
    /// When its last gesture that was not cancelled ended.
    var lastEnd: EventTime?
    /// The value of `lastEnd` before the current row of taps began.
    var lastEndBeforeTaps: EventTime?
    var gesture = MatchedGesture()
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

  /// - Parameters:
  ///   - strokes: how many of the last gestures are kept.
  ///   - earlier: the machine for the previous rules. Its recorded gestures are kept as well.
  package init(
    _ table: RuleTable, strokes: Int = Strokes.usual, after earlier: RuleMachine? = nil
  ) {
    self.table = table
    focus = table.focus(on: [:])
    taken = table.taken(in: nil, focus)
    lastSerial = earlier?.lastSerial ?? 0
    self.strokes = Strokes(limit: strokes * table.settingSets.count)
    for stroke in earlier?.strokes.kept ?? [] { self.strokes.add(stroke) }
  }

  private mutating func nextSerial() -> UInt64 {
    lastSerial += 1
    return lastSerial
  }

  // MARK: Modes and devices

  /// Engages only rules of `mode` from now on, or only those without a mode if it is `nil`. Rules
  /// that are engaged already continue to their end.
  package mutating func enterMode(_ mode: String?) {
    self.mode = mode
    taken = table.taken(in: mode, focus)
  }

  /// From now on gestures and presses belong to this window, or to none. Those under way belong to the
  /// window where they began.
  package mutating func focus(
    on window: RuleFocus.Window?, as matched: MatchedWindow = .focused
  ) {
    windows[matched] = window
    focus = table.focus(on: windows)
    taken = table.taken(in: mode, focus)
  }

  /// Makes a device known. An unknown device matches only rules without a device condition.
  package mutating func add(_ device: RuleDevice) {
    let isForDevice = table.isFor(device)
    for stream in table.settingSets.indices {
      let index = seat(of: device.id, stream)
      seats[index].isForDevice = isForDevice
      seats[index].name = device.name
    }
  }

  /// Removes a device. Cancels the rules it has engaged and releases the hotkeys it holds.
  package mutating func remove(_ device: DeviceID, at time: EventTime, emit: Emit) {
    advance(to: time, emit: emit)
    for index in seats.indices where seats[index].device == device {
      cancel(nil, at: time, index, emit)
      endLingering(index, at: time, emit)
    }
    seats.removeAll { $0.device == device }
    releaseHotkeys(at: time, emit) { $0.device == device }
  }

  /// Cancels all engaged rules and releases all held hotkeys, because input ends or the rules are
  /// about to be replaced. Gestures under way engage no more rules.
  package mutating func cancelAll(at time: EventTime, emit: Emit) {
    advance(to: time, emit: emit)
    for index in seats.indices {
      cancel(nil, at: time, index, emit)
      endLingering(index, at: time, emit)
    }
    releaseHotkeys(at: time, emit) { _ in true }
  }

  private mutating func seat(of device: DeviceID, _ stream: Int) -> Int {
    if let index = seats.firstIndex(where: { $0.device == device && $0.stream == stream }) {
      return index
    }
    seats.append(Seat(device: device, stream: stream, isForDevice: table.isForEveryDevice))
    return seats.count - 1
  }

  // MARK: Gestures

  /// Processes an event of a gesture.
  ///
  /// - Parameters:
  ///   - modifiers: the modifiers held on the keyboard.
  ///   - stream: the index in ``RuleTable/settingSets`` of the settings it was recognized with.
  package mutating func process(
    _ gesture: GestureEvent, modifiers: Modifiers = [], stream: Int = 0, emit: Emit
  ) {
    advance(to: gesture.time, emit: emit)
    let index = seat(of: gesture.device, stream)
    switch gesture.phase {
    case .began: begin(gesture, modifiers, index, emit)
    case .changed:
      seats[index].gesture.change(gesture, in: table, emit: emit)
      if seats[index].isOpen { judge(gesture, index) }
    case .ended: end(gesture, index, emit)
    case .cancelled: cancel(gesture, at: gesture.time, index, emit)
    case .recognized: recognize(gesture, modifiers, index, emit)
    }
  }

  private mutating func begin(
    _ event: GestureEvent, _ modifiers: Modifiers, _ index: Int, _ emit: Emit
  ) {
    // the end of the previous gesture was lost
    cancel(nil, at: event.time, index, emit)
    let gesture = measured(event, modifiers, after: seats[index].lastEnd, index)
    let serial = nextSerial()
    if seats[index].lingering.isEmpty {
      seats[index].gesture.begin(gesture, serial: serial, in: table, emit: emit)
    } else {
      beginAgain(gesture, serial, index, emit)
    }
    judge(event, index)
  }

  /// Whether the desktop gets the stroke. A hold says nothing yet: its fingers may go on to swipe.
  private mutating func judge(_ event: GestureEvent, _ index: Int) {
    if table.everTaken.isEmpty || event.kind == .hold { return }
    // another recognizer may have kept it already
    let isKept = seats.contains {
      $0.device == event.device && $0.gesture.isTaken(in: table) == true
    }
    seats[index].isOpen = !isKept && seats[index].gesture.isTaken(in: table) == nil
    if !seats[index].isOpen { verdict = StrokeVerdict(time: event.time, isKept: isKept) }
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
      stream: seats[index].stream, device: seats[index].name,
      isForDevice: seats[index].isForDevice, focus: focus)
  }

  private mutating func end(_ event: GestureEvent, _ index: Int, _ emit: Emit) {
    seats[index].lastEnd = event.time
    guard seats[index].gesture.isRunning else { return }
    endLingering(index, at: event.time, emit)
    var lingering: [LingeringRule] = []
    seats[index].gesture.end(event, in: table) { [table] activation in
      let linger = table.configuration.rules[activation.rule].reactions.linger
      guard activation.moment == .end, let linger else { return emit(activation) }
      lingering.append(LingeringRule(end: activation, patience: .milliseconds(linger)))
    }
    seats[index].lingering = lingering
    keep(seats[index].gesture)
  }

  private mutating func cancel(
    _ event: GestureEvent?, at time: EventTime, _ index: Int, _ emit: Emit
  ) {
    guard seats[index].gesture.isRunning else { return }
    seats[index].gesture.cancel(event, at: time, emit: emit)
    // a hold that becomes a motion
    for place in seats[index].lingering.indices { seats[index].lingering[place].wait(from: time) }
    keep(seats[index].gesture)
  }

  /// A gesture begins while rules wait for one. Those that it engages at once go on, without an `end` and a
  /// `begin`; the others end first.
  private mutating func beginAgain(
    _ gesture: MeasuredGesture, _ serial: UInt64, _ index: Int, _ emit: Emit
  ) {
    var begun: [Activation] = []
    var resting: [LingeringRule] = []
    seats[index].gesture.begin(gesture, serial: serial, in: table) { begun.append($0) }
    for var rule in seats[index].lingering {
      let first = begun.firstIndex { $0.rule == rule.end.rule && $0.moment == .begin }
      if let first {
        begun.remove(at: first)
        seats[index].gesture.resume(rule.end.rule, as: rule.end.serial)
      } else if rule.rests(in: gesture.start) {
        resting.append(rule)
      } else {
        emit(rule.ended(at: gesture.start.time))
      }
    }
    seats[index].lingering = resting
    for activation in begun { emit(activation) }
  }

  /// Ends the rules that wait no longer.
  private mutating func endLingering(
    _ index: Int, at time: EventTime, _ emit: Emit,
    if isOver: (LingeringRule) -> Bool = { _ in true }
  ) {
    for rule in seats[index].lingering where isOver(rule) { emit(rule.ended(at: time)) }
    seats[index].lingering.removeAll(where: isOver)
  }

  private mutating func keep(_ gesture: MatchedGesture) {
    if let stroke = PastStroke(gesture, in: table) { strokes.add(stroke) }
  }

  /// A tap is over by the time it is reported, so rules that match it have only an end.
  private mutating func recognize(
    _ event: GestureEvent, _ modifiers: Modifiers, _ index: Int, _ emit: Emit
  ) {
    endLingering(index, at: event.time, emit)
    // each tap of a row is reported, but the row began with the first
    if event.count <= 1 { seats[index].lastEndBeforeTaps = seats[index].lastEnd }
    seats[index].lastEnd = event.time
    let gesture = measured(event, modifiers, after: seats[index].lastEndBeforeTaps, index)
    tap.begin(gesture, serial: nextSerial(), in: table) { activation in
      var end = activation
      end.moment = .end
      emit(end)
    }
    tap.close()
    keep(tap)
  }

  /// Whether rules wait for their gesture to go on.
  package var isLingering: Bool { seats.contains { !$0.lingering.isEmpty } }

  /// A finger points, or a button was pressed: rules wait no longer for their gesture to go on.
  package mutating func endLingering(at time: EventTime, emit: Emit) {
    advance(to: time, emit: emit)
    for index in seats.indices { endLingering(index, at: time, emit) }
  }

  /// No more input will come: rules that wait for a gesture to go on end when they would have.
  package mutating func endLingering(emit: Emit) {
    for index in seats.indices {
      for rule in seats[index].lingering { emit(rule.ended(at: rule.due ?? rule.end.time)) }
      seats[index].lingering = []
    }
  }

  // MARK: Time

  /// When ``advance(to:emit:)`` must be called if no event comes first, because a hold will have
  /// lasted long enough.
  package var deadline: EventTime? {
    var earliest: EventTime?
    for seat in seats {
      earliest = EventTime.earlier(earliest, seat.gesture.deadline(in: table))
      for rule in seat.lingering { earliest = EventTime.earlier(earliest, rule.due) }
    }
    return earliest
  }

  /// Advances the time to `time`.
  package mutating func advance(to time: EventTime, emit: Emit) {
    while let due = deadline, due <= time {
      for index in seats.indices where seats[index].gesture.deadline(in: table) == due {
        seats[index].gesture.advance(to: due, in: table, emit: emit)
      }
      for index in seats.indices {
        endLingering(index, at: due, emit) { $0.due.map { $0 <= due } ?? false }
      }
    }
  }

  // MARK: Hotkeys

  /// Sets the rules, by index in the configuration, that a registered hotkey triggers.
  package mutating func bind(_ hotkey: HotkeyID, to rules: [Int]) {
    hotkeyRules[hotkey] = rules.filter(table.conditions.indices.contains).sorted()
  }

  /// Processes a press, repeat or release.
  package mutating func process(_ hotkey: HotkeyEvent, emit: Emit) {
    advance(to: hotkey.time, emit: emit)
    switch hotkey.phase {
    case .pressed:
      releaseHotkeys(at: hotkey.time, emit) { $0.hotkey == hotkey.hotkey }
      press(hotkey)
      if hotkey.shouldAct { act(hotkey, emit) }
    case .repeated: if hotkey.shouldAct { act(hotkey, emit) }
    case .released:
      if hotkey.shouldAct { act(hotkey, emit) }
      releaseHotkeys(at: hotkey.time, emit) { $0.hotkey == hotkey.hotkey }
    }
  }

  private mutating func press(_ hotkey: HotkeyEvent) {
    let seat = seats.firstIndex { $0.device == hotkey.device }
    let isForDevice = seat.map { seats[$0].isForDevice } ?? table.isForEveryDevice
    let serial = nextSerial()
    for rule in hotkeyRules[hotkey.hotkey] ?? []
    where isForDevice[rule] && focus.isMet[rule]
      && table.configuration.rules[rule].mode == mode
    {
      held.append(
        HeldHotkey(hotkey: hotkey.hotkey, device: hotkey.device, rule: rule, serial: serial))
    }
  }

  private func act(_ hotkey: HotkeyEvent, _ emit: Emit) {
    for place in held where place.hotkey == hotkey.hotkey {
      emit(
        Activation(
          time: hotkey.time, rule: place.rule, moment: .end, cause: .hotkey(hotkey),
          serial: place.serial))
    }
  }

  private mutating func releaseHotkeys(
    at time: EventTime, _ emit: Emit, _ matches: (HeldHotkey) -> Bool
  ) {
    guard held.contains(where: matches) else { return }
    for place in held where matches(place) {
      let event = HotkeyEvent(
        time: time, device: place.device, hotkey: place.hotkey, phase: .released, shouldAct: false)
      emit(
        Activation(
          time: time, rule: place.rule, moment: .release, cause: .hotkey(event),
          serial: place.serial)
      )
    }
    held.removeAll(where: matches)
  }
}

/// A rule whose gesture has ended. Its end waits, because the fingers may land again and go on.
struct LingeringRule: Sendable {
  /// What is emitted if they do not.
  private(set) var end: Activation
  let patience: EventInterval
  /// When it ends; `nil` while the fingers rest on the pad.
  private(set) var due: EventTime?

  init(end: Activation, patience: EventInterval) {
    self.end = end
    self.patience = patience
    due = end.time + patience
  }

  mutating func wait(from time: EventTime) { due = time + patience }

  /// Whether the fingers have landed again and rest: they may go on later.
  mutating func rests(in gesture: GestureEvent) -> Bool {
    guard gesture.kind == .hold, case .gesture(let last) = end.cause,
      last.fingers == gesture.fingers
    else { return false }
    due = nil
    return true
  }

  func ended(at time: EventTime) -> Activation {
    var end = end
    end.time = time
    return end
  }
}
