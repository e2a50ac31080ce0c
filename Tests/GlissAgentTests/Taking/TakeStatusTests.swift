import Foundation
import GlissConfiguration
import GlissDevices
import Testing

@testable import GlissAgent

/// How it is known whether a desktop can be kept from strokes.
@Suite struct TakeStatusTests {
  typealias Standing = TakeStatus.Standing
  static let own = PluginFile(folder: "/home/u/.config/libinput/plugins")
  static let there = PluginFile.State.installed(written: 1000)

  static func facts(
    _ desktop: Compositor?, _ version: String? = nil, started: Int64? = 2000, isX11: Bool = false,
    own: PluginFile.State = .missing, system: PluginFile.State = .missing
  ) -> TakeStatus.Facts {
    var facts = TakeStatus.Facts()
    facts.desktop = desktop
    facts.version = version.flatMap { DesktopVersion(in: $0) }
    (facts.started, facts.isX11, facts.own, facts.system) = (started, isX11, own, system)
    return facts
  }

  /// Root has chosen twins of the touchpads.
  static func twin(_ facts: TakeStatus.Facts, isThere: Bool) -> TakeStatus.Facts {
    var facts = facts
    (facts.isTwinOn, facts.hasTwin) = (true, isThere)
    return facts
  }

  /// labwc, for example.
  static let quiet = {
    var facts = TakeStatus.Facts()
    (facts.isQuiet, facts.isX11) = (true, true)
    return facts
  }()

  /// On a machine whose libinput loads no plugins.
  private static func without(_ facts: TakeStatus.Facts) -> TakeStatus.Facts {
    var facts = facts
    facts.hasPlugins = false
    return facts
  }

  static let cases: [(TakeStatus.Facts, Standing)] = [
    (facts(nil), .unknown(installed: [])), (facts(nil, isX11: true), .impossible),
    (quiet, .needless),
    (facts(.gnome, "GNOME Shell 50.1"), .missing(own, needsRoot: false)),
    (facts(.gnome), .missing(own, needsRoot: false)),
    (facts(.gnome, "GNOME Shell 50.1", own: there), .inForce(path: own.path)),
    (facts(.gnome, "GNOME Shell 50.1", started: 999, own: there), .waiting(path: own.path)),
    (facts(.gnome, "GNOME Shell 50.1", started: nil, own: there), .inForce(path: own.path)),
    (facts(.gnome, "GNOME Shell 50.1", own: .outdated), .outdated(own)),
    (facts(.gnome, "GNOME Shell 50.1", system: there), .inForce(path: PluginFile.system.path)),
    (facts(.gnome, "GNOME Shell 50.1", isX11: true, own: there), .impossible),
    (without(facts(.gnome, own: there)), .unsupported),
    // Debian's libinput 1.31 is built without Lua
    (without(facts(.gnome, "GNOME Shell 50.1", own: there)), .unsupported),
    (without(facts(.kde, "kwin 6.7.0")), .unsupported),
    (without(facts(nil)), .unknown(installed: [])),
    (without(facts(.gnome, "GNOME Shell 48.7")), .unsupported),
    (without(facts(.sway)), .needless),
    (facts(.niri, "niri 26.04 (8ed0da4)"), .missing(own, needsRoot: false)),
    (facts(.kde, "kwin 6.7.0", own: there), .missing(.system, needsRoot: true)),
    (facts(.kde, "kwin 6.7.0", system: there), .inForce(path: PluginFile.system.path)),
    (facts(.hyprland, "Hyprland 0.56.2 built from"), .missing(.system, needsRoot: true)),
    (twin(facts(nil), isThere: true), .twin(isThere: true)),
    (twin(facts(.gnome, "GNOME Shell 50.1", own: there), isThere: false), .twin(isThere: false)),
    (twin(facts(.cosmic, isX11: true), isThere: true), .twin(isThere: true)),
    (facts(.sway), .needless), (facts(.cosmic, own: there), .impossible),
  ]

  @Test func anOldDesktopLoadsNothing() throws {
    let old = try #require(DesktopVersion(in: "49.3"))
    let status = TakeStatus(Self.facts(.gnome, "GNOME Shell 49.3", own: Self.there))
    #expect(status.standing == .tooOld(old, since: "50") && !status.isInForce)
    #expect(status.sentence.contains("49.3") && status.sentence.contains("50"))
  }

  /// Inside the session of an unknown desktop it does not help to go there.
  @Test func anUnknownDesktopIsToldWhichOnesAreKnown() throws {
    var facts = Self.facts(nil)
    #expect(TakeStatus(facts).remedy?.text.contains("inside the desktop's session") == true)
    facts.isInSession = true
    let text = try #require(TakeStatus(facts).remedy?.text)
    #expect(text.hasPrefix("Known are GNOME Shell, ") && text.contains("wayfire. Twins"))
  }

