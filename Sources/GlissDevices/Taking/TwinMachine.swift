import GlissEvents

/// Decides what the twin of a touchpad reports to the desktop: the pad's own events, except that
/// the contacts of a stroke that a rule may consume are palms, which desktops ignore.
///
/// Everything is passed on at once. A stroke is hidden only if rules consume strokes with that
/// many fingers and one of its fingers has moved: its contacts become palms until a verdict comes,
/// and fingers again if no rule wants the stroke. gliss.lua does the same within libinput.
///
/// Contacts change within the pad's own frames: if a frame follows right after another, libinput
/// takes its motion for a jump, and scrolling and swipes lose it. The twin writes frames of its own
/// only while the fingers lie still.
struct TwinMachine {
  private enum State: Equatable {
    /// Nothing is hidden.
    case open
    /// Nothing is decided; given back at `until` at the latest.
    case hidden(until: EventTime)
    /// A rule consumes it, until the fingers that moved have lifted.
    case kept(hasMoved: Bool)
    /// It is the desktop's until another finger lands, not only a contact that the pad had lost.
    case given
  }

  /// How far a finger moves before its stroke is hidden, in mm. In the first 150 ms after a finger
  /// has landed or lifted, libinput takes up to 1.3 mm for a tap and begins no swipe below 2.0.
  /// After that it begins one at 1.0.
  private static let (earlyReach, lateReach) = (1.3, 0.95)
  private static let earliness = EventInterval.milliseconds(150)
  /// By how much fingers that catch up may speed up from frame to frame, and their top speed, in mm
  /// per ms. libinput sees a jump if a finger goes 7 mm farther in 12 ms than it did before, or
  /// if it goes 20 mm.
  private static let (pace, topSpeed) = (0.45, 1.5)
  /// Fingers that catch up go at most half of the way in each of the first two frames, but at least
  /// this far, in mm.
  private static let leastStep = 0.4
  /// How long a stroke is hidden without a verdict.
  static let patience = EventInterval.milliseconds(120)
  /// How long to wait for the pad's next frame. libinput sees no jump after 30 ms.
  static let stillness = EventInterval.milliseconds(35)
  /// How long to wait after a frame of the twin's own.
  private static let step = EventInterval.milliseconds(16)
  /// For how long a pad loses a contact, at most: no finger lands again so soon.
  private static let longestLoss = EventInterval.milliseconds(60)
  /// A verdict's time may be ahead of the pad's by this.
  private static let lead = EventInterval.milliseconds(1000)
  static let slotCounts = 3...32

  private var state = State.open
  private var slots: [TwinSlot]
  /// The current slot.
  private var current = 0
  /// The buttons that are down, as bits.
  private var buttons: UInt8 = 0
  /// The numbers of fingers that rules consume now.
  private var allowed: FingerCounts = []
  /// How many fingers make the stroke, and how many have at most.
  private var (count, most) = (0, 0)
  /// When the stroke began, when its number of fingers last changed, and when the last frame came.
  private var (since, changed) = (EventTime.zero, EventTime.zero)
  private(set) var last = EventTime.zero
  /// How long after the last frame contacts change without the pad's next one.
  private var pause = Self.stillness
  /// Whether this stroke had a number of fingers that rules consume.
  private var mayBeHidden = false
  /// Whether part of this stroke was hidden.
  private var hasHidden = false
  /// Whether contacts are to change with the next frame, and whether some have to catch up.
  private var (isPending, isBehind) = (false, false)
  /// Whether the next frame has all contacts, after a loss.
  private var isRepaired = false
  /// Whether the twin shows all contacts as the pad does, so that mere motion changes nothing else.
  private var isSame = false
  /// Units per mm.
  private let scale: Vector2
  /// The pad reports neither pressure nor size, so libinput ignores a finger that lands as fifth.
  private let lacksPressure: Bool

  /// - Returns: `nil` if the device distinguishes fewer than three fingers.
  init?(of device: Device) {
    guard Self.slotCounts.contains(device.slotCount), device.axes[.trackingID] != nil,
      let x = device.axes[.positionX], let y = device.axes[.positionY]
    else { return nil }
    slots = Array(repeating: TwinSlot(), count: device.slotCount)
    // libinput's guess for pads that do not know their size
    scale = Vector2(x: Self.scale(x, size: 69), y: Self.scale(y, size: 50))
    lacksPressure = device.axes[.touchPressure] == nil && device.axes[.touchMajor] == nil
  }

  private static func scale(_ axis: AxisRange, size: Double) -> Double {
    let length = Double(axis.maximum) - Double(axis.minimum)
    return axis.resolution > 0 ? Double(axis.resolution) : max(1, length / size)
  }

