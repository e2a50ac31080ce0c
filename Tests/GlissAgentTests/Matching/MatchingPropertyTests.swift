import GlissConfiguration
import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissAgent

@Suite struct MatchingPropertyTests {
  @Test(arguments: 0..<150) func itPrintsWhatTheReferencePrints(index: Int) {
    var random = Seed.source("matching", index)
    var draw = RuleDraw(random: random)
    let rules = (0..<draw.random.integer(1...40)).map { _ in draw.rule() }
    let device =
      draw.random.chance(0.8) ? RuleDevice(id: MatchingRig.pad, name: "Pad", kind: .touchpad) : nil
    var machine = MatchingRig.machine(rules)
    var reference = ReferenceMatcher(rules, device: device)
    if let device { machine.add(device) }
    random = draw.random
    var time: Int64 = 0
    for _ in 0..<12 {
      let mode = draw.mode()
      machine.enterMode(mode)
      reference.mode = mode
      let held = draw.modifiers() ?? []
      for event in draw.gesture(from: &time) {
        let told = Told()
        // the index must not depend on when time passes
        if draw.random.chance(0.3) { machine.advance(to: event.time) }
        machine.process(event, modifiers: held)
        told(machine.takeActivations())
        let expected = reference.process(event, modifiers: held)
        guard told.words == expected else {
          Issue.record(
            "\(told.words) instead of \(expected) at \(event) of \(rules) (\(Seed.advice))")
          return
        }
      }
    }
  }

  /// Any events at all, in any order.
  @Test(arguments: 0..<100) func everyBeginHasOneEnd(index: Int) {
    var draw = RuleDraw(random: Seed.source("pairs", index))
    let rules =
      (0..<20).map { _ in draw.rule(hasSteps: true) } + [
        MatchingRig.hotkeyRule(), MatchingRig.hotkeyRule(),
      ]
    var machine = MatchingRig.machine(rules)
    machine.bind([HotkeyID(rawValue: 7): [20, 21]])
    var open: Set<Int> = []
    func note(_ activation: Activation) {
      switch activation.moment {
      case .begin: #expect(open.insert(activation.rule).inserted, "\(Seed.advice)")
      case .end, .cancel:
        guard activation.rule < 20 else { return }
        if case .gesture(let gesture) = activation.cause, gesture.kind == .tap { return }
        #expect(open.remove(activation.rule) != nil, "\(Seed.advice)")
      case .change, .forward, .back:
        #expect(open.contains(activation.rule), "\(Seed.advice)")
      case .release: break
      }
    }
    var time: Int64 = 0
    for _ in 0..<300 {
      switch draw.random.integer(0...19) {
      case 0: machine.enterMode(draw.mode())
      case 1: machine.cancelAll(at: EventTime(microseconds: time))
      case 2: machine.remove(MatchingRig.pad, at: EventTime(microseconds: time))
      case 3: machine.add(RuleDevice(id: MatchingRig.pad, name: "Pad", kind: .touchpad))
      case 4:
        let phase = draw.random.pick(HotkeyEvent.Phase.allCases)
        machine.process(MatchingRig.hotkey(phase, time / 1000))
      case _:
        guard let event = draw.gesture(from: &time).randomElement(using: &draw.random) else {
          continue
        }
        machine.process(event, modifiers: draw.modifiers() ?? [])
      }
      machine.takeActivations().forEach(note)
    }
    machine.cancelAll(at: EventTime(microseconds: time))
    machine.takeActivations().forEach(note)
    #expect(open.isEmpty, "\(Seed.advice)")
    #expect(machine.deadline == nil)
  }
}

/// Rules and gestures of few values, so that bounds are often met exactly.
struct RuleDraw {
  var random: RandomSource

  mutating func mode() -> String? { random.pick([nil, nil, "a", "b"]) }

  mutating func modifiers() -> Modifiers? {
    random.pick([nil, nil, [], .leftSuper, .rightSuper, [.leftShift, .leftSuper], .rightAlt])
  }

