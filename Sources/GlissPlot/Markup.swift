import GlissEvents

/// SVG as text: elements with attributes, numbers and names that are safe in them.
package enum Markup {
  /// An element without content.
  static func element(_ name: String, _ attributes: KeyValuePairs<String, String>) -> String {
    "<\(name)\(text(of: attributes))/>"
  }

  /// An element around markup.
  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String>, around content: [String]
  ) -> String {
    (["<\(name)\(text(of: attributes))>"] + content + ["</\(name)>"]).joined(separator: "\n")
  }

  /// An element around a text that anybody may have written.
  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], saying text: String
  ) -> String {
    "<\(name)\(self.text(of: attributes))>\(escaped(text))</\(name)>"
  }

  private static func text(of attributes: KeyValuePairs<String, String>) -> String {
    attributes.map { " \($0.key)=\"\(escaped($0.value))\"" }.joined()
  }

  /// Text between tags or in an attribute: what XML reads as something else is written out.
  package static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in visible(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case _: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Without characters that XML forbids, that nobody sees, or that turn the direction of others.
  static func visible(_ text: String) -> String {
    var visible = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .format: break
      case .control, .lineSeparator, .paragraphSeparator: visible.append("\u{fffd}")
      case .unassigned where scalar.value & 0xfffe == 0xfffe: visible.append("\u{fffd}")
      case _: visible.append(scalar)
      }
    }
    return String(visible)
  }

  /// A length or place in pixels.
  static func number(_ value: Double) -> String { value.trimmed(2) }
}

extension String {
  /// Cut into lines of at most `width` characters, between words.
  func lines(of width: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ") {
      if let last = lines.last, last.count + word.count < width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// Shortened to `width` characters.
  func cut(to width: Int) -> String { count <= width ? self : prefix(max(0, width - 1)) + "…" }
}
