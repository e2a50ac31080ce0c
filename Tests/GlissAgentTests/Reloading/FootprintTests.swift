import CLinux
import GlissEvents
import Testing

@testable import GlissAgent

@Suite struct FootprintTests {
  private typealias Tree = [String: Footprint.Standing]

  private func footprint(_ tree: Tree) -> Footprint {
    Footprint(look: { tree[$0] ?? .nothing }) { folder in
      tree.keys.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
    }
  }

  /// By folder the names that are watched; those at the end of a way with a star.
  private func names(_ footprint: Footprint) -> [String: Set<String>] {
    footprint.folders.mapValues {
      $0.parts.union($0.ends.map { "\($0)*" }).union($0.isWhole ? ["*"] : [])
    }
  }

  private func names(_ tree: Tree, _ path: String) -> [String: Set<String>] {
    var footprint = footprint(tree)
    footprint.add(file: path)
    return names(footprint)
  }

  private let home: Tree = [
    "/home": .folder, "/home/u": .folder, "/home/u/.config": .folder, "/dots": .folder,
    "/dots/gliss": .folder, "/dots/gliss/gliss.yaml": .file,
  ]
  private let path = "/home/u/.config/gliss/gliss.yaml"
  /// The way to the user's folder.
  private let way: [String: Set<String>] = [
    "/": ["home"], "/home": ["u"], "/home/u": [".config"], "/home/u/.config": ["gliss"],
  ]

  @Test func eachFolderOnTheWayIsWatchedForTheNextPart() {
    var tree = home
    tree["/home/u/.config/gliss"] = .folder
    tree[path] = .file
    let whole = way.merging(["/home/u/.config/gliss": ["gliss.yaml*"]]) { $1 }
    #expect(names(tree, path) == whole)
    // what is taken for a file may be a folder, or nothing, for a while
    tree[path] = .folder
    #expect(names(tree, path) == whole)
    tree[path] = nil
    #expect(names(tree, path) == whole)
  }

  @Test func ofWhatIsNotThereTheFoldersThatAre() {
    #expect(names(home, path) == way)
    #expect(names([:], path) == ["/": ["home"]])
  }

  @Test func ofAFileThatIsALinkBothEnds() {
    var tree = home
    tree["/home/u/.config/gliss"] = .folder
    tree[path] = .link("../../../../dots/gliss/gliss.yaml")
    let ends: [String: Set<String>] = [
      "/": ["home", "dots"], "/home/u/.config/gliss": ["gliss.yaml"], "/dots": ["gliss"],
      "/dots/gliss": ["gliss.yaml*"],
    ]
    #expect(names(tree, path) == way.merging(ends) { $1 })
  }

  @Test func ofAFolderThatIsALinkTheLinkToo() {
    var tree = home
    tree["/home/u/.config/gliss"] = .link("/dots/gliss")
    let ends: [String: Set<String>] = [
      "/": ["home", "dots"], "/dots": ["gliss"], "/dots/gliss": ["gliss.yaml*"],
    ]
    #expect(names(tree, path) == way.merging(ends) { $1 })
  }

  @Test func linksInACircleEnd() {
    #expect(names(["/a": .link("/b"), "/b": .link("/a")], "/a/x") == ["/": ["a", "b"]])
  }

  @Test func ofAFolderAllThatHappensInItAndWhereLinksInItLead() {
    var tree = home
    tree["/home/u/.config/gliss"] = .folder
    tree["/home/u/.config/gliss/gliss.d"] = .folder
    tree["/home/u/.config/gliss/gliss.d/10.yaml"] = .file
    tree["/home/u/.config/gliss/gliss.d/20.yaml"] = .link("/dots/gliss/gliss.yaml")
    tree["/home/u/.config/gliss/gliss.d/30.yaml"] = .link("/dots/none/30.yaml")
    var footprint = footprint(tree)
    footprint.add(folder: "/home/u/.config/gliss/gliss.d")
    let ends: [String: Set<String>] = [
      "/": ["home", "dots"], "/home/u/.config/gliss": ["gliss.d"],
      "/home/u/.config/gliss/gliss.d": ["*", "20.yaml", "30.yaml"], "/dots": ["gliss", "none"],
      "/dots/gliss": ["gliss.yaml*"],
    ]
    #expect(names(footprint) == way.merging(ends) { $1 })
    #expect(footprint.folders["/home/u/.config/gliss/gliss.d"]?.includes("new.yaml") == true)
    #expect(footprint.folders["/home/u/.config/gliss"]?.includes("x") == false)
  }

  @Test func whereWaysOnlyLeadThroughWritingDoesNotCount() {
    let through = Inotify.mask(for: Footprint.Interest(parts: ["u"]))
    let end = Inotify.mask(for: Footprint.Interest(ends: ["gliss.yaml"]))
    #expect(end == through | UInt32(IN_CLOSE_WRITE))
    #expect(through & UInt32(IN_CLOSE_WRITE | IN_MODIFY | IN_OPEN | IN_ACCESS) == 0)
  }
}

@Suite struct SettlingTests {
  private func ms(_ count: Int64) -> EventTime { EventTime(microseconds: count * 1000) }

  @Test func itComesToRestOnceNothingChangesForAWhile() {
    var settling = SettlingMachine()
    #expect(settling.deadline == nil)
    settling.changed(at: ms(0))
    #expect(settling.deadline == ms(50))
    settling.changed(at: ms(40))
    #expect(settling.advance(to: ms(50)) == false)
    #expect(settling.advance(to: ms(90)) == true)
    #expect(settling.advance(to: ms(200)) == false)
  }

  @Test func whatNeverRestsIsWaitedForSoLong() {
    var settling = SettlingMachine()
    for time in stride(from: 0, to: 1000, by: 20) {
      settling.changed(at: ms(Int64(time)))
      #expect(settling.advance(to: ms(Int64(time))) == false)
    }
    #expect(settling.advance(to: ms(1000)) == true)
  }
}
