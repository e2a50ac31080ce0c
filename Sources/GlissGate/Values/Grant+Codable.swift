public import GlissEvents

// Public values of the gate in the form of org.gliss.Broker.

extension Tier: SchemaWord {}
extension Standing: Codable {}
extension Availability: Codable {}
extension GrantID: Codable {}

extension WallTime: Codable {
  /// Reads seconds since 1970.
  package init(from decoder: any Decoder) throws { self.init(seconds: try Int64(from: decoder)) }

  /// Writes seconds since 1970.
  package func encode(to encoder: any Encoder) throws { try seconds.encode(to: encoder) }
}

extension Scope: Codable {
  /// Reads a scope as the broker's Varlink interface writes it.
  public init(from decoder: any Decoder) throws {
    let json = try JSON(from: decoder)
    do throws(GateError) {
      self = try Scope(json: json, at: "scope")
    } catch {
      throw DecodingError.invalid("\(error)", at: decoder)
    }
  }

  /// Writes the scope as the broker's Varlink interface does.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

// MARK: Descriptions

extension WallTime: CustomStringConvertible {
  /// The date in UTC: `2026-11-23T14:16:20Z`.
  package var description: String { date }
}

extension Standing: CustomStringConvertible {
  /// In words: `not decided yet`.
  public var description: String {
    switch self {
    case .notDetermined: "not decided yet"
    case .denied: "denied"
    case .granted: "granted"
    case .restricted: "cannot be granted"
    }
  }
}

extension Entitlement: CustomStringConvertible {
  /// The scope and when it holds: `gesture, whenUnlocked`.
  package var description: String { "\(scope), \(availability.rawValue)" }
}

extension Verdict: CustomStringConvertible {
  /// The standing, what is granted, until when, and the advice.
  package var description: String {
    let granted = entitlements.map { "\($0)" }.joined(separator: " and ")
    return [
      granted.isEmpty ? "\(standing)" : "\(standing): \(granted)",
      until.map { "until \($0)" }, advice,
    ].compactMap { $0 }.joined(separator: "; ")
  }
}

extension Grant.Terms: CustomStringConvertible {
  /// What a client may or may not see, and until when.
  public var description: String {
    "\(client) of user \(uid) \(isAllowed ? "may" : "may not") see \(scope), \(expiry.inWords)"
  }
}

extension Grant: CustomStringConvertible {
  /// The number and the terms.
  public var description: String { "grant \(id.rawValue): \(terms)" }
}
