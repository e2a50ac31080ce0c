import Foundation
import GlissEvents
import Testing

@testable import GlissRecordings

/// Recordings of which one line is damaged: read whole if what is left is a recording, and refused at that line if not.
///
/// Damage may show itself only in the next line that says something, which then does not fit. A quote that is left open
/// ends with the next one, and a bracket, a value's text or a missing type of evtest take one line more.
@Suite struct DamageTests {
  /// What becomes of a line; the last takes it once more.
  private static let replacements = [
    "garbage", "  garbage", "      garbage", "- garbage", "  - garbage", "    - garbage",
    "garbage: 1", "  garbage: 1", "    - garbage: 1", "- garbage: 1", "\tgarbage", "{", "    - {",
    "  - [", "\"", "\u{0}\u{0}", "E: ", "Event: time ", "    ]", "...", "    - [1, 2, 3]",
    "# a comment", "",
  ]

  static let samples = [
    Samples.libinput, Samples.twoDevices, Samples.libinput.replacing("\n", with: "\r\n"),
    Samples.libinput + "---\n" + Samples.libinput,
    Samples.libinput.replacing("  - libinput:\n", with: "    libinput:\n"), Samples.evemu,
    Samples.evtest,
  ]

  private let seed = UInt64.random(in: 0...UInt64.max)

  @Test(arguments: samples.indices)
  func eachLineOfASmallRecording(sample: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let lines = Self.samples[sample].split(separator: "\n", omittingEmptySubsequences: false)
    for index in lines.indices.dropLast() {
      let line = lines[index].unicodeScalars
      let cuts = (0..<8).map { _ in
        String(line.prefix(Int.random(in: 0...line.count, using: &generator)))
      }
      let copies = ["\(lines[index])\n\(lines[index])"]
      for damaged in Self.replacements + cuts + copies { check(lines, index, damaged) }
    }
  }

  @Test func anyLineOfARealRecording() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    var generator = SeededGenerator(seed: seed)
    for name in ["small-pad/tap-5.yml", "touchscreen/tap-4.yml", "medium-pad/tap-1.yml"] {
      let text = try String(
        contentsOf: root.appending(path: "recordings/\(name)"), encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for _ in 0..<120 {
        let index = Int.random(in: 0..<lines.count - 1, using: &generator)
        let line = lines[index]
        let damaged =
          switch Int.random(in: 0..<3, using: &generator) {
          case 0: Self.replacements.randomElement(using: &generator) ?? ""
          case 1: String(line.prefix(Int.random(in: 0...line.count, using: &generator)))
          case _: "\(line)\n\(line)"
          }
        check(lines, index, damaged, of: name)
      }
    }
  }

  private func check(_ lines: [Substring], _ index: Int, _ damaged: String, of name: String = "") {
    var changed = lines.map(String.init)
    let copies = damaged.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    changed.replaceSubrange(index...index, with: copies)
    let whole = read(lines.joined(separator: "\n"))
    let before = read(lines[..<index].joined(separator: "\n") + "\n").events.count
    let through = read(lines[...index].joined(separator: "\n") + "\n").events.count
    let outcome = read(changed.joined(separator: "\n"))
    let what = "line \(index + 1) as “\(damaged)” \(name), seed \(seed)"
    #expect(outcome.events.prefix(before) == whole.events.prefix(before), "\(what)")
    if let error = outcome.error {
      let line = error.line ?? 0
      let last = lastPlace(of: damaged, for: lines[index], in: changed, at: index)
      #expect(line > index && line <= last, "\(what): \(error), not by \(last)")
    } else {
      let after = whole.events.count - through
      #expect(outcome.events.suffix(after) == whole.events.suffix(after), "\(what)")
    }
    if name.isEmpty { streams(changed, outcome, what) }
  }

  /// The last line, from 1, at which damage may be found.
  private func lastPlace(
    of damaged: String, for original: Substring, in lines: [String], at index: Int
  ) -> Int {
    let copies = damaged.contains("\n") ? 2 : 1
    let following = lines.indices.dropFirst(index + copies).filter { index in
      let text = lines[index].drop { " \t\r".contains($0) }
      return !text.isEmpty && !text.hasPrefix("#")
    }
    if damaged.count(where: { $0 == "\"" }) % 2 == 1 {
      return (following.first { lines[$0].contains("\"") } ?? lines.count) + 1
    }
    let isOpen = damaged.contains { "[{".contains($0) }
    let isType = original.hasPrefix("  Event type")
    // the one list of several lines
    let more = original.hasSuffix("[") ? 2 : isOpen || isType ? 1 : 0
    return (following.dropFirst(more).first ?? lines.count) + 1
  }

  /// A recording of which the devices are read at several places is refused at the same line, after the same events.
  private func streams(_ lines: [String], _ outcome: Outcome, _ what: String) {
    var events = 0
    var failure: RecordingError?
    do throws(RecordingError) {
      var recording = try Recording(bytes: Array(lines.joined(separator: "\n").utf8))
      try recording.forEachEvent { _, _ in
        events += 1
        return true
      }
    } catch {
      failure = error
    }
    #expect(failure?.line == outcome.error?.line, "\(what): \(failure as Any)")
    #expect(events == outcome.events.count, "\(what)")
  }
}
