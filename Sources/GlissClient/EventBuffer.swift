import Glibc
import GlissDevices
import GlissEvents

/// Events between the thread that reads them and the task that takes them. Each waits for the
/// other. The error that ended the reader comes after all events.
struct EventBuffer<Taker: Sendable>: Sendable {
  private enum State {
    /// Events that nobody has taken yet, oldest first.
    case filled([GlobalEvent], next: Int)
    /// A taker waits for the next event.
    case awaited(Taker)
    /// No more events come, but some are still left.
    case ending([GlobalEvent], next: Int, ClientError?)
    case over
  }

  enum Taking {
    case event(GlobalEvent)
    /// The taker waits.
    case wait
    case end(ClientError?)
  }

  private var state = State.filled([], next: 0)

  /// Offers the next event.
  ///
  /// - Returns: the taker that waits for it.
  mutating func offer(_ event: GlobalEvent) -> Taker? {
    switch state {
    case .filled(var events, let next):
      // drop the other reference, so that the array grows in place
      state = .over
      events.append(event)
      state = .filled(events, next: next)
      return nil
    case .awaited(let taker):
      state = .filled([], next: 0)
      return taker
    case .ending, .over: return nil
    }
  }

  /// Ends the events.
  ///
  /// - Returns: the taker that still waits.
  mutating func end(_ error: ClientError?) -> Taker? {
    switch state {
    case .filled(let events, let next):
      state = .ending(events, next: next, error)
      return nil
    case .awaited(let taker):
      state = .over
      return taker
    case .ending, .over: return nil
    }
  }

  /// Takes the next event, or waits for it. A taker that was already waiting is dismissed.
  mutating func take(_ taker: Taker) -> (Taking, dismissed: Taker?) {
    switch state {
    case .filled(let events, let next) where next < events.count:
      state = Self.rest(events, next + 1)
      return (.event(events[next]), nil)
    case .filled:
      state = .awaited(taker)
      return (.wait, nil)
    case .awaited(let other):
      state = .awaited(taker)
      return (.wait, other)
    case .ending(let events, let next, let error) where next < events.count:
      state = .ending(events, next: next + 1, error)
      return (.event(events[next]), nil)
    case .ending(_, _, let error):
      state = .over
      return (.end(error), nil)
    case .over: return (.end(nil), nil)
    }
  }

  private static func rest(_ events: [GlobalEvent], _ next: Int) -> State {
    next == events.count ? .filled([], next: 0) : .filled(events, next: next)
  }
}

/// A separate thread for blocking work.
package enum ReaderThread {
  /// Runs `body` on a new thread that receives no signals.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(ClientError) {
    let code = BackgroundThread.start(body)
    guard code == 0 else { throw .system(code) }
  }
}

/// A counting semaphore: taking a place waits while none is free.
package final class Places: @unchecked Sendable {
  // sem_t is safe to share between threads, but its address must not change
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  package init(_ count: UInt32) { sem_init(semaphore, 0, count) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  /// Waits for a place and takes it.
  package func take() { while sem_wait(semaphore) != 0 && errno == EINTR {} }

  /// Gives a place back, from any thread and from a signal handler.
  package func giveBack() { sem_post(semaphore) }
}
