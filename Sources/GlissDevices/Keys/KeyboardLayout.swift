package import GlissEvents

/// A keyboard layout by its xkb names. Empty names mean xkb's defaults.
public struct KeyboardLayout: Hashable, Sendable {
  /// The file that defines the other names, such as `evdev`.
  public var rules: String
  /// The keyboard model, such as `pc105`.
  public var model: String
  /// One or more layouts separated by commas, such as `us,de`.
  public var layout: String
  /// Each layout's variant, in the same order, such as `intl,`.
  public var variant: String
  /// Options separated by commas, such as `ctrl:nocaps,compose:ralt`.
  public var options: String

  /// A layout of xkb's names; an empty one stands for xkb's default.
  public init(
    rules: String = "", model: String = "", layout: String = "", variant: String = "",
    options: String = ""
  ) {
    self.rules = rules
    self.model = model
    self.layout = layout
    self.variant = variant
    self.options = options
  }

  /// Parses a layout from a command line: `de`, `us(intl)` or, easier in shells, `us:intl`; several
  /// are separated by commas.
  ///
  /// - Throws: ``SystemError`` if the text has another form. Whether the layout exists is checked
  ///   by ``XkbKeyTranslator``.
  public init(parsing text: String) throws(SystemError) {
    var layouts: [Substring] = []
    var variants: [Substring] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let (layout, variant) = Self.pair(part) else {
        throw SystemError(
          "keyboard layout '\(text.named)'", "is not a valid layout name",
          advice: "write de, us:intl or us,de:nodeadkeys")
      }
      layouts.append(layout)
      variants.append(variant)
    }
    let hasVariants = variants.contains { !$0.isEmpty }
    self.init(
      layout: layouts.joined(separator: ","),
      variant: hasVariants ? variants.joined(separator: ",") : "")
  }

  /// The layout and variant of `us`, `us(intl)` or `us:intl`.
  private static func pair(_ part: Substring) -> (layout: Substring, variant: Substring)? {
    var names = part.split(separator: ":", omittingEmptySubsequences: false)
    if names.count == 1, part.hasSuffix(")") {
      names = part.dropLast().split(separator: "(", omittingEmptySubsequences: false)
    }
    guard (1...2).contains(names.count), names.allSatisfy(isName) else { return nil }
    return (names[0], names.count == 2 ? names[1] : "")
  }

  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0.isLetterDigit(or: "_-./") }
  }

  /// Whether the names must not be passed to xkb. It builds paths from them and expands `%`.
  var isSuspicious: Bool {
    let (dot, comma, slash) = (UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "/"))
    return [rules, model, layout, variant, options].contains { name in
      // String's own `contains` would link Swift's regular expressions into glissd, at 1.4 MB
      let leavesFolder = zip(name.utf8, name.utf8.dropFirst()).contains {
        $0 == (dot, dot) || $0 == (comma, slash)
      }
      return leavesFolder || name.hasPrefix("/")
        || name.utf8.contains { $0 <= 0x20 || $0 >= 0x7f || $0 == UInt8(ascii: "%") }
    }
  }
}

extension KeyboardLayout: CustomStringConvertible {
  /// As on a command line, such as `us:intl,de`, followed by the other names.
  public var description: String {
    let variants = variant.split(separator: ",", omittingEmptySubsequences: false)
    let layouts = layout.split(separator: ",", omittingEmptySubsequences: false)
    let names = layouts.enumerated().map { index, layout -> String in
      let variant = index < variants.count ? variants[index] : ""
      return variant.isEmpty ? "\(layout)" : "\(layout):\(variant)"
    }
    var text = layout.isEmpty ? "xkb's default" : names.joined(separator: ",")
    for (what, name) in [("model", model), ("options", options), ("rules", rules)]
    where !name.isEmpty {
      text += ", \(what) \(name)"
    }
    return text.named
  }
}

extension String {
  /// External data for a message: shortened, and without control characters.
  fileprivate var named: String {
    String(unicodeScalars.prefix(80)).printable + (unicodeScalars.count > 80 ? "…" : "")
  }
}

/// Where to look for a keyboard layout if none is named.
///
/// The compositor's own choice and current group cannot be read from outside. These are the places
/// its default comes from.
package struct LayoutSearch: Sendable {
  /// Those of the variables `XKB_DEFAULT_RULES`, `_MODEL`, `_LAYOUT`, `_VARIANT` and `_OPTIONS`
  /// that are set.
  package var environment = variables.reduce(into: [:]) { $0[$1] = environmentVariable($1) }
  /// The D-Bus address of the bus with systemd's locale1; `nil` for the system bus.
  package var busAddress: String?
  /// The timeout for locale1, which may have to start.
  package var patience = EventInterval.milliseconds(1000)
  /// A file in the format of Debian's `/etc/default/keyboard`.
  package var defaultsFile = "/etc/default/keyboard"

  package init() {}

  fileprivate static let variables = [
    "XKB_DEFAULT_RULES", "XKB_DEFAULT_MODEL", "XKB_DEFAULT_LAYOUT", "XKB_DEFAULT_VARIANT",
    "XKB_DEFAULT_OPTIONS",
  ]
}

