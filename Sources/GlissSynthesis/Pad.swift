public import GlissEvents

/// A touchpad or touchscreen for traces: its size, what it reports, how fast and how precisely.
public struct Pad: Hashable, Sendable {
  /// The name of the device.
  public var name: String
  /// Width and height in mm.
  public var size: Vector2
  /// Units per mm, horizontally and vertically.
  public var unitsPerMillimetre: Vector2
  /// The horizontal axis' smallest value.
  public var minimumX: Int32
  /// The vertical axis' smallest value.
  public var minimumY: Int32
  /// Whether the axes report their units per mm.
  public var reportsResolution: Bool
  /// How many contacts the pad can distinguish, 1…256. Further fingers are only counted, through
  /// `BTN_TOOL_*`.
  public var slots: Int {
    didSet { slots = Self.valid(slots) }
  }
  /// Reports contact size as `ABS_MT_TOUCH_MAJOR`, in position units.
  public var reportsMajor: Bool
  /// Reports `ABS_MT_PRESSURE`, 0…255.
  public var reportsPressure: Bool
  /// Marks palms with `MT_TOOL_PALM`.
  public var reportsPalms: Bool
  /// Whether it is a touchscreen instead of a touchpad.
  public var isTouchscreen: Bool
  /// Reports per second, in Hz, 1…10,000; each trace draws its own.
  public var reportRate: ClosedRange<Double>
  /// How much the time between reports varies, as a share of it (standard deviation).
  public var reportJitter: Double
  /// Noise of the measured position before it is rounded to units, in mm (standard deviation).
  public var noise: Double
  /// Contacts closer than this are sometimes merged into one for a few reports, in mm; 0 for never.
  public var mergeDistance = 0.0
  /// How often two contacts swap slots, per second.
  public var swapRate = 0.0

  /// A pad; sizes in mm, rates in Hz, jitter as a share of the time between reports.
  public init(
    name: String, size: Vector2, unitsPerMillimetre: Vector2, minimumX: Int32 = 0,
    minimumY: Int32 = 0, reportsResolution: Bool = true, slots: Int = 5,
    reportsMajor: Bool = false, reportsPressure: Bool = false, reportsPalms: Bool = false,
    isTouchscreen: Bool = false, reportRate: ClosedRange<Double> = 60...140,
    reportJitter: Double = 0.04, noise: Double = 0.02
  ) {
    self.name = name
    self.size = size
    self.unitsPerMillimetre = unitsPerMillimetre
    self.minimumX = minimumX
    self.minimumY = minimumY
    self.reportsResolution = reportsResolution
    self.slots = Self.valid(slots)
    self.reportsMajor = reportsMajor
    self.reportsPressure = reportsPressure
    self.reportsPalms = reportsPalms
    self.isTouchscreen = isTouchscreen
    self.reportRate = reportRate
    self.reportJitter = reportJitter
    self.noise = noise
  }

  /// 69 × 38 mm at 24 units per mm, axes that start at 1472 and 1408, two slots, pressure: an older
  /// laptop's pad.
  public static let small = Pad(
    name: "Gliss Small Pad", size: Vector2(x: 69, y: 38),
    unitsPerMillimetre: Vector2(x: 24, y: 24), minimumX: 1472, minimumY: 1408, slots: 2,
    reportsPressure: true, reportRate: 60...90, noise: 0.03)

  /// 105 × 66 mm at 31 units per mm, five slots, positions and palms only: a laptop's precision
  /// pad.
  public static let medium = Pad(
    name: "Gliss Medium Pad", size: Vector2(x: 105, y: 66),
    unitsPerMillimetre: Vector2(x: 31, y: 31), slots: 5, reportsPalms: true,
    reportRate: 100...140, noise: 0.015)

