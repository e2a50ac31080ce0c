import ArgumentParser
import GlissGestures
import GlissSynthesis
import Scoring
import StrokeClasses

/// How errors and the time to a decision trade off against each other as more or less evidence is asked for.
struct Curve {
  /// What the recognizer asks of the motion before it decides.
  static let evidence = ["motion.floor", "lead.caution", "late.time"]
  static let factors = [0.5, 0.7, 1, 1.4, 2]

  var run: SyntheticRun

  func print() throws {
    var rows: [[String]] = []
    for factor in Self.factors {
      var run = run
      run.configuration = try Self.scaled(run.configuration, by: factor)
      rows += Self.rows(try run.run(), factor, run.families)
    }
    Swift.print("\nevidence asked for: \(Self.evidence.joined(separator: ", "))")
    printTable(
      [
        "times", "n", "wrong", "error", "95 %", "from start", "p95", "from 0.1 mm", "p95",
        "strokes",
      ], rows)
  }

  private static func scaled(_ configuration: GestureConfiguration, by factor: Double) throws
    -> GestureConfiguration
  {
    var configuration = configuration
    for setting in GestureConfiguration.settings where evidence.contains(setting.name) {
      let value = (configuration.value(of: setting.name) ?? setting.defaultValue) * factor
      let range = setting.range
      try configuration.set(
        setting.name, to: max(range.lowerBound, min(range.upperBound, value)))
    }
    return configuration
  }

  private static func rows(
    _ tallies: [Tally], _ factor: Double, _ families: [TraceClass]
  ) -> [[String]] {
    let groups: [(String, (TraceClass) -> Bool)] = [
      ("drags and swipes", \.isMovingTogether), ("pinches and rotations", \.isPinchOrRotation),
      ("all", { _ in true }),
    ]
    return groups.compactMap { name, isWanted in
      let names = Set(families.filter(isWanted).map(\.name))
      var sum = Tally(name)
      for tally in tallies where names.contains(tally.name) { sum.add(tally) }
      return sum.count > 0 ? row(sum, factor) : nil
    }
  }

  private static func row(_ sum: Tally, _ factor: Double) -> [String] {
    let (low, high) = (100 - sum.interval.upperBound, 100 - sum.interval.lowerBound)
    let times = [sum.fromStart, sum.fromOnset].flatMap { times in
      [0.5, 0.95].map { share in times.quantile(share).map { $0.shown(0) + " ms" } ?? "–" }
    }
    return [
      factor.shown(1), "\(sum.count)", "\(sum.count - sum.clean)",
      (100 - sum.share).shown(2) + " %", "\(low.shown(2))–\(high.shown(2))",
    ] + times + [sum.name]
  }
}
