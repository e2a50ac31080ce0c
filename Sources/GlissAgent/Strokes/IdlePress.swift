import GlissConfiguration
package import GlissEvents
import GlissHotkeys

/// A press that triggered no rule, though rules name its key, button or wheel.
package struct IdlePress: Hashable, Sendable {
  package var time: EventTime
  /// What was pressed, as a hotkey is written.
  package var hotkey: String
  package var missed: [StrokeReport.Missed]
}

/// Finds presses that trigger no rule. For dry runs only: it has to see every key.
struct IdlePresses {
  var found: [IdlePress] = []
  private let configuration: Configuration
  private var recorder = HotkeyRecorder()
  /// The last press, until it is known whether it was a hotkey.
  private var last: IdlePress?
  private var lastHotkey: EventTime?

  init(_ configuration: Configuration) { self.configuration = configuration }

  /// The kinds of events that ``process(_:in:_:)`` needs.
  var kinds: EventMask {
    configuration.rules.contains(where: \.isHotkey) ? [.key, .pointer, .scroll] : []
  }

  /// Processes an event of `device` that came while the rules were in this mode and focus.
  mutating func process(
    _ event: InputEvent, of device: RuleDevice?, in mode: String?, _ focus: RuleFocus
  ) {
    var keysym: UInt32 = 0
    var pressed: Hotkey?
    switch event {
    case .key(let key): (pressed, keysym) = (recorder.process(key), key.keysym)
    case .button(let button): pressed = recorder.process(button)
    case .scroll(let scroll): pressed = recorder.process(scroll)
    case .gesture, .touch, .motion, .device, .hotkey, .lost: return
    }
    guard let pressed, let press = pressed.chords.last else { return }
    settle()
    let missed = configuration.rules.indices.compactMap { index -> StrokeReport.Missed? in
      let rule = configuration.rules[index]
      guard case .hotkey(let condition) = rule.trigger, let chord = condition.hotkey.chords.last,
        chord.isCompleted(by: press.trigger, keysym: keysym),
        // typing a letter is not meant as a chord
        chord.sharesModifiers(with: press) || press.typesNothing
      else { return nil }
      var reasons: [String] = []
      if !chord.sharesModifiers(with: press) {
        reasons.append(asks("pressed \(press)", "\(chord)"))
      }
      if condition.hotkey.chords.count > 1 {
        let first = condition.hotkey.chords.dropLast().map(\.description).joined(separator: ";")
        reasons.append("the rule asks for \(first) right before")
      }
      if rule.mode != mode { reasons.append(asks("mode \(mode ?? "none")", rule.mode ?? "none")) }
      if let match = rule.application, !focus.isMet[index] {
        reasons.append(focus.unmet(match))
      }
      if !rule.isFor(device) {
        reasons.append(asks("device “\(device?.name ?? "")”", rule.device?.spoken ?? "any"))
      }
      return reasons.isEmpty
        ? nil : StrokeReport.Missed(rule: StrokeReport.RuleName(rule), reasons: reasons)
    }
    if missed.isEmpty || event.time == lastHotkey { return }
    last = IdlePress(
      time: event.time, hotkey: "\(pressed)", missed: Array(missed.prefix(NearMiss.limit)))
  }

  /// A hotkey was pressed, so that the press of that time is not idle.
  mutating func note(_ hotkey: HotkeyEvent) {
    guard hotkey.phase == .pressed else { return }
    lastHotkey = hotkey.time
    if last?.time == hotkey.time { last = nil }
  }

  /// Nothing more comes that belongs to the last press.
  mutating func settle() {
    if let last { found.append(last) }
    last = nil
  }
}

extension IdlePress {
  package var json: JSON {
    [
      "time": .seconds(time), "hotkey": .string(hotkey), "missed": .array(missed.map(\.json)),
    ]
  }
}
