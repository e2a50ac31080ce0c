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
    let loop: InputLoop
    let watch: FolderWatch
    private let folder: String
    var heard = 0

    /// - Parameter folder: where in the scratch folder the rules are; ends with a slash, if not empty.
    init(_ inotify: Inotify = Inotify(), in folder: String = "") throws {
      self.folder = folder
      scratch = try Scratch()
      loop = try InputLoop()
      watch = FolderWatch(on: loop)
      watch.inotify = inotify
      watch.didChange = { [unowned self] in heard += 1 }
    }

    func follow() {
      watch.follow(
        files: [scratch.file("\(folder)gliss/gliss.yaml")],
        folders: [scratch.file("\(folder)gliss/gliss.d")])
    }

    /// Whether it was heard of by now; inotify tells at once.
    func hears() throws -> Bool {
      heard = 0
      try loop.wait(until: .zero)
      return heard > 0
    }

    /// Whether `change` is heard of, and after that what is saved, as by an agent that has read the rules anew.
    func hears(_ change: () throws -> Void, andThen save: () throws -> Void) throws -> Bool {
      follow()
      _ = try hears()
      try change()
      guard try hears() else { return false }
      follow()
      _ = try hears()
      try save()
      return try hears()
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

  @Test func dropInsThatAreLinks() throws {
    let rig = try Rig()
    for folder in ["gliss/gliss.d", "dots"] { try rig.make(folder) }
    try rig.scratch.write("a", to: "dots/x.yaml")
    symlink("../../dots/x.yaml", rig.scratch.file("gliss/gliss.d/30.yaml"))
    symlink("../../dots/y.yaml", rig.scratch.file("gliss/gliss.d/40.yaml"))
    #expect(
      try rig.hears {
        // in place
        try rig.scratch.write("b", to: "dots/x.yaml")
      } andThen: {
        try rig.scratch.write("c", to: "dots/new")
        rename(rig.scratch.file("dots/new"), rig.scratch.file("dots/x.yaml"))
      })
    #expect(
      try rig.hears {
        // one that has led nowhere
        try rig.scratch.write("a", to: "dots/y.yaml")
      } andThen: {
        try rig.scratch.write("b", to: "dots/y.yaml")
      })
    _ = try rig.hears()
    try rig.scratch.write("a", to: "dots/z.yaml")
    #expect(try rig.hears() == false)
  }

  @Test func theirFolderIsReplaced() throws {
    let rig = try Rig()
    try rig.make("gliss")
    let path = rig.scratch.file("gliss")
    let save = { try rig.scratch.write("b", to: "gliss/gliss.yaml") }
    try save()
    #expect(
      try rig.hears {
        rename(path, path + ".old")
        try FileManager.default.copyItem(atPath: path + ".old", toPath: path)
      } andThen: {
        try save()
      })
    // by a link to one that says the same
    #expect(
      try rig.hears {
        rename(path, path + ".new")
        symlink(path + ".new", path)
      } andThen: {
        try save()
      })
    // and by a folder again
    #expect(
      try rig.hears {
        unlink(path)
        rename(path + ".new", path)
      } andThen: {
        try save()
      })
  }

  @Test func aFolderStandsWhereTheFileWasForAWhile() throws {
    let rig = try Rig()
    try rig.make("gliss")
    try rig.scratch.write("a", to: "gliss/gliss.yaml")
    let path = rig.scratch.file("gliss/gliss.yaml")
    #expect(
      try rig.hears {
        unlink(path)
        try rig.make("gliss/gliss.yaml")
      } andThen: {
        rmdir(path)
        try rig.scratch.write("b", to: "gliss/gliss.yaml")
      })
  }

  @Test func aFolderThatCannotBeLookedIntoForAWhile() throws {
    // root may look into any: what the system would say to others
    nonisolated(unsafe) var closed: String?
    let system = Inotify()
    let rig = try Rig(
      Inotify(add: { $1 == closed ? -EACCES : system.add($0, $1) }), in: "home/.config/")
    try rig.make("home/.config/gliss")
    closed = rig.scratch.file("home/.config/gliss")
    rig.follow()
    // it is no reason to complain: others' folders may be so for good
    #expect(rig.watch.problem == nil)
    closed = nil
    chmod(rig.scratch.file("home/.config/gliss"), 0o755)
    #expect(try rig.hears())
  }

  @Test func writesInAncestorFoldersAreIgnored() throws {
    let rig = try Rig(in: "home/.config/")
    try rig.make("home/.config/gliss")
    rig.follow()
    try rig.scratch.write("a", to: "home/notes")
    #expect(try rig.hears() == false)
    try rig.make("home/.config/other")
    #expect(try rig.hears() == false)
  }

  @Test func withoutWatchesLeftItSaysSoAndTriesAgain() throws {
    nonisolated(unsafe) var isFull = true
    let system = Inotify()
    let rig = try Rig(Inotify(add: { isFull ? -ENOSPC : system.add($0, $1) }))
    try rig.make("gliss")
    rig.follow()
    #expect(
      rig.watch.problem == """
        files that are saved may go unnoticed: no inotify watch is left; 'gliss reload' reads them, and a higher \
        fs.inotify.max_user_watches (sysctl) leaves room for all
        """)
    isFull = false
    rig.follow()
    #expect(rig.watch.problem == nil)
    try rig.scratch.write("a", to: "gliss/gliss.yaml")
    #expect(try rig.hears())
  }

  /// As NixOS does it: the user's file is a link through a link that is swapped.
  @Test func aLinkThatIsSwappedOnTheWayOfALink() throws {
    let rig = try Rig()
    for generation in ["1", "2"] {
      try rig.make("store-\(generation)/gliss")
      try rig.scratch.write(generation, to: "store-\(generation)/gliss/gliss.yaml")
    }
    try rig.make("gliss")
    symlink("store-1", rig.scratch.file("static"))
    symlink("../static/gliss/gliss.yaml", rig.scratch.file("gliss/gliss.yaml"))
    #expect(
      try rig.hears {
        symlink("store-2", rig.scratch.file("new"))
        rename(rig.scratch.file("new"), rig.scratch.file("static"))
      } andThen: {
        try rig.scratch.write("2a", to: "store-2/gliss/gliss.yaml")
      })
    rig.follow()
    _ = try rig.hears()
    try rig.scratch.write("1a", to: "store-1/gliss/gliss.yaml")
    #expect(try rig.hears() == false)
  }

  @Test func linksInACircleLeadNowhereUntilOneIsMended() throws {
    let rig = try Rig()
    symlink("other", rig.scratch.file("gliss"))
    symlink("gliss", rig.scratch.file("other"))
    #expect(
      try rig.hears {
        unlink(rig.scratch.file("other"))
        try rig.make("other")
      } andThen: {
        try rig.scratch.write("a", to: "other/gliss.yaml")
      })
  }

  /// Others write there, and must not wake us.
  @Test func realFoldersOnTheWayAreNotWatched() throws {
    nonisolated(unsafe) var folders: Set<String> = []
    let system = Inotify()
    let rig = try Rig(
      Inotify(add: {
        folders.insert($1)
        return system.add($0, $1)
      }), in: "home/.config/")
    try rig.make("home/.config/gliss/gliss.d")
    rig.follow()
    #expect(
      folders == [
        rig.scratch.file("home/.config/gliss"), rig.scratch.file("home/.config/gliss/gliss.d"),
      ])
  }

  @Test func withoutAnInstanceLeftItSaysSoAndTriesAgain() throws {
    nonisolated(unsafe) var isFull = true
    let system = Inotify()
    let rig = try Rig(Inotify(open: { isFull ? -EMFILE : system.open() }))
    try rig.make("gliss")
    rig.follow()
    #expect(rig.watch.problem?.contains("fs.inotify.max_user_instances") == true)
    isFull = false
    rig.follow()
    #expect(rig.watch.problem == nil)
    try rig.scratch.write("a", to: "gliss/gliss.yaml")
    #expect(try rig.hears())
  }
}
