import CLibevdev
import CLinux
import Glibc
import GlissEvents
import GlissSession

/// A keyboard or mouse with keys, buttons or wheels that hotkeys consume. It is read through its
/// own descriptor instead of by libinput, and grabbed when possible.
///
/// Its twin has the same name with a suffix, the same identifiers, keys, wheels and lights. It does
/// not repeat keys itself; the keyboard's repeats are passed on. What the desktop writes to it,
/// such as light states, is written to the keyboard.
final class KeyboardQueue: GrabbedDevice, InputQueue {
  /// The descriptor to write the keyboard's lights to; -1 if it is not writable.
  private let lights: Int32
  /// The mouse's dots per inch. udev does not know the twin's, so desktops assume 1000.
  private let dots: Double
  private static let (dotsProperty, usualDots) = ("MOUSE_DPI", 1000.0)
  /// The fraction of a dot left over, by axis.
  private var rest = [0.0, 0.0]
  /// The turns of its wheels in the current packet.
  private var turn = WheelTurn()

  /// - Parameter descriptor: Open on the keyboard; closed with this object.
  init(
    _ descriptor: Int32, at path: String, as identifier: DeviceID, of grabs: Grabs
  ) throws(SystemError) {
    let reader = try EvdevReader(descriptor: descriptor, isOwned: true)
    let flags = fcntl(descriptor, F_GETFL)
    lights = flags >= 0 && flags & O_ACCMODE == O_RDWR ? descriptor : -1
    let known = DeviceFinder.properties([Self.dotsProperty], of: descriptor)[Self.dotsProperty]
    dots = known.flatMap(DeviceFinder.dotsPerInch) ?? Self.usualDots
    var description = reader.device
    description.name += " (Gliss)"
    description.keys.insert(GrabMachine.mask)
    try super.init(
      reader, as: identifier, at: path, twin: description, "twin", of: grabs, grabs.news)
  }

  override var queue: any InputQueue { self }

  /// Whether one of its modifiers is down for the desktop.
  var holdsModifier: Bool { grab.passed.contains { !Modifiers($0).isEmpty } }

  // MARK: Requests

  /// Writes to the keyboard what the desktop has written to the twin.
  func showLights() {
    withUnsafeTemporaryAllocation(of: input_event.self, capacity: 16) { room in
      let size = MemoryLayout<input_event>.stride
      let bytes = Glibc.read(twin.descriptor, room.baseAddress, room.count * size)
      guard bytes > 0, lights >= 0 else { return }
      for event in room.prefix(bytes / size) {
        let type = EvdevType(rawValue: event.type)
        guard type == .light || type == .sound else { continue }
        var events = [
          input_event(EvdevEvent(time: .zero, type: type, code: event.code, value: event.value)),
          input_event(.report(at: .zero)),
        ]
        _ = Glibc.write(lights, &events, 2 * size)
      }
    }
  }

  func press(_ strokes: [KeyStroke]) {
    grab.press(strokes, at: .zero, into: &passed)
    flush()
  }

  override func close() {
    // a touchpad's descriptor may be watched for its next twin by now
    grabs.watchdog?.forget(reader.descriptor)
    super.close()
  }

  // MARK: Events

  func read() -> EvdevReader.Reading {
    grabs.noteProgress()
    return reader.read()
  }

  var nextTime: EventTime? { reader.nextTime }

  func deliver(into session: Session) -> EventTime? {
    var time: EventTime?
    while let event = reader.next() {
      time = event.time
      if event.isReport { turnWheel(at: event.time, session) }
      let action = take(event, session)
      guard event.isReport else { continue }
      flush()
      perform(action)
      break
    }
    return time
  }

