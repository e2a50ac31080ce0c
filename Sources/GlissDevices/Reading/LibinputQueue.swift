import CLibinput
import CLibudev
import Glibc
import GlissEvents
import GlissSession

/// The queue of all that libinput reads: keys, pointers, wheels and touchscreens.
///
/// Devices are added by path. It opens them through ``opening``, so that descriptors that were
/// handed over can be used too.
final class LibinputQueue: InputQueue {
  /// A device that was added to libinput.
  final class Member {
    let identifier: DeviceID
    let path: String
    fileprivate let handle: OpaquePointer
    fileprivate var screen: ScreenTouches?

    fileprivate init(
      _ handle: OpaquePointer, _ identifier: DeviceID, _ path: String, _ screen: ScreenTouches?
    ) {
      self.handle = libinput_device_ref(handle)
      self.identifier = identifier
      self.path = path
      self.screen = screen
      libinput_device_set_user_data(handle, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
      libinput_device_set_user_data(handle, nil)
      libinput_device_unref(handle)
    }
  }

  private let handle: OpaquePointer
  /// Kept alive because libinput keeps the pointer.
  private let interface: UnsafeMutablePointer<libinput_interface>
  /// Opens a path for libinput. Returns a descriptor or a negative error number.
  var opening: (String) -> Int32 = { _ in -ENODEV }
  var didSay: ((String) -> Void)?
  var didRemove: ((Member) -> Void)?
  var didKey: ((Key, Bool) -> Void)?
  private var members: [String: Member] = [:]
  private var pending: (event: OpaquePointer, time: EventTime)?
  /// Unreported losses: the device whose events the kernel dropped, and when this was noticed.
  private var losses: [(device: DeviceID, time: EventTime)] = []

  init() throws(SystemError) {
    interface = .allocate(capacity: 1)
    interface.initialize(
      to: libinput_interface(
        open_restricted: { path, _, owner in
          guard let path, let owner else { return -EINVAL }
          return LibinputQueue.of(owner).opening(String(cString: path))
        },
        close_restricted: { descriptor, _ in close(descriptor) }))
    guard let handle = libinput_path_create_context(interface, nil) else {
      interface.deallocate()
      throw SystemError("libinput", "it cannot be set up", advice: "is there enough memory?")
    }
    self.handle = handle
    libinput_set_user_data(handle, Unmanaged.passUnretained(self).toOpaque())
    libinput_log_set_handler(handle) { context, priority, format, arguments in
      guard let owner = context.flatMap({ libinput_get_user_data($0) }), let format, let arguments
      else { return }
      LibinputQueue.of(owner).take(format, arguments, priority)
    }
    // losses are only reported at this level
    libinput_log_set_priority(handle, LIBINPUT_LOG_PRIORITY_INFO)
  }

  deinit {
    if let pending { libinput_event_destroy(pending.event) }
    // devices must be released before their context, which frees their memory
    members.removeAll()
    libinput_unref(handle)
    interface.deallocate()
  }

  private static func of(_ owner: UnsafeMutableRawPointer) -> LibinputQueue {
    Unmanaged<LibinputQueue>.fromOpaque(owner).takeUnretainedValue()
  }

  var descriptor: Int32 { libinput_get_fd(handle) }

  // MARK: Devices

  /// Whether libinput accepts the device at `path`.
  static func accepts(_ path: String) -> Bool {
    guard let queue = try? LibinputQueue() else { return false }
    queue.opening = { path in (try? DeviceNode.open(path)) ?? -EACCES }
    return withExtendedLifetime(queue) { libinput_path_add_device(queue.handle, path) != nil }
  }

  /// Adds the device at `path`.
  ///
  /// - Parameter introduce: Adds the device to the session. Called once libinput has accepted the
  ///   device.
  /// - Returns: `nil` if libinput rejects the device.
  func add(
    _ path: String, introduce: (_ isScreen: Bool) -> (DeviceID, ScreenTouches?)?
  ) -> Member? {
    guard let handle = libinput_path_add_device(self.handle, path) else { return nil }
    let isScreen = libinput_device_has_capability(handle, LIBINPUT_DEVICE_CAP_TOUCH) != 0
    guard let (identifier, screen) = introduce(isScreen) else {
      libinput_path_remove_device(handle)
      return nil
    }
    let member = Member(handle, identifier, path, screen)
    members[path] = member
    return member
  }

  /// Releases the device at `path`. Its pending events are dropped.
  func remove(_ path: String) {
    guard let member = members.removeValue(forKey: path) else { return }
    libinput_path_remove_device(member.handle)
    libinput_device_set_user_data(member.handle, nil)
  }

