extension JSONParser {
  /// The string that begins here, without its quotes.
  mutating func string() throws(JSONError) -> String {
    index += 1
    var start = index
    // The text up to the last escape, decoded: from the first escape on, the string differs from
    // its bytes.
    var unescaped: [UInt8] = []
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        let rest = bytes[start..<index]
        index += 1
        if unescaped.isEmpty { return String(decoding: rest, as: UTF8.self) }
        unescaped += rest
        return String(decoding: unescaped, as: UTF8.self)
      case UInt8(ascii: "\\"):
        unescaped += bytes[start..<index]
        index += 1
        try escape(into: &unescaped)
        start = index
      case 0..<0x20: throw error(.control)
      case 0x20..<0x80: index += 1
      case _: try skipCharacter()
      }
    }
    throw error(.ended)
  }

  /// Skips a character of more than one byte.
  private mutating func skipCharacter() throws(JSONError) {
    let start = index
    guard let form = Self.form(of: bytes[start]) else { throw error(.notUTF8) }
    for place in 1...form.following {
      index += 1
      guard let byte, (place == 1 ? form.second : 0x80...0xbf).contains(byte) else {
        throw JSONError(.notUTF8, at: start)
      }
    }
    index += 1
  }

  /// How many bytes follow `first` in one character, and the valid range of the first of those: the
  /// table "Well-Formed UTF-8 Byte Sequences" of the Unicode standard, which excludes surrogates,
  /// code points that are too large and overlong forms.
  private static func form(of first: UInt8) -> (following: Int, second: ClosedRange<UInt8>)? {
    switch first {
    case 0xc2...0xdf: (1, 0x80...0xbf)
    case 0xe0: (2, 0xa0...0xbf)
    case 0xed: (2, 0x80...0x9f)
    case 0xe1...0xef: (2, 0x80...0xbf)
    case 0xf0: (3, 0x90...0xbf)
    case 0xf1...0xf3: (3, 0x80...0xbf)
    case 0xf4: (3, 0x80...0x8f)
    case _: nil
    }
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
      guard let byte, let digit = Self.value(ofHexadecimal: byte) else { throw error(.escape) }
      unit = unit << 4 | digit
    }
    index += 1
    return unit
  }

  private static func value(ofHexadecimal byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A")) + 10
    case _: nil
    }
  }
}
