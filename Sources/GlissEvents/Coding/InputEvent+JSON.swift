// Events as JSON objects: the names of `gliss --format jsonl`, with all digits. Devices and hotkeys
// are numbers, because an event has no names for them.

extension InputEvent {
  /// The event as an object. Members with neutral values are left out where the schema does so.
  var json: JSON {
    var object = EventObject(self)
    switch self {
    case .gesture(let event): object.add(event)
    case .touch(let frame): object.add(frame)
    case .key(let event): object.add(event)
    case .button(let event):
      object.add("button", .string(event.button.name))
      object.add("state", .string(event.isDown ? "down" : "up"))
    case .motion(let event): object.add("motion", event.delta)
    case .scroll(let event):
      object.add("source", .string(event.source.name))
      object.add("delta", event.delta)
    case .device(let event): object.add("change", .string(event.change.name))
    case .hotkey(let event):
      object.add("hotkey", .integer(Int64(event.hotkey.rawValue)))
      object.add("phase", .string(event.phase.name))
      object.add("acts", .bool(event.shouldAct))
    case .lost(let event):
      if let since = event.since { object.add("since", .decimal((since - .zero).seconds)) }
      if !event.kinds.isEmpty { object.add("kinds", event.kinds.words(of: EventMask.kinds)) }
    }
    return .object(object.members)
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
    case "hotkey": self = .hotkey(try HotkeyEvent(members, time, device))
    case "lost": self = .lost(try LossEvent(members, time, device))
    case _:
      var decoder = EventDecoder()
      self = try decoder.input(kind, members, time, device)
    }
  }
}

/// The members of an event's object, in order.
private struct EventObject {
  private(set) var members: [JSON.Member]

  init(_ event: InputEvent) {
    let kind = EventMask.kinds.first { $0.0 == event.mask }.map { "\($0.1)" } ?? ""
    members = [
      JSON.Member("time", .decimal((event.time - .zero).seconds)),
      JSON.Member("device", .integer(Int64(event.device.rawValue))),
      JSON.Member("kind", .string(kind)),
    ]
  }

  /// The members of a part of an event.
  init() { members = [] }

  mutating func add(_ name: String, _ value: JSON) { members.append(JSON.Member(name, value)) }
  mutating func add(_ name: String, _ value: Int) { add(name, .integer(Int64(value))) }
  mutating func add(_ name: String, _ words: [String]) {
    add(name, .array(words.map { .string($0) }))
  }
  mutating func add(_ name: String, _ value: Vector2) {
    add(name, .array([.decimal(value.x), .decimal(value.y)]))
  }

  /// Adds a member unless its value is neutral and the kind of gesture does not usually have it.
  private mutating func add<Value: Equatable>(
    _ name: String, _ value: Value, ifNot neutral: Value, or isUsual: Bool,
    _ json: (Value) -> JSON
  ) {
    if isUsual || value != neutral { add(name, json(value)) }
  }

  mutating func add(_ event: GestureEvent) {
    add("gesture", .string(event.kind.name))
    add("phase", .string(event.phase.name))
    add("fingers", event.fingers)
    if event.count != 0 || event.kind == .tap { add("count", event.count) }
    if let direction = event.direction { add("direction", .string(direction.name)) }
    if let direction = event.direction8 { add("direction8", .string(direction.name)) }
    if let edge = event.edge { add("edge", .string(edge.name)) }
    if event.isAfterTap { add("afterTap", true) }
    if event.hasCentroid { add("centroid", event.centroid) }
    let (moves, turns) = event.kind.numbers
    let pair = { (pair: Vector2) in JSON.array([.decimal(pair.x), .decimal(pair.y)]) }
    add("translation", event.translation.points, ifNot: .zero, or: moves, pair)
    add("translation_mm", event.translation.millimetres, ifNot: .zero, or: moves, pair)
    add("velocity_mm_s", event.velocity, ifNot: .zero, or: moves, pair)
    add("scale", event.scale, ifNot: 1, or: turns) { .decimal($0) }
    add("rotation", event.rotation, ifNot: 0, or: turns) { .decimal($0) }
  }

  mutating func add(_ frame: TouchFrame) {
    add("touches", .array(frame.touches.indices.map { frame.touches[$0].json }))
    add("fingers", frame.fingerCount)
    if frame.isButtonDown { add("button", true) }
    if frame.isBoundingBox { add("boundingBox", true) }
  }

  mutating func add(_ event: KeyEvent) {
    add("key", .string(event.key.name))
    add("state", .string(event.state.name))
    add("modifiers", event.modifiers.names)
    let sides = event.modifiers.words(of: Modifiers.sides)
    if !sides.isEmpty { add("sides", sides) }
    if event.keysym != 0 { add("keysym", Int(event.keysym)) }
    if !event.typed.isEmpty { add("text", .string(event.text)) }
  }

  mutating func add(_ touch: Touch) {
    add("id", Int(touch.id.serial))
    add("phase", .string(touch.phase.name))
    add("position", touch.normalizedPosition)
    add("position_mm", touch.position)
    add("resting", .bool(touch.isResting))
    if touch.major != 0 { add("major", .decimal(Double(touch.major))) }
    if touch.pressure != 0 { add("pressure", .decimal(Double(touch.pressure))) }
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

extension Touch {
  /// The touch within its frame, which has the device.
  fileprivate var json: JSON {
    var object = EventObject()
    object.add(self)
    return .object(object.members)
  }

  /// The same with the device.
  var jsonWithDevice: JSON {
    var object = EventObject()
    object.add("device", Int(id.device.rawValue))
    object.add(self)
    return .object(object.members)
  }

  /// Reads the members of a touch.
  init(_ members: SchemaMembers, _ device: DeviceID) throws(SchemaError) {
    self.init(
      id: TouchID(device: device, serial: try members.integer("id")),
      phase: try members.word("phase", \.name),
      isResting: try members.bool("resting", absent: false),
      normalizedPosition: try members.pair("position"),
      position: try members.pair("position_mm"))
    if members.has("major") { major = try members.float("major") }
    if members.has("pressure") { pressure = try members.float("pressure") }
  }
}

extension HotkeyEvent {
  /// Reads a hotkey by its number.
  fileprivate init(
    _ members: SchemaMembers, _ time: EventTime, _ device: DeviceID
  ) throws(SchemaError) {
    let phase: Phase = try members.word("phase", \.name)
    self.init(
      time: time, device: device,
      hotkey: HotkeyID(rawValue: try members.numberOrName("hotkey")), phase: phase,
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
