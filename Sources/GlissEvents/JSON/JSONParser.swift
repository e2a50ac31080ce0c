extension JSON {
  /// Limits above which a message is rejected.
  package struct Limits: Hashable, Sendable {
    package var bytes: Int
    /// The maximum nesting depth of arrays and objects.
    package var depth: Int
    /// The maximum number of values in all, where arrays, objects and their contents each count.
    /// 1,024 events with three values each fit.
    package var values: Int
    /// Whether strings must be ``Swift/String/isStreamSafe``, as those of unknown programs must.
    package var onlyStreamSafe: Bool

    package init(
      bytes: Int = 65_536, depth: Int = 16, values: Int = 4096, onlyStreamSafe: Bool = true
    ) {
      self.bytes = bytes
      self.depth = depth
      self.values = values
      self.onlyStreamSafe = onlyStreamSafe
    }
  }

  /// Parses `bytes` as one JSON value by RFC 8259, and no more leniently.
  ///
  /// Beyond the standard, names in an object must differ, and a string must not contain NUL: in a
  /// file name it would end the name for a C function.
  package init(parsing bytes: [UInt8], limits: Limits = Limits()) throws(JSONError) {
    var parser = JSONParser(bytes, limits)
    self = try parser.parse()
  }
}

/// Parses one JSON text, byte by byte.
///
/// Every byte is read with the array's own bounds check: a mistake here stops the process and does
/// not reveal the memory next to the message.
struct JSONParser {
  let bytes: [UInt8]
  private let limits: JSON.Limits
  var index = 0
  private var depth = 0
  private var valueCount = 0

  init(_ bytes: [UInt8], _ limits: JSON.Limits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// The next byte; `nil` at the end.
  var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// An error at the next byte.
  func error(_ reason: JSONError.Reason) -> JSONError {
    JSONError(index < bytes.count ? reason : .ended, at: index)
  }

  mutating func parse() throws(JSONError) -> JSON {
    guard bytes.count <= limits.bytes else { throw JSONError(.tooLong, at: limits.bytes) }
    let value = try value()
    skipSpace()
    guard index == bytes.count else { throw error(.trailing) }
    return value
  }

  private mutating func value() throws(JSONError) -> JSON {
    skipSpace()
    valueCount += 1
    guard valueCount <= limits.values else {
      throw JSONError(.tooMany, at: index, maximum: limits.values)
    }
    switch byte {
    case UInt8(ascii: "{"): return try nested(Self.object)
    case UInt8(ascii: "["): return try nested(Self.array)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"): return try number()
    case let digit? where Self.isDigit(digit): return try number()
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case _: throw error(.unexpected)
    }
  }

  private mutating func nested(
    _ parse: (inout JSONParser) throws(JSONError) -> JSON
  ) throws(JSONError) -> JSON {
    guard depth < limits.depth else {
      throw JSONError(.tooDeep, at: index, maximum: limits.depth)
    }
    depth += 1
    index += 1
    let value = try parse(&self)
    depth -= 1
    return value
  }

  private static func array(_ parser: inout JSONParser) throws(JSONError) -> JSON {
    parser.skipSpace()
    if parser.take(UInt8(ascii: "]")) { return .array([]) }
    var elements: [JSON] = []
    repeat {
      elements.append(try parser.value())
      parser.skipSpace()
    } while parser.take(UInt8(ascii: ","))
    try parser.expect(UInt8(ascii: "]"))
    return .array(elements)
  }

  private static func object(_ parser: inout JSONParser) throws(JSONError) -> JSON {
    parser.skipSpace()
    if parser.take(UInt8(ascii: "}")) { return .object([]) }
    var members: [JSON.Member] = []
    var names = JSONNames()
    repeat {
      parser.skipSpace()
      let start = parser.index
      guard parser.byte == UInt8(ascii: "\"") else { throw parser.error(.unexpected) }
      let name = try parser.string()
      guard names.insert(name, besides: members) else { throw JSONError(.duplicate, at: start) }
      parser.skipSpace()
      try parser.expect(UInt8(ascii: ":"))
      members.append(JSON.Member(name, try parser.value()))
      parser.skipSpace()
    } while parser.take(UInt8(ascii: ","))
    try parser.expect(UInt8(ascii: "}"))
    return .object(members)
  }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { index += 1 }
  }

