import Foundation
import Testing

/// `gliss explain --set`: what another setting changes.
@Suite struct ExplainComparisonTests {
  @Test func aSettingThatChangesNothingIsSaidToChangeNothing() throws {
    let command = try Command.run("explain", "--set", "tap.gap=301", Command.demo)
    #expect(command.status == 0)
    #expect(command.output.contains("with tap.gap=301: the same"))
    #expect(!command.output.contains(" instead of "))
  }

  /// Almost every setting changes sizes a little.
  @Test func aGestureOfAnotherSizeIsTheSame() throws {
    let command = try Command.run("explain", "--set", "landing.settle=0", Command.demo)
    #expect(command.output.contains("  with landing.settle=0: the same\n"))
    #expect(!command.output.contains(" instead of "), "\(command.output)")
  }

  @Test func twoSingleTapsAreNotADoubleOne() throws {
    let command = try Command.run(
      "explain", "--set", "tap.gap=75", "recordings/medium-pad/tap-double.yml")
    let words = "with tap.gap=75: tap of 1 instead of tap of 1, double\n"
    #expect(command.output.contains(words), "\(command.output)")
    #expect(command.output.hasSuffix("1 of 2 strokes comes out differently: 2\n"))
  }

  /// The words for a gesture are those of the table.
  @Test func whatChangesIsInTheWordsOfReplay() throws {
    let command = try Command.run("explain", "--set", "edgeSwipe.travel=30", Command.demo)
    let words = " instead of edge swipe of 1, from the right edge, left\n"
    #expect(command.output.contains(words), "\(command.output)")
  }

  @Test(arguments: ["tap.duration=60", "tap.gap=301"])
  func theStrokesThatASettingChangesAreCounted(_ setting: String) throws {
    let lines = try Command.run("explain", "--set", setting, Command.demo).lines
    var (stroke, strokes, changed) = ("", 0, [String]())
    for line in lines {
      if let head = line.firstMatch(of: #/^stroke ([0-9]+), /#) {
        (stroke, strokes) = ("\(head.1)", strokes + 1)
      }
      if line.contains(" instead of ") { changed.append(stroke) }
    }
    #expect(changed.isEmpty == (setting == "tap.gap=301"))
    let list = changed.isEmpty ? "" : ": \(changed.joined(separator: ", "))"
    #expect(
      lines.last?.description
        == "with \(setting), \(changed.count) of \(strokes) strokes come out differently\(list)")
  }
}