  private mutating func bounds(_ values: [Double], _ chance: Double) -> Bounds? {
    guard random.chance(chance) else { return nil }
    let pair = [random.pick(values), random.pick(values)].sorted()
    return random.pick([
      Bounds(from: pair[0]), Bounds(from: pair[0], to: pair[1]), Bounds(to: pair[1]),
    ])
  }

  private static let lengths = [0.0, 3, 5, 10, 20]
  private static let scales = [0.5, 0.8, 1, 1.25, 2]
  private static let kinds: [GestureKind] = [
    .swipe, .swipe, .pinch, .hold, .rotate, .drag, .edgeSwipe,
  ]

  mutating func rule(hasSteps: Bool = false) -> Rule {
    let kind = random.pick(Self.kinds + (hasSteps ? [.tap] : []))
    var condition = GestureCondition(kind: kind)
    condition.fingers = random.pick([nil, 3...3, 3...4, 2...5])
    if random.chance(0.6) { condition.sense = sense(kind) }
    condition.travel = bounds(Self.lengths, 0.3)
    condition.scale = bounds(Self.scales, kind == .pinch ? 0.5 : 0)
    condition.turn = bounds([0, 10, 20, 30], kind == .rotate ? 0.5 : 0)
    condition.speed = bounds([0, 50, 100], 0.2)
    condition.duration = bounds([0, 100, 250, 250.5, 500], kind == .hold ? 0.7 : 0.05)
    condition.rest = bounds([0, 100, 300], 0.1)
    condition.modifiers = modifiers()
    if kind == .edgeSwipe { condition.edge = random.pick([nil, .left, .top]) }
    if kind == .drag { condition.isAfterTap = random.pick([nil, true, false]) }
    let match: DeviceMatch? = random.pick([
      nil, nil, DeviceMatch(name: "p*"), DeviceMatch(kind: .mouse), DeviceMatch(kind: .touchpad),
    ])
    return MatchingRig.rule(
      condition, mode: mode(), device: match, hasChange: random.chance(0.3),
      steps: hasSteps ? [.init(4, .millimetres), .init(10, .percent), .init(7, .degrees)] : [])
  }

  private mutating func sense(_ kind: GestureKind) -> GestureCondition.Sense {
    switch kind {
    case .pinch: random.pick([.inward, .outward])
    case .rotate: random.pick([.clockwise, .counterclockwise])
    case .drag, .swipe, .edgeSwipe, .tap, .hold:
      random.pick(Direction.allCases.map { .towards($0) } + [.horizontal, .vertical])
    }
  }

  /// A gesture from its beginning; some end as they should, some do not.
  mutating func gesture(from time: inout Int64) -> [GestureEvent] {
    let kind = random.pick(Self.kinds)
    let fingers = random.integer(2...5)
    let edge: Edge? = random.pick([nil, .left, .right])
    let isAfterTap = random.chance(0.3)
    var events: [GestureEvent] = []
    let count = random.integer(2...10)
    for step in 0..<count {
      time += random.pick([0, 10, 50, 100, 250]) * 1000
      let phase: GesturePhase =
        step == 0
        ? .began
        : step < count - 1 ? .changed : random.pick([.ended, .ended, .cancelled, .changed])
      var event = GestureEvent(
        time: EventTime(microseconds: time), device: MatchingRig.pad, kind: kind, phase: phase,
        fingers: fingers)
      (event.edge, event.isAfterTap) = (edge, isAfterTap)
      if step > 0 { move(&event) }
      events.append(event)
    }
    return events
  }

  private mutating func move(_ event: inout GestureEvent) {
    event.velocity.x = random.pick([0, 50, 100])
    switch event.kind {
    case .drag, .swipe, .edgeSwipe:
      let motion = Vector2(
        x: random.sign() * random.pick(Self.lengths), y: random.sign() * random.pick(Self.lengths))
      event.translation.millimetres = motion
      if event.kind != .drag {
        event.direction = Direction.ofFour(motion)
        event.direction8 = Direction.ofEight(motion)
      }
    case .pinch: event.scale = random.pick(Self.scales)
    case .rotate: event.rotation = random.sign() * random.pick([0, 10, 20, 30]) * .pi / 180
    case .hold, .tap: break
    }
  }
}
