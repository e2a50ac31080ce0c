import CLinux
import Glibc
public import GlissEvents
import Synchronization

/// What one thread sleeps on: descriptors, the next deadline, and a call to stop from anywhere.
///
/// It has no timer: with nothing to wait for it is not woken at all.
public final class EventLoop {
  /// What a descriptor is waited for; that it fails, or is closed at its other end, always counts.
  public enum Readiness: Hashable, Sendable {
    case readable, writable, readableOrWritable
    /// Something out of turn: a file of /sys says so that it has changed.
    case urgent
    /// Nothing but its end.
    case closed

    fileprivate var events: UInt32 {
      switch self {
      case .readable: EPOLLIN.rawValue
      case .writable: EPOLLOUT.rawValue
      case .readableOrWritable: EPOLLIN.rawValue | EPOLLOUT.rawValue
      case .urgent: EPOLLPRI.rawValue
      case .closed: 0
      }
    }
  }

  /// The clock of all live input: CLOCK_MONOTONIC.
  public static var now: EventTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return EventTime(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  /// So many descriptors are told of at a time; of more that are ready those that were not come first the next time.
  static let capacity = 32

  /// Does a little of what is to be done besides, and tells whether more of it is left. Each ``wait(until:)`` calls it
  /// once, before it sleeps, and does not sleep while more is left: descriptors and deadlines have their turn in between.
  public var work: (() -> Bool)?

  private let epoll: Int32
  private let waker: Int32
  private let stopping = Atomic<Bool>(false)
  private let ready: UnsafeMutablePointer<epoll_event>
  private var handlers: [Int32: () -> Void] = [:]

  /// - Throws: where the process may open no more descriptors.
  public init() throws(DeviceError) {
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard epoll >= 0 else { throw DeviceError("epoll", failed: errno) }
    waker = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard waker >= 0 else {
      let code = errno
      close(epoll)
      throw DeviceError("eventfd", failed: code)
    }
    ready = .allocate(capacity: Self.capacity)
    try watch(waker) { [waker] in
      var count: UInt64 = 0
      _ = read(waker, &count, 8)
    }
  }

  deinit {
    ready.deallocate()
    close(waker)
    close(epoll)
  }

  /// Calls `handler` from ``wait(until:)`` whenever `descriptor` is ready, is closed at its other end, or fails. One that
  /// is watched already is waited for anew.
  ///
  /// - Throws: where it is no descriptor that can be waited for.
  public func watch(
    _ descriptor: Int32, for readiness: Readiness = .readable, _ handler: @escaping () -> Void
  ) throws(DeviceError) {
    var event = epoll_event()
    event.events = readiness.events
    event.data.fd = descriptor
    let operation = handlers[descriptor] == nil ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
    guard epoll_ctl(epoll, operation, descriptor, &event) == 0 else {
      throw DeviceError("descriptor \(descriptor)", failed: errno)
    }
    handlers[descriptor] = handler
  }

  /// Ends ``watch(_:for:_:)``; must come before the descriptor is closed, for its number is given to others then.
  public func unwatch(_ descriptor: Int32) {
    guard handlers.removeValue(forKey: descriptor) != nil else { return }
    epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
  }

  /// Whether ``stop()`` was called.
  public var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// Makes ``wait(until:)`` return, now or when it is called next; from any thread, and from a signal handler.
  public func stop() {
    stopping.store(true, ordering: .releasing)
    wake()
  }

  /// Makes ``wait(until:)`` return once; from any thread, and from a signal handler.
  public func wake() {
    // what a signal interrupts may be about to look at its errno
    let code = errno
    var one: UInt64 = 1
    _ = write(waker, &one, 8)
    errno = code
  }

  /// ``stop()`` was heard: the loop may be used again.
  func resume() { stopping.store(false, ordering: .releasing) }

  /// Sleeps until a descriptor is ready, `deadline` has come or a signal was caught, and calls the handlers of those
  /// that are ready. Where ``work`` is left it only looks.
  ///
  /// - Parameter deadline: asked for behind ``work``, which may bring it nearer.
  /// - Returns: how many were; 0 where the time was up.
  /// - Throws: where the system refuses to wait.
  @discardableResult
  public func wait(until deadline: @autoclosure () -> EventTime?) throws(DeviceError) -> Int {
    let isBusy = work?() ?? false
    let count = Self.sleep(epoll, ready, until: isBusy ? .zero : deadline())
    guard count >= 0 else {
      if errno == EINTR { return 0 }
      throw DeviceError("epoll", failed: errno)
    }
    for index in 0..<Int(count) {
      // one handler may end what another is called for
      handlers[ready[index].data.fd]?()
    }
    return Int(count)
  }

  private static func sleep(
    _ epoll: Int32, _ ready: UnsafeMutablePointer<epoll_event>, until deadline: EventTime?
  ) -> Int32 {
    guard let deadline else { return epoll_pwait2(epoll, ready, Int32(capacity), nil, nil) }
    let left = max(0, (deadline - now).microseconds)
    var time = timespec(
      tv_sec: time_t(left / 1_000_000), tv_nsec: Int(left % 1_000_000) * 1000)
    return epoll_pwait2(epoll, ready, Int32(capacity), &time, nil)
  }
}
