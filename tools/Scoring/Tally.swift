/// What a class' traces came to.
package struct Tally {
  package var name: String
  package var count = 0
  package var clean = 0
  /// What the wrong ones were, and how often.
  package var wrong: [String: Int] = [:]
  /// From the motion's start to the decision, in ms.
  package var fromStart: [Double] = []
  /// From the instant the meant motion had come 0.1 mm to the decision, in ms.
  package var fromOnset: [Double] = []
  /// Mean travel of the fingers at the decision, in mm.
  package var travel: [Double] = []
  /// Travel of the finger that had gone farthest by the decision, in mm.
  package var farthest: [Double] = []
  /// Traces without meant motion in which motion was decided.
  package var falseMotions = 0

  package init(_ name: String) { self.name = name }

  package var share: Double { count == 0 ? 100 : Double(clean) / Double(count) * 100 }

  /// Between which shares in percent the true one lies with 95 % confidence: Wilson's score interval.
  package var interval: ClosedRange<Double> {
    guard count > 0 else { return 0...100 }
    let (n, p, z) = (Double(count), Double(clean) / Double(count), 1.959964)
    let middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    let reach = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
    return max(0, middle - reach) * 100...min(1, middle + reach) * 100
  }

  package mutating func add(_ other: Tally) {
    count += other.count
    clean += other.clean
    wrong.merge(other.wrong, uniquingKeysWith: +)
    fromStart += other.fromStart
    fromOnset += other.fromOnset
    travel += other.travel
    farthest += other.farthest
    falseMotions += other.falseMotions
  }

  /// The wrong ones in a line, the most frequent first.
  package var wrongs: String {
    wrong.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
      .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }

  package static let header = [
    "class", "n", "clean", "share", "95 %", "from start", "p95", "from 0.1 mm", "p95", "travel",
    "wrong",
  ]

  package var row: [String] {
    [
      name, "\(count)", "\(clean)", share.shown(1) + " %",
      "\(interval.lowerBound.shown(1))–\(interval.upperBound.shown(1))",
      fromStart.quantile(0.5).map0("ms"),
      fromStart.quantile(0.95).map0("ms"), fromOnset.quantile(0.5).map0("ms"),
      fromOnset.quantile(0.95).map0("ms"), travel.quantile(0.5).map { $0.shown(2) + " mm" } ?? "–",
      wrongs,
    ]
  }
}

extension [Double] {
  /// The value below which that share of the values lies.
  package func quantile(_ share: Double) -> Double? {
    guard !isEmpty else { return nil }
    return sorted()[Swift.min(count - 1, Int(Double(count) * share))]
  }
}

extension Double? {
  fileprivate func map0(_ unit: String) -> String { map { $0.shown(0) + " " + unit } ?? "–" }
}

/// Columns side by side; the first and last to the left, numbers to the right.
package func printTable(_ header: [String], _ rows: [[String]]) {
  let widths = header.indices.map { column in
    ([header] + rows).map { $0[column].count }.max() ?? 0
  }
  for row in [header] + rows {
    let cells = row.indices.map { column -> String in
      let space = String(repeating: " ", count: widths[column] - row[column].count)
      if column == row.count - 1 { return row[column] }
      return column == 0 ? row[column] + space : space + row[column]
    }
    print(cells.joined(separator: "  "))
  }
}
