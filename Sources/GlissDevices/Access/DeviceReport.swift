import Glibc
public import GlissEvents

/// What can be said of a device without reading its events: what udev knows, what it says of itself, and why it cannot
/// be read.
public struct DeviceReport: Hashable, Sendable {
  public var found: FoundDevice
  /// What the device says of itself; `nil` where it cannot be opened.
  public var device: Device?
  /// Why it cannot be read; `nil` where it can.
  public var refusal: RefusedDevice?

  public init(found: FoundDevice, device: Device? = nil, refusal: RefusedDevice? = nil) {
    self.found = found
    self.device = device
    self.refusal = refusal
  }

  /// What it is: what udev says, or its own axes and keys where udev says nothing.
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

  /// Whether fingers touch it.
  public var isTouchDevice: Bool { !classes.isDisjoint(with: [.touchpad, .touchscreen]) }

  /// Its size, of touch devices that can be opened.
  public var size: DeviceSize? { isTouchDevice ? device?.size : nil }

  /// How many fingers it tells apart, of touch devices that can be opened.
  public var slotCount: Int? { isTouchDevice ? device?.slotCount : nil }
}

extension DeviceReport {
  /// Opens the device for as long as it takes to ask what it is.
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
      // touchpads are read without libinput, and without udev
      if let device, !found.isInitialized, device.kind != .touchpad { refuse(.unknownToUdev) }
    }
  }

  private mutating func refuse(_ reason: RefusedDevice.Reason) {
    refusal = RefusedDevice(path: found.path, name: found.name, reason: reason)
  }
}

extension DeviceFinder {
  /// All input devices with a node, each opened for a moment where that is allowed, by their numbers.
  ///
  /// - Parameter seat: only this seat's; all where it is `nil`.
  /// - Throws: where the system does not say which devices there are.
  public func reports(seat: String? = nil) throws(DeviceError) -> [DeviceReport] {
    try devices().filter { seat == nil || $0.seat == seat }.map { DeviceReport(opening: $0) }
  }
}

extension FoundDevice {
  /// The last part of ``path``, such as `event5`: what people call it by.
  public var nodeName: String { path.split(separator: "/").last.map { String($0) } ?? path }
}
