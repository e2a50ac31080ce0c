import GlissConfiguration
import GlissHotkeys

/// Imports rules from a swhkdrc: lines as in sxhkd, modes, included files, and hotkeys to be
/// ignored.
enum SwhkdImporter {
  static func add(
    _ source: ImportedText, _ options: ImportOptions, to file: inout ImportedFile
  ) throws(Mistake) {
    var reading = SwhkdReading()
    try reading.read(source, options, &file)
    var collector = HotkeyCollector(lastCounts: true)
    let commands = SwhkdCommands(
      modes: Set(reading.modes.map(\.name)), openers: reading.openers)
    for item in reading.items {
      switch item {
      case .bound(let bound): add(bound, commands, &collector, &file)
      case .ignored(let ignored): ignore(ignored, &collector, &file)
      }
    }
    collector.finish(into: &file)
  }

  private static func add(
    _ bound: SwhkdReading.Bound, _ commands: SwhkdCommands, _ collector: inout HotkeyCollector,
    _ file: inout ImportedFile
  ) {
    let binding = bound.binding
    for pair in binding.pairs(of: .swhkd, &file) {
      do throws(ChainNote) {
        let chain = try ChainReader(dialect: .swhkd).chain(pair.hotkey)
        let actions = commands.actions(of: pair.command, in: bound.mode, binding, &file)
        guard !actions.isEmpty else {
          file.lose(pair.hotkey, "nothing of its command is left to do", at: binding.place)
          continue
        }
        collector.add(
          HotkeyCollector.Entry(
            chain: chain, actions: actions, mode: bound.mode?.name, sources: binding.sources,
            place: binding.place, text: pair.hotkey.trimmed), to: &file)
      } catch {
        file.lose(error.word, error.why, at: binding.place(of: error.word))
      }
    }
  }

  /// Removes hotkeys that are to be ignored.
  private static func ignore(
    _ ignored: SwhkdReading.Ignored, _ collector: inout HotkeyCollector,
    _ file: inout ImportedFile
  ) {
    let place = ignored.source.place(of: "", line: ignored.line)
    let expansion = Expansion(ignored.hotkey, of: .swhkd, isHotkey: true)
    if expansion.count == 0 || expansion.count > Expansion.limit {
      file.lose(
        "ignore \(ignored.hotkey)",
        expansion.count == 0
          ? "a pair of braces is empty, so that it stands for nothing"
          : "it stands for more than \(Expansion.limit) hotkeys; the first of them are left out",
        at: place)
    }
    for number in 0..<min(expansion.count, Expansion.limit) {
      do throws(ChainNote) {
        let chain = try ChainReader(dialect: .swhkd).chain(expansion.text(number))
        guard let gone = collector.remove(chain.hotkey, in: ignored.mode) else {
          file.note("ignore", "no rule has \(chain.hotkey); nothing is left out", at: place)
          continue
        }
        file.lose(
          "\(chain.hotkey)", "\(place.line(from: gone)) says to ignore it", at: gone)
        file.note("ignore \(chain.hotkey)", "its rule is left out", at: place)
      } catch {
        file.lose(
          error.word, error.why, at: ignored.source.place(of: error.word, line: ignored.line))
      }
    }
  }
}

/// Converts commands of swhkd: shell, possibly with `@enter` and `@escape` among it.
struct SwhkdCommands {
  /// The existing modes.
  let modes: Set<String>
  /// The modes in which another mode can be entered.
  let openers: Set<String>

  func actions(
    of command: String, in mode: SwhkdReading.Mode?, _ binding: Binding,
    _ file: inout ImportedFile
  ) -> [Action] {
    let place = binding.commandPlace
    var actions: [Action] = []
    var shell: [String] = []
    func flush() {
      if !shell.isEmpty {
        let text = shell.joined(separator: " && ")
        actions.append(Action(.run(Command(.shell(text))), place: place))
      }
      shell = []
    }
    for part in Self.parts(of: command) {
      switch part.words.first {
      case "@enter":
        flush()
        guard let name = part.words.dropFirst().first.map(SwhkdReading.name),
          modes.contains(name)
        else {
          file.lose(
            part, "there is no mode of that name",
            at: binding.source.place(of: part, line: place.line))
          continue
        }
        actions.append(Action(.mode(name), place: place))
      case "@escape":
        flush()
        if let mode, !openers.isEmpty, !openers.contains(mode.name) || openers.count > 1 {
          file.note("@escape", "it leaves all modes, not only the last", at: place)
        }
        actions.append(Action(.mode(nil), place: place))
      case _: shell.append(part)
      }
    }
    flush()
    if let mode, mode.isOneOff, !actions.contains(where: \.changesMode), !actions.isEmpty {
      actions.append(Action(.mode(nil), place: place))
    }
    return actions
  }

