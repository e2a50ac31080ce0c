import Foundation
import GlissConfiguration
import Testing

@testable import GlissAgent

@Suite struct ConfigurationFilesTests {
  /// A user's and a system's folder that go away with their owner.
  final class Folders {
    let root: String

    init() throws {
      root =
        FileManager.default.temporaryDirectory.appending(path: "gliss-\(UUID().uuidString)").path
      try make("user/gliss.d")
      try make("system/gliss.d")
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    func make(_ folder: String) throws {
      try FileManager.default.createDirectory(
        atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
      try set(folder, 0o700)
    }

    func write(_ path: String, _ text: String, mode: Int = 0o600) throws {
      try Data(text.utf8).write(to: URL(filePath: "\(root)/\(path)"))
      try set(path, mode)
    }

    func set(_ path: String, _ mode: Int) throws {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: "\(root)/\(path)")
    }

    func link(_ path: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: "\(root)/\(path)", withDestinationPath: target)
    }

    func read(only: String? = nil, privateGroup: UInt32? = nil) -> ConfigurationFiles.Found {
      ConfigurationFiles(
        userFolder: "\(root)/user", systemFolder: "\(root)/system",
        only: only.map { "\(root)/\($0)" }, privateGroup: privateGroup
      ).read()
    }

    /// What was read and refused, without the folder that both are in.
    func told(only: String? = nil, privateGroup: UInt32? = nil) -> [String] {
      let found = read(only: only, privateGroup: privateGroup)
      return found.texts.map { $0.name.replacingOccurrences(of: root + "/", with: "") }
        + found.errors.map {
          "\($0.path.replacingOccurrences(of: root + "/", with: "")): \($0.reason)"
        }
    }
  }

