public import GlissEvents

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
