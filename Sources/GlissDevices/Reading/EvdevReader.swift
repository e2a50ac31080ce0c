import CLibevdev
import CLinux
import Glibc
package import GlissEvents

/// Reads the raw events of one node, with timestamps from CLOCK_MONOTONIC.
///
/// It reads all waiting events at once and does not try again for more, since the next wait shows
/// whether there are any. That is one system call per packet; libevdev's own reading needs two.
/// libevdev describes the device and, after a loss, reports the current contacts.
package final class EvdevReader {
  package enum Reading: Hashable, Sendable {
    /// There are events; ``next`` returns the first.
    case events
    /// There are no events now.
    case nothing
    /// The read failed with this error number; 0 if the device is gone, or access was revoked
    /// (`EVIOCREVOKE`).
    case lost(Int32)
  }

  package let device: Device
  /// The codes it supports besides keys and axes, such as switches, by type.
  package let otherCodes: [EvdevType: [UInt16]]
  package let descriptor: Int32

  /// The most events per read. The kernel queues only a few packets; the rest is read next.
  private static let capacity = 64

  /// How often the kernel dropped events because they were not read in time.
  package private(set) var lossCount = 0

  private let ownsDescriptor: Bool
  private let buffer: UnsafeMutablePointer<input_event>
  private var position = 0
  private var count = 0
  /// Events that restore the state at the start and after a loss, before those in the buffer.
  private var repaired: ArraySlice<EvdevEvent> = []

  /// - Parameters:
  ///   - descriptor: Open for reading on an event node. It becomes non-blocking.
  ///   - isOwned: Close it with the reader, and also if this initializer throws.
  /// - Throws: If it is not an input device, or access was revoked.
  package init(descriptor: Int32, isOwned: Bool) throws(SystemError) {
    let place = "descriptor \(descriptor)"
    func failure(_ code: Int32) -> SystemError {
      if isOwned { close(descriptor) }
      return SystemError(place, failed: code)
    }
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) >= 0 else {
      throw failure(errno)
    }
    guard let description = EvdevDescription(of: descriptor) else { throw failure(errno) }
    guard gliss_evdev_clock(descriptor, CLOCK_MONOTONIC) == 0 else { throw failure(errno) }
    self.descriptor = descriptor
    ownsDescriptor = isOwned
    device = description.device
    otherCodes = description.otherCodes
    buffer = .allocate(capacity: Self.capacity)
    // fingers that already touch the device have no other beginning
    repaired = description.contacts(at: InputLoop.now)[...]
  }

  deinit {
    buffer.deallocate()
    if ownsDescriptor { close(descriptor) }
  }

  /// Whether ``next`` can return an event without a read.
  package var hasEvents: Bool { !repaired.isEmpty || position < count }

  var nextTime: EventTime? {
    if let first = repaired.first { return first.time }
    return position < count ? Self.time(of: buffer[position]) : nil
  }

  /// Whether an event that is read but not delivered is from `time` or earlier.
  func hasEvent(upTo time: EventTime) -> Bool {
    !repaired.isEmpty || (position..<count).contains { Self.time(of: buffer[$0]) <= time }
  }

  /// Reads the waiting events, unless earlier ones are left.
  package func read() -> Reading {
    if hasEvents { return .events }
    let size = MemoryLayout<input_event>.stride
    let bytes = Glibc.read(descriptor, buffer, Self.capacity * size)
    guard bytes >= 0 else {
      switch errno {
      case EAGAIN, EINTR: return .nothing
      case ENODEV: return .lost(0)
      case let code: return .lost(code)
      }
    }
    position = 0
    count = bytes / size
    return count > 0 ? .events : .lost(0)
  }

  /// Returns the next event that was read; `nil` if another ``read()`` is needed.
  ///
  /// SYN_DROPPED is followed by an empty packet and a packet with all current contacts.
  package func next() -> EvdevEvent? {
    if !repaired.isEmpty { return repaired.removeFirst() }
    guard position < count else { return nil }
    let event = Self.event(buffer[position])
    position += 1
    if event.type == .synchronization, event.code == SynchronizationCode.dropped {
      repair(at: event.time)
    }
    return event
  }

  /// Discards the queue and asks for the current state, which is newer than the queued events.
  private func repair(at time: EventTime) {
    lossCount += 1
    let size = MemoryLayout<input_event>.stride
    // a device may keep adding events, so it stops after as many reads as the largest kernel queue
    // needs
    for _ in 0..<Self.capacity {
      if Glibc.read(descriptor, buffer, Self.capacity * size) <= 0 { break }
    }
    position = 0
    count = 0
    // end the lost packet, then add the current state if the device is still there
    repaired = [.report(at: time)]
    if let description = EvdevDescription(of: descriptor) {
      repaired += description.contacts(at: InputLoop.now)
    }
  }

  private static func time(of event: input_event) -> EventTime {
    EventTime(
      microseconds: Int64(event.time.tv_sec) &* 1_000_000 &+ Int64(event.time.tv_usec))
  }

  private static func event(_ event: input_event) -> EvdevEvent {
    EvdevEvent(
      time: time(of: event), type: EvdevType(rawValue: event.type), code: event.code,
      value: event.value)
  }
}

