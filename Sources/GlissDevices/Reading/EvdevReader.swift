import CLibevdev
import CLinux
import Glibc
public import GlissEvents

/// Reads the raw events of one node, which it never grabs, on CLOCK_MONOTONIC.
///
/// It reads as many events at a time as there are, and does not ask again whether there are more: waiting does. That is
/// one system call a packet where libevdev's own reading has two. libevdev describes the device, and after a loss says
/// where its contacts are.
public final class EvdevReader {
  /// What reading gave.
  public enum Reading: Hashable, Sendable {
    /// There are events: ``next`` is the first.
    case events
    /// Nothing now.
    case nothing
    /// The device is gone, or was taken away (`EVIOCREVOKE`).
    case gone
    /// Reading failed otherwise, with this error number.
    case failed(Int32)
  }

  /// What the device says of itself.
  public let device: Device
  /// What it can tell beside keys and axes, such as switches, by type.
  public let otherCodes: [EvdevType: [UInt16]]
  public let descriptor: Int32

  /// The kernel keeps at most a few packets; what is more than this comes with the next reading.
  private static let capacity = 64

  /// How often the kernel has dropped events because they were not read in time.
  public private(set) var lossCount = 0

  private let ownsDescriptor: Bool
  private let buffer: UnsafeMutablePointer<input_event>
  private var position = 0
  private var count = 0
  /// What was found out after a loss: it goes before what is in the buffer.
  private var repaired: ArraySlice<EvdevEvent> = []

  /// - Parameters:
  ///   - descriptor: open for reading on an event node; becomes non-blocking.
  ///   - isOwned: it is closed with the reader, also where this throws.
  /// - Throws: where it is no input device, or may not be asked any more.
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
    // fingers that lie there already have no other beginning
    repaired = description.contacts(at: EventLoop.now)[...]
  }

  deinit {
    buffer.deallocate()
    if ownsDescriptor { close(descriptor) }
  }

  /// Whether ``next`` has something without reading.
  public var hasEvents: Bool { !repaired.isEmpty || position < count }

  /// The time of ``next``.
  var nextTime: EventTime? {
    if let first = repaired.first { return first.time }
    return position < count ? Self.time(of: buffer[position]) : nil
  }

  /// Whether something that was read and waits is from before `time`, or from then.
  func hasEvent(upTo time: EventTime) -> Bool {
    !repaired.isEmpty || (position..<count).contains { Self.time(of: buffer[$0]) <= time }
  }

  /// Reads what there is, unless there are still events.
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

  /// Takes the next event that was read; `nil` where a further ``read()`` must say whether there are more.
  ///
  /// After SYN_DROPPED come an empty packet and one that holds all contacts that are down.
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

  /// What is still in the queue is from before the state that the device is asked for now, and worth nothing.
  private func repair(at time: EventTime) {
    lossCount += 1
    let size = MemoryLayout<input_event>.stride
    // as many as any kernel queue holds, and no more, for a device may flood it meanwhile
    for _ in 0..<Self.capacity where Glibc.read(descriptor, buffer, Self.capacity * size) > 0 {}
    position = 0
    count = 0
    // the end of the lost packet; then where things are, if the device is still there to say so
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
