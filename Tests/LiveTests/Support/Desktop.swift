import CLibinput
import Foundation
import GlissDevices
import GlissEvents

/// What libinput tells a desktop of one device, with tapping on.
final class Desktop {
  struct Told: CustomStringConvertible {
    /// As in `swipe begin`.
    var kind: String
    var fingers = 0
    /// When libinput reported it. Its own time is that of the device's event, which may have waited.
    var time = InputLoop.now

    var description: String { fingers > 0 ? "\(kind) \(fingers)" : kind }
  }

  struct Refusal: Error {}

  private let context: OpaquePointer
  private let interface: UnsafeMutablePointer<libinput_interface>
  private(set) var told: [Told] = []
  private(set) var isGone = false

  /// - Parameters:
  ///   - keyboard: The node of a keyboard that the desktop reads, too.
  ///   - plugins: A folder of plugins for libinput. None must be given if libinput loads none.
  /// - Throws: if libinput does not take a device, as before udev has set it up.
  init(_ path: String, beside keyboard: String? = nil, plugins: String? = nil) throws {
    interface = .allocate(capacity: 1)
    interface.initialize(
      to: libinput_interface(
        open_restricted: { path, flags, _ in
          guard let path else { return -EINVAL }
          let descriptor = open(path, flags)
          return descriptor < 0 ? -errno : descriptor
        }, close_restricted: { descriptor, _ in close(descriptor) }))
    guard let context = libinput_path_create_context(interface, nil) else { throw Refusal() }
    self.context = context
    if let plugins, !PluginSystem.load(plugins, into: context) { throw Refusal() }
    guard let device = libinput_path_add_device(context, path) else { throw Refusal() }
    libinput_device_config_tap_set_enabled(device, LIBINPUT_CONFIG_TAP_ENABLED)
    if let keyboard, libinput_path_add_device(context, keyboard) == nil { throw Refusal() }
  }

  deinit {
    libinput_unref(context)
    interface.deallocate()
  }

  /// Another device that it reads.
  func add(_ path: String) throws {
    guard libinput_path_add_device(context, path) != nil else { throw Refusal() }
  }

  var descriptor: Int32 { libinput_get_fd(context) }

  func read() {
    libinput_dispatch(context)
    while let event = libinput_get_event(context) {
      take(event)
      libinput_event_destroy(event)
    }
  }

  /// What was told since this was asked last.
  func news() -> [Told] {
    read()
    defer { told.removeAll() }
    return told
  }

  private func take(_ event: OpaquePointer) {
    switch libinput_event_get_type(event) {
    case LIBINPUT_EVENT_GESTURE_SWIPE_BEGIN: gesture(event, "swipe begin")
    case LIBINPUT_EVENT_GESTURE_SWIPE_UPDATE: gesture(event, "swipe update")
    case LIBINPUT_EVENT_GESTURE_SWIPE_END: gesture(event, "swipe end")
    case LIBINPUT_EVENT_GESTURE_PINCH_BEGIN: gesture(event, "pinch begin")
    case LIBINPUT_EVENT_GESTURE_PINCH_UPDATE: gesture(event, "pinch update")
    case LIBINPUT_EVENT_GESTURE_PINCH_END: gesture(event, "pinch end")
    case LIBINPUT_EVENT_GESTURE_HOLD_BEGIN: gesture(event, "hold begin")
    case LIBINPUT_EVENT_GESTURE_HOLD_END: gesture(event, "hold end")
    case LIBINPUT_EVENT_POINTER_SCROLL_FINGER: told.append(Told(kind: "scroll"))
    case LIBINPUT_EVENT_POINTER_MOTION: told.append(Told(kind: "motion"))
    case LIBINPUT_EVENT_POINTER_BUTTON:
      let button = libinput_event_pointer_get_button(libinput_event_get_pointer_event(event))
      told.append(Told(kind: "button \(button)"))
    case LIBINPUT_EVENT_DEVICE_REMOVED: isGone = true
    case _: break
    }
  }

  private func gesture(_ event: OpaquePointer, _ kind: String) {
    let gesture = libinput_event_get_gesture_event(event)
    told.append(
      Told(kind: kind, fingers: Int(libinput_event_gesture_get_finger_count(gesture))))
  }
}

extension [Desktop.Told] {
  /// Each kind and how often it came in a row, without the number of fingers.
  var summary: String {
    var parts: [(kind: String, count: Int)] = []
    for told in self {
      if parts.last?.kind == told.description {
        parts[parts.count - 1].count += 1
      } else {
        parts.append((told.description, 1))
      }
    }
    return parts.map { $0.count > 1 ? "\($0.kind) ×\($0.count)" : $0.kind }.joined(separator: ", ")
  }
}
