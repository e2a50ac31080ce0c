import GlissEvents
import GlissSynthesis

/// Devices to plug in, ordinary ones and such as no one would build.
struct SampleDevice: Sendable, CustomStringConvertible {
  var description: String
  var device: Device

  init(_ description: String, _ device: Device) {
    self.description = description
    self.device = device
    self.device.name = "Gliss test, \(description)"
    self.device.identifier = Device.Identifier(bus: 0x18, vendor: 0x4f3, product: 0x636, version: 1)
  }

  static let pad = padded("pad")
  static let mouse = SampleDevice(
    "mouse", Device(name: "", keys: [.leftButton, .rightButton], relativeAxes: [0, 1, 8]))
  static let keyboard = SampleDevice(
    "keyboard", Device(name: "", keys: Set((1..<128).map { Key(rawValue: $0) })))

  static let all: [SampleDevice] =
    Pad.named.map { name, pad in
      SampleDevice(name, Stroke.drag(by: Vector2(x: 5, y: 5)).trace(on: pad, seed: 1).device)
    } + [mouse, keyboard] + odd

  private static let odd = [
    padded("no resolution", resolution: 0),
    padded("thirty thousand units a millimetre", resolution: 30_000),
    padded("a resolution below zero", resolution: -1),
    padded("all there is", minimum: .min, maximum: .max, resolution: .max),
    padded("a point", minimum: 7, maximum: 7),
    padded("as many slots as the kernel takes", slots: 100),
    SampleDevice("nothing", Device(name: "")),
    SampleDevice(
      "semi-mt",
      {
        var device = padded("").device
        device.properties.insert(.semiMultitouch)
        return device
      }()),
  ]

  private static func padded(
    _ description: String, minimum: Int32 = 0, maximum: Int32 = 1000, resolution: Int32 = 10,
    slots: Int32 = 5
  ) -> SampleDevice {
    let axis = AxisRange(minimum: minimum, maximum: maximum, resolution: resolution)
    return SampleDevice(
      description,
      Device(
        name: "",
        axes: [
          .x: axis, .y: axis, .positionX: axis, .positionY: axis,
          .slot: AxisRange(minimum: 0, maximum: slots - 1),
          .trackingID: AxisRange(minimum: 0, maximum: 65535, fuzz: 0, flat: 0),
          .touchPressure: AxisRange(minimum: 0, maximum: 255, fuzz: 4, flat: 2),
        ], keys: [.touch, .toolFinger, .toolDoubleTap, .leftButton],
        properties: [.pointer, .buttonPad]))
  }
}
