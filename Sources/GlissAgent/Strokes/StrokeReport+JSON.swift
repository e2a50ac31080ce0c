public import GlissEvents

extension StrokeReport {
  public var json: JSON {
    [
      "time": .seconds(time), "device": .string(device),
      "gesture": .string(gesture), "fingers": .integer(Int64(fingers)), "phase": .string(phase),
      "stroke": .string(sentence), "fired": .array(fired.map(\.json)),
      "missed": .array(
        missed.map { .object($0.rule.members + [.init("reasons", .strings($0.reasons))]) }),
    ]
  }

  /// - Returns: `nil` if `json` is not a valid stroke.
  public init?(_ json: JSON) {
    guard let time = json["time"]?.eventTime, let gesture = json["gesture"]?.string,
      let fingers = json["fingers"]?.integer, let sentence = json["stroke"]?.string,
      let fired = json["fired"]?.array, let missed = json["missed"]?.array
    else { return nil }
    self.time = time
    device = json["device"]?.string ?? ""
    self.gesture = gesture
    self.fingers = Int(fingers)
    phase = json["phase"]?.string ?? ""
    hasActed = false
    self.sentence = sentence
    self.fired = fired.compactMap { Fired($0) }
    self.missed = missed.compactMap { object in
      guard let rule = RuleName(object), let reasons = object["reasons"]?.strings else {
        return nil
      }
      return Missed(rule: rule, reasons: reasons)
    }
  }
}

extension StrokeReport.Fired {
  var json: JSON {
    .object(
      rule.members + [
        .init("moments", .strings(moments)), .init("actions", .array(deeds.map(\.json))),
      ])
  }

  init?(_ json: JSON) {
    guard let rule = StrokeReport.RuleName(json), let moments = json["moments"]?.strings else {
      return nil
    }
    self.init(
      rule: rule, moments: moments, deeds: (json["actions"]?.array ?? []).compactMap { Deed($0) })
  }
}

extension StrokeReport.RuleName {
  fileprivate var members: [JSON.Member] {
    (name.map { [.init("rule", .string($0))] } ?? [])
      + [.init("file", .string(file)), .init("line", .integer(Int64(line)))]
  }

  fileprivate init?(_ json: JSON) {
    guard let file = json["file"]?.string, let line = json["line"]?.integer else { return nil }
    self.init(name: json["rule"]?.string, file: file, line: Int(line))
  }
}

extension JSON {
  fileprivate static func strings(_ strings: [String]) -> JSON { .array(strings.map(JSON.string)) }
}
