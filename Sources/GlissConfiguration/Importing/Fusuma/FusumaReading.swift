import GlissHotkeys
import GlissYaml

/// Walks through a config.yml and collects what it binds.
struct FusumaReading {
  private let source: ImportedText
  private(set) var bindings: [FusumaBinding] = []
  /// The thresholds and intervals that hold for a kind of gesture.
  private(set) var thresholds: [FusumaBinding.Kind: (value: Double, line: Int)] = [:]
  private(set) var intervals: [FusumaBinding.Kind: (value: Double, line: Int)] = [:]
  /// How many more nodes may be looked at: aliases may make a small file endless.
  private var budget = 20_000
  private var firstLine = 1

  init(_ source: ImportedText) { self.source = source }

  mutating func read(
    _ document: YamlDocument, firstLine: Int, _ file: inout ImportedFile
  ) throws(Mistake) {
    self.firstLine = firstLine
    guard let root = document.root, !document.isNothing(root) else { return }
    guard document.isMapping(root) else {
      throw Mistake("swipe:, pinch:, rotate: or hold: was expected", at: place(root, document))
    }
    let isForSome = document.value("context", of: root) != nil
    for (key, value) in try entries(of: root, nil, document, &file) {
      let name = document.text(key) ?? ""
      if isForSome, name != "context" {
        try loseAll(
          key, value, document,
          "it is for some applications or modes of plugins only, which are not known here", &file)
      } else {
        try section(name, key, value, document, &file)
      }
    }
  }

  private mutating func section(
    _ name: String, _ key: YamlNode, _ value: YamlNode, _ document: YamlDocument,
    _ file: inout ImportedFile
  ) throws(Mistake) {
    switch name {
    case "context":
      file.lose(
        "context", "it is about the application in front, which is not known here",
        at: place(key, document))
    case "threshold": try defaults(key, value, document, \.thresholds, &file)
    case "interval": try defaults(key, value, document, \.intervals, &file)
    case "plugin":
      file.lose(
        "plugin", "there are no plugins; 'gliss thresholds' lists what can be set",
        at: place(key, document))
    case "application":
      for (application, sections) in try entries(of: value, key, document, &file) {
        if document.text(application) == "Global" {
          for (key, value) in try entries(of: sections, application, document, &file) {
            try section(document.text(key) ?? "", key, value, document, &file)
          }
        } else {
          try loseAll(
            application, sections, document,
            "which application is in front is not known here; leave the gesture to the program",
            &file)
        }
      }
    case _:
      guard let kind = FusumaBinding.Kind(rawValue: name) else {
        try loseAll(key, value, document, "no such gesture is known without plugins", &file)
        return
      }
      try gesture(kind, key, value, document, &file)
    }
  }

  // MARK: Gestures

  private mutating func gesture(
    _ kind: FusumaBinding.Kind, _ key: YamlNode, _ node: YamlNode, _ document: YamlDocument,
    _ file: inout ImportedFile
  ) throws(Mistake) {
    for (key, value) in try entries(of: node, key, document, &file) {
      let name = document.text(key) ?? ""
      guard let fingers = Int(name) else {
        try level(kind, nil, key, value, document, &file)
        continue
      }
      guard (1...5).contains(fingers) else {
        try loseAll(key, value, document, "a gesture has 1 to 5 fingers", &file)
        continue
      }
      if kind == .hold {
        try bound(kind, fingers, nil, key, value, document, &file)
      } else {
        for (key, value) in try entries(of: value, key, document, &file) {
          try level(kind, fingers, key, value, document, &file)
        }
      }
    }
  }

  /// A direction, or what is said to all of them.
  private mutating func level(
    _ kind: FusumaBinding.Kind, _ fingers: Int?, _ key: YamlNode, _ value: YamlNode,
    _ document: YamlDocument, _ file: inout ImportedFile
  ) throws(Mistake) {
    let name = document.text(key) ?? ""
    let directions: [String] =
      switch kind {
      case .swipe: ["left", "right", "up", "down"]
      case .pinch: ["in", "out"]
      case .rotate: ["clockwise", "counterclockwise"]
      case .hold: []
      }
    if directions.contains(name) {
      try bound(kind, fingers, name, key, value, document, &file)
    } else {
      let expected = kind == .hold ? "a number of fingers" : directions.joined(separator: ", ")
      try loseAll(key, value, document, "\(expected) was expected below \(kind.rawValue)", &file)
    }
  }

