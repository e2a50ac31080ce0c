import GlissEvents
import TestSupport
import Testing

@testable import GlissGestures

/// The diagrams of Tests/states.md are those of the machines.
@Suite struct StatesPageTests {
  @Test func taps() throws {
    typealias Event = StateDiagram.Event<TapMachine>
    let place = Vector2(x: 10, y: 10)
    try StateDiagram(
      of: TapMachine(GestureConfiguration().tap),
      [
        Event("a finger lands") { $0.landed(count: 1, place: place, centroid: place, at: $1) },
        Event("another lands too late", after: 1000) { machine, time in
          guard machine.mayTap(at: EventTime(microseconds: time.microseconds - 1_000_000)) else {
            return
          }
          machine.landed(count: 2, place: place, centroid: place, at: time)
        },
        Event("a finger slides too far") { machine, _ in machine.moved(100) },
        Event("a click, a gesture or typing") { machine, _ in machine.spoil(.clicked) },
        Event("the last finger lifts") {
          _ = $0.lifted(remaining: 0, landed: $1...$1, place: .zero, centroid: .zero, at: $1)
        },
      ]
    ).expectDocumented(as: "taps")
  }

  @Test func holds() throws {
    typealias Event = StateDiagram.Event<HoldMachine>
    try StateDiagram(
      of: HoldMachine(GestureConfiguration().hold),
      [
        Event("a finger lands or lifts") { _ = $0.fingersChanged(to: 2, at: $1) },
        Event("the last finger lifts") { _ = $0.fingersChanged(to: 0, at: $1) },
        Event("they move too far") { machine, _ in _ = machine.moved(by: 100) },
        Event("they make another gesture") { machine, _ in _ = machine.fail() },
        Event("they have lain still long enough", after: 5000) { _ = $0.advance(to: $1) },
      ]
    ).expectDocumented(as: "holds")
  }
}
