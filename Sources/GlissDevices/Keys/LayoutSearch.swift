import Glibc
public import GlissEvents

/// Where to look for a keyboard layout if none is named.
///
/// The compositor's own choice and current group cannot be read from outside. These are the places
/// its default comes from.
public struct LayoutSearch: Sendable {
  /// Those of the variables `XKB_DEFAULT_RULES`, `_MODEL`, `_LAYOUT`, `_VARIANT` and `_OPTIONS`
  /// that are set.
  public var environment: [String: String]
  /// The D-Bus address of the bus with systemd's locale1; `nil` for the system bus.
  public var busAddress: String?
  /// The timeout for locale1.
  public var patience: EventInterval
  /// A file in the format of Debian's `/etc/default/keyboard`.
  public var defaultsFile: String

  /// Uses this process's environment, the system bus and the system's file. locale1 has a second to
  /// start and reply.
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
  /// The layout to use and its source: `explicit`, the environment, locale1, Debian's file or xkb's
  /// default, in this order. Model and options come from the same source. A source without a layout
  /// is skipped.
  ///
  /// - Parameter explicit: In the form ``init(parsing:)`` takes. Only a mistake here is an error.
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
