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
          "not YAML: \(error.problem)",
          at: Place(
            file: source.name, line: line + (mark?.line ?? 0), column: (mark?.column ?? 0) + 1))
      }
      try reading.read(document, firstLine: line, &file)
    }
    if let first = reading.firstEntry, !reading.isOwn {
      throw Mistake(
        "not a file of fusuma: swipe:, pinch:, rotate: or hold: was expected", at: first)
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

/// The settings of fusuma's plugins. The only supported one selects devices.
extension FusumaReading {
  /// Reads the entries below `plugin:`.
  mutating func plugins(
    _ entry: FusumaEntry, _ document: YamlDocument, _ file: inout ImportedFile
  ) throws(Mistake) {
    var key = entry.key
    var value = entry.value
    var path: [(key: YamlNode, value: YamlNode)] = []
    for name in ["filters", "libinput_device_filter", "keep_device_names"] {
      guard let next = document.pairs(of: value).last(where: { document.text($0.key) == name })
      else { break }
      path.append(next)
      (key, value) = next
    }
    let names = path.count == 3 ? texts(value, document) : []
    if !names.isEmpty { keep(names, key, value, document, &file) }
    // whether the names are the only entry at each level on the path to them
    let isAlone = ([entry.value] + path.dropLast().map(\.value)).allSatisfy {
      document.pairs(of: $0).count == 1
    }
    if !names.isEmpty, isAlone { return }
    let rest = names.isEmpty ? "there are no plugins" : "of other plugins there are none"
    file.lose(
      "plugin", "\(rest); 'gliss thresholds' lists what can be set",
      at: place(entry.key, document))
  }

  private func texts(_ node: YamlNode, _ document: YamlDocument) -> [String] {
    let items = document.items(of: node).compactMap { document.text($0) }
    return (items + [document.text(node)].compactMap { $0 }).map(\.trimmed).filter { !$0.isEmpty }
  }

  /// Selects devices whose name contains the given one. Fusuma's names are regular expressions;
  /// only a single plain one is supported.
  private mutating func keep(
    _ names: [String], _ key: YamlNode, _ value: YamlNode, _ document: YamlDocument,
    _ file: inout ImportedFile
  ) {
    // a NUL comes from an escape, and no device has one in its name
    let signs = "\\^$|?*+()[]{}\0"
    guard let name = names.first, names.count == 1, !name.contains(where: { signs.contains($0) })
    else {
      file.lose(
        "keep_device_names \(names.joined(separator: ", "))",
        names.count == 1
          ? "regular expressions are not known here, so every touchpad counts; device: takes a name in which * stands for anything"
          : "device: takes one name, so every touchpad counts; a rule for each device can say which",
        at: place(key, document))
      return
    }
    device = DeviceMatch(name: "*\(name)*", kind: .touchpad)
    deviceLines = Set([key, document.items(of: value).first ?? value].map { line($0, document) })
      .sorted()
  }
}

/// The variables with which fusuma passes each motion of a gesture to commands.
enum FusumaVariable: String, CaseIterable {
  case moveX = "move_x"
  case moveY = "move_y"
  case zoom, rotate

  /// The closest equivalent here. It is measured from the beginning of the gesture.
  private var counterpart: String {
    switch self {
    case .moveX: "$GLISS_TRANSLATION_X_MM"
    case .moveY: "$GLISS_TRANSLATION_Y_MM"
    case .zoom: "$GLISS_SCALE"
    case .rotate: "$GLISS_ROTATION_DEG"
    }
  }

  /// Whether a shell would expand the variable in `command`.
  func isNamed(in command: String) -> Bool {
    let bytes = Array(command.utf8)
    return bytes.indices.contains { start in
      guard bytes[start] == UInt8(ascii: "$") else { return false }
      let rest = bytes[(start + 1)...]
      return rest.starts(with: rawValue.utf8) || rest.starts(with: "{\(rawValue)".utf8)
    }
  }

  /// Reports that the variable is empty here, and what that means for the command.
  func tell(in moment: FusumaLocation.Moment, at place: Place, _ file: inout ImportedFile) {
    let isEmpty = "it is empty here; \(counterpart) counts since the gesture began"
    guard moment == .update else {
      file.note("$\(rawValue)", isEmpty, at: place)
      return
    }
    let isProposed = "the rule is commented out, with what else the gesture does"
    switch self {
    case .moveX, .moveY:
      file.lose(
        "$\(rawValue)",
        "it is empty here, so \(isProposed); where fingers drag what is below the pointer, turn that on in the desktop's settings. \(counterpart) counts since the gesture began",
        at: place)
    case .zoom, .rotate: file.lose("$\(rawValue)", "\(isEmpty); \(isProposed)", at: place)
    }
  }

  /// The comment above the rule, which is only proposed.
  var proposal: String {
    switch self {
    case .moveX, .moveY:
      "To drag with three fingers, turn that on in the desktop's settings; this moves nothing:"
    case .zoom, .rotate: "Nothing passes each motion on to it, as fusuma did:"
    }
  }
}
