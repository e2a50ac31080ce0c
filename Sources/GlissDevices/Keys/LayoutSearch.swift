import Glibc
public import GlissEvents

/// Where a keyboard layout is looked for when nobody names one.
///
/// The compositor's own choice, and the group it is in, cannot be read from outside: these are the places it takes its
/// default from.
public struct LayoutSearch: Sendable {
  /// The variables `XKB_DEFAULT_RULES`, `_MODEL`, `_LAYOUT`, `_VARIANT` and `_OPTIONS`, those that are set.
  public var environment: [String: String]
  /// The bus systemd's locale1 is on, as D-Bus writes addresses; `nil` for the system's.
  public var busAddress: String?
  /// How long locale1 may take to answer.
  public var patience: EventInterval
  /// A file like Debian's `/etc/default/keyboard`.
  public var defaultsFile: String

  /// This process' environment, the system's bus and file; locale1 has a second to start and answer.
  public init() {
    environment = [:]
    for name in Self.variables {
      if let value = getenv(name) { environment[name] = String(cString: value) }
    }
    busAddress = nil
    patience = .milliseconds(1000)
    defaultsFile = "/etc/default/keyboard"
  }

  public init(
    environment: [String: String], busAddress: String?, patience: EventInterval,
    defaultsFile: String
  ) {
    self.environment = environment
    self.busAddress = busAddress
    self.patience = patience
    self.defaultsFile = defaultsFile
  }

  private static let variables = [
    "XKB_DEFAULT_RULES", "XKB_DEFAULT_MODEL", "XKB_DEFAULT_LAYOUT", "XKB_DEFAULT_VARIANT",
    "XKB_DEFAULT_OPTIONS",
  ]

  fileprivate var fromEnvironment: KeyboardLayout {
    KeyboardLayout(
      rules: environment["XKB_DEFAULT_RULES"] ?? "",
      model: environment["XKB_DEFAULT_MODEL"] ?? "",
      layout: environment["XKB_DEFAULT_LAYOUT"] ?? "",
      variant: environment["XKB_DEFAULT_VARIANT"] ?? "",
      options: environment["XKB_DEFAULT_OPTIONS"] ?? "")
  }

  fileprivate var fromLocale1: KeyboardLayout {
    LocaleService(address: busAddress).layout(within: patience) ?? KeyboardLayout()
  }

  fileprivate var fromDefaultsFile: KeyboardLayout {
    let names = ShellAssignments.read(defaultsFile)
    return KeyboardLayout(
      model: names["XKBMODEL"] ?? "", layout: names["XKBLAYOUT"] ?? "",
      variant: names["XKBVARIANT"] ?? "", options: names["XKBOPTIONS"] ?? "")
  }
}

extension KeyboardLayout {
  /// The layout to use, and who named it: `explicit`, the environment, locale1, Debian's file or nobody, in this
  /// order. Model and options come from the same place; one that names no layout is passed over.
  ///
  /// - Parameter explicit: as ``init(parsing:)`` takes it; only what is wrong there is an error.
  public static func find(
    explicit: String? = nil, in search: LayoutSearch = LayoutSearch()
  ) throws(DeviceError) -> (layout: KeyboardLayout, source: LayoutSource) {
    if let explicit { return (try KeyboardLayout(parsing: explicit), .explicit) }
    let named = search.fromEnvironment
    if !named.layout.isEmpty { return (named, .environment) }
    let set = search.fromLocale1
    if !set.layout.isEmpty { return (set, .locale1) }
    let written = search.fromDefaultsFile
    if !written.layout.isEmpty { return (written, .defaultsFile) }
    return (KeyboardLayout(), .standard)
  }
}
