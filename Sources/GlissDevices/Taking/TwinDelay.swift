import GlissEvents

/// Decides when the twin of a touchpad gets the pad's frames. They pass at once, except that the
/// end of a stroke may wait.
///
/// A flick may be over before it is known whether a rule wants it, and fingers that were given
/// back may lift before they have caught up. The desktop would miss all or part of the stroke. So
/// from the first lift on, frames wait until the stroke has a verdict and its fingers have caught
/// up. They then follow at the pad's own pace. After the stroke's end, frames pass at once again.
///
/// If some fingers stay down, frames wait at most ``lifting`` after the first lift.
struct TwinDelay {
  /// How often fingers catch up while frames wait.
  static let step = EventInterval.milliseconds(8)
  /// How far apart in time the fingers of a stroke lift.
  static let lifting = EventInterval.milliseconds(60)

  private var machine: TwinMachine
  /// The events of the frame that has not ended yet, the slots whose contacts end with it, as bits,
  /// and whether a button goes down.
  private var frame: [EvdevEvent] = []
  private var lifted: UInt32 = 0
  private var clicks = false
  /// The current slot.
  private var slot = 0
  /// The events of whole frames that wait.
  private var waiting: [EvdevEvent] = []
  /// When frames began to wait, and how late they are once the first one has passed.
  private var since = EventTime.zero
  private var delay: EventInterval?
  /// The slots whose contacts still make the stroke after the waiting frames, as bits, and when the
  /// last of these contacts lifted.
  private var counted: UInt32 = 0
  private var end: EventTime?
  /// The slots that rest, if that has changed while frames waited.
  private var resting: UInt32?

  /// - Returns: `nil` if the device distinguishes fewer than three fingers.
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
    guard let next = waiting.first else { return machine.deadline }
    let limit = end == nil ? since + Self.lifting : nil
    if machine.isUndecided { return EventTime.earlier(machine.deadline, limit) }
    let due = !machine.isUnfinished ? delay.map { next.time + $0 } : nil
    return EventTime.earlier(due ?? machine.last + Self.step, limit)
  }

  // MARK: Requests

  mutating func allow(_ counts: FingerCounts) { machine.allow(counts) }

  /// Sets the slots whose contacts are palms, as bits.
  mutating func rest(_ resting: UInt32) {
    // the machine may not know these contacts yet
    if isLate { self.resting = resting } else { machine.rest(resting) }
  }

  mutating func decide(_ verdict: StrokeVerdict, into packet: inout [EvdevEvent]) {
    // no verdict will come for the earlier stroke
    if let end, verdict.time > end { passAll(into: &packet) }
    machine.decide(verdict)
  }

  mutating func advance(to time: EventTime, into packet: inout [EvdevEvent]) {
    if !isLate || machine.isUndecided { machine.advance(to: time, into: &packet) }
    while isLate, let due = deadline, due <= time {
      if end == nil, since + Self.lifting <= time {
        passAll(at: time, into: &packet)
      } else if machine.isUnfinished {
        machine.catchUp(at: time, into: &packet)
      } else {
        delay = delay ?? time - waiting[0].time
        passNext(into: &packet)
      }
    }
  }

  // MARK: Events

  /// Processes events of the pad. At the end of a frame, appends what is passed on to `packet`.
  mutating func process(_ events: [EvdevEvent], into packet: inout [EvdevEvent]) {
    var start = 0
    for index in events.indices {
      let event = events[index]
      follow(event)
      guard event.isReport else { continue }
      // usually they are one frame in which nothing lifts or clicks
      if !isLate, frame.isEmpty, start == 0, index == events.count - 1, lifted == 0, !clicks {
        return machine.process(events, into: &packet)
      }
      frame += events[start...index]
      start = index + 1
      endFrame(at: event.time, into: &packet)
    }
    frame += events[start...]
  }

  private mutating func endFrame(at time: EventTime, into packet: inout [EvdevEvent]) {
    if clicks { passAll(at: time, into: &packet) }
    let waits = !clicks && (machine.isUndecided || machine.isUnfinished)
    if !isLate, waits, lifted & machine.countedSlots != 0 {
      (since, counted) = (time, machine.countedSlots)
    } else if !isLate {
      machine.process(frame, into: &packet)
      frame.removeAll(keepingCapacity: true)
    }
    if !frame.isEmpty { wait() }
    (lifted, clicks) = (0, false)
  }

  /// Events were lost. The next frame has all contacts.
  mutating func lost(into packet: inout [EvdevEvent]) {
    passAll(into: &packet)
    machine.lost()
  }

  /// Lifts all contacts on the twin as palms, so that they do not count as a tap.
  mutating func letGo(into packet: inout [EvdevEvent]) {
    passAll(into: &packet)
    frame.removeAll(keepingCapacity: true)
    (lifted, clicks) = (0, false)
    machine.letGo(into: &packet)
  }

  // MARK: Parts

  private mutating func follow(_ event: EvdevEvent) {
    clicks = clicks || event.isClick
    guard event.type == .absolute else { return }
    switch AbsoluteAxis(rawValue: event.code) {
    case .slot: slot = Int(event.value)
    case .trackingID where event.value < 0: lifted |= bit
    case _: break
    }
  }

  private var bit: UInt32 { (0..<32).contains(slot) ? 1 << UInt32(slot) : 0 }

  /// Adds the frame to those that wait.
  private mutating func wait() {
    waiting += frame
    counted &= ~lifted
    if counted == 0, end == nil { end = frame.last?.time }
    frame.removeAll(keepingCapacity: true)
  }

  /// Passes the next frame. If that ends the stroke, passes all: the rest is the next stroke's.
  private mutating func passNext(into packet: inout [EvdevEvent]) {
    if passFrame(into: &packet) == end || !isLate { passAll(into: &packet) }
  }

  /// Passes the first frame that waits, and returns its time.
  @discardableResult
  private mutating func passFrame(into packet: inout [EvdevEvent]) -> EventTime {
    let count = (waiting.firstIndex { $0.isReport } ?? waiting.count - 1) + 1
    let frame = Array(waiting[..<count])
    waiting.removeSubrange(..<count)
    machine.process(frame, into: &packet)
    return frame[count - 1].time
  }

  /// - Parameter time: The new time of all frames, so that no finger catches up in that instant.
  private mutating func passAll(at time: EventTime? = nil, into packet: inout [EvdevEvent]) {
    if let time { for index in waiting.indices { waiting[index].time = time } }
    while isLate { passFrame(into: &packet) }
    (delay, end) = (nil, nil)
    if let resting { machine.rest(resting) }
    resting = nil
  }
}

extension EvdevEvent {
  /// Whether a button of the pad goes down.
  var isClick: Bool { value == 1 && buttonBit != nil }

  /// The bit of a pad's button; `nil` for everything else.
  var buttonBit: UInt8? {
    guard type == .key, Key(rawValue: code).isPointerButton else { return nil }
    return 1 << UInt8(code - Key.leftButton.rawValue)
  }
}
