import GlissEvents
import GlissYaml

struct Reader {
  let yaml: YamlDocument
  let source: SourceText
  /// What `{}` stands for in the texts of the rule being read; `nil` if nothing is replaced.
  var filling: String?
  /// Whether a text of the rule has `{}`.
  var hasFilled = false
  /// Whether this was read before, with another filling: its warnings are reported already.
  var isRereading = false
  private(set) var mistakes = MistakeList()
  /// The mistakes reported so far, because an alias would repeat its mistakes at each use.
  private var reported: Set<Reported> = []

  private struct Reported: Hashable {
    var node: YamlNode
    var offset: Int
    var message: String
  }

  /// Begins to read a file of at most `limit` bytes. `advice` is for a file with two documents.
  init(_ source: SourceText, upTo limit: Int, _ advice: String = "") throws(Mistake) {
    guard source.bytes.count <= limit else {
      throw Mistake(
        "the file is larger than \(limit >> 20) MB",
        at: Place(file: source.name, line: 1, column: 1))
    }
    self.source = source
    do throws(YamlError) {
      yaml = try YamlDocument(source.bytes)
    } catch {
      throw source.mistake(error)
    }
    if let mark = yaml.secondDocument {
      mistakes.append(source.mistake("a second document begins here" + advice, at: mark, length: 3))
    }
  }

  /// Whether the limit of errors is reached. The file is then rejected, so the rest need not be
  /// read.
  var isFull: Bool { mistakes.isFull(.error) }

  func place(of node: YamlNode) -> Place {
    let mark = yaml.start(of: node)
    return Place(file: source.name, line: mark.line + 1, column: mark.column + 1)
  }

  /// Reports a mistake in `node`. `range` selects the characters of its text that are wrong.
  mutating func report(
    _ text: @autoclosure () -> String, at node: YamlNode, _ range: Range<Int>? = nil,
    severity: Mistake.Severity = .error
  ) {
    guard !mistakes.isFull(severity), severity == .error || !isRereading else { return }
    var message = text()
    // text of the file in it may be of any length
    if message.utf8.count > 2000 { message = message.prefix(1000) + "…" }
    let key = Reported(node: node, offset: range?.lowerBound ?? 0, message: message)
    guard reported.insert(key).inserted else { return }
    var (mark, length) = (yaml.start(of: node), self.length(of: node))
    if let range, let text = yaml.text(node), let style = yaml.style(of: node),
      let columns = source.columns(
        of: range, in: text, style: style, from: mark, to: yaml.end(of: node))
    {
      mark.column = columns.lowerBound
      length = columns.count
    }
    mistakes.append(source.mistake(message, at: mark, length: length, severity: severity))
  }

  /// How far `node` extends on its first line. A block of several lines is marked at its beginning.
  func length(of node: YamlNode) -> Int {
    let (start, end) = (yaml.start(of: node), yaml.end(of: node))
    if start.line == end.line { return end.column - start.column }
    guard yaml.style(of: node) != nil else { return 1 }
    return source.line(start.line).unicodeScalars.count - start.column
  }

  /// Reports that something else was expected, in the words of a form.
  mutating func expected(_ words: FormWords, at node: YamlNode, _ advice: String = "") {
    guard !isFull, !reportSlip(at: node) else { return }
    let message = "expected \(words.sentence), not \(found(node))\(advice)"
    report(message, at: node)
  }

  /// Reports the blank that is missing where a line begins with `node`.
  ///
  /// - Returns: whether one is missing.
  mutating func reportSlip(at node: YamlNode) -> Bool {
    let start = yaml.start(of: node)
    guard yaml.style(of: node) == .plain, let slip = source.slip(in: start.line) else {
      return false
    }
    let column = slip.mark.column - start.column
    guard column >= 0 else { return false }
    report(slip.advice, at: node, column..<column + 1)
    return true
  }

  typealias Entry = (name: String, key: YamlNode, value: YamlNode)