  // MARK: Events

  func read() -> EvdevReader.Reading {
    libinput_dispatch(handle)
    return nextTime == nil ? .nothing : .events
  }

  var nextTime: EventTime? {
    while pending == nil, let event = libinput_get_event(handle) {
      if let time = Self.time(of: event) {
        pending = (event, time)
      } else {
        noteRemoval(event)
        libinput_event_destroy(event)
      }
    }
    return pending?.time ?? losses.first?.time
  }

  func deliver(into session: Session) -> EventTime? {
    guard let time = nextTime else { return nil }
    // what libinput reports about the device's new state must come after the loss
    for loss in losses { session.noteLoss(of: loss.device, at: min(time, loss.time)) }
    losses = []
    guard let event = pending?.event else { return nil }
    pending = nil
    defer { libinput_event_destroy(event) }
    guard let member = Self.member(of: event) else { return nil }
    handle(event, of: member, at: time, into: session)
    return time
  }

  private func handle(
    _ event: OpaquePointer, of member: Member, at time: EventTime, into session: Session
  ) {
    let identifier = member.identifier
    switch libinput_event_get_type(event) {
    case LIBINPUT_EVENT_KEYBOARD_KEY:
      let keyboard = libinput_event_get_keyboard_event(event)
      let isDown = libinput_event_keyboard_get_key_state(keyboard) == LIBINPUT_KEY_STATE_PRESSED
      press(libinput_event_keyboard_get_key(keyboard), isDown, identifier, time, session)
    case LIBINPUT_EVENT_POINTER_BUTTON:
      let pointer = libinput_event_get_pointer_event(event)
      let isDown = libinput_event_pointer_get_button_state(pointer) == LIBINPUT_BUTTON_STATE_PRESSED
      press(libinput_event_pointer_get_button(pointer), isDown, identifier, time, session)
    case LIBINPUT_EVENT_POINTER_MOTION:
      let pointer = libinput_event_get_pointer_event(event)
      let delta = Vector2(
        x: libinput_event_pointer_get_dx(pointer), y: libinput_event_pointer_get_dy(pointer))
      session.process(MotionEvent(time: time, device: identifier, delta: delta))
    case LIBINPUT_EVENT_POINTER_SCROLL_WHEEL: scroll(event, .wheel, identifier, time, session)
    case LIBINPUT_EVENT_POINTER_SCROLL_FINGER: scroll(event, .finger, identifier, time, session)
    case LIBINPUT_EVENT_POINTER_SCROLL_CONTINUOUS:
      scroll(event, .continuous, identifier, time, session)
    // tablets, switches, gestures and capabilities are not used
    case _: member.screen?.deliver(event, at: time, from: identifier, into: session)
    }
  }

  private func press(
    _ code: UInt32, _ isDown: Bool, _ identifier: DeviceID, _ time: EventTime, _ session: Session
  ) {
    let key = Key(rawValue: UInt16(truncatingIfNeeded: code))
    didKey?(key, isDown)
    session.process(.key(key, isDown ? 1 : 0, at: time), from: identifier)
  }

  private func scroll(
    _ event: OpaquePointer, _ source: ScrollEvent.Source, _ identifier: DeviceID,
    _ time: EventTime, _ session: Session
  ) {
    let pointer = libinput_event_get_pointer_event(event)
    func value(_ axis: libinput_pointer_axis) -> Double {
      guard libinput_event_pointer_has_axis(pointer, axis) != 0 else { return 0 }
      // a notch is 120, whatever the angle of the wheel's notches
      return source == .wheel
        ? libinput_event_pointer_get_scroll_value_v120(pointer, axis) / 8
        : libinput_event_pointer_get_scroll_value(pointer, axis)
    }
    let delta = Vector2(
      x: value(LIBINPUT_POINTER_AXIS_SCROLL_HORIZONTAL),
      y: value(LIBINPUT_POINTER_AXIS_SCROLL_VERTICAL))
    session.process(ScrollEvent(time: time, device: identifier, source: source, delta: delta))
  }

  private func noteRemoval(_ event: OpaquePointer) {
    guard libinput_event_get_type(event) == LIBINPUT_EVENT_DEVICE_REMOVED,
      let member = Self.member(of: event), members[member.path] === member
    else { return }
    members[member.path] = nil
    // only now does libinput release what it keeps for the path
    libinput_path_remove_device(member.handle)
    didRemove?(member)
  }

