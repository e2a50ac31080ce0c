// The object of the event itself, with the device's name. `gliss watch --format jsonl` has the name in
// place of the number; what happens to the stream has the same form there.
extension GlobalEvent: Codable {
  /// Reads an event, also a line of `gliss watch --format jsonl`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with the member that is missing or invalid.
  public init(from decoder: any Decoder) throws {
    let json = try JSON(from: decoder)
    do throws(SchemaError) {
      self = try GlobalEvent(json: json)
    } catch {
      throw DecodingError.invalid(error.problem, member: error.member, at: decoder)
    }
  }

  /// Writes the event as an object.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  private init(json: JSON) throws(SchemaError) {
    let members = try SchemaMembers(json)
    switch try members.string("kind") {
    case "session":
      guard let state = SessionState(rawValue: try members.string("state")) else {
        throw SchemaError("state", "there is no such state")
      }
      self = .session(state, at: try members.time())
    case "lost" where !members.has("device"): self = .lost(try members.integer("count"))
    case _:
      let name = json["deviceName"]?.string ?? json["device"]?.string ?? ""
      self = .input(try InputEvent(json: json), device: name)
    }
  }

  private var json: JSON {
    switch self {
    case .input(let event, let device):
      let name = device.isEmpty ? [] : [JSON.Member("deviceName", .string(device))]
      return .object((event.json.object ?? []) + name)
    case .session(let state, let time):
      return [
        "time": .decimal((time - .zero).seconds), "kind": "session",
        "state": .string(state.rawValue),
      ]
    case .lost(let count): return ["kind": "lost", "count": .integer(count)]
    }
  }
}
