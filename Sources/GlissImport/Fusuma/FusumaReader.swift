import GlissConfiguration
import GlissEvents
import GlissHotkeys
import GlissYaml

/// Imports rules from fusuma's config.yml.
///
/// Like fusuma it finds an entry by the keys above it, so that the reader only collects entries
/// with their locations; ``FusumaTable`` says which of them acts.
struct FusumaReader {
  private let source: ImportedText
  private(set) var file: ImportedFile
  /// The entries for all applications, or for those that are read now.
  private(set) var table = FusumaTable()
  /// The entries of each context, a document for some applications.
  private var contexts: [FusumaTable] = []
  /// The entries of each application in an old file's section of that name.
  private var sections: [FusumaTable] = []
  /// The devices whose gestures count, and the line that selects them.
  private(set) var device = (match: DeviceMatch(kind: .touchpad), line: Int?.none)
  private var document: YamlDocument
  private var firstLine = 1
  private var unknown: [Pair] = []

  private typealias Pair = (key: YamlNode, value: YamlNode)

  /// More documents than any file has. Each is read from a copy of the rest of the file.
  private static let mostDocuments = 100

  static func imported(_ source: ImportedText) throws(Mistake) -> ImportedFile {
    var reader = try FusumaReader(source)
    let made = reader.tables.flatMap {
      FusumaRules($0, reader.device.match).made(&reader.file)
    }
    for (index, rule) in made.enumerated() {
      // the line that applies to all rules is quoted with the first
      let lines = (index == 0 ? [reader.device.line].compactMap { $0 } : []) + rule.lines
      reader.file.add(rule.rule, from: lines.map { source.source($0) })
    }
    return reader.file
  }

  private init(_ source: ImportedText) throws(Mistake) {
    self.source = source
    file = ImportedFile(tool: .fusuma, name: source.name)
    document = try Self.document(source.bytes, 1, source)
    let starts = YamlMark.lineStarts(in: source.bytes)
    var count = 1
    var isOwn = false
    var first: Place?
    while true {
      if let root = document.root, !document.isNull(root) {
        first = first ?? place(document.pairs(of: root).first?.key ?? root)
        if try readDocument(root) { isOwn = true }
      }
      guard let next = document.secondDocument, starts.indices.contains(firstLine - 1 + next.line)
      else { break }
      count += 1
      firstLine += next.line
      guard count <= Self.mostDocuments else {
        throw Mistake(
          "more than \(Self.mostDocuments) documents",
          at: Place(file: source.name, line: firstLine, column: 1))
      }
      document = try Self.document(Array(source.bytes[starts[firstLine - 1]...]), firstLine, source)
    }
    if let first, !isOwn {
      throw Mistake(
        "not a file of fusuma: swipe:, pinch:, rotate: or hold: was expected", at: first)
    }
  }

  /// All tables, in which the order of the search is set. fusuma searches contexts last; an old file's
  /// applications come before `Global`.
  private var tables: [FusumaTable] {
    var all = [table]
    all[0].earlier = sections
    for (index, context) in contexts.enumerated() {
      var context = context
      context.earlier = [table] + contexts[..<index]
      all.append(context)
    }
    return all + sections
  }

  /// Collects entries for these applications.
  private mutating func inTable(
    _ applications: [String], _ read: (inout Self) -> Bool
  ) -> (table: FusumaTable, isOwn: Bool) {
    let outer = table
    table = FusumaTable(applications: applications)
    defer { table = outer }
    let isOwn = read(&self)
    return (table, isOwn)
  }

  private static func document(
    _ bytes: [UInt8], _ line: Int, _ source: ImportedText
  ) throws(Mistake) -> YamlDocument {
    do throws(YamlError) {
      var limits = YamlLimits()
      limits.aliased = 20_000
      return try YamlDocument(bytes, limits: limits)
    } catch {
      let mark = error.mark ?? YamlMark(line: 0, column: 0)
      throw Mistake(
        "not YAML: \(error.problem)",
        at: Place(file: source.name, line: line + mark.line, column: mark.column + 1))
    }
  }

