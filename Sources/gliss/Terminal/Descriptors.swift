import Glibc

/// The three descriptors that a process is started with, or should be.
enum Descriptors {
  /// Takes the place of those that were closed, before a file that is opened gets their number and what is meant for
  /// the terminal is written into it.
  ///
  /// Standard input and output are opened the wrong way round: using them stays an error that is reported.
  static func open() {
    let ways = [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)]
    for (descriptor, way) in ways
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // the lowest number that is free is this one
      _ = Glibc.open("/dev/null", way)
    }
  }
}
