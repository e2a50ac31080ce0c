import GlissClient
public import GlissEvents

/// A press of a hotkey that triggered rules, and what came of it.
public struct HotkeyReport: Hashable, Sendable {
  public var time: EventTime
  /// The hotkey as written in the file.
  public var hotkey: String
  public var fired: [StrokeReport.Fired]
}

/// A loss of input from a device: what the user did then is not known.
public struct LossReport: Hashable, Sendable {
  public var time: EventTime
  public var device: String
  /// The time of the device's last event before the loss, if any.
  public var since: EventTime?
  /// How often in a row the kernel dropped events.
  public var count = 1

  /// The loss in words.
  public var sentence: String {
    let lasted =
      since.map { " in the \((time - $0).seconds.trimmed(1)) s before" } ?? ""
    return "lost what was done on \(device)\(lasted): it was not read in time"
  }
}

/// Everything the agent remembers: the last strokes and hotkeys, and losses, each oldest first.
public struct WhyReport: Hashable, Sendable {
  public var strokes: [StrokeReport]
  public var hotkeys: [HotkeyReport]
  public var losses: [LossReport]

  init(_ strokes: Strokes, _ actionLog: ActionLog) {
    self.strokes = StrokeReport.reports(of: strokes.kept, actionLog)
    hotkeys = actionLog.hotkeyReports
    losses = actionLog.losses
  }

  /// Entries of `json` that are not valid reports are left out.
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

  /// The inverse of ``seconds(_:)``.
  var eventTime: EventTime? {
    number.map { EventTime(microseconds: Int64(saturating: ($0 * 1_000_000).rounded())) }
  }
}
