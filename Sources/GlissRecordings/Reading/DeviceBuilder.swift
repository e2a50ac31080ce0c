import GlissEvents

/// Builds a device from its description, line by line.
struct DeviceBuilder {
  var device = Device(name: "")

  /// Axes are known, so positions have a meaning.
  var hasAxes: Bool { !device.axes.isEmpty }
  /// Keys, relative axes or axes are known: the recording describes itself.
  var isDescribed: Bool { hasAxes || !device.keys.isEmpty || !device.relativeAxes.isEmpty }

  mutating func setProperties(byte: UInt8, at index: Int) {
    for bit in 0..<8 where byte & 1 << UInt8(bit) != 0 {
      guard let property = UInt16(exactly: index * 8 + bit) else { return }
      device.properties.insert(DeviceProperty(rawValue: property))
    }
  }

  mutating func setCodes(byte: UInt8, at index: Int, ofType type: EvdevType) {
    for bit in 0..<8 where byte & 1 << UInt8(bit) != 0 {
      guard let code = UInt16(exactly: index * 8 + bit) else { return }
      setCode(code, ofType: type)
    }
  }

  /// Sets a code the device supports. Axes are set elsewhere, with their ranges.
  mutating func setCode(_ code: UInt16, ofType type: EvdevType) {
    if type == .key {
      device.keys.insert(Key(rawValue: code))
    } else if type == .relative {
      device.relativeAxes.insert(code)
    }
  }
}
