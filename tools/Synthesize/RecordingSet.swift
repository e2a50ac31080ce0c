import Foundation
import GlissEvents
import GlissSynthesis
import StrokeClasses

/// The recordings that come with the project: one folder a pad, each class on one of them.
enum RecordingSet {
  /// Apart from the seeds that accuracy is measured on.
  static let seed: UInt64 = 20_26

  private static let about = """
    # Recordings

    One folder for each pad of `GlissSynthesis`, with a list of what is in it. All were made by
    `tools/synthesize --recordings recordings`, which writes the same bytes again; none is of a person.

    | file | what it is |
    |---|---|
    | `NAME.yml` | the recording, as `libinput record` writes it and `libinput replay` plays it |
    | `NAME.truth.json` | what the hand meant; times are seconds since the recording's first event |
    | `NAME.expected.jsonl` | the gestures that `gliss replay --format jsonl NAME.yml` prints today in its folder |

    The tests replay every recording and compare. `UPDATE_GOLDEN=1 tools/test` rewrites what is expected.
    A test's expectation may differ from the truth: `tools/accuracy` counts how often it does.

    """

  static func summary(of pad: Pad) -> String {
    let (width, height) = (Int(pad.size.x), Int(pad.size.y))
    let (x, y) = (Int(pad.unitsPerMillimetre.x), Int(pad.unitsPerMillimetre.y))
    var words = ["\(width) × \(height) mm", "\(pad.slots) slots"]
    words.append(
      pad.reportsResolution
        ? "\(x) × \(y) units per mm" : "no resolution (\(x) × \(y) units per mm)")
    if pad.reportsMajor { words.append("contact size") }
    if pad.reportsPressure { words.append("pressure") }
    if pad.reportsPalms { words.append("marks palms") }
    return words.joined(separator: ", ")
  }

  static func write(to root: String) throws {
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    try Data(about.utf8).write(to: URL(fileURLWithPath: "\(root)/README.md"))
    for entry in Pad.named {
      let folder = "\(root)/\(entry.name)"
      let labels = TraceClass.plain.enumerated().compactMap { index, kind -> Labelled? in
        // in turn, so that every class is there once and every pad has a bit of everything
        guard kind.pads[index % kind.pads.count] == entry.pad else { return nil }
        return Labelled(kind: kind, pad: entry.pad, index: 0, seed: seed, name: kind.name)
      }
      var rows: [String] = []
      for label in labels {
        let words = try label.write(to: folder)
        rows.append("| `\(label.name).yml` | \(label.kind.summary) | \(words) |")
      }
      let readme = """
        # \(entry.pad.name)

        \(summary(of: entry.pad)). A pad that exists only in `GlissSynthesis`.

        Made by `tools/synthesize --recordings recordings`: class as the file's name, seed \(seed), number 0.
        `NAME.truth.json` is what the hand meant. `NAME.expected.jsonl` is what the recognizer says today;
        `UPDATE_GOLDEN=1 tools/test` rewrites it.

        | recording | what | truth |
        |---|---|---|
        \(rows.joined(separator: "\n"))

        """
      try Data(readme.utf8).write(to: URL(fileURLWithPath: "\(folder)/README.md"))
    }
  }
}