  private func take(_ event: EvdevEvent, _ session: Session) -> GrabMachine.Action? {
    var keeps = false
    switch event.type {
    case .key where event.value == 2: break
    case .key:
      session.keepsKey = false
      session.process(event, from: identifier)
      let key = Key(rawValue: event.code)
      keeps = event.value == 1 && (session.keepsKey || grabs.isKept(key))
      grabs.note(key, isDown: event.value == 1)
    case .relative where turn.take(event): return nil
    case .relative where event.code <= UInt16(REL_Y):
      // without libinput's pointer acceleration
      let value = Double(event.value)
      let delta = event.code == 0 ? Vector2(x: value, y: 0) : Vector2(x: 0, y: value)
      session.process(MotionEvent(time: event.time, device: identifier, delta: delta))
    case .relative: break
    case .synchronization where event.code == SynchronizationCode.dropped:
      session.process(event, from: identifier)
      if let keys = Set<Key>(down: reader.descriptor) { lost(keys, at: event.time) }
    case _: session.process(event, from: identifier)
    }
    return grab.process(
      event, keeps: keeps, masks: keeps && !session.modifiers.isEmpty, into: &passed)
  }

  /// Passes the wheel's turn on, unless it belongs to a hotkey that consumes it.
  private func turnWheel(at time: EventTime, _ session: Session) {
    guard !turn.isEmpty else { return }
    session.keepsKey = false
    for delta in turn.deltas {
      session.process(ScrollEvent(time: time, device: identifier, source: .wheel, delta: delta))
    }
    let keeps = session.keepsKey
    for event in turn.events {
      _ = grab.process(
        event, keeps: keeps, masks: keeps && !session.modifiers.isEmpty, into: &passed)
    }
    turn.clear()
  }

  override func flush() {
    for index in passed.indices where dots != Self.usualDots && passed[index].type == .relative {
      let axis = Int(passed[index].code)
      guard axis < 2 else { continue }
      let wanted = Double(passed[index].value) * Self.usualDots / dots + rest[axis]
      passed[index].value = Int32(clamping: Int64(wanted.rounded()))
      rest[axis] = wanted - Double(passed[index].value)
    }
    super.flush()
  }
}

/// A device that is grabbed when possible, and that the desktop then reads through its twin.
class GrabbedDevice {
  let path: String
  let identifier: DeviceID
  let reader: EvdevReader
  let twin: VirtualDevice
  unowned let grabs: Grabs
  private let news: GrabNews
  /// A second descriptor, for questions only: querying the key state removes key events from the
  /// asking reader's queue.
  let probe: Int32
  /// When desktops will be reading the twin.
  private let ready = InputLoop.now + Grabs.settling
  @exclusivity(unchecked) final var grab = GrabMachine()
  /// What ``grab`` has passed on since the last ``flush()``.
  @exclusivity(unchecked) final var passed: [EvdevEvent] = []

