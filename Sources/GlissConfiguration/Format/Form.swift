import GlissEvents
import GlissYaml

/// The values that are valid at a place in the file. Reading, the schema and the reference all use
/// this one definition.
struct Form<Value>: Sendable {
  var words: FormWords
  var schema: @Sendable () -> JSON
  /// The value of a node. If it is invalid, reports that and returns `nil`.
  var read: @Sendable (YamlNode, inout Reader) -> Value?

  init(
    _ words: FormWords, schema: @autoclosure @escaping @Sendable () -> JSON,
    read: @escaping @Sendable (YamlNode, inout Reader) -> Value?
  ) {
    self.words = words
    self.schema = schema
    self.read = read
  }
}

/// Describes the valid values at a place, for people.
struct FormWords: Sendable {
  var what: String
  var examples: [String]

  init(_ what: String, _ examples: String...) { self.init(what, examples: examples) }

  init(_ what: String, examples: [String]) {
    self.what = what
    self.examples = examples
  }

  var sentence: String {
    examples.isEmpty ? what : "\(what), as in \(String.list(examples))"
  }
}

struct Field<Target>: Sendable {
  var name: String
  /// What it does, in a sentence or two.
  var summary: String
  /// What applies without the key, if that is worth mentioning.
  var standard: String?
  var isRequired = false
  var words: FormWords
  var schema: @Sendable () -> JSON
  var read: @Sendable (YamlNode, inout Target, inout Reader) -> Void

  init<Value>(
    _ name: String, _ form: Form<Value>, _ summary: String, standard: String? = nil,
    isRequired: Bool = false, store: @escaping @Sendable (inout Target, Value) -> Void
  ) {
    self.name = name
    self.summary = summary
    self.standard = standard
    self.isRequired = isRequired
    words = form.words
    schema = form.schema
    read = { node, target, reader in
      if let value = form.read(node, &reader) { store(&target, value) }
    }
  }

  /// A mapping whose keys belong to the same target.
  init(_ name: String, _ table: Table<Target>, _ summary: String) {
    self.name = name
    self.summary = summary
    words = table.words
    schema = { table.schema }
    read = { node, target, reader in _ = table.read(node, into: &target, &reader) }
  }

  init<Value>(
    _ name: String, _ form: Form<Value>, _ path: any WritableKeyPath<Target, Value> & Sendable,
    _ summary: String, standard: String? = nil, isRequired: Bool = false
  ) {
    self.init(name, form, summary, standard: standard, isRequired: isRequired) {
      $0[keyPath: path] = $1
    }
  }

  init<Value>(
    _ name: String, _ form: Form<Value>, _ path: any WritableKeyPath<Target, Value?> & Sendable,
    _ summary: String, standard: String? = nil, isRequired: Bool = false
  ) {
    self.init(name, form, summary, standard: standard, isRequired: isRequired) {
      $0[keyPath: path] = $1
    }
  }
}

struct Table<Target>: Sendable {
  /// The name with its article: a gesture's rule.
  var name: String
  var fields: [Field<Target>]

  var names: [String] { fields.map(\.name) }
}

struct Given {
  var node: YamlNode
  fileprivate(set) var pairs: [(name: String, key: YamlNode, value: YamlNode)] = []

  /// Whether a key was unknown, which is reported.
  fileprivate(set) var hasUnknown = false

  func key(_ name: String) -> YamlNode? { pairs.first { $0.name == name }?.key }
  func value(_ name: String) -> YamlNode? { pairs.first { $0.name == name }?.value }
}

