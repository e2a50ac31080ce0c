import GlissConfiguration
import GlissDevices
import GlissEvents

/// What the system knows of a device that another process reads. The broker reports only its name.
enum KnownDevices {
  static func device(_ id: DeviceID, _ name: String) -> RuleDevice {
    var device = RuleDevice(id: id, name: name)
    guard let found = find(name) else { return device }
    device.vendorAndProduct = DeviceMatch.VendorAndProduct(
      vendor: found.identifier.vendor, product: found.identifier.product)
    device.kind = kind(found.classes)
    return device
  }

  /// Prefers a device that makes gestures if several have that name.
  private static func find(_ name: String) -> FoundDevice? {
    guard let finder = try? DeviceFinder(), let all = try? finder.devices() else { return nil }
    let named = all.filter { $0.name == name }
    return named.first { !$0.classes.isDisjoint(with: [.touchpad, .touchscreen]) } ?? named.first
  }

  static func kind(_ classes: DeviceClasses) -> DeviceMatch.Kind? {
    if classes.contains(.touchpad) { return .touchpad }
    if classes.contains(.touchscreen) { return .touchscreen }
    if classes.contains(.mouse) { return .mouse }
    return classes.contains(.keyboard) || classes.contains(.key) ? .keyboard : nil
  }
}
