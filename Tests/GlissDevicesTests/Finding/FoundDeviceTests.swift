import Foundation
import GlissEvents
import Testing

@testable import GlissDevices

/// What libinput says of losses, which it says in its log alone.
@Suite struct LibinputLossTests {
  @Test(
    arguments: [
      (
        "event12 - AT Keyboard: SYN_DROPPED event - some input events have been lost.\n", "event12"
      ),
      ("event3  - : SYN_DROPPED event - some input events have been lost.\n", "event3"),
      ("event3  - AT Keyboard: is tagged by udev as: Keyboard\n", nil),
      ("SYN_DROPPED event\n", nil), ("", nil),
    ] as [(String, String?)])
  func theNodeOfALossIsReadFromTheMessage(_ message: String, _ node: String?) {
    #expect(LibinputContext.nodeWithLoss(in: message) == node)
  }
}

@Suite struct DeviceClassTests {
  @Test func everyClassHasAWord() {
    let words = DeviceClasses.names.map(\.name)
    #expect(Set(words).count == DeviceClasses.names.count)
    for (classes, name) in DeviceClasses.names {
      #expect(classes.rawValue.nonzeroBitCount == 1, "\(name)")
    }
  }
}

/// Devices as JSON, which `gliss devices` prints too.
@Suite struct FoundDeviceCodingTests {
  private func read(_ text: String) throws -> FoundDevice {
    try JSONDecoder().decode(FoundDevice.self, from: Data(text.utf8))
  }

  @Test(arguments: [0x03, 0x11, 0x18, 0x99, 0xffff] as [UInt16])
  func aDeviceIsReadAsItWasWritten(bus: UInt16) throws {
    var device = FoundDevice(
      path: "/dev/input/event5", name: "Pad “é”",
      identifier: Device.Identifier(bus: bus, vendor: 0x06cb, product: 0, version: 0x0100),
      seat: "seat1", classes: [.touchpad, .mouse], isInitialized: false)
    device.isOwn = true
    for device in [device, .unknown("/dev/input/event6")] {
      let data = try JSONEncoder().encode(device)
      #expect(try JSONDecoder().decode(FoundDevice.self, from: data) == device)
    }
  }

  @Test func whatTheCommandPrintsIsRead() throws {
    let device = try read(
      #"{"path":"/dev/input/event5","name":"Pad","classes":["touchpad"],"seat":"seat0","#
        + #""bus":"i2c","vendor":"06cb","product":"0012","size_mm":[100,65],"readable":true}"#)
    let identifier = Device.Identifier(bus: 0x18, vendor: 0x06cb, product: 0x12, version: 0)
    #expect(
      device
        == FoundDevice(
          path: "/dev/input/event5", name: "Pad", identifier: identifier, classes: .touchpad))
  }

  @Test(arguments: [
    (#"{"name":"Pad"}"#, "path"), (#"{"path":"/a","bus":"carrier pigeon"}"#, "bus"),
    (#"{"path":"/a","vendor":"12345"}"#, "vendor"), (#"{"path":"/a","classes":["tank"]}"#, "tank"),
  ])
  func whatIsInvalidIsNamed(text: String, name: String) {
    #expect { try read(text) } throws: { "\($0)".contains(name) }
  }
}
