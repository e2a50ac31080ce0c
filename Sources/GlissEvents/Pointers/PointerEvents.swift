/// A mouse or trackpoint moved.
public struct MotionEvent: Hashable, Sendable, BitwiseCopyable {
  /// When the kernel got it, on the source's clock.
  public var time: EventTime
  /// The mouse.
  public var device: DeviceID
  /// Accelerated with libinput's default, in libinput's unit: counts of a mouse with 1000 counts
  /// per inch; y points down.
  public var delta: Vector2

  /// A motion by `delta`.
  public init(time: EventTime, device: DeviceID, delta: Vector2) {
    self.time = time
    self.device = device
    self.delta = delta
  }
}

/// A wheel turned, or a button was held and the device moved.
public struct ScrollEvent: Hashable, Sendable, BitwiseCopyable {
  /// What was moved.
  public enum Source: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// A wheel: its delta is in degrees of a wheel with 24 notches, so 15 is a notch of any wheel.
    case wheel
    /// A finger on something other than a touchpad; its delta is in the unit of motion.
    case finger
    /// Any other source without notches, such as a trackpoint with a button held; in the unit of
    /// motion.
    case continuous
  }

  /// When the kernel got it, on the source's clock.
  public var time: EventTime
  /// The device that scrolls.
  public var device: DeviceID
  /// What scrolls.
  public var source: Source
  /// The amount: positive to the right and down.
  public var delta: Vector2

  /// A step of scrolling by `delta`.
  public init(time: EventTime, device: DeviceID, source: Source, delta: Vector2) {
    self.time = time
    self.device = device
    self.source = source
    self.delta = delta
  }
}

/// The turns of wheels in one packet.
package struct WheelTurn: Sendable {
  package private(set) var events: [EvdevEvent] = []

  package init() {}

  /// `REL_HWHEEL`, `REL_WHEEL`, and those of high resolution, with 120 parts to a notch of 15°.
  private static let (across, along, fineAlong, fineAcross): (UInt16, UInt16, UInt16, UInt16) =
    (6, 8, 11, 12)
  package static let axes: Set<UInt16> = [across, along]

  package var isEmpty: Bool { events.isEmpty }

  /// Keeps the event if it is part of a turn, and returns whether it is.
  package mutating func take(_ event: EvdevEvent) -> Bool {
    guard [Self.across, Self.along, Self.fineAlong, Self.fineAcross].contains(event.code) else {
      return false
    }
    events.append(event)
    return true
  }

  package mutating func clear() { events.removeAll(keepingCapacity: true) }

  /// How far each wheel turned, in degrees with libinput's signs: down and right are positive.
  package var deltas: [Vector2] {
    [
      Vector2(x: 0, y: -degrees(Self.along, Self.fineAlong)),
      Vector2(x: degrees(Self.across, Self.fineAcross), y: 0),
    ].filter { $0 != .zero }
  }

  private func degrees(_ axis: UInt16, _ fine: UInt16) -> Double {
    func sum(_ code: UInt16) -> Double {
      events.reduce(0) { $0 + ($1.code == code ? Double($1.value) : 0) }
    }
    return events.contains { $0.code == fine } ? sum(fine) / 8 : sum(axis) * 15
  }
}