  /// What is bound to one gesture.
  private mutating func bound(
    _ kind: FusumaBinding.Kind, _ fingers: Int?, _ direction: String?, _ key: YamlNode,
    _ value: YamlNode, _ document: YamlDocument, _ file: inout ImportedFile
  ) throws(Mistake) {
    var binding = FusumaBinding(
      kind: kind, fingers: fingers, direction: direction, moment: .once, actions: [],
      lines: [line(key, document)], place: place(key, document))
    let entries = try entries(of: value, key, document, &file)
    try properties(&binding, entries, document, &file)
    for moment in FusumaBinding.Moment.allCases where moment != .once {
      for (key, value) in entries where document.text(key) == moment.rawValue {
        var nested = binding
        nested.moment = moment
        try properties(
          &nested, try self.entries(of: value, key, document, &file), document, &file)
      }
    }
  }

  /// Binds what is to be done; `binding` gets the numbers that stand beside it.
  private mutating func properties(
    _ binding: inout FusumaBinding, _ entries: [Entry], _ document: YamlDocument,
    _ file: inout ImportedFile
  ) throws(Mistake) {
    for (key, value) in entries {
      switch document.text(key) {
      case "threshold":
        binding.threshold = try number(key, value, document, &file) ?? binding.threshold
      case "interval":
        binding.interval = try number(key, value, document, &file) ?? binding.interval
      case _: continue
      }
    }
    for (key, value) in entries {
      try spend(key, document)
      let name = document.text(key) ?? ""
      let place = place(key, document)
      var found = binding
      found.lines += [line(key, document)]
      switch name {
      case "threshold", "interval": continue
      case "accel", "distance":
        guard try isText(key, value, document, &file) else { continue }
        file.note(
          name, "values of gestures are told in mm, times and degrees, as they are", at: place)
        continue
      case "begin", "update", "end", "cancelled":
        if binding.moment == .once, binding.held == nil { continue }
        try loseAll(key, value, document, "it does not stand here in what fusuma knows", &file)
        continue
      case "keypress" where binding.held == nil:
        for (keys, value) in try self.entries(of: value, key, document, &file) {
          var held = binding
          held.held = document.text(keys) ?? ""
          held.lines += [line(keys, document)]
          held.place = self.place(keys, document)
          try properties(
            &held, try self.entries(of: value, keys, document, &file), document, &file)
        }
        continue
      case "command":
        guard try isText(key, value, document, &file) else { continue }
        let text = document.text(value) ?? ""
        if text.trimmed.isEmpty || document.isNothing(value) {
          file.note("command", "it is blank, so nothing is done", at: place)
          continue
        }
        found.actions = [Action(.run(Command(.shell(text))), place: self.place(value, document))]
      case "sendkey":
        guard let chords = try sendkey(key, value, document, &file) else { continue }
        found.actions = [Action(.keys(chords), place: self.place(value, document))]
      case "workspace":
        guard try isText(key, value, document, &file),
          let (action, proposal) = workspace(key, value, document, &file)
        else { continue }
        found.actions = [action]
        found.proposal = proposal
      case _:
        try loseAll(
          key, value, document,
          "it belongs to a plugin of fusuma; run: or shell: can do what it did", &file)
        continue
      }
      bindings.append(found)
    }
  }

  // MARK: Values

  private mutating func sendkey(
    _ key: YamlNode, _ node: YamlNode, _ document: YamlDocument, _ file: inout ImportedFile
  ) throws(Mistake) -> [Chord]? {
    let items = document.items(of: node)
    var chords: [Chord] = []
    for item in items.isEmpty ? [node] : items {
      guard document.text(item) != nil else {
        try loseAll(key, node, document, "the name of a key was expected, or a list of them", &file)
        return nil
      }
      let text = document.text(item) ?? ""
      do throws(ChainNote) {
        chords.append(try FusumaKeys.chord(text))
      } catch {
        file.lose("sendkey \(error.word)", error.why, at: place(item, document))
        return nil
      }
    }
    return chords.isEmpty ? nil : chords
  }

  private func workspace(
    _ key: YamlNode, _ value: YamlNode, _ document: YamlDocument, _ file: inout ImportedFile
  ) -> (Action, String)? {
    let word = document.text(value) ?? ""
    let keys = word == "next" ? "super+pagedown" : word == "prev" ? "super+pageup" : nil
    let place = place(key, document)
    file.lose(
      "workspace \(word)",
      keys == nil
        ? "desktops are the window manager's; its command line or its keys can change them"
        : "desktops are the window manager's; the commented rule presses GNOME's keys for it. KDE has ctrl+super and arrows, sway 'swaymsg workspace \(word)'",
      at: place)
    guard let keys, let chord = try? FusumaKeys.chord(keys) else { return nil }
    return (Action(.keys([chord]), place: place), "Instead of workspace, with GNOME's keys:")
  }

