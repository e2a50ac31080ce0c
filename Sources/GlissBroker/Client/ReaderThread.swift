import Glibc
import GlissDevices

/// A thread of one's own, for what waits.
package enum ReaderThread {
  /// Runs `body` on a new thread, which no signal is delivered to.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(ClientError) {
    let code = BackgroundThread.start(body)
    guard code == 0 else { throw .system(code) }
  }
}

/// So many places: who takes one waits while there is none.
package final class Places: @unchecked Sendable {
  // sem_t is made for several threads; its address must stay
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  package init(_ count: UInt32) { sem_init(semaphore, 0, count) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  /// Waits for a place and takes it.
  package func take() { while sem_wait(semaphore) != 0 && errno == EINTR {} }

  /// Gives a place back; from any thread, and from a signal handler.
  package func giveBack() { sem_post(semaphore) }
}
