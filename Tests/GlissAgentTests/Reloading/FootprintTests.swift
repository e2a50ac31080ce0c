import GlissEvents
import Testing

@testable import GlissAgent

@Suite struct FootprintTests {
  private func footprint(_ tree: [String: Footprint.Standing], _ path: String) -> [String: Set<
    String
  >] {
    var footprint = Footprint { tree[$0] ?? .nothing }
    footprint.add(file: path)
    return footprint.names
  }

  private let home: [String: Footprint.Standing] = [
    "/home": .folder, "/home/u": .folder, "/home/u/.config": .folder, "/dots": .folder,
    "/dots/gliss": .folder, "/dots/gliss/gliss.yaml": .file,
  ]
  private let path = "/home/u/.config/gliss/gliss.yaml"

  @Test func ofAFileItsFolderIsWatched() {
    var tree = home
    tree["/home/u/.config/gliss"] = .folder
    tree[path] = .file
    #expect(footprint(tree, path) == ["/home/u/.config/gliss": ["gliss.yaml"]])
  }

  @Test func ofWhatIsNotThereTheNearestFolderThatIs() {
    #expect(footprint(home, path) == ["/home/u/.config": ["gliss"]])
    #expect(footprint([:], path) == ["/": ["home"]])
  }

  @Test func ofAFileThatIsALinkBothEnds() {
    var tree = home
    tree["/home/u/.config/gliss"] = .folder
    tree[path] = .link("../../../../dots/gliss/gliss.yaml")
    #expect(
      footprint(tree, path) == [
        "/home/u/.config/gliss": ["gliss.yaml"], "/dots/gliss": ["gliss.yaml"],
      ])
  }

  @Test func ofAFolderThatIsALinkTheLinkToo() {
    var tree = home
    tree["/home/u/.config/gliss"] = .link("/dots/gliss")
    #expect(
      footprint(tree, path) == ["/home/u/.config": ["gliss"], "/dots/gliss": ["gliss.yaml"]])
  }

  @Test func linksInACircleEnd() {
    #expect(footprint(["/a": .link("/b"), "/b": .link("/a")], "/a/x") == ["/": ["a", "b"]])
  }

  @Test func ofAFolderAllThatHappensInIt() {
    var tree = home
    tree["/home/u/.config/gliss"] = .folder
    tree["/home/u/.config/gliss/gliss.d"] = .folder
    var footprint = Footprint { tree[$0] ?? .nothing }
    footprint.add(folder: "/home/u/.config/gliss/gliss.d")
    #expect(footprint.concerns("new.yaml", in: "/home/u/.config/gliss/gliss.d"))
    #expect(!footprint.concerns("x", in: "/home/u/.config/gliss"))
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