extension KeyboardLayout {
  /// The layout in `values`. `names` are its keys for rules, model, layout, variant and options, in
  /// this order; an empty one is not there.
  fileprivate init(_ values: [String: String], _ names: [String]) {
    let found = names.map { $0.isEmpty ? "" : values[$0] ?? "" }
    self.init(
      rules: found[0], model: found[1], layout: found[2], variant: found[3], options: found[4])
  }

  /// The layout to use and its source: `explicit`, the environment, locale1, Debian's file or xkb's
  /// default, in this order. Model and options come from the same source. A source without a layout
  /// is skipped.
  ///
  /// - Parameter explicit: In the form ``init(parsing:)`` takes. Only a mistake here is an error.
  package static func find(
    explicit: String? = nil, in search: LayoutSearch = LayoutSearch()
  ) throws(SystemError) -> (layout: KeyboardLayout, source: LayoutSource) {
    if let explicit { return (try KeyboardLayout(parsing: explicit), .explicit) }
    let named = KeyboardLayout(search.environment, LayoutSearch.variables)
    if !named.layout.isEmpty { return (named, .environment) }
    let set = search.askLocale1() ?? KeyboardLayout()
    if !set.layout.isEmpty { return (set, .locale1) }
    // far more than such a file needs
    let file = FileBytes.start(of: search.defaultsFile, upTo: 1 << 16) ?? []
    let written = KeyboardLayout(
      LayoutSearch.assignments(file), ["", "XKBMODEL", "XKBLAYOUT", "XKBVARIANT", "XKBOPTIONS"])
    if !written.layout.isEmpty { return (written, .defaultsFile) }
    return (KeyboardLayout(), .standard)
  }
}

package enum LayoutSource: String, Sendable, CaseIterable, CustomStringConvertible {
  /// The caller.
  case explicit = "--layout"
  /// The variables `XKB_DEFAULT_*`.
  case environment = "XKB_DEFAULT_LAYOUT"
  /// The machine-wide settings.
  case locale1 = "systemd's locale1 (localectl)"
  /// The file written by Debian's installer.
  case defaultsFile = "/etc/default/keyboard"
  case standard = "xkb's default"

  package var description: String { rawValue }
}

extension LayoutSearch {
  /// What systemd's locale1 stores for the whole machine, empty if none is set; `nil` without a
  /// bus, the service or a reply in time.
  func askLocale1() -> KeyboardLayout? {
    let values = Bus(busAddress)?.call(
      "org.freedesktop.locale1", "/org/freedesktop/locale1", "org.freedesktop.DBus.Properties",
      "GetAll", "org.freedesktop.locale1", within: patience
    ) { reply in
      reply.dictionary().compactMapValues { if case .string(let text) = $0 { text } else { nil } }
    }
    return values.map {
      KeyboardLayout($0, ["", "X11Model", "X11Layout", "X11Variant", "X11Options"])
    }
  }

  /// The variables that a file such as `/etc/default/keyboard` sets, one a line, with or without
  /// quotes. A value is left out if only a shell knows it.
  static func assignments(_ bytes: [UInt8]) -> [String: String] {
    var values: [String: String] = [:]
    for line in bytes.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
      var line = line.drop(while: isBlank)
      if line.starts(with: "export ".utf8) { line = line.dropFirst(7).drop(while: isBlank) }
      guard line.first != UInt8(ascii: "#"), let equals = line.firstIndex(of: UInt8(ascii: "="))
      else { continue }
      let name = String(decoding: line[..<equals], as: UTF8.self)
      values[name] = value(line[(equals + 1)...])
    }
    return values
  }

  private static func value(_ rest: ArraySlice<UInt8>) -> String? {
    var text = rest.prefix { !isBlank($0) }
    if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      text = rest.dropFirst().prefix { $0 != quote }
      let end = text.endIndex
      // the quote must be closed, and end the value
      guard end < rest.endIndex, rest[(end + 1)...].first.map(isBlank) != false else { return nil }
    }
    let isKnown = !text.contains { "\"'$`\\".utf8.contains($0) }
    return isKnown ? String(decoding: text, as: UTF8.self) : nil
  }

  private static func isBlank(_ byte: UInt8) -> Bool { " \t;".utf8.contains(byte) }
}
