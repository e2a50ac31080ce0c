import GlissClient
package import GlissConfiguration
import GlissDevices
package import GlissEvents

/// A press that triggered rules, and what came of it, or one that triggered none, though rules name
/// its key, button or wheel.
package struct PressReport: Hashable, Sendable {
  package var time: EventTime
  /// The hotkey as written in the file; without one, what was pressed, as a hotkey is written.
  package var hotkey: String
  package var fired: [StrokeReport.Fired] = []
  package var missed: [StrokeReport.Missed] = []
}

/// A loss of input from a device: what the user did then is not known.
package struct LossReport: Hashable, Sendable {
  package var time: EventTime
  package var device: String
  /// The time of the device's last event before the loss, if any.
  package var since: EventTime?
  /// How often in a row the kernel dropped events.
  package var count = 1

  package var sentence: String {
    let lasted =
      since.map { " in the \((time - $0).seconds.trimmed(1)) s before" } ?? ""
    return "lost what was done on \(device)\(lasted): it was not read in time"
  }
}

/// Everything the agent remembers: the last strokes and hotkeys, and losses, each oldest first.
package struct WhyReport: Hashable, Sendable {
  package var strokes: [StrokeReport]
  package var hotkeys: [PressReport]
  package var losses: [LossReport]

  init(_ strokes: Strokes, _ actionLog: ActionLog) {
    self.strokes = StrokeReport.reports(of: strokes.kept) { actionLog.records(of: $0) }
    hotkeys = actionLog.hotkeyReports
    losses = actionLog.losses
  }

  /// Entries of `json` that are not valid reports are left out.
  package init(_ json: JSON) {
    func all<Report>(_ list: String, _ read: (JSON) -> Report?) -> [Report] {
      (json[list]?.array ?? []).compactMap(read)
    }
    strokes = all("strokes") { StrokeReport($0) }
    hotkeys = all("hotkeys") { PressReport($0) }
    losses = all("losses") { LossReport($0) }
  }

  /// The files of the rules in it, and those of all rules in force.
  package func files(among others: [String]) -> FileNames {
    var rules = strokes.flatMap { $0.fired.map(\.rule) + $0.missed.map(\.rule) }
    rules += hotkeys.flatMap { $0.fired.map(\.rule) }
    return FileNames(others + rules.map(\.file))
  }

  package var json: JSON {
    [
      "strokes": .array(strokes.map(\.json)), "hotkeys": .array(hotkeys.map(\.json)),
      "losses": .array(losses.map(\.json)),
    ]
  }
}

extension PressReport {
  package var json: JSON {
    .members([
      "time": .seconds(time), "hotkey": .string(hotkey),
      "fired": missed.isEmpty ? .array(fired.map(\.json)) : nil,
      "missed": missed.isEmpty ? nil : .array(missed.map(\.json)),
    ])
  }

  init?(_ json: JSON) {
    guard let time = json["time"]?.eventTime, let hotkey = json["hotkey"]?.string,
      let fired = json["fired"]?.array
    else { return nil }
    self.init(
      time: time, hotkey: hotkey, fired: fired.compactMap { StrokeReport.Fired($0) })
  }
}

extension LossReport {
  var json: JSON {
    .members([
      "time": .seconds(time), "device": .string(device), "since": since.map(JSON.seconds),
      "count": .integer(Int64(count)),
    ])
  }

  init?(_ json: JSON) {
    guard let time = json["time"]?.eventTime, let device = json["device"]?.string,
      let count = json["count"]?.integer
    else { return nil }
    self.init(
      time: time, device: device, since: json["since"]?.eventTime, count: Int(count))
  }
}

extension JSON {
  static func seconds(_ time: EventTime) -> JSON { .microseconds(time.microseconds) }

  /// The inverse of ``seconds(_:)``.
  var eventTime: EventTime? {
    number.map { EventTime(microseconds: Int64(saturating: ($0 * 1_000_000).rounded())) }
  }
}