  /// When ``advance(to:into:)`` must be called if nothing happens first.
  var deadline: EventTime? {
    let change = isPending || isBehind ? last + pause : nil
    return switch state {
    case .hidden(let until): EventTime.earlier(until, change)
    case .open, .kept, .given: change
    }
  }

  /// Whether a stroke is hidden until a verdict comes.
  var isUndecided: Bool { if case .hidden = state { true } else { false } }

  /// Whether fingers that were given back have not caught up with the pad yet.
  var isUnfinished: Bool { state == .given && hasHidden && (isPending || isBehind) }

  /// The slots whose contacts make the stroke, as bits.
  var countedSlots: UInt32 { slots.reversed().reduce(0) { $0 << 1 | ($1.counts ? 1 : 0) } }

  // MARK: Requests

  /// Only strokes with these numbers of fingers may be hidden from now on.
  mutating func allow(_ counts: FingerCounts) {
    allowed = counts
    isSame = false
    if counts.isEmpty { giveBack() }
  }

  /// A verdict on the stroke that was under way at its time. A later one replaces it.
  mutating func decide(_ verdict: StrokeVerdict) {
    // the verdict may be on a stroke of another pad
    guard mayBeHidden, verdict.time >= since, verdict.time <= last + Self.lead else { return }
    // the fingers drag something on the desktop
    if verdict.isKept, buttons != 0 { return }
    // what is hidden has moved: its fingers may lift in the next frame
    let hasMoved =
      switch state {
      case .hidden: true
      case .kept(let hasMoved): hasMoved
      case .open, .given: slots.contains { $0.counts && $0.hasMoved }
      }
    state = verdict.isKept ? .kept(hasMoved: hasMoved) : .given
    update()
  }

  mutating func advance(to time: EventTime, into packet: inout [EvdevEvent]) {
    if case .hidden(let until) = state, until <= time { giveBack() }
    if isPending || isBehind, last + pause <= time { catchUp(at: time, into: &packet) }
  }

  /// Writes a frame of the twin's own, in which contacts change and come nearer to the pad's.
  mutating func catchUp(at time: EventTime, into packet: inout [EvdevEvent]) {
    let before = packet.count
    place(at: time, &packet)
    change(at: time, &packet)
    isBehind = slots.contains { $0.isBehind }
    // fingers given back in this frame catch up in others
    (last, pause) = (time, Self.step)
    if packet.count > before { packet.append(.report(at: time)) }
  }

  /// Sets the slots whose contacts are palms, as bits. Contacts that no longer rest become fingers.
  mutating func rest(_ resting: UInt32) {
    var changed = false
    for index in slots.indices where slots[index].isDown {
      let rests = resting & (1 << UInt32(index)) != 0
      guard slots[index].rests != rests else { continue }
      slots[index].rests = rests
      changed = true
    }
    guard changed else { return }
    isSame = false
    // the way that the others have gone so far still counts
    if isUndecided { count = slots.count { $0.counts } }
    // the verdict on the other fingers may come before their next frame
    if allowed.contains(slots.count { $0.counts }) { mayBeHidden = true }
    if slots.contains(where: { changes($0) }) { isPending = true }
  }

  private mutating func giveBack() {
    guard case .hidden = state else { return }
    state = .given
    update()
  }

  // MARK: Events

  /// Processes one frame of the pad, with its report. Appends what is passed on to `packet`.
  mutating func process(_ frame: [EvdevEvent], into packet: inout [EvdevEvent]) {
    guard let time = frame.last?.time else { return }
    let before = current
    let (clicks, isMotion) = follow(frame)
    if isSame, isMotion {
      let hasTravelled = travel(begins: isDragging, at: time)
      if !hasTravelled || state != .open || !allowed.contains(count) {
        packet += frame
        last = time
        return
      }
    }
    weigh(clicks: clicks, at: time)
    update()
    let after = current
    current = before
    endReplaced(at: time, &packet)
    // otherwise the earlier contacts become fingers before libinput sees the new one, and look like
    // a tap with fewer fingers
    let mustWait = isPending && !clicks && slots.contains { $0.isFresh }
    place(clicks: clicks, mustWait: mustWait, at: time, &packet)
    if isPending, !mustWait { change(at: time, &packet) }
    pass(frame, &packet)
    current = after
    for index in slots.indices { (slots[index].isFresh, slots[index].hasTool) = (false, false) }
    isPending = slots.contains { changes($0) }
    isBehind = slots.contains { $0.isBehind }
    isRepaired = false
    isSame = !isPending && slots.allSatisfy { $0.isSame }
    (last, pause) = (time, Self.stillness)
  }

  /// Events were lost. The next frame has all contacts.
  mutating func lost() { (isRepaired, isSame) = (true, false) }

