import Glibc

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

  /// For people, with dates like `2026-11-23T14:16:20Z`.
  public var inWords: String {
    switch self {
    case .once: "once"
    case .never: "without end"
    case .session(let name): "until the session \(name) ends"
    case .at(let time): "until \(time.date)"
    }
  }

  /// Parses a ``description``.
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
        .syntax, "expiry", "“\(text.boundedLine(60))” is not a time",
        advice: "it is once, session:NAME, never, or seconds since 1970")
    }
  }
}

extension WallTime {
  /// A date like `2026-11-23T14:16:20Z`, or the seconds since 1970 if the calendar has no such
  /// year.
  var date: String {
    var (seconds, parts) = (time_t(seconds), tm())
    guard gmtime_r(&seconds, &parts) != nil else { return "\(self.seconds)" }
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
