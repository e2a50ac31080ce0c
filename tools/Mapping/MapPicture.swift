/// A map as an SVG file that can be read on light and dark pages.
package struct MapPicture {
  private let text: MapText
  private let cells: [[String]]
  /// Another map's cells; where they differ, the cell has a frame.
  private let others: [[String]]?

  package init(_ text: MapText, marking others: [[String]]? = nil) {
    self.text = text
    cells = text.cells
    self.others = others
  }

  // in pixels
  private static let row = 22
  private static let letter = 8
  private static let margin = 16
  /// Title and column labels.
  private static let head = 66

  private var columnLabels: [String] { Label.texts(text.map.columns) }
  private var rowLabels: [String] { Label.texts(text.map.rows) }

  /// The width of a column: that of its longest text.
  private var column: Int {
    let longest = (columnLabels + cells.joined()).map(\.count).max() ?? 1
    return max(Self.row, (longest + 1) * Self.letter)
  }

  private var left: Int {
    Self.margin + ((rowLabels + [corner]).map(\.count).max() ?? 0) * Self.letter + 8
  }

  private var corner: String {
    "\(text.map.rows.parameter.title) \\ \(text.map.columns.parameter.title)"
  }

  private var title: String {
    text.map.setting.text(without: [text.map.rows.parameter, text.map.columns.parameter])
  }

  /// The whole file.
  package var svg: String {
    let legend = legend
    let bottom = Self.head + rowLabels.count * Self.row + 10
    let width = max(left + columnLabels.count * column, title.count * Self.letter) + Self.margin
    let height = bottom + legend.count * Self.row + Self.margin
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" "
        + "viewBox=\"0 0 \(width) \(height)\" role=\"img\">",
      "<title>\(Self.escaped("What is decided: \(title)"))</title>", Self.style,
      "<rect class=\"page\" width=\"100%\" height=\"100%\"/>",
      Self.label(title, x: Self.margin, y: 24),
      Self.label(corner, x: left - 8, y: Self.head - 8, anchor: "end"),
    ]
    for (index, label) in columnLabels.enumerated() {
      lines.append(
        Self.label(label, x: middle(of: index), y: Self.head - 8, anchor: "middle"))
    }
    for row in cells.indices { lines += line(row) }
    for (index, entry) in legend.enumerated() {
      let y = bottom + index * Self.row
      lines.append(Self.box(entry.look, x: Self.margin, y: y, width: Self.row))
      lines.append(Self.label(entry.text, x: Self.margin + Self.row + 8, y: y + 16))
    }
    return (lines + ["</svg>", ""]).joined(separator: "\n")
  }

  private func middle(of index: Int) -> Int { left + index * column + column / 2 }

  private func line(_ row: Int) -> [String] {
    let y = Self.head + row * Self.row
    var lines = [Self.label(rowLabels[row], x: left - 8, y: y + 16, anchor: "end")]
    for (index, cell) in text.map.cells[row].enumerated() {
      let other = others.map { $0[row][index] }
      let isMarked = other.map { $0 != cells[row][index] } ?? false
      let look = cell.verdict.look + (isMarked ? " other" : "")
      lines.append(Self.box(look, x: left + index * column, y: y, width: column))
      lines.append(
        Self.label(
          cells[row][index], x: middle(of: index), y: y + 16, anchor: "middle", look: "cell"))
    }
    return lines
  }

  private var legend: [(look: String, text: String)] {
    var legend = text.map.tally.map { entry in
      (entry.verdict.look, "\(entry.verdict.rawValue) \(entry.verdict.name): \(entry.count)")
    }
    if let others {
      let count = MapText.differences(cells, others)
      legend.append(("hollow other", "differs from the other commit: \(count)"))
    }
    return legend
  }

  // MARK: Elements

  private static func label(
    _ text: String, x: Int, y: Int, anchor: String = "start", look: String = "label"
  ) -> String {
    "<text class=\"\(look)\" x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\">\(escaped(text))</text>"
  }

  private static func box(_ look: String, x: Int, y: Int, width: Int) -> String {
    "<rect class=\"\(look)\" x=\"\(x + 1)\" y=\"\(y + 1)\" width=\"\(width - 2)\" "
      + "height=\"\(row - 2)\" rx=\"2\"/>"
  }

  /// Text between tags: what XML reads as something else is written out.
  package static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case _ where character.value < 0x20 && !"\t\n\r".unicodeScalars.contains(character):
        escaped += "\u{fffd}"
      case _: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  /// Cells are light with dark letters on both kinds of page.
  private static let style = """
    <style>
    text { font: 13px ui-monospace, "DejaVu Sans Mono", monospace; }
    .page { fill: #ffffff; } .label { fill: #1f2328; } .cell { fill: #16181b; }
    .drag { fill: #9cc7f2; } .pinch { fill: #f6c177; } .rotation { fill: #a9dba0; }
    .swipe { fill: #d3b8f0; } .still { fill: #d9dde2; } .corrected { fill: #f2a1a1; }
    .nothing { fill: #ffffff; stroke: #8b949e; }
    .other { stroke: #c0152f; stroke-width: 2.5; } .hollow { fill: none; }
    @media (prefers-color-scheme: dark) {
    .page { fill: #0f1318; } .label { fill: #e6edf3; } .other { stroke: #ff5c74; }
    }
    </style>
    """
}

extension Cell.Verdict {
  /// The class that gives it its colour.
  fileprivate var look: String { self == .tap || self == .hold ? "still" : name }
}
