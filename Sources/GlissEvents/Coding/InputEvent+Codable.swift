/// Events are `Codable` with the names of `gliss --format jsonl`; docs/clients.md lists them.
///
/// `device` and `hotkey` are numbers here. All digits are kept, so that an event reads back as the
/// same event. A line of `gliss --format jsonl` can be read too; the device that it names gets the
/// number 0.
extension InputEvent: Codable {
  /// Reads any kind of event.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with the member that is missing or invalid.
  public init(from decoder: any Decoder) throws {
    self = try decoder.schema { (json) throws(SchemaError) in try InputEvent(json: json) }
  }

  /// Writes the event as an object.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  /// The event itself.
  var event: any SchemaEvent {
    switch self {
    case .gesture(let event): event
    case .touch(let frame): frame
    case .key(let event): event
    case .button(let event): event
    case .motion(let event): event
    case .scroll(let event): event
    case .device(let event): event
    case .hotkey(let event): event
    case .lost(let event): event
    }
  }
}

/// An event of one kind. It is written and read as the ``InputEvent`` of that kind.
public protocol SchemaEvent: Codable, CustomStringConvertible {
  /// The event as one of any kind.
  var input: InputEvent { get }
}

extension SchemaEvent {
  /// Reads the event, as ``InputEvent`` does.
  public init(from decoder: any Decoder) throws {
    guard let event = try InputEvent(from: decoder).event as? Self else {
      throw DecodingError.invalid("it is another kind of event", member: "kind", at: decoder)
    }
    self = event
  }

  /// Writes the event, as ``InputEvent`` does.
  public func encode(to encoder: any Encoder) throws { try input.encode(to: encoder) }
}

extension GestureEvent: SchemaEvent { public var input: InputEvent { .gesture(self) } }
extension TouchFrame: SchemaEvent { public var input: InputEvent { .touch(self) } }
extension KeyEvent: SchemaEvent { public var input: InputEvent { .key(self) } }
extension ButtonEvent: SchemaEvent { public var input: InputEvent { .button(self) } }
extension MotionEvent: SchemaEvent { public var input: InputEvent { .motion(self) } }
extension ScrollEvent: SchemaEvent { public var input: InputEvent { .scroll(self) } }
extension DeviceEvent: SchemaEvent { public var input: InputEvent { .device(self) } }
extension HotkeyEvent: SchemaEvent { public var input: InputEvent { .hotkey(self) } }
extension LossEvent: SchemaEvent { public var input: InputEvent { .lost(self) } }

extension Touch: Codable {
  /// Reads the members of a touch in the event schema.
  public init(from decoder: any Decoder) throws {
    self = try decoder.schema { (json) throws(SchemaError) in
      let members = try SchemaMembers(json)
      return try Touch(members, DeviceID(rawValue: try members.numberOrName("device")))
    }
  }

  /// Writes the members of a touch in the event schema.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Decoder {
  /// What `read` makes of the JSON. The error for an invalid member names it.
  func schema<Value>(_ read: (JSON) throws(SchemaError) -> Value) throws -> Value {
    let json = try JSON(from: self)
    do throws(SchemaError) {
      return try read(json)
    } catch {
      throw DecodingError.invalid(error.problem, member: error.member, at: self)
    }
  }
}

// Events as JSON objects: the names of `gliss --format jsonl`, with all digits. Devices and hotkeys
// are numbers, because an event has no names for them.

extension InputEvent {
  /// The event as an object. Members with neutral values are left out where the schema does so.
  var json: JSON {
    let kind = EventMask.kinds.first { $0.0 == mask }.map { "\($0.1)" } ?? ""
    let head: JSON = [
      "time": .decimal((time - .zero).seconds), "device": .whole(device.rawValue),
      "kind": .string(kind),
    ]
    return head.with(members)
  }

  /// The members of its kind, in order.
  private var members: KeyValuePairs<String, JSON?> {
    switch self {
    case .gesture(let event): event.members
    case .touch(let frame): frame.members
    case .key(let event): event.members
    case .button(let event):
      ["button": .string(event.button.name), "state": .string(event.isDown ? "down" : "up")]
    case .motion(let event): ["motion": .pair(event.delta)]
    case .scroll(let event): ["source": .string(event.source.name), "delta": .pair(event.delta)]
    case .device(let event): ["change": .string(event.change.name)]
    case .hotkey(let event):
      [
        "hotkey": .whole(event.hotkey.rawValue), "phase": .string(event.phase.name),
        "acts": .bool(event.shouldAct),
      ]
    case .lost(let event):
      [
        "since": event.since.map { .decimal(($0 - .zero).seconds) },
        "kinds": event.kinds.isEmpty ? nil : .strings(event.kinds.words(of: EventMask.kinds)),
      ]
    }
  }

