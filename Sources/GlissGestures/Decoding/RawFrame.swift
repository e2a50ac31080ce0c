public import GlissEvents

/// One contact as the device reports it, in the device's own units.
public struct RawContact: Hashable, Sendable, BitwiseCopyable {
  /// The slot it is in.
  public var slot: UInt8
  /// Counts the slot's contacts: another number is another finger, even in the same frame.
  public var generation: UInt32
  public var x: Int32
  public var y: Int32
  public var major: Int32
  public var pressure: Int32
  /// The device itself calls it a palm (`MT_TOOL_PALM`).
  public var isPalm: Bool

  static let none = RawContact(
    slot: 0, generation: 0, x: 0, y: 0, major: 0, pressure: 0, isPalm: false)
}

/// What a touch device said in one packet.
public struct RawFrame: Sendable {
  public var time = EventTime.zero
  public var contacts = InlineList<16, RawContact>(filler: .none)
  /// Fingers the device counts (`BTN_TOOL_*`): more than `contacts` has where fingers outnumber slots.
  public var fingerCount = 0
  public var isButtonDown = false
  /// Events were lost before this frame: whatever was touching is not known to be the same.
  public var isAfterLoss = false

  public init() {}
}
