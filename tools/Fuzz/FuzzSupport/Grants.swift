import GlissEvents
import GlissGate

/// A file of grants must be refused, or mean the same when written and read again.
public func checkGrants(_ data: UnsafePointer<UInt8>?, _ count: Int) {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  guard let json = try? JSON(parsing: bytes), let terms = try? GrantFile.terms(in: json),
    let memberships = try? GrantFile.memberships(in: json)
  else { return }
  let grants = terms.enumerated().map { number, terms in
    Grant(
      id: GrantID(rawValue: Int64(number)), terms: terms, created: WallTime(seconds: 0),
      modified: WallTime(seconds: 0), grantedBy: "fuzz")
  }
  let lasting = terms.filter { terms in
    switch terms.expiry {
    case .never, .at: true
    case .once, .session: false
    }
  }.map { terms in
    // refusals always hold, and are written so
    var terms = terms
    terms.availability = terms.holdsWhile
    return terms
  }
  let members = memberships.map {
    GroupMember($0, since: WallTime(seconds: 0), addedBy: "fuzz")
  }
  guard let written = try? JSON(parsing: GrantFile.json(of: grants, members: members).encoded),
    let again = try? GrantFile.terms(in: written), again == lasting,
    let membersAgain = try? GrantFile.memberships(in: written), membersAgain == memberships
  else { fatalError("this is not read again as it was: \(terms) \(memberships)") }
}
