import CLibevdev
import CLinux
import Glibc
public import GlissEvents

/// Reads the raw events of one node, with timestamps from CLOCK_MONOTONIC. It never grabs the node.
///
/// It reads all waiting events at once and does not try again for more, since the next wait shows
/// whether there are any. That is one system call per packet; libevdev's own reading needs two.
/// libevdev describes the device and, after a loss, reports the current contacts.
public final class EvdevReader {
  /// The result of a read.
  public enum Reading: Hashable, Sendable {
    /// There are events; ``next`` returns the first.
    case events
    /// There are no events now.
    case nothing
    /// The device is gone, or access was revoked (`EVIOCREVOKE`).
    case gone
    /// The read failed with another error number.
    case failed(Int32)
  }

  /// The device's description.
  public let device: Device
  /// The codes it supports besides keys and axes, such as switches, by type.
  public let otherCodes: [EvdevType: [UInt16]]
  public let descriptor: Int32

  /// The most events per read. The kernel queues only a few packets; the rest comes with the next
  /// read.
  private static let capacity = 64

  /// How often the kernel dropped events because they were not read in time.
  public private(set) var lossCount = 0

  private let ownsDescriptor: Bool
  private let buffer: UnsafeMutablePointer<input_event>
  private var position = 0
  private var count = 0
  /// Events that restore the state at the start and after a loss. They come before those in the
  /// buffer.
  private var repaired: ArraySlice<EvdevEvent> = []

  /// - Parameters:
  ///   - descriptor: Open for reading on an event node. It becomes non-blocking.
  ///   - isOwned: Close it with the reader, and also if this initializer throws.
  /// - Throws: If it is not an input device, or access was revoked.
  public init(descriptor: Int32, isOwned: Bool) throws(DeviceError) {
    let place = "descriptor \(descriptor)"
    func failure(_ code: Int32) -> DeviceError {
      if isOwned { close(descriptor) }
      return DeviceError(place, failed: code)
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
    repaired = description.contacts(at: EventLoop.now)[...]
  }

  deinit {
    buffer.deallocate()
    if ownsDescriptor { close(descriptor) }
  }

  /// Whether ``next`` can return an event without a read.
  public var hasEvents: Bool { !repaired.isEmpty || position < count }

  /// The timestamp of ``next``.
  var nextTime: EventTime? {
    if let first = repaired.first { return first.time }
    return position < count ? Self.time(of: buffer[position]) : nil
  }

  /// Whether an event that is read but not delivered is from `time` or earlier.
  func hasEvent(upTo time: EventTime) -> Bool {
    !repaired.isEmpty || (position..<count).contains { Self.time(of: buffer[$0]) <= time }
  }

  /// Reads the waiting events, unless earlier ones are left.
  public func read() -> Reading {
    if hasEvents { return .events }
    let size = MemoryLayout<input_event>.stride
    let bytes = Glibc.read(descriptor, buffer, Self.capacity * size)
    guard bytes >= 0 else {
      switch errno {
      case EAGAIN, EINTR: return .nothing
      case ENODEV: return .gone
      case let code: return .failed(code)
      }
    }
    position = 0
    count = bytes / size
    return count > 0 ? .events : .gone
  }

  /// Returns the next event that was read; `nil` if another ``read()`` is needed.
  ///
  /// SYN_DROPPED is followed by an empty packet and a packet with all current contacts.
  public func next() -> EvdevEvent? {
    if !repaired.isEmpty { return repaired.removeFirst() }
    guard position < count else { return nil }
    let event = Self.event(buffer[position])
    position += 1
    if event.type == .synchronization, event.code == SynchronizationCode.dropped {
      repair(at: event.time)
    }
    return event
  }

  /// Discards the queue and asks for the current state. Queued events are older than that state and
  /// thus useless.
  private func repair(at time: EventTime) {
    lossCount += 1
    let size = MemoryLayout<input_event>.stride
    // no more reads than any kernel queue needs, because a device may keep adding events meanwhile
    for _ in 0..<Self.capacity where Glibc.read(descriptor, buffer, Self.capacity * size) > 0 {}
    position = 0
    count = 0
    // end the lost packet, then add the current state if the device is still there
    repaired = [.report(at: time)]
    if let description = EvdevDescription(of: descriptor) {
      repaired += description.contacts(at: EventLoop.now)
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
