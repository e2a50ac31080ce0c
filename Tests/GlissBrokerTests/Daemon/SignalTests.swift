import Foundation
import GlissDevices
import Testing

@testable import GlissBroker

/// Each test runs in a process of its own, because signals belong to the process.
@Suite struct SignalExitTests {
  @Test func signalsAreRead() async {
    await #expect(processExitsWith: .success) {
      signal(SIGHUP, SIG_DFL)
      let signals = try DaemonProcess.takeSignals()
      raise(SIGHUP)
      guard signals.next()?.number == SIGHUP else { exit(1) }
    }
  }

  /// As nohup starts its programs.
  @Test func anIgnoredHangupSignalStaysIgnored() async {
    await #expect(processExitsWith: .success) {
      signal(SIGHUP, SIG_IGN)
      let signals = try DaemonProcess.takeSignals()
      raise(SIGHUP)
      guard signals.next()?.number == nil else { exit(1) }
    }
  }
}
