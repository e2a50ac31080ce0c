import GlissBroker
public import GlissEvents

/// A press of a hotkey that rules were to act on, and what came of it.
public struct HotkeyReport: Hashable, Sendable {
  public var time: EventTime
  /// As the file has it.
  public var hotkey: String
  public var fired: [StrokeReport.Fired]
}

/// Input of a device that was lost: what was done then is not known.
public struct LossReport: Hashable, Sendable {
  public var time: EventTime
  public var device: String
  /// The device's last event before, if there was one.
  public var since: EventTime?
  /// How often the kernel dropped events, one time right after the other.
  public var count = 1

  /// In words.
  public var sentence: String {
    let lasted =
      since.map { " in the \(MissSentence.number((time - $0).seconds, 1)) s before" } ?? ""
    return "lost what was done on \(device)\(lasted): it was not read in time"
  }
}

/// All that the agent remembers: the last strokes and hotkeys, and what was lost, each the oldest first.
public struct WhyReport: Hashable, Sendable {
  public var strokes: [StrokeReport]
  public var hotkeys: [HotkeyReport]
  public var losses: [LossReport]

  init(_ strokes: Strokes, _ chronicle: Chronicle) {
    self.strokes = StrokeReport.reports(of: strokes.kept, chronicle)
    hotkeys = chronicle.hotkeyReports
    losses = chronicle.losses
  }

  /// What is no report in `json` is left out.
  public init(_ json: JSON) {
    func all<Report>(_ list: String, _ read: (JSON) -> Report?) -> [Report] {
      (json[list]?.array ?? []).compactMap(read)
    }
    strokes = all("strokes") { StrokeReport($0) }
    hotkeys = all("hotkeys") { HotkeyReport($0) }
    losses = all("losses") { LossReport($0) }
  }

  public var json: JSON {
    [
      "strokes": .array(strokes.map(\.json)), "hotkeys": .array(hotkeys.map(\.json)),
      "losses": .array(losses.map(\.json)),
    ]
  }
}

extension HotkeyReport {
  var json: JSON {
    [
      "time": .seconds(time), "hotkey": .string(hotkey), "fired": .array(fired.map(\.json)),
    ]
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
  static func seconds(_ time: EventTime) -> JSON { .decimal(Double(time.microseconds) / 1_000_000) }

  /// What ``seconds(_:)`` has written.
  var eventTime: EventTime? {
    number.map { EventTime(microseconds: Int64(saturating: ($0 * 1_000_000).rounded())) }
  }
}