/// A stroke as reported to people and programs: what it was recognized as, which rules fired, and
/// which just missed.
package struct StrokeReport: Hashable, Sendable {
  /// When it was over.
  package var time: EventTime
  package var device: String
  /// Its ``GlissEvents/Device/unit``.
  package var unit = 1
  /// The application that had the focus when it began; `nil` if there was none, or no rule asks for
  /// one.
  package var application: String?
  package var gesture: String
  package var fingers: Int
  package var phase: String
  /// What it was recognized as: `swipe left with 3 fingers, 42.1 mm, lifted at 310 mm/s`.
  package var sentence: String
  package var fired: [Fired]
  package var missed: [Missed]
  /// It triggered some action. Not in the JSON form.
  package var hasActed: Bool { fired.contains(where: \.hasActed) }

  static let mostMissed = 3

  package struct Fired: Hashable, Sendable {
    package var rule: RuleName
    /// In words: `begin`, `3 forward`, `end`.
    package var moments: [String]
    /// The results of its actions; empty in a dry run.
    package var records: [ActionRecord] = []
    /// It had actions for one of these moments. Not in the JSON form.
    package var hasActed = false
  }

  package struct Missed: Hashable, Sendable {
    package var rule: RuleName
    /// What was missing, one sentence each.
    package var reasons: [String]
  }

  package struct RuleName: Hashable, Sendable {
    package var name: String?
    package var file: String
    package var line: Int
    package var column: Int?

    /// `back (gliss.yaml:12)`, or only the place if the rule has no name.
    package func label(among files: FileNames) -> String {
      let place = "\(files[file]):\(line)"
      return name.map { "\($0) (\(place))" } ?? place
    }
  }

  /// A report for each stroke. If rules with settings of their own had the same fingers recognized
  /// separately, those results are added to the report of the common stroke.
  ///
  /// - Parameter records: by rule, the results of a stroke's actions.
  package static func reports(
    of strokes: [MatchedGesture],
    records: (_ serial: UInt64) -> [Int: [ActionRecord]] = { _ in [:] }
  ) -> [StrokeReport] {
    var reports: [StrokeReport] = []
    var last: MatchedGesture?
    for stroke in strokes {
      let report = StrokeReport(stroke, records: records(stroke.serial))
      if let last, last.hasSameFingers(as: stroke), !reports.isEmpty {
        let index = reports.count - 1
        reports[index].fired += report.fired
        reports[index].missed = Array(
          (reports[index].missed + report.missed).prefix(mostMissed))
      } else {
        reports.append(report)
        last = stroke
      }
    }
    return reports
  }
}

/// What reports call files: by name, and where several have the same name, with the folders that
/// distinguish them.
package struct FileNames: Sendable {
  /// By path. Files whose name no other has are left out.
  private var names: [String: String] = [:]

  package init(_ paths: [String]) {
    for same in Dictionary(grouping: Set(paths), by: { $0.folderAndName.name }).values
    where same.count > 1 {
      for path in same { names[path] = Self.end(of: path, among: same) }
    }
  }

  package subscript(path: String) -> String { names[path] ?? path.folderAndName.name }

  /// The shortest end of the path that no other path has.
  private static func end(of path: String, among paths: [String]) -> String {
    let parts = path.split(separator: "/")
    let ends = parts.indices.reversed().map { parts[$0...].joined(separator: "/") }
    return ends.first { end in
      !paths.contains { $0 != path && "/\($0)".hasSuffix("/\(end)") }
    } ?? path
  }
}

extension RuleOutcome {
  fileprivate var words: [String] {
    Activation.Moment.allCases.compactMap { moment in
      counts[moment].map { count in
        switch moment {
        case .begin, .end, .cancel, .release: moment.rawValue
        case .change: counted(count, "change")
        case .forward, .back: "\(count) \(moment.rawValue)"
        }
      }
    }
  }
}

extension MatchedGesture {
  fileprivate var sentence: String {
    var parts = ["\(what) with \(GestureWords.fingers(start.fingers))"]
    switch end.kind {
    case .drag, .swipe, .edgeSwipe:
      parts.append("\(end.translation.millimetres.length.trimmed(1)) mm")
      if end.phase == .ended { parts.append(GestureWords.lifted(at: end.velocity.length)) }
    case .pinch: parts.append("to \(end.scale.trimmed(2)) times its size")
    case .rotate: parts.append("\((abs(end.rotation) * 180 / .pi).trimmed(0))°")
    case .hold: parts.append("for \((end.time - start.time).milliseconds.trimmed(0)) ms")
    case .tap: break
    }
    if end.phase == .cancelled { parts.append("cancelled") }
    let (focused, pointed) = (application(.focused), application(.underPointer))
    if let focused { parts.append("in \(focused)") }
    if let pointed, pointed != focused { parts.append("with the pointer over \(pointed)") }
    return parts.joined(separator: ", ")
  }

