import GlissEvents

/// Decides what the twin of a touchpad reports to the desktop, and when: the pad's own frames,
/// except that the contacts of a stroke that a rule consumes are palms, which desktops ignore.
///
/// Frames are passed on at once. They wait only if rules consume strokes with that many fingers
/// and one of the fingers has moved. Then a verdict decides: if a rule consumes the stroke, its
/// contacts become palms where the desktop last saw them; if not, all frames that waited follow, a
/// little faster than they came: libinput takes frames that follow at once for jumps. Then frames
/// are passed on at once again.
struct TwinMachine {
  private enum State: Equatable {
    /// Nothing waits.
    case open
    /// Nothing is decided; given back at `until` at the latest.
    case undecided(until: EventTime)
    /// A rule consumes it, until the fingers that moved have lifted.
    case kept(hasMoved: Bool)
    /// It is the desktop's until another finger lands, not only a contact that the pad had lost.
    case given
  }

  /// What the pad has reported of a slot.
  private struct Slot: BitwiseCopyable {
    var identifier: Int32 = -1
    var x: Int32?
    var y: Int32?
    var tool = ToolType.finger
    /// Where its travel began.
    var origin: (x: Int32, y: Int32)?
    /// It has gone so far that its stroke may be hidden.
    var hasMoved = false
    /// When the frame came in which its contact landed.
    var began = EventTime.zero
    /// It stayed down when a kept stroke ended, as a resting thumb does.
    var isLeft = false
    /// It is a palm to the desktop whatever the others do.
    var rests = false

    var isDown: Bool { identifier >= 0 }
    var isPalm: Bool { rests || isLeft }
    var counts: Bool { isDown && tool != ToolType.palm && !isPalm }
    var makesStroke: Bool { counts && hasMoved }
  }

  /// How far a finger moves before its stroke waits, in mm. In the first 150 ms after a finger
  /// has landed or lifted, libinput takes up to 1.3 mm for a tap and begins no swipe below 2.0.
  /// After that it begins one at 1.0.
  private static let (earlyReach, lateReach) = (1.3, 0.95)
  private static let earliness = EventInterval.milliseconds(150)
  static let patience = EventInterval.milliseconds(120)
  /// How long frames that are given back take, as a part of the time in which they came. libinput
  /// sees a jump if a finger goes 7 mm farther in 12 ms than it did before, or if it goes 20 mm.
  private static let pace = 0.67
  /// For how long a pad loses a contact, at most: no finger lands again so soon.
  private static let longestLoss = EventInterval.milliseconds(60)
  /// A verdict's time may be ahead of the pad's by this.
  private static let lead = EventInterval.milliseconds(1000)
  static let slotCounts = 3...32

  private var state = State.open
  private var slots: [Slot]
  private var current = 0
  /// The buttons that are down, as bits.
  private var buttons: UInt8 = 0
  /// The numbers of fingers that rules consume now.
  private var allowed: FingerCounts = []
  /// How many fingers make the stroke, and how many have at most.
  private var (count, most) = (0, 0)
  /// When the stroke began, when its number of fingers last changed, and when the last frame came.
  private var (since, changed, last) = (EventTime.zero, EventTime.zero, EventTime.zero)
  /// The last frame of the stroke after which a finger that had moved was down.
  private var lastMoved = EventTime.zero
  /// All fingers that had moved have lifted while the stroke waits. What lands after that belongs
  /// to the next stroke, unless a finger that was there before moves, too.
  private var hasEnded = false
  /// Whether this stroke had as many contacts as rules consume fingers, or more: some may rest.
  private var mayBeHidden = false
  /// Whether the next frame has all contacts, after a loss.
  private var isRepaired = false
  /// Whether the twin shows all contacts as the pad does, so that mere motion changes nothing else.
  private var isSame = false
  /// The events of the frame that has not ended yet, and of whole frames that wait: for a verdict,
  /// or for those before them.
  private var (frame, waiting): ([EvdevEvent], [EvdevEvent]) = ([], [])
  /// When the first of the frames that are given back was passed on, and when it had come.
  private var start: (passed: EventTime, came: EventTime)?
  private var output: TwinOutput
  /// Units per mm.
  private let scale: Vector2

