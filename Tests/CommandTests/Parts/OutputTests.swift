import Dispatch
import Glibc
import Testing

@testable import gliss_cli

@Suite struct OutputTests {
  /// Each holds signals back until its line is written. None takes another's end for a signal.
  @Test func threadsMayWriteAtOnce() {
    let descriptor = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let output = Output(descriptor: descriptor)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<20_000 { output.write([0x78]) }
    }
  }
}
