import Glibc
import GlissSession
import Testing

@testable import GlissDevices

/// Devices that cannot be read, without and with somebody who hears of them.
@Suite struct RefusalTests {
  private static let missing = "/dev/input/no-such-device"

  @Test func withoutAHandlerTheFirstReasonIsThrown() throws {
    let devices = try LiveDevices(.paths([Self.missing]))
    let error = #expect(throws: SystemError.self) { try devices.run(into: Session()) }
    #expect(error?.place == Self.missing)
    #expect(throws: SystemError.self) {
      _ = try EmbeddedDevices(LiveDevices(.paths([Self.missing])), into: Session())
    }
  }

  @Test func withAHandlerTheRunEnds() throws {
    let devices = try LiveDevices(.paths([Self.missing]))
    var refused: [RefusedDevice] = []
    devices.didRefuse = { refused.append($0) }
    try devices.run(into: Session())
    #expect(refused.map(\.path) == [Self.missing])
  }

  @Test func aKeyboardThatCannotBeLentHasTheErrorNumber() throws {
    let devices = try LiveDevices(.paths([]))
    let open = OpenDevices(devices, Session())
    let error = #expect(throws: SystemError.self) { try open.lend(Self.missing) }
    #expect(error?.code == ENOENT && error?.advice != nil)
    withExtendedLifetime(devices) {}
  }

  @Test func aSequenceThrowsIt() async {
    let error = await #expect(throws: SystemError.self) {
      for try await _ in LiveDevices.gestures(of: .paths([Self.missing])) {}
    }
    #expect(error?.place == Self.missing)
  }
}
