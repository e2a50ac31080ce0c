import GlissEvents

/// Keys, buttons, gestures and touches that were reported to have begun and not to have ended. An
/// end is only reported if the beginning was.
///
/// A key pressed before a client came, or while the screen was locked, is released later. That
/// release would reveal which key was pressed.
struct EventsInProgress {
  private struct Button: Hashable {
    var device: DeviceID
    var key: Key
  }

  private struct Gesture: Hashable {
    var device: DeviceID
    var kind: GestureKind
  }

  private var keys: Set<Key> = []
  private var buttons: Set<Button> = []
  private var gestures: Set<Gesture> = []
  private var touches: Set<TouchID> = []

  /// Whether nothing is in progress.
  var isEmpty: Bool { keys.isEmpty && buttons.isEmpty && gestures.isEmpty && touches.isEmpty }

  /// `event` without everything whose beginning was not reported; `nil` if nothing is left.
  mutating func admit(_ event: InputEvent) -> InputEvent? {
    switch event {
    case .key(let key): admit(key) ? event : nil
    case .button(let button): admit(button) ? event : nil
    case .gesture(let gesture): admit(gesture) ? event : nil
    case .touch(let frame): .touch(admit(frame))
    case .motion, .scroll, .device, .hotkey, .lost: event
    }
  }

  private mutating func admit(_ event: KeyEvent) -> Bool {
    switch event.state {
    case .down:
      keys.insert(event.key)
      return true
    case .repeat: return keys.contains(event.key)
    case .up: return keys.remove(event.key) != nil
    }
  }

  private mutating func admit(_ event: ButtonEvent) -> Bool {
    let button = Button(device: event.device, key: event.button)
    if event.isDown {
      buttons.insert(button)
      return true
    }
    return buttons.remove(button) != nil
  }

  private mutating func admit(_ event: GestureEvent) -> Bool {
    let gesture = Gesture(device: event.device, kind: event.kind)
    switch event.phase {
    case .began:
      gestures.insert(gesture)
      return true
    case .changed: return gestures.contains(gesture)
    case .ended, .cancelled: return gestures.remove(gesture) != nil
    case .recognized: return true
    }
  }

  private mutating func admit(_ frame: TouchFrame) -> TouchFrame {
    var left = frame
    left.touches.removeAll()
    for index in frame.touches.indices {
      let touch = frame.touches[index]
      if touch.phase == .began { touches.insert(touch.id) }
      guard touches.contains(touch.id) else { continue }
      if touch.phase.isFinal { touches.remove(touch.id) }
      left.touches.append(touch)
    }
    return left
  }
}
