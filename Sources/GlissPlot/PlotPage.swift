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
    let data: JSON = [
      "name": text(recording.name), "settings": text(recording.settings),
      "first": number(max(0, first)), "strokes": .array(recording.strokes.map(json)),
      "grid": .array(grid.rows.map(json)),
    ]
    // only strings contain this character, with which a name could end the script element
    let parts = data.encoded.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false)
    return Array(parts.joined(separator: "\\u003c".utf8))
  }

  private func json(_ stroke: PlottedStroke) -> JSON {
    let device = recording.device(of: stroke)
    let size = device?.size ?? DeviceSize(millimetres: DeviceSize.assumed, isAssumed: true)
    let head: [JSON.Member] = [
      .init("device", text(device?.name ?? "unknown device")),
      .init("size", ["w": decimal(size.millimetres.x), "h": decimal(size.millimetres.y)]),
      .init("assumed", size.isAssumed ? 1 : 0),
      .init("at", number((stroke.start - recording.origin).microseconds)),
      .init("end", number((stroke.end - stroke.start).microseconds)),
      .init("t", steps(stroke.frames.map { ($0 - stroke.start).microseconds })),
      .init("contacts", .array(stroke.contacts.map(json))),
    ]
    return .object(head + result(of: stroke))
  }

  private func json(_ contact: PlottedStroke.Contact) -> JSON {
    let isResting = [false] + contact.points.map(\.isResting)
    // only the steps at which resting begins or ends
    let rests = contact.points.indices.filter { isResting[$0] != isResting[$0 + 1] }
    return [
      "first": number(contact.first),
      "end": contact.end == nil ? 0 : contact.end == .cancelled ? 2 : 1,
      "x": steps(contact.points.map { hundredths($0.position.x) }),
      "y": steps(contact.points.map { hundredths($0.position.y) }), "rests": numbers(rests),
    ]
  }

  /// What was recognized: the part that other settings can change.
  private func result(of stroke: PlottedStroke) -> [JSON.Member] {
    let gestures = stroke.gestures.map { gesture -> JSON in
      [
        "kind": text(Palette.name(of: gesture.latest.kind)),
        "from": number((gesture.began - stroke.start).microseconds),
        "to": number((gesture.latest.time - stroke.start).microseconds),
        "undone": gesture.latest.phase == .cancelled ? 1 : 0,
        "words": text(StrokeWords.describe(gesture)),
      ]
    }
    let decisions = zip(stroke.decisions, StrokeWords.decisions(of: stroke)).map { pair -> JSON in
      [
        "at": number((pair.0.time - stroke.start).microseconds),
        "marks": pair.0.outcome != nil ? 1 : 0, "words": text(pair.1),
      ]
    }
    return [
      .init("summary", text(StrokeWords.summary(stroke))), .init("gestures", .array(gestures)),
      .init("decisions", .array(decisions)),
    ] + members(of: stroke.evidence, from: stroke.start)
  }

  private static var costs: [(name: String, path: KeyPath<Costs, Double>)] {
    [
      ("drag", \.drag), ("pinch", \.pinch), ("rotate", \.rotate), ("still", \.still),
      ("rest", \.rest),
      ("late", \.lateDrag), ("lateRotate", \.lateRotate),
    ]
  }

  private func members(of evidence: [Evidence], from start: EventTime) -> [JSON.Member] {
    if evidence.isEmpty { return [] }
    func curve(_ name: String, _ value: (Evidence) -> Double) -> JSON.Member {
      .init(name, numbers(evidence.map { hundredths(value($0)) }))
    }
    let isMany = evidence.contains { $0.fingers > 2 }
    let costs = Self.costs.filter { name, path in
      (isMany || name != "lateRotate")
        && evidence.contains { hundredths($0.costs[keyPath: path]) >= 0 }
    }
    return [
      .init("et", steps(evidence.map { ($0.time - start).microseconds })),
      .init("fingers", numbers(evidence.map(\.fingers))),
    ] + costs.map { name, path in curve(name) { $0.costs[keyPath: path] } } + [
      curve("lead", \.lead), curve("needed", \.needed), curve("line") { $0.least + $0.needed },
    ]
  }

  private func json(_ row: SettingsGrid.Row) -> JSON {
    let changes = row.changes.map { change in
      let place = [
        JSON.Member("value", number(change.value)), .init("stroke", number(change.stroke)),
      ]
      return JSON.object(place + result(of: change.result))
    }
    return [
      "name": text(row.setting.name), "unit": text(row.setting.unit),
      "summary": text(row.setting.summary),
      "values": .array(row.values.map { ["v": text($0.shortest)] }),
      "base": number(row.values.firstIndex(of: row.base) ?? 0), "changes": .array(changes),
    ]
  }

  // MARK: Values

  private func text(_ text: String) -> JSON { .string(text.printable) }

  private func number(_ value: some BinaryInteger) -> JSON { .integer(Int64(value)) }

  private func decimal(_ value: Double) -> JSON { .decimal((value * 100).rounded() / 100) }

  private func numbers(_ values: [some BinaryInteger]) -> JSON { .array(values.map(number)) }

  /// Numbers as their differences, which are shorter.
  private func steps(_ values: [Int64]) -> JSON { numbers(zip(values, [0] + values).map(-)) }

  /// In units of 0.01; -1 for infinity.
  private func hundredths(_ value: Double) -> Int64 {
    value.isFinite ? Int64((min(max(value, -1e6), 1e6) * 100).rounded()) : -1
  }
}
