import CLibevdev
import CLinux
import Foundation
import GlissEvents

/// What a node gives to a reader that does nothing else, with the kernel's times.
final class KernelEvents {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(description: "\(path): \(Self.reason())") }
    guard gliss_evdev_clock(descriptor, CLOCK_MONOTONIC) == 0 else {
      throw Failure(description: "the clock of \(path): \(Self.reason())")
    }
  }

  deinit { close(descriptor) }

  private static func reason() -> String { String(cString: strerror(errno)) }

  /// All that has come since the last call; `nil` where the device is gone.
  func read() throws -> [EvdevEvent]? {
    var events: [EvdevEvent] = []
    var buffer = [input_event](repeating: input_event(), count: 64)
    while true {
      let bytes = buffer.withUnsafeMutableBytes {
        Foundation.read(descriptor, $0.baseAddress, $0.count)
      }
      if bytes < 0 && errno == EAGAIN { return events }
      if bytes < 0 && errno == ENODEV { return nil }
      guard bytes > 0 else { throw Failure(description: "reading: \(Self.reason())") }
      for event in buffer.prefix(bytes / MemoryLayout<input_event>.stride) {
        let time = EventTime(
          microseconds: Int64(event.time.tv_sec) * 1_000_000 + Int64(event.time.tv_usec))
        events.append(
          EvdevEvent(
            time: time, type: EvdevType(rawValue: event.type), code: event.code, value: event.value)
        )
      }
    }
  }
}
