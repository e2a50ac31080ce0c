// One line for each value that a program prints.

extension EventTime: CustomStringConvertible {
  /// The seconds since the clock's origin: `12.345678 s`.
  public var description: String { "\((self - .zero).seconds.trimmed(6)) s" }
}

extension EventInterval: CustomStringConvertible {
  /// Seconds, or milliseconds below one second: `1.5 s`, `40 ms`.
  public var description: String {
    abs(seconds) >= 1 ? "\(seconds.trimmed(6)) s" : "\(milliseconds.trimmed(3)) ms"
  }
}

extension Vector2: CustomStringConvertible {
  /// Both numbers with at most three decimals: `(3.04, -0.01)`.
  public var description: String { "(\(x.trimmed(3)), \(y.trimmed(3)))" }
}

extension Translation: CustomStringConvertible {
  /// Both lengths: `(10, 0) mm, (28.346, 0) pt`.
  public var description: String { "\(millimetres) mm, \(points) pt" }
}

extension DeviceID: CustomStringConvertible {
  /// The number: `device 3`.
  public var description: String { "device \(rawValue)" }
}

extension HotkeyID: CustomStringConvertible {
  /// The number: `hotkey 3`.
  public var description: String { "hotkey \(rawValue)" }
}

extension TouchID: CustomStringConvertible {
  /// Both numbers: `touch 5 of device 3`.
  public var description: String { "touch \(serial) of \(device)" }
}

extension Key: CustomStringConvertible {
  /// The ``name``.
  public var description: String { name }
}

extension Modifiers: CustomStringConvertible {
  /// The ``names``, joined: `shift+ctrl`.
  public var description: String { names.joined(separator: "+") }
}

extension EventMask: CustomStringConvertible {
  /// The kinds of event: `gesture, key`.
  public var description: String { words(of: Self.kinds).joined(separator: ", ") }
}

extension KeyClasses: CustomStringConvertible {
  /// The classes: `function, media`.
  public var description: String { words(of: Self.words).joined(separator: ", ") }
}

extension Device: CustomStringConvertible {
  /// The name and the kind: `“Pad”, touchpad of 100 × 65 mm`.
  public var description: String {
    switch kind {
    case .touchpad, .touchscreen: "“\(name)”, \(kind.rawValue) of \(size)"
    case .keyboard, .mouse, .other: "“\(name)”, \(kind.rawValue)"
    }
  }
}

// MARK: Events

extension Touch: CustomStringConvertible {
  /// What it did and where: `touch 5 moved at (20.1, 30) mm`.
  public var description: String {
    "touch \(id.serial) \(phase.name) at \(position) mm" + (isResting ? ", resting" : "")
  }
}

extension TouchFrame: CustomStringConvertible {
  /// All its touches: `touch 5 moved at (20.1, 30) mm; touch 6 began at (40, 30) mm`.
  public var description: String {
    if touches.isEmpty { return "no touches" }
    return touches.indices.map { "\(touches[$0])" }.joined(separator: "; ")
  }
}

extension KeyEvent: CustomStringConvertible {
  /// The key, its state and what it types: `KEY_T down with shift types “T”`.
  public var description: String {
    "\(key) \(state.name)" + (modifiers.isEmpty ? "" : " with \(modifiers)")
      + (text.isEmpty ? "" : " types “\(text)”")
  }
}

extension ButtonEvent: CustomStringConvertible {
  /// The button and its state: `BTN_LEFT down`.
  public var description: String { "\(button) \(isDown ? "down" : "up")" }
}

extension MotionEvent: CustomStringConvertible {
  /// The motion: `moved by (1, -2)`.
  public var description: String { "moved by \(delta)" }
}

extension ScrollEvent: CustomStringConvertible {
  /// What was moved, and the amount: `wheel scrolled by (0, 15)`.
  public var description: String { "\(source.name) scrolled by \(delta)" }
}

extension DeviceEvent: CustomStringConvertible {
  /// The device, and what happened to it: `device 3 added`.
  public var description: String { "\(device) \(change.name)" }
}

extension LossEvent: CustomStringConvertible {
  /// The device: `events of device 3 were lost`.
  public var description: String { "events of \(device) were lost" }
}

extension HotkeyEvent: CustomStringConvertible {
  /// The hotkey's number and phase: `hotkey 3 pressed`.
  public var description: String { "\(hotkey) \(phase.name)" }
}

extension InputEvent: CustomStringConvertible {
  /// The line of the event itself.
  public var description: String { event.description }
}

extension GlobalEvent: CustomStringConvertible {
  /// The line of the event and the device's name, or what happened to the stream.
  public var description: String {
    switch self {
    case .input(let event, let device): device.isEmpty ? "\(event)" : "\(event) on “\(device)”"
    case .session(let state, _): "the seat is \(state.rawValue)"
    case .lost(let count): "\(count) missed"
    }
  }
}
