/// What a stream has said to begin and not to end: touches, gestures, keys and buttons.
///
/// The broker sends only the touches that changed, and sends no end that was lost. This adds both.
/// Every frame gets the other touches of its device. A loss ends everything. After one, what has
/// not begun since is left out: it was ended, or its beginning was lost.
struct OpenInput: Sendable {
  private struct Pad: Sendable {
    var device: DeviceID
    var name: String
    var touches: [Touch] = []
  }

  /// In the order they were first touched. A pad without touches is not kept.
  private var pads: [Pad] = []
  /// In the order they began.
  private var held: [(event: HeldEvent, name: String)] = []
  /// Whether a loss has ended what was open.
  private var hasLost = false
  /// The time of the latest event. A loss has none.
  private var time = EventTime.zero

  /// Appends `event` as it is to be reported, and before it what it ends.
  ///
  /// - Parameter endsLost: whether a loss ends what is open.
  mutating func add(_ event: GlobalEvent, endsLost: Bool, to events: inout [GlobalEvent]) {
    switch event {
    case .input(let input, let name):
      time = max(time, input.time)
      guard let admitted = whole(input, name) else { return }
      events.append(.input(admitted, device: name))
    case .session(_, let changed):
      time = max(time, changed)
      events.append(event)
    case .lost:
      // without the ends that were lost, touches would stay in every frame; those that are still
      // down are in frames again when they change
      if endsLost { endAll(into: &events) } else { (pads, held) = ([], []) }
      events.append(event)
    }
  }

  /// The event without what has no beginning since a loss; `nil` if nothing is left.
  private mutating func whole(_ event: InputEvent, _ name: String) -> InputEvent? {
    if case .touch(let frame) = event { return whole(frame, name).map { .touch($0) } }
    guard let lasting = HeldEvent(event) else { return event }
    return admit(lasting, name) ? event : nil
  }

  /// Returns `false` if it has no beginning since a loss.
  private mutating func admit(_ event: HeldEvent, _ name: String) -> Bool {
    let identity = event.identity
    let index = held.firstIndex { $0.event.identity == identity }
    guard event.begins || index != nil || !hasLost else { return false }
    if event.ends {
      if let index { held.remove(at: index) }
    } else if let index {
      held[index] = (event, name)
    } else if held.count < EventDecoder.longestTable {
      held.append((event, name))
    }
    return true
  }

  /// The frame with the other touches of its device; `nil` if no touch is left.
  private mutating func whole(_ frame: TouchFrame, _ name: String) -> TouchFrame? {
    let index = pads.firstIndex { $0.device == frame.device }
    var pad = index.map { pads[$0] } ?? Pad(device: frame.device, name: name)
    var whole = frame
    whole.touches.removeAll()
    for touch in frame.touches {
      let id = touch.id
      let isOpen = pad.touches.contains { $0.id == id }
      guard touch.phase == .began || isOpen || !hasLost else { continue }
      whole.touches.append(touch)
      Self.note(touch, in: &pad.touches)
    }
    guard !whole.touches.isEmpty else { return nil }
    for var touch in pad.touches {
      let id = touch.id
      guard whole.touches.firstIndex(where: { $0.id == id }) == nil else { continue }
      touch.phase = .stationary
      whole.touches.append(touch)
    }
    whole.fingerCount = whole.touches.count(where: { !$0.phase.isFinal })
    store(pad, at: index)
    return whole
  }

  private static func note(_ touch: Touch, in touches: inout [Touch]) {
    let index = touches.firstIndex { $0.id == touch.id }
    if touch.phase.isFinal {
      if let index { touches.remove(at: index) }
    } else if let index {
      touches[index] = touch
    } else if touches.count < TouchFrame.capacity {
      touches.append(touch)
    }
  }

  private mutating func store(_ pad: Pad, at index: Int?) {
    if let index {
      if pad.touches.isEmpty { pads.remove(at: index) } else { pads[index] = pad }
    } else if !pad.touches.isEmpty {
      pads.append(pad)
    }
  }

  /// Ends all that is open, and forgets it. From now on only what begins is open.
  private mutating func endAll(into events: inout [GlobalEvent]) {
    for pad in pads {
      var frame = TouchFrame(time: time, device: pad.device)
      for var touch in pad.touches {
        touch.phase = .cancelled
        frame.touches.append(touch)
      }
      events.append(.input(.touch(frame), device: pad.name))
    }
    for (event, name) in held {
      events.append(.input(event.end(at: time), device: name))
    }
    pads = []
    held = []
    hasLost = true
  }
}

/// The latest event of something other than a touch that lasts.
package enum HeldEvent: Sendable {
  case gesture(GestureEvent)
  case key(KeyEvent)
  case button(ButtonEvent)

  /// What stays the same from the beginning to the end.
  package enum Identity: Hashable, Sendable {
    case gesture(DeviceID, GestureKind)
    /// Keys belong to the seat.
    case key(Key)
    case button(DeviceID, Key)
  }

  /// `nil` for a touch, and for what does not last.
  package init?(_ event: InputEvent) {
    switch event {
    case .gesture(let gesture) where gesture.phase != .recognized: self = .gesture(gesture)
    case .key(let key): self = .key(key)
    case .button(let button): self = .button(button)
    case .gesture, .touch, .motion, .scroll, .device, .hotkey, .lost: return nil
    }
  }

  package var identity: Identity {
    switch self {
    case .gesture(let event): .gesture(event.device, event.kind)
    case .key(let event): .key(event.key)
    case .button(let event): .button(event.device, event.button)
    }
  }

  package var begins: Bool {
    switch self {
    case .gesture(let event): event.phase == .began
    case .key(let event): event.state == .down
    case .button(let event): event.isDown
    }
  }

  package var ends: Bool {
    switch self {
    case .gesture(let event): event.phase == .ended || event.phase == .cancelled
    case .key(let event): event.state == .up
    case .button(let event): !event.isDown
    }
  }

  /// The event that ends it. No modifier counts as down then.
  func end(at time: EventTime) -> InputEvent {
    switch self {
    case .gesture(var event):
      (event.time, event.phase) = (time, .cancelled)
      return .gesture(event)
    case .key(var event):
      (event.time, event.state, event.modifiers, event.typed) = (time, .up, [], .none)
      return .key(event)
    case .button(var event):
      (event.time, event.isDown) = (time, false)
      return .button(event)
    }
  }
}