  private var what: String {
    var words: [String] = []
    if start.kind == .tap, start.count > 1 {
      words.append(GestureWords.multiple(start.count) ?? "\(start.count)-fold")
    }
    words.append(start.kind.spoken)
    if let sense = gesture.sense(as: start.kind) { words.append(sense.word) }
    if let edge = start.edge { words.append(GestureWords.from(edge)) }
    if start.isAfterTap { words.append(GestureWords.afterTap) }
    return words.joined(separator: " ")
  }
}

extension StrokeReport {
  package init(_ stroke: MatchedGesture, records: [Int: [ActionRecord]] = [:]) {
    let rules = stroke.rules
    self.init(
      time: stroke.end.time, device: stroke.device, unit: stroke.unit,
      application: stroke.application(.focused),
      gesture: stroke.start.kind.name, fingers: stroke.start.fingers, phase: stroke.end.phase.name,
      sentence: stroke.sentence,
      fired: stroke.outcomes.map {
        Fired(
          rule: RuleName(rules[$0.rule]), moments: $0.words, records: records[$0.rule] ?? [],
          hasActed: $0.hasActed)
      },
      missed: stroke.nearMisses)
  }

  package var json: JSON {
    .members([
      "time": .seconds(time), "device": .string(device),
      "unit": unit == 1 ? nil : JSON.whole(unit),
      "application": application.map(JSON.string), "gesture": .string(gesture),
      "fingers": .integer(Int64(fingers)), "phase": .string(phase),
      "what": .string(sentence), "fired": .array(fired.map(\.json)),
      "missed": .array(missed.map(\.json)),
    ])
  }

  package init?(_ json: JSON) {
    guard let time = json["time"]?.eventTime, let gesture = json["gesture"]?.string,
      let fingers = json["fingers"]?.integer, let sentence = json["what"]?.string,
      let fired = json["fired"]?.array, let missed = json["missed"]?.array
    else { return nil }
    self.init(
      time: time, device: json["device"]?.string ?? "",
      unit: Int(json["unit"]?.integer ?? 1), application: json["application"]?.string,
      gesture: gesture, fingers: Int(fingers), phase: json["phase"]?.string ?? "",
      sentence: sentence, fired: fired.compactMap { Fired($0) },
      missed: missed.compactMap { Missed($0) })
  }
}

extension StrokeReport.Fired {
  var json: JSON {
    .members([
      "rule": rule.json, "moments": .strings(moments),
      "actions": records.isEmpty ? nil : .array(records.map(\.json)),
    ])
  }

  init?(_ json: JSON) {
    guard let rule = StrokeReport.RuleName(json["rule"] ?? .null),
      let moments = json["moments"]?.strings
    else { return nil }
    self.init(
      rule: rule, moments: moments,
      records: (json["actions"]?.array ?? []).compactMap { ActionRecord($0) })
  }
}

extension StrokeReport.Missed {
  var json: JSON { ["rule": rule.json, "reasons": .strings(reasons)] }

  init?(_ json: JSON) {
    guard let rule = StrokeReport.RuleName(json["rule"] ?? .null),
      let reasons = json["reasons"]?.strings
    else { return nil }
    self.init(rule: rule, reasons: reasons)
  }
}

extension StrokeReport.RuleName {
  package init(_ rule: Rule) {
    let place = rule.place
    self.init(name: rule.name, file: place.file, line: place.line, column: place.column)
  }

  package var json: JSON {
    .members([
      "name": name.map(JSON.string), "file": .string(file), "line": .whole(line),
      "column": column.map { JSON.whole($0) },
    ])
  }

  fileprivate init?(_ json: JSON) {
    guard let file = json["file"]?.string, let line = json["line"]?.integer else { return nil }
    self.init(
      name: json["name"]?.string, file: file, line: Int(line),
      column: json["column"]?.integer.map { Int($0) })
  }
}
