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
  /// - Throws: ``DeviceError`` if the text has another form. Whether the layout exists is checked
  ///   by ``XkbKeyTranslator``.
  public init(parsing text: String) throws(DeviceError) {
    var layouts: [Substring] = []
    var variants: [Substring] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let (layout, variant) = Self.pair(part) else {
        throw DeviceError(
          "keyboard layout '\(text.named)'", "is not written as layouts are",
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
    !text.isEmpty && text.utf8.allSatisfy(isLetter)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    case UInt8(ascii: "."), UInt8(ascii: "/"): true
    case _: false
    }
  }

  /// Whether the names must not be passed to xkb. It builds paths from them and expands `%`.
  var isSuspicious: Bool {
    [rules, model, layout, variant, options].contains { name in
      name.utf8.contains { $0 <= 0x20 || $0 >= 0x7f || $0 == UInt8(ascii: "%") }
        || name.hasPrefix("/") || Self.holds(name, "..") || Self.holds(name, ",/")
    }
  }

  /// Whether `name` contains these two consecutive bytes. String's own `contains` would link
  /// Swift's regular expressions into glissd, at 1.4 MB.
  private static func holds(_ name: String, _ pair: StaticString) -> Bool {
    let (first, second) = (pair.utf8Start[0], pair.utf8Start[1])
    return zip(name.utf8, name.utf8.dropFirst()).contains { $0 == first && $1 == second }
  }
}

extension KeyboardLayout: CustomStringConvertible {
  /// As on a command line, such as `us:intl,de`, followed by the other names.
  public var description: String {
    let variants = variant.split(separator: ",", omittingEmptySubsequences: false)
    var names: [String] = []
    for (index, layout) in layout.split(separator: ",", omittingEmptySubsequences: false)
      .enumerated()
    {
      let variant = index < variants.count ? variants[index] : ""
      names.append(variant.isEmpty ? "\(layout)" : "\(layout):\(variant)")
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
    let shown = unicodeScalars.prefix(80).map { scalar -> Character in
      scalar.properties.generalCategory == .control ? "?" : Character(scalar)
    }
    return String(shown) + (unicodeScalars.count > 80 ? "…" : "")
  }
}
