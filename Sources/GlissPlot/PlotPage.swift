import GlissEvents
import GlissGestures

/// An HTML file that plays the strokes of a recording. It needs no other file and no network.
package struct PlotPage {
  private let recording: PlottedRecording
  private let grid: SettingsGrid
  private let first: Int

  /// - Parameter number: the stroke that is shown first, from 1.
  package init(_ recording: PlottedRecording, grid: SettingsGrid, stroke number: Int? = nil) {
    self.recording = recording
    self.grid = grid
    first = (number ?? 1) - 1
  }

  package var bytes: [UInt8] {
    let parts: [(mark: String, bytes: [UInt8])] = [
      (
        "STYLE",
        Array("\(colours)\(String(decoding: PackageResources.page_css, as: UTF8.self))".utf8)
      ),
      ("TITLE", Array(Markup.escaped(recording.name).utf8)),
      ("DATA", data), ("PROGRAM", PackageResources.page_js),
    ]
    var page: [UInt8] = []
    // the parts come in the order of their marks
    var rest = String(decoding: PackageResources.page_html, as: UTF8.self)[...]
    for (mark, bytes) in parts {
      let pieces = rest.split(
        separator: "{{\(mark)}}", maxSplits: 1, omittingEmptySubsequences: false)
      page += Array(pieces[0].utf8) + bytes
      rest = pieces.count > 1 ? pieces[1] : ""
    }
    return page + Array(rest.utf8)
  }

  private var colours: String {
    ":root {\n\(Palette.light)\n}\n@media (prefers-color-scheme: dark) { :root {\n\(Palette.dark)\n} }\n"
  }

  // MARK: Data

  private var data: [UInt8] {
    var data = PageData()
    data.member("name", text: recording.name)
    data.member("settings", text: recording.settings)
    data.member("first", Int64(max(0, first)))
    data.list("strokes", recording.strokes) { data, stroke in append(stroke, to: &data) }
    data.list("grid", grid.rows) { data, row in append(row, to: &data) }
    return data.closed
  }

  private func append(_ stroke: PlottedStroke, to data: inout PageData) {
    let device = recording.device(of: stroke)
    let size = device?.size ?? DeviceSize(millimetres: DeviceSize.assumed, isAssumed: true)
    data.member("device", text: device?.name ?? "unknown device")
    data.member("size", ["w": size.millimetres.x, "h": size.millimetres.y])
    data.member("assumed", size.isAssumed ? 1 : 0)
    data.member("at", (stroke.start - recording.origin).microseconds)
    data.member("end", (stroke.end - stroke.start).microseconds)
    data.steps("t", stroke.frames.map { ($0 - stroke.start).microseconds })
    data.list("contacts", stroke.contacts) { data, contact in append(contact, to: &data) }
    append(resultOf: stroke, to: &data)
  }

  private func append(_ contact: PlottedStroke.Contact, to data: inout PageData) {
    data.member("first", Int64(contact.first))
    data.member("end", contact.end == nil ? 0 : contact.end == .cancelled ? 2 : 1)
    data.steps("x", contact.points.map { PageData.hundredths($0.position.x) })
    data.steps("y", contact.points.map { PageData.hundredths($0.position.y) })
    // write only the steps at which resting begins or ends
    var changes: [Int64] = []
    for (step, point) in contact.points.enumerated()
    where point.isResting != (changes.count % 2 == 1) {
      changes.append(Int64(step))
    }
    data.numbers("rests", changes)
  }

  /// Writes what was recognized: the part that other settings can change.
  private func append(resultOf stroke: PlottedStroke, to data: inout PageData) {
    data.member("summary", text: StrokeWords.summary(stroke))
    data.list("gestures", stroke.gestures) { data, gesture in
      data.member("kind", text: Palette.name(of: gesture.latest.kind))
      data.member("from", (gesture.began - stroke.start).microseconds)
      data.member("to", (gesture.latest.time - stroke.start).microseconds)
      data.member("undone", gesture.latest.phase == .cancelled ? 1 : 0)
      data.member("words", text: StrokeWords.describe(gesture))
    }
    data.list("decisions", Array(zip(stroke.decisions, StrokeWords.decisions(of: stroke)))) {
      data, pair in
      data.member("at", (pair.0.time - stroke.start).microseconds)
      data.member("marks", pair.0.outcome != nil ? 1 : 0)
      data.member("words", text: pair.1)
    }
    append(stroke.evidence, from: stroke.start, to: &data)
  }

  private static var costs: [(name: String, path: KeyPath<Costs, Double>)] {
    [
      ("drag", \.drag), ("pinch", \.pinch), ("rotate", \.rotate), ("still", \.still),
      ("rest", \.rest),
      ("late", \.lateDrag), ("lateRotate", \.lateRotate),
    ]
  }

  private func append(_ evidence: [Evidence], from start: EventTime, to data: inout PageData) {
    guard !evidence.isEmpty else { return }
    data.steps("et", evidence.map { ($0.time - start).microseconds })
    data.numbers("fingers", evidence.map { Int64($0.fingers) })
    let isMany = evidence.contains { $0.fingers > 2 }
    for (name, path) in Self.costs {
      if !isMany, name == "lateRotate" { continue }
      let values = evidence.map { PageData.hundredths($0.costs[keyPath: path]) }
      if values.contains(where: { $0 >= 0 }) { data.numbers(name, values) }
    }
    data.numbers("lead", evidence.map { PageData.hundredths($0.lead) })
    data.numbers("needed", evidence.map { PageData.hundredths($0.needed) })
    data.numbers("line", evidence.map { PageData.hundredths($0.least + $0.needed) })
  }

  private func append(_ row: SettingsGrid.Row, to data: inout PageData) {
    data.member("name", text: row.setting.name)
    data.member("unit", text: row.setting.unit)
    data.member("summary", text: row.setting.summary)
    data.list("values", row.values) { data, value in data.member("v", text: value.shortest) }
    data.member("base", Int64(row.values.firstIndex(of: row.base) ?? 0))
    data.list("changes", row.changes) { data, change in
      data.member("value", Int64(change.value))
      data.member("stroke", Int64(change.stroke))
      append(resultOf: change.result, to: &data)
    }
  }
}

