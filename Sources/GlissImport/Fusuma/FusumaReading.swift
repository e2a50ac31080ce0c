import GlissConfiguration
import GlissHotkeys
import GlissYaml

/// Walks through a config.yml and collects its bindings.
struct FusumaReading {
  let source: ImportedText
  private(set) var bindings: [FusumaBinding] = []
  /// Thresholds and intervals by location.
  private(set) var numbers: [FusumaLocation: [FusumaNumber]] = [:]
  /// Those that apply to all gestures of a kind.
  private(set) var defaults: [FusumaLocation.Kind: [FusumaNumber]] = [:]
  /// The devices whose gestures count.
  var device = DeviceMatch(kind: .touchpad)
  /// The lines that select them.
  var deviceLines: [Int] = []
  /// How many more nodes may be visited, because aliases can make a small file expand without
  /// limit.
  var budget = 20_000
  private(set) var firstLine = 1
  /// Keys and values of the document that were read, possibly through aliases from somewhere else.
  private(set) var bound: Set<YamlNode> = []
  /// Whether anything was found that fusuma or one of its plugins looks for.
  private(set) var isOwn = false
  /// The place of the first entry.
  private(set) var firstEntry: Place?

  init(_ source: ImportedText) { self.source = source }

  mutating func read(
    _ document: YamlDocument, firstLine: Int, _ file: inout ImportedFile
  ) throws(Mistake) {
    self.firstLine = firstLine
    bound = []
    guard let root = document.root, !document.isNothing(root) else { return }
    guard document.isMapping(root) else {
      throw Mistake("swipe:, pinch:, rotate: or hold: was expected", at: place(root, document))
    }
    if let context = document.pairs(of: root).last(where: { document.text($0.key) == "context" }) {
      isOwn = true
      try loseDocument(root, context, document, &file)
      return
    }
    var unknown: [FusumaEntry] = []
    for entry in try entries(of: root, nil, document, &file) {
      firstEntry = firstEntry ?? place(entry.key, document)
      if try section(document.text(entry.key) ?? "", entry, document, &file) {
        isOwn = true
      } else {
        unknown.append(entry)
      }
    }
    // only now is it known what aliases take from there
    for entry in unknown { try unknownSection(entry, document, &file) }
  }

  /// Reads a section. Returns whether it is one that fusuma looks for.
  private mutating func section(
    _ name: String, _ entry: FusumaEntry, _ document: YamlDocument, _ file: inout ImportedFile
  ) throws(Mistake) -> Bool {
    let place = place(entry.key, document)
    switch name {
    case "context":
      file.lose(
        "context", "it is about the application in front, which is not known here", at: place)
    case "threshold", "interval": try takeDefaults(entry, document, &file)
    case "plugin": try plugins(entry, document, &file)
    case "application": try applications(entry, document, &file)
    case _:
      guard let kind = FusumaLocation.Kind(rawValue: name) else { return false }
      try gesture(kind, entry, document, &file)
    }
    return true
  }

  private mutating func applications(
    _ entry: FusumaEntry, _ document: YamlDocument, _ file: inout ImportedFile
  ) throws(Mistake) {
    for application in try entries(of: entry.value, entry.key, document, &file) {
      guard document.text(application.key) == "Global" else {
        try lose(
          application, document,
          "which application is in front is not known here; leave the gesture to the program",
          &file)
        continue
      }
      for entry in try entries(of: application.value, application.key, document, &file)
      where try !section(document.text(entry.key) ?? "", entry, document, &file) {
        try unknownSection(entry, document, &file)
      }
    }
  }

  private mutating func unknownSection(
    _ entry: FusumaEntry, _ document: YamlDocument, _ file: inout ImportedFile
  ) throws(Mistake) {
    guard try isBorrowed(entry.value, document) else {
      if try gestures(below: [entry.key, entry.value], document) > 0 { isOwn = true }
      try lose(entry, document, "no such gesture is known without plugins", &file)
      return
    }
    file.note(
      document.text(entry.key) ?? "…",
      "it is not a gesture; what aliases take from it is done where they stand",
      at: place(entry.key, document))
    for (key, value) in document.pairs(of: entry.value) {
      try loseAll(key, value, document, "no alias takes it from here", &file, but: bound)
    }
  }

  /// Whether any part of a node was read through an alias.
  mutating func isBorrowed(
    _ node: YamlNode, _ document: YamlDocument
  ) throws(Mistake) -> Bool {
    try spend(node, document)
    if bound.contains(node) { return true }
    for (key, value) in document.pairs(of: node) {
      if bound.contains(key) { return true }
      if try isBorrowed(value, document) { return true }
    }
    for item in document.items(of: node) where try isBorrowed(item, document) { return true }
    return false
  }

  // MARK: Gestures

