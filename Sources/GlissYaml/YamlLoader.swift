import CYaml

/// Builds a ``YamlDocument`` from libyaml's events.
///
/// libyaml can build documents itself, but it refuses an anchor that is set again, searches all
/// anchors for every alias, and allows an alias inside its own target.
struct YamlLoader {
  private static let depth = 64

  var document = YamlDocument()
  private let mostAliased: Int
  /// The target of each anchor; `nil` until it is complete.
  private var anchors: [String: YamlNode?] = [:]
  private var open: [Container] = []
  private var aliased = 0

  private struct Container {
    var node: YamlNode
    var anchor: String?
    var nodes: [YamlNode] = []
  }

  init(aliased most: Int) { mostAliased = most }

  mutating func load(_ text: [UInt8]) throws(YamlError) {
    guard text.count <= 1 << 30 else {
      throw YamlError(mark: nil, problem: "this is more than a gigabyte")
    }
    var parser = yaml_parser_t()
    guard yaml_parser_initialize(&parser) == 1 else {
      throw YamlError(mark: nil, problem: "there is no memory for the YAML")
    }
    defer { yaml_parser_delete(&parser) }
    // a byte order mark would take up a column
    let text = text.starts(with: [0xef, 0xbb, 0xbf]) ? text[3...] : text[...]
    try text.withUnsafeBufferPointer { (buffer) throws(YamlError) in
      yaml_parser_set_input_string(&parser, buffer.baseAddress, buffer.count)
      yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
      try parse(&parser, text)
    }
  }

  private mutating func parse(
    _ parser: inout yaml_parser_t, _ text: ArraySlice<UInt8>
  ) throws(YamlError) {
    var event = yaml_event_t()
    var isOver = false
    while !isOver {
      guard yaml_parser_parse(&parser, &event) == 1 else { throw Self.failure(of: parser, text) }
      defer { yaml_event_delete(&event) }
      isOver = try take(&event)
    }
  }

  private mutating func take(
    _ event: UnsafePointer<yaml_event_t>  // large, so not copied
  ) throws(YamlError) -> Bool {
    let (start, end) = (YamlMark(event.pointee.start_mark), YamlMark(event.pointee.end_mark))
    switch event.pointee.type {
    case YAML_MAPPING_START_EVENT:
      try begin(.mapping([]), anchor: event.pointee.data.mapping_start.anchor, start, end)
    case YAML_SEQUENCE_START_EVENT:
      try begin(.sequence([]), anchor: event.pointee.data.sequence_start.anchor, start, end)
    case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT: endContainer(at: end)
    case YAML_SCALAR_EVENT: addScalar(event.pointee.data.scalar, start, end)
    case YAML_ALIAS_EVENT: try addAlias(event.pointee.data.alias.anchor, at: start)
    case YAML_DOCUMENT_START_EVENT where document.root != nil:
      document.secondDocument = start
      return true
    case YAML_STREAM_END_EVENT: return true
    case _: break
    }
    return false
  }

  private mutating func addScalar(
    _ scalar: yaml_event_t.__Unnamed_union_data.__Unnamed_struct_scalar, _ start: YamlMark,
    _ end: YamlMark
  ) {
    let style: YamlDocument.Style =
      switch scalar.style {
      case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
      case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
      case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
      case _: .plain
      }
    let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
    let node = add(.scalar(String(decoding: bytes, as: UTF8.self), style), start, end)
    if let anchor = Self.name(scalar.anchor) { anchors[anchor] = node }
    place(node)
  }

  private mutating func begin(
    _ content: YamlDocument.Content, anchor: UnsafeMutablePointer<yaml_char_t>?,
    _ start: YamlMark, _ end: YamlMark
  ) throws(YamlError) {
    guard open.count < Self.depth else { throw tooDeep(at: start) }
    let anchor = Self.name(anchor)
    if let anchor { anchors[anchor] = .some(nil) }
    open.append(Container(node: add(content, start, end), anchor: anchor))
  }

