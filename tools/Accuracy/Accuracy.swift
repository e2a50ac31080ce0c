import ArgumentParser
import Scoring

/// How many labelled traces are recognized cleanly, and how early.
@main struct Accuracy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accuracy",
    abstract: "Counts how many labelled traces are recognized cleanly, and how early.",
    discussion: """
      Clean means: the right gesture, the right direction or sign, nothing else emitted before or
      beside it, nothing corrected. Times count from the start of the meant motion, and from when it
      had come 0.1 mm; the first of a pair is the median.
      """)

  @Argument(help: "A folder of real recordings with an INDEX.tsv.")
  var corpus = "../shared/corpus"

  @Option(help: "Seed of the synthetic traces; give it several times for several seeds.")
  var seed: [UInt64] = [1]

  @Option(help: "Synthetic traces per class and seed; 0 leaves them out.")
  var perClass = 100

  @Option(name: .customLong("class"), help: "Only classes whose name begins so.")
  var only: String?

  @Flag(help: "A line for every wrong trace.")
  var verbose = false

  @Option(help: "A folder to write the wrong synthetic traces to, as recordings.")
  var save: String?

  @Option(help: "A file of what must be reached; exit 1 where it is not.")
  var minimum: String?

  func run() throws {
    var tallies: [Tally] = []
    if perClass > 0 {
      let run = SyntheticRun(
        seeds: seed, perClass: perClass, filter: only, isVerbose: verbose, saveFolder: save)
      tallies = try run.run()
      print("synthetic, \(perClass) a class, seed \(seed.map { "\($0)" }.joined(separator: ", "))")
      tallies += SyntheticRun.report(tallies)
    }
    if let real = RealRun(folder: corpus) {
      print("\nreal recordings in \(corpus)")
      tallies += real.run(filter: only)
    }
    if let minimum { try Minimum(path: minimum).check(tallies) }
  }
}