  /// The parts between `&&`, if any of them is `@enter` or `@escape`. Otherwise the command is one
  /// part.
  private static func parts(of command: String) -> [String] {
    var parts = [""]
    var before: Character = " "
    for character in command {
      if character == "&", before == "&" {
        parts[parts.count - 1].removeLast()
        parts.append("")
        before = " "
      } else {
        parts[parts.count - 1].append(character)
        before = character
      }
    }
    parts = parts.map(\.trimmed).filter { !$0.isEmpty }
    let hasInternal = parts.contains { $0.hasPrefix("@enter") || $0.hasPrefix("@escape") }
    return hasInternal ? parts : command.trimmed.isEmpty ? [] : [command.trimmed]
  }
}

extension Action {
  var changesMode: Bool {
    switch verb {
    case .mode: true
    case .run, .keys, .notify, .emit: false
    }
  }
}

/// The contents of a swhkdrc and of the files that it includes.
struct SwhkdReading {
  struct Mode {
    var name: String
    var isOneOff = false
  }

  struct Bound {
    var binding: Binding
    var mode: Mode?
  }

  struct Ignored {
    var hotkey: String
    var line: Int
    var source: ImportedText
    var mode: String?
  }

  enum Item {
    case bound(Bound)
    case ignored(Ignored)
  }

  /// In order of application: included files before the file that includes them, and in each file
  /// its ignored hotkeys after its bindings.
  private(set) var items: [Item] = []
  private(set) var modes: [Mode] = []
  private var mode: Mode?
  private var files: Set<String> = []

  /// Words that begin lines other than hotkeys.
  static let directives: Set<String> = ["include", "ignore", "mode", "endmode"]

  /// More files than anyone includes.
  private static let limit = 64

  /// The modes in which a hotkey enters a mode.
  var openers: Set<String> {
    var openers: Set<String> = []
    for case .bound(let bound) in items where bound.binding.command.words.contains("@enter") {
      if let mode = bound.mode { openers.insert(mode.name) }
    }
    return openers
  }

  mutating func read(
    _ source: ImportedText, _ options: ImportOptions, _ file: inout ImportedFile
  ) throws(Mistake) {
    files.insert(source.name)
    mode = nil
    var bound: [Bound] = []
    var ignored: [Ignored] = []
    var includes: [(path: String, place: Place)] = []
    let lines = SxhkdLines.items(in: source, directives: Self.directives, &file)
    for line in lines {
      switch line {
      case .binding(let binding): bound.append(Bound(binding: binding, mode: mode))
      case .directive(let text, let number):
        let place = source.place(of: "", line: number)
        let rest = text.words.dropFirst().joined(separator: " ")
        switch text.words.first {
        case "include": includes.append((rest, place))
        case "ignore":
          ignored.append(Ignored(hotkey: rest, line: number, source: source, mode: mode?.name))
        case _: follow(text.words, place, &file)
        }
      }
    }
    if let open = mode {
      file.note(
        "mode \(open.name)", "it has no endmode; it goes on to the end of the file",
        at: source.place(of: "", line: source.lineCount))
    }
    for (path, place) in includes { try include(path, place, options, &file) }
    items += bound.map { .bound($0) } + ignored.map { .ignored($0) }
  }

  /// Begins or ends a mode.
  private mutating func follow(_ words: [String], _ place: Place, _ file: inout ImportedFile) {
    guard words.first == "mode" else {
      if mode == nil { file.note("endmode", "no mode is open here", at: place) }
      if words.count > 1 {
        file.lose(
          words.joined(separator: " "), "nothing stands behind endmode on its line", at: place)
      }
      mode = nil
      return
    }
    guard let name = words.dropFirst().first else {
      file.lose("mode", "it has no name; what follows holds without a mode", at: place)
      return
    }
    if let open = mode {
      file.note("mode \(name)", "mode \(open.name) has no endmode before it", at: place)
    }
    open(name, options: words.dropFirst(2), place, &file)
  }

  /// Our name for a mode: letters, digits, - and _, but not `none`.
  static func name(of mode: String) -> String {
    mode == "none" ? "none-" : HotkeyCollector.modeName(of: mode)
  }

  private mutating func open(
    _ name: String, options: ArraySlice<String>, _ place: Place, _ file: inout ImportedFile
  ) {
    var opened = Mode(name: Self.name(of: name))
    if opened.name != name {
      file.note("mode \(name)", "it is called \(opened.name) here", at: place)
    }
    for option in options {
      switch option {
      case "oneoff": opened.isOneOff = true
      case "swallow":
        file.note(
          "swallow", "keys that are not hotkeys of the mode still reach programs", at: place)
      case _: file.lose(option, "no such option of a mode is known", at: place)
      }
    }
    modes.append(opened)
    mode = opened
  }

  private mutating func include(
    _ path: String, _ place: Place, _ options: ImportOptions, _ file: inout ImportedFile
  ) throws(Mistake) {
    guard !files.contains(path) else {
      file.note("include \(path)", "it is read already", at: place)
      return
    }
    guard files.count < Self.limit, let text = options.included(path) else {
      file.lose(
        "include \(path)",
        "the file cannot be read, and has to be imported by itself, into gliss.d", at: place)
      return
    }
    // the file may have been read by another path
    files.insert(path)
    guard !files.contains(text.name) || text.name == path else {
      file.note("include \(path)", "it is read already", at: place)
      return
    }
    try read(ImportedText(text), options, &file)
  }
}
