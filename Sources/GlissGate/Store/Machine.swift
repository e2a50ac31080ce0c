/// Which computer this is and which boot. The caller supplies it, for grants that are bound to
/// them.
public struct Machine: Hashable, Sendable {
  /// Identifies the computer. It is derived from /etc/machine-id, which must stay private
  /// (`sd_id128_get_machine_app_specific`). Empty if unknown; bound grants then do not count.
  public var id: String
  /// Identifies the current boot (`sd_id128_get_boot`), because session names are reused after the
  /// next. Empty if unknown.
  public var boot: String

  public init(id: String, boot: String) {
    self.id = id
    self.boot = boot
  }

  /// Nothing is known. Grants that are bound to a computer or a session do not count.
  public static let unknown = Machine(id: "", boot: "")
}