  /// - Returns: `nil` without 3 to 32 slots, tracking ids and positions.
  init?(of device: Device) {
    guard Self.slotCounts.contains(device.slotCount), device.axes[.trackingID] != nil,
      let x = device.axes[.positionX], let y = device.axes[.positionY]
    else { return nil }
    slots = Array(repeating: Slot(), count: device.slotCount)
    output = TwinOutput(slotCount: device.slotCount)
    // libinput's guess for pads that do not know their size
    scale = Vector2(x: Self.scale(x, size: 69), y: Self.scale(y, size: 50))
    frame.reserveCapacity(64)
    waiting.reserveCapacity(512)
  }

  private static func scale(_ axis: AxisRange, size: Double) -> Double {
    let length = Double(axis.maximum) - Double(axis.minimum)
    return axis.resolution > 0 ? Double(axis.resolution) : max(1, length / size)
  }

  /// When ``advance(to:into:)`` must be called if nothing happens first.
  var deadline: EventTime? {
    switch state {
    case .undecided(let until): until
    case .open, .kept, .given: waiting.first.map { due($0.time) }
    }
  }

  var isUndecided: Bool { if case .undecided = state { true } else { false } }

  private var isKept: Bool { if case .kept = state { true } else { false } }

  var isLate: Bool { !waiting.isEmpty }

  /// When a frame that came at `time` is passed on, in a stroke that is given back.
  private func due(_ time: EventTime) -> EventTime {
    guard let start else { return time }
    return start.passed + .milliseconds((time - start.came).milliseconds * Self.pace)
  }

  // MARK: Requests

  /// Only strokes with these numbers of fingers may be hidden from now on.
  mutating func allow(_ counts: FingerCounts, into packet: inout [EvdevEvent]) {
    // the desktop has what has moved already
    let isNew = counts.contains(count) && !allowed.contains(count)
    if isNew, state == .open, slots.contains(where: { $0.makesStroke }) { state = .given }
    allowed = counts
    // a verdict may come on fingers that are down already
    if count > 0, mayHide(count) { mayBeHidden = true }
    if counts.isEmpty, isUndecided { settle(.given, into: &packet) }
  }

  /// Sets the slots whose contacts are palms, as bits.
  mutating func rest(_ resting: UInt32, into packet: inout [EvdevEvent]) {
    var hasChanged = false
    for index in slots.indices where slots[index].isDown {
      let rests = resting & (1 << UInt32(index)) != 0
      guard slots[index].rests != rests else { continue }
      slots[index].rests = rests
      hasChanged = true
    }
    guard hasChanged else { return }
    // the way that the others have gone so far still counts
    if isUndecided { count = slots.count { $0.counts } }
    // the verdict on the other fingers may come before their next frame
    if count > 0, mayHide(slots.count { $0.counts }) { mayBeHidden = true }
    if !isLate { output.change(palms: palms, into: &packet) }
    isSame = false
  }

  /// A verdict on the stroke that was under way at its time. A later one replaces it.
  mutating func decide(_ verdict: StrokeVerdict, into packet: inout [EvdevEvent]) {
    // the verdict may be on a stroke of another pad
    guard mayBeHidden, verdict.time >= since, verdict.time <= last + Self.lead else { return }
    // the fingers drag something on the desktop
    if verdict.isKept, buttons != 0 { return }
    guard verdict.isKept else { return settle(.given, into: &packet) }
    let hasMoved =
      switch state {
      case .undecided: true
      case .kept(let hasMoved): hasMoved
      case .open, .given: slots.contains { $0.makesStroke }
      }
    settle(.kept(hasMoved: hasMoved), into: &packet)
  }

  mutating func advance(to time: EventTime, into packet: inout [EvdevEvent]) {
    if case .undecided(let until) = state {
      guard until <= time else { return }
      settle(.given, into: &packet)
    }
    while let next = waiting.first, due(next.time) <= time {
      start = start ?? (time, next.time)
      let count = (waiting.firstIndex { $0.isReport } ?? waiting.count - 1) + 1
      output.pass(Array(waiting[..<count]), palms: palms, into: &packet)
      waiting.removeSubrange(..<count)
    }
  }

  // MARK: Events