/// libevdev's view of an open node: the device's description, and its contacts and keys.
struct EvdevDescription: ~Copyable {
  private let handle: OpaquePointer

  /// - Returns: `nil`, with `errno` set, if the descriptor is not an input device.
  init?(of descriptor: Int32) {
    guard let handle = libevdev_new() else { return nil }
    // device quirks are handled here, and a library must not print
    libevdev_set_device_log_function(handle, { _, _, _, _, _, _, _, _ in }, LIBEVDEV_LOG_ERROR, nil)
    let code = libevdev_set_fd(handle, descriptor)
    guard code == 0 else {
      libevdev_free(handle)
      errno = -code
      return nil
    }
    self.handle = handle
  }

  deinit { libevdev_free(handle) }

  var device: Device {
    Device(
      name: libevdev_get_name(handle).map { String(cString: $0) } ?? "",
      identifier: Device.Identifier(
        bus: word(libevdev_get_id_bustype(handle)), vendor: word(libevdev_get_id_vendor(handle)),
        product: word(libevdev_get_id_product(handle)),
        version: word(libevdev_get_id_version(handle))),
      axes: axes, keys: Set(codes(.key, below: UInt32(KEY_CNT)).map { Key(rawValue: $0) }),
      relativeAxes: Set(codes(.relative, below: UInt32(REL_CNT))), properties: properties)
  }

  /// The codes it supports besides keys and axes, by type. Types without codes are left out.
  var otherCodes: [EvdevType: [UInt16]] {
    var others: [EvdevType: [UInt16]] = [:]
    for type in [EV_MSC, EV_SW, EV_LED, EV_SND, EV_REP] {
      let type = EvdevType(rawValue: UInt16(type))
      let codes = codes(type, below: 64)
      if !codes.isEmpty { others[type] = codes }
    }
    return others
  }

  private func word(_ value: Int32) -> UInt16 { UInt16(truncatingIfNeeded: value) }

  private func codes(_ type: EvdevType, below end: UInt32) -> [UInt16] {
    (0..<end).filter { libevdev_has_event_code(handle, UInt32(type.rawValue), $0) != 0 }
      .map { UInt16($0) }
  }

  private var axes: [AbsoluteAxis: AxisRange] {
    var axes: [AbsoluteAxis: AxisRange] = [:]
    for code in codes(.absolute, below: UInt32(ABS_CNT)) {
      guard let range = libevdev_get_abs_info(handle, UInt32(code))?.pointee else { continue }
      axes[AbsoluteAxis(rawValue: code)] = AxisRange(
        minimum: range.minimum, maximum: range.maximum, fuzz: range.fuzz, flat: range.flat,
        resolution: range.resolution)
    }
    return axes
  }

  private var properties: Set<DeviceProperty> {
    Set(
      (0..<UInt32(INPUT_PROP_CNT)).filter { libevdev_has_property(handle, $0) != 0 }
        .map { DeviceProperty(rawValue: UInt16($0)) })
  }

  /// The packet that brings a new reader up to the device's current state; empty if the device has
  /// no positions.
  ///
  /// The kernel only reports changes. If a finger lands where another left, in the slot that was
  /// current, the only event is a tracking id. So the packet includes the last positions of empty
  /// slots, and the current slot.
  ///
  /// Keys and buttons that are down are not included: a reader that got their release must
  /// not see a press that no finger made. Those that report the number of fingers (`BTN_TOOL_*`,
  /// `BTN_TOUCH`) are included.
  func contacts(at time: EventTime) -> [EvdevEvent] {
    var events = slots.flatMap { contact(in: $0, at: time) }
    if !events.isEmpty {
      events.append(.absolute(.slot, libevdev_get_current_slot(handle), at: time))
    } else {
      events += [AbsoluteAxis.x, .y, .pressure, .toolWidth].compactMap { axis in
        value(of: axis).map { .absolute(axis, $0, at: time) }
      }
    }
    guard !events.isEmpty else { return [] }
    // those that are up, too: without slots, a position alone is taken for a touch
    events += codes(.key, below: UInt32(KEY_CNT)).map { Key(rawValue: $0) }
      .filter(\.isContact).map { .key($0, isDown($0) ? 1 : 0, at: time) }
    return events + [.report(at: time)]
  }

  private func contact(in slot: UInt32, at time: EventTime) -> [EvdevEvent] {
    var events: [EvdevEvent] = [
      .absolute(.slot, Int32(slot), at: time),
      .absolute(.trackingID, max(-1, value(of: .trackingID, in: slot)), at: time),
    ]
    for axis in [
      AbsoluteAxis.positionX, .positionY, .touchMajor, .touchMinor, .orientation, .touchPressure,
      .toolType,
    ] where has(axis) { events.append(.absolute(axis, value(of: axis, in: slot), at: time)) }
    return events
  }

