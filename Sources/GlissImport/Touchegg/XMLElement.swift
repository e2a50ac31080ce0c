import CExpat
import GlissConfiguration
import GlissEvents

struct XMLElement {
  var name: String
  var place: Place
  var attributes: [(name: String, value: String)] = []
  var children: [XMLElement] = []
  /// The text between its tags, without that of its children.
  var text = ""

  func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// The text of the last child with that name, without surrounding blanks.
  func value(_ name: String) -> String? { children.last { $0.name == name }?.text.trimmed }

  /// The words of that text, which plus signs separate.
  func words(_ name: String) -> [String] {
    (value(name) ?? "").split(separator: "+" as Character).map { String($0).trimmed }
      .filter { !$0.isEmpty }
  }
}

/// Reads a document with expat, but as leniently as touchégg: it accepts an `&` that begins no
/// reference, as in `a && b`, adjacent hyphens in a comment, and blanks before the declaration.
final class XMLReader {
  /// Deeper than any configuration.
  private static let depth = 32
  /// Replaces a lone `&` while expat parses: the last private-use character of Unicode, which takes
  /// one column like `&`.
  private static let loneAmpersand: Unicode.Scalar = "\u{10fffd}"

  private let parser: OpaquePointer
  private let name: String
  private var open: [XMLElement] = []
  private var root: XMLElement?
  private var refusal: Mistake?

  static func root(of source: ImportedText) throws(Mistake) -> XMLElement {
    // the bytes are known to be UTF-8, whatever the document says
    guard let parser = XML_ParserCreate("UTF-8") else {
      throw Mistake("out of memory", at: source.place(of: "", line: 1))
    }
    defer { XML_ParserFree(parser) }
    let reader = XMLReader(parser, source.name)
    return try withExtendedLifetime(reader) { () throws(Mistake) in try reader.read(source.bytes) }
  }

  private init(_ parser: OpaquePointer, _ name: String) {
    self.parser = parser
    self.name = name
  }

  private func read(_ bytes: [UInt8]) throws(Mistake) -> XMLElement {
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser, { XMLReader.from($0)?.begin($1, $2) }, { data, _ in XMLReader.from(data)?.end() })
    XML_SetCharacterDataHandler(parser) { XMLReader.from($0)?.take($1, $2) }
    XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, definesSomething in
      guard definesSomething != 0 else { return }
      XMLReader.from(data)?.refuse("a document type that defines something is not read; remove it")
    }
    let text = Self.prepared(bytes)
    let status = text.withUnsafeBytes {
      XML_Parse(parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count), 1)
    }
    if let refusal { throw refusal }
    guard status == XML_STATUS_OK, let root else {
      throw mistake(XML_GetErrorCode(parser))
    }
    return root
  }

  private static func from(_ data: UnsafeMutableRawPointer?) -> XMLReader? {
    let reader = data.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    // expat may finish its current work before it stops
    return reader?.refusal == nil ? reader : nil
  }

  private var place: Place {
    Place(
      file: name, line: Int(XML_GetCurrentLineNumber(parser)),
      column: Int(XML_GetCurrentColumnNumber(parser)) + 1)
  }

  private func mistake(_ code: XML_Error) -> Mistake {
    let problem = "not XML: " + (XML_ErrorString(code).map { String(cString: $0) } ?? "unknown")
    guard let last = open.last else { return Mistake(problem, at: place) }
    return switch code {
    case XML_ERROR_NO_ELEMENTS: Mistake("<\(last.name)> is never closed", at: last.place)
    case XML_ERROR_TAG_MISMATCH: Mistake("\(problem); </\(last.name)> was expected", at: place)
    case _: Mistake(problem, at: place)
    }
  }

  private func refuse(_ why: String) {
    refusal = Mistake(why, at: place)
    XML_StopParser(parser, 0)
  }

  private func begin(
    _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    guard open.count < Self.depth, let name else {
      return refuse("elements are nested too deeply")
    }
    var element = XMLElement(name: String(cString: name), place: place)
    var index = 0
    while let key = attributes?[index], let value = attributes?[index + 1] {
      element.attributes.append((String(cString: key), Self.meant(String(cString: value))))
      index += 2
    }
    open.append(element)
  }

  private func end() {
    guard let element = open.popLast() else { return }
    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
  }

  private func take(_ text: UnsafePointer<CChar>?, _ count: Int32) {
    guard let text, !open.isEmpty else { return }
    let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
    open[open.count - 1].text += Self.meant(String(decoding: bytes, as: UTF8.self))
  }

  // MARK: What XML does not allow

  private static func meant(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == loneAmpersand ? "&" : $0 }))
  }

  /// The text changed so that expat can read it, with everything at its old position.
  private static func prepared(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes[...]
    // the declaration must be at the very beginning
    let first = rest.prefix { " \t\r\n".utf8.contains($0) }
    if !first.isEmpty, rest.dropFirst(first.count).starts(with: "<?xml ".utf8) {
      rest = bytes[(first.endIndex + 5)...]
      result += Array(first) + Array("<?_ml".utf8)
    }
    while let byte = rest.first {
      let isComment = rest.starts(with: "<!--".utf8)
      if isComment || rest.starts(with: "<![CDATA[".utf8) {
        let start = isComment ? 4 : 9
        let content = rest.dropFirst(start).upTo(isComment ? "-->" : "]]>")
        result += rest.prefix(start)
        // XML forbids two adjacent hyphens in a comment
        result += isComment ? content.map { $0 == UInt8(ascii: "-") ? 0x20 : $0 } : Array(content)
        result += rest[content.endIndex...].prefix(3)
        rest = rest[content.endIndex...].dropFirst(3)
      } else if byte == UInt8(ascii: "&"), !beginsWithReference(rest.dropFirst()) {
        result += Array(String(loneAmpersand).utf8)
        rest = rest.dropFirst()
      } else if byte == UInt8(ascii: ">"), result.suffix(2).elementsEqual("]]".utf8) {
        result += Array("&gt;".utf8)
        rest = rest.dropFirst()
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  /// Whether the bytes after an `&` make it a reference to one of XML's five entities, or to a
  /// character that XML allows.
  private static func beginsWithReference(_ bytes: ArraySlice<UInt8>) -> Bool {
    let name = bytes.prefix(12).prefix { $0 != UInt8(ascii: ";") }
    guard name.endIndex < bytes.endIndex, bytes[name.endIndex] == UInt8(ascii: ";") else {
      return false
    }
    let text = String(decoding: name, as: UTF8.self)
    if ["lt", "gt", "amp", "quot", "apos"].contains(text) { return true }
    let radix = text.hasPrefix("#x") ? 16 : 10
    let digits = text.dropFirst(radix == 16 ? 2 : 1)
    guard text.hasPrefix("#"), digits.first?.isHexDigit ?? false,
      let code = UInt32(digits, radix: radix), Unicode.Scalar(code) != nil
    else { return false }
    return code < 0x20 ? [9, 10, 13].contains(code) : code & 0xfffe != 0xfffe
  }
}

extension ArraySlice<UInt8> {
  /// The bytes before `end`, or all of them.
  fileprivate func upTo(_ end: String) -> ArraySlice {
    self[..<(indices.first { self[$0...].starts(with: end.utf8) } ?? endIndex)]
  }
}
