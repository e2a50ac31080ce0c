import GlissConfiguration

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
          "swallow", "keys that are no hotkeys of the mode still reach programs", at: place)
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
