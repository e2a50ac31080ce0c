import GlissConfiguration
import GlissEvents
import GlissHotkeys
import GlissYaml

/// Imports rules from fusuma's config.yml.
///
/// Like fusuma, it finds an entry by the keys above it. The reader only collects entries with their
/// locations; ``FusumaTable`` decides which of them acts.
struct FusumaReader {
  private let source: ImportedText
  private var file: ImportedFile
  /// The entries for all applications, or for the applications being read.
  private var table = FusumaTable()
  /// The entries of each context, a document for some applications.
  private var contexts: [FusumaTable] = []
  /// The entries of each application in an old file's section of that name.
  private var sections: [FusumaTable] = []
  /// The devices whose gestures count, and the line that selects them.
  private var device = (match: DeviceMatch(kind: .touchpad), line: Int?.none)
  private var document: YamlDocument
  private var firstLine = 1

  private typealias Pair = (key: YamlNode, value: YamlNode)

  /// More documents than any file has. Each is read from a copy of the rest of the file.
  private static let mostDocuments = 100

  static func imported(_ source: ImportedText) throws(Mistake) -> ImportedFile {
    var reader = FusumaReader(
      source: source, file: ImportedFile(tool: .fusuma, name: source.name),
      document: try source.yaml())
    try reader.readDocuments()
    // the line that selects the devices is quoted with the first rule
    var quoted = reader.device.line.map { [$0] } ?? []
    for table in reader.tables {
      var rules = FusumaRules(table: table, device: reader.device.match, file: reader.file)
      let made = rules.made()
      reader.file = rules.file
      for (rule, lines) in made {
        reader.file.add(rule, from: (quoted + lines).map { source.source($0) })
        quoted = []
      }
    }
    return reader.file
  }

  /// All tables, each with those that are searched before it. fusuma searches contexts last; the
  /// applications of an old file come before `Global`.
  private var tables: [FusumaTable] {
    var all = [table] + contexts
    for index in contexts.indices { all[index + 1].earlier = Array(all[...index]) }
    all[0].earlier = sections
    return all + sections
  }

  // MARK: Sections

  private mutating func readDocuments() throws(Mistake) {
    var isOwn = false
    var first: Place?
    for count in 1... {
      if let root = document.root, !document.isNull(root) {
        first = first ?? place(document.pairs(of: root).first?.key ?? root)
        if try read(root) { isOwn = true }
      }
      guard let next = document.secondDocument else { break }
      firstLine += next.line
      guard count < Self.mostDocuments else {
        throw Mistake(
          "more than \(Self.mostDocuments) documents",
          at: Place(file: source.name, line: firstLine, column: 1))
      }
      document = try source.yaml(from: firstLine)
    }
    if let first, !isOwn {
      throw Mistake(
        "not a file of fusuma: swipe:, pinch:, rotate: or hold: was expected", at: first)
    }
  }

  /// Returns whether the document has a section that fusuma looks for.
  private mutating func read(_ root: YamlNode) throws(Mistake) -> Bool {
    guard document.isMapping(root) else {
      throw Mistake("swipe:, pinch:, rotate: or hold: was expected", at: place(root))
    }
    let context = document.merged(root).last { document.text($0.key) == "context" }
    guard let context else { return readEntries(of: root) }
    guard let applications = applications(of: context.value) else {
      file.lose(
        "context", "only application: is known in it; the document is left out",
        at: place(context.key))
      return true
    }
    contexts.append(inTable(applications) { _ = $0.readEntries(of: root) })
    return true
  }

  private mutating func inTable(
    _ applications: [String], _ read: (inout Self) -> Void
  ) -> FusumaTable {
    let outer = table
    table = FusumaTable(applications: applications)
    defer { table = outer }
    read(&self)
    return table
  }

  /// The applications that a context names; `nil` if it names anything else.
  private func applications(of context: YamlNode) -> [String]? {
    let pairs = document.pairs(of: context)
    guard pairs.count == 1, let list = document.value("application", of: context) else {
      return nil
    }
    let items = document.items(of: list)
    let names = (items.isEmpty ? [list] : items).map { document.text($0)?.trimmed ?? "" }
    return names.contains { $0.isEmpty || $0.utf8.contains(0) } ? nil : names
  }

  /// Returns whether there is a section that fusuma looks for.
  private mutating func readEntries(of root: YamlNode) -> Bool {
    let entries = entries(of: root, nil).filter { document.text($0.key) != "context" }
    let unknown = entries.filter { !section($0) }
    let taken = Set(unknown.isEmpty ? [] : table.bindings.flatMap(\.lines))
    for pair in unknown {
      let (first, end) = (line(pair.key), document.end(of: pair.value))
      // a block ends where the next key begins, and an alias stands for something before it
      let lines = first...max(first, firstLine + end.line - (end.column == 0 ? 1 : 0))
      // aliases may bind entries in it
      let isTaken = lines.contains(where: taken.contains)
      note(pair, "unknown key; a plugin of fusuma may have it", isLost: !isTaken)
    }
    return unknown.count < entries.count
  }