  /// - Throws: If the device has switches, or a twin cannot be created.
  init(
    _ reader: EvdevReader, as identifier: DeviceID, at path: String, twin description: Device,
    _ purpose: String, of grabs: Grabs, _ news: GrabNews
  ) throws(SystemError) {
    var others = reader.otherCodes
    guard others[.switch] == nil else {
      throw SystemError(path, "it has switches, which cannot be passed on")
    }
    others[.repetition] = nil
    twin = try VirtualDevice(description, others: others, place: purpose)
    probe = open("/proc/self/fd/\(reader.descriptor)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    // the keys that are down at a grab would be unknown
    guard probe >= 0 else { throw SystemError(path, failed: errno) }
    self.reader = reader
    self.identifier = identifier
    self.path = path
    self.grabs = grabs
    self.news = news
    passed.reserveCapacity(64)
  }

  deinit { Glibc.close(probe) }

  /// Delivers what ``reader`` has read.
  var queue: any InputQueue { preconditionFailure("each kind of device has a queue") }

  /// Whether nothing is left to give back or pass on.
  var isFree: Bool { grab.isFree }

  /// When ``advance(to:)`` must be called if nothing happens first.
  var deadline: EventTime? { grab.deadline }

  func want() { grab.want(from: ready) }

  func unwant(at time: EventTime) { perform(grab.unwant(at: time)) }

  func advance(to time: EventTime) {
    var action: GrabMachine.Action?
    if let due = grab.deadline, due <= time {
      action = grab.advance(to: time, into: &passed)
      if action == .giveBack { letGo() }
    }
    flush()
    perform(action)
  }

  /// Gives it back now, even while keys or fingers are down.
  func leave() {
    letGo()
    let action = grab.leave(into: &passed)
    flush()
    if action != nil { giveBack() }
  }

  /// Call when neither the device nor its twin is needed any more.
  func close() { twin.close() }

  /// Ends what a touchpad's twin holds back.
  func letGo() {}

  /// Writes to the twin what was passed on.
  func flush() {
    guard !passed.isEmpty else { return }
    // a twin that the watchdog has unplugged accepts no more events
    try? twin.write(passed)
    passed.removeAll(keepingCapacity: true)
  }

  func perform(_ action: GrabMachine.Action?) {
    switch action {
    case nil: break
    case .grab: takeOver()
    case .giveBack: giveBackAll()
    }
  }

  func takeOver() { if mayTake() { takeNow() } }

  /// - Parameter keys: Those that are down now.
  func lost(_ keys: Set<Key>, at time: EventTime) { grab.lost(keys, at: time, into: &passed) }

  /// Whether it may be grabbed now: no event waits, and by the kernel no key is down.
  /// ``takeNow(_:)`` requires it.
  func mayTake() -> Bool {
    // GrabMachine asks for the grab again once the waiting events are processed
    guard !reader.hasEvents else { return false }
    guard let keys = Set<Key>(down: probe) else {
      refused(errno)
      return false
    }
    if !keys.isEmpty { lost(keys, at: InputLoop.now) }
    return keys.isEmpty
  }

  /// Tries to grab it.
  ///
  /// - Parameter tookOver: Called before others learn of the grab, with its time: nobody else has
  ///   read later events.
  func takeNow(_ tookOver: (EventTime) -> Void = { _ in }) {
    // for events that the attempt reads, the descriptor no longer wakes the loop
    defer { if reader.hasEvents { grabs.devices.ready.add(queue) } }
    guard gliss_evdev_grab(reader.descriptor, 1) == 0 else { return refused(errno) }
    let now = InputLoop.now
    // the kernel replies only after it has delivered the events in progress
    _ = Set<Key>(down: probe)
    _ = reader.read()
    guard !reader.hasEvent(upTo: now) else {
      // Others may or may not have read these. Try again once everybody has.
      _ = gliss_evdev_grab(reader.descriptor, 0)
      return grab.refused(until: InputLoop.now + .milliseconds(20))
    }
    grab.took(at: now)
    // first, because it may be given back at once
    grabs.watchdog?.watch(reader.descriptor, twin: twin.descriptor)
    tookOver(now)
    // its twin may have failed meanwhile, which gave it back
    guard grab.isGrabbed else { return }
    news.report(.grabbed(path: path, name: reader.device.name))
  }

  private func refused(_ code: Int32) {
    grab.refused(until: InputLoop.now + .milliseconds(5000))
    news.refused(path, reader.device.name, code)
  }

  private func giveBack() {
    grabs.watchdog?.forget(reader.descriptor)
    let now = InputLoop.now
    _ = gliss_evdev_grab(reader.descriptor, 0)
    grab.gaveBack(at: now)
    news.report(.givenBack(path: path))
  }

  /// Gives it back, and passes events from before the release on to the twin.
  private func giveBackAll() {
    giveBack()
    while queue.read() == .events {
      while reader.hasEvents { _ = queue.deliver(into: grabs.session) }
    }
    letGo()
    grab.cleared(into: &passed)
    flush()
  }
}

extension Set<Key> {
  /// The keys that are down. Asking removes waiting key events from the descriptor's own queue.
  /// Returns `nil`, with `errno` set, if the device does not answer.
  init?(down descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 96)
    guard gliss_evdev_keys(descriptor, &bytes, Int32(bytes.count)) >= 0 else { return nil }
    self.init(bits: bytes)
  }

  /// The kernel's format: the lowest bit of the first byte is key 0.
  init(bits bytes: [UInt8]) {
    let numbers = (0..<bytes.count * 8).filter { bytes[$0 / 8] >> UInt8($0 % 8) & 1 != 0 }
    self.init(numbers.map { Key(rawValue: UInt16($0)) })
  }
}
