import CLinux
import Glibc

/// Signals that are read like other input, so that none ends the process in the middle of a write.
package struct SignalQueue {
  package struct Signal {
    package let number: Int32
    /// Whether the kernel sent it, for example because of a key typed on the terminal.
    package let isFromKernel: Bool
  }

  /// Readable when a signal has come.
  package let descriptor: Int32

  /// Takes the signals `numbers` from now on, and those of `others` that the parent process did not
  /// ignore, as nohup ignores SIGHUP. Threads started later block them too.
  package init(_ numbers: [Int32], unlessIgnored others: [Int32] = []) throws(SystemError) {
    // a blocked signal would be read even if it is ignored
    var set = Self.set(of: numbers + others.filter { !Self.isIgnored($0) })
    descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    guard descriptor >= 0 else { throw SystemError("signals", failed: errno) }
    sigprocmask(SIG_BLOCK, &set, nil)
  }

  package func next() -> Signal? {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    guard read(descriptor, &info, size) == size else { return nil }
    return Signal(number: Int32(bitPattern: info.ssi_signo), isFromKernel: info.ssi_code > 0)
  }

  /// Unblocks a signal. A parent thread that blocks signals passes its mask on, but the mask is not
  /// meant for this process. May be called in a signal handler.
  package static func unblock(_ number: Int32) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    sigprocmask(SIG_UNBLOCK, &set, nil)
  }

  package static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    // functions cannot be compared, and SIG_IGN is the address 1
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  private static func set(of numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
  }
}
