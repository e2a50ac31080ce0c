import Glibc

/// The terminal that this process was started from, if there is one.
struct OwnTerminal {
  private let wasThere = Self.isThere

  /// Whether it was there and has gone: its window was closed, or the connection was lost.
  var isGone: Bool { wasThere && !Self.isThere }

  private static var isThere: Bool {
    let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }
}
