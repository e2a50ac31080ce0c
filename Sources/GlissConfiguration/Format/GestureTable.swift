package import GlissEvents
import GlissGestures
import GlissYaml

struct GestureDraft {
  var name: String?
  var kind: GestureKind?
  var condition = GestureCondition(kind: .drag)
  var mode: String?
  var device: DeviceMatch?
  var application: ApplicationMatch?
  var phase = Phase?.none
  var act: [Action] = []
  var period: Double?
  var reactions = Reactions()
  var steps: [StepTable.Read] = []

  enum Phase: String, Sendable, CaseIterable {
    case begin, change, end, cancel
  }
}

enum GestureTable {
  static let form = Form<NotedRule>.table(
    table, definition: "gesture", start: GestureDraft(), finish: finish)

  static let kinds = Form.choice("a gesture", GestureKind.allCases.map { ($0.name, $0) })
  static let edges = Form.choice("an edge", Edge.allCases.map { ($0.name, $0) })
  static let phases = Form.choice("a moment", GestureDraft.Phase.allCases.map { ($0.rawValue, $0) })

  static let table = Table<GestureDraft>(
    name: "a gesture's rule", fields: conditions + scope + reactions)

  private static let conditions: [Field<GestureDraft>] = [
    Field("name", .text("a name", "back"), \.name, "Its name in logs and in `gliss why`."),
    Field("gesture", kinds, "The kind of gesture (docs/gestures.md).", isRequired: true) {
      $0.kind = $1
      $0.condition.kind = $1
    },
    Field(
      "fingers", .integers("a number of fingers", 1...5, "3", "3..4"), \.condition.fingers,
      "How many fingers."),
    Field("direction", .sense, \.condition.sense, "Where it goes to."),
    Field("edge", edges, \.condition.edge, "Where an edge swipe comes in."),
    Field(
      "count", .integer("a number", 1...9), \.condition.count,
      "How many taps in a row. The first of two is also reported as a single tap."),
    Field(
      "afterTap", .flag, \.condition.isAfterTap, "A drag of one finger right after a tap, or not."),
    Field(
      "travel", .bounds(.length), \.condition.travel,
      "How far the fingers have gone since the gesture began."),
    Field(
      "scale", .bounds(.scale), \.condition.scale,
      "How much wider a pinch is than when it began: 1.5 is half as wide again, 0.5 half as wide."),
    Field("turn", .bounds(.turn), \.condition.turn, "How far a rotation has turned, either way."),
    Field(
      "speed", .bounds(.speed), \.condition.speed,
      "How fast the fingers go; at the end how fast they left."),
    Field(
      "duration", .bounds(.time), \.condition.duration,
      "How long a hold has lasted since it was recognized."),
    Field(
      "rest", .bounds(.time), \.condition.rest,
      "How long the device had no gesture before this one."),
  ]

  private static let scope: [Field<GestureDraft>] = [
    Field(
      "modifiers", .modifiers, \.condition.modifiers,
      "What is held on the keyboard; other modifiers must be up. `none`: none may be held."),
    Field("mode", .mode, \.mode, "The mode it applies in.", standard: "while no mode is entered"),
    Field("device", .device, \.device, "Whose gestures count.", standard: "every device's"),
    Field(
      "application", .application, \.application,
      "The application that has the focus when the gesture begins (docs/focus.md).",
      standard: "any, or none"),
    Field("settings", .settings, \.condition.settings, "Recognizer numbers for this rule alone."),
    Field(
      "consume", .flag, \.condition.consumes,
      "Hides the stroke from the desktop (docs/compositors.md). For three fingers and more."),
  ]

  private static let reactions: [Field<GestureDraft>] = [
    Field(
      "phase", phases, \.phase, "When `do` acts.",
      standard: "`end`, for a hold without an upper bound `begin`"),
    Field(
      "hold", .held, \.reactions.hold,
      "Keys and buttons that are held from `begin` to `end` or `cancel`."),
    Field(
      "linger", .quantity(.period), \.reactions.linger,
      "How long a gesture may pause after the fingers have lifted. If it begins again in that time, it goes on: `end` waits, and what `hold` holds stays down."
    ),
    Field("do", .actions, \.act, "What is done, once."),
    Field(
      "repeat", .quantity(.period), \.period,
      "Runs `do` at once, and again at this interval while the gesture lasts and all conditions are met."
    ),
    Field(
      "begin", .actions, \.reactions.begin,
      "What happens once everything except upper bounds holds."),
    Field("change", .actions, \.reactions.change, "What is done at every motion after `begin`."),
    Field("end", .actions, \.reactions.end, "What is done when it has ended and everything holds."),
    Field(
      "cancel", .actions, \.reactions.cancel,
      "What is done when it has ended otherwise, after `begin`."),
    Field("steps", .oneOrMore(.step), \.steps, "What is done once for each part of the distance."),
  ]

