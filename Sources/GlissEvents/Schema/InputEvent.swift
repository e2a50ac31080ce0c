/// Anything a session tells its handlers.
public enum InputEvent: Sendable {
  case gesture(GestureEvent)
  case touch(TouchFrame)
  case key(KeyEvent)
  case button(ButtonEvent)

  public var time: EventTime {
    switch self {
    case .gesture(let event): event.time
    case .touch(let frame): frame.time
    case .key(let event): event.time
    case .button(let event): event.time
    }
  }

  public var device: DeviceID {
    switch self {
    case .gesture(let event): event.device
    case .touch(let frame): frame.device
    case .key(let event): event.device
    case .button(let event): event.device
    }
  }

  /// The one bit of an ``EventMask`` that this event belongs to.
  public var mask: EventMask {
    switch self {
    case .gesture: .gesture
    case .touch: .touch
    case .key: .key
    case .button: .pointer
    }
  }
}

/// Which kinds of event somebody wants to see.
public struct EventMask: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let gesture = EventMask(rawValue: 1)
  public static let touch = EventMask(rawValue: 2)
  public static let key = EventMask(rawValue: 4)
  /// Buttons of pads and mice.
  public static let pointer = EventMask(rawValue: 8)
  public static let all: EventMask = [.gesture, .touch, .key, .pointer]
}
