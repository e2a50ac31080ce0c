package import GlissEvents
package import GlissSession

/// Follows what a session tells and notes whatever breaks a promise: an end without a beginning, a touch that comes
/// back, a number that is none.
package final class Ledger {
  /// What was wrong, in the order it came.
  package private(set) var faults: [String] = []
  /// All gestures that were told.
  package private(set) var gestures: [GestureEvent] = []
  package private(set) var touchCount = 0
  package private(set) var keyCount = 0

  private struct Open: Hashable {
    var device: DeviceID
    var kind: GestureKind
  }

  private struct Held: Hashable {
    var device: DeviceID
    var key: Key
  }

  private var open: [Open: Int] = [:]
  private var touches: Set<TouchID> = []
  private var lastSerial: [DeviceID: UInt32] = [:]
  private var held: Set<Held> = []
  private var hotkeys: Set<HotkeyID> = []
  private var now: EventTime?

  package init() {}

  /// Listens to everything that `session` tells.
  package func follow(_ session: Session) {
    session.addHandler(matching: .all) { [self] in take($0) }
  }

  /// The session is over: nothing may be open any more.
  package func close() {
    for (gesture, _) in open { fault("\(gesture.kind.name) has no end") }
    for touch in touches { fault("touch \(touch.serial) has no end") }
    for hotkey in hotkeys { fault("hotkey \(hotkey.rawValue) has no release") }
    for key in held { fault("\(key.key.name) has no release") }
  }

  private func fault(_ what: String) {
    // one fault brings others: the first few say it
    if faults.count < 8 { faults.append("\(now?.microseconds ?? 0) µs: \(what)") }
  }

  private func take(_ event: InputEvent) {
    if let now, event.time < now { fault("time goes back to \(event.time.microseconds) µs") }
    now = event.time
    switch event {
    case .gesture(let gesture): take(gesture)
    case .touch(let frame): take(frame)
    case .key(let key): take(key)
    case .button(let button): take(button.button, isDown: button.isDown, of: button.device)
    case .hotkey(let hotkey): take(hotkey)
    case .motion, .scroll, .device, .lost: break
    }
  }

  private func take(_ gesture: GestureEvent) {
    gestures.append(gesture)
    check(gesture)
    let key = Open(device: gesture.device, kind: gesture.kind)
    switch gesture.phase {
    case .recognized:
      if gesture.kind != .tap { fault("\(gesture.kind.name) is recognized, not begun") }
      if gesture.count < 1 { fault("a tap is counted \(gesture.count)") }
    case .began:
      if gesture.kind == .tap { fault("a tap begins") }
      for other in open.keys where other.device == gesture.device {
        fault("\(gesture.kind.name) begins within \(other.kind.name)")
      }
      open[key] = gesture.fingers
    case .changed, .ended, .cancelled:
      if open[key] == nil {
        fault("\(gesture.kind.name) \(gesture.phase.name) without its beginning")
      } else if open[key] != gesture.fingers {
        fault("\(gesture.kind.name) changes its number of fingers")
      }
      if gesture.phase != .changed { open[key] = nil }
    }
  }

  private func check(_ gesture: GestureEvent) {
    let name = "\(gesture.kind.name) \(gesture.phase.name)"
    if !(1...5).contains(gesture.fingers) { fault("\(name) has \(gesture.fingers) fingers") }
    let numbers = [
      gesture.translation.points.x, gesture.translation.points.y, gesture.translation.millimetres.x,
      gesture.translation.millimetres.y, gesture.velocity.x, gesture.velocity.y, gesture.scale,
      gesture.rotation,
    ]
    if !numbers.allSatisfy(\.isFinite) { fault("\(name) has a number that is none") }
    if gesture.scale <= 0 { fault("\(name) has the scale \(gesture.scale)") }
    if !Self.isOnPad(gesture.centroid) { fault("\(name) is off the pad: \(gesture.centroid)") }
  }

  private static func isOnPad(_ place: Vector2) -> Bool {
    (0...1).contains(place.x) && (0...1).contains(place.y)
  }

  private func take(_ frame: TouchFrame) {
    var seen: Set<TouchID> = []
    for index in frame.touches.indices {
      let touch = frame.touches[index]
      touchCount += 1
      if !seen.insert(touch.id).inserted { fault("touch \(touch.id.serial) is twice in a frame") }
      if touch.id.device != frame.device { fault("a touch of another device") }
      if !Self.isOnPad(touch.normalizedPosition) {
        fault("touch \(touch.id.serial) is off the pad")
      }
      take(touch)
    }
    // what ended is gone by now, so all others must have been there
    for missing in touches.subtracting(seen) where missing.device == frame.device {
      fault("touch \(missing.serial) is missing from a frame")
    }
  }

  private func take(_ touch: Touch) {
    let serial = touch.id.serial
    switch touch.phase {
    case .began:
      if serial <= lastSerial[touch.id.device, default: 0] {
        fault("touch \(serial) is used again")
      }
      lastSerial[touch.id.device] = serial
      touches.insert(touch.id)
    case .moved, .stationary:
      if !touches.contains(touch.id) { fault("touch \(serial) moves without its beginning") }
    case .ended, .cancelled:
      if touches.remove(touch.id) == nil { fault("touch \(serial) ends without its beginning") }
    }
  }

  private func take(_ event: KeyEvent) {
    switch event.state {
    case .down, .up: take(event.key, isDown: event.state == .down, of: event.device)
    case .repeat:
      if !held.contains(Held(device: event.device, key: event.key)) {
        fault("\(event.key.name) repeats without being pressed")
      }
    }
    if event.state == .up && !event.text.isEmpty { fault("\(event.key.name) types on release") }
  }

  private func take(_ event: HotkeyEvent) {
    let number = event.hotkey.rawValue
    switch event.phase {
    case .pressed:
      if !hotkeys.insert(event.hotkey).inserted { fault("hotkey \(number) is pressed twice") }
    case .repeated:
      if !hotkeys.contains(event.hotkey) { fault("hotkey \(number) repeats without its press") }
    case .released:
      if hotkeys.remove(event.hotkey) == nil {
        fault("hotkey \(number) is released without its press")
      }
    }
  }

  private func take(_ key: Key, isDown: Bool, of device: DeviceID) {
    keyCount += 1
    if isDown {
      if !held.insert(Held(device: device, key: key)).inserted {
        fault("\(key.name) is pressed twice")
      }
    } else if held.remove(Held(device: device, key: key)) == nil {
      fault("\(key.name) is released without being pressed")
    }
  }
}
