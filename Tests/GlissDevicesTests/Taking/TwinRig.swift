import GlissEvents

@testable import GlissDevices

/// What a reader of a touchpad knows.
struct PadView: Equatable {
  struct Slot: Equatable {
    var id: Int32 = -1
    var x: Int32 = 0
    var y: Int32 = 0
    var tool: Int32 = 0
  }

  var slots = [Slot](repeating: Slot(), count: 5)
  var current = 0
  var keys: Set<UInt16> = []
  /// What no device does: an event about no slot, a contact that begins twice, a key that is pressed twice.
  var faults: [String] = []
  /// Whether a frame has ended after the last event.
  var isComplete = true

  mutating func take(_ event: EvdevEvent) {
    isComplete = event.isReport
    switch event.type {
    case .key:
      let isNew =
        event.value == 0 ? keys.remove(event.code) != nil : keys.insert(event.code).inserted
      if !isNew { faults.append("key \(event.code) is \(event.value) twice") }
    case .absolute: take(AbsoluteAxis(rawValue: event.code), event.value)
    case _: break
    }
  }

  private mutating func take(_ axis: AbsoluteAxis, _ value: Int32) {
    switch axis {
    case .slot: current = Int(value)
    case .trackingID:
      let before = slots[current].id
      if value >= 0, before >= 0 { faults.append("slot \(current) begins twice") }
      slots[current].id = value
    case .positionX: slots[current].x = value
    case .positionY: slots[current].y = value
    case .toolType: slots[current].tool = value
    case _: break
    }
  }

  /// The slots of contacts that are not palms.
  var fingers: [Int] {
    slots.indices.filter { slots[$0].id >= 0 && slots[$0].tool != ToolType.palm }
  }
  var palms: [Int] { slots.indices.filter { slots[$0].id >= 0 && slots[$0].tool == ToolType.palm } }
  var ids: [Int32] { slots.map(\.id) }
  /// Where contacts are.
  var places: [Slot] { slots.map { $0.id < 0 ? Slot() : Slot(id: $0.id, x: $0.x, y: $0.y) } }
}

/// A pad that reports only what changes, its twin, and a clock moved by hand.
struct TwinRig {
  static let device = Device(
    name: "Pad",
    axes: [
      .slot: AxisRange(minimum: 0, maximum: 4), .trackingID: AxisRange(minimum: 0, maximum: 65535),
      .positionX: AxisRange(minimum: 0, maximum: 1000, resolution: 10),
      .positionY: AxisRange(minimum: 0, maximum: 600, resolution: 10),
      .touchPressure: AxisRange(minimum: 0, maximum: 255),
    ], keys: [.leftButton, .toolFinger, .touch], properties: [.pointer, .buttonPad])

  var machine: TwinMachine
  var time = EventTime(microseconds: 1_000_000)
  private(set) var pad = PadView()
  private(set) var twin = PadView()
  /// What the twin got of the last step.
  private(set) var last: [EvdevEvent] = []
  /// What the pad reported, and what the twin got of it, since frames began to wait.
  private(set) var (said, passed): ([EvdevEvent], [EvdevEvent]) = ([], [])
  private var frame: [EvdevEvent] = []
  private var identifier: Int32 = 0

  init?(_ fingers: FingerCounts = [], of device: Device = device) {
    guard let machine = TwinMachine(of: device) else { return nil }
    self.machine = machine
    self.machine.allow(fingers, into: &last)
  }

  // MARK: The pad

  mutating func land(_ slot: Int, x: Int32, y: Int32 = 300) {
    identifier += 1
    say(slot, .trackingID, identifier)
    put(slot, x: x, y: y)
  }

  mutating func put(_ slot: Int, x: Int32, y: Int32) {
    if pad.slots[slot].x != x { say(slot, .positionX, x) }
    if pad.slots[slot].y != y { say(slot, .positionY, y) }
  }

  mutating func move(_ slot: Int, by units: Int32) {
    put(slot, x: pad.slots[slot].x + units, y: pad.slots[slot].y)
  }

