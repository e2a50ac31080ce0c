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
    let nothing = "no finger touched"
    let empty = Markup.element("text", ["class": "dim", "x": "24", "y": "24"], saying: nothing)
    return
      Markup.element(
        "svg",
        [
          "xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height,
          "viewBox": "0 0 \(width) \(height)", "role": "img",
        ],
        around: [
          Markup.element("title", saying: columns.first?.first?.title ?? nothing),
          "<style>\n\(Palette.sheet)\n</style>",
          Markup.element("rect", ["class": "page fill", "width": "100%", "height": "100%"]),
        ] + (figures.isEmpty ? [empty] : figures)) + "\n"
  }
}

package enum StrokeWords {
  /// Such as "pinch of 2, out to 1.24×".
  package static func describe(_ gesture: PlottedStroke.Gesture) -> String {
    let event = gesture.latest
    let words = event.shape.words
    let end = event.phase == .cancelled ? ", cancelled" : gesture.isOver ? "" : ", still going on"
    return "\(event.kind.spoken) of \(event.fingers)\(words.isEmpty ? "" : ", \(words)")\(end)"
  }

  /// The stroke's gestures in one line, such as "drag of 2, up 32.0 mm, then tap of 2".
  package static func summary(_ stroke: PlottedStroke) -> String {
    if stroke.gestures.isEmpty { return "no gesture" }
    return stroke.gestures.map(describe).joined(separator: ", then ")
  }

  /// Why stroke `number` of `file` cannot be shown: there are only `count`.
  package static func missing(_ number: Int, of count: Int, in file: String) -> String {
    count == 0
      ? "\(file): no finger touched"
      : "\(file) has \(count) stroke\(count == 1 ? "" : "s"), so there is no number \(number)"
  }

  /// Why nothing was decided in a stroke.
  package static func undecided(_ stroke: PlottedStroke) -> String {
    if stroke.lost != nil { return "events of the pad were lost (SYN_DROPPED)" }
    if stroke.isCut || stroke.lifted == nil {
      return stroke.isBeforeError
        ? "the recording cannot be read any further" : "the recording ends with fingers down"
    }
    if stroke.hasActive { return "the fingers came and went too fast" }
    let palms =
      "all touches were palms or thumbs, as the pad reports (MT_TOOL_PALM), or by size, place or"
      + " time (palm.*, thumb.*)"
    guard let typed = stroke.typed else { return palms }
    let ago = (stroke.start - typed).milliseconds
    let keys = ago < 0 ? "while keys were pressed" : "\(ago.fixed(0)) ms after a key was pressed"
    // typing may disable a pad for so long
    return ago > 5000
      ? palms : "all touches rested, \(keys) (typing.*), or as palms or thumbs (palm.*, thumb.*)"
  }

  /// A sentence for each decision, with the figures it was based on.
  static func decisions(of stroke: PlottedStroke) -> [String] {
    if stroke.decisions.isEmpty { return ["Nothing was decided: \(undecided(stroke))."] }
    return stroke.decisions.map { decision in
      let time = (decision.time - stroke.start).milliseconds.fixed(0)
      let fingers = DecisionSentence.fingers(decision, in: stroke)
      let outcome =
        decision.outcome.map { "\($0.spoken) of \(fingers)" }
        ?? DecisionSentence.rested(decision, in: stroke)
        .map { "finger \($0) rests, one of \(fingers)" } ?? "no gesture"
      let lead =
        !DecisionSentence.weighed(decision).isEmpty && decision.timed == nil
        ? " \(DecisionSentence.lead(decision))." : ""
      return "\(time) ms: \(outcome). \(DecisionSentence.reason(decision))\(lead)"
    }
  }
}

/// One stroke: the pad above, and what happened over time below it.
struct StrokeFigure {
  static let width = 900.0
  /// The time axis. There is room for labels to its left and right.
  private static let axis = (left: 96.0, right: 780.0)
  private static let legend = 600.0

  private let recording: PlottedRecording
  private let stroke: PlottedStroke
  private let pad: PadDrawing
  private let time: Scale

