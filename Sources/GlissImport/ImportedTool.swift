public import GlissConfiguration

/// A tool whose file can be imported.
public enum ImportedTool: String, Hashable, Sendable, CaseIterable {
  case touchegg, fusuma, sxhkd, swhkd
  case libinputGestures = "libinput-gestures"

  /// Where the tool looks for its file, relative to the user's configuration folder or from `/`. It
  /// uses the first that exists.
  public var places: [String] {
    switch self {
    case .touchegg: ["touchegg/touchegg.conf", "/usr/share/touchegg/touchegg.conf"]
    case .fusuma: ["fusuma/config.yml"]
    case .libinputGestures: ["libinput-gestures.conf", "/etc/libinput-gestures.conf"]
    case .sxhkd: ["sxhkd/sxhkdrc"]
    case .swhkd: ["swhkd/swhkdrc", "/etc/swhkd/swhkdrc"]
    }
  }

  /// Differences that apply to every file of the tool, noted once.
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

  /// Whether a carriage return alone ends a line, as in Python and YAML.
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
  /// Looks up letters and punctuation marks of hotkeys on the keyboard layout, instead of at their
  /// QWERTY positions.
  public var byCharacter: Bool
  /// The content of a file that the imported one includes; `nil` if it cannot be read. The result
  /// has the same name for the same file, whatever path it was included by.
  public var included: @Sendable (String) -> ConfigurationText?
  /// How a command names the file, if that is not its name.
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
  /// Converts the tool's file to rules. Every line that would do something becomes a rule or a
  /// remark.
  ///
  /// - Throws: if the file is not of that kind, with the place where that shows.
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
    // a remark shared by several hotkeys or aliases is reported once
    var told: Set<ImportedFile.Remark> = []
    file.remarks = file.remarks.filter { told.insert($0).inserted }
    file.remarks.sort { $0.place < $1.place }
    return file
  }
}
