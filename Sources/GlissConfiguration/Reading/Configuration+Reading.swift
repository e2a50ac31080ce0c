import GlissYaml

extension Configuration {
  /// The largest accepted file, in bytes.
  public static let largestFile = 8 << 20

  /// Reads files in order and combines them, finding all mistakes at once. Any input yields either
  /// rules or mistakes.
  public static func read(_ files: [ConfigurationText]) -> ConfigurationReading {
    var configuration = Configuration()
    var mistakes: [Mistake] = []
    var rules: [NotedRule] = []
    var sources: [String: SourceText] = [:]
    for file in files {
      let source = SourceText(file)
      sources[file.name] = source
      var draft = read(file, source, &mistakes)
      if file.isSystem { for index in draft.rules.indices { draft.rules[index].isSystem = true } }
      rules.take(draft.rules)
      configuration.settings += draft.settings
      configuration.profiles += draft.profiles
      if let running = draft.running { configuration.limits.running = running }
      if let milliseconds = draft.milliseconds { configuration.limits.milliseconds = milliseconds }
    }
    // rules that were only partly read look alike too easily
    let isWhole = !mistakes.contains { $0.severity == .error }
    let checks = RuleChecks(rules, sources, areWhole: isWhole)
    mistakes += checks.mistakes.all
    sort(&mistakes, by: files.map(\.name))
    let isTaken = !mistakes.contains { $0.severity == .error }
    configuration.rules = checks.rules.map { $0.rule }
    return ConfigurationReading(configuration: isTaken ? configuration : nil, mistakes: mistakes)
  }

  private static func read(
    _ file: ConfigurationText, _ source: SourceText, _ mistakes: inout [Mistake]
  ) -> FileDraft {
    var draft = FileDraft()
    guard file.bytes.count <= largestFile else {
      mistakes.append(
        Mistake(
          "the file is larger than \(largestFile >> 20) MB",
          at: Place(file: file.name, line: 1, column: 1)))
      return draft
    }
    let yaml: YamlDocument
    do throws(YamlError) {
      yaml = try YamlDocument(file.bytes)
    } catch {
      let mark = error.mark ?? YamlMark(line: 0, column: 0)
      mistakes.append(
        source.mistake(
          YamlSentences.sentence(error.problem, in: source.line(mark.line), at: mark.column),
          at: mark, length: 1))
      return draft
    }
    var reader = Reader(yaml, source)
    if let mark = yaml.secondDocument {
      reader.add(
        source.mistake(
          "a second document begins here, and a file has one: put it into a file of its own",
          at: mark, length: 3))
    }
    if let root = yaml.root, !reader.isNothing(root) {
      _ = FileTable.table.read(root, into: &draft, &reader)
    }
    mistakes += reader.mistakes.all
    return draft
  }

  /// By file, and within a file by place.
  private static func sort(_ mistakes: inout [Mistake], by names: [String]) {
    var order: [String: Int] = [:]
    for (index, name) in names.enumerated() { order[name] = index }
    let keyed = mistakes.enumerated().map { index, mistake in
      (
        key: (order[mistake.place.file] ?? 0, mistake.place.line, mistake.place.column, index),
        mistake: mistake
      )
    }
    mistakes = keyed.sorted { $0.key < $1.key }.map(\.mistake)
  }
}
