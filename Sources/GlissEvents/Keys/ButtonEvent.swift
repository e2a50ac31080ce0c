/// A button of a pad or mouse, pressed or released.
public struct ButtonEvent: Hashable, Sendable, BitwiseCopyable {
  public var time: EventTime
  public var device: DeviceID
  public var button: Key
  public var isDown: Bool

  public init(time: EventTime, device: DeviceID, button: Key, isDown: Bool) {
    self.time = time
    self.device = device
    self.button = button
    self.isDown = isDown
  }
}
