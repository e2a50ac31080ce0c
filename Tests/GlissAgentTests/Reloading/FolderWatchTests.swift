import Foundation
import GlissDevices
import GlissEvents
import TestSupport
import Testing

@testable import GlissAgent

/// Real files: whatever makes the path lead to other rules is heard of.
@Suite struct FolderWatchTests {
  private final class Rig {
    let scratch: Scratch
    let loop: EventLoop
    let watch: FolderWatch
    var heard = 0

    init() throws {
      scratch = try Scratch()
      loop = try EventLoop()
      watch = try FolderWatch(loop)
      watch.didChange = { [unowned self] in heard += 1 }
    }

    func follow() {
      watch.follow(
        files: [scratch.file("gliss/gliss.yaml")], folders: [scratch.file("gliss/gliss.d")])
    }

    /// Whether it was heard of by now; inotify tells at once.
    func hears() throws -> Bool {
      heard = 0
      try loop.wait(until: .zero)
      return heard > 0
    }

    func make(_ folder: String) throws {
      try FileManager.default.createDirectory(
        atPath: scratch.file(folder), withIntermediateDirectories: true)
    }
  }

  @Test func aFileThatIsSavedOrReplacedOrAppears() throws {
    let rig = try Rig()
    rig.follow()
    #expect(try rig.hears() == false)
    try rig.make("gliss")
    #expect(try rig.hears())
    rig.follow()
    try rig.scratch.write("a", to: "gliss/gliss.yaml")
    #expect(try rig.hears())
    rig.follow()
    try rig.scratch.write("b", to: "gliss/gliss.yaml")
    #expect(try rig.hears())
    // as editors do
    try rig.scratch.write("c", to: "gliss/.gliss.yaml.swp")
    #expect(try rig.hears() == false)
    rename(rig.scratch.file("gliss/.gliss.yaml.swp"), rig.scratch.file("gliss/gliss.yaml"))
    #expect(try rig.hears())
    chmod(rig.scratch.file("gliss/gliss.yaml"), 0o666)
    #expect(try rig.hears())
    unlink(rig.scratch.file("gliss/gliss.yaml"))
    #expect(try rig.hears())
  }

  @Test func aFolderThatIsTakenAwayAndComesBack() throws {
    let rig = try Rig()
    try rig.make("gliss")
    rig.follow()
    try FileManager.default.removeItem(atPath: rig.scratch.file("gliss"))
    #expect(try rig.hears())
    rig.follow()
    try rig.make("gliss")
    #expect(try rig.hears())
    rig.follow()
    rename(rig.scratch.file("gliss"), rig.scratch.file("other"))
    #expect(try rig.hears())
    rig.follow()
    try rig.scratch.write("a", to: "other/gliss.yaml")
    #expect(try rig.hears() == false)
    try rig.make("gliss")
    #expect(try rig.hears())
  }

  @Test func linksThatAreSwapped() throws {
    let rig = try Rig()
    for generation in ["1", "2"] {
      try rig.make("store-\(generation)")
      try rig.scratch.write(generation, to: "store-\(generation)/gliss.yaml")
    }
    symlink("store-1", rig.scratch.file("gliss"))
    rig.follow()
    try rig.scratch.write("1a", to: "store-1/gliss.yaml")
    #expect(try rig.hears())
    try rig.scratch.write("2a", to: "store-2/gliss.yaml")
    #expect(try rig.hears() == false)
    symlink("store-2", rig.scratch.file("new"))
    rename(rig.scratch.file("new"), rig.scratch.file("gliss"))
    #expect(try rig.hears())
    rig.follow()
    try rig.scratch.write("2b", to: "store-2/gliss.yaml")
    #expect(try rig.hears())
    try rig.scratch.write("1b", to: "store-1/gliss.yaml")
    #expect(try rig.hears() == false)
  }

  @Test func dropInsThatComeAndGo() throws {
    let rig = try Rig()
    try rig.make("gliss")
    rig.follow()
    try rig.make("gliss/gliss.d")
    #expect(try rig.hears())
    rig.follow()
    try rig.scratch.write("a", to: "gliss/gliss.d/10.yaml")
    #expect(try rig.hears())
    unlink(rig.scratch.file("gliss/gliss.d/10.yaml"))
    #expect(try rig.hears())
  }
}
