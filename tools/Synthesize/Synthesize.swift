public import ArgumentParser
import Foundation
public import GlissSynthesis
import StrokeClasses

extension MotorModel.Profile: ExpressibleByArgument {}

/// Makes recordings of strokes whose truth is known.
@main struct Synthesize: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "synthesize",
    abstract: "Make recordings of strokes whose truth is known.",
    discussion: """
      Each recording is libinput-record YAML with its truth beside it, as
      NAME.truth.json. The same class, pad, number and seed give the same bytes on
      any machine.

      EXAMPLES
        tools/synthesize --list
        tools/synthesize --class pinch-in-anchored --count 10 -o /tmp/pinches
        tools/synthesize --class swipe-3 --pad small --seed 7 -o /tmp/swipes
        tools/synthesize --recordings recordings
        tools/synthesize --demonstration recordings/demo/demo.yml
      """)

  @Flag(help: "Show the classes and pads, and make nothing.")
  var list = false

  @Option(name: .customLong("class"), help: "The class of stroke to make.")
  var className: String?

  @Option(help: "The pad to make it on; without it, the class' pads in turn.")
  var pad: String?

  @Option(help: "Seed of the traces.")
  var seed: UInt64 = 1

  @Option(help: "How fingers speed up and slow down: minimum-jerk or lognormal.")
  var motor = MotorModel.Profile.minimumJerk

  @Option(help: "How many to make.")
  var count = 1

  @Option(name: .shortAndLong, help: "The folder to write to; it is made if need be.")
  var output = "."

  @Option(help: "Write the whole set of recordings that the tests replay into this folder.")
  var recordings: String?

  @Option(help: "Write the recording that tools/demo shows, a stroke of every kind, to this file.")
  var demonstration: String?

  func validate() throws {
    if count < 1 { throw ValidationError("--count must be at least 1") }
    if !list && recordings == nil && demonstration == nil && className == nil {
      throw ValidationError("name a class with --class, or see --list")
    }
  }

  func run() throws {
    if list { return printList() }
    if let recordings { return try RecordingSet.write(to: recordings) }
    if let demonstration { return try Demonstration.write(to: demonstration) }
    guard let className, let kind = TraceClass.named(className) else {
      throw ValidationError("there is no class “\(className ?? "")”; --list shows them")
    }
    for index in 0..<count {
      let pad = try chosenPad ?? kind.pads[index % kind.pads.count]
      let name = "\(kind.name)-\(seed)-\(index)"
      try Labelled(kind: kind, pad: pad, index: index, seed: seed, motor: motor, name: name)
        .write(to: output)
    }
  }

  private var chosenPad: Pad? {
    get throws {
      guard let pad else { return nil }
      guard let found = Pad.named.first(where: { $0.name == pad }) else {
        let names = Pad.named.map(\.name).joined(separator: ", ")
        throw ValidationError("there is no pad “\(pad)”; there are \(names)")
      }
      return found.pad
    }
  }

  private func printList() {
    let width = TraceClass.all.map(\.name.count).max() ?? 0
    print("classes:")
    for kind in TraceClass.all {
      let space = String(repeating: " ", count: width - kind.name.count)
      print("  \(kind.name)\(space)  \(kind.summary)")
    }
    print("pads:")
    for (name, pad) in Pad.named {
      print("  \(name)  \(RecordingSet.summary(of: pad))")
    }
  }
}
