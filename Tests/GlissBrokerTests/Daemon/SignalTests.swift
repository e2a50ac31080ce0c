import Foundation
import Testing

@testable import GlissBroker

/// In processes of their own: signals are the process's.
@Suite struct SignalExitTests {
  @Test func signalsAreRead() async {
    await #expect(processExitsWith: .success) {
      signal(SIGHUP, SIG_DFL)
      let signals = try DaemonProcess.takeSignals()
      raise(SIGHUP)
      guard DaemonProcess.nextSignal(from: signals) == SIGHUP else { exit(1) }
    }
  }

  /// As nohup starts its programs.
  @Test func aHangupThatIsIgnoredStaysSo() async {
    await #expect(processExitsWith: .success) {
      signal(SIGHUP, SIG_IGN)
      let signals = try DaemonProcess.takeSignals()
      raise(SIGHUP)
      guard DaemonProcess.nextSignal(from: signals) == nil else { exit(1) }
    }
  }
}
