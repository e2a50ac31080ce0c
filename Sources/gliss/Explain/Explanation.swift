import Gliss
import GlissAgent
import GlissPlot

/// Prints explanations in the requested format.
final class ExplanationPrinter {
  private let file: String
  private let format: EventFormat
  private let explanation: Explanation
  private var headed: DeviceID?

  /// - Parameter settings: The second session's settings as typed; empty without one.
  init(file: String, origin: EventTime, format: EventFormat, settings: String) {
    self.file = file
    self.format = format
    explanation = Explanation(origin: origin, settings: settings)
  }

  /// - Parameter changed: The second session's decisions on the same contact; `nil` without one.
  func print(_ stretch: Stretch, from device: Device?, with changed: [Decision]?) {
    switch format {
    case .text:
      var text = ""
      if headed != stretch.device { text = explanation.heading(file, device) }
      headed = stretch.device
      Output.standard.write(text: (text + explanation.describe(stretch, with: changed)))
    case .jsonl:
      write(stretch.decisions, of: stretch, device, settings: nil)
      write(changed ?? [], of: stretch, device, settings: explanation.settings)
    }
  }

  /// Says so if nothing touched the device at all.
  func close() {
    switch format {
    case .text:
      if headed == nil { Output.standard.write(line: "\(file.printable): no finger touched") }
    case .jsonl: break
    }
  }

  private func write(
    _ decisions: [Decision], of stretch: Stretch, _ device: Device?, settings: String?
  ) {
    for decision in decisions {
      Output.standard.write(
        record: decision.record(
          of: stretch, file: file, device: device?.name ?? "", origin: explanation.origin,
          settings: settings))
    }
  }
}

/// Describes stretches and their decisions as text.
struct Explanation {
  let origin: EventTime
  /// The settings of the second session as typed; empty without one.
  let settings: String

  func heading(_ file: String, _ device: Device?) -> String {
    let name = device.map { EventSentence.describe($0) } ?? "unknown device"
    return "\(Style.bold(file.printable)) · \(name)\n"
  }

  /// - Parameter changed: The second session's decisions on the same contact; `nil` without one.
  func describe(_ stretch: Stretch, with changed: [Decision]?) -> String {
    var text = "\n" + Style.bold(span(stretch)) + "\n"
    if stretch.decisions.isEmpty {
      text += "  nothing was decided: no finger took part, or they are still down\n"
    }
    for decision in stretch.decisions { text += describe(decision) }
    if let changed { text += comparison(stretch.decisions, changed) }
    return text
  }

  private func span(_ stretch: Stretch) -> String {
    let start = (stretch.start - origin).seconds.fixed(3)
    let end = stretch.end.map { ($0 - origin).seconds.fixed(3) + " s" } ?? "the end"
    let most = stretch.fingers == 1 ? "" : "up to "
    return "\(start) s to \(end), \(most)\(GestureWords.fingers(stretch.fingers))"
  }

  private func describe(_ decision: Decision) -> String {
    let style = decision.outcome?.style ?? .dim
    let time = (decision.time - origin).seconds.fixed(3) + " s"
    var text =
      "  \(time)  " + style(DecisionSentence.outcome(decision))
      + " of \(decision.fingers)" + (decision.rested == nil ? "" : " rests")
      + (decision.resting > 0 ? " beside \(decision.resting) resting" : "")
      + (decision.rule == .nothing ? "" : " by rule \(decision.rule.name)")
      + ", \(DecisionSentence.delay(decision))\n"
    let weighed = DecisionSentence.weighed(decision)
    for (meaning, cost) in weighed {
      let isDecided = DecisionSentence.isDecided(meaning, in: decision)
      text += "    " + meaning.padded(12) + "leaves \(cost.fixed(2)) mm unexplained"
      text += (isDecided ? "  " + style("decided") : "") + "\n"
    }
    if let timed = DecisionSentence.timed(decision) {
      let (numbers, end) = DecisionSentence.verdict(timed, in: decision)
      let name = decision.outcome == .hold ? "hold" : "tap"
      text += "    " + name.padded(12) + numbers.padded(28)
      text += (end == "decided" ? style(end) : end) + "\n"
    }
    if !weighed.isEmpty && decision.timed == nil {
      text += "    \(DecisionSentence.lead(decision))\n"
    }
    // beside a single finger, others may have rested
    if decision.rule != .nothing || decision.fingers > 1 {
      let travel = Self.travel(decision).map { $0.fixed(2) }.joined(separator: ", ")
      text += Style.dim(
        "    fingers moved \(travel) mm; the pad trembles by \(decision.jitter.fixed(3)) mm\n")
    }
    return text + "    \(DecisionSentence.reason(decision))\n"
  }

