/// A grant as it is stored, with the computer and the boot it is bound to.
struct GrantRecord: Hashable, Sendable {
  var grant: Grant
  /// The computer it was granted on, if it holds only there; else empty.
  var machine: String
  /// The boot during which it was granted, if it holds for a session; else empty.
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

  /// Binds it to this computer and this boot again, if its terms say that it is bound.
  mutating func bind(to here: Machine) {
    machine = grant.terms.thisDeviceOnly ? here.id : ""
    boot = if case .session = grant.terms.expiry { here.boot } else { "" }
  }

  /// Whether it counts on this computer. A refusal counts anywhere, because it can only show less.
  func counts(on here: Machine) -> Bool {
    if !grant.terms.isAllowed || !grant.terms.thisDeviceOnly { return true }
    return !here.id.isEmpty && machine == here.id
  }

  /// The key, which is unique among grants.
  var key: GrantKey { GrantKey(grant.terms) }
}

/// The fields that together are unique to a grant.
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
