import Gliss

/// A decision as a JSON object on one line, with the conventions of the event schema.
enum DecisionLine {
  /// - Parameter settings: what the session that decided ran with beside the defaults, as typed; `nil`
  ///   for the session that is explained.
  static func append(
    _ decision: Decision, of stretch: Stretch, file: String, device: String, origin: EventTime,
    settings: String?, to text: inout TextBuffer
  ) {
    text.append("{\"time\":")
    text.append(seconds: (decision.time - origin).microseconds)
    text.append(",\"file\":")
    text.append(json: file)
    text.append(",\"device\":")
    text.append(json: device)
    text.append(",\"kind\":\"decision\"")
    if let settings {
      text.append(",\"set\":")
      text.append(json: settings)
    }
    if let outcome = decision.outcome { text.append(",\"gesture\":\"\(outcome.name)\"") }
    text.append(",\"rule\":\"\(decision.rule.name)\",\"fingers\":\(decision.fingers)")
    append("contact", stretch.start - origin, to: &text)
    append("landed", decision.landed - origin, to: &text)
    if let onset = decision.onset { append("onset", onset - origin, to: &text) }
    text.append(",\"evidence\":{")
    var separator: StaticString = "\""
    for evidence in DecisionSentence.weighed(decision) {
      text.append(separator)
      separator = ",\""
      append(evidence, to: &text)
    }
    text.append("},\"travel_mm\":[")
    for (index, travel) in Explanation.travel(decision).enumerated() {
      if index > 0 { text.append(",") }
      text.append(travel, places: 3)
    }
    text.append("],\"jitter_mm\":")
    text.append(decision.jitter, places: 3)
    text.append("}\n")
  }

  private static func append(
    _ name: StaticString, _ interval: EventInterval, to text: inout TextBuffer
  ) {
    text.append(",\"")
    text.append(name)
    text.append("\":")
    text.append(seconds: interval.microseconds)
  }

  private static func append(_ evidence: Evidence, to text: inout TextBuffer) {
    text.append("\(evidence.kind.name)\":{\"measured\":")
    text.append(evidence.measured, places: 3)
    text.append(evidence.isLimit ? ",\"atMost\":" : ",\"required\":")
    text.append(evidence.required, places: 3)
    text.append(evidence.isMet ? ",\"met\":true}" : ",\"met\":false}")
  }
}
