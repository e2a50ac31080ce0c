import GlissHotkeys
import GlissYaml

/// One of the hotkeys of a rule, and what `{}` means in its actions.
struct HotkeyChoice {
  var hotkey: Hotkey
  var value: String?
  var node: YamlNode
}

/// The texts that a group of braces in a hotkey's text stands for: `super+{1-9}`, `super+{h=west,l}`.
struct HotkeyGroup {
  private let before: Substring
  private let after: Substring
  private let members: Substring

  /// `nil` without a group.
  init?(_ text: String) {
    guard let start = text.firstIndex(of: "{"), let end = text.firstIndex(of: "}"), start < end
    else { return nil }
    before = text[..<start]
    after = text[text.index(after: end)...]
    members = text[text.index(after: start)..<end]
  }

  /// The most texts in a group.
  static let limit = 64

  /// The texts and their values; `nil` if the group is not valid.
  var choices: [(text: String, value: String)]? {
    var choices: [(text: String, value: String)] = []
    for member in members.split(separator: ",", omittingEmptySubsequences: false) {
      let member = member.trimmed
      guard !member.isEmpty else { return nil }
      if let range = Self.range(member) {
        choices += range.map { (String(before) + $0 + after, $0) }
      } else {
        // a member that begins with = is that key
        let parts = member.split(separator: "=", maxSplits: 1)
        let isPair = parts.count == 2 && !member.hasPrefix("=")
        let key = isPair ? parts[0].trimmed : member
        choices.append((String(before) + key + after, String(isPair ? parts[1].trimmed : member)))
      }
      guard choices.count <= Self.limit else { return nil }
    }
    return before.contains("{") || after.contains("{") ? nil : choices
  }

  /// `1-9`, `a-f` or `f1-f12`; `nil` for anything else.
  private static func range(_ member: Substring) -> [String]? {
    let ends = member.split(separator: "-")
    guard ends.count == 2 else { return nil }
    if ends.allSatisfy({ $0.utf8.count == 1 && $0.first?.isLowercase == true }),
      let first = ends[0].utf8.first, let last = ends[1].utf8.first, first < last
    {
      return (first...last).map { String(UnicodeScalar($0)) }
    }
    let word = ends[0].prefix { $0.isLetter }
    guard ends[1].hasPrefix(word), let first = Int(ends[0].dropFirst(word.count)),
      let last = Int(ends[1].dropFirst(word.count)), 0 <= first, first < last, last < 1000
    else { return nil }
    return (first...last).prefix(limit + 1).map { "\(word)\($0)" }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}

extension Reactions {
  /// The same with `value` for each `{}` in commands and texts.
  func filled(with value: String) -> Reactions {
    var filled = self
    filled.begin = begin.map { $0.filled(with: value) }
    filled.end = end.map { $0.filled(with: value) }
    filled.release = release.map { $0.filled(with: value) }
    return filled
  }
}

extension Action {
  fileprivate func filled(with value: String) -> Action {
    func fill(_ text: String) -> String { text.replacing("{}", with: value) }
    let verb: Verb =
      switch verb {
      case .run(let command): .run(command.filled(fill))
      case .notify(let summary, let body):
        .notify(summary: fill(summary), body: body.map(fill))
      case .emit(let emission):
        .emit(Emission(path: fill(emission.path), line: emission.line.map(fill)))
      case .turns(let turns): .turns(turns.map { $0.map { $0.filled(with: value) } })
      case .keys, .hold, .letGo, .move, .mode, .desktop: verb
      }
    return Action(verb, place: place)
  }
}

extension Command {
  fileprivate func filled(_ fill: (String) -> String) -> Command {
    var command = self
    command.program =
      switch program {
      case .arguments(let arguments): .arguments(arguments.map(fill))
      case .shell(let text): .shell(fill(text))
      }
    command.folder = folder.map(fill)
    command.environment = environment.map { Variable(name: $0.name, value: fill($0.value)) }
    return command
  }
}