  // MARK: Sections

  /// Returns whether it has a section that fusuma looks for.
  private mutating func readDocument(_ root: YamlNode) throws(Mistake) -> Bool {
    guard document.isMapping(root) else {
      throw Mistake("swipe:, pinch:, rotate: or hold: was expected", at: place(root))
    }
    if let context = context(of: root) {
      guard let applications = applications(of: context.value) else {
        file.lose(
          "context", "only application: is known in it; the document is left out",
          at: place(context.key))
        return true
      }
      let read = inTable(applications) { $0.readEntries(of: root) }
      contexts.append(read.table)
      return true
    }
    return readEntries(of: root)
  }

  private func context(of root: YamlNode) -> Pair? {
    document.pairs(of: root).last { document.text($0.key) == "context" }
  }

  /// The applications that a context names, and nothing else; `nil` for other contexts.
  private func applications(of context: YamlNode) -> [String]? {
    let pairs = document.pairs(of: context)
    guard pairs.count == 1, let pair = pairs.first, document.text(pair.key) == "application" else {
      return nil
    }
    let items = document.items(of: pair.value)
    let names = (items.isEmpty ? [pair.value] : items).map { document.text($0)?.trimmed ?? "" }
    return names.contains { $0.isEmpty || $0.utf8.contains(0) } ? nil : names
  }

  /// Returns whether there is a section that fusuma looks for.
  private mutating func readEntries(of root: YamlNode) -> Bool {
    unknown = []
    var isOwn = false
    for pair in entries(of: root, nil) where pair.key != context(of: root)?.key {
      if section(pair) { isOwn = true }
    }
    for pair in unknown {
      let (first, end) = (line(pair.key), document.end(of: pair.value))
      // a block ends where the next key begins, and an alias stands for something before it
      let last = firstLine + end.line - (end.column == 0 ? 1 : 0)
      let lines = first...max(first, last)
      if table.bindings.contains(where: { $0.lines.contains(where: lines.contains) }
      ) {
        file.note(name(pair.key), "only what aliases take from it is done", at: place(pair.key))
      } else {
        lose(pair, "unknown key; a plugin of fusuma may have it")
      }
    }
    return isOwn
  }

  /// Returns whether fusuma looks for it.
  private mutating func section(_ pair: Pair) -> Bool {
    switch name(pair.key) {
    case "threshold", "interval":
      for entry in entries(of: pair.value, pair.key) {
        guard let kind = FusumaLocation.Kind(rawValue: name(entry.key)) else {
          lose(entry, "no such gesture is known")
          continue
        }
        number(name(pair.key), entry, FusumaLocation(kind: kind), isForAll: true)
      }
    case "plugin": plugin(pair)
    case "application":
      for application in entries(of: pair.value, pair.key) {
        let name = name(application.key)
        let inner = entries(of: application.value, application.key)
        if name.lowercased() == "global" {
          for entry in inner { _ = section(entry) }
          continue
        }
        let read = inTable([name]) { reader in
          inner.reduce(false) { reader.section($1) || $0 }
        }
        sections.append(read.table)
      }
    case let name:
      guard let kind = FusumaLocation.Kind(rawValue: name) else {
        unknown.append(pair)
        return false
      }
      read(pair, FusumaLocation(kind: kind), [])
    }
    return true
  }

  /// Selects devices whose name contains the given one, which is a regular expression in fusuma.
  private mutating func plugin(_ pair: Pair) {
    var node: YamlNode? = pair.value
    var isAlone = true
    for name in ["filters", "libinput_device_filter", "keep_device_names"] {
      isAlone = isAlone && document.keysAndValues(of: node).count == 2
      node = document.value(name, of: node)
    }
    let items = node.map { document.items(of: $0) } ?? []
    let value = items.isEmpty ? node : items.first
    let name = value.flatMap { document.text($0) }?.trimmed ?? ""
    // an escape can stand for a NUL, which no device has in its name
    let isPlain = !name.isEmpty && !name.contains { "\\^$|?*+()[]{}\0".contains($0) }
    if let value, isPlain, items.count <= 1 {
      device = (DeviceMatch(name: "*\(name)*", kind: .touchpad), line(value))
      if isAlone { return }
    }
    lose(pair, "only keep_device_names with one plain name is imported")
  }

