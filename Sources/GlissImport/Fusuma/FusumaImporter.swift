import GlissConfiguration
import GlissYaml

/// Imports rules from fusuma's config.yml.
enum FusumaImporter {
  static func add(_ source: ImportedText, to file: inout ImportedFile) throws(Mistake) {
    var reading = FusumaReading(source)
    for (text, line) in documents(in: source) {
      let document: YamlDocument
      do throws(YamlError) {
        document = try YamlDocument(Array(text.utf8))
      } catch {
        let mark = error.mark
        throw Mistake(
          "this is no YAML: \(error.problem)",
          at: Place(
            file: source.name, line: line + (mark?.line ?? 0), column: (mark?.column ?? 0) + 1))
      }
      try reading.read(document, firstLine: line, &file)
    }
    if let first = reading.firstEntry, !reading.isOwn {
      throw Mistake(
        "this is no file of fusuma: swipe:, pinch:, rotate: or hold: was expected", at: first)
    }
    for made in FusumaRules(reading, source).rules(&file) {
      // lines that apply to all rules are quoted with the first
      let lines = (file.parts.isEmpty ? reading.deviceLines : []) + made.lines
      file.add(made.rule, from: lines.map { source.source($0) }, proposal: made.proposal)
    }
    if file.parts.isEmpty, let line = reading.deviceLines.first {
      file.note(
        "keep_device_names", "there is no gesture that it could hold for",
        at: source.place(of: "", line: line))
    }
  }

  /// The documents, which start at lines of three dashes and end at lines of three dots, with their
  /// first lines.
  private static func documents(in source: ImportedText) -> [(text: String, line: Int)] {
    var documents: [(String, Int)] = []
    var text = ""
    var first = 1
    for number in 1...source.lineCount {
      let line = source.line(number)
      let isEnd = isMark("...", line)
      if isEnd || isMark("---", line) {
        if !text.trimmed.isEmpty { documents.append((text, first)) }
        (text, first) = ((isEnd ? "" : line) + "\n", number)
      } else {
        text += line + "\n"
      }
    }
    if !text.trimmed.isEmpty || documents.isEmpty { documents.append((text, first)) }
    return documents
  }

  private static func isMark(_ mark: String, _ line: String) -> Bool {
    line == mark || line.hasPrefix(mark + " ") || line.hasPrefix(mark + "\t")
  }
}
