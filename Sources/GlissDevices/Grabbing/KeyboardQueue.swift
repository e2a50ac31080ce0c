import CLinux
import Glibc
import GlissEvents
import GlissSession

/// A keyboard whose keys hotkeys consume. It is read through its own descriptor instead of by
/// libinput, and grabbed when possible.
final class KeyboardQueue: InputQueue {
  let path: String
  let identifier: DeviceID
  let reader: EvdevReader
  private var machine = GrabMachine()
  private var twin: Twin
  /// When desktops will be reading the twin.
  private let ready = EventLoop.now + Twin.settling
  /// Never read: querying the key state removes key events from the asking reader's queue.
  private let probe: Int32
  private var packet: [EvdevEvent] = []
  private unowned let grabs: Grabs

  /// - Parameter descriptor: Open on the keyboard; closed with this object.
  /// - Throws: If it is no longer a keyboard, or a twin cannot be created.
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
    // without it the keys that are down at the grab would be unknown
    guard probe >= 0 else { throw DeviceError(path, failed: errno) }
  }

  deinit { if probe >= 0 { Glibc.close(probe) } }

  /// Whether nothing is left to give back or pass on.
  var isFree: Bool { machine.isFree }
  var isGrabbed: Bool { machine.isGrabbed }
  var twinDescriptor: Int32 { twin.descriptor }
  var deadline: EventTime? { machine.deadline }

  func isKept(_ key: Key) -> Bool { machine.kept.contains(key) }

  /// Whether one of its modifiers is down for the desktop.
  var holdsModifier: Bool {
    Key.modifierKeys.contains { machine.passed.contains($0) }
  }

  // MARK: Requests

  func want() { machine.want(from: ready) }

  func unwant(at time: EventTime, _ session: Session) { perform(machine.unwant(at: time), session) }

  func advance(to time: EventTime, _ session: Session) {
    let action = machine.advance(to: time, into: &packet)
    flush()
    perform(action, session)
  }

  /// Gives it back now, even while keys are down.
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

  /// Call when neither the keyboard nor its twin is needed any more.
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
    // the grab is requested again after the waiting events
    guard !reader.hasEvents else { return }
    guard let keys = keysDown(probe) else { return refused(errno) }
    if !keys.isEmpty { return machine.lost(keys, at: EventLoop.now, into: &packet) }
    guard gliss_evdev_grab(reader.descriptor, 1) == 0 else {
      return refused(errno)
    }
    let now = EventLoop.now
    // the kernel replies only after it has delivered the events in progress
    _ = keysDown(probe)
    _ = reader.read()
    if reader.hasEvent(upTo: now) {
      // the desktop may or may not have seen these events; try again once everybody has
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

  /// Passes events from before the release on to the twin.
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
  /// Emits motion and wheel events of keyboards that have them, without libinput's pointer
  /// acceleration.
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