  mutating func lift(_ slot: Int) { say(slot, .trackingID, -1) }

  mutating func say(_ slot: Int, _ axis: AbsoluteAxis, _ value: Int32) {
    if pad.current != slot { say(.absolute(.slot, Int32(slot), at: time)) }
    say(.absolute(axis, value, at: time))
  }

  mutating func press(_ isDown: Bool) { say(.key(.leftButton, isDown ? 1 : 0, at: time)) }

  private mutating func say(_ event: EvdevEvent) {
    pad.take(event)
    frame.append(event)
  }

  /// Ends the frame. Returns what the pad said in it.
  @discardableResult
  mutating func end(after milliseconds: Double = 8) -> [EvdevEvent] {
    frame.append(.report(at: time))
    pad.take(.report(at: time))
    let frame = frame
    self.frame.removeAll()
    if !machine.isLate { (said, passed) = ([], []) }
    said += frame
    step { machine, time, packet in
      machine.process(frame, into: &packet)
      if !machine.isUndecided { machine.advance(to: time, into: &packet) }
    }
    time = time + .milliseconds(milliseconds)
    return frame
  }

  /// So many fingers land at once.
  mutating func land(fingers: Int) {
    for slot in 0..<fingers { land(slot, x: 200 + 150 * Int32(slot)) }
    end()
  }

  mutating func move(fingers: Int, by units: Int32) {
    for slot in 0..<fingers { move(slot, by: units) }
    end()
  }

  mutating func lift(fingers: Int) {
    for slot in 0..<fingers { lift(slot) }
    end()
  }

  /// More was sent than the kernel keeps: the twin does not get the frame, but then the whole state.
  mutating func lose() {
    frame.removeAll()
    step { machine, _, packet in machine.lost(into: &packet) }
    for slot in pad.slots.indices {
      let state = pad.slots[slot]
      frame += [
        .absolute(.slot, Int32(slot), at: time), .absolute(.trackingID, state.id, at: time),
        .absolute(.positionX, state.x, at: time), .absolute(.positionY, state.y, at: time),
      ]
    }
    frame.append(.absolute(.slot, Int32(pad.current), at: time))
    let keys = twin.keys.symmetricDifference(pad.keys)
    frame += keys.map { .key(Key(rawValue: $0), pad.keys.contains($0) ? 1 : 0, at: time) }
    end()
  }

  // MARK: Everything else

  mutating func decide(keeps: Bool, at moment: EventTime? = nil) {
    let verdict = StrokeVerdict(time: moment ?? time, isKept: keeps)
    step { machine, _, packet in machine.decide(verdict, into: &packet) }
  }

  /// Only these slots' contacts rest.
  mutating func rest(_ slots: [Int]) {
    step { machine, _, packet in
      machine.rest(slots.reduce(0) { $0 | 1 << UInt32($1) }, into: &packet)
    }
  }

  mutating func wait(milliseconds: Double) {
    time = time + .milliseconds(milliseconds)
    step { $0.advance(to: $1, into: &$2) }
  }

  /// Until nothing is left to do, and the pad's next frame is due.
  mutating func finish() {
    for _ in 0..<1000 where machine.deadline != nil { wait(milliseconds: 2) }
    time = time + .milliseconds(8)
  }

  mutating func allow(_ fingers: FingerCounts) {
    step { machine, _, packet in machine.allow(fingers, into: &packet) }
  }
  mutating func letGo() { step { machine, _, packet in machine.letGo(into: &packet) } }

  private mutating func step(_ body: (inout TwinMachine, EventTime, inout [EvdevEvent]) -> Void) {
    last.removeAll()
    body(&machine, time, &last)
    passed += last
    for event in last {
      // the kernel drops what changes nothing
      if event.type == .absolute, event.code == AbsoluteAxis.trackingID.rawValue,
        twin.slots[twin.current].id == event.value
      {
        continue
      }
      twin.take(event)
    }
    if !twin.isComplete { twin.faults.append("a frame without an end") }
  }
}
