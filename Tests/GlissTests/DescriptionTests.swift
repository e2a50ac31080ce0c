import Gliss
import Testing

/// What users of the library print, besides events and grants.
@Suite struct DeviceDescriptionTests {
  @Test func aFoundDeviceIsNamedWithItsNode() {
    let device = FoundDevice(path: "/dev/input/event5", name: "Pad")
    #expect("\(device)" == "“Pad” at /dev/input/event5")
  }
}
