import CLinux
import Glibc
import Synchronization

/// Gives keyboards back when whoever reads them has stalled: a desktop without keys could not even end the program.
///
/// It is a thread of its own that sleeps until a grabbed keyboard has something to read. If nothing was read of any of them
/// 2 s later, it unplugs their twins, which lets go of what these have pressed, and ends the grabs. A process that is
/// stopped as a whole (SIGSTOP) it cannot help; the service manager's watchdog ends that.
final class GrabWatchdog: Sendable {
  /// So long nobody may read a key that was pressed.
  static let patience: Int32 = 2000

  private struct Keyboards: Sendable {
    /// The descriptor of each twin, by that of its keyboard.
    var twins: [Int32: Int32] = [:]
    var isOver = false
  }

  private let keyboards = Mutex(Keyboards())
  /// How often somebody has read.
  private let progress = Atomic<UInt64>(0)
  private let tripped = Atomic<Bool>(false)
  private let waker: Int32

  /// - Throws: where there can be no thread for it.
  init() throws(DeviceError) {
    waker = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard waker >= 0 else { throw DeviceError("eventfd", failed: errno) }
    let code = BackgroundThread.start { [self] in watch() }
    guard code == 0 else { throw DeviceError("a thread", failed: code) }
  }

  deinit { if waker >= 0 { close(waker) } }

  /// Whether it had to give keyboards back.
  var hasTripped: Bool { tripped.load(ordering: .acquiring) }

  /// Somebody reads.
  func noteProgress() { progress.wrappingAdd(1, ordering: .relaxed) }

  /// Minds this keyboard from now on.
  func mind(_ descriptor: Int32, twin: Int32) {
    keyboards.withLock { $0.twins[descriptor] = twin }
    wake()
  }

  /// Minds it no more; must come before either descriptor is closed.
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

  // MARK: On its thread

  private func watch() {
    while true {
      let (descriptors, isOver) = keyboards.withLock { (Array($0.twins.keys), $0.isOver) }
      if isOver { return }
      let before = progress.load(ordering: .relaxed)
      guard isReadable(descriptors, within: -1) else { continue }
      // whoever calls meanwhile has changed something, and all begins anew
      if isReadable([], within: Self.patience, returnsOnNews: true) { continue }
      guard progress.load(ordering: .relaxed) == before, isReadable(descriptors, within: 0) else {
        continue
      }
      giveBack()
    }
  }

  /// Whether one of `descriptors` can be read within so many milliseconds; ends early where the keyboards change.
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
