import ArgumentParser
import Foundation
import Mapping

extension Parameter: ExpressibleByArgument {}
extension Showing: ExpressibleByArgument {}

/// Draws what the recognizer decides.
@main struct Map: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "map",
    abstract: "Draws what the recognizer decides, over two parameters of a stroke.",
    discussion: """
      Two fingers land on a pad of 100 × 60 mm, lie, move without noise and lift
      together. The first goes its way, the second a share of it: 1 alike, 0 still,
      -1 opposite. The angle is that between the motion and the line between the
      fingers: 0 away from the second finger, 180 toward it.

      d drag, p pinch, r rotation, s swipe, t tap, h hold, ~ corrected afterwards,
      . nothing

      EXAMPLES
        tools/map --length 6
        tools/map --rows gap --values gap=0:400:8 --share 0
        tools/map --values share=1,0.5,0 --show ms --svg /tmp/map.svg
        tools/map --against HEAD~1
      """)

  @OptionGroup var stroke: StrokeOptions
  @OptionGroup var axes: AxisOptions

  @Option(
    help:
      "What a cell shows: a letter, how far the farthest finger had gone, or when it was decided.")
  var show = Showing.letters

  @Option(help: "Write the map to this file, as SVG; a file that is there is replaced.")
  var svg: String?

  @Flag(help: "Print the cells alone, tabs between them.")
  var plain = false

  @Option(help: "Another commit, whose map is printed too; cells that differ have brackets.")
  var against: String?

  @Option(help: .hidden)
  var againstCells: String?

  func validate() throws {
    if against != nil, againstCells == nil {
      throw ValidationError("--against needs tools/map, which builds that commit")
    }
    if plain, against != nil { throw ValidationError("--plain and --against exclude each other") }
    try stroke.check(apart: axes.chosen)
    try axes.check(stroke.setting)
  }

  func run() throws {
    let map = DecisionMap(
      of: stroke.setting, rows: try axes.rowRange, columns: try axes.columnRange)
    let text = MapText(map, showing: show)
    let others = try otherCells(text)
    if let svg { try write(MapPicture(text, marking: others).svg, to: svg) }
    if plain { return print(text.plain, terminator: "") }
    print(stroke.setting.text(without: axes.chosen) + "\n")
    print(text.table(text.cells, marking: others).joined(separator: "\n"))
    print("\n" + text.legend)
    guard let others, let against else { return }
    print("\n\(against)\n")
    print(text.table(others, marking: text.cells).joined(separator: "\n"))
    print("\n\(MapText.differences(text.cells, others)) of \(map.count) cells differ")
  }

  /// What `--plain` of the other commit's tool printed: tools/map builds and runs it.
  private func otherCells(_ text: MapText) throws -> [[String]]? {
    guard let againstCells else { return nil }
    guard let cells = text.cells(reading: try String(contentsOfFile: againstCells, encoding: .utf8))
    else { throw Failure("the map of \(against ?? "the other commit") has other rows or columns") }
    return cells
  }

  /// Replaces the file as a whole, or not at all. Anything but a regular file, such as /dev/stdout, is written to
  /// directly.
  private func write(_ text: String, to path: String) throws {
    var status = stat()
    let isFile = stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    do {
      let file = URL(fileURLWithPath: path)
      try Data(text.utf8).write(to: file, options: isFile ? .atomic : [])
    } catch {
      let reason = (error as? CocoaError)?.underlying as? POSIXError
      let words = reason.map { String(cString: strerror($0.code.rawValue)) }
      throw Failure("cannot write \(path): \(words ?? error.localizedDescription)")
    }
  }
}

/// What went wrong, for standard error; the exit code is 1.
struct Failure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
