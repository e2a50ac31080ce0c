import CLinux
import Glibc
import GlissEvents
import GlissSession

/// A touchpad that is grabbed, and the virtual touchpad that the desktop reads instead.
///
/// The grab begins while no finger is down, because a desktop that misses a contact's end takes it
/// for one that stays. It lasts while strokes may be hidden. Gliss itself goes on reading the pad.
final class PadTwin {
  let path: String
  private unowned let queue: TouchpadQueue
  private unowned let twins: PadTwins
  private let device: VirtualDevice
  private var flow: TwinFlow
  /// How often the grab waited for the first slot.
  private var postponements = 0
  /// When desktops will be reading the twin.
  private let ready = InputLoop.now + Twin.settling
  /// Never read: querying the key state removes key events from the asking reader's queue.
  private let probe: Int32

  /// - Throws: If there can be no twin.
  init(of queue: TouchpadQueue, at path: String, _ twins: PadTwins) throws(SystemError) {
    self.queue = queue
    self.path = path
    self.twins = twins
    let reader = queue.reader
    guard let machine = TwinMachine(of: reader.device) else {
      throw SystemError(path, "it distinguishes fewer than three fingers")
    }
    guard reader.otherCodes[.switch] == nil else {
      throw SystemError(path, "it has switches, which cannot be passed on")
    }
    flow = TwinFlow(machine: machine)
    var others = reader.otherCodes
    others[.repetition] = nil
    let known = DeviceFinder.properties(Known.all, of: reader.descriptor)
    device = try VirtualDevice(
      Self.description(reader.device, known), others: others, place: Known.place(known))
    probe = open("/proc/self/fd/\(reader.descriptor)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard probe >= 0 else { throw SystemError(path, failed: errno) }
  }

  deinit { if probe >= 0 { Glibc.close(probe) } }

  /// udev's properties of the pad that desktops read.
  private enum Known {
    static let integration = "ID_INPUT_TOUCHPAD_INTEGRATION"
    /// The fuzz of ABS_MT_POSITION_X and Y, which libinput's rules take from the kernel.
    static let (fuzzX, fuzzY) = ("LIBINPUT_FUZZ_35", "LIBINPUT_FUZZ_36")
    static let all = [integration, fuzzX, fuzzY]

    /// The twin's physical location, which packaging/gliss.udev reads.
    static func place(_ known: [String: String]) -> String {
      switch known[integration] {
      case "internal"?: "twin/internal"
      case "external"?: "twin/external"
      case _: "twin"
      }
    }
  }

  /// The pad's own description, so that a desktop's settings for it apply, with the axis for the
  /// tools of contacts added.
  ///
  /// - Parameter known: udev's properties of the pad.
  static func description(_ pad: Device, _ known: [String: String] = [:]) -> Device {
    var twin = pad
    // with fuzz, the kernel would smooth positions a second time; but libinput's rules take the
    // fuzz of positions of a new device from the kernel
    for axis in twin.axes.keys { twin.axes[axis]?.fuzz = 0 }
    for (axis, name) in [(AbsoluteAxis.positionX, Known.fuzzX), (.positionY, Known.fuzzY)] {
      twin.axes[axis]?.fuzz = known[name].flatMap { Int32($0) } ?? 0
    }
    let tools = twin.axes[.toolType]
    twin.axes[.toolType] = AxisRange(
      minimum: tools?.minimum ?? 0, maximum: max(ToolType.palm, tools?.maximum ?? 0))
    return twin
  }

  static func canHide(_ pad: Device) -> Bool { TwinMachine(of: pad) != nil }

  var name: String { queue.reader.device.name }
  var identifier: DeviceID { queue.identifier }
  var isFree: Bool { flow.grab.isFree }
  /// Whether the desktop sees resting contacts as palms.
  var hidesResting = false { didSet { noteResting() } }
  var deadline: EventTime? { flow.deadline }

  // MARK: Requests

  func want() { flow.grab.want(from: ready) }

  func unwant(at time: EventTime) { perform(flow.grab.unwant(at: time)) }

  func allow(_ counts: FingerCounts) {
    flow.allow(counts)
    flush()
  }

  func decide(_ verdict: StrokeVerdict) {
    // the same decision may have found that a thumb rests
    if hidesResting { noteResting() }
    flow.decide(verdict)
    flush()
  }

  /// Call after each frame if the desktop sees resting contacts as palms, and when that changes.
  func noteResting() {
    flow.rest(hidesResting ? twins.session.restingSlots(of: queue.identifier) : 0)
    flush()
  }

  func advance(to time: EventTime) {
    let action = flow.advance(to: time)
    flush()
    perform(action)
  }

  /// Gives it back now, even while fingers are down.
  func leave() {
    let wasGrabbed = flow.leave()
    flush()
    if wasGrabbed { giveBack() }
  }

  /// Call when neither the pad nor its twin is needed any more.
  func close() { device.close() }

  // MARK: Events

  /// Takes the pad's events up to the end of a frame, before the session gets them.
  ///
  /// - Returns: What to ``perform(_:)`` once the session has them: that may deliver later frames.
  func take(_ events: [EvdevEvent]) -> GrabMachine.Action? {
    if flow.passMotion(events) {
      flush()
      return nil
    }
    var action: GrabMachine.Action?
    for event in events { action = take(event) ?? action }
    return action
  }

  private func take(_ event: EvdevEvent) -> GrabMachine.Action? {
    if event.type == .synchronization, event.code == SynchronizationCode.dropped { lose(event) }
    guard flow.take(event) else { return nil }
    let action = flow.endFrame()
    flush()
    return action
  }

  /// Events were lost. What has arrived of the frame is passed on.
  private func lose(_ event: EvdevEvent) {
    flow.lose(Set<Key>(down: queue.reader.descriptor), at: event.time)
    flush()
  }

  /// Writes the twin's waiting events.
  private func flush() {
    do throws(SystemError) {
      try flow.write(to: device)
    } catch {
      // without its twin the pad would be dead
      twins.broke(self, error)
    }
  }

  // MARK: Handing over

  func perform(_ action: GrabMachine.Action?) {
    // a twin that has failed is given back already
    guard queue.twin === self else { return }
    switch action {
    case nil: break
    case .grab: takeOver()
    case .giveBack:
      giveBack()
      clear()
    }
  }

  private func takeOver() {
    let reader = queue.reader
    // for events that the attempt reads, the descriptor no longer wakes the loop
    defer { if reader.hasEvents { twins.hasEvents(queue) } }
    // GrabMachine asks again once the waiting events are processed
    guard !reader.hasEvents else { return }
    guard let keys = Set<Key>(down: probe) else { return refused(errno) }
    if !keys.isEmpty { return flow.lost(keys, at: InputLoop.now) }
    // before the grab: from then on, only the twin can report what lands
    guard let description = EvdevDescription(of: probe), !description.hasContact else {
      // a palm that the pad does not count as a finger
      return flow.grab.refused(until: InputLoop.now + .milliseconds(500))
    }
    // The desktop misses changes of the slot, and gets none if the next contact uses the current
    // one. Pads use the first free slot, so that is the first: it must be the desktop's, too.
    // Firmware that numbers contacts itself may never use it, so that is not waited for without end.
    if description.slot != 0, postponements < 20 {
      postponements += 1
      return flow.grab.postpone()
    }
    switch reader.grab(asking: { _ = Set<Key>(down: probe) }) {
    case .refused(let code): refused(code)
    case .tooEarly: flow.grab.refused(until: InputLoop.now + .milliseconds(20))
    case .taken(let time):
      flow.grab.took(at: time)
      flow.pass(description.state(at: time))
      flush()
      twins.grabbed(self, reader.descriptor, device.descriptor)
    }
  }

  private func refused(_ code: Int32) {
    flow.grab.refused(until: InputLoop.now + .milliseconds(5000))
    twins.refused(self, code)
  }

  private func giveBack() {
    twins.release(queue.reader.descriptor)
    let now = InputLoop.now
    _ = gliss_evdev_grab(queue.reader.descriptor, 0)
    flow.grab.gaveBack(at: now)
    twins.gaveBack(self)
  }

  /// Passes events from before the release on to the twin.
  private func clear() {
    while queue.read() == .events {
      while queue.nextTime != nil { _ = queue.deliver(into: twins.session) }
    }
    flow.clear()
    flush()
  }
}

/// What becomes of a pad's events: its grab, the machine of its twin, and the events between them.
///
/// It is one value because Swift checks each access to a class's property at run time. A frame of
/// motion costs two such accesses.
struct TwinFlow {
  var grab = GrabMachine()
  var machine: TwinMachine
  /// The pad's frame that has not ended yet.
  private var frame: [EvdevEvent] = []
  /// What the desktop gets of it.
  private var passed: [EvdevEvent] = []
  /// Events that wait to be written to the twin.
  private(set) var packet: [EvdevEvent] = []

