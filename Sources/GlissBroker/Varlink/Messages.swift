package import GlissClient
package import GlissEvents

/// A call as a client sends it.
package struct VarlinkCall: Hashable, Sendable {
  /// The interface, in reverse-domain form.
  package var interface: String
  /// The method's name within it.
  package var method: String
  /// An object; empty if the client sent none.
  package var parameters: JSON
  /// More than one answer is wanted.
  package var wantsMore = false
  /// No answer is wanted.
  package var isOneway = false
}

extension VarlinkCall {
  /// Parses `message`, which has no NUL. Members that Varlink does not define are ignored, because
  /// a later version may send them.
  package init(parsing message: [UInt8], limits: JSON.Limits = JSON.Limits()) throws(VarlinkError) {
    let json: JSON
    do {
      json = try JSON(parsing: message, limits: limits)
    } catch {
      throw .notJSON(error)
    }
    guard let members = json.object else { throw .wrongType(member: "message") }
    var call = VarlinkCall(interface: "", method: "", parameters: [:])
    for member in members { try call.take(member) }
    guard !call.method.isEmpty else { throw .wrongType(member: "method") }
    guard !(call.wantsMore && call.isOneway) else { throw .wrongType(member: "oneway") }
    self = call
  }

  /// A member that is null counts as absent.
  private mutating func take(_ member: JSON.Member) throws(VarlinkError) {
    switch (member.name, member.value) {
    case ("method", .string(let name)):
      guard let dot = name.lastIndex(of: ".") else { throw .wrongType(member: "method") }
      interface = String(name[..<dot])
      method = String(name[name.index(after: dot)...])
      guard !interface.isEmpty else { throw .wrongType(member: "method") }
    case ("parameters", .object): parameters = member.value
    case ("more", .bool(let value)): wantsMore = value
    case ("oneway", .bool(let value)): isOneway = value
    // no other protocol is spoken on this socket
    case ("upgrade", .bool(false)): break
    case ("method", .null), ("parameters", .null), ("more", .null), ("oneway", .null): break
    case ("upgrade", .null): break
    case ("method", _), ("parameters", _), ("more", _), ("oneway", _), ("upgrade", _):
      throw .wrongType(member: member.name)
    case _: break
    }
  }
}

extension VarlinkError {
  /// The reply to its sender.
  var reply: VarlinkReply {
    switch self {
    case .tooLong(let limit):
      BrokerLimit.reached("messageBytes", limit, advice: "Send shorter messages.")
    case .notJSON(let error):
      .error(
        "org.gliss.Broker.InvalidMessage",
        ["offset": .integer(Int64(error.offset)), "message": .string(description)])
    case .wrongType, .foreign:
      .error("org.gliss.Broker.InvalidMessage", ["message": .string(description)])
    }
  }
}

/// The error for a client that has reached a limit.
enum BrokerLimit {
  static func reached(_ limit: String, _ maximum: Int, advice: String) -> VarlinkReply {
    .error(
      "org.gliss.Broker.LimitReached",
      [
        "limit": .string(limit), "maximum": .integer(Int64(maximum)), "advice": .string(advice),
      ])
  }
}

/// An answer to a call.
enum VarlinkReply: Hashable, Sendable {
  case result(JSON, continues: Bool)
  /// The error's full name and its parameters.
  case error(String, JSON)

  /// Whether more answers follow.
  var continues: Bool {
    switch self {
    case .result(_, let continues): continues
    case .error: false
    }
  }

  /// Appends the message, without its NUL.
  func write(into text: inout TextBuffer) {
    switch self {
    case .result(let parameters, let continues):
      text.append("{\"parameters\":")
      parameters.write(into: &text)
      text.append(continues ? ",\"continues\":true}" : "}" as StaticString)
    case .error(let name, let parameters):
      text.append("{\"error\":")
      text.append(json: name)
      text.append(",\"parameters\":")
      parameters.write(into: &text)
      text.append("}")
    }
  }

  /// The message, without its NUL.
  var encoded: [UInt8] {
    var text = TextBuffer()
    write(into: &text)
    return text.bytes
  }
}
