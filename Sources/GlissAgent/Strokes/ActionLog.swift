import GlissClient
package import GlissConfiguration
package import GlissEvents
import GlissHotkeys

/// The actions requested by the last gestures and hotkeys, with their results, and lost input.
struct ActionLog {
  private struct Entry {
    var rule: Int
    var name: StrokeReport.RuleName
    var place: Place
    var record: ActionRecord
  }

  /// When there are more gestures and presses than this, old ones are dropped. Fewer are kept, so
  /// that many are dropped at a time.
  private static let capacity = 64
  /// Losses of a device that follow each other within this time count as one.
  private static let lossRest = EventInterval.milliseconds(1000)

  private var entries: [UInt64: [Entry]] = [:]
  /// Rules whose actions came too late, by the serial number of the gesture or press.
  private var late: [UInt64: Set<Int>] = [:]
  /// Presses that made a rule act, or would have if its action had not come too late.
  private var hotkeys: [(serial: UInt64, time: EventTime, hotkey: String)] = []
  private(set) var losses: [LossReport] = []

  // MARK: Actions

  /// An action is about to be done as many times as the activation says.
  ///
  /// - Returns: `nil` for the end of a hold, whose beginning has the record.
  mutating func ask(_ action: Action, of rule: Rule, for activation: Activation) -> ActionRecord.ID?
  {
    if case .letGo = action.verb { return nil }
    let serial = activation.serial
    if entries[serial] == nil, let hotkey = rule.hotkey {
      if hotkeys.count == Strokes.usual { hotkeys.removeFirst() }
      hotkeys.append((serial, activation.time, hotkey))
    }
    let list = entries[serial, default: []]
    let known = list.firstIndex { $0.rule == activation.rule && $0.place == action.place }
    if known == nil {
      entries[serial, default: []].append(
        Entry(
          rule: activation.rule, name: StrokeReport.RuleName(rule), place: action.place,
          record: ActionRecord(action.verb)))
    }
    let index = known ?? list.count
    entries[serial]?[index].record.asked += activation.count
    return ActionRecord.ID(serial: serial, index: index)
  }

  /// Records that the rule is too late.
  ///
  /// - Returns: whether this is the first time in this gesture or press.
  mutating func noteLate(_ activation: Activation) -> Bool {
    late[activation.serial, default: []].insert(activation.rule).inserted
  }

  /// Records a result. It is ignored if its record was dropped.
  mutating func note(_ result: ActionRecord.Result, times: Int = 1, of id: ActionRecord.ID?) {
    guard let id, entries[id.serial]?.indices.contains(id.index) == true else { return }
    entries[id.serial]?[id.index].record.note(result, times: times)
  }

  /// Drops results that belong to neither `strokes` nor a kept hotkey.
  ///
  /// - Parameter newest: the number of the last gesture or press. The newest ones may be under
  ///   way, so they stay.
  mutating func forget(but strokes: [MatchedGesture], newest: UInt64) {
    guard entries.count > Self.capacity else { return }
    let kept = Set(strokes.map(\.serial) + hotkeys.map(\.serial))
    entries = entries.filter { $0.key + 32 > newest || kept.contains($0.key) }
    late = late.filter { entries[$0.key] != nil }
  }

  func records(of serial: UInt64) -> [Int: [ActionRecord]] {
    (entries[serial] ?? []).reduce(into: [:]) { $0[$1.rule, default: []].append($1.record) }
  }

  var hotkeyReports: [PressReport] {
    hotkeys.map { press in
      var fired: [StrokeReport.Fired] = []
      for entry in entries[press.serial] ?? [] {
        if fired.last?.rule == entry.name {
          fired[fired.count - 1].records.append(entry.record)
        } else {
          fired.append(StrokeReport.Fired(rule: entry.name, moments: [], records: [entry.record]))
        }
      }
      return PressReport(time: press.time, hotkey: press.hotkey, fired: fired)
    }
  }

  // MARK: Losses

  /// - Returns: whether this is a new loss, not the continuation of one.
  mutating func note(_ loss: LossEvent, of device: String) -> Bool {
    let last = losses.lastIndex { $0.device == device }
    if let last, loss.time - losses[last].time <= Self.lossRest {
      losses[last].time = loss.time
      losses[last].count += 1
      return false
    }
    if losses.count == Strokes.usual { losses.removeFirst() }
    losses.append(LossReport(time: loss.time, device: device, since: loss.since))
    return true
  }
}

// A gesture that is over: what it was recognized as, and what came of it.
extension MatchedGesture {
  package var start: GestureEvent { gesture.start }
  package var end: GestureEvent { gesture.now }
  package var device: String { gesture.device?.name ?? "" }
  package var unit: Int { gesture.device?.unit ?? 1 }

  /// The application of one of the windows when it began.
  func application(_ window: FollowedWindow) -> String? { gesture.focus.names[window]?.first }

  /// The rules that its rule numbers refer to.
  package var rules: [Rule] { table.configuration.rules }

  package var hasActed: Bool { outcomes.contains(where: \.hasActed) }

  /// It was withdrawn in favour of another gesture, and triggered nothing.
  package var isSuperseded: Bool { end.phase == .cancelled && !hasActed }
}