  @Test(arguments: cases)
  func theFactsDecide(_ facts: TakeStatus.Facts, _ standing: Standing) {
    let status = TakeStatus(facts, own: Self.own)
    #expect(status.standing == standing)
    #expect(!status.sentence.isEmpty && !status.sentence.hasSuffix("."))
    switch standing {
    case .twin(isThere: true), .inForce, .needless:
      #expect(status.isInForce && status.remedy == nil)
    case .twin(isThere: false), .waiting, .outdated, .missing, .tooOld, .impossible, .unsupported,
      .unknown:
      #expect(!status.isInForce && status.remedy != nil)
    case .failed: #expect(!status.isInForce && status.remedy == nil)
    }
  }

  @Test(arguments: [
    ("GNOME Shell 50.1\n", "50.1"), ("niri 26.04 (abc)", "26.04"), ("v0.56.2", "v0.56.2"),
    ("kwin 6.7.80", "6.7.80"), ("none", nil), ("", nil), ("50.beta", "50.beta"),
  ])
  func aVersionIsFoundInText(_ text: String, _ version: String?) {
    #expect(DesktopVersion(in: text)?.description == version)
  }

  @Test func versionsAreComparedByNumbers() throws {
    let version = try #require(DesktopVersion(in: "26.04"))
    #expect(version.isBefore("26.10") && version.isBefore("27") && !version.isBefore("26.04"))
    #expect(!version.isBefore("26") && !version.isBefore("9.99"))
  }
}

/// gliss.lua, where desktops load it from.
@Suite struct PluginFileTests {
  private static func place() -> (PluginFile, URL) {
    let root = FileManager.default.temporaryDirectory.appending(path: "take-\(UUID().uuidString)")
    let base = root.appending(path: "libinput").path
    return (PluginFile(folder: base + "/plugins"), root)
  }

  private static func number(of file: PluginFile) -> UInt64? {
    var status = stat()
    return stat(file.path, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  @Test func itIsInstalledAndLeavesNothing() throws {
    let (file, root) = Self.place()
    defer { try? FileManager.default.removeItem(at: root) }
    #expect(file.state == .missing)
    #expect(try !file.remove())
    try file.install()
    guard case .installed = file.state else {
      Issue.record("\(file.state)")
      return
    }
    #expect(FileManager.default.contents(atPath: file.path).map(Array.init) == PluginFile.contents)
    let number = Self.number(of: file)
    try file.install()
    #expect(
      Self.number(of: file) == number, "a new file looks as if the desktop had not loaded it")
    #expect(try file.remove())
    #expect(try FileManager.default.contentsOfDirectory(atPath: root.path).isEmpty)
  }

  @Test func anotherPluginStays() throws {
    let (file, root) = Self.place()
    defer { try? FileManager.default.removeItem(at: root) }
    try file.install()
    let other = file.folder + "/10-mine.lua"
    try Data("-- mine".utf8).write(to: URL(filePath: other))
    #expect(try file.remove())
    #expect(FileManager.default.fileExists(atPath: other))
  }

  @Test func aFileThatIsNotOursIsLeftAlone() throws {
    let (file, root) = Self.place()
    defer { try? FileManager.default.removeItem(at: root) }
    try FileManager.default.createDirectory(
      atPath: file.folder, withIntermediateDirectories: true)
    try Data("-- mine".utf8).write(to: URL(filePath: file.path))
    #expect(
      file.state
        == .refused(
          SystemError(file.path, "is not a file of Gliss", advice: "move it away first")))
    #expect(throws: SystemError.self) { try file.install() }
    #expect(throws: SystemError.self) { try file.remove() }
    #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "-- mine")
  }

  @Test func aLinkThatLeadsNowhereIsLeftAlone() throws {
    let (file, root) = Self.place()
    defer { try? FileManager.default.removeItem(at: root) }
    try FileManager.default.createDirectory(
      atPath: file.folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: file.path, withDestinationPath: "/nowhere/mine.lua")
    #expect(throws: SystemError.self) { try file.install() }
    #expect(throws: SystemError.self) { try file.remove() }
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == "/nowhere/mine.lua")
  }

  /// A link to itself cannot be read, whoever asks.
  @Test func unreadableFilesAreLeftAlone() throws {
    let (file, root) = Self.place()
    defer { try? FileManager.default.removeItem(at: root) }
    try FileManager.default.createDirectory(
      atPath: file.folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: file.path, withDestinationPath: file.path)
    #expect(throws: SystemError.self) { try file.install() }
    #expect(throws: SystemError.self) { try file.remove() }
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: file.path)) != nil)
  }

  @Test func anOldOneIsReplaced() throws {
    let (file, root) = Self.place()
    defer { try? FileManager.default.removeItem(at: root) }
    try file.install()
    try Data("-- Gliss: of old".utf8).write(to: URL(filePath: file.path))
    #expect(file.state == .outdated)
    try file.install()
    guard case .installed = file.state else {
      Issue.record("\(file.state)")
      return
    }
  }

  @Test func withoutRightsNothingIsHalfWritten() throws {
    let file = PluginFile(folder: "/proc/nowhere")
    let error = #expect(throws: SystemError.self) { try file.install() }
    #expect(error?.place.hasPrefix("/proc/nowhere") == true)
  }
}
