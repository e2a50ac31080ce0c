import CLinux
import Glibc
import GlissEvents
import GlissSession

/// A keyboard that hotkeys keep keys of: read by a descriptor of its own, in libinput's place, and grabbed while it can be.
final class KeyboardQueue: InputQueue {
  let path: String
  let identifier: DeviceID
  let reader: EvdevReader
  private var machine = GrabMachine()
  private var twin: Twin
  /// When desktops read the twin.
  private let ready = EventLoop.now + Twin.settling
  /// Never read: the kernel forgets for a reader what it is asked about.
  private let probe: Int32
  private var packet: [EvdevEvent] = []
  private unowned let grabs: Grabs

  /// - Parameter descriptor: open on the keyboard; it is closed with this.
  /// - Throws: where it is no keyboard any more, or can have no twin.
  init(
    _ descriptor: Int32, at path: String, as identifier: DeviceID, of grabs: Grabs
  ) throws(DeviceError) {
    reader = try EvdevReader(descriptor: descriptor, isOwned: true)
    twin = try Twin(of: reader)
    probe = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    self.path = path
    self.identifier = identifier
    self.grabs = grabs
    packet.reserveCapacity(64)
    // without it nobody knows what is down when it is grabbed
    guard probe >= 0 else { throw DeviceError(path, failed: errno) }
  }

  deinit { if probe >= 0 { Glibc.close(probe) } }

  /// Nothing is left to be given back or passed on.
  var isFree: Bool { machine.isFree }
  var isGrabbed: Bool { machine.isGrabbed }
  var twinDescriptor: Int32 { twin.descriptor }
  var deadline: EventTime? { machine.deadline }

  func isKept(_ key: Key) -> Bool { machine.kept.contains(key) }

  /// Whether the desktop has a modifier of it for down.
  var holdsModifier: Bool {
    Key.modifierKeys.contains { machine.passed.contains($0) }
  }

  // MARK: Wishes

  func want() { machine.want(from: ready) }

  func unwant(at time: EventTime, _ session: Session) { perform(machine.unwant(at: time), session) }

  func advance(to time: EventTime, _ session: Session) {
    let action = machine.advance(to: time, into: &packet)
    flush()
    perform(action, session)
  }

  /// Gives it back now, whatever is down.
  func leave(_ session: Session) {
    let action = machine.leave(into: &packet)
    flush()
    guard action != nil else { return }
    giveBack()
  }

  func showLights() { twin.showLights() }

  func press(_ strokes: [KeyStroke]) {
    machine.press(strokes, at: .zero, into: &packet)
    flush()
  }

  /// The keyboard and its twin are done with.
  func close() {
    grabs.watchdog?.forget(reader.descriptor)
    twin.close()
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
      let action = take(event, session)
      guard event.isReport else { continue }
      flush()
      perform(action, session)
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
      if machine.isGrabbed { grabs.note(key, isDown: event.value == 1) }
    case .relative: session.tell(event, of: identifier)
    case .synchronization where event.code == SynchronizationCode.dropped:
      session.process(event, from: identifier)
      if let keys = keysDown(reader.descriptor) {
        machine.lost(keys, at: event.time, into: &packet)
      }
    case _: session.process(event, from: identifier)
    }
    return machine.process(
      event, keeps: keeps, masks: keeps && !session.modifiers.isEmpty, into: &packet)
  }

  private func flush() {
    if packet.isEmpty { return }
    twin.write(packet)
    packet.removeAll(keepingCapacity: true)
  }

  // MARK: Handing over

  private func perform(_ action: GrabMachine.Action?, _ session: Session) {
    switch action {
    case nil: break
    case .grab: grab()
    case .giveBack:
      giveBack()
      clear(session)
    }
  }

  private func grab() {
    // behind what waits it is asked for again
    guard !reader.hasEvents else { return }
    guard let keys = keysDown(probe) else { return refused(errno) }
    if !keys.isEmpty { return machine.lost(keys, at: EventLoop.now, into: &packet) }
    guard gliss_evdev_grab(reader.descriptor, 1) == 0 else {
      return refused(errno)
    }
    let now = EventLoop.now
    // the kernel answers once it has told what it was in the middle of
    _ = keysDown(probe)
    _ = reader.read()
    if reader.hasEvent(upTo: now) {
      // of that nobody knows who has seen it: once more, when all of it is known to have been seen by everybody
      _ = gliss_evdev_grab(reader.descriptor, 0)
      return machine.refused(until: EventLoop.now + .milliseconds(20))
    }
    machine.took(at: now)
    grabs.grabbed(self)
  }

  private func refused(_ code: Int32) {
    machine.refused(until: EventLoop.now + .milliseconds(5000))
    grabs.refused(self, code)
  }

  private func giveBack() {
    grabs.watchdog?.forget(reader.descriptor)
    let now = EventLoop.now
    _ = gliss_evdev_grab(reader.descriptor, 0)
    machine.gaveBack(at: now)
    grabs.gaveBack(self)
  }

  /// What came before it was given back still goes to the twin.
  private func clear(_ session: Session) {
    while read() == .events {
      while reader.hasEvents { _ = deliver(into: session) }
    }
    machine.cleared(into: &packet)
    flush()
  }

  private func keysDown(_ descriptor: Int32) -> KeySet? {
    var bytes = [UInt8](repeating: 0, count: KeySet.capacity / 8)
    guard gliss_evdev_keys(descriptor, &bytes, Int32(bytes.count)) >= 0 else { return nil }
    return KeySet(bytes: bytes)
  }
}

extension Key {
  fileprivate static let modifierKeys: [Key] = [
    .leftShift, .rightShift, .leftControl, .rightControl, .leftAlt, .rightAlt, .leftSuper,
    .rightSuper,
  ]
}

extension Session {
  /// Motion and wheels of a keyboard that has them; without the acceleration that libinput would give to motion.
  fileprivate func tell(_ event: EvdevEvent, of device: DeviceID) {
    let value = Double(event.value)
    switch event.code {
    case 0: process(MotionEvent(time: event.time, device: device, delta: Vector2(x: value, y: 0)))
    case 1: process(MotionEvent(time: event.time, device: device, delta: Vector2(x: 0, y: value)))
    case 6: turn(Vector2(x: 15 * value, y: 0), event.time, device)
    case 8: turn(Vector2(x: 0, y: -15 * value), event.time, device)
    case _: break
    }
  }

  private func turn(_ delta: Vector2, _ time: EventTime, _ device: DeviceID) {
    process(ScrollEvent(time: time, device: device, source: .wheel, delta: delta))
  }
}