  init(machine: TwinMachine) {
    self.machine = machine
    // a thumb may rest on the pad for long, while the twin passes everything on
    grab.patience = .milliseconds(3_600_000)
    frame.reserveCapacity(64)
    passed.reserveCapacity(64)
    packet.reserveCapacity(128)
  }

  var deadline: EventTime? { EventTime.earlier(grab.deadline, machine.deadline) }

  /// Passes the events on as they are if they are a frame of motion. Returns whether they are.
  mutating func passMotion(_ events: [EvdevEvent]) -> Bool {
    guard frame.isEmpty, grab.passes(events) else { return false }
    machine.process(events, into: &packet)
    return true
  }

  /// Adds an event of the pad. Returns whether it ends a frame.
  mutating func take(_ event: EvdevEvent) -> Bool {
    frame.append(event)
    return event.isReport
  }

  mutating func endFrame() -> GrabMachine.Action? {
    var action: GrabMachine.Action?
    for event in frame { action = grab.process(event, into: &passed) }
    frame.removeAll(keepingCapacity: true)
    pass()
    return action
  }

  /// Events were lost. What has arrived of the frame is passed on.
  ///
  /// - Parameter keys: Those that are down now; `nil` if unknown.
  mutating func lose(_ keys: Set<Key>?, at time: EventTime) {
    _ = endFrame()
    if let keys { lost(keys, at: time) }
    pass()
    machine.lost(into: &packet)
  }

