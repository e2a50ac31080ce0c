import Glibc
public import GlissEvents

/// What is known about a device without reading its events: udev's data, the device's own
/// description, and why it cannot be read.
public struct DeviceReport: Hashable, Sendable {
  public var found: FoundDevice
  /// The device's own description; `nil` if it cannot be opened.
  public var device: Device?
  /// Why it cannot be read; `nil` if it can.
  public var refusal: RefusedDevice?

  public init(found: FoundDevice, device: Device? = nil, refusal: RefusedDevice? = nil) {
    self.found = found
    self.device = device
    self.refusal = refusal
  }

  /// The classes udev reports, or those of the device's own axes and keys if udev reports none.
  public var classes: DeviceClasses {
    guard found.classes.isEmpty, let device else { return found.classes }
    switch device.kind {
    case .touchpad: return .touchpad
    case .touchscreen: return .touchscreen
    case .keyboard: return .key
    case .mouse: return .mouse
    case .other: return []
    }
  }

  /// Whether it is a touchpad or touchscreen.
  public var isTouchDevice: Bool { !classes.isDisjoint(with: [.touchpad, .touchscreen]) }

  /// The size of a touch device that can be opened.
  public var size: DeviceSize? { isTouchDevice ? device?.size : nil }

  /// How many fingers a touch device that can be opened tells apart.
  public var slotCount: Int? { isTouchDevice ? device?.slotCount : nil }
}

extension DeviceReport {
  /// Opens the device briefly to read its description.
  public init(opening found: FoundDevice) {
    self.init(found: found)
    switch DeviceNode.open(found.path) {
    case .failure(let failure): refuse(failure.reason)
    case .success(let descriptor):
      defer { close(descriptor) }
      do {
        device = try Device(fileDescriptor: descriptor)
      } catch {
        refuse(DeviceNode.reason(error.code, found.path))
      }
      // touchpads need neither libinput nor udev
      if let device, !found.isInitialized, device.kind != .touchpad { refuse(.unknownToUdev) }
    }
  }

  private mutating func refuse(_ reason: RefusedDevice.Reason) {
    refusal = RefusedDevice(path: found.path, name: found.name, reason: reason)
  }
}

extension DeviceFinder {
  /// All input devices with a node, sorted by number. Each one that may be opened is opened
  /// briefly.
  ///
  /// - Parameter seat: Report only this seat's devices; `nil` for all.
  /// - Throws: If the system cannot list the devices.
  public func reports(seat: String? = nil) throws(DeviceError) -> [DeviceReport] {
    try devices().filter { seat == nil || $0.seat == seat }.map { DeviceReport(opening: $0) }
  }
}

extension FoundDevice {
  /// The last part of ``path``, such as `event5`. This is the name people use.
  public var nodeName: String { path.split(separator: "/").last.map { String($0) } ?? path }
}

extension Device.Identifier {
  /// How the device is connected (`BUS_*`), or the number in hexadecimal if it has no name here.
  public var busName: String {
    switch bus {
    case 0x01: "pci"
    case 0x03: "usb"
    case 0x05: "bluetooth"
    case 0x06: "virtual"
    case 0x10: "isa"
    case 0x11: "ps/2"
    case 0x18: "i2c"
    case 0x19: "host"
    case 0x1c: "spi"
    case 0x1d: "rmi"
    case _: Self.hexadecimal(bus)
    }
  }

  /// Always four hexadecimal digits.
  public var vendorText: String { Self.hexadecimal(vendor) }
  /// Always four hexadecimal digits.
  public var productText: String { Self.hexadecimal(product) }

  private static func hexadecimal(_ value: UInt16) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
