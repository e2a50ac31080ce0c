import Glibc

/// Asks a helper for what the kernel shows of a process only to those who might trace it: its program.
///
/// `glissd` owns the keyboard and has no capability. The helper (``ProgramTelling``) has the one that is needed here, and
/// sees no input. Where there is none, or it does not answer in time, a program has no name, and nothing can be granted
/// to it.
package final class ProgramTeller {
  /// Where the service manager listens for the helper.
  static let path = "/run/gliss/programs"

  private let path: String
  /// How long it may take, in ms: no input is read meanwhile.
  private let patience: Int32
  private var descriptor: Int32 = -1

  init(_ path: String = ProgramTeller.path, patience: Int32 = 100) {
    self.path = path
    self.patience = patience
  }

  deinit { disconnect() }

  /// Waits for the helper's start, so that the first client is not kept waiting.
  func warmUp() { _ = ask(ProgramQuestion(getpid(), wantsFlatpakApp: false), patience: 3000) }

  func ask(_ question: ProgramQuestion) -> ProgramAnswer? { ask(question, patience: patience) }

  private func ask(_ question: ProgramQuestion, patience: Int32) -> ProgramAnswer? {
    guard connect() else { return nil }
    if let answer = exchange(question, patience) { return answer }
    // what it answers later would be taken for an answer to the next; and it may have been started anew
    disconnect()
    return nil
  }

  private func exchange(_ question: ProgramQuestion, _ patience: Int32) -> ProgramAnswer? {
    let bytes = question.bytes
    let flags = Int32(MSG_NOSIGNAL)
    guard send(descriptor, bytes, bytes.count, flags) == bytes.count else { return nil }
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, patience) == 1 else { return nil }
    let answer = [UInt8](unsafeUninitializedCapacity: ProgramAnswer.largest) { buffer, count in
      count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
    }
    return ProgramAnswer(answer)
  }

  private func connect() -> Bool {
    if descriptor >= 0 {
      // one that has ended while nobody asked
      var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&state, 1, 0) == 0 { return true }
      disconnect()
    }
    guard var address = sockaddr_un(path: path) else { return false }
    let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    descriptor = socket(AF_UNIX, type | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { return false }
    if address.call(Glibc.connect, descriptor) == 0 { return true }
    disconnect()
    return false
  }

  private func disconnect() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }
}
