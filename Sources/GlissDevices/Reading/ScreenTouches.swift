import GlissEvents
import GlissSession

/// Converts libinput's touch events back into multitouch events, for the same decoder.
struct ScreenTouches {
  /// The device as the session sees it: with slots, even if it has none itself.
  let device: Device
  private let origin: (x: Int32, y: Int32)
  private var lastIdentifier: Int32 = 0

  /// - Returns: `nil` if the device has no positions.
  init?(of device: Device) {
    guard let horizontal = device.horizontal, let vertical = device.vertical else { return nil }
    var device = device
    device.axes[.positionX] = horizontal
    device.axes[.positionY] = vertical
    let ids = AxisRange(minimum: 0, maximum: 65535)
    device.axes[.slot] = device.axes[.slot] ?? AxisRange(minimum: 0, maximum: 0)
    device.axes[.trackingID] = device.axes[.trackingID] ?? ids
    device.properties.insert(.direct)
    self.device = device
    origin = (horizontal.minimum, vertical.minimum)
  }

  /// The number of units on each axis as libinput counts them, including both ends.
  var span: (width: UInt32, height: UInt32) {
    (Self.count(device.horizontal), Self.count(device.vertical))
  }

  private static func count(_ axis: AxisRange?) -> UInt32 {
    guard let axis else { return 1 }
    return UInt32(clamping: Int64(axis.maximum) - Int64(axis.minimum) + 1)
  }

  mutating func deliver(
    _ touch: LibinputEvent.Touch, at time: EventTime, from identifier: DeviceID,
    into session: Session
  ) {
    func tell(_ axis: AbsoluteAxis, _ value: Int32) {
      session.process(.absolute(axis, value, at: time), from: identifier)
    }
    switch touch {
    case .down(let slot, let place):
      lastIdentifier = lastIdentifier == 65535 ? 0 : lastIdentifier + 1
      tell(.slot, slot)
      tell(.trackingID, lastIdentifier)
      tell(.positionX, Self.unit(place.x, origin.x))
      tell(.positionY, Self.unit(place.y, origin.y))
    case .moved(let slot, let place):
      tell(.slot, slot)
      tell(.positionX, Self.unit(place.x, origin.x))
      tell(.positionY, Self.unit(place.y, origin.y))
    case .up(let slot):
      tell(.slot, slot)
      tell(.trackingID, -1)
    case .cancelled:
      // a palm among fingers spoils their gesture too
      session.cancel(identifier, at: time)
    case .frame: session.process(.report(at: time), from: identifier)
    }
  }

  private static func unit(_ place: Double, _ origin: Int32) -> Int32 {
    Int32(clamping: Int64(saturating: place.rounded() + Double(origin)))
  }
}