  private mutating func gesture(
    _ kind: FusumaLocation.Kind, _ entry: FusumaEntry, _ document: YamlDocument,
    _ file: inout ImportedFile
  ) throws(Mistake) {
    for entry in try entries(of: entry.value, entry.key, document, &file) {
      guard let fingers = Int(document.text(entry.key) ?? "") else {
        try level(kind, nil, entry, [], document, &file)
        continue
      }
      guard (1...5).contains(fingers) else {
        try lose(entry, document, "a gesture has 1 to 5 fingers", &file)
        continue
      }
      bound.insert(entry.key)
      if kind.directions.isEmpty {
        let location = FusumaLocation(kind: kind, fingers: fingers, moment: .once)
        try gesture(location, entry, entry.lines, document, &file)
      } else {
        // the line of the number is only mentioned if an alias or << is involved
        let lines = entry.lines.count > 1 ? entry.lines : []
        for entry in try entries(of: entry.value, entry.key, document, &file) {
          try level(kind, fingers, entry, lines, document, &file)
        }
      }
    }
  }

  /// Reads a direction, or a moment of all directions.
  private mutating func level(
    _ kind: FusumaLocation.Kind, _ fingers: Int?, _ entry: FusumaEntry, _ above: [Int],
    _ document: YamlDocument, _ file: inout ImportedFile
  ) throws(Mistake) {
    let name = document.text(entry.key) ?? ""
    var location = FusumaLocation(kind: kind, fingers: fingers, moment: .once)
    if kind.directions.contains(name) {
      location.direction = name
      try gesture(location, entry, above + entry.lines, document, &file)
    } else if !kind.directions.isEmpty, let moment = Self.moment(name) {
      location.moment = moment
      bound.insert(entry.key)
      try properties(
        location, try entries(of: entry.value, entry.key, document, &file), above + entry.lines,
        document, &file)
    } else {
      let expected =
        kind.directions.isEmpty
        ? "a number of fingers" : kind.directions.joined(separator: ", ")
      try lose(entry, document, "\(expected) was expected below \(kind.rawValue)", &file)
    }
  }

  /// Reads what is bound to one gesture.
  private mutating func gesture(
    _ location: FusumaLocation, _ entry: FusumaEntry, _ lines: [Int], _ document: YamlDocument,
    _ file: inout ImportedFile
  ) throws(Mistake) {
    bound.insert(entry.key)
    let entries = try entries(of: entry.value, entry.key, document, &file)
    try properties(location, entries, lines, document, &file)
    for entry in entries {
      guard let moment = Self.moment(document.text(entry.key) ?? "") else { continue }
      guard location.kind.moments.contains(moment) else {
        try lose(
          entry, document, "fusuma never does it: a \(location.kind.rawValue) has no such moment",
          &file)
        continue
      }
      bound.insert(entry.key)
      var nested = location
      nested.moment = moment
      try properties(
        nested, try self.entries(of: entry.value, entry.key, document, &file),
        lines + (entry.lines.count > 1 ? entry.lines : []), document, &file)
    }
  }

  /// A named moment.
  private static func moment(_ name: String) -> FusumaLocation.Moment? {
    FusumaLocation.Moment(rawValue: name).flatMap { $0 == .once ? nil : $0 }
  }

  /// Binds the entries at a location.
  private mutating func properties(
    _ location: FusumaLocation, _ entries: [FusumaEntry], _ above: [Int],
    _ document: YamlDocument, _ file: inout ImportedFile
  ) throws(Mistake) {
    for entry in entries {
      try spend(entry.key, document)
      let name = document.text(entry.key) ?? ""
      let place = place(entry.key, document)
      let lines = above + entry.lines
      switch name {
      case "threshold", "interval":
        if let number = try number(entry, lines, document, &file) {
          numbers[location, default: []].append(number)
        }
      case "accel", "distance":
        guard try isText(entry, document, &file) else { continue }
        file.note(
          name, "values of gestures are given in mm, times and degrees, as they are", at: place)
      case "clearmodifiers": try clearModifiers(entry, location.held, document, &file)
      case "begin", "update", "end", "cancelled":
        if location.moment == .once, location.held == nil { continue }
        try lose(entry, document, "it does not stand here in what fusuma knows", &file)
        continue
      case "keypress" where location.held == nil:
        for keys in try self.entries(of: entry.value, entry.key, document, &file) {
          var held = location
          held.held = document.text(keys.key) ?? ""
          bound.insert(keys.key)
          try properties(
            held, try self.entries(of: keys.value, keys.key, document, &file),
            above + (entry.lines.count > 1 ? entry.lines : []) + keys.lines, document, &file)
        }
      case "command", "sendkey", "workspace":
        if let binding = try binding(location, name, entry, lines, document, &file) {
          bindings.append(binding)
        }
      case _:
        try lose(
          entry, document,
          "it belongs to a plugin of fusuma; run: or shell: can do what it did", &file)
        continue
      }
      bound.formUnion([entry.key, entry.value])
    }
  }

  // MARK: Values