/// The last gestures, oldest first.
package struct Strokes: Sendable {
  /// As many as a person remembers.
  package static let usual = 10

  let limit: Int
  package private(set) var kept: [MatchedGesture] = []

  init(limit: Int) { self.limit = max(1, limit) }

  mutating func add(_ stroke: MatchedGesture) {
    // the last stroke belongs to this one if a resting finger then moved, or if the gesture was
    // corrected
    if let last = kept.lastIndex(where: { $0.isSameStream(as: stroke) }),
      kept[last].isSuperseded, kept[last].end.time == stroke.start.time
    {
      kept.remove(at: last)
    }
    if kept.count == limit { kept.removeFirst() }
    kept.append(stroke)
  }
}

extension MatchedGesture {
  /// Made by the same fingers, but recognized with other settings.
  func hasSameFingers(as other: MatchedGesture) -> Bool {
    start.device == other.start.device && gesture.stream != other.gesture.stream
      && start.kind == other.start.kind && end.time == other.end.time
  }

  fileprivate func isSameStream(as other: MatchedGesture) -> Bool {
    start.device == other.start.device && gesture.stream == other.gesture.stream
  }
}

/// What became of one action of a rule, for one gesture or one press of a hotkey.
package struct ActionRecord: Hashable, Sendable {
  /// The kind of action. The raw value is its word in JSON.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case run, press, hold, release, move, enter, leave, show, write, perform
  }

  enum Result: Hashable, Sendable {
    case done
    case failed(String)
    /// A command was started, and has failed since.
    case ended(String)
  }

  struct ID: Hashable, Sendable, BitwiseCopyable {
    /// The gesture or press: ``Activation/serial``.
    var serial: UInt64
    var index: Int
  }

  package var kind: Kind
  /// The command line, chords, mode or similar.
  package var object: String
  /// How often it was requested, was done, and was not done.
  package internal(set) var asked = 0
  package private(set) var done = 0
  package private(set) var failed = 0
  package private(set) var reason: String?
  package private(set) var end: String?

  package init(_ verb: Action.Verb) {
    switch verb {
    case .run(let command): (kind, object) = (.run, command.program.spoken)
    case .keys(let chords):
      (kind, object) = (.press, chords.map(\.description).joined(separator: " "))
    case .hold(let chords):
      (kind, object) = (.hold, chords.map(\.textToPress).joined(separator: " "))
    case .letGo(let chords):
      (kind, object) = (.release, chords.map(\.textToPress).joined(separator: " "))
    case .move: (kind, object) = (.move, "the pointer")
    case .mode(let mode?): (kind, object) = (.enter, "the mode \(mode)")
    case .mode(nil): (kind, object) = (.leave, "the mode")
    case .turns(let turns):
      // recorded only if none is done
      let first = turns.lazy.joined().first.map { ActionRecord($0.verb) }
      (kind, object) = (first?.kind ?? .run, first?.object ?? "")
    case .notify(let summary, _): (kind, object) = (.show, "“\(summary)”")
    case .emit(let emission): (kind, object) = (.write, "to \(emission.path)")
    case .desktop(let action): (kind, object) = (.perform, action.written)
    }
  }

  mutating func note(_ result: Result, times: Int = 1) {
    switch result {
    case .done: done += times
    case .failed(let reason):
      failed += times
      self.reason = reason
    case .ended(let end): self.end = end
    }
  }

  /// `ran foot`, `did not press alt+left: …`, or both if it was done only some of the times.
  package var sentence: String {
    var parts: [String] = []
    func say(_ verb: String, _ count: Int, _ rest: String = "") {
      if count > 0 {
        parts.append("\(verb) \(object)" + (count > 1 ? " \(count) times" : "") + rest)
      }
    }
    say(kind.past, done, end.map { ", which \($0)" } ?? "")
    say(kind.failure, failed, reason.map { ": \($0)" } ?? "")
    say("has yet to \(kind.rawValue)", asked - done - failed)
    return parts.joined(separator: "; ")
  }
}

extension ActionRecord.Kind {
  private static let irregular: [ActionRecord.Kind: String] = [
    .run: "ran", .hold: "held", .leave: "left", .write: "wrote",
  ]

  fileprivate var past: String {
    Self.irregular[self] ?? rawValue + (rawValue.hasSuffix("e") ? "d" : "ed")
  }

  fileprivate var failure: String { self == .run ? "could not run" : "did not \(rawValue)" }
}

extension ActionRecord {
  var json: JSON {
    .members([
      "action": .string(kind.rawValue), "object": .string(object), "asked": .integer(Int64(asked)),
      "done": .integer(Int64(done)), "failed": .integer(Int64(failed)),
      "reason": reason.map(JSON.string), "end": end.map(JSON.string),
    ])
  }

  init?(_ json: JSON) {
    guard let kind = json["action"]?.string.flatMap(Kind.init), let object = json["object"]?.string,
      let asked = json["asked"]?.integer, let done = json["done"]?.integer,
      let failed = json["failed"]?.integer
    else { return nil }
    (self.kind, self.object) = (kind, object)
    (self.asked, self.done, self.failed) = (Int(asked), Int(done), Int(failed))
    (reason, end) = (json["reason"]?.string, json["end"]?.string)
  }
}

extension Command.Program {
  /// As typed in a shell: quoted so that arguments stay separate.
  package var spoken: String {
    switch self {
    case .arguments(let arguments): arguments.map(\.quotedForShell).joined(separator: " ")
    case .shell(let text): text
    }
  }
}
