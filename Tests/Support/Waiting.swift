package import Foundation

extension FileHandle {
  /// What can be read next, or nothing at the end or after a minute: whoever should write may have died, while another
  /// process still has its end open.
  package var nextData: Data {
    var descriptor = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let ready = poll(&descriptor, 1, 60_000)
      if ready > 0 { return availableData }
      if ready == 0 || errno != EINTR { return Data() }
    }
  }
}
