public import GlissConfiguration

/// The result of importing another tool's file.
public struct ImportedFile: Sendable {
  public let tool: ImportedTool
  public let name: String
  /// The rules, in the order of the file.
  public internal(set) var parts: [Part] = []
  /// Remarks on what has no equivalent, or works differently than it seems to.
  public internal(set) var remarks: [Remark] = []

  /// A rule, and the lines it came from.
  public struct Part: Hashable, Sendable {
    public var rule: Rule
    public var sources: [SourceLine]
    /// Why the rule is only proposed, and so commented out; `nil` if it is active.
    public var proposal: String?
  }

  /// A line of the imported file.
  public struct SourceLine: Hashable, Sendable {
    public var file: String
    public var number: Int
    public var text: String
  }

  /// Something in the file that could not be converted exactly.
  public struct Remark: Hashable, Sendable, CustomStringConvertible {
    public var place: Place
    /// The words that it is about.
    public var what: String
    /// What is different, and what to do instead.
    public var why: String
    /// Whether it has no equivalent at all.
    public var isLost: Bool

    public var description: String { "\(place): \(what): \(why)" }
  }

  /// The active rules.
  public var rules: [Rule] { parts.filter { $0.proposal == nil }.map(\.rule) }

  mutating func add(_ rule: Rule, from sources: [SourceLine], proposal: String? = nil) {
    parts.append(Part(rule: rule, sources: sources, proposal: proposal))
  }

  /// Notes that `what` has no equivalent.
  mutating func lose(_ what: String, _ why: String, at place: Place) {
    remarks.append(
      Remark(place: place, what: Self.short(what), why: why.onOneLine, isLost: true))
  }

  /// Notes that `what` works differently.
  mutating func note(_ what: String, _ why: String, at place: Place) {
    remarks.append(
      Remark(place: place, what: Self.short(what), why: why.onOneLine, isLost: false))
  }

  private static func short(_ text: String) -> String {
    let line = text.onOneLine
    return line.count <= 60 ? line : line.prefix(59) + "…"
  }
}

extension ImportedFile {
  /// The resulting configuration file.
  public var text: String {
    var lines = ["# What 'gliss import \(tool.rawValue)' made of \(Self.comment(name))."]
    lines += tool.notes.map { "# " + $0 }
    if rules.isEmpty { lines.append("# It has no rule that could be taken over.") }
    let sections: [(String, [Part])] = [
      ("gestures", parts.filter { !$0.rule.isHotkey }),
      ("hotkeys", parts.filter { $0.rule.isHotkey }),
    ]
    for (title, section) in sections where !section.isEmpty {
      // also if there are only proposals, so that it is enough to remove their #
      lines += ["", title + ":"]
      var above: [SourceLine] = []
      for part in section {
        if part.sources != above { lines += part.sources.map { "  # " + Self.comment($0) } }
        above = part.sources
        let own = RuleWriter.lines(of: part.rule)
        if let proposal = part.proposal {
          lines.append("  # " + Self.comment(proposal))
          lines += own.map { "  #" + $0 }
        } else {
          lines += own.map { "  " + $0 }
        }
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func comment(_ line: SourceLine) -> String {
    comment("\(line.file):\(line.number): \(line.text)")
  }

  /// The text for a comment. Line ends, and characters that YAML does not allow, are replaced.
  private static func comment(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      result.append(
        scalar == "\t" ? " " : YamlQuoting.standsAsItself(scalar) ? scalar : "\u{fffd}")
    }
    return String(result)
  }
}