  /// Reads what ``json`` writes, and a line of `gliss --format jsonl`: the device or hotkey that it
  /// names counts as number 0.
  init(json: JSON) throws(SchemaError) {
    let members = try SchemaMembers(json)
    let kind = try members.string("kind")
    guard EventDecoder.kinds.contains(kind) else {
      throw SchemaError("kind", "there is no such kind of event")
    }
    let isOfNoDevice = kind == "hotkey" && !members.has("device")
    let device = DeviceID(rawValue: isOfNoDevice ? 0 : try members.numberOrName("device"))
    let time = try members.time()
    switch kind {
    case "touch" where members.has("touches"):
      self = .touch(try TouchFrame(members, time, device))
    case "hotkey":
      let hotkey = HotkeyID(rawValue: try members.numberOrName("hotkey"))
      self = .hotkey(try HotkeyEvent(members, time, device, hotkey))
    case "lost": self = .lost(try LossEvent(members, time, device))
    case _:
      var decoder = EventDecoder()
      self = try decoder.input(kind, members, time, device)
    }
  }
}

extension GestureEvent {
  fileprivate var members: KeyValuePairs<String, JSON?> {
    let (moves, turns) = kind.numbers
    func motion(_ value: Vector2) -> JSON? { moves || value != .zero ? .pair(value) : nil }
    return [
      "gesture": .string(kind.name), "phase": .string(phase.name), "fingers": .whole(fingers),
      "count": count != 0 || kind == .tap ? .whole(count) : nil,
      "direction": direction.map { .string($0.name) },
      "direction8": direction8.map { .string($0.name) },
      "edge": edge.map { .string($0.name) }, "afterTap": isAfterTap ? true : nil,
      "centroid": hasCentroid ? .pair(centroid) : nil,
      "translation": motion(translation.points),
      "translation_mm": motion(translation.millimetres), "velocity_mm_s": motion(velocity),
      "scale": turns || scale != 1 ? .decimal(scale) : nil,
      "rotation": turns || rotation != 0 ? .decimal(rotation) : nil,
    ]
  }
}

extension GestureKind {
  /// Whether the schema has a motion for it, and a scale and a rotation.
  fileprivate var numbers: (moves: Bool, turns: Bool) {
    switch self {
    case .tap, .hold: (false, false)
    case .drag, .swipe, .edgeSwipe: (true, false)
    case .pinch, .rotate: (true, true)
    }
  }
}

extension KeyEvent {
  fileprivate var members: KeyValuePairs<String, JSON?> {
    let sides = modifiers.words(of: Modifiers.sides)
    return [
      "key": .string(key.name), "state": .string(state.name),
      "modifiers": .strings(modifiers.names),
      "sides": sides.isEmpty ? nil : .strings(sides), "keysym": keysym == 0 ? nil : .whole(keysym),
      "text": typed.isEmpty ? nil : .string(text),
    ]
  }
}

extension Touch {
  /// The members without the device, which its frame has.
  fileprivate var members: KeyValuePairs<String, JSON?> {
    [
      "id": .whole(id.serial), "phase": .string(phase.name),
      "position": .pair(normalizedPosition), "position_mm": .pair(position),
      "resting": .bool(isResting), "major": major == 0 ? nil : .decimal(Double(major)),
      "pressure": pressure == 0 ? nil : .decimal(Double(pressure)),
    ]
  }

  /// The touch with its device.
  var json: JSON { (["device": .whole(id.device.rawValue)] as JSON).with(members) }

  /// Reads the members of a touch.
  init(_ members: SchemaMembers, _ device: DeviceID) throws(SchemaError) {
    self.init(
      id: TouchID(device: device, serial: try members.integer("id")),
      phase: try members.word("phase"),
      isResting: try members.bool("resting", absent: false),
      normalizedPosition: try members.pair("position"),
      position: try members.pair("position_mm"))
    if members.has("major") { major = try members.float("major") }
    if members.has("pressure") { pressure = try members.float("pressure") }
  }
}

extension HotkeyEvent {
  /// Reads what `hotkey` does.
  init(
    _ members: SchemaMembers, _ time: EventTime, _ device: DeviceID, _ hotkey: HotkeyID
  ) throws(SchemaError) {
    let phase: Phase = try members.word("phase")
    self.init(
      time: time, device: device, hotkey: hotkey, phase: phase,
      shouldAct: try members.bool("acts", absent: phase != .released))
  }
}

extension LossEvent {
  /// Reads a loss with the kinds of event it may concern.
  fileprivate init(
    _ members: SchemaMembers, _ time: EventTime, _ device: DeviceID
  ) throws(SchemaError) {
    self.init(
      time: time, device: device, since: members.has("since") ? try members.time("since") : nil)
    kinds = try members.set("kinds", of: EventMask.kinds)
  }
}

extension TouchFrame {
  fileprivate var members: KeyValuePairs<String, JSON?> {
    [
      "touches": .array(touches.indices.map { .members(touches[$0].members) }),
      "fingers": .whole(fingerCount), "button": isButtonDown ? true : nil,
      "boundingBox": isBoundingBox ? true : nil,
    ]
  }

  /// Reads a frame with all its touches.
  fileprivate init(
    _ members: SchemaMembers, _ time: EventTime, _ device: DeviceID
  ) throws(SchemaError) {
    self.init(time: time, device: device)
    for touch in try members.array("touches") {
      guard touches.append(try Touch(SchemaMembers(touch), device)) else {
        throw SchemaError("touches", "at most \(Self.capacity) touches are allowed")
      }
    }
    fingerCount = try members.count("fingers")
    isButtonDown = try members.bool("button", absent: false)
    isBoundingBox = try members.bool("boundingBox", absent: false)
  }
}
