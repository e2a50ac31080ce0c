import Foundation
import GlissConfiguration
import GlissImport
import GlissSynthesis
import TestSupport
import Testing

/// Any bytes give rules that can be read, or a mistake with a place; never a trap.
@Suite struct ImportMutationTests {
  /// How often each fixture is spoiled; `GLISS_MUTATIONS` says another number.
  static let count =
    ProcessInfo.processInfo.environment["GLISS_MUTATIONS"].flatMap { Int($0) } ?? 25

  @Test(arguments: ImportFixture.all) func spoiledFilesAreReadOrRefused(_ fixture: ImportFixture)
    throws
  {
    var random = Seed.source("mutations", fixture.name.count)
    let bytes = Array(try fixture.text.utf8)
    for round in 0..<Self.count {
      let spoiled = Self.spoiled(bytes, &random)
      let text = String(decoding: spoiled, as: UTF8.self)
      do {
        let imported = try fixture.tool.rules(
          in: ConfigurationText(name: fixture.name, bytes: spoiled))
        let ours = imported.text
        let reading = Configuration.read([
          ConfigurationText(name: "ours", bytes: Array(ours.utf8))
        ])
        let errors = reading.mistakes.filter { $0.severity == .error }
        #expect(errors.isEmpty, "\(Seed.advice), round \(round): \(errors)\n\(text)\n\(ours)")
        #expect(
          reading.configuration?.rules.count == imported.rules.count,
          "\(Seed.advice), round \(round)")
        // a quotation mark makes text of the lines below, which still look like gestures
        if fixture.tool == .inputActions { continue }
        #expect(imported.forgotten(in: text) == [], "\(Seed.advice), round \(round)\n\(text)")
      } catch {
        #expect(error.place.line >= 1 && error.place.column >= 1 && !error.message.isEmpty)
      }
    }
  }

  /// With a few bytes, words or lines lost, doubled or exchanged.
  private static func spoiled(_ bytes: [UInt8], _ random: inout RandomSource) -> [UInt8] {
    var spoiled = bytes
    for _ in 0..<Int(random.uniform(1...4)) where !spoiled.isEmpty {
      let start = Int(random.uniform(0...Double(spoiled.count - 1)))
      let end = min(spoiled.count, start + Int(random.logUniform(1...200)))
      switch Int(random.uniform(0...3.999)) {
      case 0: spoiled.removeSubrange(start..<end)
      case 1: spoiled.insert(contentsOf: spoiled[start..<end], at: start)
      case 2:
        let marks = Array("{},;:+@~&\"'\\#-_ \n\t019<>/=!|é".utf8)
        spoiled[start] = marks[Int(random.uniform(0...Double(marks.count) - 0.001))]
      case _:
        let piece = Array(spoiled[start..<end])
        spoiled.removeSubrange(start..<end)
        spoiled.insert(
          contentsOf: piece, at: Int(random.uniform(0...Double(spoiled.count) - 0.001)))
      }
    }
    return spoiled
  }
}
