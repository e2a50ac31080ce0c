/// A keyboard layout by the names xkb knows it by; what is empty is xkb's default.
public struct KeyboardLayout: Hashable, Sendable {
  /// The file that gives the other names their meaning, such as `evdev`.
  public var rules: String
  /// The keyboard's make, such as `pc105`.
  public var model: String
  /// One layout or several with commas between, such as `us,de`.
  public var layout: String
  /// The variant of each layout, in the same order, such as `intl,`.
  public var variant: String
  /// Changes to it, with commas between, such as `ctrl:nocaps,compose:ralt`.
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

  /// A layout as it is written on a command line: `de`, `us(intl)` or, for shells, `us:intl`; several with commas
  /// between.
  ///
  /// - Throws: ``DeviceError`` for what is not of this form; whether there is such a layout ``XkbKeyTranslator`` says.
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

  /// Layout and variant of `us`, `us(intl)` or `us:intl`.
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

  /// Whether xkb must not be given the names: it makes paths of them, and of `%` others.
  var isSuspicious: Bool {
    [rules, model, layout, variant, options].contains { name in
      name.utf8.contains { $0 <= 0x20 || $0 >= 0x7f || $0 == UInt8(ascii: "%") }
        || name.hasPrefix("/") || Self.holds(name, "..") || Self.holds(name, ",/")
    }
  }

  /// Whether `name` has these two bytes in a row. String's own `contains` would bring Swift's regular expressions into
  /// glissd: 1.4 MB.
  private static func holds(_ name: String, _ pair: StaticString) -> Bool {
    let (first, second) = (pair.utf8Start[0], pair.utf8Start[1])
    return zip(name.utf8, name.utf8.dropFirst()).contains { $0 == first && $1 == second }
  }
}

extension KeyboardLayout: CustomStringConvertible {
  /// As on a command line, `us:intl,de`, and what else was named.
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
  /// Outside data within a message: short, and without what a terminal would obey.
  fileprivate var named: String {
    let shown = unicodeScalars.prefix(80).map { scalar -> Character in
      scalar.properties.generalCategory == .control ? "?" : Character(scalar)
    }
    return String(shown) + (unicodeScalars.count > 80 ? "…" : "")
  }
}
