import Glibc
import GlissEvents
import GlissSession

/// A touchpad that is grabbed, and the virtual touchpad that the desktop reads instead.
///
/// The grab begins while no finger is down, because a desktop that misses a contact's end takes it
/// for one that stays. It lasts while strokes may be hidden. Gliss itself goes on reading the pad.
final class PadTwin: GrabbedDevice {
  let path: String
  let probe: Probe
  let ready = InputLoop.now + Twin.settling
  private unowned let pad: TouchpadQueue
  private unowned let twins: PadTwins
  private let device: VirtualDevice
  private var flow: TwinFlow
  /// How often the grab waited for the first slot, and for the tools of slots that were palms.
  private var (postponements, palmPostponements) = (0, 0)

  /// - Parameter machine: Made for the pad's device.
  init(
    of pad: TouchpadQueue, _ machine: TwinMachine, at path: String, _ twins: PadTwins
  ) throws(SystemError) {
    self.pad = pad
    self.path = path
    self.twins = twins
    let reader = pad.reader
    guard reader.otherCodes[.switch] == nil else {
      throw SystemError(path, "it has switches, which cannot be passed on")
    }
    flow = TwinFlow(machine: machine)
    var others = reader.otherCodes
    others[.repetition] = nil
    let known = DeviceFinder.properties(Known.all, of: reader.descriptor)
    device = try VirtualDevice(
      Self.description(reader.device, known), others: others, place: Known.place(known))
    probe = try Probe(of: reader, at: path)
  }

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

  var reader: EvdevReader { pad.reader }
  var queue: any InputQueue { pad }
  var twinDescriptor: Int32 { device.descriptor }
  var identifier: DeviceID { pad.identifier }
  var grabs: Grabs { twins.grabs }
  var news: GrabNews { twins.news }
  var grab: GrabMachine {
    get { flow.grab }
    set { flow.grab = newValue }
  }
  /// Whether the desktop sees resting contacts as palms.
  var hidesResting = false { didSet { noteResting() } }
  var deadline: EventTime? { flow.deadline }

  // MARK: Requests

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
    flow.rest(hidesResting ? grabs.session.restingSlots(of: identifier) : 0)
    flush()
  }

  func advance(to time: EventTime) {
    let action = flow.advance(to: time)
    flush()
    perform(action)
  }

  func leave() {
    let wasGrabbed = flow.leave()
    flush()
    if wasGrabbed { giveBack() }
  }

  func close() { device.close() }

  // MARK: Events

  /// Takes the pad's events up to the end of a frame, before the session gets them. Returns what to
  /// ``perform(_:)`` once the session has them: that may deliver later frames.
  func take(_ events: [EvdevEvent]) -> GrabMachine.Action? {
    defer { flush() }
    if flow.passMotion(events) { return nil }
    var action: GrabMachine.Action?
    for event in events {
      if event.type == .synchronization, event.code == SynchronizationCode.dropped {
        flow.lose(Set<Key>(down: reader.descriptor), at: event.time)
      }
      if flow.take(event) { action = flow.endFrame() }
    }
    return action
  }

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
    guard pad.twin === self else { return }
    switch action {
    case nil: break
    case .grab: takeOver()
    case .giveBack: giveBackAll()
    }
  }

  private func takeOver() {
    guard mayTake() else { return }
    // before the grab: from then on, only the twin can report what lands
    guard let description = EvdevDescription(of: probe.descriptor), !description.hasContact else {
      // a palm that the pad does not count as a finger
      return flow.grab.refused(until: InputLoop.now + .milliseconds(500))
    }
    // The desktop misses changes of the slot, and gets none if the next contact uses the current
    // one. Pads use the first free slot, so that is the first: it must be the desktop's, too.
    // Firmware that numbers contacts itself may never use the first slot, so the wait has an end.
    if description.slot != 0, postponements < 20 {
      postponements += 1
      return flow.grab.postpone()
    }
    // A slot that was a palm before the grab would be one to the desktop after it. If it is not
    // used again, it stays a palm, so this wait has an end, too.
    if description.hasPalmTool, palmPostponements < 5 {
      palmPostponements += 1
      return flow.grab.postpone()
    }
    takeNow { time in
      flow.pass(description.state(at: time))
      flush()
    }
  }

  func lost(_ keys: Set<Key>, at time: EventTime) { flow.lost(keys, at: time) }

  func cleared() {
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

  mutating func write(to device: VirtualDevice) throws(SystemError) {
    guard !packet.isEmpty else { return }
    defer { packet.removeAll(keepingCapacity: true) }
    try device.write(packet)
  }
}

