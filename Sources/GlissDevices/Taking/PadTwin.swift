import CLinux
import Glibc
import GlissEvents
import GlissSession

/// A touchpad that is grabbed, and the virtual touchpad that the desktop reads instead.
///
/// It is grabbed while no finger is down, and as long as strokes may be hidden: a desktop that misses a
/// contact's end takes it for one that stays. Gliss itself goes on reading the pad.
final class PadTwin {
  let path: String
  private unowned let queue: TouchpadQueue
  private unowned let twins: PadTwins
  private let device: VirtualDevice
  private var grab = GrabMachine()
  private var machine: TwinDelay
  /// When desktops will be reading the twin.
  private let ready = InputLoop.now + Twin.settling
  /// Never read: querying the key state removes key events from the asking reader's queue.
  private let probe: Int32
  /// The pad's frame that has not ended yet, what the desktop is to get of it, and what goes to the twin.
  private var frame: [EvdevEvent] = []
  private var passed: [EvdevEvent] = []
  private var packet: [EvdevEvent] = []
  private var output: [input_event] = []

  /// - Throws: If there can be no twin.
  init(of queue: TouchpadQueue, at path: String, _ twins: PadTwins) throws(SystemError) {
    self.queue = queue
    self.path = path
    self.twins = twins
    let reader = queue.reader
    guard let machine = TwinDelay(of: reader.device) else {
      throw SystemError(path, "it tells fewer than three fingers apart")
    }
    guard reader.otherCodes[.switch] == nil else {
      throw SystemError(path, "it has switches, which cannot be passed on")
    }
    self.machine = machine
    var others = reader.otherCodes
    others[.repetition] = nil
    let known = DeviceFinder.properties(Known.all, of: reader.descriptor)
    device = try VirtualDevice(
      Self.description(reader.device, known), place: Known.place(known), others: others)
    probe = open("/proc/self/fd/\(reader.descriptor)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    // a thumb may rest on the pad for long, and the twin passes on what comes
    grab.patience = .milliseconds(3_600_000)
    frame.reserveCapacity(64)
    passed.reserveCapacity(64)
    packet.reserveCapacity(128)
    output.reserveCapacity(128)
    guard probe >= 0 else { throw SystemError(path, failed: errno) }
  }

  deinit { if probe >= 0 { Glibc.close(probe) } }

  /// Properties of the pad in udev that desktops read.
  private enum Known {
    static let integration = "ID_INPUT_TOUCHPAD_INTEGRATION"
    /// The fuzz of ABS_MT_POSITION_X and Y, which libinput's rules take from the kernel.
    static let (fuzzX, fuzzY) = ("LIBINPUT_FUZZ_35", "LIBINPUT_FUZZ_36")
    static let all = [integration, fuzzX, fuzzY]

    /// packaging/gliss.udev reads it.
    static func place(_ known: [String: String]) -> String {
      switch known[integration] {
      case "internal"?: "twin/internal"
      case "external"?: "twin/external"
      case _: "twin"
      }
    }
  }

  /// The pad as it describes itself, so that a desktop's settings for it apply, and with the tool of
  /// contacts.
  ///
  /// - Parameter known: udev's properties of the pad.
  static func description(_ pad: Device, _ known: [String: String] = [:]) -> Device {
    var twin = pad
    // the kernel would smooth positions twice; libinput's rules take the fuzz of a new device from the kernel
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
  var twinPath: String { device.path }
  var isFree: Bool { grab.isFree }
  var isGrabbed: Bool { grab.isGrabbed }
  var hidesResting: Bool { twins.hidesResting }
  var deadline: EventTime? { EventTime.earlier(grab.deadline, machine.deadline) }

  // MARK: Requests

  func want() { grab.want(from: ready) }

  func unwant(at time: EventTime) { perform(grab.unwant(at: time)) }

  func allow(_ counts: FingerCounts) { machine.allow(counts) }

  func decide(_ verdict: StrokeVerdict) {
    // the same decision may have found that a thumb rests
    if hidesResting { noteResting() }
    machine.decide(verdict, into: &packet)
    flush()
  }

  /// Call behind each frame if contacts that rest are palms to the desktop, and when that changes.
  func noteResting() {
    machine.rest(hidesResting ? twins.session.restingSlots(of: queue.identifier) : 0)
  }

  func advance(to time: EventTime) {
    machine.advance(to: time, into: &packet)
    flush()
    if let due = grab.deadline, due <= time {
      let action = grab.advance(to: time, into: &passed)
      if action == .giveBack { machine.letGo(into: &packet) }
      hand()
      perform(action)
    }
  }

  /// Gives it back now, even while fingers are down.
  func leave() {
    machine.letGo(into: &packet)
    let action = grab.leave(into: &passed)
    hand()
    guard action != nil else { return }
    giveBack()
  }

  /// Call when neither the pad nor its twin is needed any more.
  func close() { device.close() }

  // MARK: Events

  /// Takes the pad's next event, before anybody else here does.
  func take(_ event: EvdevEvent) {
    if event.type == .synchronization, event.code == SynchronizationCode.dropped { lose(event) }
    frame.append(event)
    guard event.isReport else { return }
    let action = grab.process(frame, into: &passed)
    frame.removeAll(keepingCapacity: true)
    hand()
    perform(action)
  }

  /// Events were lost. Those of the frame that came are passed on.
  private func lose(_ event: EvdevEvent) {
    _ = grab.process(frame, into: &passed)
    frame.removeAll(keepingCapacity: true)
    if let keys = KeySet(down: queue.reader.descriptor) {
      grab.lost(keys, at: event.time, into: &passed)
    }
    hand()
    machine.lost(into: &packet)
    flush()
  }

  /// Hands what the desktop is to get to the twin.
  private func hand() {
    machine.process(passed, into: &packet)
    passed.removeAll(keepingCapacity: true)
    flush()
  }

  private func flush() {
    guard !packet.isEmpty else { return }
    output.removeAll(keepingCapacity: true)
    Self.append(packet, to: &output)
    packet.removeAll(keepingCapacity: true)
    do throws(SystemError) {
      try device.write(output)
    } catch {
      // without its twin the pad would be dead
      twins.broke(self, error)
    }
  }

  private static func append(_ packet: [EvdevEvent], to output: inout [input_event]) {
    for event in packet { output.append(input_event(event)) }
  }

  // MARK: Handing over

  private func perform(_ action: GrabMachine.Action?) {
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
    // the grab is requested again after the waiting events
    guard !reader.hasEvents else { return }
    guard let keys = KeySet(down: probe) else { return refused(errno) }
    if !keys.isEmpty { return grab.lost(keys, at: InputLoop.now, into: &passed) }
    switch reader.grab(asking: { _ = KeySet(down: probe) }) {
    case .refused(let code): refused(code)
    case .tooEarly: grab.refused(until: InputLoop.now + .milliseconds(20))
    case .taken(let time):
      guard let description = EvdevDescription(of: probe), !description.hasContact else {
        // a palm that the pad does not count as a finger
        _ = gliss_evdev_grab(reader.descriptor, 0)
        return grab.refused(until: InputLoop.now + .milliseconds(500))
      }
      grab.took(at: time)
      // the pad will only say what differs from this
      machine.process(description.state(at: time), into: &packet)
      flush()
      twins.grabbed(self, reader.descriptor, device.descriptor)
    }
  }

  private func refused(_ code: Int32) {
    grab.refused(until: InputLoop.now + .milliseconds(5000))
    twins.refused(self, code)
  }

  private func giveBack() {
    twins.release(queue.reader.descriptor)
    let now = InputLoop.now
    _ = gliss_evdev_grab(queue.reader.descriptor, 0)
    grab.gaveBack(at: now)
    twins.gaveBack(self)
  }

  /// Passes events from before the release on to the twin.
  private func clear() {
    while queue.read() == .events {
      while queue.nextTime != nil { _ = queue.deliver(into: twins.session) }
    }
    machine.letGo(into: &packet)
    grab.cleared(into: &passed)
    hand()
  }
}