  /// The entries of a mapping whose keys are not known beforehand.
  ///
  /// - Parameter what: what each key is.
  mutating func entries(of node: YamlNode, _ words: FormWords, _ what: String) -> [Entry]? {
    if isNothing(node) { return [] }
    guard yaml.isMapping(node) else {
      expected(words, at: node)
      return nil
    }
    var found: [Entry] = []
    var known: [String: YamlNode] = [:]
    for (key, value) in yaml.pairs(of: node) where !isFull {
      guard let name = yaml.text(key), !name.isEmpty, !name.utf8.contains(0) else {
        report("expected \(what)", at: key)
        continue
      }
      if let first = known.updateValue(key, forKey: name) {
        let line = place(of: first).line
        report("duplicate key \(name), first in line \(line)", at: key)
      } else {
        found.append((name, key, value))
      }
    }
    return found
  }

  /// A short description of what was found there.
  private mutating func found(_ node: YamlNode) -> String {
    if yaml.isMapping(node) { return "keys with values" }
    if yaml.isSequence(node) { return "a list" }
    if let text = word(node) { return text.excerpt }
    // YAML takes an unquoted ! for the beginning of a tag
    let start = yaml.start(of: node)
    let isTag = source.line(start.line).unicodeScalars.dropFirst(start.column).first == "!"
    return isTag ? "a YAML tag; put text that begins with ! in quotes" : "nothing"
  }

  func isNothing(_ node: YamlNode) -> Bool { yaml.isNull(node) }

  mutating func word(_ node: YamlNode) -> String? {
    let text = written(node)
    guard let filling, let text, text.contains("{}") else { return text }
    hasFilled = true
    return text.replacing("{}", with: filling)
  }

  /// The same as it stands in the file, where a rule with a group has `{}`: for advice.
  func written(_ node: YamlNode) -> String? { isNothing(node) ? nil : yaml.text(node) }
}

extension String {
  var excerpt: String {
    let short = prefix(40)
    return short.endIndex == endIndex ? "“\(self)”" : "“\(short)…”"
  }

  static func list(_ words: [String], _ last: String = "or") -> String {
    guard let end = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(last) " + end
  }
}

extension Configuration {
  package static let largestFile = 8 << 20

  /// Reads files in order and combines them, finding all mistakes at once. Any input yields either
  /// rules or mistakes.
  package static func read(_ files: [ConfigurationText]) -> ConfigurationReading {
    var draft = FileDraft()
    var mistakes: [Mistake] = []
    var sources: [String: SourceText] = [:]
    for file in files {
      let source = SourceText(file)
      sources[file.name] = source
      let before = draft.rules.count
      do throws(Mistake) {
        var reader = try Reader(
          source, upTo: largestFile, ", and a file has one: put it into a file of its own")
        if let root = reader.yaml.root, !reader.isNothing(root) {
          FileTable.read(root, into: &draft, &reader)
        }
        mistakes += reader.mistakes.all
      } catch {
        mistakes.append(error)
      }
      if file.isSystem {
        for index in draft.rules.indices.dropFirst(before) { draft.rules[index].isSystem = true }
      }
    }
    // rules that were only partly read look alike too easily
    let isWhole = !mistakes.contains { $0.severity == .error }
    let checks = RuleChecks(draft.rules, sources, areWhole: isWhole)
    mistakes += checks.mistakes.all
    mistakes.sort(by: files.map(\.name))
    let isTaken = !mistakes.contains { $0.severity == .error }
    draft.configuration.rules = checks.rules.map { $0.rule }
    return ConfigurationReading(
      configuration: isTaken ? draft.configuration : nil, mistakes: mistakes)
  }
}

extension ConfigurationText {
  /// The files that this one includes, as written, and the places of their names.
  package var includes: [(path: String, place: Place)] {
    // most files have none, and are not parsed twice
    let word = Array("include".utf8)
    guard
      bytes.indices.contains(where: { bytes[$0] == word[0] && bytes[$0...].starts(with: word) }),
      let yaml = try? YamlDocument(bytes), let node = yaml.value("include", of: yaml.root)
    else { return [] }
    return (yaml.isSequence(node) ? yaml.items(of: node) : [node]).compactMap { item in
      let start = yaml.start(of: item)
      let place = Place(file: name, line: start.line + 1, column: start.column + 1)
      return yaml.text(item).map { ($0, place) }
    }
  }
}
