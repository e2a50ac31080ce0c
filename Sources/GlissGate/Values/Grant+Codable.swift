public import GlissEvents

// Values of the gate in the form of org.gliss.Broker and org.gliss.Grants.

extension GateError {
  /// The error as a decoder reports it.
  fileprivate func decoding(_ decoder: any Decoder) -> DecodingError {
    .invalid("\(self)", at: decoder)
  }
}

/// Reads a text that `parse` accepts.
private func parsed<Value>(
  _ decoder: any Decoder, _ parse: (String) throws(GateError) -> Value
) throws -> Value {
  let text = try String(from: decoder)
  do throws(GateError) {
    return try parse(text)
  } catch {
    throw error.decoding(decoder)
  }
}

extension Tier: SchemaWord {}
extension Standing: Codable {}
extension Availability: Codable {}
extension GrantID: Codable {}

extension WallTime: Codable {
  /// Reads seconds since 1970.
  public init(from decoder: any Decoder) throws { self.init(seconds: try Int64(from: decoder)) }

  /// Writes seconds since 1970.
  public func encode(to encoder: any Encoder) throws { try seconds.encode(to: encoder) }
}

extension Client: Codable {
  /// Reads a ``description``.
  public init(from decoder: any Decoder) throws {
    self = try parsed(decoder) { (text) throws(GateError) in try Client(text) }
  }

  /// Writes the ``description``.
  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension AccessGroup: Codable {
  /// Reads a ``name``.
  public init(from decoder: any Decoder) throws {
    self = try parsed(decoder) { (text) throws(GateError) in try AccessGroup(text) }
  }

  /// Writes the ``name``.
  public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}

extension Expiry: Codable {
  /// Reads a ``description``.
  public init(from decoder: any Decoder) throws {
    self = try parsed(decoder) { (text) throws(GateError) in try Expiry(text) }
  }

  /// Writes the ``description``.
  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension Scope: Codable {
  /// Reads a scope as the broker's Varlink interface writes it.
  public init(from decoder: any Decoder) throws {
    let json = try JSON(from: decoder)
    do throws(GateError) {
      self = try Scope(json: json, at: "scope")
    } catch {
      throw error.decoding(decoder)
    }
  }

  /// Writes the scope as the broker's Varlink interface does.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Grant.Terms: Codable {
  /// Reads and checks terms as in a file of grants.
  public init(from decoder: any Decoder) throws {
    let json = try JSON(from: decoder)
    do throws(GateError) {
      self = try Grant.Terms(json: json, at: "terms")
    } catch {
      throw error.decoding(decoder)
    }
  }

  /// Writes the terms as in a file of grants.
  public func encode(to encoder: any Encoder) throws {
    try JSON.object(members).encode(to: encoder)
  }
}

extension Grant: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case id, created, modified, lastUsed, grantedBy
  }

  /// Reads and checks a grant in the form of ``json``.
  public init(from decoder: any Decoder) throws {
    let json = try JSON(from: decoder)
    let own = Set(CodingKeys.allCases.map(\.rawValue))
    let members = (json.object ?? []).filter { !own.contains($0.name) }
    let terms: Terms
    do throws(GateError) {
      terms = try Terms(json: .object(members), at: "grant")
    } catch {
      throw error.decoding(decoder)
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.decode(GrantID.self, forKey: .id), terms: terms,
      created: try container.decode(WallTime.self, forKey: .created),
      modified: try container.decode(WallTime.self, forKey: .modified),
      lastUsed: try container.decodeIfPresent(WallTime.self, forKey: .lastUsed),
      grantedBy: try container.decode(String.self, forKey: .grantedBy))
  }

  /// Writes the scope as the broker's Varlink interface does.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

// MARK: Descriptions

extension WallTime: CustomStringConvertible {
  /// The date in UTC: `2026-11-23T14:16:20Z`.
  public var description: String { date }
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
  public var description: String { "\(scope), \(availability.rawValue)" }
}

extension Verdict: CustomStringConvertible {
  /// The standing, what is granted, until when, and the advice.
  public var description: String {
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
