import Glibc

/// The standard descriptors, which a process should be started with.
enum Descriptors {
  /// Opens those that are closed. Otherwise a file opened later would get the number, and messages
  /// meant for the terminal would be written into it.
  ///
  /// Standard input is opened for writing and output for reading, so that using them still fails
  /// and is reported.
  static func open() {
    let ways = [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)]
    for (descriptor, way) in ways
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // open(2) uses the lowest free number, which is this one
      _ = Glibc.open("/dev/null", way)
    }
  }
}
