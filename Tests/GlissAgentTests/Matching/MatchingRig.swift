import GlissAgent
import GlissConfiguration
import GlissEvents
import GlissHotkeys

/// Rules, and gestures made by hand.
enum MatchingRig {
  static let place = Place(file: "t.yaml", line: 1, column: 1)
  static let pad = DeviceID(rawValue: 0)

  static func action(_ text: String) -> Action {
    Action(.notify(summary: text, body: nil), place: place)
  }

  static func rule(
    _ condition: GestureCondition, mode: String? = nil, device: DeviceMatch? = nil,
    hasChange: Bool = false, steps: [Step.Interval] = []
  ) -> Rule {
    var reactions = Reactions(end: [action("done")])
    if hasChange { reactions.change = [action("changed")] }
    reactions.steps = steps.map {
      Step(interval: $0, forward: [action("on")], back: [action("back")], place: place)
    }
    return Rule(
      trigger: .gesture(condition), mode: mode, device: device, reactions: reactions, place: place)
  }

  static func machine(_ rules: [Rule]) -> RuleMachine {
    RuleMachine(RuleTable(Configuration(rules: rules)))
  }

  static func machine(_ conditions: GestureCondition...) -> RuleMachine {
    machine(conditions.map { rule($0) })
  }

  /// A step of a swipe: how far it has gone.
  static func swipe(
    _ phase: GesturePhase, _ ms: Int64, x: Double = 0, y: Double = 0, fingers: Int = 3,
    speed: Double = 100
  ) -> GestureEvent {
    var event = event(.swipe, phase, ms, fingers: fingers)
    event.translation.millimetres = Vector2(x: x, y: y)
    event.direction = Direction.ofFour(event.translation.millimetres)
    event.direction8 = Direction.ofEight(event.translation.millimetres)
    event.velocity = Vector2(x: speed, y: 0)
    return event
  }

  static func pinch(_ phase: GesturePhase, _ ms: Int64, scale: Double) -> GestureEvent {
    var event = event(.pinch, phase, ms, fingers: 2)
    event.scale = scale
    return event
  }

  static func event(
    _ kind: GestureKind, _ phase: GesturePhase, _ ms: Int64, fingers: Int = 3
  ) -> GestureEvent {
    GestureEvent(
      time: EventTime(microseconds: ms * 1000), device: pad, kind: kind, phase: phase,
      fingers: fingers)
  }
}

/// What came of it, one word each: `0 begin`, `0 forward 2`.
final class Told {
  var activations: [Activation] = []
  var words: [String] { activations.map(Told.word) }

  func callAsFunction(_ new: [Activation]) { activations += new }

  /// What was told since it was asked last.
  func take() -> [String] {
    defer { activations.removeAll() }
    return words
  }

  static func word(_ activation: Activation) -> String {
    let moment =
      switch activation.moment {
      case .begin, .change, .end, .cancel, .release: activation.moment.rawValue
      case .forward: "on \(activation.step)×\(activation.count)"
      case .back: "back \(activation.step)×\(activation.count)"
      }
    return "\(activation.rule) \(moment)"
  }
}

extension RuleMachine {
  /// What comes of those events, one after the other.
  mutating func tell(
    _ events: GestureEvent..., modifiers: Modifiers = [], stream: Int = 0
  ) -> [String] {
    tell(events, modifiers: modifiers, stream: stream)
  }

  mutating func tell(
    _ events: [GestureEvent], modifiers: Modifiers = [], stream: Int = 0
  ) -> [String] {
    let told = Told()
    for event in events {
      process(event, modifiers: modifiers, stream: stream)
      told(takeActivations())
    }
    return told.words
  }
}