  @Test func includedFilesAreReadOnceAndBefore() throws {
    let folders = try Folders()
    try folders.make("user/more")
    try folders.write("user/gliss.yaml", "include: [more/a.yaml, gone.yaml, gliss.yaml]\n")
    try folders.write("user/more/a.yaml", "include: b.yaml\n")
    try folders.write("user/more/b.yaml", "include: \(folders.root)/user/more/a.yaml\n")
    try folders.write("user/gliss.d/c.yaml", "include: ../more/b.yaml\n")
    #expect(
      folders.told() == [
        "user/more/b.yaml", "user/more/a.yaml", "user/gliss.yaml", "user/gliss.d/c.yaml",
        "user/gone.yaml: missing",
      ])
    let error = try #require(folders.read().errors.first)
    #expect(error.description.contains("user/gliss.yaml:1:24: includes "))
    #expect(error.description.hasSuffix("gone.yaml, which does not exist"))
    // one that others can write is refused like any file
    try folders.set("user/more/b.yaml", 0o666)
    #expect(folders.told().contains { $0.hasPrefix("user/more/b.yaml: writable") })
  }

  @Test func tooManyIncludedFilesAreReported() throws {
    let folders = try Folders()
    let names = (0..<300).map { "\($0).yaml" }
    for name in names { try folders.write("user/\(name)", "") }
    try folders.write("user/gliss.yaml", "include: [\(names.joined(separator: ", "))]\n")
    let found = folders.read()
    #expect(found.texts.count == 257)
    #expect(found.errors.map(\.reason) == [.includesTooMany])
    // drop-ins are no includes
    try folders.write("user/gliss.yaml", "")
    for name in names { try folders.write("user/gliss.d/\(name)", "") }
    #expect(folders.read().texts.count == 301 && folders.read().errors.isEmpty)
  }

  @Test func allAreReadInTheirOrder() throws {
    let folders = try Folders()
    for path in [
      "user/gliss.yaml", "user/gliss.d/b.yaml", "user/gliss.d/B.yaml",
      "user/gliss.d/a.yaml", "user/gliss.d/.#a.yaml", "user/gliss.d/a.yaml~", "user/gliss.d/c.yml",
      "system/gliss.yaml", "system/gliss.d/é.yaml", "system/gliss.d/z.yaml",
    ] { try folders.write(path, path) }
    #expect(
      folders.told() == [
        "system/gliss.yaml", "system/gliss.d/z.yaml", "system/gliss.d/é.yaml", "user/gliss.yaml",
        "user/gliss.d/B.yaml", "user/gliss.d/a.yaml", "user/gliss.d/b.yaml",
      ])
    let texts = folders.read().texts
    #expect(texts.map(\.isSystem) == [true, true, true, false, false, false, false])
    #expect(texts.allSatisfy { $0.name.hasSuffix(String(decoding: $0.bytes, as: UTF8.self)) })
  }

  @Test func theUsersFileIsReportedMissingIfThereIsNone() throws {
    let folders = try Folders()
    #expect(folders.told() == ["user/gliss.yaml: missing"])
    #expect(folders.told(only: "a.yaml") == ["a.yaml: missing"])
    #expect(folders.told(only: "no/a.yaml") == ["no/a.yaml: missing"])
    let error = try #require(folders.read().errors.first)
    #expect(error.description.contains("gliss config example > \(folders.root)/user/gliss.yaml"))
    try FileManager.default.removeItem(atPath: "\(folders.root)/user")
    #expect(folders.told() == ["user/gliss.yaml: missing"])
    try folders.write("system/gliss.yaml", "")
    #expect(folders.told() == ["system/gliss.yaml"])
  }

  @Test func oneFileStandsForAll() throws {
    let folders = try Folders()
    try folders.write("user/gliss.yaml", "")
    try folders.write("user/other.yaml", "")
    #expect(folders.told(only: "user/other.yaml") == ["user/other.yaml"])
  }

  @Test(arguments: [0o620, 0o602, 0o666])
  func filesThatOthersCanWriteAreRefused(_ mode: Int) throws {
    let folders = try Folders()
    try folders.write("user/gliss.yaml", "", mode: mode)
    try folders.write("user/gliss.d/a.yaml", "", mode: mode)
    try folders.write("user/gliss.d/b.yaml", "")
    let octal = 0o100000 | mode
    #expect(
      folders.told() == [
        "user/gliss.d/b.yaml", "user/gliss.yaml: writable(mode: \(octal))",
        "user/gliss.d/a.yaml: writable(mode: \(octal))",
      ])
    #expect(folders.told(only: "user/gliss.yaml") == ["user/gliss.yaml: writable(mode: \(octal))"])
  }

  @Test func soIsWhatLiesInAFolderThatOthersCanWrite() throws {
    let folders = try Folders()
    try folders.write("user/gliss.yaml", "")
    try folders.write("user/gliss.d/a.yaml", "")
    try folders.set("user/gliss.d", 0o770)
    #expect(
      folders.told() == ["user/gliss.yaml", "user/gliss.d: writable(mode: \(0o040770))"])
    try folders.set("user", 0o1777)
    #expect(folders.told() == ["user: writable(mode: \(0o041777))"])
    // named, others can put nothing in its place
    #expect(folders.told(only: "user/gliss.yaml") == ["user/gliss.yaml"])
    try folders.set("user", 0o777)
    #expect(folders.told(only: "user/gliss.yaml") == ["user: writable(mode: \(0o040777))"])
  }

  @Test func aGroupOfTheUsersOwnMayWrite() throws {
    let folders = try Folders()
    try folders.write("user/gliss.yaml", "", mode: 0o664)
    #expect(folders.told(privateGroup: getegid()) == ["user/gliss.yaml"])
    #expect(folders.told(privateGroup: getegid() + 1).count == 1)
    try folders.set("user/gliss.yaml", 0o666)
    #expect(
      folders.told(privateGroup: getegid()) == ["user/gliss.yaml: writable(mode: \(0o100666))"])
  }

  @Test func aLinkIsFollowedWhereItsTargetIsTrusted() throws {
    let folders = try Folders()
    try folders.make("dotfiles")
    try folders.write("dotfiles/gliss.yaml", "")
    try folders.link("user/gliss.yaml", to: "../dotfiles/gliss.yaml")
    #expect(folders.told() == ["user/gliss.yaml"])
    try folders.set("dotfiles/gliss.yaml", 0o602)
    #expect(folders.told() == ["user/gliss.yaml: writable(mode: \(0o100602))"])
    try folders.set("dotfiles/gliss.yaml", 0o600)
    try folders.set("dotfiles", 0o777)
    #expect(folders.told() == ["dotfiles: writable(mode: \(0o040777))"])
  }

  @Test func pipesAndFoldersAreRefusedWithoutWaiting() throws {
    let folders = try Folders()
    try folders.make("user/gliss.d/a.yaml")
    #expect(mkfifo("\(folders.root)/user/gliss.d/b.yaml", 0o600) == 0)
    try folders.link("user/gliss.d/c.yaml", to: "nowhere")
    #expect(
      folders.told() == [
        "user/gliss.d/a.yaml: notAFile", "user/gliss.d/b.yaml: notAFile",
        "user/gliss.d/c.yaml: dangling(target: \"nowhere\")",
      ])
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
  func filesOfOtherUsersAreRefused() throws {
    let folders = try Folders()
    try folders.write("user/gliss.yaml", "")
    try folders.write("system/gliss.yaml", "")
    #expect(chown("\(folders.root)/user/gliss.yaml", 12345, 0) == 0)
    #expect(
      folders.told() == ["system/gliss.yaml", "user/gliss.yaml: foreign(owner: 12345)"])
    #expect(chown("\(folders.root)/system", 12345, 0) == 0)
    #expect(
      folders.told() == ["system: foreign(owner: 12345)", "user/gliss.yaml: foreign(owner: 12345)"])
  }

  @Test(
    arguments: [
      (["XDG_CONFIG_HOME": "/x", "HOME": "/h"], "/x/gliss/gliss.yaml"),
      (["HOME": "/h"], "/h/.config/gliss/gliss.yaml"),
      (["XDG_CONFIG_HOME": "", "HOME": "/h"], "/h/.config/gliss/gliss.yaml"),
      (["XDG_CONFIG_HOME": "x", "HOME": "/h"], "/h/.config/gliss/gliss.yaml"),
    ])
  func theUsersFolderIsWhereXDGHasIt(_ environment: [String: String], _ path: String) {
    #expect(ConfigurationFiles(environment: { environment[$0] }).userFile == path)
  }

  @Test func eachReadingIsOfWhatStandsThereThen() throws {
    let folders = try Folders()
    let source = ConfigurationFiles(only: "\(folders.root)/user/gliss.yaml")
    func rules() -> Int? { source.read().rules.configuration?.rules.count }
    let one = "gestures: [{gesture: tap, do: {mode: none}}]"
    #expect(rules() == nil)
    for _ in 0..<2 {
      try folders.write("user/gliss.yaml", one)
      #expect(rules() == 1 && rules() == 1)
      try folders.write("user/gliss.yaml", "gestures: []")
      #expect(rules() == 0)
      try folders.write("user/gliss.yaml", "gestures: [")
      #expect(rules() == nil && source.read().rules.mistakes.count == 1)
      try folders.write("user/gliss.yaml", one, mode: 0o666)
      #expect(rules() == nil && source.read().errors.count == 1)
    }
  }
}
