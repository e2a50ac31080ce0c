package import GlissConfiguration
import GlissEvents
import GlissGestures

package struct ImportedFile: Sendable {
  package let tool: ImportedTool
  package let name: String
  package internal(set) var parts: [Part] = []
  /// The index of each rule in ``parts``, by the rule's text.
  private var places: [[String]: Int] = [:]
  /// Remarks on what has no equivalent, or works differently than it seems to.
  package internal(set) var remarks: [Remark] = []

  package init(tool: ImportedTool, name: String) {
    self.tool = tool
    self.name = name
  }

  /// A rule, and the lines it came from.
  package struct Part: Hashable, Sendable {
    package var rule: Rule
    package var sources: [SourceLine]
  }

  package struct SourceLine: Hashable, Sendable {
    package var file: String
    package var number: Int
    package var text: String
  }

  /// Something in the file that could not be converted exactly.
  package struct Remark: Hashable, Sendable, CustomStringConvertible {
    package var place: Place
    /// The words of the file that it is about.
    package var what: String
    /// What is different, and what to do instead.
    package var why: String
    /// Whether it has no equivalent at all.
    package var isLost: Bool

    package var description: String { "\(place): \(what): \(why)" }
  }

  package var rules: [Rule] { parts.map(\.rule) }

  /// Adds a rule. If it is there already, adds only the sources, because both would act.
  mutating func add(_ rule: Rule, from sources: [SourceLine]) {
    let text = RuleWriter.lines(of: rule)
    if let same = places[text] {
      parts[same].sources += sources.filter { !parts[same].sources.contains($0) }
    } else {
      places[text] = parts.count
      parts.append(Part(rule: rule, sources: sources))
    }
  }

  mutating func lose(_ what: String, _ why: String, at place: Place) {
    note(what, why, at: place, isLost: true)
  }

  mutating func note(_ what: String, _ why: String, at place: Place, isLost: Bool = false) {
    let line = what.onOneLine
    let short = line.count <= 60 ? line : line.prefix(59) + "…"
    remarks.append(Remark(place: place, what: short, why: why.onOneLine, isLost: isLost))
  }

  mutating func noteOnce(_ what: String, _ why: String, at place: Place) {
    if !remarks.contains(where: { $0.why == why }) { note(what, why, at: place) }
  }

  /// What a line of shell does: it presses keys or runs a command. Remarks on a command that does
  /// nothing on Wayland.
  mutating func verb(of line: String, at place: Place) -> Action.Verb {
    if let chords = PressingCommand.chords(in: line) {
      if line.has("--clearmodifiers") {
        noteOnce(
          "--clearmodifiers", "held modifiers are added to the keys that Gliss presses", at: place)
      }
      return .keys(chords)
    }
    if PressingCommand.isOfX11(line), PressingCommand.hold(in: line) == nil,
      !PressingCommand.isRelease(line)
    {
      noteOnce(
        line, "xdotool has an effect on X11 only; keys: presses keys and clicks everywhere",
        at: place)
    }
    return .run(Command(.shell(line)))
  }
}

