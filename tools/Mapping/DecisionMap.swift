/// What a recognizer decides, over two parameters of a stroke.
package struct DecisionMap: Sendable {
  package let setting: StrokeSetting
  package let rows: ValueRange
  package let columns: ValueRange
  /// A list a row.
  package let cells: [[Cell]]

  /// Plays `setting` with each of the rows' and the columns' values.
  package init(of setting: StrokeSetting, rows: ValueRange, columns: ValueRange) {
    self.setting = setting
    self.rows = rows
    self.columns = columns
    cells = Self.settings(setting, rows, columns).map { row in row.map { Cell($0.plan) } }
  }

  /// The stroke of each cell, a list a row.
  package static func settings(
    _ setting: StrokeSetting, _ rows: ValueRange, _ columns: ValueRange
  ) -> [[StrokeSetting]] {
    rows.values.map { row in
      columns.values.map { column in
        setting.with {
          $0[keyPath: rows.parameter.path] = row
          $0[keyPath: columns.parameter.path] = column
        }
      }
    }
  }

  /// The verdicts' letters, a string a row.
  package var letters: [String] { cells.map { row in String(row.map(\.verdict.rawValue)) } }

  package var count: Int { rows.values.count * columns.values.count }

  /// How many cells have each verdict that occurs, in the order of the verdicts.
  package var tally: [(verdict: Cell.Verdict, count: Int)] {
    Cell.Verdict.allCases.compactMap { verdict in
      let count = cells.joined().count { $0.verdict == verdict }
      return count > 0 ? (verdict, count) : nil
    }
  }

  /// How many cells have no decision on motion.
  package var blanks: Int { cells.joined().count { !$0.verdict.isMotion } }

  /// Cells whose verdict is another in `other`, a map of the same size.
  package func changes(to other: DecisionMap) -> Int {
    zip(cells.joined(), other.cells.joined()).count { $0.verdict != $1.verdict }
  }

  /// The rows and columns in which a verdict comes back after another: “share +0.10: ppdp”.
  package var islands: [String] {
    let rowLabels = Label.texts(rows).map { "\(rows.parameter.rawValue) \($0)" }
    let columnLabels = Label.texts(columns).map { "\(columns.parameter.rawValue) \($0)" }
    let upright = columns.values.indices.map { column in
      String(cells.map { $0[column].verdict.rawValue })
    }
    return zip(rowLabels + columnLabels, letters + upright)
      .filter { Self.hasIsland($0.1) }.map { "\($0.0): \($0.1)" }
  }

  /// Whether a letter comes back after another. Corrected decisions may lie between two letters.
  package static func hasIsland(_ letters: String) -> Bool {
    var seen: Set<Character> = []
    var last: Character?
    var isCorrected = false
    for letter in letters {
      if letter == Cell.Verdict.corrected.rawValue {
        isCorrected = true
        continue
      }
      if letter == last ? isCorrected : !seen.insert(letter).inserted { return true }
      (last, isCorrected) = (letter, false)
    }
    return false
  }
}

/// What is shown of a cell.
package enum Showing: String, Sendable, CaseIterable {
  case letters
  /// How far the farthest finger had gone at the decision.
  case mm
  /// How long after the onset of motion the decision came.
  case ms
}

extension Cell {
  package func text(_ showing: Showing) -> String {
    let number: String? =
      switch showing {
      case .letters: nil
      case .mm: travel.map { Label.text($0, places: 1) }
      case .ms: delay.map { Label.text($0, places: 0) }
      }
    return number ?? String(verdict.rawValue)
  }
}