  mutating func take(_ wanted: UInt8) -> Bool {
    guard byte == wanted else { return false }
    index += 1
    return true
  }

  mutating func expect(_ wanted: UInt8) throws(JSONError) {
    guard take(wanted) else { throw error(.unexpected) }
  }

  private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
    for place in 0..<word.utf8CodeUnitCount { try expect(word.utf8Start[place]) }
    return value
  }

  private mutating func number() throws(JSONError) -> JSON {
    let start = index
    var isWhole = true
    _ = take(UInt8(ascii: "-"))
    // No digit may follow a leading 0.
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) {
      isWhole = false
      try digits()
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isWhole = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { throw JSONError(.number, at: start) }
    return .decimal(number)
  }

  private mutating func digits() throws(JSONError) {
    let start = index
    while let byte, Self.isDigit(byte) { index += 1 }
    guard index > start else { throw error(.unexpected) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

/// The names in one object, compared byte by byte as in the standard. A few names are compared with
/// each other; many are looked up.
private struct JSONNames {
  private static let few = 8
  // Hashes of the bytes, not of the strings: a string's hash follows Unicode equivalence, which
  // takes microseconds each.
  private var hashes: Set<Int> = []

  /// Whether `name` differs from those of `members`.
  mutating func insert(_ name: String, besides members: [JSON.Member]) -> Bool {
    if members.count >= Self.few {
      if hashes.isEmpty { hashes = Set(members.map { Self.hash($0.name) }) }
      if hashes.insert(Self.hash(name)).inserted { return true }
    }
    return !members.contains { $0.name.utf8.elementsEqual(name.utf8) }
  }

  private static func hash(_ name: String) -> Int {
    var hasher = Hasher()
    var name = name
    name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    return hasher.finalize()
  }
}

extension JSONParser {
  /// The string that begins here, without its quotes.
  mutating func string() throws(JSONError) -> String {
    index += 1
    let first = index
    var isASCII = true
    var start = index
    // The text up to the last escape, decoded: from the first escape on, the string differs from
    // its bytes.
    var unescaped: [UInt8] = []
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        let rest = bytes[start..<index]
        index += 1
        if isASCII, unescaped.isEmpty { return String(decoding: rest, as: UTF8.self) }
        unescaped += rest
        let string = String(decoding: unescaped, as: UTF8.self)
        // decoding replaces what is not UTF-8
        guard isASCII || string.utf8.elementsEqual(unescaped) else {
          throw JSONError(.notUTF8, at: first)
        }
        guard !limits.onlyStreamSafe || string.isStreamSafe else {
          throw JSONError(.marks, at: first)
        }
        return string
      case UInt8(ascii: "\\"):
        unescaped += bytes[start..<index]
        index += 1
        try escape(into: &unescaped)
        start = index
      case 0..<0x20: throw error(.control)
      case 0x20..<0x80: index += 1
      case _:
        isASCII = false
        index += 1
      }
    }
    throw error(.ended)
  }

  /// Appends the character of the escape whose backslash was read.
  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(bytes[index])
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0c)
    case UInt8(ascii: "n"): text.append(0x0a)
    case UInt8(ascii: "r"): text.append(0x0d)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      text += try scalar().utf8
      return
    case _: throw error(.escape)
    }
    index += 1
  }

  /// The character of a `\u` escape, or of two for a surrogate pair.
  private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
    let start = index - 1
    let first = try codeUnit()
    if first == 0 { throw JSONError(.nul, at: start) }
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard UTF16.isLeadSurrogate(first) else { throw JSONError(.surrogate, at: start) }
    guard take(UInt8(ascii: "\\")), byte == UInt8(ascii: "u") else {
      throw JSONError(.surrogate, at: start)
    }
    let second = try codeUnit()
    let scalar = Unicode.Scalar(
      0x10000 + (UInt32(first) & 0x3ff) << 10 + UInt32(second) & 0x3ff)
    guard UTF16.isTrailSurrogate(second), let scalar else {
      throw JSONError(.surrogate, at: start)
    }
    return scalar
  }

  /// The number after a `u`: four hexadecimal digits.
  private mutating func codeUnit() throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      index += 1
      guard let byte, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error(.escape)
      }
      unit = unit << 4 | UInt16(digit)
    }
    index += 1
    return unit
  }
}
