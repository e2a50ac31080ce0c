/// Decodes events of the event schema: what `gliss watch --format jsonl` prints, as JSON values.
///
/// Unknown members and unknown kinds of event are ignored. Values that the schema does not include
/// stay neutral: sizes of contacts, the gain of translations. Devices and hotkeys are numbered in
/// the order they are first named; the numbers are valid for this decoder only.
package struct EventDecoder: Sendable {
  /// The maximum number of distinct device names and hotkey texts; any beyond that share one
  /// number.
  package static let longestTable = 1024

  /// The kinds of events that come from devices.
  static let kinds = Set(EventMask.kinds.map { "\($0.1)" })

  private var devices: [NamedUnit: UInt32] = [:]
  private var hotkeys: [String: UInt32] = [:]
  private var open = OpenInput()

  /// A decoder that knows no device and no hotkey yet.
  package init() {}

  /// This decoder's number for hotkey `text`.
  package mutating func hotkey(_ text: String) -> HotkeyID {
    HotkeyID(rawValue: Self.number(of: text, in: &hotkeys))
  }

  /// This decoder's number for the device called `name`, or for another ``Device/unit`` of that
  /// name.
  package mutating func device(_ name: String, unit: UInt8 = 1) -> DeviceID {
    DeviceID(rawValue: Self.number(of: NamedUnit(name: name, unit: unit), in: &devices))
  }

  /// The ``Device/unit`` of a device that an event named.
  package func unit(of device: DeviceID) -> Int {
    Int(devices.first { $0.value == device.rawValue }?.key.unit ?? 1)
  }

  private struct NamedUnit: Hashable {
    var name: String
    var unit: UInt8
  }

  private static func number<Item>(of text: Item, in table: inout [Item: UInt32]) -> UInt32 {
    if let number = table[text] { return number }
    guard table.count < longestTable else { return UInt32(longestTable) }
    let number = UInt32(table.count)
    table[text] = number
    return number
  }

  /// The events of one message, in order. Consecutive touches with the same device and time form a
  /// frame. The device's other touches, which are not sent, are added to it.
  ///
  /// - Parameter endsLost: whether a loss of messages ends what is open: its end may be among them.
  ///   Later touches, gestures and keys are then left out until they begin. If it does not, a touch
  ///   that began before a loss is in frames again from its next change on.
  package mutating func decode(
    _ objects: [JSON], endsLost: Bool = true
  ) throws(SchemaError) -> [GlobalEvent] {
    var events: [GlobalEvent] = []
    for event in try frames(objects) { open.add(event, endsLost: endsLost, to: &events) }
    return events
  }

  /// The events as they were sent, with the touches of each frame together.
  private mutating func frames(_ objects: [JSON]) throws(SchemaError) -> [GlobalEvent] {
    var events: [GlobalEvent] = []
    for object in objects {
      guard let event = try decode(object) else { continue }
      if case .input(.touch(let next), _) = event,
        case .input(.touch(var frame), let device)? = events.last,
        frame.time == next.time, frame.device == next.device, frame.add(next)
      {
        events[events.count - 1] = .input(.touch(frame), device: device)
      } else {
        events.append(event)
      }
    }
    return events
  }

  /// The event in `object`, whatever came before it; `nil` for a kind of event or session state
  /// that was unknown when this was written.
  package mutating func decode(_ object: JSON) throws(SchemaError) -> GlobalEvent? {
    let members = try SchemaMembers(object)
    switch try members.string("kind") {
    case "session":
      let time = try members.time()
      return SessionState(rawValue: try members.string("state")).map { .session($0, at: time) }
    // Without a device: messages skipped here. With a device: events that the kernel has dropped.
    case "lost" where !members.has("device"): return .lost(try members.integer("count"))
    case let kind:
      guard Self.kinds.contains(kind) else { return nil }
      // The broker does not report on which keyboard a hotkey was pressed.
      let name = kind == "hotkey" && !members.has("device") ? "" : try members.string("device")
      let unit = members.has("unit") ? try members.integer("unit") : 1 as UInt8
      let number = device(name, unit: unit)
      return .input(try input(kind, members, try members.time(), number), device: name)
    }
  }

  mutating func input(
    _ kind: String, _ members: SchemaMembers, _ time: EventTime, _ device: DeviceID
  ) throws(SchemaError) -> InputEvent {
    switch kind {
    case "gesture": return .gesture(try gesture(members, time, device))
    case "touch": return .touch(try touch(members, time, device))
    case "key": return .key(try key(members, time, device))
    case "scroll":
      return .scroll(
        ScrollEvent(
          time: time, device: device, source: try members.word("source"),
          delta: try members.pair("delta")))
    case "device":
      return .device(DeviceEvent(time: time, device: device, change: try members.word("change")))
    case "hotkey":
      return .hotkey(
        try HotkeyEvent(members, time, device, hotkey(try members.string("hotkey"))))
    case "lost":
      let since = members.has("since") ? try members.time("since") : nil
      return .lost(LossEvent(time: time, device: device, since: since))
    case _: return try pointer(members, time, device)
    }
  }

  private func gesture(
    _ members: SchemaMembers, _ time: EventTime, _ device: DeviceID
  ) throws(SchemaError) -> GestureEvent {
    var event = GestureEvent(
      time: time, device: device, kind: try members.word("gesture"),
      phase: try members.word("phase"), fingers: try members.count("fingers"))
    if members.has("count") { event.count = Int(try members.integer("count") as UInt32) }
    event.direction = try members.wordIfAny("direction")
    event.direction8 = try members.wordIfAny("direction8")
    event.edge = try members.wordIfAny("edge")
    event.isAfterTap = try members.bool("afterTap", absent: false)
    event.hasCentroid = members.has("centroid")
    event.centroid = try members.pairOrZero("centroid")
    event.translation.points = try members.pairOrZero("translation")
    event.translation.millimetres = try members.pairOrZero("translation_mm")
    event.velocity = try members.pairOrZero("velocity_mm_s")
    if members.has("scale") { event.scale = try members.number("scale") }
    if members.has("rotation") { event.rotation = try members.number("rotation") }
    return event
  }

  /// A frame with only this touch.
  private func touch(
    _ members: SchemaMembers, _ time: EventTime, _ device: DeviceID
  ) throws(SchemaError) -> TouchFrame {
    let touch = try Touch(members, device)
    var frame = TouchFrame(time: time, device: device)
    frame.touches.append(touch)
    frame.fingerCount = touch.phase.isFinal ? 0 : 1
    return frame
  }

  private func key(
    _ members: SchemaMembers, _ time: EventTime, _ device: DeviceID
  ) throws(SchemaError) -> KeyEvent {
    var event = KeyEvent(
      time: time, device: device, key: try members.key("key"),
      state: try members.word("state"), modifiers: try members.modifiers())
    if members.has("keysym") { event.keysym = try members.integer("keysym") }
    if members.has("text") {
      guard let text = KeyText(try members.string("text")) else {
        throw SchemaError("text", "at most \(KeyText.capacity) bytes are allowed")
      }
      event.typed = text
    }
    return event
  }

  private func pointer(
    _ members: SchemaMembers, _ time: EventTime, _ device: DeviceID
  ) throws(SchemaError) -> InputEvent {
    if members.has("motion") {
      return .motion(MotionEvent(time: time, device: device, delta: try members.pair("motion")))
    }
    let state = try members.string("state")
    guard state == "down" || state == "up" else {
      throw SchemaError("state", "expected down or up")
    }
    return .button(
      ButtonEvent(
        time: time, device: device, button: try members.key("button"), isDown: state == "down"))
  }
}

extension TouchFrame {
  /// Adds the touches of `other`, unless there is no room or one of them is already present.
  fileprivate mutating func add(_ other: TouchFrame) -> Bool {
    guard touches.count + other.touches.count <= Self.capacity else { return false }
    for index in other.touches.indices {
      let id = other.touches[index].id
      guard touches.firstIndex(where: { $0.id == id }) == nil else { return false }
    }
    other.touches.forEach { touches.append($0) }
    fingerCount += other.fingerCount
    return true
  }
}

/// Why an object is not a valid event of the schema.
package struct SchemaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The invalid or missing member.
  package var member: String
  package var problem: String

  package init(_ member: String, _ problem: String) {
    self.member = member
    self.problem = problem
  }

  package var description: String { "\(member): \(problem)" }
}
