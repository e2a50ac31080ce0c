import Glibc
import Gliss

/// Standard output for live events. A stalled reader or a stopped terminal does not keep devices
/// from being read.
///
/// Output that cannot be written now is buffered and written later. Otherwise it works as
/// ``Output``.
final class LiveOutput: ByteOutput {
  /// The buffer's limit in bytes, enough for hours of strokes. Beyond it, writes block.
  private static let capacity = 64 << 20

  /// Called once, when the reader is gone or writing fails.
  var didClose: (() -> Void)?
  /// Called when the buffer has been written completely.
  var didCatchUp: (() -> Void)?

  private let loop: EventLoop
  /// Non-blocking, if possible.
  private let descriptor: Int32
  private let ownsDescriptor: Bool
  private var waiting: ArraySlice<UInt8> = []
  /// The `errno` that ended it.
  private(set) var failure: Int32 = 0

  init(_ standard: Int32 = STDOUT_FILENO, on loop: EventLoop) {
    self.loop = loop
    let own = Self.reopened(standard)
    descriptor = own ?? standard
    ownsDescriptor = own != nil
    // a pipe that cannot be reopened may have lost its reader already; files cannot be watched and
    // have no reader
    watch(for: .closed)
  }

  deinit {
    loop.unwatch(descriptor)
    if ownsDescriptor { close(descriptor) }
  }

  /// The same terminal or pipe, opened again. Making the original descriptor non-blocking would
  /// affect everybody who shares it, above all the shell. `nil` for files, which never block for
  /// long, and if reopening is not allowed.
  private static func reopened(_ descriptor: Int32) -> Int32? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    let isPipe = status.st_mode & S_IFMT == S_IFIFO
    guard isPipe || isatty(descriptor) == 1 else { return nil }
    let own = open(
      "/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    return own >= 0 ? own : nil
  }

  var isBehind: Bool { !waiting.isEmpty }

  func write(_ bytes: [UInt8]) {
    guard failure == 0 else { return }
    if isBehind {
      waiting.append(contentsOf: bytes)
      if waiting.count > Self.capacity { flush() }
      return
    }
    let rest = send(bytes[...])
    guard !rest.isEmpty, failure == 0 else { return }
    waiting = rest
    watch(for: .writable)
  }

  /// Writes the buffer, however long that takes.
  func flush() {
    while isBehind && failure == 0 {
      var readiness = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&readiness, 1, -1)
      waiting = send(waiting)
    }
  }

  /// - Returns: The bytes that could not be written now.
  private func send(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN && ownsDescriptor {
        return rest
      } else if errno == EAGAIN {
        // somebody else has made the descriptor non-blocking
        var readiness = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&readiness, 1, -1)
      } else if errno != EINTR {
        fail(errno)
        return []
      }
    }
    return []
  }

  private func fail(_ code: Int32) {
    guard failure == 0 else { return }
    failure = code
    waiting = []
    loop.unwatch(descriptor)
    didClose?()
  }

  private func watch(for readiness: EventLoop.Readiness) {
    do {
      try loop.watch(descriptor, for: readiness) { [unowned self] in becomeReady(readiness) }
    } catch {
      // without notifications, blocking is the only way
      flush()
    }
  }

  private func becomeReady(_ readiness: EventLoop.Readiness) {
    switch readiness {
    case .closed, .readable, .urgent: fail(EPIPE)
    case .writable, .readableOrWritable:
      waiting = send(waiting)
      guard !isBehind, failure == 0 else { return }
      watch(for: .closed)
      didCatchUp?()
    }
  }

  /// Writes what is left and reports errors.
  ///
  /// - Returns: The exit status.
  func finish() -> Int32 {
    flush()
    switch failure {
    case 0, EPIPE: return ExitStatus.done
    // the terminal is gone
    case EIO where ownsDescriptor: return ExitStatus.done
    case _:
      Output.reportFailure(failure)
      return ExitStatus.failed
    }
  }
}
