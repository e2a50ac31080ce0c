import CLibinput
import Foundation
import GlissEvents

/// libinput's gestures on a touchpad, reported as Gliss would report them.
///
/// Two-finger scrolling counts as a drag, a pinch also as a rotation, and clicks without a physical
/// button as taps. libinput has its default settings, but tapping is on.
final class LibinputListener {
  private let context: OpaquePointer
  private let interface: UnsafeMutablePointer<libinput_interface>
  private var teller = GestureTeller()

  init(_ path: String) throws {
    interface = .allocate(capacity: 1)
    interface.initialize(
      to: libinput_interface(
        open_restricted: { path, flags, _ in
          guard let path else { return -EINVAL }
          let descriptor = open(path, flags)
          return descriptor < 0 ? -errno : descriptor
        }, close_restricted: { descriptor, _ in close(descriptor) }))
    guard let context = libinput_path_create_context(interface, nil) else {
      throw Failure("libinput cannot be set up")
    }
    self.context = context
    guard let device = libinput_path_add_device(context, path) else {
      throw Failure("\(path): libinput does not take it")
    }
    libinput_device_config_tap_set_enabled(device, LIBINPUT_CONFIG_TAP_ENABLED)
  }

  func run() {
    var waiting = pollfd(fd: libinput_get_fd(context), events: Int16(POLLIN), revents: 0)
    var isOver = false
    while !isOver {
      libinput_dispatch(context)
      while let event = libinput_get_event(context) {
        isOver = isOver || libinput_event_get_type(event) == LIBINPUT_EVENT_DEVICE_REMOVED
        take(event)
        libinput_event_destroy(event)
      }
      if !isOver { poll(&waiting, 1, -1) }
    }
  }

  private func take(_ event: OpaquePointer) {
    switch libinput_event_get_type(event) {
    case LIBINPUT_EVENT_GESTURE_SWIPE_BEGIN: gesture(event, .swipe, .began)
    case LIBINPUT_EVENT_GESTURE_SWIPE_UPDATE: gesture(event, .swipe, .changed)
    case LIBINPUT_EVENT_GESTURE_SWIPE_END: gesture(event, .swipe, .ended)
    case LIBINPUT_EVENT_GESTURE_PINCH_BEGIN: gesture(event, .pinch, .began)
    case LIBINPUT_EVENT_GESTURE_PINCH_UPDATE: gesture(event, .pinch, .changed)
    case LIBINPUT_EVENT_GESTURE_PINCH_END: gesture(event, .pinch, .ended)
    case LIBINPUT_EVENT_GESTURE_HOLD_BEGIN: gesture(event, .hold, .began)
    case LIBINPUT_EVENT_GESTURE_HOLD_END: gesture(event, .hold, .ended)
    case LIBINPUT_EVENT_POINTER_SCROLL_FINGER: scroll(event)
    case LIBINPUT_EVENT_POINTER_MOTION: motion(event)
    case LIBINPUT_EVENT_POINTER_BUTTON: button(event)
    case _: break
    }
  }

  private func gesture(_ event: OpaquePointer, _ kind: GestureKind, _ phase: GesturePhase) {
    let gesture = libinput_event_get_gesture_event(event)
    let time = EventTime(microseconds: Int64(libinput_event_gesture_get_time_usec(gesture)))
    let fingers = Int(libinput_event_gesture_get_finger_count(gesture))
    let isCancelled =
      phase == .ended && libinput_event_gesture_get_cancelled(gesture) != 0
    var change = GestureTeller.Change()
    if kind != .hold && phase == .changed {
      change.translation = Vector2(
        x: libinput_event_gesture_get_dx_unaccelerated(gesture),
        y: libinput_event_gesture_get_dy_unaccelerated(gesture))
    }
    if kind == .pinch && phase == .changed {
      change.scale = libinput_event_gesture_get_scale(gesture)
      // degrees, clockwise, since the last event
      change.turn = -libinput_event_gesture_get_angle_delta(gesture) * .pi / 180
    }
    teller.take(kind, isCancelled ? .cancelled : phase, fingers, change, at: time)
  }

