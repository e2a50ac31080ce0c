import GlissDevices

/// What one desktop says over a socket: pure, from bytes to focus.
package protocol FocusMachine {
  /// What is sent as soon as the connection is there.
  var greeting: [UInt8] { get }
  /// Takes what has come, in any pieces.
  ///
  /// - Returns: what to send back.
  mutating func receive(_ bytes: [UInt8]) throws(FocusFailure) -> [UInt8]
  var focus: Focus { get }
}

/// A source that is one socket and one machine.
final class SocketSource<Machine: FocusMachine>: FocusSource {
  private let socket: LocalSocket
  private var machine: Machine
  private var report: ((FocusReport) -> Void)?

  init(_ path: String, on loop: InputLoop, _ machine: Machine) throws(FocusFailure) {
    socket = try LocalSocket(path, on: loop)
    self.machine = machine
  }

  func start(_ report: @escaping (FocusReport) -> Void) throws(FocusFailure) {
    self.report = report
    try socket.watch { [weak self] in self?.step() }
    try socket.send(machine.greeting)
  }

  /// Takes all that has come, and reports what that led to: a reader that was stalled is not
  /// interested in what lies between.
  private func step() {
    let before = machine.focus
    do throws(FocusFailure) {
      try socket.receive { bytes throws(FocusFailure) in
        let answer = try machine.receive(bytes)
        try socket.send(answer)
      }
    } catch {
      socket.ignore()
      report?(.failed(error))
      return
    }
    if machine.focus != before { report?(.focus(machine.focus)) }
  }
}
