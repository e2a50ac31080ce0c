/// Which computer this is, and since when it runs: values handed in, for grants that are bound to them.
public struct Machine: Hashable, Sendable {
  /// Names the computer, and is not /etc/machine-id itself, which is nobody else's business
  /// (`sd_id128_get_machine_app_specific`). Empty where it is not known; then bound grants do not count.
  public var id: String
  /// Names its present run (`sd_id128_get_boot`): sessions' names come again after it. Empty where it is not known.
  public var boot: String

  public init(id: String, boot: String) {
    self.id = id
    self.boot = boot
  }

  /// Nothing is known: grants that are bound to a computer or a session do not count.
  public static let unknown = Machine(id: "", boot: "")
}
