/// A tool whose file becomes rules of ours.
public enum ImportedTool: String, Hashable, Sendable, CaseIterable {
  case touchegg, fusuma, sxhkd, swhkd
  case libinputGestures = "libinput-gestures"

  /// Where the tool looks for its file, the first that is there; relative to the user's configuration folder, or from `/`.
  public var places: [String] {
    switch self {
    case .touchegg: ["touchegg/touchegg.conf", "/usr/share/touchegg/touchegg.conf"]
    case .fusuma: ["fusuma/config.yml"]
    case .libinputGestures: ["libinput-gestures.conf", "/etc/libinput-gestures.conf"]
    case .sxhkd: ["sxhkd/sxhkdrc"]
    case .swhkd: ["swhkd/swhkdrc", "/etc/swhkd/swhkdrc"]
    }
  }

  /// What differs between the tool and us in every file, so that it is said once.
  var notes: [String] {
    switch self {
    case .touchegg, .fusuma, .libinputGestures: []
    case .sxhkd:
      [
        "Letters and signs are the keys that have them on QWERTY; --by-character",
        "finds them by the keyboard layout instead.",
      ] + Self.repeats
    case .swhkd: Self.repeats
    }
  }

  /// Whether a carriage return alone ends a line, as it does for Python and in YAML.
  private var returnsEndLines: Bool {
    switch self {
    case .fusuma, .libinputGestures: true
    case .touchegg, .sxhkd, .swhkd: false
    }
  }

  private static let repeats = [
    "Held keys ran their command again and again; here they run it once, unless",
    "the hotkey says so, as in repeat:volumeup.",
  ]
}

/// How a file is imported.
public struct ImportOptions: Sendable {
  /// Letters and signs of hotkeys are looked for on the keyboard layout, not on QWERTY's places.
  public var byCharacter: Bool
  /// The content of a file that the imported one includes; `nil` where it cannot be read. The same file has the same name,
  /// however it is named in the file that includes it.
  public var included: @Sendable (String) -> ConfigurationText?
  /// How a command names the file, where that is not its name.
  public var path: String?

  public init(
    byCharacter: Bool = false, path: String? = nil,
    included: @escaping @Sendable (String) -> ConfigurationText? = { _ in nil }
  ) {
    self.byCharacter = byCharacter
    self.path = path
    self.included = included
  }
}

extension ImportedTool {
  /// Makes rules of what the tool's file says. Every line of it that would do something ends as a rule or as a remark.
  ///
  /// - Throws: where the file is not of that kind, and from where on.
  public func rules(
    in text: ConfigurationText, options: ImportOptions = ImportOptions()
  ) throws(Mistake) -> ImportedFile {
    let source = try ImportedText(text, returnsEndLines: returnsEndLines)
    var file = ImportedFile(tool: self, name: text.name)
    do throws(Mistake) {
      try refuseForeign(source)
      switch self {
      case .touchegg: try ToucheggImporter(source).add(to: &file)
      case .fusuma: try FusumaImporter.add(source, to: &file)
      case .libinputGestures: LibinputGesturesImporter.add(source, to: &file)
      case .sxhkd: SxhkdImporter.add(source, options, to: &file)
      case .swhkd: try SwhkdImporter.add(source, options, to: &file)
      }
    } catch {
      throw withHint(error, source, options)
    }
    // what several hotkeys or aliases share would be told of once for each
    var told: Set<ImportedFile.Remark> = []
    file.remarks = file.remarks.filter { told.insert($0).inserted }
    file.remarks.sort { $0.place < $1.place }
    return file
  }
}