  private func scroll(_ event: OpaquePointer) {
    let pointer = libinput_event_get_pointer_event(event)
    func value(_ axis: libinput_pointer_axis) -> Double {
      guard libinput_event_pointer_has_axis(pointer, axis) != 0 else { return 0 }
      return libinput_event_pointer_get_scroll_value(pointer, axis)
    }
    let way = Vector2(
      x: value(LIBINPUT_POINTER_AXIS_SCROLL_HORIZONTAL),
      y: value(LIBINPUT_POINTER_AXIS_SCROLL_VERTICAL))
    let time = EventTime(microseconds: Int64(libinput_event_pointer_get_time_usec(pointer)))
    teller.scroll(way, at: time)
  }

  private func motion(_ event: OpaquePointer) {
    let pointer = libinput_event_get_pointer_event(event)
    teller.pointerMoved(
      Vector2(
        x: libinput_event_pointer_get_dx_unaccelerated(pointer),
        y: libinput_event_pointer_get_dy_unaccelerated(pointer)),
      at: EventTime(microseconds: Int64(libinput_event_pointer_get_time_usec(pointer))))
  }

  private func button(_ event: OpaquePointer) {
    let pointer = libinput_event_get_pointer_event(event)
    let fingers: [Key: Int] = [.leftButton: 1, .rightButton: 2, .middleButton: 3]
    let button = Key(rawValue: UInt16(libinput_event_pointer_get_button(pointer)))
    guard let count = fingers[button] else { return }
    let time = EventTime(microseconds: Int64(libinput_event_pointer_get_time_usec(pointer)))
    let isDown = libinput_event_pointer_get_button_state(pointer) == LIBINPUT_BUTTON_STATE_PRESSED
    teller.button(count, isDown: isDown, at: time)
  }
}

/// Puts libinput's events together to gestures and prints them in the one schema.
struct GestureTeller {
  struct Change {
    var translation = Vector2.zero
    var scale = 1.0
    var turn = 0.0
  }

  private var open: [GestureKind: GestureEvent] = [:]
  private var pressed: (fingers: Int, time: EventTime, moved: EventTime?, way: Vector2)?
  private var encoder = JSONLineEncoder()

  mutating func take(
    _ kind: GestureKind, _ phase: GesturePhase, _ fingers: Int, _ change: Change,
    at time: EventTime
  ) {
    var event =
      open[kind]
      ?? GestureEvent(
        time: time, device: DeviceID(rawValue: 0), kind: kind, phase: phase, fingers: fingers)
    event.time = time
    event.phase = phase
    event.translation.millimetres += change.translation
    if phase == .changed, kind == .pinch { event.scale = change.scale }
    event.rotation += change.turn
    open[kind] = phase == .ended || phase == .cancelled ? nil : event
    if phase != .changed { print(event) }
  }

  mutating func scroll(_ way: Vector2, at time: EventTime) {
    if way == .zero {
      if open[.drag] != nil { take(.drag, .ended, 2, Change(), at: time) }
    } else {
      let isNew = open[.drag] == nil
      take(.drag, isNew ? .began : .changed, 2, Change(translation: way), at: time)
    }
  }

  mutating func pointerMoved(_ way: Vector2, at time: EventTime) {
    guard var press = pressed else { return }
    press.way += way
    press.moved = press.moved ?? time
    pressed = press
  }

  /// A tap is a press and release without motion; with it, it is a drag after a tap.
  mutating func button(_ fingers: Int, isDown: Bool, at time: EventTime) {
    if isDown {
      pressed = (fingers, time, nil, .zero)
    } else if let press = pressed {
      pressed = nil
      let isDrag = press.way.length > 10
      var event = GestureEvent(
        time: isDrag ? press.moved ?? press.time : press.time, device: DeviceID(rawValue: 0),
        kind: isDrag ? .drag : .tap,
        phase: isDrag ? .began : .recognized, fingers: press.fingers)
      event.isAfterTap = isDrag
      event.translation.millimetres = press.way
      print(event)
      guard isDrag else { return }
      event.phase = .ended
      event.time = time
      print(event)
    }
  }

  private mutating func print(_ event: GestureEvent) {
    encoder.append(.gesture(event), deviceName: "libinput")
    FileHandle.standardOutput.write(Data(encoder.buffer.bytes))
    encoder.removeAll()
  }
}
