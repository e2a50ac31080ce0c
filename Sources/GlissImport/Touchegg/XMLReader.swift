import GlissConfiguration

/// Reads the XML that configuration files use: elements, attributes, text, comments, CDATA, the
/// five entities and character references. Other references are kept as text and reported. A
/// document type is skipped, and refused if it contains definitions.
struct XMLReader {
  /// Deeper than any configuration.
  private static let depth = 32

  private let source: ImportedText
  private var offset = 0

  /// The first unknown reference, and how many there are.
  private(set) var unknownReferences: (first: String, place: Place, count: Int)?

  init(_ source: ImportedText) { self.source = source }

  private var bytes: [UInt8] { source.bytes }

  /// The document's root element.
  mutating func root() throws(Mistake) -> XMLElement {
    var open: [XMLElement] = []
    var root: XMLElement?
    while offset < bytes.count {
      guard bytes[offset] == UInt8(ascii: "<") else {
        let start = offset
        let text = characters()
        if open.isEmpty {
          guard text.trimmed.isEmpty else {
            throw mistake("text stands outside of the element", start)
          }
        } else {
          open[open.count - 1].text += text
        }
        continue
      }
      if skip("<!--") {
        try skip(past: "-->", "a comment has no end; --> was expected")
      } else if skip("<![CDATA[") {
        let text = try cdata()
        guard !open.isEmpty else { throw mistake("CDATA stands outside of the element", offset) }
        open[open.count - 1].text += text
      } else if skip("<?") {
        try skip(past: "?>", "what <? begins has no end; ?> was expected")
      } else if skip("<!DOCTYPE") {
        try documentType()
      } else if skip("</") {
        let start = offset - 2
        let name = try name()
        blanks()
        guard skip(">") else { throw mistake("> was expected", offset) }
        guard let element = open.popLast() else {
          throw mistake("</\(name)> closes nothing", start)
        }
        guard element.name == name else {
          throw mistake(
            "</\(name)> closes <\(element.name)> of line \(element.place.line); </\(element.name)> was expected",
            start)
        }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
      } else {
        let start = offset
        let (element, isEmpty) = try startTag()
        if open.isEmpty, root != nil { throw mistake("there is a second root element", start) }
        guard open.count < Self.depth else {
          throw mistake("elements are nested too deeply", start)
        }
        if !isEmpty {
          open.append(element)
        } else if open.isEmpty {
          root = element
        } else {
          open[open.count - 1].children.append(element)
        }
      }
    }
    if let last = open.last {
      throw Mistake(
        "<\(last.name)> is never closed; </\(last.name)> was expected", at: last.place)
    }
    guard let root else { throw mistake("there is no element; this is not an XML file", 0) }
    return root
  }

  // MARK: Tags

  private mutating func startTag() throws(Mistake) -> (XMLElement, isEmpty: Bool) {
    var element = XMLElement(name: "", place: source.place(at: offset))
    offset += 1
    element.name = try name()
    while true {
      let hadBlank = blanks()
      if skip("/>") { return (element, true) }
      if skip(">") { return (element, false) }
      guard offset < bytes.count else {
        throw mistake("the tag <\(element.name) has no end; > was expected", offset)
      }
      guard hadBlank else { throw mistake("a blank, > or /> was expected", offset) }
      let place = source.place(at: offset)
      let attribute = try name()
      blanks()
      guard skip("=") else { throw mistake("= was expected after \(attribute)", offset) }
      blanks()
      let value = try quotedValue(attribute)
      guard element.attribute(attribute) == nil else {
        throw Mistake("\(attribute) stands here for the second time", at: place)
      }
      element.attributes.append(
        XMLElement.Attribute(name: attribute, value: value, place: place))
    }
  }

