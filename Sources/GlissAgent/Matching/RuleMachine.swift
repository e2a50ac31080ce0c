import GlissConfiguration
public import GlissEvents

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
public struct RuleMachine: Sendable {
  /// Called synchronously for each activation.
  public typealias Emit = (Activation) -> Void

  public let table: RuleTable
  /// The current mode.
  public private(set) var mode: String?
  /// The last gestures, and what came of them.
  public private(set) var strokes: Strokes
  /// The number of the last gesture or press (``Activation/story``).
  private(set) var lastStory: UInt64
  private var modeNumber: Int? = 0
  private var seats: [Seat] = []
  private var hotkeyRules: [HotkeyID: [Int]] = [:]
  private var held: [HeldHotkey] = []
  /// For taps, which are over by the time they are reported.
  private var tap = Story()

  /// One device, in one stream of gestures.
  private struct Seat {
    var device: DeviceID
    var stream: Int
    var name = ""
    /// The mode in which the current gesture began.
    var mode: String?
    /// Indices in ``RuleTable/matches`` that match the device.
    var matches: [Int] = []
    /// When its last gesture that was not cancelled ended.
    var lastEnd: EventTime?
    /// The value of `lastEnd` before the current row of taps began.
    var lastEndBeforeTaps: EventTime?
    var story = Story()
  }

  private struct HeldHotkey: BitwiseCopyable {
    var hotkey: HotkeyID
    var device: DeviceID
    var rule: Int
    var story: UInt64
  }

  /// - Parameters:
  ///   - strokes: how many of the last gestures are kept.
  ///   - earlier: the machine for the previous rules. Its recorded gestures are kept as well.
  public init(
    _ table: RuleTable, strokes: Int = Strokes.usual, after earlier: RuleMachine? = nil
  ) {
    self.table = table
    lastStory = earlier?.lastStory ?? 0
    self.strokes = Strokes(limit: strokes * table.settingSets.count)
    for stroke in earlier?.strokes.kept ?? [] { self.strokes.add(stroke) }
  }

  private mutating func nextStory() -> UInt64 {
    lastStory += 1
    return lastStory
  }

  // MARK: Modes and devices

  /// Engages only rules of `mode` from now on, or only those without a mode if it is `nil`. Rules
  /// that are engaged already continue to their end.
  public mutating func enterMode(_ mode: String?) {
    self.mode = mode
    modeNumber = table.number(ofMode: mode)
  }

  /// Makes a device known. An unknown device matches only rules without a device condition.
  public mutating func add(_ device: RuleDevice) {
    let fitting = table.matches.indices.filter { table.matches[$0].fits(device) }
    for stream in table.settingSets.indices {
      let index = seat(of: device.id, stream)
      seats[index].matches = fitting
      seats[index].name = device.name
    }
  }

  /// Removes a device. Cancels the rules it has engaged and releases the hotkeys it holds.
  public mutating func remove(_ device: DeviceID, at time: EventTime, emit: Emit) {
    advance(to: time, emit: emit)
    for index in seats.indices where seats[index].device == device {
      cancel(nil, at: time, index, emit)
    }
    seats.removeAll { $0.device == device }
    releaseHotkeys(at: time, emit) { $0.device == device }
  }

  /// Cancels all engaged rules and releases all held hotkeys, because input ends or the rules are
  /// about to be replaced. Gestures under way engage no more rules.
  public mutating func cancelAll(at time: EventTime, emit: Emit) {
    advance(to: time, emit: emit)
    for index in seats.indices { cancel(nil, at: time, index, emit) }
    releaseHotkeys(at: time, emit) { _ in true }
  }

  private mutating func seat(of device: DeviceID, _ stream: Int) -> Int {
    if let index = seats.firstIndex(where: { $0.device == device && $0.stream == stream }) {
      return index
    }
    seats.append(Seat(device: device, stream: stream))
    return seats.count - 1
  }

  // MARK: Gestures

  /// Processes an event of a gesture.
  ///
  /// - Parameters:
  ///   - modifiers: the modifiers held on the keyboard.
  ///   - stream: the index in ``RuleTable/settingSets`` of the settings it was recognized with.
  public mutating func process(
    _ gesture: GestureEvent, modifiers: Modifiers = [], stream: Int = 0, emit: Emit
  ) {
    advance(to: gesture.time, emit: emit)
    let index = seat(of: gesture.device, stream)
    switch gesture.phase {
    case .began: begin(gesture, modifiers, index, emit)
    case .changed: seats[index].story.change(gesture, in: table, emit: emit)
    case .ended: end(gesture, index, emit)
    case .cancelled: cancel(gesture, at: gesture.time, index, emit)
    case .recognized: recognize(gesture, modifiers, index, emit)
    }
  }

  private mutating func begin(
    _ gesture: GestureEvent, _ modifiers: Modifiers, _ index: Int, _ emit: Emit
  ) {
    // the end of the previous gesture was lost
    cancel(nil, at: gesture.time, index, emit)
    seats[index].mode = mode
    let group = group(of: gesture, seats[index].stream)
    seats[index].story.begin(
      gesture, number: nextStory(), group: group, modifiers: modifiers.eitherSide,
      fitting: seats[index].matches,
      rest: Self.rest(from: seats[index].lastEnd, to: gesture.time), in: table, emit: emit)
  }