  // MARK: Gestures

  /// Reads what stands below a key of a gesture's location.
  private mutating func read(_ pair: Pair, _ location: FusumaLocation, _ lines: [Int]) {
    var nested: [(Pair, FusumaLocation)] = []
    for entry in entries(of: pair.value, pair.key) {
      if let below = location.below(name(entry.key)) {
        nested.append((entry, below))
      } else if location.isWhole {
        property(entry, location, lines)
      } else {
        lose(entry, "1 to 5 fingers, a direction or a moment was expected")
      }
    }
    for (entry, below) in nested {
      // with a direction, or fingers that need none, the gesture is complete
      let isQuoted = below.isWhole && !location.isWhole
      read(entry, below, isQuoted ? lines + [line(entry.key)] : lines)
    }
  }

  private mutating func property(_ pair: Pair, _ location: FusumaLocation, _ lines: [Int]) {
    let name = name(pair.key)
    switch name {
    case "threshold", "interval", "accel": number(name, pair, location)
    // it only changes what commands get in $move_x and others
    case "distance": break
    case "clearmodifiers":
      guard let text = text(pair), text != "false" else { return }
      file.lose(
        name, "held modifiers are added to the keys that sendkey presses", at: place(pair.key))
    case "keypress" where location.held == nil:
      for keys in entries(of: pair.value, pair.key) {
        var held = location
        held.held = self.name(keys.key)
        read(keys, held, lines + [line(keys.key)])
      }
    case _:
      guard let executor = FusumaBinding.executors.firstIndex(of: name) else {
        lose(pair, "unknown key here; a plugin of fusuma may have it")
        return
      }
      var binding = FusumaBinding(
        location: location, executor: executor, lines: lines + [line(pair.key)],
        place: place(pair.key))
      if document.isNull(pair.value) {
        file.note(name, "it is blank, so nothing is done", at: binding.place)
        return
      }
      switch name {
      case "command": command(pair, &binding)
      case "sendkey": sendkey(pair, &binding)
      case "shortcut": shortcut(pair, &binding)
      case _: desktop(pair, &binding)
      }
      table.add(binding)
    }
  }

  private mutating func number(
    _ word: String, _ pair: Pair, _ location: FusumaLocation, isForAll: Bool = false
  ) {
    guard let text = text(pair) else { return }
    guard let value = Double(text), value >= 0, value < 1000,
      let name = FusumaNumber.Name(rawValue: word)
    else {
      file.note(
        "\(word) \(text)", "a number from 0 to 1000 was expected; it is ignored",
        at: place(pair.value))
      return
    }
    table.add(
      FusumaNumber(
        name: name, value: value, line: isForAll ? nil : line(pair.key), place: place(pair.key)),
      at: location)
  }

  // MARK: What is done

  private mutating func command(_ pair: Pair, _ binding: inout FusumaBinding) {
    guard let text = text(pair) else { return }
    guard !text.trimmed.isEmpty else {
      file.note("command", "it is blank, so nothing is done", at: binding.place)
      return
    }
    if binding.location.moment == .update, PressingCommand.isMotion(text) {
      binding.isMotion = true
      binding.actions = [Action(.move(1), place: place(pair.value))]
      return
    }
    let names = ["move_x", "move_y", "zoom", "rotate"]
    let name = names.first { text.has("$" + $0) || text.has("${" + $0) }
    if let name {
      let why = "it is empty here; $GLISS_TRANSLATION_X_MM and others count since the gesture began"
      // without its numbers such a command does nothing, or harm
      guard binding.location.moment != .update else {
        return file.lose("$\(name)", why, at: binding.place)
      }
      file.note("$\(name)", why, at: binding.place)
    }
    binding.actions = [Action(PressingCommand.verb(of: text), place: place(pair.value))]
    file.noteX11(text, at: binding.place)
  }

