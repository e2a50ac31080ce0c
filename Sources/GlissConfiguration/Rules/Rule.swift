public import GlissHotkeys

/// A trigger, and what to do when it occurs.
public struct Rule: Hashable, Sendable {
  /// The user's name for it, also used by logs and `gliss why`.
  public var name: String?
  public var trigger: Trigger
  /// The mode in which it applies. If `nil`, it applies while no mode is active.
  public var mode: String?
  /// The devices whose events count; `nil` for all.
  public var device: DeviceMatch?
  public var reactions: Reactions
  public var place: Place

  /// What triggers a rule.
  public enum Trigger: Hashable, Sendable {
    // indirect, because it is large and rules are copied
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
  /// Whether its trigger is a hotkey, not a gesture.
  public var isHotkey: Bool {
    switch trigger {
    case .hotkey: true
    case .gesture: false
    }
  }
}

/// A hotkey that triggers a rule.
public struct HotkeyCondition: Hashable, Sendable {
  public var hotkey: Hotkey
  /// The rest of the desktop does not receive the chord.
  public var consumes: Bool

  public init(hotkey: Hotkey, consumes: Bool = false) {
    self.hotkey = hotkey
    self.consumes = consumes
  }
}

/// The devices that a rule or profile applies to. All conditions that are set must hold.
public struct DeviceMatch: Hashable, Sendable {
  /// The device's name, in which `*` matches anything and `?` one character, ignoring case.
  public var name: String?
  /// Vendor and product in hex as written by udev and lsusb: `04f3:0676`.
  public var vendorAndProduct: VendorAndProduct?
  public var kind: Kind?

  /// The kind of device.
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
