import GlissConfiguration
import GlissImport
import GlissYaml

extension ImportedFile {
  /// What of the imported text would do something, and nothing is said of it.
  func forgotten(in text: String) -> [String] {
    var rules: Set<Int> = []
    for part in parts { rules.formUnion(part.sources.filter { $0.file == name }.map(\.number)) }
    let own = self.remarks.filter { $0.place.file == name }
    let remarks = Set(own.map(\.place.line))
    return switch tool {
    case .touchegg:
      ToucheggTags.forgotten(
        in: text, rules.union(remarks),
        lost: Set(own.filter(\.isLost).map { "\($0.place.line) \($0.what.prefix { $0 != " " })" }))
    case .fusuma:
      FusumaEntries.forgotten(
        in: text, rules.union(remarks), lost: Set(own.map(\.place)), isIdle: parts.isEmpty)
    case .libinputGestures:
      GestureLines.forgotten(
        in: text, rules.union(remarks), isIdle: parts.isEmpty)
    case .inputActions: GestureEntries.forgotten(in: text, rules.union(remarks))
    case .sxhkd: HotkeyLines.forgotten(in: text, rules, remarks)
    case .swhkd:
      HotkeyLines.forgotten(
        in: text, rules, remarks, frames: ["include", "mode", "endmode", "ignore"])
    }
  }
}

/// Gestures of an InputActions file of which nothing is said, neither at their first line nor below it.
enum GestureEntries {
  static func forgotten(in text: String, _ told: Set<Int>) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let starts = lines.indices.filter {
      lines[$0].drop { $0 == " " }.hasPrefix("- type:")
    }
    // of a section or group that cannot be read one remark says it all
    func isBelowAReportedOne(_ start: Int) -> Bool {
      var indentation = lines[start].prefix { $0 == " " }.count
      for index in lines[..<start].indices.reversed() {
        let own = lines[index].prefix { $0 == " " }.count
        guard own < indentation, own < lines[index].count else { continue }
        indentation = own
        if told.contains(index + 1) { return true }
      }
      return false
    }
    return zip(starts, starts.dropFirst() + [lines.count]).filter { start, end in
      told.isDisjoint(with: start + 1...end) && !isBelowAReportedOne(start)
        && lines[start..<end].contains { $0.contains("actions:") }
    }.map { start, _ in "\(start + 1): \(lines[start])" }
  }
}

/// Lines of a libinput-gestures.conf of which nothing is said; each stands by itself.
enum GestureLines {
  /// - Parameter isIdle: whether no gesture is imported, so that no setting applies to any.
  static func forgotten(in text: String, _ told: Set<Int>, isIdle: Bool) -> [String] {
    var forgotten: [String] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where !told.contains(index + 1) {
      let word = line.split(whereSeparator: \.isWhitespace).first ?? "#"
      let isSetting = word.hasPrefix("device") || word.hasPrefix("swipe_threshold")
      if word.first != "#", !(isIdle && isSetting) {
        forgotten.append("\(index + 1): \(line)")
      }
    }
    return forgotten
  }
}

/// Lines of an sxhkdrc or swhkdrc of which nothing is said.
///
/// Lines that a backslash joins are one, and what its first one is. A hotkey is told by its rule, which has every line of
/// it and of the first command below, or by a remark on one of its lines or of that command's, which is about both. Any
/// further command is told by itself.
enum HotkeyLines {
  private struct Joined {
    var numbers: [Int]
    var first: Substring
    var text: String
  }

  /// - Parameter frames: words that begin lines which do nothing by themselves.
  static func forgotten(
    in text: String, _ rules: Set<Int>, _ remarks: Set<Int>, frames: Set<String> = []
  ) -> [String] {
    var forgotten: [String] = []
    var isLost = false
    let lines = joined(text, skipsEmpty: frames.isEmpty).filter { line in
      let first = line.text.first { !$0.isWhitespace }
      return first != nil && first != "#"
    }
    func demand(_ line: Joined, or command: Joined? = nil) {
      if let command, command.first.first?.isWhitespace ?? false,
        command.numbers.contains(where: remarks.contains)
      {
        return
      }
      let isRule = line.numbers.contains(where: rules.contains)
      let isTold =
        isRule
        ? line.numbers.allSatisfy { rules.contains($0) || remarks.contains($0) }
        : line.numbers.contains(where: remarks.contains)
      if !isTold { forgotten.append("\(line.numbers[0]): \(line.text)") }
    }
    for (index, line) in lines.enumerated() {
      let bare = line.text.drop { $0.isWhitespace }
      if line.first.first?.isWhitespace ?? false {
        if !isLost { demand(line) }
        isLost = false
      } else if frames.contains(where: { bare.split(whereSeparator: \.isWhitespace)[0] == $0 }) {
        isLost = false
      } else {
        demand(line, or: lines.dropFirst(index + 1).first)
        isLost = !line.numbers.contains(where: rules.contains)
      }
    }
    return forgotten
  }