  // MARK: As a whole

  static func finish(_ draft: GestureDraft, _ given: Given, _ reader: inout Reader) -> NotedRule? {
    guard let kind = draft.kind else { return nil }
    draft.condition.check(given, &reader)
    if let device = draft.device?.kind, device == .keyboard || device == .mouse {
      reader.report(
        "a \(device.rawValue) makes no gestures, so this rule never acts: leave out device",
        at: given.value("device") ?? given.node, severity: .warning)
    }
    let node = given.value("gesture") ?? given.node
    return NotedRule(
      rule: Rule(
        name: draft.name, trigger: .gesture(draft.condition), mode: draft.mode,
        device: draft.device, application: draft.application,
        reactions: reactions(of: draft, kind, given, &reader),
        place: reader.place(of: given.node)),
      place: reader.place(of: node), length: reader.length(of: node))
  }

  static let condition = Form<GestureCondition>.table(
    Table(
      name: "a gesture",
      fields: conditions.filter { $0.name != "name" } + scope.filter { $0.name == "modifiers" }),
    start: GestureDraft()
  ) { draft, given, reader in
    guard draft.kind != nil else { return nil }
    draft.condition.check(given, &reader)
    return draft.condition
  }

  static let acts = ["hold", "do", "begin", "change", "end", "cancel", "steps"]

  private static func reactions(
    of draft: GestureDraft, _ kind: GestureKind, _ given: Given, _ reader: inout Reader
  ) -> Reactions {
    var reactions = draft.reactions
    if !draft.steps.isEmpty { reactions.steps = draft.steps.map(\.step) }
    let isRepeated = draft.period != nil
    let phase = draft.phase ?? (draft.condition.actsAtBegin || isRepeated ? .begin : .end)
    if let period = draft.period, let key = given.key("repeat") {
      let place = reader.place(of: given.value("do") ?? key)
      reactions.steps.append(
        Step(
          interval: Step.Interval(period, .milliseconds), forward: draft.act, back: [],
          place: place))
      if given.key("do") == nil || phase != .begin {
        reader.report("repeat needs do, which it repeats, and begin as its phase", at: key)
      }
    }
    if let key = given.key("do") {
      if given.key(phase.rawValue) != nil {
        reader.report(
          "do and \(phase.rawValue) act at the same moment: keep one, or put both actions into one list",
          at: key)
      }
      switch phase {
      case .begin: reactions.begin = draft.act
      case .change:
        reactions.change = draft.act
        if kind == .hold, let phase = given.value("phase") {
          reader.report(GestureCondition.holdsStill, at: phase)
        }
      case .end: reactions.end = draft.act
      case .cancel: reactions.cancel = draft.act
      }
    } else if let key = given.key("phase") {
      reader.report("phase needs a do: it says when that acts", at: key)
    }
    // an unknown key may be the action
    if !given.hasUnknown, !given.pairs.contains(where: { acts.contains($0.name) }) {
      reader.report("the rule does nothing: give it do, as in do: {run: [foot]}", at: given.node)
    }
    checkSteps(draft.steps, kind, &reader)
    checkMoves(reactions, given, &reader)
    warnOfKeys(reactions, kind, given, &reader)
    return reactions
  }

  private static func warnOfKeys(
    _ reactions: Reactions, _ kind: GestureKind, _ given: Given, _ reader: inout Reader
  ) {
    let pressesKeys = reactions.change.contains { action in
      if case .keys = action.verb { true } else { false }
    }
    guard pressesKeys, kind.stepMeasure != nil,
      let key = given.key("change") ?? given.key("phase")
    else { return }
    reader.report(
      "these keys are pressed at every motion; steps press them at intervals, as in steps: {every:"
        + " \(kind.stepExample), forward: …}", at: key, severity: .warning)
  }

