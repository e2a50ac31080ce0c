import ArgumentParser
import GlissGestures
import GlissSynthesis
import Scoring
import StrokeClasses

/// How many labelled traces are recognized cleanly, and how early.
@main struct Accuracy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accuracy",
    abstract: "Counts how many labelled traces are recognized cleanly, and how early.",
    discussion: """
      A trace is clean if the right gesture is reported, in the right direction,
      nothing else before or beside it, and nothing is corrected. Times count from
      the start of the intended motion, and from when it had gone 0.1 mm; the first
      of a pair is the median. Times and travel are those of the clean traces alone.
      The worst classes come first. “95 %” is the interval in which the true share
      lies with that confidence (Wilson).

      The classes are in two halves: choose settings by --families tuning, and report
      --families held-out, also with the other motor model. All plain classes are in
      the tuning half.

      EXAMPLES
        tools/accuracy --families held-out --motor lognormal
        tools/accuracy --curve --families tuning --per-class 50
        tools/accuracy --per-class 0 --html report mine
        tools/accuracy --set lead.caution=0.3 --families tuning
      """)

  @Argument(
    help:
      "A folder of real recordings: with an INDEX.tsv, or as 'gliss record --label' writes them.")
  var corpus = "../shared/corpus"

  @Option(help: "Seed of the synthetic traces; give it several times for several seeds.")
  var seed: [UInt64] = [1]

  @Option(help: "Synthetic traces per class and seed; 0 leaves them out.")
  var perClass = 100

  @Option(help: "How fingers speed up and slow down: minimum-jerk or lognormal.")
  var motor = MotorModel.Profile.minimumJerk

  @Option(help: "Which half of the classes to run: tuning, held-out or all.")
  var families = Families.all

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Change a setting of the recognizer; may be given more than once.", valueName: "name=value"))
  var changes: [String] = []

  @Flag(
    help: "Also the errors against the time to a decision, as less or more evidence is asked for.")
  var curve = false

  @Option(name: .customLong("class"), help: "Only classes whose name begins so.")
  var only: String?

  @Flag(help: "A line for every wrong trace.")
  var verbose = false

  @Option(help: "A folder to write the wrong synthetic traces to, as recordings.")
  var save: String?

  @Option(help: "A folder to write a page to, on which every wrong trace can be opened and played.")
  var html: String?

  @Option(help: "A file of what must be reached; exit 1 where it is not.")
  var minimum: String?

  func run() throws {
    var tallies: [Tally] = []
    let recognizer = try changed()
    let report = try html.map { try HTMLReport(folder: $0) }
    if perClass > 0 {
      tallies = try synthetic(recognizer, report)
    }
    if let real = RealRun(folder: corpus, filter: only, recognizer, report: report) {
      print("\nreal recordings in \(corpus)")
      tallies += try real.run()
    }
    try report?.close()
    if let minimum { try Minimum(path: minimum).check(tallies) }
  }

  private func changed() throws -> GestureConfiguration {
    var configuration = GestureConfiguration()
    for change in changes {
      let parts = change.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let value = Double(parts[1]) else {
        throw ValidationError("'\(change)' is not NAME=NUMBER")
      }
      do { try configuration.set(String(parts[0]), to: value) } catch {
        throw ValidationError(error.description)
      }
    }
    return configuration
  }

  private func synthetic(
    _ recognizer: GestureConfiguration, _ report: HTMLReport?
  ) throws -> [Tally] {
    var run = SyntheticRun(
      seeds: seed, perClass: perClass, motor: motor,
      families: families.classes.filter { kind in only.map { kind.name.hasPrefix($0) } ?? true },
      configuration: recognizer, isVerbose: verbose, saveFolder: save, report: report)
    guard !run.families.isEmpty else { return [] }
    let tallies = try run.run()
    let seeds = seed.map { "\($0)" }.joined(separator: ", ")
    print("synthetic, \(perClass) a class, seed \(seeds), \(motor.rawValue), \(families.rawValue)")
    let sums = SyntheticReport(families: run.families, tallies: tallies).print()
    run.isVerbose = false
    run.saveFolder = nil
    run.report = nil
    if curve { try Curve(run: run).print() }
    return tallies + sums
  }
}