/// The touchpads that the desktop reads through twins, so that strokes can be hidden from it. This
/// serves desktops whose libinput loads no plugins.
///
/// The panic chord ends these grabs too, and so does a stall of the loop.
final class PadTwins {
  let news = GrabNews()
  /// Owns this object.
  unowned let grabs: Grabs
  /// An array, because there are few and their deadlines are checked for each frame.
  private var twins: [PadTwin] = []
  private var now: FingerCounts = []
  private var ever: FingerCounts = []
  var hidesResting = false {
    didSet { for twin in twins { twin.hidesResting = hidesResting } }
  }
  /// Whether pads are still to be grabbed or given back. This waits, because ``take(_:of:)`` and
  /// ``Grabs/resume(afterPanic:)`` may be called by an event's handler, and giving back delivers
  /// events.
  var mustSettle = false
  /// Pads whose twins cannot be written to. They are not tried again.
  private var broken: Set<String> = []

  init(_ grabs: Grabs) { self.grabs = grabs }

  var isEmpty: Bool { twins.isEmpty }

  /// The touchpads that are read, by node.
  private var queues: [String: TouchpadQueue] { grabs.devices.touchpads }

  private func twin(at path: String) -> PadTwin? { twins.first { $0.path == path } }

  // MARK: Requests

  /// Hides strokes with `now` fingers until a verdict. Pads have twins unless `ever` is empty.
  func take(_ now: FingerCounts, of ever: FingerCounts) {
    (self.now, self.ever) = (now, ever)
    mustSettle = true
    for twin in twins { twin.allow(now) }
  }

  func decide(_ verdict: StrokeVerdict) {
    for twin in twins where verdict.device.map({ $0 == twin.identifier }) ?? true {
      twin.decide(verdict)
    }
  }

  /// Grabs or gives back pads. Also called when a pad was added.
  func settle() {
    mustSettle = false
    let time = InputLoop.now
    if isWanted {
      for (path, queue) in queues where !broken.contains(path) {
        if let twin = twin(at: path) { twin.want() } else { add(path, queue) }
      }
    } else {
      for twin in twins {
        twin.unwant(at: time)
        if twin.isFree { retire(twin) }
      }
      // earlier failures to grab no longer matter
      for (path, last) in news.reported where last.isProblem && twin(at: path) == nil {
        news.report(.givenBack(path: path))
      }
    }
  }

  private var isWanted: Bool { !ever.isEmpty && grabs.isOn }

  private func add(_ path: String, _ queue: TouchpadQueue) {
    guard let machine = TwinMachine(of: queue.reader.device) else { return }
    do throws(SystemError) {
      let twin = try PadTwin(of: queue, machine, at: path, self)
      try grabs.startWatchdog()
      twins.append(twin)
      queue.twin = twin
      twin.hidesResting = hidesResting
      twin.allow(now)
      twin.want()
    } catch {
      news.report(.failed(path: path, name: queue.reader.device.name, error))
    }
  }

  private func retire(_ twin: PadTwin) {
    twins.removeAll { $0 === twin }
    queues[twin.path]?.twin = nil
    grabs.retire(twin)
  }

  func remove(_ path: String) {
    news.reported[path] = nil
    broken.remove(path)
    stop(path)
  }

  private func stop(_ path: String) {
    guard let twin = twin(at: path) else { return }
    twin.leave()
    retire(twin)
  }

  /// Gives all pads back at once, even while fingers are down.
  func stop() { for twin in twins { stop(twin.path) } }

  // MARK: Time

  var deadline: EventTime? {
    if mustSettle { return .zero }
    var deadline: EventTime?
    for twin in twins {
      // it was given back when the last finger lifted
      if twin.isFree, !isWanted { return .zero }
      deadline = EventTime.earlier(deadline, twin.deadline)
    }
    return deadline
  }

  func advance(to time: EventTime) {
    if mustSettle { settle() }
    for twin in twins {
      if let due = twin.deadline, due <= time { twin.advance(to: time) }
      if twin.isFree, !isWanted { retire(twin) }
    }
  }

  /// The twin accepts no more events.
  func broke(_ twin: PadTwin, _ error: SystemError) {
    // not reported if the watchdog unplugged the twin, or if it is being removed already
    guard twins.contains(where: { $0 === twin }), grabs.watchdog?.hasTripped != true,
      broken.insert(twin.path).inserted
    else { return }
    stop(twin.path)
    news.report(.failed(path: twin.path, name: twin.reader.device.name, error))
  }
}
