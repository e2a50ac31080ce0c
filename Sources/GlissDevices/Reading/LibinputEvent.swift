import CLibinput
import GlissEvents

/// A libinput event with its values copied out.
enum LibinputEvent {
  case key(Key, isDown: Bool)
  case button(Key, isDown: Bool)
  case motion(Vector2)
  case scroll(ScrollEvent.Source, Vector2)
  case touch(Touch)
  case deviceRemoved
  /// Not used here: tablets, switches, gestures, capabilities.
  case other

  /// A touchscreen event.
  enum Touch {
    /// A finger's position, in device units from the lower ends of the axes.
    case down(slot: Int32, Vector2)
    case moved(slot: Int32, Vector2)
    case up(slot: Int32)
    /// libinput has cancelled the touch: it is a palm, or a pen arrived.
    case cancelled(slot: Int32)
    /// All touches of one moment have been reported.
    case frame
  }

  /// - Parameter span: The number of units on a device's axes (``ScreenAxes``).
  init(
    _ event: OpaquePointer, span: (OpaquePointer) -> (width: UInt32, height: UInt32)
  ) {
    switch libinput_event_get_type(event) {
    case LIBINPUT_EVENT_KEYBOARD_KEY:
      let keyboard = libinput_event_get_keyboard_event(event)
      self = .key(
        Key(rawValue: UInt16(truncatingIfNeeded: libinput_event_keyboard_get_key(keyboard))),
        isDown: libinput_event_keyboard_get_key_state(keyboard) == LIBINPUT_KEY_STATE_PRESSED)
    case LIBINPUT_EVENT_POINTER_BUTTON:
      let pointer = libinput_event_get_pointer_event(event)
      self = .button(
        Key(rawValue: UInt16(truncatingIfNeeded: libinput_event_pointer_get_button(pointer))),
        isDown: libinput_event_pointer_get_button_state(pointer) == LIBINPUT_BUTTON_STATE_PRESSED)
    case LIBINPUT_EVENT_POINTER_MOTION:
      let pointer = libinput_event_get_pointer_event(event)
      self = .motion(
        Vector2(
          x: libinput_event_pointer_get_dx(pointer), y: libinput_event_pointer_get_dy(pointer)))
    case LIBINPUT_EVENT_POINTER_SCROLL_WHEEL: self = Self.scroll(event, .wheel)
    case LIBINPUT_EVENT_POINTER_SCROLL_FINGER: self = Self.scroll(event, .finger)
    case LIBINPUT_EVENT_POINTER_SCROLL_CONTINUOUS: self = Self.scroll(event, .continuous)
    case LIBINPUT_EVENT_TOUCH_DOWN:
      self = .touch(.down(slot: Self.slot(event), Self.place(event, span)))
    case LIBINPUT_EVENT_TOUCH_MOTION:
      self = .touch(.moved(slot: Self.slot(event), Self.place(event, span)))
    case LIBINPUT_EVENT_TOUCH_UP: self = .touch(.up(slot: Self.slot(event)))
    case LIBINPUT_EVENT_TOUCH_CANCEL: self = .touch(.cancelled(slot: Self.slot(event)))
    case LIBINPUT_EVENT_TOUCH_FRAME: self = .touch(.frame)
    case LIBINPUT_EVENT_DEVICE_REMOVED: self = .deviceRemoved
    case _: self = .other
    }
  }

  private static func scroll(_ event: OpaquePointer, _ source: ScrollEvent.Source) -> Self {
    let pointer = libinput_event_get_pointer_event(event)
    func value(_ axis: libinput_pointer_axis) -> Double {
      guard libinput_event_pointer_has_axis(pointer, axis) != 0 else { return 0 }
      return libinput_event_pointer_get_scroll_value(pointer, axis)
    }
    return .scroll(
      source,
      Vector2(
        x: value(LIBINPUT_POINTER_AXIS_SCROLL_HORIZONTAL),
        y: value(LIBINPUT_POINTER_AXIS_SCROLL_VERTICAL)))
  }

  /// Screens that track only one finger have no slots.
  private static func slot(_ event: OpaquePointer) -> Int32 {
    max(0, libinput_event_touch_get_slot(libinput_event_get_touch_event(event)))
  }

  private static func place(
    _ event: OpaquePointer, _ span: (OpaquePointer) -> (width: UInt32, height: UInt32)
  ) -> Vector2 {
    let touch = libinput_event_get_touch_event(event)
    guard let device = libinput_event_get_device(event) else { return .zero }
    let (width, height) = span(device)
    return Vector2(
      x: libinput_event_touch_get_x_transformed(touch, width),
      y: libinput_event_touch_get_y_transformed(touch, height))
  }

  /// The event's time; `nil` for events without one.
  static func time(of event: OpaquePointer) -> EventTime? {
    switch libinput_event_get_type(event) {
    case LIBINPUT_EVENT_KEYBOARD_KEY:
      time(libinput_event_keyboard_get_time_usec(libinput_event_get_keyboard_event(event)))
    case LIBINPUT_EVENT_POINTER_MOTION, LIBINPUT_EVENT_POINTER_BUTTON,
      LIBINPUT_EVENT_POINTER_SCROLL_WHEEL, LIBINPUT_EVENT_POINTER_SCROLL_FINGER,
      LIBINPUT_EVENT_POINTER_SCROLL_CONTINUOUS:
      time(libinput_event_pointer_get_time_usec(libinput_event_get_pointer_event(event)))
    case LIBINPUT_EVENT_TOUCH_DOWN, LIBINPUT_EVENT_TOUCH_MOTION, LIBINPUT_EVENT_TOUCH_UP,
      LIBINPUT_EVENT_TOUCH_CANCEL, LIBINPUT_EVENT_TOUCH_FRAME:
      time(libinput_event_touch_get_time_usec(libinput_event_get_touch_event(event)))
    case _: nil
    }
  }

  private static func time(_ microseconds: UInt64) -> EventTime {
    EventTime(microseconds: Int64(clamping: microseconds))
  }
}