  private static func checkMoves(_ reactions: Reactions, _ given: Given, _ reader: inout Reader) {
    var others = reactions
    others.change = []
    guard others.hasMove, let key = given.pairs.last(where: { acts.contains($0.name) })?.key else {
      return
    }
    reader.report("move goes with change, as in change: {move: 1}", at: key)
  }

  private static func checkSteps(
    _ steps: [StepTable.Read], _ kind: GestureKind, _ reader: inout Reader
  ) {
    // steps of a gesture that has none are reported elsewhere
    guard KindRules.kinds(of: "steps")?.contains(kind) ?? true else { return }
    let unit = kind.stepMeasure?.units[0].word
    for read in steps where read.step.interval.unit.rawValue != unit {
      if read.step.interval.unit == .milliseconds {
        guard !read.step.back.isEmpty else { continue }
        let advice = read.step.forward.isEmpty ? "write forward instead of back" : "leave out back"
        reader.report("steps in time only go forward: \(advice)", at: read.interval)
      } else {
        let units = unit.map { "\($0) or ms" } ?? "ms"
        reader.report(
          "the steps of \(kind.withArticle) are in \(units), as in every: \(kind.stepExample)",
          at: read.interval)
      }
    }
  }
}

extension GestureCondition {
  fileprivate static let holdsStill = "a hold does not move: use repeat, or steps in time"

  fileprivate func check(_ given: Given, _ reader: inout Reader) {
    for (name, key, _) in given.pairs {
      guard let kinds = KindRules.kinds(of: name), !kinds.contains(kind) else { continue }
      reader.report(
        kind == .hold && name == "change"
          ? Self.holdsStill
          : "\(name) does not go with \(kind.name); it goes with \(String.list(kinds.map(\.name), "and"))",
        at: key)
    }
    checkFingers(given, &reader)
    checkSense(given, &reader)
    checkScale(given, &reader)
    checkConsuming(given, &reader)
  }

  private func checkFingers(_ given: Given, _ reader: inout Reader) {
    guard let fingers, let node = given.value("fingers") else { return }
    let range = kind.fingerRange
    let isOneDragged = kind == .drag && fingers.lowerBound == 1
    if fingers.lowerBound < range.lowerBound || fingers.upperBound > range.upperBound {
      let other =
        switch kind {
        case .swipe where fingers.upperBound == 2: "; with 2 it is a drag"
        case .drag where fingers.lowerBound >= 3: "; with 3 it is a swipe"
        case .drag, .swipe, .pinch, .rotate, .tap, .hold, .edgeSwipe: ""
        }
      reader.report(
        "\(kind.withArticle) has \(range.lowerBound)\(range.count == 2 ? " or" : " to") \(range.upperBound) fingers\(other)",
        at: node)
    } else if isOneDragged, isAfterTap != true {
      reader.report("a drag of one finger needs afterTap: true", at: node)
    } else if isAfterTap == true, fingers.upperBound > 1 {
      reader.report("a drag after a tap has 1 finger", at: node)
    }
  }

  /// The desktop acts on one- and two-finger strokes and on taps before Gliss can recognize them.
  private func checkConsuming(_ given: Given, _ reader: inout Reader) {
    guard consumes, KindRules.consumable.contains(kind), let key = given.key("consume"),
      (fingers ?? kind.fingerRange).lowerBound < 3
    else { return }
    reader.report(
      "only strokes of three fingers and more can be kept from the desktop: write fingers: 3, or leave out consume",
      at: key)
  }

  private func checkSense(_ given: Given, _ reader: inout Reader) {
    guard let sense, let node = given.value("direction") else { return }
    let senses = kind.senses
    // for a kind without directions the key itself is reported
    if !senses.isEmpty, !senses.contains(sense) {
      reader.report("\(kind.withArticle) goes \(String.list(senses.map(\.word)))", at: node)
    }
    if let edge, let outward = Self.outward[edge], sense == .towards(outward) {
      reader.report(
        "a finger that comes in over the \(edge.name) edge does not go \(sense.word)", at: node)
    }
  }

