import CLinux
import Glibc
import Synchronization

/// Gives keyboards back when their reader stalls: without keys, the user could not even end the
/// program.
///
/// It is a separate thread that sleeps until a grabbed keyboard has something to read. If no
/// keyboard has been read 2 s later, it unplugs the twins, which releases their keys, and releases
/// the grabs. It cannot help if the whole process is stopped (SIGSTOP); the service manager's
/// watchdog ends such a process.
final class GrabWatchdog: Sendable {
  /// How long a key event may stay unread, in ms.
  static let patience: Int32 = 2000

  private struct Keyboards: Sendable {
    /// Each twin's descriptor, by its keyboard's descriptor.
    var twins: [Int32: Int32] = [:]
    var isOver = false
  }

  private let keyboards = Mutex(Keyboards())
  /// The number of reads so far.
  private let progress = Atomic<UInt64>(0)
  private let tripped = Atomic<Bool>(false)
  private let waker: Int32

  /// - Throws: If the thread cannot be started.
  init() throws(DeviceError) {
    waker = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard waker >= 0 else { throw DeviceError("eventfd", failed: errno) }
    let code = BackgroundThread.start { [self] in watch() }
    guard code == 0 else { throw DeviceError("a thread", failed: code) }
  }

  deinit { if waker >= 0 { close(waker) } }

  /// Whether it has given keyboards back.
  var hasTripped: Bool { tripped.load(ordering: .acquiring) }

  /// Called at every read.
  func noteProgress() { progress.wrappingAdd(1, ordering: .relaxed) }

  /// Starts watching this keyboard.
  func mind(_ descriptor: Int32, twin: Int32) {
    keyboards.withLock { $0.twins[descriptor] = twin }
    wake()
  }

  /// Stops watching it. Must be called before either descriptor is closed.
  func forget(_ descriptor: Int32) {
    let wasThere = keyboards.withLock { $0.twins.removeValue(forKey: descriptor) != nil }
    if wasThere { wake() }
  }

  /// Ends the thread.
  func end() {
    keyboards.withLock {
      $0.twins.removeAll()
      $0.isOver = true
    }
    wake()
  }

  private func wake() {
    var one: UInt64 = 1
    _ = write(waker, &one, 8)
  }

  // MARK: The watchdog's thread

  private func watch() {
    while true {
      let (descriptors, isOver) = keyboards.withLock { (Array($0.twins.keys), $0.isOver) }
      if isOver { return }
      let before = progress.load(ordering: .relaxed)
      guard isReadable(descriptors, within: -1) else { continue }
      // a wake-up means that the keyboards changed, so start over
      if isReadable([], within: Self.patience, returnsOnNews: true) { continue }
      guard progress.load(ordering: .relaxed) == before, isReadable(descriptors, within: 0) else {
        continue
      }
      giveBack()
    }
  }

  /// Whether one of `descriptors` becomes readable within this many milliseconds. Returns early if
  /// the keyboards change.
  private func isReadable(
    _ descriptors: [Int32], within milliseconds: Int32, returnsOnNews: Bool = false
  ) -> Bool {
    var waits = ([waker] + descriptors).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    guard poll(&waits, nfds_t(waits.count), milliseconds) > 0 else { return false }
    if waits[0].revents != 0 {
      var count: UInt64 = 0
      _ = read(waker, &count, 8)
      return returnsOnNews
    }
    return true
  }

  private func giveBack() {
    keyboards.withLock { keyboards in
      for (descriptor, twin) in keyboards.twins {
        _ = gliss_uinput_destroy(twin)
        _ = gliss_evdev_grab(descriptor, 0)
      }
      keyboards.twins.removeAll()
    }
    tripped.store(true, ordering: .releasing)
  }
}