  private mutating func quotedValue(_ attribute: String) throws(Mistake) -> String {
    guard offset < bytes.count,
      bytes[offset] == UInt8(ascii: "\"") || bytes[offset] == UInt8(ascii: "'")
    else { throw mistake("the value of \(attribute) must stand between quotes", offset) }
    let quote = bytes[offset]
    let start = offset
    offset += 1
    var value: [UInt8] = []
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == quote {
        offset += 1
        return String(decoding: value, as: UTF8.self)
      }
      if byte == UInt8(ascii: "<") { throw mistake("< must be written &lt; here", offset) }
      if byte == UInt8(ascii: "&") {
        value += reference()
      } else {
        value.append(byte)
        offset += 1
      }
    }
    throw mistake("the value of \(attribute) has no closing quote", start)
  }

  private mutating func name() throws(Mistake) -> String {
    let start = offset
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...0xff:
        offset += 1
        continue
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
        if offset > start {
          offset += 1
          continue
        }
      case _: break
      }
      break
    }
    guard offset > start else { throw mistake("a name was expected", start) }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  // MARK: Text

  private mutating func characters() -> String {
    var text: [UInt8] = []
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "<") {
      if bytes[offset] == UInt8(ascii: "&") {
        text += reference()
      } else {
        text.append(bytes[offset])
        offset += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func cdata() throws(Mistake) -> String {
    let start = offset
    try skip(past: "]]>", "CDATA has no end; ]]> was expected")
    return String(decoding: bytes[start..<(offset - 3)], as: UTF8.self)
  }

  /// The meaning of `&…;`, or the text itself if it is unknown.
  private mutating func reference() -> [UInt8] {
    let start = offset
    let name = bytes[(start + 1)...].prefix(Self.longestReference).prefix { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "#"):
        true
      case _: false
      }
    }
    let isWhole = name.endIndex < bytes.count && bytes[name.endIndex] == UInt8(ascii: ";")
    if isWhole, let meant = Self.meaning(of: String(decoding: name, as: UTF8.self)) {
      offset = name.endIndex + 1
      return meant
    }
    offset += 1
    let written = isWhole ? bytes[start...name.endIndex] : bytes[start...start]
    if let found = unknownReferences {
      unknownReferences = (found.first, found.place, found.count + 1)
    } else {
      unknownReferences = (String(decoding: written, as: UTF8.self), source.place(at: start), 1)
    }
    return [UInt8(ascii: "&")]
  }

  /// In bytes: longer than the `#x0010FFFF` of `&#x0010FFFF;`.
  private static let longestReference = 16

  private static func meaning(of name: String) -> [UInt8]? {
    switch name {
    case "lt": return [UInt8(ascii: "<")]
    case "gt": return [UInt8(ascii: ">")]
    case "amp": return [UInt8(ascii: "&")]
    case "quot": return [UInt8(ascii: "\"")]
    case "apos": return [UInt8(ascii: "'")]
    case _: break
    }
    guard name.first == "#" else { return nil }
    let isHex = name.hasPrefix("#x")
    guard let code = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10), code > 0,
      let scalar = Unicode.Scalar(code)
    else { return nil }
    return Array(String(scalar).utf8)
  }

  // MARK: What is passed over

  private mutating func documentType() throws(Mistake) {
    let start = offset
    while offset < bytes.count {
      if bytes[offset] == UInt8(ascii: "[") {
        throw mistake("a document type that defines something is not read; take it out", start)
      }
      offset += 1
      if bytes[offset - 1] == UInt8(ascii: ">") { return }
    }
    throw mistake("the document type has no end; > was expected", start)
  }

  @discardableResult private mutating func blanks() -> Bool {
    let start = offset
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        offset += 1
      case _: return offset > start
      }
    }
    return offset > start
  }

  private mutating func skip(_ text: StaticString) -> Bool {
    let matches = text.withUTF8Buffer { bytes[offset...].starts(with: $0) }
    if matches { offset += text.utf8CodeUnitCount }
    return matches
  }

  private mutating func skip(past end: StaticString, _ problem: String) throws(Mistake) {
    let start = offset
    while offset < bytes.count {
      if skip(end) { return }
      offset += 1
    }
    throw mistake(problem, start)
  }

  private func mistake(_ problem: String, _ offset: Int) -> Mistake {
    Mistake(problem, at: source.place(at: offset))
  }
}

/// An element of an XML document, with its place.
struct XMLElement {
  struct Attribute {
    var name: String
    var value: String
    var place: Place
  }

  var name: String
  var place: Place
  var attributes: [Attribute] = []
  var children: [XMLElement] = []
  /// The text between its tags, without that of its children.
  var text = ""

  func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// The text of the last child with that name, without surrounding blanks.
  func value(_ name: String) -> String? { children.last { $0.name == name }?.text.trimmed }
}
