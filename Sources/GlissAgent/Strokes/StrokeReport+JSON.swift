public import GlissEvents

extension StrokeReport {
  public var json: JSON {
    [
      "time": .decimal(Double(time.microseconds) / 1_000_000), "device": .string(device),
      "gesture": .string(gesture), "fingers": .integer(Int64(fingers)), "phase": .string(phase),
      "stroke": .string(sentence),
      "fired": .array(
        fired.map { Self.object($0.rule, "moments", $0.moments) }),
      "missed": .array(missed.map { Self.object($0.rule, "reasons", $0.reasons) }),
    ]
  }

  private static func object(_ rule: RuleName, _ list: String, _ words: [String]) -> JSON {
    var members: [JSON.Member] = []
    if let name = rule.name { members.append(.init("rule", .string(name))) }
    members.append(.init("file", .string(rule.file)))
    members.append(.init("line", .integer(Int64(rule.line))))
    members.append(.init(list, .array(words.map(JSON.string))))
    return .object(members)
  }

  /// - Returns: `nil` for what is no stroke.
  public init?(_ json: JSON) {
    guard let seconds = json["time"]?.number, let gesture = json["gesture"]?.string,
      let fingers = json["fingers"]?.integer, let sentence = json["stroke"]?.string,
      let fired = json["fired"]?.array, let missed = json["missed"]?.array
    else { return nil }
    time = EventTime(microseconds: Int64(saturating: (seconds * 1_000_000).rounded()))
    device = json["device"]?.string ?? ""
    self.gesture = gesture
    self.fingers = Int(fingers)
    phase = json["phase"]?.string ?? ""
    hasActed = false
    self.sentence = sentence
    self.fired = fired.compactMap { object in
      guard let (rule, words) = Self.read(object, "moments") else { return nil }
      return Fired(rule: rule, moments: words)
    }
    self.missed = missed.compactMap { object in
      guard let (rule, words) = Self.read(object, "reasons") else { return nil }
      return Missed(rule: rule, reasons: words)
    }
  }

  private static func read(_ object: JSON, _ list: String) -> (RuleName, [String])? {
    guard let file = object["file"]?.string, let line = object["line"]?.integer,
      let words = object[list]?.strings
    else { return nil }
    return (RuleName(name: object["rule"]?.string, file: file, line: Int(line)), words)
  }
}

extension Strokes {
  /// All that are kept, the oldest first.
  public var json: JSON { .array(StrokeReport.reports(of: kept).map { $0.json }) }
}
