import Foundation
import GlissDevices
import GlissEvents
import Testing

/// What is refused before the kernel is asked; the rest is in LiveTests.
@Suite struct VirtualDeviceTests {
  private static let pad = Device(
    name: "pad",
    axes: [
      .slot: AxisRange(minimum: 0, maximum: 4), .trackingID: AxisRange(minimum: 0, maximum: 65535),
      .positionX: AxisRange(minimum: 0, maximum: 1000),
    ], keys: [.touch])

  private static func refusal(_ change: (inout Device) -> Void) -> SystemError? {
    var device = pad
    change(&device)
    return #expect(throws: SystemError.self) { try VirtualDevice(device) }
  }

  /// libevdev would ask for the memory of all of them.
  @Test(arguments: [-1, -2, 1024, .max, .min] as [Int32])
  func slotsThatCannotBeAreRefused(maximum: Int32) {
    let error = Self.refusal {
      $0.axes[.slot] = AxisRange(minimum: min(0, maximum), maximum: maximum)
    }
    #expect(error?.problem.contains("axis 47") == true)
    #expect(error?.advice != nil)
  }

  @Test func codesThatDoNotExistAreRefused() {
    var error = Self.refusal { $0.axes[AbsoluteAxis(rawValue: 0x40)] = $0.axes[.slot] }
    #expect(error?.problem.contains("axis 64") == true)
    error = Self.refusal { $0.keys.insert(Key(rawValue: 0x300)) }
    #expect(error?.problem.contains("key 768") == true)
    error = Self.refusal { $0.relativeAxes.insert(0x10) }
    #expect(error?.problem.contains("relative axis 16") == true)
    error = Self.refusal { $0.properties.insert(DeviceProperty(rawValue: 0x20)) }
    #expect(error?.problem.contains("property 32") == true)
  }

  @Test(.enabled(if: !FileManager.default.fileExists(atPath: "/dev/uinput")))
  func aKernelWithoutUinputIsReportedWithAdvice() {
    let error = Self.refusal { _ in }
    #expect(error?.place == "/dev/uinput")
    #expect(error?.advice?.contains("modprobe uinput") == true)
  }
}
