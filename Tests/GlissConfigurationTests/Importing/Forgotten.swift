import GlissYaml

/// Gestures and actions of a touchegg.conf of which nothing is said.
///
/// What lies in comments, CDATA and instructions is text, whatever it looks like; every other `<` begins a tag. A gesture
/// and its first action are told together; any further action, and one that stands elsewhere, by itself.
enum ToucheggTags {
  static func forgotten(in text: String, _ told: Set<Int>) -> [String] {
    struct Open {
      var name: String
      var line: Int
      var isTold: Bool
      var hasAction = false
    }
    var open: [Open] = []
    var forgotten: [String] = []
    func close() {
      guard let last = open.popLast() else { return }
      if last.name == "gesture", !last.isTold { forgotten.append("\(last.line): <gesture>") }
    }
    for tag in tags(in: text) {
      if tag.name.hasPrefix("/") {
        close()
        continue
      }
      let isTold = told.contains(tag.line)
      if tag.name == "action" {
        if let parent = open.indices.last, open[parent].name == "gesture", !open[parent].hasAction {
          open[parent].hasAction = true
          if !isTold, !open[parent].isTold { forgotten.append("\(tag.line): <action>") }
          if isTold { open[parent].isTold = true }
        } else if !isTold {
          forgotten.append("\(tag.line): <action>")
        }
      }
      open.append(Open(name: tag.name, line: tag.line, isTold: isTold))
      if tag.isEmpty { close() }
    }
    return forgotten
  }

  private static func tags(in text: String) -> [(name: String, line: Int, isEmpty: Bool)] {
    var tags: [(String, Int, Bool)] = []
    let bytes = Array(text.utf8)
    var line = 1
    var index = 0
    func starts(_ word: String) -> Bool { bytes[index...].starts(with: word.utf8) }
    func skip(past end: String) {
      while index < bytes.count, !starts(end) {
        if bytes[index] == UInt8(ascii: "\n") { line += 1 }
        index += 1
      }
      index = min(bytes.count, index + end.utf8.count)
    }
    while index < bytes.count {
      if starts("<!--") {
        index += 4
        skip(past: "-->")
      } else if starts("<![CDATA[") {
        skip(past: "]]>")
      } else if starts("<?") {
        skip(past: "?>")
      } else if starts("<!") {
        skip(past: ">")
      } else if starts("<") {
        let start = index + 1
        let startLine = line
        var quote: UInt8?
        while index < bytes.count, quote != nil || bytes[index] != UInt8(ascii: ">") {
          let byte = bytes[index]
          if byte == UInt8(ascii: "\n") { line += 1 }
          if byte == quote {
            quote = nil
          } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            quote = byte
          }
          index += 1
        }
        let tag = bytes[start..<index]
        let name = tag.prefix { !" \t\r\n".utf8.contains($0) }
        let isEmpty = tag.last == UInt8(ascii: "/")
        tags.append(
          (
            String(
              decoding: isEmpty && name.count == tag.count ? name.dropLast() : name, as: UTF8.self),
            startLine, isEmpty
          ))
      } else {
        if bytes[index] == UInt8(ascii: "\n") { line += 1 }
        index += 1
      }
    }
    return tags
  }
}

/// What a config.yml of fusuma binds and of which nothing is said, neither where its key nor where its value stands.
///
/// The keys are those of YAML: what looks like one in a comment or a text is none. Below `plugin` and `context` at the
/// root nothing binds, and of these it is told as a whole.
enum FusumaEntries {
  static func forgotten(in text: String, _ told: Set<Int>) -> [String] {
    var forgotten: [String] = []
    for (document, firstLine) in documents(in: text) {
      guard let document = try? YamlDocument(Array(document.utf8)) else {
        forgotten.append("\(firstLine): no YAML")
        continue
      }
      func walk(_ node: YamlNode, isRoot: Bool = false) {
        for (key, value) in document.pairs(of: node) {
          let name = document.text(key) ?? ""
          let first = firstLine + document.start(of: key).line
          let last = max(first, firstLine + document.end(of: value).line)
          let isBinding = ["command", "sendkey", "workspace", "window"].contains(name)
          let isWhole = isRoot && ["plugin", "context"].contains(name)
          if isBinding || isWhole, !(first...last).contains(where: told.contains) {
            forgotten.append("\(first): \(name)")
          }
          if isWhole { continue }
          walk(key)
          walk(value)
        }
        for item in document.items(of: node) { walk(item) }
      }
      if let root = document.root { walk(root, isRoot: true) }
      if document.secondDocument != nil { forgotten.append("\(firstLine): a second document") }
    }
    return forgotten
  }

  private static func documents(in text: String) -> [(text: String, firstLine: Int)] {
    var documents = [(text: "", firstLine: 1)]
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let word = line.split(whereSeparator: \.isWhitespace).first
      let isMark = line.first == word?.first && (word == "---" || word == "...")
      if isMark { documents.append(("", index + 1)) }
      documents[documents.count - 1].text += (word == "..." && isMark ? "" : line) + "\n"
    }
    return documents
  }
}
