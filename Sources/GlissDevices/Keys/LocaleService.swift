import GlissEvents

/// systemd's locale1, which stores the machine-wide keyboard layout.
struct LocaleService {
  /// A D-Bus address; `nil` for the system bus.
  let address: String?

  /// The layout, empty if none is set; `nil` without a bus, the service or a reply within
  /// `patience`.
  func layout(within patience: EventInterval) -> KeyboardLayout? {
    guard let bus = Bus(address),
      let answer = bus.call(
        "org.freedesktop.locale1", "/org/freedesktop/locale1", "org.freedesktop.DBus.Properties",
        "GetAll", "org.freedesktop.locale1", within: patience)
    else { return nil }
    let values = answer.dictionary()
    func name(_ key: String) -> String {
      if case .string(let text)? = values[key] { text } else { "" }
    }
    return KeyboardLayout(
      model: name("X11Model"), layout: name("X11Layout"), variant: name("X11Variant"),
      options: name("X11Options"))
  }
}