  /// 160 × 115 mm at 47 by 43 units per mm, axes centred on 0, sixteen slots, contact size and
  /// pressure.
  public static let large = Pad(
    name: "Gliss Large Pad", size: Vector2(x: 160, y: 115),
    unitsPerMillimetre: Vector2(x: 47, y: 43), minimumX: -3760, minimumY: -2472, slots: 16,
    reportsMajor: true, reportsPressure: true, reportRate: 80...125, noise: 0.02)

  /// 96 × 60 mm, five slots, and axes without a resolution.
  public static let unsized = Pad(
    name: "Gliss Unsized Pad", size: Vector2(x: 96, y: 60),
    unitsPerMillimetre: Vector2(x: 20, y: 20), reportsResolution: false, slots: 5,
    reportsPressure: true, reportRate: 60...100, noise: 0.03)

  /// A 13 inch touchscreen: 294 × 165 mm at 14 units per mm, ten slots.
  public static let touchscreen = Pad(
    name: "Gliss Touchscreen", size: Vector2(x: 294, y: 165),
    unitsPerMillimetre: Vector2(x: 14, y: 14), slots: 10, isTouchscreen: true,
    reportRate: 60...120, noise: 0.04)

  /// All of the above, by the names used in tools and folders.
  public static let named: [(name: String, pad: Pad)] = [
    ("small-pad", .small), ("medium-pad", .medium), ("large-pad", .large),
    ("unsized-pad", .unsized), ("touchscreen", .touchscreen),
  ]

  /// All of the above.
  public static let all: [Pad] = named.map(\.pad)

  /// The pad as the kernel would describe it.
  public var device: Device {
    let horizontal = axis(minimumX, size.x, unitsPerMillimetre.x)
    let vertical = axis(minimumY, size.y, unitsPerMillimetre.y)
    var axes: [AbsoluteAxis: AxisRange] = [
      .x: horizontal, .y: vertical, .positionX: horizontal, .positionY: vertical,
      .slot: AxisRange(minimum: 0, maximum: Int32(clamping: slots - 1)),
      .trackingID: AxisRange(minimum: 0, maximum: 65535),
    ]
    if reportsMajor {
      let longest = Int32(rounding: 60 * unitsPerMillimetre.x)
      axes[.touchMajor] = AxisRange(
        minimum: 0, maximum: longest, resolution: horizontal.resolution)
    }
    if reportsPressure {
      axes[.pressure] = AxisRange(minimum: 0, maximum: 255)
      axes[.touchPressure] = AxisRange(minimum: 0, maximum: 255)
    }
    if reportsPalms { axes[.toolType] = AxisRange(minimum: 0, maximum: ToolType.palm) }
    var keys: Set<Key> = [.touch]
    if !isTouchscreen {
      keys.insert(.leftButton)
      keys.formUnion(Self.tools)
    }
    return Device(
      name: name,
      identifier: Device.Identifier(bus: 0x18, vendor: 0x6c73, product: product, version: 1),
      axes: axes, keys: keys, properties: isTouchscreen ? [.direct] : [.pointer, .buttonPad])
  }

  /// The keys that say how many fingers touch a touchpad, from one.
  static let tools: [Key] = [
    .toolFinger, .toolDoubleTap, .toolTripleTap, .toolQuadTap, .toolQuintTap,
  ]

  private static func valid(_ slots: Int) -> Int { min(max(1, slots), 256) }

  private var product: UInt16 { UInt16(clamping: Int32(rounding: size.x.rounded(.towardZero))) }

  private func axis(_ minimum: Int32, _ length: Double, _ units: Double) -> AxisRange {
    AxisRange(
      minimum: minimum, maximum: minimum &+ Int32(rounding: length * units),
      resolution: reportsResolution ? Int32(rounding: units) : 0)
  }
}

extension Int32 {
  /// The nearest representable integer; 0 for NaN.
  init(rounding value: Double) {
    if value.isNaN {
      self = 0
    } else {
      self = Int32(Swift.max(-2_147_483_648, Swift.min(2_147_483_647, value.rounded())))
    }
  }
}