  init(_ stroke: PlottedStroke, of recording: PlottedRecording) {
    self.recording = recording
    self.stroke = stroke
    let size = recording.device(of: stroke)?.size.millimetres ?? DeviceSize.assumed
    pad = PadDrawing(stroke, on: size, at: Vector2(x: 24, y: 58))
    time = Scale(
      0...max(1, (stroke.end - stroke.start).milliseconds), from: Self.axis.left,
      to: Self.axis.right)
  }

  // MARK: Layout

  private static let row = 16.0
  private var legendHeight: Double { Double(stroke.contacts.count + 5) * 20 }
  private var padBottom: Double { 58 + max(pad.height, legendHeight) }
  private var fingersTop: Double { padBottom + 44 }
  private var evidenceTop: Double { fingersTop + Double(stroke.contacts.count) * Self.row + 48 }
  private var gesturesTop: Double {
    evidenceTop + EvidenceDrawing.height(of: stroke) + 34
  }
  private var axisTop: Double { gesturesTop + Double(max(1, stroke.gestures.count)) * 22 + 4 }
  private var textTop: Double { axisTop + 56 }

  var height: Double { textTop + Double(sentences.count) * 18 + 16 }

  private var number: String { ", stroke \(stroke.number) of \(recording.strokes.count)" }
  var title: String { recording.name + number }

  private var subtitle: String {
    let device = recording.device(of: stroke)
    let seconds = (stroke.start - recording.origin).seconds.fixed(3)
    let settings = recording.settings.isEmpty ? "" : ", with \(recording.settings)"
    let name = device?.name.cut(to: 48) ?? "unknown device"
    let size = device.map { "\($0.size)" + ($0.size.isAssumed ? " assumed" : "") } ?? ""
    return "\(name), \(size), at \(seconds) s\(settings)"
  }

  /// - Parameters:
  ///   - left: In pixels from the left edge of the whole picture.
  ///   - id: Unique among the picture's figures.
  func element(left: Double, top: Double, id: String) -> String {
    let evidence = EvidenceDrawing(stroke, over: time, from: evidenceTop, id: id)
    let content =
      heading + pad.elements + legendElements + grid + fingerBars
      + [caption("left unexplained, mm", at: evidenceTop - 10)] + evidence.elements
      + gestureBars + decisionLines + sentenceElements
    return Markup.element(
      "g", ["transform": "translate(\(Markup.number(left)) \(Markup.number(top)))"],
      around: content)
  }

  private func caption(_ words: String, at y: Double) -> String {
    Markup.text(words, "dim small", x: Self.axis.left, y: y)
  }

  private var heading: [String] {
    [
      Markup.text(
        recording.name.cut(to: 90 - number.count) + number, "text big", x: 24, y: 24),
      Markup.text(subtitle.cut(to: 130), "dim", x: 24, y: 44),
    ]
  }

  // MARK: Legend

  private var legendElements: [String] {
    var (lines, y) = ([String](), 72.0)
    func add(_ mark: (Vector2) -> String, _ words: String, _ look: String) {
      lines.append(mark(Vector2(x: Self.legend, y: y)))
      lines.append(Markup.text(words, look, x: Self.legend + 16, y: y + 4))
      y += 20
    }
    for (index, contact) in stroke.contacts.enumerated() {
      let (look, label) = (Palette.finger(index), "\(index + 1)")
      add(
        { Mark.disc(at: $0, look, label, isHollow: contact.hasRested) }, words(contact),
        "text small")
    }
    y += 14
    let small = "dim small"
    add({ Mark.disc(at: $0, "dim", "n", isHollow: false) }, "landed", small)
    add({ Mark.cross(at: $0, "dim") }, "lifted; the path is fainter the older it is", small)
    add({ Mark.diamond(at: $0, "mark") }, "where it was when the gesture was decided", small)
    add({ Mark.disc(at: $0, "dim", "n", isHollow: true) }, "hollow and dotted: it rested", small)
    return lines
  }

  private func words(_ contact: PlottedStroke.Contact) -> String {
    let landed = milliseconds(stroke.frames[contact.first])
    let end = contact.end.map { $0 == .cancelled ? "lost" : "lifted" } ?? "still down"
    let lifted = contact.end == nil ? "" : " \(milliseconds(stroke.frames[contact.last]))"
    let rests = contact.hasRested ? ", rested" : ""
    return "landed \(landed), \(end)\(lifted) ms, travel \(contact.way.fixed(1)) mm\(rests)"
  }

