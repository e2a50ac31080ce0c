public import GlissEvents

/// Grants and group members as a file for people to read and keep: `gliss grants export`.
public enum GrantFile {
  private static let version: Int64 = 1

  /// The lasting grants. Grants for once or for a session mean nothing elsewhere.
  public static func json(of grants: [Grant], members: [GroupMember] = []) -> JSON {
    let lasting = grants.filter { grant in
      switch grant.terms.expiry {
      case .never, .at: true
      case .once, .session: false
      }
    }
    return [
      "version": .integer(version),
      "grants": .array(lasting.map { .object($0.terms.members) }),
      "members": .array(members.map { .object($0.membership.members) }),
    ]
  }

  /// The grants in a file. They take effect only once they are added, and then count as granted on
  /// this computer.
  ///
  /// - Throws: ``GateError/Problem/syntax`` with the place in the file:
  ///   `grants[3].scope.events[0]`.
  public static func terms(in json: JSON) throws(GateError) -> [Grant.Terms] {
    let (file, members) = try checked(json)
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

  /// The group memberships in a file; none if the file does not mention them.
  ///
  /// - Throws: ``GateError/Problem/syntax`` with the place in the file: `members[3].group`.
  public static func memberships(in json: JSON) throws(GateError) -> [Membership] {
    guard let members = try checked(json).members["members"] else { return [] }
    let elements = try members.elements()
    guard elements.count <= Gate.memberCapacity else {
      throw members.mistake("are more than \(Gate.memberCapacity)")
    }
    var memberships: [Membership] = []
    for element in elements {
      memberships.append(try Membership(json: element.value, at: element.place))
    }
    return memberships
  }

  private static func checked(
    _ json: JSON
  ) throws(GateError) -> (file: PlacedJSON, members: [String: PlacedJSON]) {
    let file = PlacedJSON(value: json, place: "")
    let members = try file.members(["version", "grants", "members"])
    guard let version = members["version"] else { throw file.missing("version") }
    guard try version.integer(Int64.self) == Self.version else {
      throw version.mistake("is not \(Self.version)", advice: "use the Gliss that wrote it")
    }
    return (file, members)
  }
}

extension Gate {
  /// The grants and members in a form that ``add(_:by:at:)`` accepts again.
  public func export() throws(GateError) -> JSON {
    GrantFile.json(of: try grants(), members: try members())
  }
}
