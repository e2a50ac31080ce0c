import Glibc
import GlissEvents
import GlissSession

/// A touchpad that is grabbed, and the virtual touchpad that the desktop reads instead.
///
/// The grab begins while no finger is down, because a desktop that misses a contact's end takes it
/// for one that stays. It lasts while strokes may be hidden. Gliss itself goes on reading the pad.
final class PadTwin: GrabbedDevice {
  private unowned let pad: TouchpadQueue
  @exclusivity(unchecked) private var machine: TwinMachine
  /// Events that wait to be written to the twin.
  @exclusivity(unchecked) private var packet: [EvdevEvent] = []
  /// How often the grab waited for the first slot, and for the tools of slots that were palms.
  private var (postponements, palmPostponements) = (0, 0)

  init(
    of pad: TouchpadQueue, _ machine: TwinMachine, at path: String, _ grabs: Grabs
  ) throws(SystemError) {
    self.pad = pad
    self.machine = machine
    let reader = pad.reader
    let known = DeviceFinder.properties(
      [Self.integration, Self.fuzzX, Self.fuzzY], of: reader.descriptor)
    try super.init(
      reader, as: pad.identifier, at: path, twin: Self.description(reader.device, known),
      Self.place(known), of: grabs, grabs.padNews)
    // a thumb may rest on the pad for long, while the twin passes everything on
    grab.patience = .milliseconds(3_600_000)
    packet.reserveCapacity(128)
  }

  /// udev's property of the pad that is "internal" or "external".
  private static let integration = "ID_INPUT_TOUCHPAD_INTEGRATION"
  /// The fuzz of ABS_MT_POSITION_X and Y, which libinput's rules take from the kernel.
  private static let (fuzzX, fuzzY) = ("LIBINPUT_FUZZ_35", "LIBINPUT_FUZZ_36")

  /// The twin's physical location, which packaging/gliss.udev reads.
  ///
  /// - Parameter known: udev's properties of the pad.
  static func place(_ known: [String: String]) -> String {
    switch known[integration] {
    case "internal"?: "twin/internal"
    case "external"?: "twin/external"
    case _: "twin"
    }
  }

  /// The pad's own description, so that a desktop's settings for it apply, with the axis for the
  /// tools of contacts added.
  static func description(_ pad: Device, _ known: [String: String] = [:]) -> Device {
    var twin = pad
    // with fuzz, the kernel would smooth positions a second time; but libinput's rules take the
    // fuzz of positions of a new device from the kernel
    for axis in twin.axes.keys { twin.axes[axis]?.fuzz = 0 }
    for (axis, name) in [(AbsoluteAxis.positionX, fuzzX), (.positionY, fuzzY)] {
      twin.axes[axis]?.fuzz = known[name].flatMap { Int32($0) } ?? 0
    }
    let tools = twin.axes[.toolType]
    twin.axes[.toolType] = AxisRange(
      minimum: tools?.minimum ?? 0, maximum: max(ToolType.palm, tools?.maximum ?? 0))
    return twin
  }

  override var queue: any InputQueue { pad }
  override var deadline: EventTime? { EventTime.earlier(grab.deadline, machine.deadline) }

  // MARK: Requests

  func allow(_ counts: FingerCounts) {
    machine.allow(counts, into: &packet)
    flush()
  }

  func decide(_ verdict: StrokeVerdict) {
    // the same decision may have found that a thumb rests
    if grabs.hidesResting { noteResting() }
    machine.decide(verdict, into: &packet)
    flush()
  }

  /// Call after each frame if the desktop sees resting contacts as palms, and when that changes.
  func noteResting() {
    let resting = grabs.hidesResting ? grabs.session.restingSlots(of: identifier) : 0
    machine.rest(resting, into: &packet)
    flush()
  }

  override func advance(to time: EventTime) {
    machine.advance(to: time, into: &packet)
    super.advance(to: time)
  }

  override func letGo() { machine.letGo(into: &packet) }

  // MARK: Events

  /// Takes the pad's events up to the end of a frame, before the session gets them. Returns what to
  /// ``perform(_:)`` once the session has them: that may deliver later frames.
  func take(_ events: [EvdevEvent]) -> GrabMachine.Action? {
    var action: GrabMachine.Action?
    for event in events {
      if event.type == .synchronization, event.code == SynchronizationCode.dropped {
        // what has arrived of the frame is passed on
        if let keys = Set<Key>(down: reader.descriptor) { lost(keys, at: event.time) }
        pass()
        machine.lost(into: &packet)
      }
      if let next = grab.process(event, into: &passed) { action = next }
    }
    flush()
    return action
  }

  private func pass() {
    machine.process(passed, into: &packet)
    passed.removeAll(keepingCapacity: true)
  }

  override func flush() {
    pass()
    guard !packet.isEmpty else { return }
    do throws(SystemError) {
      defer { packet.removeAll(keepingCapacity: true) }
      try twin.write(packet)
    } catch {
      grabs.broke(self, error)
    }
  }

  // MARK: Handing over

  override func perform(_ action: GrabMachine.Action?) {
    // a twin that has failed is given back already
    if pad.twin === self { super.perform(action) }
  }

  override func takeOver() {
    guard mayTake() else { return }
    // before the grab: from then on, only the twin can report what lands
    guard let description = EvdevDescription(of: probe), !description.hasContact else {
      // a palm that the pad does not count as a finger
      return grab.refused(until: InputLoop.now + .milliseconds(500))
    }
    // The desktop misses changes of the slot, and gets none if the next contact uses the current
    // one. Pads use the first free slot, so that is the first: it must be the desktop's, too.
    // Firmware that numbers contacts itself may never use the first slot, so the wait has an end.
    if description.slot != 0, postponements < 20 {
      postponements += 1
      return grab.postpone()
    }
    // A slot that was a palm before the grab would be one to the desktop after it. If it is not
    // used again, it stays a palm, so this wait has an end, too.
    if description.hasPalmTool, palmPostponements < 5 {
      palmPostponements += 1
      return grab.postpone()
    }
    takeNow { time in
      // from then on the pad reports only what changes
      machine.process(description.state(at: time), into: &packet)
      flush()
    }
  }
}