  /// - Parameter skipsEmpty: whether an empty line does not end a continued one, as in sxhkd.
  private static func joined(_ text: String, skipsEmpty: Bool) -> [Joined] {
    var lines: [Joined] = []
    var goesOn = false
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      // a comment stands between joined lines as if it were not there
      if line.first == "#" || skipsEmpty && goesOn && line.isEmpty { continue }
      // in sxhkd, the next hotkey is no part of a command
      let isCommand = lines.last?.first.first?.isWhitespace ?? false
      if skipsEmpty, isCommand, !(line.first?.isWhitespace ?? true) { goesOn = false }
      let hasBackslash = line.last { !$0.isWhitespace } == "\\"
      let piece = hasBackslash ? line[..<(line.lastIndex(of: "\\") ?? line.endIndex)] : line
      if goesOn {
        lines[lines.count - 1].text += piece
        if !line.allSatisfy(\.isWhitespace) { lines[lines.count - 1].numbers.append(index + 1) }
      } else {
        lines.append(Joined(numbers: [index + 1], first: line, text: String(piece)))
      }
      goesOn = hasBackslash
    }
    return lines
  }
}

/// Gestures and actions of a touchegg.conf of which nothing is said.
///
/// What lies in comments, CDATA and instructions is text, whatever it looks like; every other `<` begins a tag. A gesture
/// and its first action are told together; any further action, and one that stands elsewhere, by itself.
enum ToucheggTags {
  static func forgotten(in text: String, _ told: Set<Int>, lost: Set<String>) -> [String] {
    struct Open {
      var name: String
      var line: Int
      var isTold: Bool
      /// What an unknown element has in it, and an application, is lost with it.
      var isLost: Bool
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
      let names = ["<\(tag.name)>", tag.name == "application" ? tag.name : ""]
      let isLost =
        names.contains { lost.contains("\(tag.line) \($0)") } || (open.last?.isLost ?? false)
      let isTold = isLost || told.contains(tag.line)
      if tag.name == "action" {
        if let parent = open.indices.last, open[parent].name == "gesture", !open[parent].hasAction {
          open[parent].hasAction = true
          if !isTold, !open[parent].isTold { forgotten.append("\(tag.line): <action>") }
          if isTold { open[parent].isTold = true }
        } else if !isTold {
          forgotten.append("\(tag.line): <action>")
        }
      }
      open.append(Open(name: tag.name, line: tag.line, isTold: isTold, isLost: isLost))
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
/// The keys are those of YAML: what looks like one in a comment or a text is none. Below `plugin` at the root nothing
/// binds, and of it it is told as a whole; so it is of a document with another `context` than an application, and of a key that is lost.
enum FusumaEntries {
  static func forgotten(
    in text: String, _ told: Set<Int>, lost: Set<Place>, isIdle: Bool
  ) -> [String] {
    var forgotten: [String] = []
    let lost = Set(lost.map { [$0.line, $0.column] })
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
          if lost.contains([first, document.start(of: key).column + 1]) { continue }
          let isBinding = ["command", "sendkey", "workspace", "window"].contains(name)
          let isWhole = isRoot && name == "plugin" && !isIdle
          let lines = first...last
          if isBinding || isWhole, !lines.contains(where: told.contains) {
            forgotten.append("\(first): \(name)")
          }
          if isWhole { continue }
          walk(key)
          // what << takes over stands elsewhere
          if name != "<<" { walk(value) }
        }
        for item in document.items(of: node) { walk(item) }
      }
      let context = document.pairs(of: document.root).last { document.text($0.key) == "context" }
      let isApplication = context.map { context in
        let inner = document.pairs(of: context.value)
        return inner.count == 1 && document.text(inner[0].key) == "application"
      }
      if let context, isApplication == false {
        let line = firstLine + document.start(of: context.key).line
        if !told.contains(line) { forgotten.append("\(line): context") }
      } else if let root = document.root {
        walk(root, isRoot: true)
      }
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
