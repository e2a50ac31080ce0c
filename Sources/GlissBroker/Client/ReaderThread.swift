import Glibc
import GlissDevices

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