  private mutating func end(_ gesture: GestureEvent, _ index: Int, _ emit: Emit) {
    seats[index].lastEnd = gesture.time
    guard seats[index].story.isRunning else { return }
    seats[index].story.end(gesture, in: table, emit: emit)
    keep(seats[index].story, index)
  }

  private mutating func cancel(
    _ gesture: GestureEvent?, at time: EventTime, _ index: Int, _ emit: Emit
  ) {
    guard seats[index].story.isRunning else { return }
    seats[index].story.cancel(gesture, at: time, emit: emit)
    keep(seats[index].story, index)
  }

  private mutating func keep(_ story: Story, _ index: Int) {
    let seat = seats[index]
    guard
      let stroke = PastStroke(
        story, of: seat.name, mode: seat.mode, matches: seat.matches, stream: seat.stream,
        in: table)
    else { return }
    strokes.add(stroke)
  }

  private func group(of gesture: GestureEvent, _ stream: Int) -> Int? {
    guard let modeNumber else { return nil }
    return table.group(
      RuleTable.GroupKey(
        stream: stream, mode: modeNumber, kind: gesture.kind, fingers: gesture.fingers))
  }

  private static func rest(from end: EventTime?, to start: EventTime) -> Double {
    end.map { (start - $0).milliseconds } ?? .infinity
  }

  /// A tap is over by the time it is reported, so rules that match it have only an end.
  private mutating func recognize(
    _ event: GestureEvent, _ modifiers: Modifiers, _ index: Int, _ emit: Emit
  ) {
    // each tap of a row is reported, but the row began with the first
    if event.count <= 1 { seats[index].lastEndBeforeTaps = seats[index].lastEnd }
    let rest = Self.rest(from: seats[index].lastEndBeforeTaps, to: event.time)
    seats[index].lastEnd = event.time
    seats[index].mode = mode
    tap.begin(
      event, number: nextStory(), group: group(of: event, seats[index].stream),
      modifiers: modifiers.eitherSide,
      fitting: seats[index].matches,
      rest: rest, in: table
    ) { activation in
      var end = activation
      end.moment = .end
      emit(end)
    }
    tap.close()
    keep(tap, index)
  }

  // MARK: Time

  /// When ``advance(to:emit:)`` must be called if no event comes first, because a hold will have
  /// lasted long enough.
  public var deadline: EventTime? {
    var earliest: EventTime?
    for seat in seats {
      earliest = EventTime.earlier(earliest, seat.story.deadline(in: table))
    }
    return earliest
  }

  /// Advances the time to `time`.
  public mutating func advance(to time: EventTime, emit: Emit) {
    // a deadline that remains after it was met must not cause an endless loop
    var met: EventTime?
    while let due = deadline, due <= time, due != met {
      met = due
      for index in seats.indices where seats[index].story.deadline(in: table) == due {
        seats[index].story.advance(to: due, in: table, emit: emit)
      }
    }
  }

  // MARK: Hotkeys

  /// Sets the rules, by index in the configuration, that a registered hotkey triggers.
  public mutating func bind(_ hotkey: HotkeyID, to rules: [Int]) {
    hotkeyRules[hotkey] = rules.filter(table.modes.indices.contains).sorted()
  }

  /// Processes a press, repeat or release.
  public mutating func process(_ hotkey: HotkeyEvent, emit: Emit) {
    advance(to: hotkey.time, emit: emit)
    switch hotkey.phase {
    case .pressed:
      releaseHotkeys(at: hotkey.time, emit) { $0.hotkey == hotkey.hotkey }
      press(hotkey)
      if hotkey.acts { act(hotkey, emit) }
    case .repeated: if hotkey.acts { act(hotkey, emit) }
    case .released:
      if hotkey.acts { act(hotkey, emit) }
      releaseHotkeys(at: hotkey.time, emit) { $0.hotkey == hotkey.hotkey }
    }
  }

  private mutating func press(_ hotkey: HotkeyEvent) {
    let seat = seats.firstIndex { $0.device == hotkey.device }
    let story = nextStory()
    for rule in hotkeyRules[hotkey.hotkey] ?? [] where table.modes[rule] == modeNumber {
      if let match = table.matchOfRule[rule] {
        guard let seat, seats[seat].matches.contains(match) else { continue }
      }
      held.append(
        HeldHotkey(hotkey: hotkey.hotkey, device: hotkey.device, rule: rule, story: story))
    }
  }

  private func act(_ hotkey: HotkeyEvent, _ emit: Emit) {
    for place in held where place.hotkey == hotkey.hotkey {
      emit(
        Activation(
          time: hotkey.time, rule: place.rule, moment: .end, cause: .hotkey(hotkey),
          story: place.story))
    }
  }

  private mutating func releaseHotkeys(
    at time: EventTime, _ emit: Emit, _ isMeant: (HeldHotkey) -> Bool
  ) {
    guard held.contains(where: isMeant) else { return }
    for place in held where isMeant(place) {
      let event = HotkeyEvent(
        time: time, device: place.device, hotkey: place.hotkey, phase: .released, acts: false)
      emit(
        Activation(
          time: time, rule: place.rule, moment: .release, cause: .hotkey(event), story: place.story)
      )
    }
    held.removeAll(where: isMeant)
  }
}