  /// The direction in which a finger leaves over each edge.
  private static let outward: [Edge: Direction] = [
    .left: .left, .right: .right, .top: .up, .bottom: .down,
  ]

  private func checkScale(_ given: Given, _ reader: inout Reader) {
    guard let scale, let bounds = given.value("scale") else { return }
    if sense == .inward, let minimum = scale.minimum, minimum >= 1 {
      reader.report(
        "a pinch that goes in becomes smaller than 1: write an upper bound, as in ..0.7", at: bounds
      )
    }
    if scale.maximum == nil, let minimum = scale.minimum, minimum < 1 {
      let number = minimum.written
      reader.report(
        sense == .outward
          ? "a pinch that goes out is always larger than \(number): write a number above 1"
          : "a pinch that goes in needs an upper bound: write ..\(number), or \(number)..1 for one that goes no further",
        at: bounds)
    }
    if sense == .outward, let maximum = scale.maximum, maximum <= 1 {
      reader.report(
        "a pinch that goes out becomes larger than 1: write a lower bound, as in 1.5..", at: bounds)
    }
  }
}

extension Form where Value == GestureCondition.Sense {
  /// Any direction word. A later check reports one that does not suit the kind of gesture.
  static var sense: Form {
    let kinds: [GestureKind] = [.swipe, .pinch, .rotate]
    let one = choice("a direction", kinds.flatMap(\.senses).map { ($0.word, $0) })
    return Form(one.words, schema: one.schema()) { node, reader in
      guard reader.yaml.isSequence(node) else { return one.read(node, &reader) }
      let items = reader.yaml.items(of: node)
      let axes: [Set<String>: String] = [
        ["left", "right"]: "horizontal", ["up", "down"]: "vertical",
      ]
      guard let axis = axes[Set(items.compactMap { reader.written($0) })] else {
        return one.read(node, &reader)
      }
      reader.report("only one direction can stand here: write \(axis)", at: node)
      return nil
    }
  }
}

/// What a rule can require of each kind of gesture.
extension GestureKind {
  package var fingerRange: ClosedRange<Int> {
    switch self {
    case .drag: 1...2
    case .pinch, .rotate: 2...5
    case .swipe: 3...5
    case .tap, .hold: 1...5
    case .edgeSwipe: 1...3
    }
  }

  package var senses: [GestureCondition.Sense] {
    switch self {
    case .drag, .swipe, .edgeSwipe:
      Direction.allCases.map { .towards($0) } + [.horizontal, .vertical]
    case .pinch: [.inward, .outward]
    case .rotate: [.clockwise, .counterclockwise]
    case .tap, .hold: []
    }
  }

  /// The unit of its steps; `nil` if it covers no distance on which they can be counted.
  var stepMeasure: Measure? {
    switch self {
    case .drag, .swipe, .edgeSwipe: .length
    case .pinch: .percent
    case .rotate: .turn
    case .tap, .hold: nil
    }
  }

  /// An interval of its steps, for advice.
  var stepExample: String { stepMeasure.map { "10 \($0.units[0].word)" } ?? "500 ms" }
}

/// The keys of a gesture's rule that are valid for some kinds only.
enum KindRules {
  static let moving: [GestureKind] = [.drag, .swipe, .edgeSwipe]
  static let going: [GestureKind] = GestureKind.allCases.filter { $0.stepMeasure != nil }
  static let consumable: [GestureKind] = going.filter { $0.fingerRange.upperBound > 2 }
  static let lasting: [GestureKind] = GestureKind.allCases.filter { $0 != .tap }

  static let only: [(key: String, kinds: [GestureKind])] = [
    ("direction", going), ("edge", [.edgeSwipe]), ("count", [.tap]), ("afterTap", [.drag]),
    ("travel", moving), ("scale", [.pinch]), ("turn", [.rotate]), ("speed", moving),
    ("duration", [.hold]), ("phase", lasting), ("begin", lasting), ("change", going),
    ("hold", lasting), ("linger", [.drag, .swipe]),
    ("cancel", lasting), ("steps", lasting), ("repeat", lasting),
    ("consume", consumable),
  ]

  /// The kinds that `key` is valid for; `nil` for all.
  static func kinds(of key: String) -> [GestureKind]? { only.first { $0.key == key }?.kinds }
}
