extension Expiry: CustomStringConvertible {
  /// `once`, `never`, `session:NAME`, or the seconds since 1970.
  public var description: String {
    switch self {
    case .once: "once"
    case .never: "never"
    case .session(let name): "session:" + name
    case .at(let time): String(time.seconds)
    }
  }

  /// What ``description`` has written.
  ///
  /// - Throws: ``GateError/Problem/syntax``.
  public init(_ text: String) throws(GateError) {
    let session = "session:"
    if text == "once" {
      self = .once
    } else if text == "never" {
      self = .never
    } else if text.hasPrefix(session), text.utf8.count > session.utf8.count {
      let name = String(text.dropFirst(session.count))
      try Grant.Terms.check("expiry", name, TermsLimits.session)
      self = .session(name)
    } else if let seconds = Int64(text), seconds >= 0, text.first != "+" {
      self = .at(WallTime(seconds: seconds))
    } else {
      throw GateError(
        .syntax, "expiry", "“\(text.boundedLine(60))” is no time",
        advice: "it is once, session:NAME, never, or seconds since 1970")
    }
  }
}
