import GlissEvents
import GlissGestures

/// An SVG file with a column of strokes for each recording.
///
/// The same input gives the same bytes.
package struct StrokePicture {
  private let columns: [[StrokeFigure]]

  /// - Parameters:
  ///   - recordings: The columns, from the left.
  ///   - number: The only stroke to show, from 1; `nil` for all.
  package init(_ recordings: [PlottedRecording], stroke number: Int? = nil) {
    columns = recordings.map { recording in
      recording.strokes.filter { number == nil || $0.number == number }
        .map { StrokeFigure($0, of: recording) }
    }
  }

  /// The figures of each row, by column.
  private var rows: [[StrokeFigure?]] {
    (0..<(columns.map(\.count).max() ?? 0)).map { row in
      columns.map { row < $0.count ? $0[row] : nil }
    }
  }

  private static func height(_ row: [StrokeFigure?]) -> Double {
    row.compactMap { $0?.height }.max() ?? 0
  }

  /// In CSS pixels.
  package var size: (width: Double, height: Double) {
    (
      Double(max(1, columns.count)) * StrokeFigure.width,
      max(40, rows.reduce(0) { $0 + Self.height($1) })
    )
  }

  package var svg: String {
    var (top, figures) = (0.0, [String]())
    for row in rows {
      for (column, figure) in row.enumerated() {
        guard let figure else { continue }
        let left = Double(column) * StrokeFigure.width
        figures.append(figure.element(left: left, top: top, id: "\(figures.count + 1)"))
      }
      top += Self.height(row)
    }
    let (width, height) = (Markup.number(size.width), Markup.number(size.height))
    let first = columns.first?.first?.title ?? "no finger touched"
    return
      Markup.element(
        "svg",
        [
          "xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height,
          "viewBox": "0 0 \(width) \(height)", "role": "img",
        ],
        around: [
          Markup.element("title", saying: first),
          "<style>\n\(Palette.sheet)\n</style>",
          Markup.element("rect", ["class": "page fill", "width": "100%", "height": "100%"]),
        ] + (figures.isEmpty ? [Self.emptiness] : figures)) + "\n"
  }

  private static var emptiness: String {
    Markup.element("text", ["class": "dim", "x": "24", "y": "24"], saying: "no finger touched")
  }
}

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

  /// A sentence for each decision, with the figures it was based on.
  static func decisions(of stroke: PlottedStroke) -> [String] {
    if stroke.decisions.isEmpty {
      return ["Nothing was decided: no finger took part, or they are still down."]
    }
    return stroke.decisions.map { decision in
      let time = (decision.time - stroke.start).milliseconds.fixed(0)
      let outcome =
        decision.outcome.map { "\($0.spoken) of \(decision.fingers)" }
        ?? decision.rested.map { "finger \($0) of \(decision.fingers) rests" } ?? "no gesture"
      let lead =
        decision.fingers >= 2 && decision.timed == nil
        ? " \(DecisionSentence.lead(decision))." : ""
      return "\(time) ms: \(outcome). \(DecisionSentence.reason(decision))\(lead)"
    }
  }
}
