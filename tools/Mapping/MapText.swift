/// A map as text.
package struct MapText {
  package let map: DecisionMap
  package let showing: Showing

  package init(_ map: DecisionMap, showing: Showing = .letters) {
    self.map = map
    self.showing = showing
  }

  /// What is in the cells, a list a row.
  package var cells: [[String]] { map.cells.map { row in row.map { $0.text(showing) } } }

  /// The cells alone, tabs between them, a row a line.
  package var plain: String { cells.map { $0.joined(separator: "\t") + "\n" }.joined() }

  /// What ``plain`` wrote; `nil` if it has not the rows and columns of this map.
  package func cells(reading text: String) -> [[String]]? {
    let read = text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    let isSame =
      read.count == map.rows.values.count
      && read.allSatisfy { $0.count == map.columns.values.count }
    return isSame ? read : nil
  }

  /// The map with labels; where `cells` and `others` differ, brackets stand around.
  package func table(_ cells: [[String]], marking others: [[String]]? = nil) -> [String] {
    let marked = cells.enumerated().map { row, texts in
      texts.enumerated().map { column, text in
        guard let others else { return text }
        return others[row][column] == text ? "\(text) " : "[\(text)]"
      }
    }
    let columns = Label.texts(map.columns).map { others == nil ? $0 : "\($0) " }
    let width = (columns + marked.joined()).map(\.count).max() ?? 0
    let corner = "\(map.rows.parameter.title) \\ \(map.columns.parameter.title)"
    let rows = Label.texts(map.rows)
    let side = ([corner] + rows).map(\.count).max() ?? 0
    func line(_ label: String, _ texts: [String]) -> String {
      let label = label + String(repeating: " ", count: side - label.count)
      let cells = texts.map { String(repeating: " ", count: width + 2 - $0.count) + $0 }
      var line = label + cells.joined()
      while line.last == " " { line.removeLast() }
      return line
    }
    return [line(corner, columns)] + zip(rows, marked).map(line)
  }

  /// What the letters mean, and how many cells have them.
  package var legend: String {
    map.tally.map { "\($0.verdict.rawValue) \($0.verdict.name) \($0.count)" }
      .joined(separator: ", ")
  }

  /// How many cells differ.
  package static func differences(_ some: [[String]], _ others: [[String]]) -> Int {
    zip(some.joined(), others.joined()).count { $0 != $1 }
  }
}
