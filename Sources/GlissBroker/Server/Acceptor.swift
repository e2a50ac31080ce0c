import CLinux
import Glibc
import GlissDevices
import GlissEvents

/// Takes connections from sockets that listen; not while the process has no descriptor left for them.
final class Acceptor {
  /// So many are taken at a time, for input waits meanwhile.
  private static let batch = 8
  /// Descriptors may become free without one of our connections being closed.
  private static let patience = EventInterval.milliseconds(1000)

  private let loop: EventLoop
  private let now: () -> EventTime
  /// Called with each new descriptor, which is the callee's from then on.
  var take: (Int32) -> Void = { _ = Glibc.close($0) }
  private var listeners: [Int32] = []
  /// When to try again, where none can be taken now.
  private(set) var deadline: EventTime?

  init(_ loop: EventLoop, now: @escaping () -> EventTime) {
    self.loop = loop
    self.now = now
  }

  func listen(on descriptor: Int32) throws(DeviceError) {
    // it may come from somebody who lets it block
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    try watch(descriptor)
    listeners.append(descriptor)
  }

  private func watch(_ descriptor: Int32) throws(DeviceError) {
    try loop.watch(descriptor) { [unowned self] in accept(from: descriptor) }
  }

  private func accept(from listener: Int32) {
    for _ in 0..<Self.batch {
      let descriptor = gliss_accept(listener)
      if descriptor >= 0 {
        take(descriptor)
        continue
      }
      switch errno {
      case EAGAIN: return
      // whoever came is gone again
      case ECONNABORTED, EINTR, EPROTO: continue
      // no descriptor is left, or no memory
      case _: return pause()
      }
    }
  }

  /// Would be called again at once, for as long as somebody waits to be accepted.
  private func pause() {
    listeners.forEach(loop.unwatch)
    deadline = now() + Self.patience
  }

  /// A descriptor has become free.
  func resume() {
    guard deadline != nil else { return }
    deadline = nil
    // what cannot be watched now may be the next time
    for listener in listeners {
      do { try watch(listener) } catch { deadline = now() + Self.patience }
    }
  }

  func advance(to time: EventTime) {
    if let deadline, deadline <= time { resume() }
  }

  func close() {
    listeners.forEach(loop.unwatch)
    listeners = []
    deadline = nil
  }
}
