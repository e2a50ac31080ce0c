/// A grant as it is kept: with the computer and the run it is bound to.
struct GrantRecord: Hashable, Sendable {
  var grant: Grant
  /// Where it was given, if it holds only there; else empty.
  var machine: String
  /// When it was given, if it holds for a session; else empty.
  var boot: String

  init(_ grant: Grant, on machine: Machine) {
    self.grant = grant
    self.machine = ""
    boot = ""
    bind(to: machine)
  }

  init(_ grant: Grant, machine: String, boot: String) {
    self.grant = grant
    self.machine = machine
    self.boot = boot
  }

  /// Binds it anew, to this computer and this run, where its terms say that it is bound.
  mutating func bind(to here: Machine) {
    machine = grant.terms.thisDeviceOnly ? here.id : ""
    boot = if case .session = grant.terms.expiry { here.boot } else { "" }
  }

  /// Whether it counts on this computer. A refusal does anywhere: to count it can only show less.
  func counts(on here: Machine) -> Bool {
    if !grant.terms.isAllowed || !grant.terms.thisDeviceOnly { return true }
    return !here.id.isEmpty && machine == here.id
  }

  /// What no second grant may have.
  var key: GrantKey { GrantKey(grant.terms) }
}

/// What no two grants have in common.
struct GrantKey: Hashable {
  var uid: UInt32
  var client: Client
  var group: AccessGroup?
  var scope: Scope

  init(_ terms: Grant.Terms) {
    uid = terms.uid
    client = terms.client
    group = terms.group
    scope = terms.scope
  }
}