  /// As ``contacts(at:)``, but for a twin, which knows nothing yet: the axes that do not belong to
  /// slots are included.
  func state(at time: EventTime) -> [EvdevEvent] {
    let axes = codes(.absolute, below: UInt32(ABS_MT_SLOT)).map { AbsoluteAxis(rawValue: $0) }
    return axes.compactMap { axis in value(of: axis).map { .absolute(axis, $0, at: time) } }
      + contacts(at: time)
  }

  /// The slot that the next events are about.
  var slot: Int { Int(libevdev_get_current_slot(handle)) }

  var hasContact: Bool { slots.contains { value(of: .trackingID, in: $0) >= 0 } }

  /// Whether the last contact of a slot was a palm: a slot keeps its tool.
  var hasPalmTool: Bool {
    guard has(.toolType) else { return false }
    return slots.contains { value(of: .toolType, in: $0) == ToolType.palm }
  }

  private var slots: Range<UInt32> { 0..<UInt32(max(0, libevdev_get_num_slots(handle))) }

  private func has(_ axis: AbsoluteAxis) -> Bool {
    libevdev_has_event_code(handle, UInt32(EV_ABS), UInt32(axis.rawValue)) != 0
  }

  private func value(of axis: AbsoluteAxis, in slot: UInt32) -> Int32 {
    libevdev_get_slot_value(handle, slot, UInt32(axis.rawValue))
  }

  private func isDown(_ key: Key) -> Bool {
    libevdev_get_event_value(handle, UInt32(EV_KEY), UInt32(key.rawValue)) > 0
  }

  private func value(of axis: AbsoluteAxis) -> Int32? {
    var value: Int32 = 0
    let isThere = libevdev_fetch_event_value(
      handle, UInt32(EV_ABS), UInt32(axis.rawValue), &value)
    return isThere != 0 ? value : nil
  }
}

/// The events of some devices as the kernel reports them, for recordings. Nothing is grabbed.
package final class RawDevices {
  package typealias Member = (
    found: FoundDevice, device: Device, otherCodes: [EvdevType: [UInt16]]
  )

  /// All devices in the order they were opened, including those that have gone since.
  package private(set) var members: [Member] = []
  /// Called with each event and its device's index in ``members``.
  package var didRead: ((EvdevEvent, Int) -> Void)?
  /// Called with the index of a device that can no longer be read, and with the reason if the
  /// device is still present.
  package var didLose: ((Int, RefusedDevice?) -> Void)?

  /// The loop that waits for the devices. Other descriptors may be added.
  package let loop: InputLoop
  private var readers: [Int: EvdevReader] = [:]
  private var pastLossCount = 0

  package init() throws(SystemError) { loop = try InputLoop() }

  deinit { for reader in readers.values { loop.unwatch(reader.descriptor) } }

  package var isEmpty: Bool { readers.isEmpty }

  /// How often the kernel dropped events because they were not read in time.
  package var lossCount: Int { readers.values.reduce(pastLossCount) { $0 + $1.lossCount } }

  /// Opens a device. Returns why it cannot be read; `nil` on success.
  package func add(_ found: FoundDevice) -> RefusedDevice? {
    do throws(RefusedDevice.Reason) {
      let descriptor = try DeviceNode.open(found.path)
      try DeviceNode.use(found.path) { () throws(SystemError) in
        let reader = try EvdevReader(descriptor: descriptor, isOwned: true)
        let index = members.count
        try loop.watch(descriptor) { [unowned self] in read(index) }
        readers[index] = reader
        members.append((found, reader.device, reader.otherCodes))
      }
      return nil
    } catch {
      return RefusedDevice(found, error)
    }
  }

  /// Waits for events or until `time`, and delivers them. Throws if waiting fails.
  package func turn(until time: EventTime?) throws(SystemError) {
    // fingers that touched the device when it was opened
    for (index, reader) in readers where reader.hasEvents { deliver(reader, index) }
    try loop.wait(until: time)
  }

  private func read(_ index: Int) {
    guard let reader = readers[index] else { return }
    switch reader.read() {
    case .events: deliver(reader, index)
    case .nothing: break
    case .lost(let code): lose(index, code)
    }
  }

  private func deliver(_ reader: EvdevReader, _ index: Int) {
    while let event = reader.next() { didRead?(event, index) }
  }

  private func lose(_ index: Int, _ code: Int32) {
    guard let reader = readers.removeValue(forKey: index) else { return }
    pastLossCount += reader.lossCount
    loop.unwatch(reader.descriptor)
    didLose?(index, code == 0 ? nil : RefusedDevice(members[index].found, .failed(code)))
  }
}
