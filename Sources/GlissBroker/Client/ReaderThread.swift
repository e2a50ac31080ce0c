import Glibc

/// A thread of one's own, for what waits.
enum ReaderThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a new thread, which no signal is delivered to.
  static func start(_ body: @escaping @Sendable () -> Void) throws(ClientError) {
    let box = Unmanaged.passRetained(Body(body))
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    pthread_sigmask(SIG_SETMASK, &before, nil)
    guard code == 0 else {
      box.release()
      throw .system(code)
    }
    pthread_detach(thread)
  }
}

/// So many places: who takes one waits while there is none.
final class Places: @unchecked Sendable {
  // sem_t is made for several threads; its address must stay
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init(_ count: UInt32) { sem_init(semaphore, 0, count) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  /// Waits for a place and takes it.
  func take() { while sem_wait(semaphore) != 0 && errno == EINTR {} }

  /// Gives a place back; from any thread, and from a signal handler.
  func giveBack() { sem_post(semaphore) }
}
