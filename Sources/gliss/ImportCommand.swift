import ArgumentParser
import Glibc
import Gliss
import GlissAgent
import GlissConfiguration
import GlissImport

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Print another tool's gestures and hotkeys as a file for 'gliss run'.",
    usage: "gliss import <tool> [<file>] [<option> ...]",
    discussion: """
      TOOL is touchegg, fusuma, libinput-gestures, inputactions, sxhkd or swhkd.
      Each rule is printed below the lines it was made from. Everything without an
      equivalent is listed on standard error, with its place, the reason and what to
      do instead; only animations, and whether desktops wrap around, are left out
      silently. docs/ has a page for each tool.

      EXAMPLES
        mkdir -p ~/.config/gliss/gliss.d
        gliss import sxhkd > ~/.config/gliss/gliss.d/sxhkd.yaml
        gliss import touchegg ~/.config/touchegg/touchegg.conf
        gliss import swhkd - < swhkdrc
        gliss check                            check all rules together

      EXIT STATUS
        0  done, even if something has no equivalent
        2  the file cannot be read or is not a file of that tool; with --strict also
           if something has no equivalent
      """)

  @Argument(
    help: "Whose file it is: touchegg, fusuma, libinput-gestures, inputactions, sxhkd or swhkd.",
    completion: .list(ImportedTool.allCases.map(\.rawValue)), transform: Arguments.choice)
  var tool: ImportedTool

  @Argument(
    help: "The file; - is standard input; by default the file that the tool itself reads.",
    completion: .file())
  var file: String?

  @Flag(help: "Exit with 2 if something has no equivalent.")
  var strict = false

  @Option(
    help: ArgumentHelp(
      """
      For sxhkd only: the keyboard layout that the file was written for, such as fr or \
      us(dvorak). Without it, it is yours.
      """, valueName: "layout"))
  var layout: String?

  @Flag(
    help: """
      For sxhkd only: look for letters and signs on the layout in use whenever a key is \
      pressed, instead of once now.
      """)
  var byCharacter = false

  /// Far larger than any such file, in bytes.
  private static let limit = 4 << 20

  func validate() throws {
    if byCharacter || layout != nil, tool != .sxhkd {
      throw ValidationError(
        "--layout and --by-character are for sxhkd only; the other tools' keys are where QWERTY has them"
      )
    }
    try Arguments.checkName(file)
  }

  func run() throws {
    let path = try file ?? standardFile()
    let text: ConfigurationText
    let wanted: [Unicode.Scalar: KeyPlace]?
    do {
      let bytes = try WholeFile.read(path, limit: Self.limit)
      text = ConfigurationText(name: path == "-" ? "standard input" : path, bytes: bytes)
      wanted = try layout.map { try Self.places($0) }
    } catch {
      throw Diagnostics.refusal("\(error)")
    }
    let options = ImportOptions(
      byCharacter: byCharacter, path: path, included: { Self.included($0, in: path) },
      knowsPointer: FocusAdvice.knowsPointer,
      layout: { name in
        let places = wanted == nil ? try? Self.places(name) : name == nil ? wanted : nil
        guard let places else { return nil }
        return { places[$0] }
      })
    let imported: ImportedFile
    do throws(Mistake) {
      imported = try tool.rules(in: text, options: options)
    } catch {
      throw Diagnostics.refusal("\(error.place): \(error.message)")
    }
    Output.standard.write(Array(imported.text.utf8))
    Self.say(imported.remarks)
    Diagnostics.say(Self.summary(of: imported))
    if strict, imported.remarks.contains(where: \.isLost) {
      throw ExitCode.badInput
    }
  }

  /// Where the layout has characters; the user's without a name.
  private static func places(_ name: String?) throws -> [Unicode.Scalar: KeyPlace] {
    try XkbKeyTranslator.find(explicit: name).translator.places
  }

  /// If five or more remarks of a file share a reason, prints two and lists the lines of the others.
  private static func say(_ remarks: [ImportedFile.Remark]) {
    let alike = Dictionary(grouping: remarks) { [$0.place.file, $0.why] }
    var said: [[String]: Int] = [:]
    for remark in remarks {
      let key = [remark.place.file, remark.why]
      let others = alike[key] ?? []
      let number = said[key, default: 0] + 1
      said[key] = number
      if others.count < 5 || number <= 2 { Diagnostics.say("\(remark)") }
      guard others.count > 4, number == 2 else { continue }
      let lines = others.dropFirst(2).map { "\($0.place.line)" }
      let list = lines.prefix(12).joined(separator: ", ") + (lines.count > 12 ? ", …" : "")
      Diagnostics.say("\(remark.place.file): \(lines.count) more of these, in lines \(list)")
    }
  }

  private static func summary(of file: ImportedFile) -> String {
    let lost = file.remarks.count { $0.isLost }
    let different = file.remarks.count - lost
    var parts = [counted(file.parts.count, "rule")]
    if lost > 0 { parts.append("\(lost) without equivalent") }
    if different > 0 { parts.append(counted(different, "remark")) }
    return parts.joined(separator: ", ")
  }

  // MARK: The file

  /// A file that the one at `path` includes. It is named by its real path, or by `path` if it is
  /// the same file.
  private static func included(_ included: String, in path: String) -> ConfigurationText? {
    // opening a pipe would block
    guard included.first == "/", let place = WholeFile.withoutLinks(included),
      let bytes = try? WholeFile.read(included, limit: limit)
    else { return nil }
    let isRoot = WholeFile.withoutLinks(path) == place
    return ConfigurationText(name: isRoot ? path : place, bytes: bytes)
  }

  private func standardFile() throws -> String {
    let places = tool.places.map {
      $0.hasPrefix("/") ? $0 : "\(ConfigurationFiles.baseFolder())/\($0)"
    }
    if let found = places.first(where: { access($0, F_OK) == 0 }) { return found }
    throw Diagnostics.refusal(
      "there is no \(places.joined(separator: " or ")); name the file, as in "
        + "'gliss import \(tool.rawValue) FILE'")
  }
}
