/// Any event a session reports to its handlers.
public enum InputEvent: Equatable, Sendable {
  /// A gesture begins, changes, ends or, as a tap, has happened.
  case gesture(GestureEvent)
  /// All touches of a device have new values.
  case touch(TouchFrame)
  /// A key was pressed, repeated or released.
  case key(KeyEvent)
  /// A button of a pad or mouse was pressed or released.
  case button(ButtonEvent)
  /// A mouse was moved.
  case motion(MotionEvent)
  /// Something scrolled: a wheel, or a trackpoint with a button held.
  case scroll(ScrollEvent)
  /// A device was added or removed.
  case device(DeviceEvent)
  /// A registered hotkey was pressed, repeated or released.
  case hotkey(HotkeyEvent)
  /// The kernel has dropped events of a device.
  case lost(LossEvent)

  /// When it happened, on the source's clock.
  public var time: EventTime {
    switch self {
    case .gesture(let event): event.time
    case .touch(let frame): frame.time
    case .key(let event): event.time
    case .button(let event): event.time
    case .motion(let event): event.time
    case .scroll(let event): event.time
    case .device(let event): event.time
    case .hotkey(let event): event.time
    case .lost(let event): event.time
    }
  }

  /// The device that it comes from.
  public var device: DeviceID {
    switch self {
    case .gesture(let event): event.device
    case .touch(let frame): frame.device
    case .key(let event): event.device
    case .button(let event): event.device
    case .motion(let event): event.device
    case .scroll(let event): event.device
    case .device(let event): event.device
    case .hotkey(let event): event.device
    case .lost(let event): event.device
    }
  }

  /// The gesture; `nil` if it is another event.
  package var gesture: GestureEvent? { if case .gesture(let event) = self { event } else { nil } }

  /// The bit of an ``EventMask`` for this event.
  public var mask: EventMask {
    switch self {
    case .gesture: .gesture
    case .touch: .touch
    case .key: .key
    case .button, .motion: .pointer
    case .scroll: .scroll
    case .device: .device
    case .hotkey: .hotkey
    case .lost: .lost
    }
  }
}

/// A set of the kinds of event.
public struct EventMask: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Gestures.
  public static let gesture = EventMask(rawValue: 1)
  /// Frames of touches.
  public static let touch = EventMask(rawValue: 2)
  /// Keys; also those that type.
  public static let key = EventMask(rawValue: 4)
  /// Motion of mice, and buttons of pads and mice.
  public static let pointer = EventMask(rawValue: 8)
  /// Wheels, and trackpoints with a button held; scrolling with fingers is a drag.
  public static let scroll = EventMask(rawValue: 16)
  /// Devices that are added or removed.
  public static let device = EventMask(rawValue: 32)
  /// Hotkeys that were registered with the session.
  public static let hotkey = EventMask(rawValue: 64)
  /// Events that the kernel has dropped.
  public static let lost = EventMask(rawValue: 128)
  /// Every kind.
  public static let all: EventMask = [
    .gesture, .touch, .key, .pointer, .scroll, .device, .hotkey, .lost,
  ]
}

/// One element of an event stream from another process, as defined by the event schema.
public enum GlobalEvent: Equatable, Sendable {
  /// An event of a device, and the device's name.
  case input(InputEvent, device: String)
  /// The seat's state changed, so that from now on more or fewer events are reported.
  case session(SessionState, at: EventTime)
  /// The number of messages skipped here because this end did not read in time.
  ///
  /// A monitor cancels open touches and gestures before it, and releases keys and buttons, because
  /// their end may be among them. It reports nothing more of those until they begin again. Events
  /// that the kernel has dropped are input: ``InputEvent/lost(_:)``.
  case lost(Int64)
}

/// The state of the seat that the input comes from.
public enum SessionState: String, Hashable, Sendable, CaseIterable {
  /// Everything that is granted is reported.
  case active
  /// Another user's session is in the foreground.
  case inactive
  /// The screen is locked.
  case locked
  /// The machine sleeps.
  case asleep
  /// The user has paused everything.
  case paused
  /// The user is typing a secret: no keys are reported.
  case secureInput
  /// The grant was revoked: the stream ends.
  case revoked
}

/// A registered handler, to remove it.
///
/// The handler stays registered when this is released. Use it on the thread of the object that
/// the handler was registered with.
public struct HandlerToken {
  private let end: () -> Void

  package init(_ end: @escaping () -> Void) { self.end = end }

  /// Stops calling the handler, even for an event that is being reported. A handler may remove
  /// itself and others. Does nothing if it was removed already.
  public func remove() { end() }
}