  private mutating func endContainer(at end: YamlMark) {
    guard let container = open.popLast() else { return }
    let index = container.node.number
    for node in container.nodes {
      document.entries[index].size += document.entries[node.number].size
      document.entries[index].height = max(
        document.entries[index].height, document.entries[node.number].height)
    }
    document.entries[index].height += 1
    switch document.entries[index].content {
    case .mapping:
      // libyaml gives every key a value, if only an empty scalar
      let pairs = (0..<container.nodes.count / 2).map {
        (key: container.nodes[2 * $0], value: container.nodes[2 * $0 + 1])
      }
      document.entries[index].content = .mapping(pairs)
    case .sequence: document.entries[index].content = .sequence(container.nodes)
    case .scalar: break
    }
    document.entries[index].end = end
    if let anchor = container.anchor { anchors[anchor] = container.node }
    place(container.node)
  }

  private mutating func addAlias(
    _ anchor: UnsafeMutablePointer<yaml_char_t>?, at mark: YamlMark
  ) throws(YamlError) {
    guard let name = Self.name(anchor), let found = anchors[name] else {
      throw YamlError(mark: mark, problem: "found undefined alias")
    }
    guard let node = found else {
      throw YamlError(mark: mark, problem: "found an alias within what it stands for")
    }
    let entry = document.entries[node.number]
    guard open.count + entry.height <= Self.depth else { throw tooDeep(at: mark) }
    aliased += entry.size
    guard aliased <= mostAliased else {
      throw YamlError(mark: mark, problem: "the aliases stand for more than \(mostAliased) values")
    }
    place(node)
  }

  private mutating func add(
    _ content: YamlDocument.Content, _ start: YamlMark, _ end: YamlMark
  ) -> YamlNode {
    document.entries.append(YamlDocument.Entry(content: content, start: start, end: end))
    return YamlNode(number: document.entries.count - 1)
  }

  private mutating func place(_ node: YamlNode) {
    if open.isEmpty { document.root = node } else { open[open.count - 1].nodes.append(node) }
  }

  private func tooDeep(at mark: YamlMark) -> YamlError {
    YamlError(mark: mark, problem: "nested deeper than \(Self.depth) levels")
  }

  private static func name(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    text.map { String(cString: $0) }
  }

  private static func failure(of parser: yaml_parser_t, _ text: ArraySlice<UInt8>) -> YamlError {
    let problem = parser.problem.map { String(cString: $0) } ?? "not YAML"
    switch parser.error {
    case YAML_READER_ERROR:
      // libyaml gives no place for errors in reading bytes
      let before = Array(text.prefix(parser.problem_offset))
      return YamlError(mark: YamlMark(behind: before), problem: problem)
    case YAML_SCANNER_ERROR
    where problem == "found unexpected end of stream" || problem == "could not find expected ':'":
      // an unclosed quote extends to the end, and a missing colon is noticed at the next word: report
      // where the text begins
      return YamlError(mark: YamlMark(parser.context_mark), problem: problem)
    case YAML_MEMORY_ERROR: return YamlError(mark: nil, problem: "there is no memory for the YAML")
    case _:
      return YamlError(
        mark: YamlMark(parser.problem_mark), problem: problem,
        context: parser.context.map { _ in YamlMark(parser.context_mark) })
    }
  }
}

extension YamlMark {
  init(_ mark: yaml_mark_t) {
    self.init(line: Int(mark.line), column: Int(mark.column))
  }

  fileprivate init(behind bytes: [UInt8]) {
    let starts = Self.lineStarts(in: bytes)
    // count the first byte of each character
    let column = bytes[(starts.last ?? 0)...].count { $0 & 0xc0 != 0x80 }
    self.init(line: starts.count - 1, column: column)
  }

  /// The offsets of lines: after line feeds, carriage returns and Unicode's line ends, as libyaml
  /// counts them.
  package static func lineStarts(in bytes: [UInt8], withUnicode: Bool = true) -> [Int] {
    var starts = [bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0]
    for (index, byte) in bytes.enumerated() where byte == 0x0a || byte == 0x0d || byte >= 0x85 {
      let isEnd =
        switch byte {
        case 0x0a: true
        case 0x0d: index + 1 == bytes.count || bytes[index + 1] != 0x0a
        case _ where !withUnicode: false
        case 0x85: index > 0 && bytes[index - 1] == 0xc2
        case 0xa8, 0xa9: index > 1 && bytes[index - 1] == 0x80 && bytes[index - 2] == 0xe2
        case _: false
        }
      if isEnd { starts.append(index + 1) }
    }
    return starts
  }
}