  /// Keys as fusuma had them until version 0.9, by xdotool's names.
  private mutating func shortcut(_ pair: Pair, _ binding: inout FusumaBinding) {
    guard let text = text(pair) else { return }
    guard let chords = PressingCommand.chords(in: "xdotool key \(text)") else {
      return lose(pair, "unknown keys")
    }
    binding.actions = [Action(.keys(chords), place: place(pair.value))]
  }

  private mutating func sendkey(_ pair: Pair, _ binding: inout FusumaBinding) {
    let items = document.items(of: pair.value)
    var chords: [Chord] = []
    for item in items.isEmpty ? [pair.value] : items {
      do throws(ChainNote) {
        chords.append(try FusumaKeys.chord(document.text(item) ?? ""))
      } catch {
        file.lose("sendkey \(error.word)", error.why, at: place(item))
        return
      }
    }
    binding.actions = [Action(.keys(chords), place: place(pair.value))]
  }

  /// What fusuma-plugin-wmctrl does with workspaces and windows.
  private mutating func desktop(_ pair: Pair, _ binding: inout FusumaBinding) {
    let inner = document.pairs(of: pair.value).first
    let word = document.text(inner?.key ?? pair.value) ?? ""
    let actions: [String: DesktopAction] =
      name(pair.key) == "workspace"
      ? [
        "next": .workspace(.next), "right": .workspace(.next), "down": .workspace(.next),
        "prev": .workspace(.previous), "left": .workspace(.previous), "up": .workspace(.previous),
      ]
      : [
        "fullscreen": .window(.fullscreen), "maximized": .window(.maximize),
        "close": .window(.close),
      ]
    if let how = inner.flatMap({ document.text($0.value) }), ["add", "remove"].contains(how) {
      return lose(pair, "\(how) has no equivalent, only toggle")
    }
    guard let action = actions[word] else {
      return lose(pair, "Gliss has no such action; the window manager's command or keys can do it")
    }
    binding.actions = [Action(.desktop(action), place: binding.place)]
  }

  // MARK: Nodes

  /// The entries below `key`, which is `nil` for the document. Of equal keys the last one counts.
  /// Reports the others, and anything that is not a mapping.
  private mutating func entries(of node: YamlNode, _ key: YamlNode?) -> [Pair] {
    let all = document.merged(node)
    if all.isEmpty, let key {
      if document.isNull(node) || document.isMapping(node) {
        file.note(name(key), "nothing stands below it, so nothing is done", at: place(key))
      } else {
        lose((key, node), "keys were expected below it")
      }
    }
    var last: [String: YamlNode] = [:]
    let entries = all.reversed().filter { pair in
      guard let text = document.text(pair.key) else { return true }
      if last[text] != nil { return false }
      last[text] = pair.key
      return true
    }
    for pair in document.pairs(of: node) {
      guard let later = document.text(pair.key).flatMap({ last[$0] }), later != pair.key else {
        continue
      }
      lose(pair, "line \(line(later)) has the same key, and the last one counts")
    }
    return entries.reversed()
  }

  /// A value's text. Reports anything else.
  private mutating func text(_ pair: Pair) -> String? {
    // an escape can stand for a NUL, but neither a command nor a name can have it
    if let text = document.text(pair.value), !text.utf8.contains(0) { return text }
    lose(pair, "a text was expected, without NUL")
    return nil
  }

  /// Reports that an entry is lost, with everything below it.
  private mutating func lose(_ pair: Pair, _ why: String) {
    let text = document.text(pair.value) ?? ""
    let what = name(pair.key) + (text.isEmpty ? "" : ": " + text)
    file.lose(what, why, at: place(pair.key))
  }

  private func name(_ node: YamlNode) -> String { document.text(node) ?? "…" }

  private func line(_ node: YamlNode) -> Int { firstLine + document.start(of: node).line }

  private func place(_ node: YamlNode) -> Place {
    Place(file: source.name, line: line(node), column: document.start(of: node).column + 1)
  }
}