  /// Reads a section. Returns whether fusuma looks for it.
  private mutating func section(_ pair: Pair) -> Bool {
    switch name(pair.key) {
    case "threshold", "interval":
      for entry in entries(of: pair.value, pair.key) {
        guard let kind = FusumaLocation.kinds[name(entry.key)] else {
          note(entry, "unknown gesture")
          continue
        }
        number(name(pair.key), entry, FusumaLocation(kind: kind))
      }
    case "plugin": plugin(pair)
    case "application":
      for application in entries(of: pair.value, pair.key) {
        let name = name(application.key)
        let inner = entries(of: application.value, application.key)
        if name.lowercased() == "global" {
          for entry in inner { _ = section(entry) }
        } else {
          sections.append(inTable([name]) { for entry in inner { _ = $0.section(entry) } })
        }
      }
    case let name:
      guard let kind = FusumaLocation.kinds[name] else { return false }
      read(pair, FusumaLocation(kind: kind), [])
    }
    return true
  }

  /// Selects devices by a part of their name, which is a regular expression in fusuma.
  private mutating func plugin(_ pair: Pair) {
    var node: YamlNode? = pair.value
    var isAlone = true
    for name in ["filters", "libinput_device_filter", "keep_device_names"] {
      isAlone = isAlone && document.pairs(of: node).count == 1
      node = document.value(name, of: node)
    }
    let items = node.map { document.items(of: $0) } ?? []
    let value = items.isEmpty ? node : items.first
    let name = value.flatMap { document.text($0) }?.trimmed ?? ""
    // an escape can produce a NUL, which no device name contains
    let isPlain = !name.isEmpty && !name.contains { "\\^$|?*+()[]{}\0".contains($0) }
    if let value, isPlain, items.count <= 1 {
      device = (DeviceMatch(name: "*\(name)*", kind: .touchpad), line(value))
      if isAlone { return }
    }
    note(
      pair,
      "it has no equivalent; of libinput's options only keep_device_names with one plain name is imported"
    )
  }

  // MARK: Gestures

  /// Reads the entries below a key of a gesture's location.
  private mutating func read(_ pair: Pair, _ location: FusumaLocation, _ lines: [Int]) {
    var nested: [(Pair, FusumaLocation)] = []
    for entry in entries(of: pair.value, pair.key) {
      if let below = location.below(name(entry.key)) {
        nested.append((entry, below))
      } else if location.isWhole {
        property(entry, location, lines)
      } else {
        note(entry, "1 to 5 fingers, a direction or a moment was expected")
      }
    }
    for (entry, below) in nested {
      // a direction, or fingers that need none, makes the gesture complete
      let isQuoted = below.isWhole && !location.isWhole
      read(entry, below, isQuoted ? lines + [line(entry.key)] : lines)
    }
  }

  private mutating func property(_ pair: Pair, _ location: FusumaLocation, _ lines: [Int]) {
    let name = name(pair.key)
    switch name {
    case "threshold", "interval", "accel": number(name, pair, location)
    // only changes the values of $move_x and others in commands
    case "distance": break
    case "clearmodifiers":
      guard let text = text(pair), text != "false" else { return }
      note(pair, "held modifiers are added to the keys that sendkey presses")
    case "keypress" where location.held == nil:
      for keys in entries(of: pair.value, pair.key) {
        var held = location
        held.held = self.name(keys.key)
        read(keys, held, lines + [line(keys.key)])
      }
    case _:
      guard let executor = FusumaBinding.executors.firstIndex(of: name) else {
        return note(pair, "unknown key here; a plugin of fusuma may have it")
      }
      let isNull = document.isNull(pair.value)
      var verb: Action.Verb?
      if isNull || document.text(pair.value)?.trimmed == "" {
        note(pair, "it is blank, so nothing is done", isLost: false)
      } else {
        verb = self.verb(name, pair, location)
      }
      // only a blank text, not an empty entry, takes precedence over more general entries
      if isNull { return }
      let place = place(pair.key)
      table.add(
        FusumaBinding(
          location: location, executor: executor,
          actions: verb.map { [Action($0, place: place)] } ?? [],
          lines: lines + [line(pair.key)], place: place))
    }
  }

