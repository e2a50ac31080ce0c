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
    let json = try JSON(from: decoder)
    do throws(SchemaError) {
      self = try InputEvent(json: json)
    } catch {
      throw DecodingError.invalid(error.problem, member: error.member, at: decoder)
    }
  }

  /// Writes the event as an object.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension InputEvent {
  /// Reads an event of one kind.
  fileprivate static func event<Event>(
    from decoder: any Decoder, _ event: (InputEvent) -> Event?
  ) throws -> Event {
    guard let event = event(try InputEvent(from: decoder)) else {
      throw DecodingError.invalid("it is another kind of event", member: "kind", at: decoder)
    }
    return event
  }
}

extension GestureEvent: Codable {
  /// Reads a gesture, as ``InputEvent`` does.
  public init(from decoder: any Decoder) throws {
    self = try InputEvent.event(from: decoder) { event in
      if case .gesture(let event) = event { event } else { nil }
    }
  }

  /// Writes it as ``InputEvent`` does.
  public func encode(to encoder: any Encoder) throws {
    try InputEvent.gesture(self).encode(to: encoder)
  }
}

extension TouchFrame: Codable {
  /// Reads a frame of touches, as ``InputEvent`` does.
  public init(from decoder: any Decoder) throws {
    self = try InputEvent.event(from: decoder) { event in
      if case .touch(let event) = event { event } else { nil }
    }
  }

  /// Writes it as ``InputEvent`` does.
  public func encode(to encoder: any Encoder) throws {
    try InputEvent.touch(self).encode(to: encoder)
  }
}

extension KeyEvent: Codable {
  /// Reads a key, as ``InputEvent`` does.
  public init(from decoder: any Decoder) throws {
    self = try InputEvent.event(from: decoder) { event in
      if case .key(let event) = event { event } else { nil }
    }
  }

  /// Writes it as ``InputEvent`` does.
  public func encode(to encoder: any Encoder) throws {
    try InputEvent.key(self).encode(to: encoder)
  }
}

extension ButtonEvent: Codable {
  /// Reads a button, as ``InputEvent`` does.
  public init(from decoder: any Decoder) throws {
    self = try InputEvent.event(from: decoder) { event in
      if case .button(let event) = event { event } else { nil }
    }
  }

  /// Writes it as ``InputEvent`` does.
  public func encode(to encoder: any Encoder) throws {
    try InputEvent.button(self).encode(to: encoder)
  }
}

extension MotionEvent: Codable {
  /// Reads motion, as ``InputEvent`` does.
  public init(from decoder: any Decoder) throws {
    self = try InputEvent.event(from: decoder) { event in
      if case .motion(let event) = event { event } else { nil }
    }
  }

  /// Writes it as ``InputEvent`` does.
  public func encode(to encoder: any Encoder) throws {
    try InputEvent.motion(self).encode(to: encoder)
  }
}

extension ScrollEvent: Codable {
  /// Reads scrolling, as ``InputEvent`` does.
  public init(from decoder: any Decoder) throws {
    self = try InputEvent.event(from: decoder) { event in
      if case .scroll(let event) = event { event } else { nil }
    }
  }

  /// Writes it as ``InputEvent`` does.
  public func encode(to encoder: any Encoder) throws {
    try InputEvent.scroll(self).encode(to: encoder)
  }
}

extension DeviceEvent: Codable {
  /// Reads a device that came or went, as ``InputEvent`` does.
  public init(from decoder: any Decoder) throws {
    self = try InputEvent.event(from: decoder) { event in
      if case .device(let event) = event { event } else { nil }
    }
  }

  /// Writes it as ``InputEvent`` does.
  public func encode(to encoder: any Encoder) throws {
    try InputEvent.device(self).encode(to: encoder)
  }
}

extension HotkeyEvent: Codable {
  /// Reads a hotkey, as ``InputEvent`` does.
  public init(from decoder: any Decoder) throws {
    self = try InputEvent.event(from: decoder) { event in
      if case .hotkey(let event) = event { event } else { nil }
    }
  }

  /// Writes it as ``InputEvent`` does.
  public func encode(to encoder: any Encoder) throws {
    try InputEvent.hotkey(self).encode(to: encoder)
  }
}

extension LossEvent: Codable {
  /// Reads a loss, as ``InputEvent`` does.
  public init(from decoder: any Decoder) throws {
    self = try InputEvent.event(from: decoder) { event in
      if case .lost(let event) = event { event } else { nil }
    }
  }

  /// Writes it as ``InputEvent`` does.
  public func encode(to encoder: any Encoder) throws {
    try InputEvent.lost(self).encode(to: encoder)
  }
}

extension Touch: Codable {
  /// Reads the members of a touch in the event schema.
  public init(from decoder: any Decoder) throws {
    let json = try JSON(from: decoder)
    do throws(SchemaError) {
      let members = try SchemaMembers(json)
      self = try Touch(members, DeviceID(rawValue: try members.numberOrName("device")))
    } catch {
      throw DecodingError.invalid(error.problem, member: error.member, at: decoder)
    }
  }

  /// Writes the members of a touch in the event schema.
  public func encode(to encoder: any Encoder) throws { try jsonWithDevice.encode(to: encoder) }
}