/// JSON for a script element. No name in it can end that element.
struct PageData {
  private var text = TextBuffer(capacity: 1 << 16)
  private var isFirst = true

  init() { text.append("{") }

  /// The whole object.
  var closed: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.bytes.count + 1)
    // only strings contain this character
    for byte in text.bytes {
      if byte == UInt8(ascii: "<") { bytes += Array("\\u003c".utf8) } else { bytes.append(byte) }
    }
    return bytes + [UInt8(ascii: "}")]
  }

  private mutating func key(_ name: String) {
    if !isFirst { text.append(",") }
    isFirst = false
    text.append(text: "\"\(name)\":")
  }

  mutating func member(_ name: String, text value: String) {
    key(name)
    text.append(json: Markup.visible(value))
  }

  mutating func member(_ name: String, _ value: Int64) {
    key(name)
    text.append(value)
  }

  mutating func member(_ name: String, _ values: KeyValuePairs<String, Double>) {
    key(name)
    text.append("{")
    isFirst = true
    for (name, value) in values {
      key(name)
      text.append(value, places: 2)
    }
    text.append("}")
    isFirst = false
  }

  mutating func numbers(_ name: String, _ values: [Int64]) {
    key(name)
    text.append("[")
    for (index, value) in values.enumerated() {
      if index > 0 { text.append(",") }
      text.append(value)
    }
    text.append("]")
  }

  /// Writes numbers as their differences, which are shorter.
  mutating func steps(_ name: String, _ values: [Int64]) {
    numbers(name, zip(values, [0] + values).map { $0 - $1 })
  }

  /// A list of objects.
  mutating func list<Element>(
    _ name: String, _ elements: [Element], _ body: (inout PageData, Element) -> Void
  ) {
    key(name)
    text.append("[")
    for (index, element) in elements.enumerated() {
      text.append(index > 0 ? ",{" : "{")
      isFirst = true
      body(&self, element)
      text.append("}")
    }
    text.append("]")
    isFirst = false
  }

  /// In units of 0.01; -1 for infinity.
  static func hundredths(_ value: Double) -> Int64 {
    value.isFinite ? Int64((min(max(value, -1e6), 1e6) * 100).rounded()) : -1
  }
}
