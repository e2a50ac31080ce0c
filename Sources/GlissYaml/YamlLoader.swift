import CYaml

/// Builds a ``YamlDocument`` from libyaml's events.
///
/// libyaml can build documents itself, but it searches all anchors for every alias, and it allows
/// an alias inside its own target.
struct YamlLoader {
  private typealias Entry = YamlDocument.Entry

  var document = YamlDocument()
  private let limits: YamlLimits
  /// The target of each anchor; `nil` until it is complete.
  private var anchors: [String: YamlNode?] = [:]
  private var open: [Container] = []
  /// The nodes of the open containers, one container after the other.
  private var waiting: [YamlNode] = []
  private var aliased = 0

  private struct Container {
    var node: YamlNode
    var anchor: String?
    var firstWaiting: Int
  }

  init(_ limits: YamlLimits) { self.limits = limits }

  mutating func load(_ text: [UInt8]) throws(YamlError) {
    guard text.count <= 1 << 30 else {
      throw YamlError(mark: nil, problem: "this is more than a gigabyte")
    }
    // a scalar's text is never longer than its source, and most nodes take at least a word and a
    // mark; memory reserved in excess is never touched
    document.bytes.reserveCapacity(text.count)
    document.entries.reserveCapacity(text.count / 6)
    document.contents.reserveCapacity(text.count / 6)
    var parser = yaml_parser_t()
    guard yaml_parser_initialize(&parser) == 1 else {
      throw YamlError(mark: nil, problem: "there is no memory for the YAML")
    }
    defer { yaml_parser_delete(&parser) }
    // a byte order mark would take up a column
    let text = text.starts(with: [0xef, 0xbb, 0xbf]) ? text[3...] : text[...]
    // `withUnsafeBufferPointer` would lose the type of a thrown error
    let failure = text.withUnsafeBufferPointer { buffer -> YamlError? in
      yaml_parser_set_input_string(&parser, buffer.baseAddress, buffer.count)
      yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
      do throws(YamlError) {
        try parse(&parser, text)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
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

  /// Returns whether this was the last event.
  private mutating func take(
    _ event: UnsafePointer<yaml_event_t>  // large, so not copied
  ) throws(YamlError) -> Bool {
    let (start, end) = (YamlMark(event.pointee.start_mark), YamlMark(event.pointee.end_mark))
    switch event.pointee.type {
    case YAML_MAPPING_START_EVENT:
      try begin(.mapping, anchor: event.pointee.data.mapping_start.anchor, start, end)
    case YAML_SEQUENCE_START_EVENT:
      try begin(.sequence, anchor: event.pointee.data.sequence_start.anchor, start, end)
    case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT: endContainer(at: end)
    case YAML_SCALAR_EVENT:
      let bytes = UnsafeBufferPointer(
        start: event.pointee.data.scalar.value, count: event.pointee.data.scalar.length)
      addScalar(
        bytes, event.pointee.data.scalar.style, anchor: event.pointee.data.scalar.anchor, start, end
      )
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
    _ bytes: UnsafeBufferPointer<yaml_char_t>, _ style: yaml_scalar_style_t,
    anchor: UnsafeMutablePointer<yaml_char_t>?, _ start: YamlMark, _ end: YamlMark
  ) {
    let style: YamlDocument.Style =
      switch style {
      case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
      case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
      case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
      case _: .plain
      }
    var entry = Entry(
      kind: .scalar, style: style, start: Int32(clamping: document.bytes.count),
      beginning: start, ending: end)
    entry.count = Int32(clamping: bytes.count)
    document.bytes += bytes
    let node = add(entry)
    if let anchor = Self.name(anchor) { anchors[anchor] = node }
    place(node)
  }

  private mutating func begin(
    _ kind: YamlDocument.Kind, anchor: UnsafeMutablePointer<yaml_char_t>?, _ start: YamlMark,
    _ end: YamlMark
  ) throws(YamlError) {
    guard open.count < limits.depth else { throw tooDeep(at: start) }
    let anchor = Self.name(anchor)
    if let anchor { anchors[anchor] = .some(nil) }
    let node = add(Entry(kind: kind, style: .plain, start: 0, beginning: start, ending: end))
    open.append(Container(node: node, anchor: anchor, firstWaiting: waiting.count))
  }

  private mutating func endContainer(at end: YamlMark) {
    guard let container = open.popLast() else { return }
    let count = waiting.count - container.firstWaiting
    let index = Int(container.node.number)
    var (size, height) = (1, UInt16(0))
    // index into the array instead of keeping a slice, which would make the removal below copy it
    for place in container.firstWaiting..<waiting.count {
      let inner = document.entry(waiting[place])
      size += Int(inner.size)
      height = max(height, inner.height)
    }
    document.entries[index].start = Int32(clamping: document.contents.count)
    document.entries[index].count = Int32(clamping: count)
    document.entries[index].ending = end
    document.entries[index].size = UInt32(clamping: size)
    document.entries[index].height = height + 1
    document.contents += waiting[container.firstWaiting...]
    waiting.removeLast(count)
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
    let entry = document.entry(node)
    guard open.count + Int(entry.height) <= limits.depth else { throw tooDeep(at: mark) }
    aliased += Int(entry.size)
    guard aliased <= limits.aliased else {
      throw YamlError(
        mark: mark, problem: "the aliases stand for more than \(limits.aliased) values")
    }
    place(node)
  }

  private mutating func add(_ entry: Entry) -> YamlNode {
    document.entries.append(entry)
    return YamlNode(number: Int32(clamping: document.entries.count - 1))
  }

  private mutating func place(_ node: YamlNode) {
    if open.isEmpty { document.root = node } else { waiting.append(node) }
  }

  private func tooDeep(at mark: YamlMark) -> YamlError {
    YamlError(mark: mark, problem: "nested deeper than \(limits.depth) levels")
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
    case YAML_SCANNER_ERROR where problem == "found unexpected end of stream":
      // an unclosed quote extends to the end, so report where it begins
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
    lines = Int32(clamping: mark.line)
    columns = Int32(clamping: mark.column)
  }

  /// The place after the last of `bytes`.
  fileprivate init(behind bytes: [UInt8]) {
    let starts = Self.lineStarts(in: bytes)
    // count the first byte of each character
    let column = bytes[(starts.last ?? 0)...].count { $0 & 0xc0 != 0x80 }
    self.init(line: starts.count - 1, column: column)
  }

  /// The offsets of lines: after line feeds, carriage returns and Unicode's line ends, as libyaml
  /// counts them.
  package static func lineStarts(in bytes: [UInt8]) -> [Int] {
    var starts = [bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0]
    for (index, byte) in bytes.enumerated() where byte == 0x0a || byte == 0x0d || byte >= 0x85 {
      let isEnd =
        switch byte {
        case 0x0a: true
        case 0x0d: index + 1 == bytes.count || bytes[index + 1] != 0x0a
        case 0x85: index > 0 && bytes[index - 1] == 0xc2
        case 0xa8, 0xa9: index > 1 && bytes[index - 1] == 0x80 && bytes[index - 2] == 0xe2
        case _: false
        }
      if isEnd { starts.append(index + 1) }
    }
    return starts
  }
}
