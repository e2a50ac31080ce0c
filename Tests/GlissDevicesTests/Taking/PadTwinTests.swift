import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissDevices

/// The virtual touchpad that the desktop reads.
@Suite struct PadTwinTests {
  @Test func theTwinIsDescribedAsThePad() {
    var device = TwinRig.device
    device.axes[.positionX]?.fuzz = 8
    var twin = PadTwin.description(device)
    #expect(twin.axes[.toolType]?.maximum == ToolType.palm)
    #expect(twin.axes[.positionX]?.fuzz == 0, "the kernel would smooth positions twice")
    twin.axes[.toolType] = nil
    twin.axes[.positionX]?.fuzz = 8
    #expect(twin == device)
  }
}