  /// Processes events of the pad. At the end of a frame, appends what is passed on to `packet`.
  mutating func process(_ events: [EvdevEvent], into packet: inout [EvdevEvent]) {
    var start = 0
    for index in events.indices where events[index].isReport {
      // usually they are one frame
      if frame.isEmpty, start == 0, index == events.count - 1 {
        return endFrame(events, into: &packet)
      }
      let whole = frame + events[start...index]
      frame.removeAll(keepingCapacity: true)
      start = index + 1
      endFrame(whole, into: &packet)
    }
    frame += events[start...]
  }

  /// Events were lost. The next frame has all contacts.
  mutating func lost(into packet: inout [EvdevEvent]) {
    giveAllBack(into: &packet)
    (isRepaired, isSame) = (true, false)
  }

  /// Lifts all contacts on the twin as palms, so that they do not count as a tap.
  mutating func letGo(into packet: inout [EvdevEvent]) {
    frame.removeAll(keepingCapacity: true)
    if slots.contains(where: { $0.isDown }), isLate { settle(.kept(hasMoved: true), into: &packet) }
    giveAllBack(into: &packet)
    output.lift(into: &packet)
    for index in slots.indices { slots[index].identifier = -1 }
    end()
  }

  // MARK: Parts

  private mutating func endFrame(_ frame: [EvdevEvent], into packet: inout [EvdevEvent]) {
    guard let time = frame.last?.time else { return }
    last = time
    defer { noteMotion(at: time) }
    // the next stroke begins: no verdict will come any more for the one before
    if isLate || start != nil, count == 0, frame.contains(where: { $0.beginsContact }) {
      giveAllBack(into: &packet)
    }
    let (clicks, isMotion) = follow(frame)
    isRepaired = false
    if isSame, isMotion {
      let hasTravelled = travel(begins: isDragging, at: time)
      if !hasTravelled || state != .open || !allowed.contains(count) {
        return output.passMotion(frame, into: &packet)
      }
    }
    weigh(at: time, into: &packet)
    if clicks { giveAllBack(into: &packet) }
    // the next frame does not follow at once, either
    if isUndecided || isLate || due(time) > time {
      waiting += frame
    } else {
      start = nil
      output.pass(frame, palms: palms, into: &packet)
    }
    // what lands as a kept stroke ends is a palm on the twin until the next frame
    let wasKept = isKept
    if !isUndecided { endIfOver() }
    isSame = !wasKept && start == nil && !isLate && (state == .open || state == .given)
    for slot in slots where slot.isDown && slot.isPalm { isSame = false }
  }

  /// A verdict may come after the end of a stroke that waits, so the end is noted when it happens.
  private mutating func noteMotion(at time: EventTime) {
    guard slots.contains(where: { $0.makesStroke }) else {
      hasEnded = hasEnded || isUndecided
      return
    }
    // the pad may lose the only finger that had moved, or find that it rests: the others go on
    if slots.contains(where: { $0.makesStroke && $0.began <= lastMoved }) { hasEnded = false }
    if !hasEnded { lastMoved = time }
  }

  /// Takes in the frame. Returns whether a button goes down, and whether contacts only move.
  private mutating func follow(_ frame: [EvdevEvent]) -> (clicks: Bool, isMotion: Bool) {
    var (clicks, isMotion) = (false, true)
    for event in frame {
      if event.type == .absolute {
        let axis = AbsoluteAxis(rawValue: event.code)
        if axis == .trackingID || axis == .toolType { isMotion = false }
        follow(axis, event.value)
      } else if event.type == .key {
        isMotion = false
        clicks = clicks || event.isClick
        if let bit = event.buttonBit { buttons = event.value == 0 ? buttons & ~bit : buttons | bit }
      }
    }
    return (clicks, isMotion)
  }

  private mutating func follow(_ axis: AbsoluteAxis, _ value: Int32) {
    if axis == .slot { current = Int(value) }
    guard slots.indices.contains(current) else { return }
    switch axis {
    case .trackingID:
      // after a loss all contacts are reported, also those that are known
      guard !isRepaired || slots[current].identifier != value else { break }
      slots[current].identifier = value
      guard value >= 0 else { break }
      slots[current].origin = nil
      slots[current].began = last
      (slots[current].hasMoved, slots[current].isLeft, slots[current].rests) = (false, false, false)
    case .positionX: slots[current].x = value
    case .positionY: slots[current].y = value
    case .toolType: slots[current].tool = value
    case _: break
    }
  }

