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
  public func encode(to encoder: any Encoder) throws { try jsonWithDevice.encode(to: encoder) }
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
