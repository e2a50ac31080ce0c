public import GlissHotkeys

/// When something is to happen, and what.
public struct Rule: Hashable, Sendable {
  /// What its user calls it; logs and `gliss why` do too.
  public var name: String?
  public var trigger: Trigger
  /// The mode it holds in; without one it holds while no mode is entered.
  public var mode: String?
  /// Whose events count; `nil` for all.
  public var device: DeviceMatch?
  public var reactions: Reactions
  public var place: Place

  /// What a rule waits for.
  public enum Trigger: Hashable, Sendable {
    // apart, for it is large, and rules are copied
    indirect case gesture(GestureCondition)
    case hotkey(HotkeyCondition)
  }

  public init(
    name: String? = nil, trigger: Trigger, mode: String? = nil, device: DeviceMatch? = nil,
    reactions: Reactions, place: Place
  ) {
    self.name = name
    self.trigger = trigger
    self.mode = mode
    self.device = device
    self.reactions = reactions
    self.place = place
  }
}

extension Rule {
  /// Whether it waits for a hotkey, not for a gesture.
  public var isHotkey: Bool {
    switch trigger {
    case .hotkey: true
    case .gesture: false
    }
  }
}

/// A hotkey that a rule waits for.
public struct HotkeyCondition: Hashable, Sendable {
  public var hotkey: Hotkey
  /// The rest of the desktop does not get the chord.
  public var consumes: Bool

  public init(hotkey: Hotkey, consumes: Bool = false) {
    self.hotkey = hotkey
    self.consumes = consumes
  }
}

/// What devices a rule or a profile is about: all that is named must fit.
public struct DeviceMatch: Hashable, Sendable {
  /// The device's name, in which `*` stands for anything and `?` for one character; case does not count.
  public var name: String?
  /// Vendor and product as udev and lsusb write them, in hex: `04f3:0676`.
  public var vendorAndProduct: VendorAndProduct?
  public var kind: Kind?

  /// What a device is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case touchpad, touchscreen, keyboard, mouse
  }

  public struct VendorAndProduct: Hashable, Sendable {
    public var vendor: UInt16
    public var product: UInt16

    public init(vendor: UInt16, product: UInt16) {
      self.vendor = vendor
      self.product = product
    }
  }

  public init(
    name: String? = nil, vendorAndProduct: VendorAndProduct? = nil, kind: Kind? = nil
  ) {
    self.name = name
    self.vendorAndProduct = vendorAndProduct
    self.kind = kind
  }
}
