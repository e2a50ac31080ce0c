import GlissEvents
import GlissGestures

/// The way of one device's events: decoder, tracker, recognizer.
final class DevicePipeline {
  let device: Device
  private var decoder: EvdevDecoder
  private var tracker: TouchTracker
  private var recognizer: GestureRecognizer
  private let isTouchDevice: Bool
  private var modifiers: Modifiers = []
  private var pressed: Set<Key> = []

  init(_ device: Device, _ configuration: GestureConfiguration) {
    self.device = device
    decoder = EvdevDecoder(for: device)
    tracker = TouchTracker(for: device, palm: configuration.palm)
    recognizer = GestureRecognizer(for: device, configuration: configuration)
    isTouchDevice = device.kind == .touchpad || device.kind == .touchscreen
  }

  var deadline: EventTime? { recognizer.deadline }

  func process(_ event: EvdevEvent, into outlet: Outlet) {
    switch decoder.process(event) {
    case .none:
      if event.isLoss { release(at: event.time, into: outlet) }
    case .frame:
      guard isTouchDevice else { return }
      tracker.process(decoder.frame)
      handle(tracker.frame, into: outlet)
    case .key(let key, let value): press(key, value, at: event.time, into: outlet)
    }
  }

  func advance(to time: EventTime, into outlet: Outlet) {
    recognizer.advance(to: time) { outlet.route($0) }
  }

  /// Ends everything that is under way.
  func cancel(at time: EventTime, into outlet: Outlet) {
    if tracker.isTouching {
      tracker.cancel(at: time)
      handle(tracker.frame, into: outlet)
    }
    recognizer.cancel(at: time) { outlet.route($0) }
    decoder = EvdevDecoder(for: device)
    release(at: time, into: outlet)
  }

  /// Tells the release of every key that is down.
  private func release(at time: EventTime, into outlet: Outlet) {
    for key in pressed.sorted() { press(key, 0, at: time, into: outlet) }
  }

  private func handle(_ frame: TouchFrame, into outlet: Outlet) {
    if outlet.mask.contains(.touch) { outlet.deliver(.touch(markResting(frame))) }
    recognizer.process(frame) { outlet.route($0) }
  }

  /// What the recognizer takes for resting is told with the touches; it knew so when the frame came in.
  private func markResting(_ frame: TouchFrame) -> TouchFrame {
    var frame = frame
    for index in frame.touches.indices where recognizer.isResting(frame.touches[index].id) {
      frame.touches[index].isResting = true
    }
    return frame
  }

  /// Tells what a key does. A release of a key that is not down, or another press of one that is, comes only after a
  /// loss or where a recording begins: nobody is told of it.
  private func press(_ key: Key, _ value: Int32, at time: EventTime, into outlet: Outlet) {
    // buttons do not repeat
    if value == 2 && key.isPointerButton { return }
    let isChanged = value == 0 ? pressed.remove(key) != nil : pressed.insert(key).inserted
    guard isChanged || value == 2 else { return }
    if key.isPointerButton {
      let event = ButtonEvent(time: time, device: device.id, button: key, isDown: value != 0)
      outlet.deliver(.button(event))
      return
    }
    let modifier = Modifiers(key)
    if value == 0 { modifiers.subtract(modifier) } else { modifiers.formUnion(modifier) }
    let state: KeyEvent.State = value == 0 ? .up : value == 2 ? .repeat : .down
    outlet.deliver(
      .key(KeyEvent(time: time, device: device.id, key: key, state: state, modifiers: modifiers)))
  }
}

extension EvdevEvent {
  /// The kernel has dropped events before this one.
  fileprivate var isLoss: Bool {
    type == .synchronization && code == SynchronizationCode.dropped
  }
}
