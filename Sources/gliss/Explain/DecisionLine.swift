import Gliss

/// A decision as one line of JSON, with the conventions of the event schema.
enum DecisionLine {
  /// - Parameter settings: The settings of the deciding session that are not defaults, as typed;
  ///   `nil` for the session that is explained.
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
    if let timed = DecisionSentence.timed(decision) { append(timed, to: &text) }
    append(costs: decision, to: &text)
    text.append(",\"travel_mm\":[")
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

  /// What each meaning left unexplained, the lead of the cheapest, and the lead it needed.
  private static func append(costs decision: Decision, to text: inout TextBuffer) {
    let weighed = DecisionSentence.weighed(decision)
    guard !weighed.isEmpty else { return }
    text.append(",\"unexplained_mm\":{")
    var separator: StaticString = "\""
    for (meaning, cost) in weighed {
      text.append(separator)
      separator = ",\""
      text.append(meaning)
      text.append("\":")
      text.append(cost, places: 3)
    }
    text.append("},\"lead_mm\":")
    text.append(decision.lead, places: 3)
    text.append(",\"needed_mm\":")
    text.append(decision.needed, places: 3)
    if let waited = decision.waited { text.append(",\"waited\":\"\(waited.rawValue)\"") }
  }

  private static func append(_ timed: TimedEvidence, to text: inout TextBuffer) {
    text.append(",\"time_ms\":{\"measured\":")
    text.append(timed.measured, places: 3)
    text.append(timed.isLimit ? ",\"atMost\":" : ",\"required\":")
    text.append(timed.required, places: 3)
    text.append(timed.isMet ? ",\"met\":true}" : ",\"met\":false}")
  }
}