extension Table {
  /// Reads a mapping's keys into `target`. Returns `nil` if `node` is not a mapping.
  func read(_ node: YamlNode, into target: inout Target, _ reader: inout Reader) -> Given? {
    guard reader.yaml.isMapping(node) else {
      let text = names.contains("run") ? reader.written(node) : nil
      reader.expected(words, at: node, text.map(ActionTable.advice) ?? "")
      return nil
    }
    let pairs = reader.yaml.pairs(of: node)
    var given = Given(node: node)
    for (key, value) in pairs {
      if reader.isFull { break }
      guard let word = reader.yaml.text(key) else {
        given.hasUnknown = true
        reader.report("expected a key of \(name), not a list or more keys", at: key)
        continue
      }
      guard let field = fields.firstIndex(where: { $0.name == word }) else {
        if !given.hasUnknown, let (other, advice) = misplaced(pairs, reader) {
          reader.report(advice, at: other)
          return nil
        }
        given.hasUnknown = true
        reportUnknown(word, at: key, value, of: node, &reader)
        continue
      }
      if let first = given.key(word) {
        let line = reader.place(of: first).line
        reader.report("duplicate key \(word), first in line \(line)", at: key)
        continue
      }
      given.pairs.append((word, key, value))
      fields[field].read(value, &target, &reader)
    }
    // an unknown key may be the one that is missing
    for field in fields where field.isRequired && !given.hasUnknown {
      guard given.key(field.name) == nil, !reader.isFull else { continue }
      let example = field.words.examples.first.map { "\(field.name), as in \(field.name): \($0)" }
      reader.report(
        "\(name) needs \(example ?? "the key \(field.name), which is \(field.words.what)")",
        at: node)
    }
    return given
  }

  var words: FormWords {
    FormWords("\(name) (\(String.list(names, "and")))")
  }

  private func reportUnknown(
    _ word: String, at key: YamlNode, _ value: YamlNode, of node: YamlNode, _ reader: inout Reader
  ) {
    if word == "<<" {
      return reader.report(
        "keys cannot be merged with <<; an alias stands for a whole value, as in do: *volume",
        at: key)
    }
    if reader.reportSlip(at: key) { return }
    if let advice = otherSpelling(word, reader.written(value), of: node, reader) {
      return reader.report(advice, at: key)
    }
    if names.contains("do"), ActionTable.verbs.contains(word) {
      return reader.report("\(word) is an action: write do: {\(word): …}", at: key)
    }
    if names.contains("do"), ActionTable.companions.contains(word) {
      return reader.report(
        "\(word) belongs in the action, as in do: {run: [foot], \(word): …}", at: key)
    }
    if names.contains("steps"), StepTable.table.names.contains(word) {
      let gesture = reader.yaml.value("gesture", of: node).flatMap { reader.written($0) }
      let every = (GestureKind.allCases.first { $0.name == gesture } ?? .swipe).stepExample
      return reader.report(
        "\(word) belongs in steps, as in steps: {every: \(every), forward: {keys: f1}}", at: key)
    }
    if names.contains("run"), GestureTable.table.names.contains(word), word != "do" {
      return reader.report("\(word) belongs to the rule: write it beside do", at: key)
    }
    if names.contains("gesture"), let kind = GestureKind.allCases.first(where: { $0.name == word })
    {
      let given = reader.word(value) ?? ""
      let isDirection = kind.senses.contains { $0.word == given }
      let more =
        Int(given) != nil ? " and fingers: \(given)" : isDirection ? " and direction: \(given)" : ""
      return reader.report("\(word) is a gesture: write gesture: \(word)\(more)", at: key)
    }
    let similar = OtherWords.advice(for: word, among: names)
    let keys = similar.isEmpty ? "; its keys are \(String.list(names, "and"))" : similar
    let all =
      !reader.isNothing(value)
      ? keys
      : word.contains(where: { $0 == ":" || $0 == " " })
        ? "; a key is followed by a colon and a blank"
        : "\(keys); text with a comma needs quotes in braces"
    reader.report("unknown key \(word.excerpt) in \(name)\(all)", at: key)
  }
}

extension Form {
  /// A mapping defined by a table. `finish` checks the result as a whole.
  ///
  /// - Parameter definition: its name in the schema if several places refer to it.
  static func table<Target>(
    _ table: Table<Target>, definition: String? = nil,
    start: @autoclosure @escaping @Sendable () -> Target,
    finish: @escaping @Sendable (Target, Given, inout Reader) -> Value?
  ) -> Form {
    Form(
      table.words,
      schema: definition.map { ["$ref": .string("#/$defs/\($0)")] as JSON } ?? table.schema
    ) { node, reader in
      var target = start()
      guard let given = table.read(node, into: &target, &reader) else { return nil }
      return finish(target, given, &reader)
    }
  }