  private mutating func number(
    _ key: YamlNode, _ value: YamlNode, _ document: YamlDocument, _ file: inout ImportedFile
  ) throws(Mistake) -> (value: Double, line: Int)? {
    guard try isText(key, value, document, &file) else { return nil }
    let name = document.text(key) ?? ""
    let text = document.text(value) ?? ""
    guard let number = Double(text), number > 0, number < 1000 else {
      file.note(
        "\(name) \(text)", "a number above 0 was expected; it is left out",
        at: place(value, document))
      return nil
    }
    return (number, line(value, document))
  }

  private mutating func defaults(
    _ key: YamlNode, _ node: YamlNode, _ document: YamlDocument,
    _ numbers: WritableKeyPath<
      FusumaReading, [FusumaBinding.Kind: (value: Double, line: Int)]
    >,
    _ file: inout ImportedFile
  ) throws(Mistake) {
    for (key, value) in try entries(of: node, key, document, &file) {
      guard let kind = document.text(key).flatMap(FusumaBinding.Kind.init(rawValue:)) else {
        try loseAll(key, value, document, "no such gesture is known", &file)
        continue
      }
      self[keyPath: numbers][kind] = try number(key, value, document, &file)
    }
  }

  // MARK: What stands where

  private typealias Entry = (key: YamlNode, value: YamlNode)

  /// What stands below `key`, `nil` for the document. Of two keys that are the same the last one counts; that, and what
  /// is no mapping, is told.
  private mutating func entries(
    of node: YamlNode, _ key: YamlNode?, _ document: YamlDocument, _ file: inout ImportedFile
  ) throws(Mistake) -> [Entry] {
    let pairs = document.pairs(of: node)
    if pairs.isEmpty, let key {
      if document.isMapping(node) || document.isNothing(node) {
        file.note(
          document.text(key) ?? "…", "nothing stands below it, so nothing is done",
          at: place(key, document))
      } else {
        try loseAll(key, node, document, "keys were expected below it", &file)
      }
    }
    var last: [String: YamlNode] = [:]
    for (key, _) in pairs { if let name = document.text(key) { last[name] = key } }
    var entries: [Entry] = []
    for (key, value) in pairs {
      if let later = document.text(key).flatMap({ last[$0] }), later != key {
        try loseAll(
          key, value, document,
          "line \(line(later, document)) has the same key, and the last one counts", &file)
      } else {
        entries.append((key, value))
      }
    }
    return entries
  }

  /// Says it of what has more than a text.
  private mutating func isText(
    _ key: YamlNode, _ value: YamlNode, _ document: YamlDocument, _ file: inout ImportedFile
  ) throws(Mistake) -> Bool {
    if document.text(value) != nil { return true }
    try loseAll(key, value, document, "one value was expected", &file)
    return false
  }

  // MARK: Losing

  /// Says of a node and of all that is bound below it that it is lost.
  private mutating func loseAll(
    _ key: YamlNode, _ value: YamlNode, _ document: YamlDocument, _ why: String,
    _ file: inout ImportedFile
  ) throws(Mistake) {
    try spend(key, document)
    let name = document.text(key) ?? "…"
    let text = document.text(value).map { name + ": " + $0 } ?? name
    file.lose(text, why, at: place(key, document))
    try loseWithin(key, document, why, &file)
    try loseWithin(value, document, why, &file)
  }

  private mutating func loseWithin(
    _ node: YamlNode, _ document: YamlDocument, _ why: String, _ file: inout ImportedFile
  ) throws(Mistake) {
    try spend(node, document)
    for (key, value) in document.pairs(of: node) { try loseAll(key, value, document, why, &file) }
    for item in document.items(of: node) { try loseWithin(item, document, why, &file) }
  }

  private mutating func spend(_ node: YamlNode, _ document: YamlDocument) throws(Mistake) {
    budget -= 1
    if budget < 0 {
      throw Mistake("aliases make more than 20,000 entries of this file", at: place(node, document))
    }
  }

  private func line(_ node: YamlNode, _ document: YamlDocument) -> Int {
    firstLine + document.start(of: node).line
  }

  private func place(_ node: YamlNode, _ document: YamlDocument) -> Place {
    let mark = document.start(of: node)
    return Place(
      file: source.name, line: firstLine + mark.line, column: mark.column + 1)
  }
}

extension YamlDocument {
  /// Whether a node is YAML's null, however it is written.
  fileprivate func isNothing(_ node: YamlNode) -> Bool {
    style(of: node) == .plain && ["", "~", "null", "Null", "NULL"].contains(text(node) ?? "")
  }
}