  /// Returns `nil` if the entry is empty.
  private mutating func binding(
    _ location: FusumaLocation, _ name: String, _ entry: FusumaEntry, _ lines: [Int],
    _ document: YamlDocument, _ file: inout ImportedFile
  ) throws(Mistake) -> FusumaBinding? {
    guard let executor = FusumaBinding.Executor(rawValue: name) else { return nil }
    let place = place(entry.key, document)
    var found = FusumaBinding(
      location: location, executor: executor, actions: [], lines: lines, place: place)
    switch executor {
    case .command:
      guard try isText(entry, document, &file) else { return nil }
      let text = document.text(entry.value) ?? ""
      if document.isNothing(entry.value) || text.trimmed.isEmpty {
        file.note("command", "it is blank, so nothing is done", at: place)
        return document.isNothing(entry.value) ? nil : found
      }
      if let variable = FusumaVariable.allCases.first(where: { $0.isNamed(in: text) }) {
        variable.tell(in: location.moment, at: place, &file)
        if location.moment == .update { (found.isFed, found.proposal) = (true, variable.proposal) }
      }
      let valuePlace = self.place(entry.value, document)
      found.actions = [Action(.run(Command(.shell(text))), place: valuePlace)]
    case .sendkey:
      if document.isNothing(entry.value) {
        file.note("sendkey", "it is blank, so nothing is done", at: place)
        return nil
      }
      if let chords = try sendkey(entry, document, &file) {
        found.actions = [Action(.keys(chords), place: self.place(entry.value, document))]
      }
    case .workspace:
      guard try isText(entry, document, &file) else { return nil }
      if let (action, proposal) = workspace(entry, document, &file) {
        found.actions = [action]
        found.proposal = proposal
      }
    }
    return found
  }

  private mutating func sendkey(
    _ entry: FusumaEntry, _ document: YamlDocument, _ file: inout ImportedFile
  ) throws(Mistake) -> [Chord]? {
    let items = document.items(of: entry.value)
    var chords: [Chord] = []
    for item in items.isEmpty ? [entry.value] : items {
      guard let text = document.text(item) else {
        try lose(
          entry, document, "the name of a key was expected, or a list of them",
          &file)
        return nil
      }
      do throws(ChainNote) {
        chords.append(try FusumaKeys.chord(text))
      } catch {
        file.lose("sendkey \(error.word)", error.why, at: place(item, document))
        return nil
      }
    }
    return chords
  }

  private mutating func clearModifiers(
    _ entry: FusumaEntry, _ held: String?, _ document: YamlDocument, _ file: inout ImportedFile
  ) throws(Mistake) {
    guard try isText(entry, document, &file) else { return }
    guard document.text(entry.value) != "false" else {
      file.note("clearmodifiers", "so it is without saying", at: place(entry.key, document))
      return
    }
    file.lose(
      "clearmodifiers",
      "\(held ?? "what you hold") stays held and is added to the keys that sendkey presses; the command 'xdotool key --clearmodifiers' lets go of it, under X11",
      at: place(entry.key, document))
  }

  private func workspace(
    _ entry: FusumaEntry, _ document: YamlDocument, _ file: inout ImportedFile
  ) -> (Action, String)? {
    let word = document.text(entry.value) ?? ""
    let keys = word == "next" ? "super+pagedown" : word == "prev" ? "super+pageup" : nil
    let place = place(entry.key, document)
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
    _ entry: FusumaEntry, _ lines: [Int], _ document: YamlDocument, _ file: inout ImportedFile
  ) throws(Mistake) -> FusumaNumber? {
    guard try isText(entry, document, &file) else { return nil }
    return number(document.text(entry.key) ?? "", entry, lines, document, &file)
  }

  /// - Parameter name: the kind of number. At the root it is the key of the section.
  private func number(
    _ name: String, _ entry: FusumaEntry, _ lines: [Int], _ document: YamlDocument,
    _ file: inout ImportedFile
  ) -> FusumaNumber? {
    let text = document.text(entry.value) ?? ""
    guard let number = Double(text), number > 0, number < 1000,
      let name = FusumaNumber.Name(rawValue: name)
    else {
      file.note(
        "\(name) \(text)", "a number above 0 and below 1000 was expected; it is left out",
        at: place(entry.value, document))
      return nil
    }
    return FusumaNumber(
      name: name, value: number, lines: lines, place: place(of: entry, document))
  }

  private mutating func takeDefaults(
    _ entry: FusumaEntry, _ document: YamlDocument, _ file: inout ImportedFile
  ) throws(Mistake) {
    let name = document.text(entry.key) ?? ""
    for entry in try entries(of: entry.value, entry.key, document, &file) {
      guard let kind = document.text(entry.key).flatMap(FusumaLocation.Kind.init(rawValue:)) else {
        try lose(entry, document, "no such gesture is known", &file)
        continue
      }
      guard try isText(entry, document, &file) else { continue }
      if let number = number(name, entry, entry.lines, document, &file) {
        defaults[kind, default: []].append(number)
      }
    }
  }
}
