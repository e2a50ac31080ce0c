/// What became of another tool's file.
public struct ImportedFile: Sendable {
  public let tool: ImportedTool
  public let name: String
  /// The rules, in the file's order.
  public internal(set) var parts: [Part] = []
  /// What has no equivalent, or another one than it looks like.
  public internal(set) var remarks: [Remark] = []

  /// A rule, and what it came from.
  public struct Part: Hashable, Sendable {
    public var rule: Rule
    public var sources: [SourceLine]
    /// Why the rule is only proposed, and stands commented out; `nil` where it holds.
    public var proposal: String?
  }

  /// A line of the imported file.
  public struct SourceLine: Hashable, Sendable {
    public var file: String
    public var number: Int
    public var text: String
  }

  /// Something of the file that did not become the same with us.
  public struct Remark: Hashable, Sendable, CustomStringConvertible {
    public var place: Place
    /// The words that it is about.
    public var what: String
    /// What is different, and what to do instead.
    public var why: String
    /// Whether nothing stands for it.
    public var isLost: Bool

    public var description: String { "\(place): \(what): \(why)" }
  }

  /// The rules that hold.
  public var rules: [Rule] { parts.filter { $0.proposal == nil }.map(\.rule) }

  mutating func add(_ rule: Rule, from sources: [SourceLine], proposal: String? = nil) {
    parts.append(Part(rule: rule, sources: sources, proposal: proposal))
  }

  /// Nothing stands for `what`.
  mutating func lose(_ what: String, _ why: String, at place: Place) {
    remarks.append(
      Remark(place: place, what: Self.short(what), why: why.onOneLine, isLost: true))
  }

  /// `what` is done, but not as it was.
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
  /// The file of ours.
  public var text: String {
    var lines = ["# What 'gliss import \(tool.rawValue)' made of \(Self.comment(name))."]
    lines += tool.notes.map { "# " + $0 }
    if rules.isEmpty { lines.append("# It has no rule that could be taken over.") }
    let sections: [(String, [Part])] = [
      ("gestures", parts.filter { !$0.rule.isHotkey }),
      ("hotkeys", parts.filter { $0.rule.isHotkey }),
    ]
    for (title, section) in sections where !section.isEmpty {
      // also above proposals alone, so that the # need only be taken away there
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

  /// Text that ends no comment and that YAML takes.
  private static func comment(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      result.append(
        scalar == "\t" ? " " : YamlQuoting.standsAsItself(scalar) ? scalar : "\u{fffd}")
    }
    return String(result)
  }
}
