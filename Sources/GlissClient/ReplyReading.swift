import GlissEvents
import GlissGate

extension BrokerConnection {
  /// Reads an answer. Anything that does not match the interface ends the connection.
  func read<Value>(
    _ answer: JSON, _ body: (Parameters) throws(ParameterError) -> Value
  ) throws(ClientError) -> Value {
    do {
      return try body(Parameters(answer))
    } catch {
      throw broken("\(error.parameter) \(error.message)")
    }
  }
}

// The answers of both interfaces.
extension Parameters {
  func objects<Value>(
    _ name: String, _ body: (Parameters) throws(ParameterError) -> Value
  ) throws(ParameterError) -> [Value] {
    var values: [Value] = []
    for element in try objects(name) ?? [] { values.append(try body(element)) }
    return values
  }

  func number(_ name: String) throws(ParameterError) -> Double {
    try required(name, try decimal(name))
  }

  func text(_ name: String) throws(ParameterError) -> String {
    try required(name, try string(name))
  }

  func whole<Number: FixedWidthInteger>(_ name: String) throws(ParameterError) -> Number {
    guard let number = Number(exactly: try required(name, try integer(name))) else {
      throw ParameterError(place(name), "is too large or below zero")
    }
    return number
  }

  func wall(_ name: String) throws(ParameterError) -> WallTime? {
    try integer(name).map { WallTime(seconds: $0) }
  }

  func verdict(_ name: String) throws(ParameterError) -> Verdict {
    let inner = try required(name, try object(name))
    return Verdict(
      try inner.required("standing", try inner.word("standing")),
      entitlements: try inner.entitlements("granted"), until: try inner.wall("until"),
      advice: try inner.string("advice"), mayRequest: try inner.bool("mayRequest") ?? false)
  }

  func entitlements(_ name: String) throws(ParameterError) -> [Entitlement] {
    try objects(name) { (each) throws(ParameterError) in
      Entitlement(
        try each.scope("scope"), try each.word("availability") ?? .whenUnlocked)
    }
  }

  var grant: Grant {
    get throws(ParameterError) {
      return Grant(
        id: GrantID(rawValue: try whole("id")), terms: try terms(),
        created: WallTime(seconds: try whole("created")),
        modified: WallTime(seconds: try whole("modified")), lastUsed: try wall("lastUsed"),
        grantedBy: try text("grantedBy"))
    }
  }
}
