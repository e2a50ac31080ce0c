import GlissEvents
import GlissGestures

/// What happened in a stroke, in words.
package enum StrokeWords {
  /// Such as "pinch of 2, 1.24×".
  static func describe(_ gesture: PlottedStroke.Gesture) -> String {
    let event = gesture.latest
    let numbers = event.shape.numbers
    let end = event.phase == .cancelled ? ", cancelled" : gesture.isOver ? "" : ", still going on"
    return "\(event.kind.spoken) of \(event.fingers)\(numbers.isEmpty ? "" : ", \(numbers)")\(end)"
  }

  /// The stroke's gestures in one line, such as "drag of 2, then tap of 2".
  package static func summary(_ stroke: PlottedStroke) -> String {
    if stroke.gestures.isEmpty { return "no gesture" }
    return stroke.gestures.map { gesture in
      let event = gesture.latest
      let end = event.phase == .cancelled ? ", cancelled" : ""
      return "\(event.kind.spoken) of \(event.fingers)\(end)"
    }.joined(separator: ", then ")
  }

  /// A sentence for each decision, with the numbers it was taken on.
  static func decisions(of stroke: PlottedStroke) -> [String] {
    if stroke.decisions.isEmpty {
      return ["Nothing was decided: no finger took part, or they are still down."]
    }
    return stroke.decisions.map { decision in
      let time = (decision.time - stroke.start).milliseconds.fixed(0)
      let outcome = decision.outcome.map { "\($0.spoken) of \(decision.fingers)" } ?? "no gesture"
      let lead =
        decision.fingers >= 2 && decision.timed == nil
        ? " \(DecisionSentence.lead(decision))." : ""
      return "\(time) ms: \(outcome). \(DecisionSentence.reason(decision))\(lead)"
    }
  }
}