  private mutating func number(_ name: String, _ pair: Pair, _ location: FusumaLocation) {
    guard let text = text(pair) else { return }
    guard let value = Double(text), value >= 0, value < 1000 else {
      return file.note(
        "\(name) \(text)", "a number from 0 to 1000 was expected; it is ignored",
        at: place(pair.value))
    }
    table.add(
      FusumaNumber(
        name: name, value: value, line: location.isWhole ? line(pair.key) : nil,
        place: place(pair.key)),
      at: location)
  }

  // MARK: What is done

  /// The verb of an entry; `nil` if it does nothing, or has no equivalent, which becomes a remark.
  private mutating func verb(
    _ name: String, _ pair: Pair, _ location: FusumaLocation
  ) -> Action.Verb? {
    switch name {
    case "command": return text(pair).flatMap { command($0, pair, location) }
    case "sendkey":
      let items = document.items(of: pair.value)
      var chords: [Chord] = []
      for item in items.isEmpty ? [pair.value] : items {
        do throws(ChainNote) {
          chords.append(try FusumaKeys.chord(document.text(item) ?? ""))
        } catch {
          file.lose("sendkey \(error.word)".trimmed, error.why, at: place(item))
          return nil
        }
      }
      return .keys(chords)
    // xdotool's names, used until version 0.9
    case "shortcut":
      guard let text = text(pair) else { return nil }
      if let chords = PressingCommand.chords(in: "xdotool key \(text)") { return .keys(chords) }
      note(pair, "unknown keys")
      return nil
    case _: return desktop(pair)
    }
  }

  private mutating func command(
    _ text: String, _ pair: Pair, _ location: FusumaLocation
  ) -> Action.Verb? {
    let isUpdate = location.moment == .update
    if isUpdate, PressingCommand.isMotion(text) { return .move(1) }
    let names = ["move_x", "move_y", "zoom", "rotate"]
    if let name = names.first(where: { text.has("$" + $0) || text.has("${" + $0) }) {
      file.note(
        "$\(name)",
        (isUpdate ? "the command is left out, because the variable" : "it")
          + " is empty here; $GLISS_TRANSLATION_X_MM and others count since the gesture began",
        at: place(pair.key), isLost: isUpdate)
      // without its numbers such a command does nothing, or does harm
      if isUpdate { return nil }
    }
    return file.verb(of: text, at: place(pair.key))
  }

  /// What fusuma-plugin-wmctrl does with workspaces and windows.
  private mutating func desktop(_ pair: Pair) -> Action.Verb? {
    let inner = document.pairs(of: pair.value).first
    let word = document.text(inner?.key ?? pair.value) ?? ""
    let how = inner.flatMap { document.text($0.value) }
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
    // only toggling has an equivalent
    guard let action = actions[word], how != "add", how != "remove" else {
      note(pair, "Gliss has no such action; the window manager's command or keys can do it")
      return nil
    }
    return .desktop(action)
  }

  // MARK: Nodes

  /// The entries below `key`, which is `nil` for the document. If a key is repeated, the last one
  /// counts. Reports the others, and anything that is not a mapping.
  private mutating func entries(of node: YamlNode, _ key: YamlNode?) -> [Pair] {
    let all = document.merged(node)
    if all.isEmpty, let key {
      let isEmpty = document.isNull(node) || document.isMapping(node)
      note((key, node), "keys were expected below it", isLost: !isEmpty)
    }
    var last: [String: YamlNode] = [:]
    let counted = all.reversed().filter { pair in
      guard let text = document.text(pair.key) else { return true }
      let isLast = last[text] == nil
      if isLast { last[text] = pair.key }
      return isLast
    }
    for pair in document.pairs(of: node) {
      guard let later = document.text(pair.key).flatMap({ last[$0] }), later != pair.key else {
        continue
      }
      note(pair, "line \(line(later)) has the same key, and the last one counts")
    }
    return counted.reversed()
  }

  /// A value's text. Reports any other value.
  private mutating func text(_ pair: Pair) -> String? {
    // an escape can produce a NUL, which neither a command nor a name can contain
    if let text = document.text(pair.value), !text.utf8.contains(0) { return text }
    note(
      pair,
      document.isSequence(pair.value)
        ? "one text was expected, not a list" : "a text was expected, without NUL")
    return nil
  }

  /// Reports an entry, usually as lost together with everything below it.
  private mutating func note(_ pair: Pair, _ why: String, isLost: Bool = true) {
    let text = document.text(pair.value) ?? ""
    file.note(
      name(pair.key) + (text.isEmpty ? "" : ": " + text), why, at: place(pair.key), isLost: isLost)
  }

  private func name(_ node: YamlNode) -> String { document.text(node) ?? "…" }

  private func line(_ node: YamlNode) -> Int { firstLine + document.start(of: node).line }

  private func place(_ node: YamlNode) -> Place {
    source.place(of: document.start(of: node), from: firstLine)
  }
}
