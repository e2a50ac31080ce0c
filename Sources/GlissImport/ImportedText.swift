import GlissConfiguration
import GlissEvents
import GlissYaml

struct ImportedText {
  let name: String
  /// Without a byte order mark.
  let bytes: [UInt8]
  private let starts: [Int]

  /// - Parameter isYaml: whether Unicode's line ends end a line, too.
  /// - Throws: if the file is not text.
  init(_ text: ConfigurationText, isYaml: Bool = false) throws(Mistake) {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    name = text.name
    bytes = text.bytes.starts(with: mark) ? Array(text.bytes.dropFirst(3)) : text.bytes
    starts = YamlMark.lineStarts(in: bytes, withUnicode: isYaml)
    if let wrong = Self.firstNoText(bytes) {
      throw Mistake(
        bytes[wrong] == 0
          ? "here is a NUL, so this is not a text file; give the file that the tool itself reads"
          : "this is not UTF-8; save the file as UTF-8 and import it again", at: place(at: wrong))
    }
  }

  func yaml(from line: Int = 1) throws(Mistake) -> YamlDocument {
    do throws(YamlError) {
      let start = starts.indices.contains(line - 1) ? starts[line - 1] : bytes.count
      return try YamlDocument(Array(bytes[start...]), aliased: 20_000)
    } catch {
      throw Mistake(
        "not YAML: \(error.problem)",
        at: place(of: error.mark ?? YamlMark(line: 0, column: 0), from: line))
    }
  }

  /// The place of a mark in the document that begins at a line.
  func place(of mark: YamlMark, from line: Int = 1) -> Place {
    Place(file: name, line: line + mark.line, column: mark.column + 1)
  }

  /// The number of lines, including an empty last one.
  var lineCount: Int { starts.count }

  /// A line's text without its end. Lines are counted from 1.
  func line(_ number: Int) -> String {
    guard starts.indices.contains(number - 1) else { return "" }
    let end = number < starts.count ? starts[number] : bytes.count
    let line = String(decoding: bytes[starts[number - 1]..<end], as: UTF8.self)
    return line.last?.isNewline == true ? String(line.dropLast()) : line
  }

  func source(_ number: Int) -> ImportedFile.SourceLine {
    let file = name.split(separator: "/" as Character).last.map(String.init) ?? name
    return ImportedFile.SourceLine(file: file, number: number, text: line(number).trimmed)
  }

  func place(at offset: Int) -> Place {
    let line = starts.lastIndex { $0 <= offset } ?? 0
    let before = bytes[starts[line]..<offset]
    return Place(
      file: name, line: line + 1, column: String(decoding: before, as: UTF8.self).count + 1)
  }

  /// The first place of `word` in a line, or else the beginning of the line's text.
  func place(of word: String, line number: Int) -> Place {
    let line = line(number)
    let found = word.isEmpty ? nil : line.indices.first { line[$0...].starts(with: word) }
    let start = found ?? line.firstIndex { !$0.isWhitespace } ?? line.startIndex
    return Place(
      file: name, line: number, column: line.distance(from: line.startIndex, to: start) + 1)
  }

  private static func firstNoText(_ bytes: [UInt8]) -> Int? {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar):
        if scalar.value == 0 { return offset }
        offset += UTF8.width(scalar)
      case .emptyInput: return nil
      case .error: return min(offset, bytes.count - 1)
      }
    }
  }
}

extension String {
  /// The form quoted in a message: tabs become blanks, and a symbol marks line ends.
  var onOneLine: String {
    guard utf8.contains(where: { (0x09...0x0d).contains($0) }) else { return self }
    return split(whereSeparator: \.isNewline)
      .map { String($0.map { $0 == "\t" ? " " : $0 }).trimmed }.filter { !$0.isEmpty }
      .joined(separator: " ⏎ ")
  }

  func has(_ word: String) -> Bool {
    utf8.indices.contains { utf8[$0...].starts(with: word.utf8) }
  }

  var words: [String] { split(whereSeparator: \.isWhitespace).map(String.init) }

  var cutAtBlank: (String, String) {
    guard let blank = firstIndex(where: \.isWhitespace) else { return (self, "") }
    return (String(self[..<blank]), String(self[blank...]).trimmed)
  }
}

extension Unicode.Scalar {
  var isOfName: Bool {
    isASCII && (properties.isAlphabetic || ("0"..."9").contains(self)) || self == "-" || self == "_"
  }
}

extension ClosedRange {
  func nearest(to value: Bound) -> Bound { Swift.min(Swift.max(value, lowerBound), upperBound) }
}

extension ClosedRange<Int> {
  /// The values for these numbers: one for each run of consecutive numbers that have the same
  /// `value`, with the run's numbers in `range`. Leaves out numbers without a value.
  func runs<Value: Equatable>(
    _ range: WritableKeyPath<Value, ClosedRange?>, _ value: (Int) -> Value?
  ) -> [Value] {
    var runs: [Value] = []
    for number in self {
      guard var next = value(number) else { continue }
      let last = runs.last?[keyPath: range]
      next[keyPath: range] = last
      if let last, last.upperBound == number - 1, runs.last == next {
        runs[runs.count - 1][keyPath: range] = last.lowerBound...number
      } else {
        next[keyPath: range] = number...number
        runs.append(next)
      }
    }
    return runs
  }
}