  /// A scalar other than null. If `parse` returns `nil`, the message says what was expected.
  static func scalar(
    _ words: FormWords, schema: @autoclosure @escaping @Sendable () -> JSON,
    _ parse: @escaping @Sendable (String) throws(FormProblem) -> Value?
  ) -> Form {
    Form(words, schema: schema()) { node, reader in
      do throws(FormProblem) {
        if let text = reader.word(node), let value = try parse(text) { return value }
        let isList = reader.yaml.isSequence(node)
        reader.expected(words, at: node, isList ? "; only one can stand here" : "")
      } catch {
        reader.report(error.message, at: node)
      }
      return nil
    }
  }
}

struct FormProblem: Error {
  var message: String
}

extension Form where Value == String {
  static func text(_ what: String, _ examples: String...) -> Form {
    let words = FormWords(what, examples: examples)
    return Form(words, schema: Self.anyScalar) { node, reader in
      guard let text = reader.word(node) else {
        let isGroup = reader.yaml.isMapping(node) && reader.yaml.pairs(of: node).isEmpty
        let written = isGroup ? "{}" : reader.yaml.text(node) ?? ""
        reader.expected(words, at: node, written.isEmpty ? "" : "; write \"\(written)\"")
        return nil
      }
      // a file cannot contain a zero byte, but an escape here or in a hotkey's group stands for one
      guard !text.utf8.contains(0) else {
        reader.report("a zero byte cannot stand in \(what)", at: node)
        return nil
      }
      return text
    }
  }

  /// The same, except for an empty text and one of blanks alone.
  var filled: Form {
    Form(words, schema: Self.filledScalar) { [read, words] node, reader in
      let isBlank = reader.yaml.text(node)?.allSatisfy(\.isWhitespace) ?? false
      guard !isBlank || reader.isNothing(node) else {
        reader.report("\(words.what) cannot be empty", at: node)
        return nil
      }
      return read(node, &reader)
    }
  }

  /// Numbers, true and false are accepted as text.
  static var anyScalar: JSON { ["type": ["string", "number", "boolean"]] }
  static var filledScalar: JSON {
    ["type": ["string", "number", "boolean"], "minLength": 1, "pattern": "\\S"]
  }
}

extension Form where Value == Bool {
  static var flag: Form {
    .scalar(FormWords("true or false"), schema: ["type": "boolean"]) { word in
      switch word {
      // the three spellings of YAML 1.2
      case "true", "True", "TRUE": true
      case "false", "False", "FALSE": false
      case _: nil
      }
    }
  }
}

extension Form {
  static func choice(_ what: String, _ choices: [(word: String, value: Value)]) -> Form
  where Value: Sendable {
    let words = choices.map(\.word)
    return scalar(
      FormWords("\(what): \(String.list(words))"),
      schema: ["enum": .array(words.map(JSON.string))]
    ) { word throws(FormProblem) in
      if let choice = choices.first(where: { $0.word == word }) { return choice.value }
      let similar = OtherWords.advice(for: word, among: words)
      let advice = similar.isEmpty ? ": write \(String.list(words))" : similar
      throw FormProblem(message: "\(word.excerpt) is not \(what)\(advice)")
    }
  }

  static func list<Item>(_ what: String, of form: Form<Item>) -> Form where Value == [Item] {
    let words = FormWords(what)
    // an empty value is an empty list
    return Form(words, schema: ["type": ["array", "null"], "items": form.schema()]) {
      node, reader in
      guard reader.yaml.isSequence(node) else {
        if reader.isNothing(node) { return [] }
        let isMapping = reader.yaml.isMapping(node)
        reader.expected(
          words, at: node, isMapping ? "; begin each of them with a - and a space" : "")
        return nil
      }
      var read: [Item] = []
      for item in reader.yaml.items(of: node) where !reader.isFull {
        if let value = form.read(item, &reader) { read.append(value) }
      }
      return read
    }
  }

  static func oneOrMore<Item>(_ form: Form<Item>) -> Form where Value == [Item] {
    let words = FormWords("\(form.words.what), or a list of them", examples: form.words.examples)
    return Form(words, schema: oneOrMore(form.schema())) { node, reader in
      guard reader.yaml.isSequence(node) else { return form.read(node, &reader).map { [$0] } }
      let items = reader.yaml.items(of: node)
      if items.isEmpty { reader.report("the list is empty", at: node) }
      return items.compactMap { form.read($0, &reader) }
    }
  }

