/// What a recorded stroke was meant to be, in a comment that other readers ignore.
package enum RecordingLabel {
  private static let mark = "# gliss label: "

  /// The line, with its line feed.
  static func line(_ label: String) -> String { "\(mark)\(label)\n" }

  /// The label in the first bytes of a recording; `nil` if it has none.
  package static func found(in head: [UInt8]) -> String? {
    for line in head.split(separator: UInt8(ascii: "\n")) {
      guard line.first == UInt8(ascii: "#") else { return nil }
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix(mark) { return String(text.dropFirst(mark.count)) }
    }
    return nil
  }
}
