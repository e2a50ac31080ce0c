import GlissEvents
import GlissYaml

extension Form where Value == String {
  /// Any text.
  static func text(_ what: String, _ examples: String...) -> Form {
    var form = Form(what, schema: { Self.anyScalar }) { node, reader in
      guard let text = reader.word(node) else {
        reader.expected(FormWords(what: what, examples: examples), at: node)
        return nil
      }
      // a file cannot contain a zero byte, so only an escape can produce one
      guard reader.yaml.style(of: node) != .doubleQuoted || !text.utf8.contains(0) else {
        reader.report("a zero byte cannot stand in \(what)", at: node)
        return nil
      }
      return text
    }
    form.words.examples = examples
    return form
  }

  /// Numbers, true and false are accepted as text.
  static var anyScalar: JSON { ["type": ["string", "number", "boolean"]] }
}

extension Form where Value == Bool {
  static var flag: Form {
    let words = FormWords(what: "true or false", examples: [])
    return Form(words.what, schema: { ["type": "boolean"] }) { node, reader in
      switch reader.word(node) {
      // the three spellings of YAML 1.2
      case "true", "True", "TRUE": return true
      case "false", "False", "FALSE": return false
      case _:
        reader.expected(words, at: node)
        return nil
      }
    }
  }
}

extension Form {
  /// One of a few fixed words.
  static func choice(_ what: String, _ choices: [(word: String, value: Value)]) -> Form
  where Value: Sendable {
    let words = choices.map(\.word)
    return Form(
      "\(what): \(String.list(words))",
      schema: { ["enum": .array(words.map(JSON.string))] }
    ) { node, reader in
      guard let word = reader.word(node) else {
        reader.expected(FormWords(what: "\(what): \(String.list(words))", examples: []), at: node)
        return nil
      }
      if let choice = choices.first(where: { $0.word == word }) { return choice.value }
      let similar = Reader.advice(for: word, among: words)
      let all = similar.isEmpty ? ": write \(String.list(words))" : similar
      reader.report("\(word.excerpt) is not \(what)\(all)", at: node)
      return nil
    }
  }

  /// A list whose items are read by `form`.
  static func list<Item>(_ what: String, of form: Form<Item>) -> Form where Value == [Item] {
    // an empty value is an empty list
    Form(what, schema: { ["type": ["array", "null"], "items": form.schema()] }) { node, reader in
      guard reader.yaml.isSequence(node) else {
        if reader.isNothing(node) { return [] }
        reader.expected(FormWords(what: what, examples: []), at: node)
        return nil
      }
      let items = reader.yaml.items(of: node)
      var read: [Item] = []
      read.reserveCapacity(items.count)
      for item in items where !reader.isFull {
        if let value = form.read(item, &reader) { read.append(value) }
      }
      return read
    }
  }

  /// One, or a list of at least one.
  static func oneOrMore<Item>(_ form: Form<Item>) -> Form where Value == [Item] {
    var list = Form(
      "",
      schema: {
        let one = form.schema()
        return ["anyOf": [one, ["type": "array", "minItems": 1, "items": one]]]
      }
    ) { node, reader in
      guard reader.yaml.isSequence(node) else { return form.read(node, &reader).map { [$0] } }
      let items = reader.yaml.items(of: node)
      if items.isEmpty { reader.report("the list is empty", at: node) }
      return items.compactMap { form.read($0, &reader) }
    }
    list.words = FormWords(
      what: "\(form.words.what), or a list of them", examples: form.words.examples)
    return list
  }
}

extension Form where Value == Int {
  static func integer(_ what: String, _ range: ClosedRange<Int>) -> Form {
    let words = FormWords(
      what: "\(what) from \(range.lowerBound) to \(range.upperBound)", examples: [])
    return Form(
      words.what,
      schema: {
        [
          "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
          "maximum": .integer(Int64(range.upperBound)),
        ]
      }
    ) { node, reader in
      guard let number = reader.word(node).flatMap({ Int($0) }), range.contains(number) else {
        reader.expected(words, at: node)
        return nil
      }
      return number
    }
  }
}

extension Form where Value == ClosedRange<Int> {
  /// One number, or two with dots between them.
  static func integers(_ what: String, _ range: ClosedRange<Int>, _ examples: String...) -> Form {
    let words = FormWords(
      what: "\(what) from \(range.lowerBound) to \(range.upperBound)", examples: examples)
    var form = Form(
      "",
      schema: {
        let digits = "[\(range.lowerBound)-\(range.upperBound)]"
        return [
          "type": ["integer", "string"], "minimum": .integer(Int64(range.lowerBound)),
          "maximum": .integer(Int64(range.upperBound)),
          "pattern": .string("^\(digits)(\\.\\.\(digits))?$"),
        ]
      }
    ) { node, reader in
      guard let ends = reader.word(node).map(Dots.split), let low = Int(ends.low),
        let high = Int(ends.high ?? ends.low),
        range.contains(low), range.contains(high)
      else {
        reader.expected(words, at: node)
        return nil
      }
      guard low <= high else {
        reader.report("the bounds are upside down: write \(high)..\(low)", at: node)
        return nil
      }
      return low...high
    }
    form.words = words
    return form
  }
}

/// Bounds as written, with two dots between them.
enum Dots {
  /// The text before and after the dots; `high` is `nil` if there are no dots.
  static func split(_ text: some StringProtocol) -> (low: String, high: String?) {
    let parts = String(text).split(
      separator: "..", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
  }
}
