import Glibc

/// The helper that ``ProgramTeller`` asks: it may look into other users' processes, and does nothing else.
///
/// A process of its own (`glissd --tell-programs`), so that whoever takes over the one that sees keys cannot read other
/// programs' memory, and whoever takes over this one sees no keys. It understands five bytes.
enum ProgramTelling {
  /// Answers one client after the other on a socket that listens.
  ///
  /// - Throws: where it can take no more of them.
  static func run(on listener: Int32) throws(BrokerError) -> Never {
    while true {
      var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      _ = poll(&waiting, 1, -1)
      let client = accept(listener, nil, nil)
      if client < 0 {
        guard [EINTR, ECONNABORTED, EAGAIN].contains(errno) else {
          throw BrokerError("socket activation", String(cString: strerror(errno)), code: errno)
        }
        continue
      }
      while let question = nextQuestion(from: client) {
        let bytes = answer(to: question).bytes
        let flags = Int32(MSG_NOSIGNAL)
        guard send(client, bytes, bytes.count, flags) == bytes.count else { break }
      }
      close(client)
    }
  }

  /// - Returns: `nil` where the client has left, or said something else.
  private static func nextQuestion(from client: Int32) -> ProgramQuestion? {
    ProgramQuestion(
      [UInt8](unsafeUninitializedCapacity: ProgramQuestion.size + 1) { buffer, count in
        count = max(0, recv(client, buffer.baseAddress, buffer.count, 0))
      })
  }

  private static func answer(to question: ProgramQuestion) -> ProgramAnswer {
    let files = ProcessFiles(question.pid)
    return ProgramAnswer(
      executable: files.target(of: "exe"),
      flatpakApp: question.wantsFlatpakApp ? ProcessFacts.flatpakApp(of: files) : nil)
  }
}
