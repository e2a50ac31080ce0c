/// A touch's identity: unique for the lifetime of the process and device, never reused.
public struct TouchID: Hashable, Codable, Sendable, BitwiseCopyable {
  /// The touched device.
  public var device: DeviceID
  /// The number of the touch on its device, from 1.
  public var serial: UInt32

  /// The identity of a device's touch.
  public init(device: DeviceID, serial: UInt32) {
    self.device = device
    self.serial = serial
  }
}

/// One finger, thumb or palm on a device, in one frame.
public struct Touch: Hashable, Sendable, BitwiseCopyable {
  /// How a touch has changed since the frame before.
  public enum Phase: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// It was not there before.
    case began
    /// Its position has changed.
    case moved
    /// Its position has not changed.
    case stationary
    /// It has lifted; this is its last frame.
    case ended
    /// It is no longer followed, as after a loss of events or a lock; this is its last frame.
    case cancelled

    /// Whether the touch ends with this frame.
    public var isFinal: Bool { self == .ended || self == .cancelled }
  }

  /// Which touch it is: the same in all its frames.
  public var id: TouchID
  /// How it has changed since the frame before.
  public var phase: Phase
  /// Whether it is a resting palm or thumb, which takes no part in gestures.
  public var isResting: Bool
  /// 0…1 over the device, origin at the top left, y down (`NSTouch`: origin at the lower left).
  public var normalizedPosition: Vector2
  /// Position in mm from the device's top left corner.
  public var position: Vector2
  /// The contact's larger diameter, in the device's own units; 0 if not reported.
  public var major: Float
  /// Pressure in the device's own units; 0 if not reported.
  public var pressure: Float

  /// A touch in one frame; positions in mm and as shares of the device.
  public init(
    id: TouchID, phase: Phase, isResting: Bool = false, normalizedPosition: Vector2,
    position: Vector2, major: Float = 0, pressure: Float = 0
  ) {
    self.id = id
    self.phase = phase
    self.isResting = isResting
    self.normalizedPosition = normalizedPosition
    self.position = position
    self.major = major
    self.pressure = pressure
  }

  /// Fills the unused elements of an ``InlineList``.
  package static let none = Touch(
    id: TouchID(device: DeviceID(rawValue: 0), serial: 0), phase: .cancelled,
    normalizedPosition: .zero, position: .zero)
}

/// All touches of one device at one instant.
///
/// A touch that ends is in the list one last time, with its final phase.
public struct TouchFrame: Equatable, Sendable {
  /// The maximum number of touches in a frame. Two hands have ten fingers; on devices with more
  /// slots only the first sixteen are followed.
  public static let capacity = 16

  /// When the kernel got the frame, on the source's clock.
  public var time: EventTime
  /// The touched device.
  public var device: DeviceID
  /// The touches on the device, and those that end with this frame.
  public var touches = InlineList<16, Touch>(filler: .none)
  /// The number of fingers the device counts: more than `touches` on pads with fewer slots than
  /// fingers.
  public var fingerCount = 0
  /// Whether a physical button of the pad is down (`BTN_LEFT`, `BTN_MIDDLE`, `BTN_RIGHT`).
  public var isButtonDown = false
  /// Whether the positions are corners of a box around the fingers, not the fingers themselves.
  public var isBoundingBox = false
  /// Whether the pad reports two touches as one contact for now: how they move apart is not known.
  package var isMerged = false
  /// Whether a touch that begins was down before: the recording began later, or events were lost.
  package var hasContinued = false

  /// A frame without touches.
  public init(time: EventTime, device: DeviceID) {
    self.time = time
    self.device = device
  }
}
