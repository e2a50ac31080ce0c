import GlissEvents
import Testing

@testable import GlissAgent

/// What is read late, and what is done all the same. One rule of one gesture or press; times in ms.
@Suite struct TimelinessTests {
  private typealias Moment = Activation.Moment

  /// An activation, when it happened, and when it is known.
  private struct Step {
    var moment: Activation.Moment
    var time: Double
    var known: Double
    var acts = true
    var verdict: String
  }

  private static let gesture = Activation.Cause.gesture(
    GestureEvent(
      time: .zero, device: DeviceID(rawValue: 0), kind: .swipe, phase: .began, fingers: 3))
  private static let hotkey = Activation.Cause.hotkey(
    HotkeyEvent(
      time: .zero, device: DeviceID(rawValue: 0), hotkey: HotkeyID(rawValue: 0), phase: .pressed,
      shouldAct: true))

  private static func words(_ steps: [Step], _ cause: Activation.Cause) -> [String] {
    var machine = TimelinessMachine()
    return steps.map { step in
      let activation = Activation(
        time: .zero + .milliseconds(step.time), rule: 2, moment: step.moment, cause: cause,
        serial: 7
      )
      let now = EventTime.zero + .milliseconds(step.known)
      return switch machine.judge(activation, acts: step.acts, at: now) {
      case .act: "act"
      case .tooLate(let age): "too late \(age.microseconds / 1000)"
      case .cutShort(let age): "cut short \(age.microseconds / 1000)"
      case .pointless: "pointless"
      }
    }
  }

  private static let gestures: [(String, [Step])] = [
    (
      "in time, to the limit",
      [
        Step(moment: .begin, time: 0, known: 500, verdict: "act"),
        Step(moment: .end, time: 10, known: 510, verdict: "act"),
      ]
    ),
    (
      "all of it late: nothing is done, not even its end",
      [
        Step(moment: .begin, time: 0, known: 501, verdict: "too late 501"),
        Step(moment: .change, time: 10, known: 501, verdict: "pointless"),
        Step(moment: .end, time: 20, known: 501, verdict: "pointless"),
      ]
    ),
    (
      "begun in time, and read late from then on: it is cancelled",
      [
        Step(moment: .begin, time: 0, known: 5, verdict: "act"),
        Step(moment: .forward, time: 10, known: 3010, verdict: "too late 3000"),
        Step(moment: .end, time: 20, known: 3010, verdict: "cut short 2990"),
      ]
    ),
    (
      "begun in time, and cancelled late: what it has begun ends",
      [
        Step(moment: .begin, time: 0, known: 5, verdict: "act"),
        Step(moment: .cancel, time: 20, known: 3010, verdict: "act"),
      ]
    ),
    (
      "begun late, where it has nothing to do: its end in time is done",
      [
        Step(moment: .begin, time: 0, known: 900, acts: false, verdict: "act"),
        Step(moment: .end, time: 800, known: 900, verdict: "act"),
      ]
    ),
    (
      "a step or change is read late, and nothing before: it is skipped alone",
      [
        Step(moment: .begin, time: 0, known: 900, acts: false, verdict: "act"),
        Step(moment: .change, time: 5, known: 900, verdict: "too late 895"),
        Step(moment: .forward, time: 10, known: 900, verdict: "too late 890"),
        Step(moment: .back, time: 800, known: 900, verdict: "act"),
        Step(moment: .change, time: 850, known: 900, verdict: "act"),
        Step(moment: .end, time: 900, known: 901, verdict: "act"),
      ]
    ),
    (
      "a step is read late, and so is the end: nothing was begun that could be cut short",
      [
        Step(moment: .forward, time: 10, known: 900, verdict: "too late 890"),
        Step(moment: .end, time: 20, known: 900, verdict: "too late 880"),
      ]
    ),
    (
      "a step is read late, and the gesture is cancelled in time",
      [
        Step(moment: .forward, time: 10, known: 900, verdict: "too late 890"),
        Step(moment: .cancel, time: 890, known: 900, verdict: "act"),
      ]
    ),
    (
      "a tap, or an end alone, read late",
      [Step(moment: .end, time: 0, known: 700, verdict: "too late 700")]
    ),
    (
      "begun late, still under way when it is read: it must not end what was not begun",
      [
        Step(moment: .begin, time: 0, known: 900, verdict: "too late 900"),
        Step(moment: .cancel, time: 950, known: 951, verdict: "pointless"),
      ]
    ),
    (
      "a time that is yet to come is not late",
      [Step(moment: .end, time: 900, known: 0, verdict: "act")]
    ),
  ]

  private static let hotkeys: [(String, [Step])] = [
    (
      "pressed in time, released while nobody read: the release is done",
      [
        Step(moment: .end, time: 0, known: 1, verdict: "act"),
        Step(moment: .release, time: 100, known: 3000, verdict: "act"),
      ]
    ),
    (
      "pressed and released while nobody read: nothing is done",
      [
        Step(moment: .end, time: 0, known: 3000, verdict: "too late 3000"),
        Step(moment: .release, time: 100, known: 3000, verdict: "pointless"),
      ]
    ),
    (
      "pressed while nobody read, and released now: nothing is done",
      [
        Step(moment: .end, time: 0, known: 3000, verdict: "too late 3000"),
        Step(moment: .release, time: 3100, known: 3101, verdict: "pointless"),
      ]
    ),
    (
      "pressed while nobody read, and still held: its repeats act, and so does its release",
      [
        Step(moment: .end, time: 0, known: 3000, verdict: "too late 3000"),
        Step(moment: .end, time: 3000, known: 3001, verdict: "act"),
        Step(moment: .release, time: 3100, known: 3101, verdict: "act"),
      ]
    ),
    (
      "only its release does something, and is read late",
      [
        Step(moment: .end, time: 0, known: 1, acts: false, verdict: "act"),
        Step(moment: .release, time: 100, known: 3000, verdict: "too late 2900"),
      ]
    ),
  ]

  @Test(arguments: gestures.indices) func aGestureThatIsReadLateDoesNothingNew(_ index: Int) {
    let (what, steps) = Self.gestures[index]
    #expect(Self.words(steps, Self.gesture) == steps.map(\.verdict), "\(what)")
  }

  @Test(arguments: hotkeys.indices) func aHotkeyThatIsReadLateDoesNothingNew(_ index: Int) {
    let (what, steps) = Self.hotkeys[index]
    #expect(Self.words(steps, Self.hotkey) == steps.map(\.verdict), "\(what)")
  }
}
