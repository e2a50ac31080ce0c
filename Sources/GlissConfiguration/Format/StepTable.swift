import GlissEvents
import GlissYaml

extension Form where Value == StepTable.Read {
  static let step = Form.table(
    { StepTable.table }, schema: { StepTable.table.schema }, start: { StepTable.Draft() },
    finish: { draft, given, reader in
      if given.key("forward") == nil, given.key("back") == nil {
        reader.report("the step does nothing: give it forward or back", at: given.node)
      }
      guard let every = draft.every, let node = given.value("every") else { return nil }
      let step = Step(
        interval: every, forward: draft.forward, back: draft.back,
        place: reader.place(of: given.node))
      return StepTable.Read(step: step, interval: node)
    })
}

enum StepTable {
  /// A step, and the place of its interval, which is not valid for every kind of gesture.
  struct Read {
    var step: Step
    var interval: YamlNode
  }

  struct Draft {
    var every: Step.Interval?
    var forward: [Action] = []
    var back: [Action] = []
  }

  static let table = Table<Draft>(
    name: "a step", summary: "Something that happens once for every so much of the way.",
    fields: [
      Field(
        "every", .interval,
        "From one step to the next: drags and swipes in mm, pinches in %, rotations in deg.",
        isRequired: true
      ) { $0.every = $1 },
      Field("forward", .actions, "Once for every step on, in the rule's direction.") {
        $0.forward = $1
      },
      Field("back", .actions, "Once for every step back.") { $0.back = $1 },
    ])
}

extension Form where Value == Step.Interval {
  /// The unit selects the kind of interval.
  static var interval: Form {
    let measures: [(Measure, @Sendable (Double) -> Step.Interval)] = [
      (.length, { .millimetres($0) }), (.percent, { .percent($0) }), (.turn, { .degrees($0) }),
    ]
    let forms = measures.map { Form<Double>.quantity($0.0) }
    let words = FormWords(
      what: "a length, share or angle with its unit", examples: ["10 mm", "10 %", "15 deg"])
    var form = Form(
      "",
      schema: {
        ["anyOf": .array(measures.map { $0.0.schema($0.0.valuePattern) })]
      }
    ) { node, reader in
      let text = reader.word(node) ?? ""
      let fitting = measures.firstIndex { measure, _ in
        measure.units.contains { text.hasSuffix($0.word) }
      }
      guard let fitting else {
        reader.expected(words, at: node)
        return nil
      }
      return forms[fitting].read(node, &reader).map(measures[fitting].1)
    }
    form.words = words
    return form
  }
}