extension ImportedFile {
  package var text: String {
    var lines = ["# What 'gliss import \(tool.rawValue)' made of \(Self.comment(name))."]
    if tool == .sxhkd {
      lines += [
        "# Letters and signs are keys of your keyboard layout, or of the one that --layout",
        "# names; --by-character looks for them on the layout in use instead.",
      ]
    }
    if rules.isEmpty { lines.append("# No rule of it could be imported.") }
    for isHotkey in [false, true] {
      let section = parts.filter { $0.rule.isHotkey == isHotkey }
      if !section.isEmpty { lines += ["", isHotkey ? "hotkeys:" : "gestures:"] }
      var above: [SourceLine] = []
      for part in section {
        if part.sources != above { lines += part.sources.map { "  # " + Self.comment($0) } }
        above = part.sources
        lines += RuleWriter.lines(of: part.rule).map { "  " + $0 }
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func comment(_ line: SourceLine) -> String {
    comment("\(line.file):\(line.number): \(line.text)")
  }

  /// The text for a comment. Line ends, and characters that YAML does not allow, are replaced.
  private static func comment(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { (scalar: Unicode.Scalar) -> Unicode.Scalar in
      scalar == "\t" ? " " : YamlQuoting.standsAsItself(scalar) ? scalar : "\u{fffd}"
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

package enum ImportedTool: String, Hashable, Sendable, CaseIterable {
  case touchegg, fusuma, sxhkd, swhkd
  case libinputGestures = "libinput-gestures"
  case inputActions = "inputactions"

  /// Where the tool looks for its file, relative to the user's configuration folder or from `/`. It
  /// uses the first that exists.
  package var places: [String] {
    switch self {
    case .touchegg: ["touchegg/touchegg.conf", "/usr/share/touchegg/touchegg.conf"]
    case .fusuma: ["fusuma/config.yml"]
    case .inputActions: ["inputactions/config.yaml", "/etc/inputactions/config.yaml"]
    case .libinputGestures: ["libinput-gestures.conf", "/etc/libinput-gestures.conf"]
    case .sxhkd: ["sxhkd/sxhkdrc"]
    case .swhkd: ["swhkd/swhkdrc", "/etc/swhkd/swhkdrc"]
    }
  }
}

extension GestureCondition.Sense {
  /// The words of libinput-gestures and InputActions, which has all of them.
  static let named: [String: GestureCondition.Sense] = [
    "left": .towards(.left), "right": .towards(.right), "up": .towards(.up),
    "down": .towards(.down), "left_up": .towards(.upLeft), "left_down": .towards(.downLeft),
    "right_up": .towards(.upRight), "right_down": .towards(.downRight),
    "left_right": .horizontal, "up_down": .vertical, "in": .inward, "out": .outward,
    "clockwise": .clockwise, "counterclockwise": .counterclockwise,
  ]
}

extension GestureCondition {
  /// Takes over the bounds of a hold's duration in another tool, in ms. Returns `false` if such a
  /// hold ends before ours begins.
  ///
  /// Other tools count from libinput's hold, which begins after 40 ms with one or two fingers and
  /// after 180 ms with more; ours begins later.
  mutating func takeHoldDuration(_ bounds: Bounds) -> Bool {
    let hold = GestureConfiguration().hold
    let lead =
      switch fingers?.lowerBound {
      case 1: hold.singleDuration - 40
      case 2: hold.duration - 40
      case _: hold.duration - 180
      }
    if let maximum = bounds.maximum, maximum <= lead { return false }
    let low = bounds.minimum.flatMap { $0 > lead ? ($0 - lead).rounded() : nil }
    let high = bounds.maximum.map { max(1, ($0 - lead).rounded()) }
    duration = low == nil && high == nil ? nil : Bounds(from: low, to: high)
    return true
  }
}

/// Where a keyboard layout has a character; `nil` if it does not have it.
package typealias LayoutPlaces = @Sendable (Unicode.Scalar) -> KeyPlace?

package struct ImportOptions: Sendable {
  /// Looks up letters and punctuation marks of hotkeys on the keyboard layout, instead of at their
  /// QWERTY positions.
  package var byCharacter: Bool
  /// Where a keyboard layout has each character, by the layout's name; `nil` names the user's
  /// layout. The result is `nil` if there is no such layout.
  package var layout: @Sendable (String?) -> LayoutPlaces?
  /// The content of a file that the imported one includes; `nil` if it cannot be read. The same
  /// file gets the same name, whatever path included it.
  package var included: @Sendable (String) -> ConfigurationText?
  /// How a command names the file, if that is not its name.
  package var path: String?
  /// Whether the desktop reports what is under the pointer. Called only if rules could ask for it.
  package var knowsPointer: @Sendable () -> Bool

  package init(
    byCharacter: Bool = false, path: String? = nil,
    included: @escaping @Sendable (String) -> ConfigurationText? = { _ in nil },
    knowsPointer: @escaping @Sendable () -> Bool = { true },
    layout: @escaping @Sendable (String?) -> LayoutPlaces? = { _ in nil }
  ) {
    self.byCharacter = byCharacter
    self.path = path
    self.knowsPointer = knowsPointer
    self.layout = layout
    self.included = included
  }
}

extension ImportedTool {
  /// Converts the tool's file to rules. Every line that would do something becomes a rule or a
  /// remark.
  ///
  /// - Throws: if the file is not of that kind; the place is where that becomes clear.
  package func rules(
    in text: ConfigurationText, options: ImportOptions = ImportOptions()
  ) throws(Mistake) -> ImportedFile {
    let source = try ImportedText(text, isYaml: self == .fusuma || self == .inputActions)
    var file: ImportedFile
    do throws(Mistake) {
      file = try converted(source, options)
    } catch {
      throw withHint(error, source, options)
    }
    // a remark shared by several hotkeys or aliases is reported once
    var reported: Set<ImportedFile.Remark> = []
    file.remarks = file.remarks.filter { reported.insert($0).inserted }
    file.remarks.sort { $0.place < $1.place }
    return file
  }

  /// The same without a hint for a file of another tool, and with remarks in the order they were
  /// made.
  func converted(_ source: ImportedText, _ options: ImportOptions) throws(Mistake) -> ImportedFile {
    switch self {
    case .touchegg: return try ToucheggImporter.imported(source, options)
    case .fusuma: return try FusumaReader.imported(source)
    case .inputActions: return try InputActionsImporter.imported(source)
    case .libinputGestures:
      try refuse(source, withoutAny: "gesture", LibinputGesturesImporter.knows)
      return LibinputGesturesImporter.imported(source)
    case .sxhkd, .swhkd:
      try refuse(source, withoutAny: "hotkey", ChainReader(tool: self).knowsLine)
      return try HotkeyImporter.imported(source, as: self, options)
    }
  }

  /// Refuses a file that has no line of that kind, valid or not. Comments do not count.
  private func refuse(
    _ source: ImportedText, withoutAny kind: String, _ isOfKind: (String) -> Bool
  ) throws(Mistake) {
    let numbers = (1...source.lineCount).filter { !source.line($0).isIdle }
    // an XML file is foreign whatever its text looks like
    guard let first = numbers.first,
      source.line(first).trimmed.first == "<"
        || !numbers.contains(where: { isOfKind(source.line($0)) })
    else { return }
    throw Mistake("\(isForeign): no line of it is a \(kind)", at: source.place(of: "", line: first))
  }

  private var isForeign: String { "not a file of \(rawValue)" }

  /// If another tool reads the file, adds what to do to the reason why this one cannot.
  func withHint(_ mistake: Mistake, _ source: ImportedText, _ options: ImportOptions) -> Mistake {
    guard mistake.place.file == source.name, let likely = likely(source) else { return mistake }
    var mistake = mistake
    if !mistake.message.hasPrefix(isForeign) {
      mistake.message = "\(isForeign): \(mistake.message)"
    }
    let path = (options.path ?? source.name).quotedForShell
    mistake.message +=
      "; it looks like one of \(likely.rawValue): gliss import \(likely.rawValue) \(path)"
    return mistake
  }

  private func likely(_ source: ImportedText) -> ImportedTool? {
    let lines = (1...source.lineCount).map { source.line($0) }.filter { !$0.isIdle }
    if lines.isEmpty { return nil }
    let hotkeys: ImportedTool = lines.contains { $0.words == ["endmode"] } ? .swhkd : .sxhkd
    var others: [ImportedTool] = [.touchegg, .fusuma, .inputActions, .libinputGestures, hotkeys]
    // sxhkd's and swhkd's files cannot be told apart reliably, and YAML keys are not hotkeys
    if self == .sxhkd || self == .swhkd || lines.contains(where: { $0.trimmed.last == ":" }) {
      others.removeLast()
    }
    others.removeAll { $0 == self }
    return others.first { other in
      // all XML that touchégg's reader takes is touchégg's
      guard let file = try? other.converted(source, ImportOptions()) else { return false }
      return other == .touchegg || !file.rules.isEmpty
    }
  }
}

extension String {
  /// Whether it is blank or a comment.
  fileprivate var isIdle: Bool {
    let first = first { !$0.isWhitespace }
    return first == nil || first == "#"
  }
}