  private func comparison(_ before: [Decision], _ after: [Decision]) -> String {
    let label = "  with \(settings): "
    let (old, new) = (Self.summary(before), Self.summary(after))
    if old == new {
      return Style.dim(label + "the same\(Self.delay(from: before, to: after))\n")
    }
    var text = Style.yellow(label + "\(new) instead of \(old)") + "\n"
    for decision in after where !before.contains(where: { Self.agree($0, decision) }) {
      text += describe(decision)
    }
    return text
  }

  /// ", 24 ms later" if the same was decided at another time.
  private static func delay(from before: [Decision], to after: [Decision]) -> String {
    let delays = zip(before, after).map { ($1.time - $0.time).milliseconds }
    guard let most = delays.max(by: { abs($0) < abs($1) }), most != 0 else { return "" }
    return ", \(abs(most).fixed(0)) ms \(most < 0 ? "earlier" : "later")"
  }

  /// Compares everything except device numbers, which each session assigns itself.
  private static func agree(_ a: Decision, _ b: Decision) -> Bool {
    a.time == b.time && a.outcome == b.outcome && a.rule == b.rule
  }

  private static func summary(_ decisions: [Decision]) -> String {
    if decisions.isEmpty { return "no decision" }
    return decisions.map {
      DecisionSentence.outcome($0) + ($0.rule == .nothing ? "" : " (\($0.rule.name))")
    }.joined(separator: ", then ")
  }

  static func travel(_ decision: Decision) -> [Double] {
    (0..<max(0, min(decision.fingers, decision.travel.count))).map { decision.travel[$0] }
      .filter { !$0.isNaN }
  }
}

extension Decision {
  /// A line for programs, with the conventions of the event schema.
  ///
  /// - Parameter settings: The settings of the deciding session that are not defaults, as typed;
  ///   `nil` for the session that is explained.
  fileprivate func record(
    of stretch: Stretch, file: String, device: String, origin: EventTime, settings: String?
  ) -> JSON {
    func seconds(_ time: EventTime) -> JSON { .decimal((time - origin).seconds) }
    // a lead without a rival is infinite
    func number(_ value: Double) -> JSON {
      .decimal((min(max(value, -9e12), 9e12) * 1000).rounded() / 1000)
    }
    let weighed = DecisionSentence.weighed(self)
    let isWeighed = !weighed.isEmpty
    return .members([
      "time": seconds(time), "file": .string(file), "device": .string(device),
      "kind": "decision", "set": settings.map(JSON.string),
      "gesture": outcome.map { .string($0.name) }, "rule": .string(rule.name),
      "fingers": .integer(Int64(fingers)), "resting": .integer(Int64(resting)),
      "rested": rested.map { .integer(Int64($0)) },
      "contact": seconds(stretch.start),
      "landed": seconds(landed), "onset": onset.map(seconds),
      "time_ms": DecisionSentence.timed(self).map { timed in
        [
          "measured": number(timed.measured),
          (timed.isLimit ? "atMost" : "required"): number(timed.required),
          "met": .bool(timed.isMet),
        ]
      },
      "unexplained_mm": isWeighed ? .object(weighed.map { JSON.Member($0, number($1)) }) : nil,
      "lead_mm": isWeighed ? number(lead) : nil, "needed_mm": isWeighed ? number(needed) : nil,
      "speed_mm_s": isWeighed && speed > 0 ? number(speed) : nil,
      "waited": isWeighed ? waited.map { .string($0.rawValue) } : nil,
      "travel_mm": .array(Explanation.travel(self).map(number)), "jitter_mm": number(jitter),
    ])
  }
}
