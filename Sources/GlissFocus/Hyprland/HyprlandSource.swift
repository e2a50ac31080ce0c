import Glibc
import GlissDevices
import GlissEvents

/// Hyprland's two sockets: events arrive on one; on the other, each question has its own connection.
///
/// Hyprland waits for a question once it has accepted a connection, so the question is sent at once
/// and the connection ends with the answer.
final class HyprlandSource: FocusSource {
  private let folder: String
  private let loop: InputLoop
  private let users: Set<UInt32>
  private let events: LocalSocket
  private var question: LocalSocket?
  private var answer: [UInt8] = []
  private var machine = HyprlandMachine()
  private var report: ((FocusReport) -> Void)?

  /// - Parameters:
  ///   - folder: of this instance's sockets. An older Hyprland has it in /tmp, where another user can
  ///     make it first.
  ///   - users: the users who may serve them.
  init(
    _ folder: String, on loop: InputLoop, servedBy users: Set<UInt32> = [getuid(), 0]
  ) throws(FocusFailure) {
    self.folder = folder
    self.loop = loop
    self.users = users
    events = try LocalSocket(folder + "/.socket2.sock", on: loop, servedBy: users)
  }

  func start(_ report: @escaping (FocusReport) -> Void) throws(FocusFailure) {
    self.report = report
    try events.watch { [weak self] in self?.step() }
    ask()
  }

  private func step() {
    let before = machine.focus
    do throws(FocusFailure) {
      try events.receive { bytes throws(FocusFailure) in try machine.receive(bytes) }
    } catch {
      events.ignore()
      report?(.failed(error))
      return
    }
    if machine.mustAsk { return ask() }
    // an answer that is still to come is about an earlier time
    if machine.isCertain { question = nil }
    guard machine.focus != before else { return }
    report?(.focus(machine.focus))
  }

  private func ask() {
    // or when the answer has come
    guard question == nil else { return }
    machine.asked()
    answer = []
    do throws(FocusFailure) {
      let socket = try LocalSocket(folder + "/.socket.sock", on: loop, servedBy: users)
      question = socket
      try socket.send(HyprlandMachine.question)
      try socket.watch { [weak self] in self?.readAnswer() }
    } catch {
      finish(nil)
    }
  }

  private func readAnswer() {
    do throws(FocusFailure) {
      try question?.receive { bytes throws(FocusFailure) in
        answer += bytes
        if answer.count > JSON.longestMessage { throw .malformed("an endless answer") }
      }
    } catch .closed {
      finish(answer)
    } catch {
      finish(nil)
    }
  }

  private func finish(_ answer: [UInt8]?) {
    question = nil
    if machine.mustAsk { return ask() }
    let before = machine.focus
    guard machine.answered(answer) else {
      report?(.failed(.silent))
      return
    }
    if machine.focus != before { report?(.focus(machine.focus)) }
  }
}