  private mutating func weigh(at time: EventTime, into packet: inout [EvdevEvent]) {
    let before = count
    count = slots.count { $0.counts }
    guard count > 0 else { return }
    if before == 0 { since = time }
    if mayHide(count) { mayBeHidden = true }
    let isBack = count <= most && time - changed <= Self.longestLoss
    most = before == 0 ? count : max(most, count)
    let hasTravelled = travel(begins: count != before || isDragging, at: time)
    if state == .given, count > before, !isBack { state = .open }
    switch state {
    case .open:
      if hasTravelled, allowed.contains(count), buttons == 0 {
        state = .undecided(until: time + Self.patience)
      }
    case .undecided(let until):
      let isOther = count > before && !allowed.contains(count)
      if isOther || until <= time { settle(.given, into: &packet) }
    case .kept(let hadMoved):
      state = .kept(hasMoved: hadMoved || slots.contains { $0.makesStroke })
    case .given: break
    }
  }

  /// Whether a verdict may hide a stroke of so many contacts. The recognizer may have found that
  /// some of them rest, so a rule may consume fewer.
  private func mayHide(_ count: Int) -> Bool {
    count > 0 && !allowed.isDisjoint(with: FingerCounts(1...count))
  }

  /// Decides. What waits is passed on now if it is kept, and from now on if it is given back.
  private mutating func settle(_ new: State, into packet: inout [EvdevEvent]) {
    if isUndecided { start = nil }
    state = new
    // palms before what waits: a finger may lift in it
    output.change(palms: palms, into: &packet)
    if case .kept = new { passAll(into: &packet) }
    isSame = false
    endIfOver()
    hasEnded = false
  }

  private mutating func giveAllBack(into packet: inout [EvdevEvent]) {
    if isUndecided { settle(.given, into: &packet) }
    passAll(into: &packet)
  }

  private mutating func passAll(into packet: inout [EvdevEvent]) {
    output.pass(waiting, palms: palms, into: &packet)
    waiting.removeAll(keepingCapacity: true)
    start = nil
  }

  /// Ends the stroke if its fingers have lifted. A kept one ends even if a thumb still rests, which
  /// would otherwise keep the pad dead. A contact that landed after ``lastMoved`` belongs to the
  /// next stroke.
  private mutating func endIfOver() {
    if count == 0 { return end() }
    guard state == .kept(hasMoved: true) else { return }
    guard hasEnded || !slots.contains(where: { $0.makesStroke }) else { return }
    for index in slots.indices where slots[index].isDown && slots[index].began <= lastMoved {
      slots[index].isLeft = true
    }
    end()
  }

  private mutating func end() { (state, count, mayBeHidden, isSame) = (.open, 0, false, false) }

  /// The slots whose contacts are palms to the desktop, as bits.
  private var palms: UInt32 {
    if isKept { return .max }
    return slots.indices.reduce(0) { $0 | (slots[$1].isPalm ? 1 << UInt32($1) : 0) }
  }

  /// Whether a button is held: the desktop gets what the fingers do meanwhile.
  private var isDragging: Bool { state == .open && buttons != 0 }

  /// Whether a finger has gone far enough. Travel starts over when the number of fingers changes.
  private mutating func travel(begins: Bool, at time: EventTime) -> Bool {
    if begins { changed = time }
    let reach = time - changed < Self.earliness ? Self.earlyReach : Self.lateReach
    var hasTravelled = false
    for index in slots.indices where slots[index].counts {
      guard let x = slots[index].x, let y = slots[index].y else { continue }
      guard let origin = slots[index].origin, !begins else {
        slots[index].origin = (x, y)
        continue
      }
      let way = Vector2(
        x: (Double(x) - Double(origin.x)) / scale.x, y: (Double(y) - Double(origin.y)) / scale.y)
      guard way.lengthSquared > reach * reach else { continue }
      slots[index].hasMoved = true
      hasTravelled = true
    }
    return hasTravelled
  }
}

extension EvdevEvent {
  fileprivate var beginsContact: Bool {
    type == .absolute && code == AbsoluteAxis.trackingID.rawValue && value >= 0
  }

  var isClick: Bool { value == 1 && buttonBit != nil }

  /// The bit of a pad's button; `nil` for everything else.
  var buttonBit: UInt8? {
    guard type == .key, Key(rawValue: code).isPointerButton else { return nil }
    return 1 << UInt8(code - Key.leftButton.rawValue)
  }
}
