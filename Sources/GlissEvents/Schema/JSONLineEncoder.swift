/// Writes events in the event schema: one JSON object per line, keys in a fixed order, a fixed
/// number of decimals.
///
/// Times have 6 decimals, mm and points 3, shares, scale and radians 4. The bytes are the same on
/// every processor, so that outputs can be compared directly. Keys that do not apply are left out.
package struct JSONLineEncoder: Sendable {
  /// What was written since the last ``removeAll()``.
  package private(set) var buffer = TextBuffer()
  /// The instant that `time` is counted from.
  package var origin: EventTime
  /// Written to every line as `file`, if set.
  package var file: String?
  /// The ``Device/unit`` of the event that is being written.
  private var unit = 1
  /// The text of each hotkey: their events contain only a number. A missing one is written as an
  /// empty text.
  package var hotkeys: [HotkeyID: String] = [:]

  package init(origin: EventTime = .zero, file: String? = nil) {
    self.origin = origin
    self.file = file
  }

  package mutating func removeAll() { buffer.removeAll() }

  /// Appends `event`: an input event as in ``append(_:deviceName:unit:)``, any other without a
  /// device.
  package mutating func append(_ event: GlobalEvent) {
    switch event {
    case .input(let event, let device): append(event, deviceName: device)
    case .session(let state, let time):
      buffer.append("{\"time\":")
      buffer.append(seconds: (time - origin).microseconds)
      buffer.append(",\"kind\":\"session\"")
      word("state", state.rawValue)
      close()
    case .lost(let count):
      buffer.append("{\"kind\":\"lost\"")
      name("count")
      buffer.append(count)
      close()
    }
  }

  /// Appends `event`: one line, or for touches one line for each touch that changed.
  package mutating func append(_ event: InputEvent, deviceName: String, unit: Int = 1) {
    self.unit = unit
    switch event {
    case .gesture(let gesture): append(gesture, deviceName)
    case .touch(let frame):
      frame.touches.forEach { touch in
        if touch.phase != .stationary { append(touch, at: frame.time, deviceName) }
      }
    case .key(let key): append(key, deviceName)
    case .button(let button): append(button, deviceName)
    case .motion(let motion):
      open(motion.time, deviceName, kind: "pointer")
      pair("motion", motion.delta, places: 3)
      close()
    case .scroll(let scroll):
      open(scroll.time, deviceName, kind: "scroll")
      word("source", scroll.source.name)
      pair("delta", scroll.delta, places: 3)
      close()
    case .device(let event):
      open(event.time, deviceName, kind: "device")
      word("change", event.change.name)
      close()
    case .hotkey(let hotkey): append(hotkey, deviceName)
    case .lost(let loss):
      open(loss.time, deviceName, kind: "lost")
      if let since = loss.since {
        name("since")
        buffer.append(seconds: (since - origin).microseconds)
      }
      close()
    }
  }

  private mutating func open(_ time: EventTime, _ deviceName: String, kind: StaticString) {
    buffer.append("{\"time\":")
    buffer.append(seconds: (time - origin).microseconds)
    if let file {
      buffer.append(",\"file\":")
      buffer.append(json: file)
    }
    buffer.append(",\"device\":")
    buffer.append(json: deviceName)
    if unit != 1 { number("unit", unit) }
    buffer.append(",\"kind\":\"")
    buffer.append(kind)
    buffer.append("\"")
  }

  private mutating func close() { buffer.append("}\n") }

  private mutating func append(_ gesture: GestureEvent, _ deviceName: String) {
    open(gesture.time, deviceName, kind: "gesture")
    word("gesture", gesture.kind.name)
    word("phase", gesture.phase.name)
    number("fingers", gesture.fingers)
    if gesture.kind == .tap { number("count", gesture.count) }
    if let direction = gesture.direction { word("direction", direction.name) }
    if let direction = gesture.direction8 { word("direction8", direction.name) }
    if let edge = gesture.edge { word("edge", edge.name) }
    if gesture.isAfterTap { buffer.append(",\"afterTap\":true") }
    if gesture.hasCentroid { pair("centroid", gesture.centroid, places: 4) }
    switch gesture.kind {
    case .tap, .hold: break
    case .drag, .swipe, .edgeSwipe: motion(of: gesture)
    case .pinch, .rotate:
      motion(of: gesture)
      decimal("scale", gesture.scale)
      decimal("rotation", gesture.rotation)
    }
    close()
  }

  private mutating func motion(of gesture: GestureEvent) {
    pair("translation", gesture.translation.points, places: 3)
    pair("translation_mm", gesture.translation.millimetres, places: 3)
    pair("velocity_mm_s", gesture.velocity, places: 3)
  }

  private mutating func append(_ touch: Touch, at time: EventTime, _ deviceName: String) {
    open(time, deviceName, kind: "touch")
    number("id", Int(touch.id.serial))
    word("phase", touch.phase.name)
    pair("position", touch.normalizedPosition, places: 4)
    pair("position_mm", touch.position, places: 3)
    buffer.append(touch.isResting ? ",\"resting\":true" : ",\"resting\":false")
    close()
  }

  private mutating func append(_ event: KeyEvent, _ deviceName: String) {
    open(event.time, deviceName, kind: "key")
    word("key", event.key.name)
    word("state", event.state.name)
    words("modifiers", Modifiers.words, event.modifiers)
    if Modifiers.sides.contains(where: { event.modifiers.contains($0.0) }) {
      words("sides", Modifiers.sides, event.modifiers)
    }
    if event.keysym != 0 { number("keysym", Int(event.keysym)) }
    if !event.typed.isEmpty {
      name("text")
      buffer.append(json: event.text)
    }
    close()
  }

  private mutating func words(
    _ key: StaticString, _ words: [(Modifiers, StaticString)], _ modifiers: Modifiers
  ) {
    name(key)
    buffer.append("[")
    var isFirst = true
    for (modifier, word) in words where !modifiers.isDisjoint(with: modifier) {
      if !isFirst { buffer.append(",") }
      isFirst = false
      buffer.append("\"")
      buffer.append(word)
      buffer.append("\"")
    }
    buffer.append("]")
  }

  private mutating func append(_ event: ButtonEvent, _ deviceName: String) {
    open(event.time, deviceName, kind: "pointer")
    word("button", event.button.name)
    word("state", event.isDown ? "down" : "up")
    close()
  }

  private mutating func append(_ event: HotkeyEvent, _ deviceName: String) {
    open(event.time, deviceName, kind: "hotkey")
    name("hotkey")
    buffer.append(json: hotkeys[event.hotkey] ?? "")
    word("phase", event.phase.name)
    buffer.append(event.shouldAct ? ",\"acts\":true" : ",\"acts\":false")
    close()
  }

  private mutating func name(_ key: StaticString) {
    buffer.append(",\"")
    buffer.append(key)
    buffer.append("\":")
  }

  private mutating func word(_ key: StaticString, _ value: String) {
    name(key)
    buffer.append("\"")
    buffer.append(text: value)
    buffer.append("\"")
  }

  private mutating func number(_ key: StaticString, _ value: Int) {
    name(key)
    buffer.append(Int64(value))
  }

  private mutating func decimal(_ key: StaticString, _ value: Double) {
    name(key)
    buffer.append(value, places: 4)
  }

  private mutating func pair(_ key: StaticString, _ value: Vector2, places: Int) {
    name(key)
    buffer.append("[")
    buffer.append(value.x, places: places)
    buffer.append(",")
    buffer.append(value.y, places: places)
    buffer.append("]")
  }
}