  private func milliseconds(_ time: EventTime) -> String {
    (time - stroke.start).milliseconds.fixed(0)
  }

  private func x(_ instant: EventTime) -> Double { time((instant - stroke.start).milliseconds) }

  // MARK: Over time

  private var grid: [String] {
    let ticks = time.ticks(atMost: 10)
    let lines = ticks.values.map { value in
      Markup.path("line stroke thin", upright(at: time(value)))
        + Markup.text(
          value.fixed(ticks.decimals), "dim small", x: time(value), y: axisTop + 14,
          anchor: "middle")
    }
    return lines + [
      Markup.text(
        "ms since the first finger landed", "dim small", x: Self.axis.right, y: axisTop + 30,
        anchor: "end")
    ]
  }

  private var fingerBars: [String] {
    var lines = [caption("fingers down, \(stroke.most) at once", at: fingersTop - 12)]
    for (index, contact) in stroke.contacts.enumerated() {
      let y = fingersTop + Double(index) * Self.row
      lines.append(
        Markup.text(
          "finger \(index + 1)", "\(Palette.finger(index)) small", x: Self.axis.left - 6, y: y + 10,
          anchor: "end"))
      for stretch in stretches(contact) {
        let (left, right) = (x(stroke.frames[stretch.first]), x(stroke.frames[stretch.last]))
        lines.append(
          Markup.rectangle(
            "\(Palette.finger(index)) \(stretch.isResting ? "hollow" : "fill")",
            at: Vector2(x: left, y: y + 1), width: max(2, right - left), height: 10, corner: 2))
      }
    }
    return lines
  }

  /// The stretches in which the finger rested, and those in which it did not.
  private func stretches(
    _ contact: PlottedStroke.Contact
  ) -> [(first: Int, last: Int, isResting: Bool)] {
    var stretches: [(first: Int, last: Int, isResting: Bool)] = []
    for (step, point) in contact.points.enumerated() {
      let frame = contact.first + step
      if let last = stretches.last {
        stretches[stretches.count - 1].last = frame
        if last.isResting == point.isResting { continue }
      }
      stretches.append((frame, frame, point.isResting))
    }
    return stretches
  }

  private var gestureBars: [String] {
    let words = stroke.gestures.isEmpty ? "gestures: none" : "gestures"
    var lines = [caption(words, at: gesturesTop - 8)]
    for (index, gesture) in stroke.gestures.enumerated() {
      let y = gesturesTop + Double(index) * 22
      let (left, right) = (x(gesture.began), x(gesture.latest.time))
      let look = Palette.name(of: gesture.latest.kind)
      let isUndone = gesture.latest.phase == .cancelled
      lines.append(
        Markup.rectangle(
          "\(look) \(isUndone ? "hollow" : "fill")", at: Vector2(x: left, y: y),
          width: max(3, right - left), height: 14, corner: 3))
      // put the text on the side of the bar that has room
      let isRight = right + 8 < Self.axis.right - 60
      lines.append(
        Markup.text(
          StrokeWords.describe(gesture), "\(look) small", x: isRight ? right + 6 : left - 6,
          y: y + 11, anchor: isRight ? "start" : "end"))
    }
    return lines
  }

  private var decisionLines: [String] {
    stroke.decisions.filter { $0.outcome != nil }.map { decision in
      let x = x(decision.time)
      return Markup.path("mark stroke thin dashed", upright(at: x))
        + Mark.diamond(at: Vector2(x: x, y: axisTop), "mark")
    }
  }

  private func upright(at x: Double) -> String {
    "M\(Markup.number(x)) \(Markup.number(fingersTop - 6))V\(Markup.number(axisTop))"
  }

  private var sentences: [(text: String, isFirst: Bool)] {
    StrokeWords.decisions(of: stroke).flatMap { sentence in
      sentence.lines(of: 120).enumerated().map { ($0.element, $0.offset == 0) }
    }
  }

  private var sentenceElements: [String] {
    sentences.enumerated().map { index, line in
      Markup.text(
        line.text, "text small", x: line.isFirst ? 24 : 40, y: textTop + Double(index) * 18)
    }
  }
}
