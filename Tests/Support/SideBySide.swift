/// Two outputs in two columns, with a mark where they differ.
package enum SideBySide {
  package static func text(expected: String, got: String) -> String {
    let left = expected.split(separator: "\n").map(short)
    let right = got.split(separator: "\n").map(short)
    let width = left.map(\.count).max() ?? 0
    let rows = (0..<max(left.count, right.count)).map { i -> String in
      let (a, b) = (i < left.count ? left[i] : "", i < right.count ? right[i] : "")
      let space = String(repeating: " ", count: width - a.count)
      return "\(a == b ? " " : "≠") \(a)\(space) | \(b)"
    }
    // around the first difference: a long gesture has hundreds of equal lines
    let first = rows.firstIndex { $0.hasPrefix("≠") } ?? 0
    let shown = rows[max(0, first - 3)..<min(rows.count, first + 25)]
    return (["  expected\(String(repeating: " ", count: max(0, width - 8))) | got"] + shown)
      .joined(separator: "\n")
  }

  /// A line without what is the same in all of them.
  private static func short(_ line: Substring) -> String {
    line.split(separator: ",").filter { part in
      !["\"file\"", "\"device\"", "\"kind\""].contains(where: part.hasPrefix)
    }.joined(separator: ",")
  }
}
