public import GlissEvents

/// Grants as a file that people keep and read: `gliss grants export`.
public enum GrantFile {
  private static let version: Int64 = 1

  /// Those of the grants that last. One for once or for a session means nothing anywhere else.
  public static func json(of grants: [Grant]) -> JSON {
    let lasting = grants.filter { grant in
      switch grant.terms.expiry {
      case .never, .at: true
      case .once, .session: false
      }
    }
    return [
      "version": .integer(version),
      "grants": .array(lasting.map { .object($0.terms.members) }),
    ]
  }

  /// What a file grants. Nothing of it holds until it is added; then it is as if it were granted on that computer.
  ///
  /// - Throws: ``GateError/Problem/syntax`` with the place in it: `grants[3].scope.events[0]`.
  public static func terms(in json: JSON) throws(GateError) -> [Grant.Terms] {
    let file = PlacedJSON(value: json, place: "")
    let members = try file.members(["version", "grants"])
    guard let version = members["version"] else { throw file.missing("version") }
    guard try version.integer(Int64.self) == Self.version else {
      throw version.mistake("is not \(Self.version)", advice: "use the Gliss that wrote it")
    }
    guard let grants = members["grants"] else { throw file.missing("grants") }
    let elements = try grants.elements()
    guard elements.count <= Gate.capacity else {
      throw grants.mistake("are more than \(Gate.capacity)")
    }
    var terms: [Grant.Terms] = []
    for element in elements {
      terms.append(try Grant.Terms(json: element.value, at: element.place))
    }
    return terms
  }
}

extension Gate {
  /// What ``add(_:by:at:)`` would take again.
  public func export() throws(GateError) -> JSON { GrantFile.json(of: try grants()) }
}