  /// The same of a form that reads a list: all items together.
  static func joined<Item>(_ form: Form<[Item]>) -> Form where Value == [Item] {
    let lists = Form<[[Item]]>.oneOrMore(form)
    return Form(lists.words, schema: lists.schema()) { node, reader in
      lists.read(node, &reader)?.flatMap(\.self)
    }
  }

  static func oneOrMore(_ one: JSON) -> JSON {
    ["anyOf": [one, ["type": "array", "minItems": 1, "items": one]]]
  }
}

extension Form where Value == Int {
  static func integer(_ what: String, _ range: ClosedRange<Int>) -> Form {
    scalar(
      FormWords("\(what) from \(range.lowerBound) to \(range.upperBound)"),
      schema: [
        "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
        "maximum": .integer(Int64(range.upperBound)),
      ]
    ) { word in Int(word).flatMap { range.contains($0) ? $0 : nil } }
  }
}

extension Form where Value == ClosedRange<Int> {
  static func integers(_ what: String, _ range: ClosedRange<Int>, _ examples: String...) -> Form {
    let digits = "[\(range.lowerBound)-\(range.upperBound)]"
    return scalar(
      FormWords("\(what) from \(range.lowerBound) to \(range.upperBound)", examples: examples),
      schema: [
        "type": ["integer", "string"], "minimum": .integer(Int64(range.lowerBound)),
        "maximum": .integer(Int64(range.upperBound)),
        "pattern": .string("^\(digits)(\\.\\.\(digits))?$"),
      ]
    ) { text throws(FormProblem) in
      let ends = Dots.split(text)
      guard let low = Int(ends.low), let high = Int(ends.high ?? ends.low),
        range.contains(low), range.contains(high)
      else {
        if text.last == "+", let low = Int(text.dropLast()), range.contains(low),
          low < range.upperBound
        {
          throw FormProblem(message: Dots.sentence("\(low)..\(range.upperBound)"))
        }
        let other = Dots.respelled(text)
        let numbers = other.map { [$0.low, $0.high].compactMap { Int($0) } } ?? []
        guard let other, numbers.count == 2, numbers == numbers.sorted(),
          numbers.allSatisfy(range.contains)
        else { return nil }
        throw FormProblem(message: Dots.sentence(other.low + ".." + other.high))
      }
      guard low <= high else {
        throw FormProblem(message: "the bounds are in the wrong order: write \(high)..\(low)")
      }
      return low...high
    }
  }
}

enum Dots {
  /// The text before and after the dots; `high` is `nil` if there are no dots.
  static func split(_ text: some StringProtocol) -> (low: String, high: String?) {
    let parts = String(text).split(separator: "..", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
  }

  static func sentence(_ bounds: String) -> String {
    "two bounds are written with two dots between them: \(bounds)"
  }

  /// Two numbers with something other than two dots between them, and their unit. A comma may as
  /// well be meant as a decimal point.
  static func respelled(
    _ text: String
  ) -> (low: String, high: String, unit: Substring, isComma: Bool)? {
    let numbers = text.split { !($0.isASCII && $0.isNumber) && $0 != "." }
      .compactMap { $0.firstIndex { $0 != "." }.map($0.suffix(from:)) }
    guard numbers.count == 2, numbers[0].startIndex == text.startIndex,
      let end = numbers[0].lastIndex(where: { $0 != "." })
    else { return nil }
    let (low, high) = (numbers[0][...end], numbers[1])
    let unit = text[high.endIndex...]
    var between = text[low.endIndex..<high.startIndex].filter { $0 != " " }
    let word = unit.filter { $0 != " " }
    let repeatsUnit = !word.isEmpty && between.hasPrefix(word)
    if repeatsUnit { between.removeFirst(word.count) }
    let signs = ["...", "…", ",", "-", "–", "to"] + (repeatsUnit ? [".."] : [])
    guard signs.contains(between) else { return nil }
    return (String(low), String(high), unit, between == "," && !repeatsUnit)
  }
}
