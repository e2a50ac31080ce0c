import CLinux
import Glibc
import GlissDevices
import GlissEvents

/// Accepts connections from listening sockets, except while the process is out of descriptors.
final class Acceptor {
  /// The most connections and time for one go, because input waits meanwhile.
  private static let batch = 64
  private static let budget = EventInterval(microseconds: 250)
  /// Descriptors may become free without one of our connections closing.
  private static let retryDelay = EventInterval.milliseconds(1000)

  private final class Listener {
    let descriptor: Int32
    /// The only user who may connect; `nil` for the public socket.
    let user: UInt32?
    var isWatched = false

    init(_ descriptor: Int32, _ user: UInt32?) { (self.descriptor, self.user) = (descriptor, user) }
  }

  private let loop: InputLoop
  private let now: () -> EventTime
  /// Takes each new descriptor, which it then owns, and the only user who may connect there.
  var take: (Int32, UInt32?) -> Void = { descriptor, _ in _ = Glibc.close(descriptor) }
  /// When that user's socket, or the public one, may accept again; `nil` if it may now.
  var rest: (UInt32?) -> EventTime? = { _ in nil }
  var deadlineDidMove: () -> Void = {}
  /// Whether there is room for another connection of a user. If not, the user's own socket waits.
  var hasRoom: (UInt32) -> Bool = { _ in true }
  private var listeners: [Listener] = []
  /// When to try again, if none can be accepted now.
  private(set) var deadline: EventTime?

  init(_ loop: InputLoop, now: @escaping () -> EventTime) {
    self.loop = loop
    self.now = now
  }

  func listen(on descriptor: Int32, user: UInt32?) throws(SystemError) {
    // the creator may have left it blocking
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    // from Linux 6.16 on, data sent before the connection is accepted names its sender only if this
    // is set here
    _ = gliss_pass_credentials(descriptor)
    let listener = Listener(descriptor, user)
    try watch(listener)
    listeners.append(listener)
  }

  /// Stops listening on it. Call this before closing it.
  func ignore(_ descriptor: Int32) {
    loop.unwatch(descriptor)
    listeners.removeAll { $0.descriptor == descriptor }
  }

  private func watch(_ listener: Listener) throws(SystemError) {
    try loop.watch(listener.descriptor) { [unowned self, unowned listener] in accept(from: listener)
    }
    listener.isWatched = true
  }

  private func accept(from listener: Listener) {
    let end = InputLoop.now + Self.budget
    for _ in 0..<Self.batch {
      if InputLoop.now > end { return }
      guard mayAccept(from: listener) else { return pause(listener) }
      let descriptor = gliss_accept(listener.descriptor)
      if descriptor >= 0 {
        take(descriptor, listener.user)
        continue
      }
      switch errno {
      case EAGAIN: return
      // the client is gone again
      case ECONNABORTED, EINTR, EPROTO: continue
      // no descriptor or no memory is left
      case _:
        for listener in listeners { pause(listener) }
        return expect(now() + Self.retryDelay)
      }
    }
  }

  private func mayAccept(from listener: Listener) -> Bool {
    if let user = listener.user, !hasRoom(user) { return false }
    guard let end = rest(listener.user) else { return true }
    expect(end)
    return false
  }

  private func expect(_ due: EventTime) {
    guard due < deadline ?? EventTime(microseconds: .max) else { return }
    deadline = due
    deadlineDidMove()
  }

  /// The socket would otherwise wake the loop at once while anyone waits to be accepted.
  private func pause(_ listener: Listener) {
    loop.unwatch(listener.descriptor)
    listener.isWatched = false
  }

  /// Call this when a connection has ended or has been handled.
  func resume() {
    deadline = nil
    // a socket that cannot be watched now may be watchable later
    for listener in listeners where !listener.isWatched && mayAccept(from: listener) {
      do { try watch(listener) } catch { expect(now() + Self.retryDelay) }
    }
  }

  func advance(to time: EventTime) {
    if let deadline, deadline <= time { resume() }
  }

  func close() {
    for listener in listeners { loop.unwatch(listener.descriptor) }
    listeners = []
    deadline = nil
  }
}