  /// Lifts all contacts on the twin as palms, so that they do not count as a tap.
  mutating func letGo(into packet: inout [EvdevEvent]) {
    isSame = false
    end()
    for index in slots.indices where slots[index].isDown { slots[index].isHidden = true }
    if change(at: .zero, &packet) { packet.append(.report(at: .zero)) }
    var hasLifted = false
    for index in slots.indices where slots[index].isDown {
      slots[index].identifier = -1
      packet += [
        .absolute(.slot, Int32(index), at: .zero), .absolute(.trackingID, -1, at: .zero),
      ]
      hasLifted = true
    }
    isBehind = false
    if hasLifted { endFrame(at: .zero, &packet) }
  }

  // MARK: Parts

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
      let before = slots[current].identifier
      // after a loss all contacts are reported, also those that are known
      guard !isRepaired || before != value else { break }
      slots[current].identifier = value
      guard value >= 0 else { break }
      slots[current].isReplaced = isRepaired && before >= 0
      slots[current].isFresh = true
      slots[current].origin = nil
      slots[current].isMisplaced = slots[current].shown != nil
      slots[current].shown = nil
      (slots[current].isHidden, slots[current].isLeft) = (false, false)
      slots[current].rests = false
      (slots[current].hasMoved, slots[current].isFifth) = (false, false)
    case .positionX: slots[current].x = value
    case .positionY: slots[current].y = value
    case .toolType: (slots[current].tool, slots[current].hasTool) = (value, true)
    case _: break
    }
  }

  private mutating func weigh(clicks: Bool, at time: EventTime) {
    let before = count
    count = slots.count { $0.counts }
    if lacksPressure, count >= 5 {
      for index in slots.indices where slots[index].isFresh { slots[index].isFifth = true }
    }
    guard count > 0 else { return end() }
    if before == 0 { since = time }
    if allowed.contains(count) { mayBeHidden = true }
    let isBack = count <= most && time - changed <= Self.longestLoss
    most = before == 0 ? count : max(most, count)
    let hasTravelled = travel(begins: count != before || isDragging, at: time)
    if state == .given, count > before, !isBack { state = .open }
    switch state {
    case .open:
      if hasTravelled, allowed.contains(count), buttons == 0 {
        state = .hidden(until: time + Self.patience)
      }
    case .hidden(let until):
      let isOther = count > before && !allowed.contains(count)
      if clicks || isOther || until <= time { state = .given }
    case .kept(let hadMoved):
      let hasMoved = slots.contains { $0.counts && $0.hasMoved }
      state = .kept(hasMoved: hadMoved || hasMoved)
      if hadMoved, !hasMoved { endKept() }
    case .given: break
    }
  }

  /// Ends a kept stroke even if a thumb still rests, which would otherwise keep the pad dead.
  private mutating func endKept() {
    for index in slots.indices where slots[index].isDown { slots[index].isLeft = true }
    end()
  }

  private mutating func end() {
    (state, count, mayBeHidden, hasHidden) = (.open, 0, false, false)
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

  /// Updates which contacts are hidden in this state.
  private mutating func update() {
    isSame = false
    let hides =
      switch state {
      case .hidden, .kept: true
      case .open, .given: false
      }
    if hides { hasHidden = true }
    isPending = false
    for index in slots.indices where slots[index].isDown {
      if !slots[index].isLeft {
        slots[index].isHidden = hides || (hasHidden && slots[index].isFifth)
      }
      if changes(slots[index]) { isPending = true }
      freeze(index)
    }
  }

  /// A hidden finger stays where its travel began, so that the desktop sees its whole path if it is
  /// given back.
  private mutating func freeze(_ index: Int) {
    let slot = slots[index]
    guard slot.isHidden, slot.counts, let origin = slot.origin else { return }
    if let shown = slot.shown, shown == origin { return }
    slots[index].shown = origin
    slots[index].speed = 0
    if !slot.isFresh { slots[index].isMisplaced = true }
  }

  /// Reports new positions of contacts that the desktop knows, without ending the frame: contacts
  /// that were given back in an earlier frame come nearer to where the pad has them.
  private mutating func place(
    clicks: Bool = false, mustWait: Bool = false, at time: EventTime,
    _ packet: inout [EvdevEvent]
  ) {
    let wait = max(0, (time - last).milliseconds)
    // after a while libinput sees no jump
    let isStill = time - last >= Self.stillness
    var hasPlaced = false
    for index in slots.indices where slots[index].isDown && !slots[index].isFresh {
      let slot = slots[index]
      guard let shown = slot.shown, let x = slot.x, let y = slot.y else { continue }
      let speed = min(slot.speed + Self.pace, Self.topSpeed)
      var reach = isStill ? .infinity : wait * speed
      var next = shown
      // libinput measures from where a contact becomes a finger, and a click pins the finger there
      if slot.isBehind || (clicks && !slot.isHidden) {
        let way = Vector2(
          x: (Double(x) - Double(shown.x)) / scale.x, y: (Double(y) - Double(shown.y)) / scale.y)
        let length = clicks ? 0 : way.length
        // whatever libinput decides takes a frame of its way, and a pinch begins two frames later
        if slot.speed < 1.5 * Self.pace { reach = min(reach, max(length / 2, Self.leastStep)) }
        if length <= reach {
          next = (x, y)
          slots[index].shown = nil
        } else {
          let share = reach / length
          next.x = Int32((Double(shown.x) + way.x * share * scale.x).rounded())
          next.y = Int32((Double(shown.y) + way.y * share * scale.y).rounded())
          slots[index].shown = next
          slots[index].speed = speed
        }
      } else if !slot.isMisplaced || (mustWait && slot.isHidden && slot.reported != ToolType.palm) {
        // a contact that is still a finger to the desktop stays where the desktop has it
        continue
      }
      slots[index].isMisplaced = false
      packet += [
        .absolute(.slot, Int32(index), at: time), .absolute(.positionX, next.x, at: time),
        .absolute(.positionY, next.y, at: time),
      ]
      hasPlaced = true
    }
    if hasPlaced { packet.append(.absolute(.slot, Int32(current), at: time)) }
  }

  /// Whether the twin must report a contact's change by itself. What the pad reports comes
  /// with its frame.
  private func changes(_ slot: TwinSlot) -> Bool {
    let isReported = slot.isFresh || (slot.hasTool && slot.wanted == slot.tool)
    return slot.isDown && !isReported && slot.wanted != slot.reported
  }

  /// Reports changed tools of known contacts without ending the frame. Returns whether any changed.
  @discardableResult
  private mutating func change(at time: EventTime, _ packet: inout [EvdevEvent]) -> Bool {
    isPending = false
    var hasChanged = false
    for index in slots.indices where changes(slots[index]) {
      let wanted = slots[index].wanted
      packet += [
        .absolute(.slot, Int32(index), at: time), .absolute(.toolType, wanted, at: time),
      ]
      slots[index].reported = wanted
      hasChanged = true
    }
    if hasChanged { packet.append(.absolute(.slot, Int32(current), at: time)) }
    return hasChanged
  }

  /// Ends contacts whose end was lost, in a frame before that of their successors.
  private mutating func endReplaced(at time: EventTime, _ packet: inout [EvdevEvent]) {
    guard isRepaired else { return }
    var hasEnded = false
    for index in slots.indices where slots[index].isReplaced {
      slots[index].isReplaced = false
      packet += [
        .absolute(.slot, Int32(index), at: time), .absolute(.trackingID, -1, at: time),
      ]
      hasEnded = true
    }
    if hasEnded { endFrame(at: time, &packet) }
  }

  /// Ends a frame that the pad did not write, so that the pad's next event is about the right slot.
  private func endFrame(at time: EventTime, _ packet: inout [EvdevEvent]) {
    packet += [.absolute(.slot, Int32(current), at: time), .report(at: time)]
  }

  /// Passes the frame on, with the tools of new contacts and without the positions of hidden ones.
  private mutating func pass(_ frame: [EvdevEvent], _ packet: inout [EvdevEvent]) {
    for event in frame {
      let axis = event.type == .absolute ? AbsoluteAxis(rawValue: event.code) : nil
      if axis == .slot { current = Int(event.value) }
      guard let axis, slots.indices.contains(current) else {
        packet.append(event)
        continue
      }
      let slot = slots[current]
      // libinput no longer counts the others for taps, so this one alone would be a tap of one
      // finger. It is a finger from the next frame on
      let landing = slot.isFresh && hasHidden ? ToolType.palm : slot.wanted
      switch axis {
      case .toolType:
        guard landing == slot.tool else { break }
        packet.append(event)
        slots[current].reported = event.value
      case .trackingID:
        packet.append(event)
        if slot.isMisplaced, event.value >= 0, let x = slot.x, let y = slot.y {
          // the pad does not repeat the position if the slot's last contact was there
          packet += [
            .absolute(.positionX, x, at: event.time), .absolute(.positionY, y, at: event.time),
          ]
          slots[current].isMisplaced = false
        }
        let isNew = slot.isFresh && event.value >= 0 && landing != slot.reported
        // the pad itself may report it later in this frame
        guard isNew, !(slot.hasTool && landing == slot.tool) else { break }
        packet.append(.absolute(.toolType, landing, at: event.time))
        slots[current].reported = landing
      case .positionX, .positionY:
        if slot.shown == nil || slot.isFresh { packet.append(event) }
      case _: packet.append(event)
      }
    }
  }
}