  private static func member(of event: OpaquePointer) -> Member? {
    guard let device = libinput_event_get_device(event) else { return nil }
    return libinput_device_get_user_data(device).map {
      Unmanaged<Member>.fromOpaque($0).takeUnretainedValue()
    }
  }

  private static func time(of event: OpaquePointer) -> EventTime? {
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

  // MARK: Messages

  private func take(
    _ format: UnsafePointer<CChar>, _ arguments: CVaListPointer, _ priority: libinput_log_priority
  ) {
    // the format string already contains the node name
    if let node = Self.nodeWithLoss(in: format) {
      guard let member = members["/dev/input/\(node)"] else { return }
      losses.append((member.identifier, InputLoop.now))
    } else if priority == LIBINPUT_LOG_PRIORITY_ERROR {
      say(format, arguments)
    }
  }

  /// The node named in a loss message: `event5  - Keyboard: SYN_DROPPED event - …`.
  static func nodeWithLoss(in message: UnsafePointer<CChar>) -> String? {
    guard strstr(message, "SYN_DROPPED event") != nil else { return nil }
    let node = String(cString: message).prefix { $0 != " " }
    return node.hasPrefix("event") ? String(node) : nil
  }

  private func say(_ format: UnsafePointer<CChar>, _ arguments: CVaListPointer) {
    guard let didSay else { return }
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer -> String in
      guard let start = buffer.baseAddress else { return "" }
      vsnprintf(start, 512, format, arguments)
      return String(cString: start)
    }
    didSay(String(text.reversed().drop { $0.isNewline }.reversed()))
  }
}

/// Converts libinput's touch events back into multitouch events, for the same decoder.
struct ScreenTouches {
  /// The device as the session sees it: with slots, even if it has none itself.
  let device: Device
  private let origin: (x: Int32, y: Int32)
  private var lastIdentifier: Int32 = 0

  /// - Returns: `nil` if the device has no positions.
  init?(of device: Device) {
    guard let horizontal = device.horizontal, let vertical = device.vertical else { return nil }
    var device = device
    device.axes[.positionX] = horizontal
    device.axes[.positionY] = vertical
    let ids = AxisRange(minimum: 0, maximum: 65535)
    device.axes[.slot] = device.axes[.slot] ?? AxisRange(minimum: 0, maximum: 0)
    device.axes[.trackingID] = device.axes[.trackingID] ?? ids
    device.properties.insert(.direct)
    self.device = device
    origin = (horizontal.minimum, vertical.minimum)
  }

  /// The number of units on an axis as libinput counts them, including both ends.
  private static func count(_ axis: AxisRange?) -> UInt32 {
    guard let axis else { return 1 }
    return UInt32(clamping: Int64(axis.maximum) - Int64(axis.minimum) + 1)
  }

  mutating func deliver(
    _ event: OpaquePointer, at time: EventTime, from identifier: DeviceID, into session: Session
  ) {
    func send(_ axis: AbsoluteAxis, _ value: Int32) {
      session.process(.absolute(axis, value, at: time), from: identifier)
    }
    let type = libinput_event_get_type(event)
    switch type {
    case LIBINPUT_EVENT_TOUCH_DOWN, LIBINPUT_EVENT_TOUCH_MOTION, LIBINPUT_EVENT_TOUCH_UP:
      let touch = libinput_event_get_touch_event(event)
      // screens that track only one finger have no slots
      send(.slot, max(0, libinput_event_touch_get_slot(touch)))
      if type == LIBINPUT_EVENT_TOUCH_UP { return send(.trackingID, -1) }
      if type == LIBINPUT_EVENT_TOUCH_DOWN {
        lastIdentifier = lastIdentifier == 65535 ? 0 : lastIdentifier + 1
        send(.trackingID, lastIdentifier)
      }
      // in device units from the lower ends of the axes
      let x = libinput_event_touch_get_x_transformed(touch, Self.count(device.horizontal))
      let y = libinput_event_touch_get_y_transformed(touch, Self.count(device.vertical))
      send(.positionX, Self.unit(x, origin.x))
      send(.positionY, Self.unit(y, origin.y))
    // a palm, or a pen has arrived; a palm among fingers spoils their gesture too
    case LIBINPUT_EVENT_TOUCH_CANCEL: session.cancel(identifier, at: time)
    case LIBINPUT_EVENT_TOUCH_FRAME: session.process(.report(at: time), from: identifier)
    case _: break
    }
  }

  private static func unit(_ place: Double, _ origin: Int32) -> Int32 {
    Int32(clamping: Int64(saturating: place.rounded() + Double(origin)))
  }
}
