import GlissEvents
import GlissHotkeys
import TestSupport
import Testing

/// The diagram of Tests/states.md is that of the machine.
@Suite struct StatesPageTests {
  @Test func sequences() throws {
    typealias Event = StateDiagram.Event<Rig>
    func play(_ name: String, after: Double = 1, _ script: String) -> Event {
      Event(name, after: after) { rig, time in
        rig.now = time.microseconds / 1000
        try rig.play(script)
      }
    }
    try StateDiagram(
      of: Rig(["super+k ; w"]), at: ["matcher", "state"],
      [
        play("its first chord", "+leftmeta +k -k -leftmeta"), play("its next chord", "+w -w"),
        play("another key", "+q -q"), play("Escape", "+esc -esc"),
        Event("the next one does not come in time", after: 5000) { $0.matcher.advance(to: $1) },
        Event("the input ends") { rig, _ in rig.take { $0.cancel(at: $1, emit: $2) } },
      ]
    ).expectDocumented(as: "sequences")
  }
}
