extension String {
  /// Quoted as a single word of a shell, which takes it literally. Plain words stay as they are.
  package var quotedForShell: String {
    if !isEmpty, utf8.allSatisfy(\.isPlainForShell) { return self }
    // by scalars: a quote with a combining mark is another character, and still a quote to a shell
    var quoted = "'".unicodeScalars
    for scalar in unicodeScalars {
      if scalar == "'" { quoted += "'\\''".unicodeScalars } else { quoted.append(scalar) }
    }
    quoted.append("'")
    return String(quoted)
  }
}

extension UInt8 {
  fileprivate var isPlainForShell: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "+"),
      UInt8(ascii: "%"), UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: ","):
      true
    case _: false
    }
  }
}
