import GlissEvents

/// Decides when the twin of a touchpad gets the pad's frames: at once, but for the end of a stroke.
///
/// A flick may be over before anybody knows whether a rule wants it, and fingers that were given back
/// may lift before they have caught up. The desktop would miss the stroke or a part of it. So from such a
/// lift on frames wait until the stroke has a verdict and its fingers are where they lifted. Then they
/// follow at the pad's own pace, until there is a pause as long as they are late.
struct TwinDelay {
  /// How often fingers catch up while frames wait.
  static let step = EventInterval.milliseconds(8)

  private var machine: TwinMachine
  /// The events of the frame that has not ended yet, and whether a contact ends with it.
  private var frame: [EvdevEvent] = []
  private var hasLift = false
  /// Whole frames.
  private var waiting: [EvdevEvent] = []
  /// How late the frames that follow are, once the first one has.
  private var delay: EventInterval?
  /// When the last fingers of the stroke that waits have lifted.
  private var end = EventTime.zero
  /// The slots with contacts, according to the pad, as bits. The slot that events are about.
  private var (down, slot) = (UInt32(), UInt32())
  /// On the stroke behind that.
  private var later: StrokeVerdict?

  /// - Returns: `nil` if the device tells fewer than three fingers apart.
  init?(of device: Device) {
    guard let machine = TwinMachine(of: device) else { return nil }
    self.machine = machine
    frame.reserveCapacity(64)
    waiting.reserveCapacity(256)
  }

  /// Whether frames wait.
  var isLate: Bool { !waiting.isEmpty }

  /// When ``advance(to:into:)`` must be called if nothing happens first.
  var deadline: EventTime? {
    guard let next = waiting.first, !machine.isUndecided else { return machine.deadline }
    if !machine.isUnfinished, let delay { return next.time + delay }
    return machine.last + Self.step
  }

  // MARK: Requests

  mutating func allow(_ counts: FingerCounts) { machine.allow(counts) }

  mutating func rest(_ resting: UInt32) { machine.rest(resting) }

  mutating func decide(_ verdict: StrokeVerdict) {
    if isLate, end > .zero, verdict.time > end {
      later = verdict
    } else {
      machine.decide(verdict)
    }
  }

  /// Advances the clock.
  mutating func advance(to time: EventTime, into packet: inout [EvdevEvent]) {
    if !isLate || machine.isUndecided { machine.advance(to: time, into: &packet) }
    while isLate, let due = deadline, due <= time, !machine.isUndecided {
      if machine.isUnfinished {
        machine.catchUp(at: time, into: &packet)
      } else {
        delay = delay ?? time - waiting[0].time
        passNext(into: &packet)
      }
    }
  }

  // MARK: Events

  /// Processes one event of the pad. At the end of its frame all that is passed on is appended to
  /// `packet`.
  mutating func process(_ event: EvdevEvent, into packet: inout [EvdevEvent]) {
    frame.append(event)
    if event.type == .absolute { follow(AbsoluteAxis(rawValue: event.code), event.value) }
    guard event.isReport else { return }
    if !isLate, !(hasLift && (machine.isUndecided || machine.isUnfinished)) {
      for event in frame { machine.process(event, into: &packet) }
    } else {
      waiting += frame
      if down == 0, end == .zero { end = event.time }
    }
    frame.removeAll(keepingCapacity: true)
    hasLift = false
  }

  /// Events were lost. The next frame has all contacts.
  mutating func lost(into packet: inout [EvdevEvent]) {
    passAll(into: &packet)
    machine.lost()
  }

  /// Lifts all contacts at the twin, so that nobody takes them for a tap.
  mutating func letGo(into packet: inout [EvdevEvent]) {
    passAll(into: &packet)
    frame.removeAll(keepingCapacity: true)
    machine.letGo(into: &packet)
    down = 0
  }

  // MARK: Parts

  private mutating func follow(_ axis: AbsoluteAxis, _ value: Int32) {
    if axis == .slot {
      slot = UInt32(clamping: value)
    } else if axis == .trackingID, value < 0 {
      hasLift = true
      down &= ~(1 << slot)
    } else if axis == .trackingID {
      down |= 1 << slot
    }
  }

  private mutating func passNext(into packet: inout [EvdevEvent]) {
    let count = (waiting.firstIndex { $0.isReport } ?? waiting.count - 1) + 1
    let time = waiting[count - 1].time
    for event in waiting[..<count] { machine.process(event, into: &packet) }
    waiting.removeSubrange(..<count)
    if let verdict = later, time > end { machine.decide(verdict) }
    if !isLate { (delay, end, later) = (nil, .zero, nil) }
  }

  private mutating func passAll(into packet: inout [EvdevEvent]) {
    while isLate { passNext(into: &packet) }
  }
}
