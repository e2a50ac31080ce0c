import CLibevdev
import CLinux
import Foundation
import GlissDevices
import GlissEvents
import GlissSession
import TestSupport
import Testing

/// A keyboard whose hotkeys are consumed, and a desktop that reads it and its twin: all on one thread, so that nothing is
/// read while a step is under way.
final class Grabbed {
  static let description = Device(
    name: "Grabbed Keyboard", identifier: Device.Identifier(bus: 0x11, vendor: 1, product: 3),
    keys: Set((1...240).map { Key(rawValue: $0) }))

  static let mouse = Device(
    name: "Grabbed Keyboard", identifier: Device.Identifier(bus: 0x11, vendor: 1, product: 4),
    keys: Set((0x110...0x117).map { Key(rawValue: $0) }), relativeAxes: [0, 1, 6, 8, 11, 12])

  let session = Session()
  let devices: LiveDevices
  let keyboard: VirtualDevice
  let ledger = Ledger()
  private(set) var news: [GrabChange] = []
  private(set) var hotkeys: [String] = []
  /// What the desktop has read: of the keyboard while it is not grabbed, and of its twin.
  private(set) var seen: [EvdevEvent] = []
  private let direct: KernelEvents
  private var twin: KernelEvents?
  private var onTwin: Set<Key> = []
  private var steps: [() throws -> Bool] = []
  private var failure: (any Error)?

  init(_ hotkey: String? = "super+t", of description: Device = description) throws {
    let isMouse = !description.relativeAxes.isEmpty
    keyboard = try VirtualDevice.settled(path: \.path) {
      try VirtualDevice(
        description, others: isMouse ? [:] : [.miscellaneous: [4], .light: [0, 1, 2]])
    }
    direct = try KernelEvents(keyboard.path)
    devices = try LiveDevices(.paths([keyboard.path]))
    ledger.follow(session)
    devices.didChangeGrab = { [unowned self] in news.append($0) }
    if let hotkey {
      try session.registerHotkey(hotkey, consuming: true) { [unowned self] event in
        if event.shouldAct { hotkeys.append(hotkey) }
      }
    }
  }

  var isGrabbed: Bool { if case .grabbed? = news.last { true } else { false } }

  /// The keys that the desktop has seen since this was asked last, without the mask.
  func desktop() -> [String] {
    defer { seen.removeAll() }
    return seen.compactMap(\.keyText).filter { !$0.hasSuffix("KEY_UNKNOWN") }
  }

  /// What the desktop reads in the keyboard's place.
  func findTwin() throws -> String? {
    try DeviceFinder().devices().last { $0.isOwn && $0.name == "Grabbed Keyboard (Gliss)" }?.path
  }

  private func look() throws {
    seen += try direct.read() ?? []
    if twin == nil, let path = try findTwin() { twin = try KernelEvents(path) }
    guard let twin else { return }
    if let events = try twin.read() {
      for event in events where event.type == .key {
        let key = Key(rawValue: event.code)
        if event.value == 0 { onTwin.remove(key) } else { onTwin.insert(key) }
      }
      seen += events
    } else {
      // it was unplugged: a desktop lets go of what was down on it
      seen += onTwin.sorted().map { .key($0, 0, at: .zero) }
      onTwin.removeAll()
      self.twin = nil
    }
  }

  // MARK: Steps

  /// Done once, and then the next.
  func step(_ body: @escaping () throws -> Void) {
    steps.append {
      try body()
      return true
    }
  }

  /// Done over and over until it says that it is done.
  func steps(_ body: @escaping () throws -> Bool) { steps.append(body) }

  func waitUntilGrabbed() { steps { [unowned self] in isGrabbed } }

  func pause(milliseconds: Double) {
    var end: EventTime?
    steps {
      end = end ?? InputLoop.now + .milliseconds(milliseconds)
      return InputLoop.now >= end ?? .zero
    }
  }

  /// One packet with a scan code, as keyboards write them.
  func write(_ key: Key, _ value: Int32) throws {
    try keyboard.write([
      EvdevEvent(time: .zero, type: .miscellaneous, code: 4, value: Int32(key.rawValue)),
      .key(key, value, at: .zero), .report(at: .zero),
    ])
  }

  /// One packet of relative axes and buttons.
  func write(_ events: [(type: EvdevType, code: UInt16, value: Int32)]) throws {
    try keyboard.write(
      events.map { EvdevEvent(time: .zero, type: $0.type, code: $0.code, value: $0.value) }
        + [.report(at: .zero)])
  }

  func press(_ keys: Key...) throws { for key in keys { try write(key, 1) } }
  func release(_ keys: Key...) throws { for key in keys { try write(key, 0) } }

  /// Reads, and does steps in between; ends after the last one, or with the devices.
  func run(forAtMost seconds: Double = 600) throws {
    let end = InputLoop.now + .milliseconds(seconds * 1000)
    devices.alarm = InputLoop.now
    devices.didRing = { [unowned self] in
      do {
        try look()
        guard !steps.isEmpty else { return devices.stop() }
        if InputLoop.now > end { throw Impatience("steps are left: \(news)") }
        if try steps[0]() { steps.removeFirst() }
      } catch {
        failure = error
        return devices.stop()
      }
      devices.alarm = InputLoop.now + EventInterval(microseconds: 200)
    }
    try devices.run(into: session)
    try look()
    ledger.close()
    if let failure { throw failure }
  }

  /// Whether the keyboard shows that light.
  func shows(light: UInt32) throws -> Bool {
    let descriptor = open(keyboard.path, O_RDONLY | O_NONBLOCK)
    defer { close(descriptor) }
    var handle: OpaquePointer?
    guard libevdev_new_from_fd(descriptor, &handle) == 0 else { throw Impatience("no lights") }
    defer { libevdev_free(handle) }
    return libevdev_get_event_value(handle, UInt32(EV_LED), light) != 0
  }
}
