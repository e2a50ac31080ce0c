public import GlissConfiguration
public import GlissEvents

/// The properties of a device that rules can match.
public struct RuleDevice: Hashable, Sendable {
  public var id: DeviceID
  public var name: String
  /// `nil` if unknown, as for devices that another process reads. A rule that asks for it then does
  /// not match.
  public var vendorAndProduct: DeviceMatch.VendorAndProduct?
  /// `nil` if the kind is unknown or has no case here.
  public var kind: DeviceMatch.Kind?

  public init(
    id: DeviceID, name: String, vendorAndProduct: DeviceMatch.VendorAndProduct? = nil,
    kind: DeviceMatch.Kind? = nil
  ) {
    self.id = id
    self.name = name
    self.vendorAndProduct = vendorAndProduct
    self.kind = kind
  }

  public init(_ device: Device) {
    let kind: DeviceMatch.Kind? =
      switch device.kind {
      case .touchpad: .touchpad
      case .touchscreen: .touchscreen
      case .keyboard: .keyboard
      case .mouse: .mouse
      case .other: nil
      }
    self.init(
      id: device.id, name: device.name,
      vendorAndProduct: DeviceMatch.VendorAndProduct(
        vendor: device.identifier.vendor, product: device.identifier.product), kind: kind)
  }
}

extension DeviceMatch {
  /// Whether `device` matches.
  public func fits(_ device: RuleDevice) -> Bool {
    if let kind, kind != device.kind { return false }
    if let vendorAndProduct, vendorAndProduct != device.vendorAndProduct { return false }
    guard let name else { return true }
    return Self.fits(pattern: Array(name.lowercased()), Array(device.name.lowercased()))
  }

  /// `*` matches anything and `?` one character.
  private static func fits(pattern: [Character], _ text: [Character]) -> Bool {
    var (p, t) = (0, 0)
    // the position of the last star, and the end of the text it covers so far
    var star: (pattern: Int, text: Int)?
    while t < text.count {
      if p < pattern.count, pattern[p] == "*" {
        star = (p, t)
        p += 1
      } else if p < pattern.count, pattern[p] == "?" || pattern[p] == text[t] {
        p += 1
        t += 1
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        (p, t) = (last.pattern + 1, last.text + 1)
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == "*" }
  }
}
