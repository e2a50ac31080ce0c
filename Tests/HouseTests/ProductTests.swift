import Foundation
import Testing

/// What a program that uses one of our libraries has to link.
@Suite struct ProductTests {
  @Test func recognitionLinksLibyamlAlone() throws {
    let manifest = Manifest(try HouseTests.text(of: "Package.swift"))
    let targets = manifest.targets(of: "GlissRecognition")
    #expect(targets.isSuperset(of: ["GlissRecordings", "GlissHotkeys"]))
    #expect(targets.intersection(manifest.systemLibraries) == ["CYaml"])
    #expect(!targets.contains("ArgumentParser"))
    // each is known: its folder is there, and what its sources import it depends on
    for target in targets where target.hasPrefix("Gliss") {
      let files = try HouseTests.files(under: "Sources/\(target)")
      #expect(!files.isEmpty)
      let imported = try files.flatMap {
        ImportRules.imports(in: try HouseTests.text(of: $0)).map(\.module)
      }
      #expect(targets.isSuperset(of: Set(imported).subtracting(["Glibc"])), "\(target)")
    }
  }

  @Test func everyFolderOfHeadersIsASystemLibraryOfTheManifest() throws {
    let manifest = Manifest(try HouseTests.text(of: "Package.swift"))
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: HouseTests.root.appending(path: "Sources").path)
    let headers = folders.filter {
      FileManager.default.fileExists(
        atPath: HouseTests.root.appending(path: "Sources/\($0)/module.modulemap").path)
    }
    #expect(manifest.systemLibraries == Set(headers))
  }

  @Test func anotherLibraryWouldBeSeen() {
    let manifest = Manifest(
      """
      .library(name: "A", targets: ["B"]), system("CX", "x", "libx-dev"),
      module("B", ["C"]), .target(name: "C", dependencies: ["CX", .product(name: "D", package: "d")])
      """)
    #expect(manifest.targets(of: "A") == ["B", "C", "CX", "D", "d"])
    #expect(manifest.systemLibraries == ["CX"])
  }
}
