public import GlissEvents

/// One contact as the device reports it, in the device's own units.
public struct RawContact: Hashable, Sendable, BitwiseCopyable {
  /// The slot that holds it.
  public var slot: UInt8
  /// Counts the contacts in the slot: another number is another finger, even in the same frame.
  public var generation: UInt32
  public var x: Int32
  public var y: Int32
  public var major: Int32
  public var pressure: Int32
  /// The device reports it as a palm (`MT_TOOL_PALM`).
  public var isPalm: Bool

  static let none = RawContact(
    slot: 0, generation: 0, x: 0, y: 0, major: 0, pressure: 0, isPalm: false)
}

/// The contacts of a touch device in one packet.
public struct RawFrame: Sendable {
  public var time = EventTime.zero
  public var contacts = InlineList<16, RawContact>(filler: .none)
  /// The number of fingers the device counts (`BTN_TOOL_*`): more than `contacts` if there are more
  /// fingers than slots.
  public var fingerCount = 0
  public var isButtonDown = false
  /// Events were lost before this frame: earlier contacts may be different fingers now.
  public var isAfterLoss = false

  public init() {}
}