  /// - Parameter keys: Those that are down now.
  mutating func lost(_ keys: Set<Key>, at time: EventTime) {
    grab.lost(keys, at: time, into: &passed)
  }

  mutating func allow(_ counts: FingerCounts) { machine.allow(counts, into: &packet) }

  mutating func rest(_ slots: UInt32) { machine.rest(slots, into: &packet) }

  mutating func decide(_ verdict: StrokeVerdict) { machine.decide(verdict, into: &packet) }

  /// Passes on the pad's current state. From then on the pad reports only what changes.
  mutating func pass(_ events: [EvdevEvent]) { machine.process(events, into: &packet) }

  mutating func advance(to time: EventTime) -> GrabMachine.Action? {
    machine.advance(to: time, into: &packet)
    guard let due = grab.deadline, due <= time else { return nil }
    let action = grab.advance(to: time, into: &passed)
    if action == .giveBack { machine.letGo(into: &packet) }
    pass()
    return action
  }

  /// Lifts all contacts on the twin. Returns whether the pad was grabbed.
  mutating func leave() -> Bool {
    machine.letGo(into: &packet)
    let action = grab.leave(into: &passed)
    pass()
    return action != nil
  }

  /// Lifts all contacts on the twin, once it has all events from before the release.
  mutating func clear() {
    machine.letGo(into: &packet)
    grab.cleared(into: &passed)
    pass()
  }

  private mutating func pass() {
    machine.process(passed, into: &packet)
    passed.removeAll(keepingCapacity: true)
  }

  /// Writes the twin's waiting events.
  mutating func write(to device: VirtualDevice) throws(SystemError) {
    guard !packet.isEmpty else { return }
    defer { packet.removeAll(keepingCapacity: true) }
    try device.write(packet)
  }
}
