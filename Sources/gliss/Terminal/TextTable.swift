/// A table whose columns are as wide as their contents.
struct TextTable {
  /// A column with one cell per row.
  struct Column {
    var title: String
    var cells: [String]
    var isNumber = false

    init(_ title: String, _ cells: [String], isNumber: Bool = false) {
      self.title = title
      self.cells = cells
      self.isNumber = isNumber
    }

    var width: Int { max(title.count, cells.map(\.count).max() ?? 0) }

    func cell(_ text: String) -> String {
      (isNumber ? text.aligned(width) : text.padded(width)) + "  "
    }
  }

  /// The last column is cut on a terminal if a row does not fit. In a pipe it is complete.
  private let columns: [Column]
  private let last: Column
  private let terminal: Terminal

  init(_ columns: [Column], last: Column, on terminal: Terminal) {
    self.columns = columns
    self.last = last
    self.terminal = terminal
  }

  var heading: String {
    Style.dim(columns.map { $0.cell($0.title) }.joined() + last.title, on: terminal)
  }

  /// - Parameter emphasis: The last cell's style.
  func row(_ index: Int, _ emphasis: Style? = nil) -> String {
    let cells = columns.map { $0.cell($0.cells[index]) }.joined()
    let text = cut(last.cells[index], to: terminal.width - cells.count)
    return cells + (emphasis.map { $0(text, on: terminal) } ?? text)
  }

  /// The heading and all rows; empty if there are no rows.
  var lines: [String] { last.cells.isEmpty ? [] : [heading] + last.cells.indices.map { row($0) } }

  private func cut(_ text: String, to width: Int) -> String {
    width > 3 ? text.cut(to: width) : text
  }
}
