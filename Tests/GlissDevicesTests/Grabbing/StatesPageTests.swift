import GlissEvents
import TestSupport
import Testing

@testable import GlissDevices

/// The diagrams of Tests/states.md are those of the machines.
@Suite struct StatesPageTests {
  @Test func grabs() throws {
    typealias Event = StateDiagram.Event<GrabMachine>
    var packet: [EvdevEvent] = []
    // it is given back only if the machine has asked for that
    var mustGiveBack = false
    try StateDiagram(
      of: GrabMachine(),
      [
        Event("a hotkey is to be consumed") { machine, time in
          mustGiveBack = false
          machine.want(from: time)
        },
        Event("no hotkey is to be consumed") { machine, time in
          if machine.unwant(at: time) == .giveBack { mustGiveBack = true }
        },
        Event("grabbed, with no key down") { $0.took(at: $1) },
        Event("the desktop would miss the pad's slot") { machine, _ in machine.postpone() },
        Event("a key is released") { machine, time in
          for event in [EvdevEvent.key(.touch, 1, at: time), .key(.touch, 0, at: time)] {
            _ = machine.process(event, into: &packet)
          }
        },
        Event("given back") { machine, time in
          if mustGiveBack { machine.gaveBack(at: time) }
          mustGiveBack = false
        },
        Event("all that was sent before has been read") { machine, _ in
          machine.cleared(into: &packet)
        },
        Event("the chord that ends all grabs, or an error") { machine, _ in
          _ = machine.leave(into: &packet)
        },
      ]
    ).expectDocumented(as: "grabs")
  }

  @Test func twins() throws {
    typealias Event = StateDiagram.Event<TwinRig>
    let fingers = FingerCounts([3])
    let land = { (rig: inout TwinRig, slot: Int) in
      guard rig.pad.slots[slot].id < 0 else { return }
      rig.land(slot, x: 200 + 100 * Int32(slot))
      rig.end()
    }
    try StateDiagram(
      of: #require(TwinRig(fingers)), at: ["machine", "state"],
      [
        Event("another finger lands") { rig, _ in
          // the thumb that rests would be another
          if let slot = (0..<4).first(where: { rig.pad.slots[$0].id < 0 }) { land(&rig, slot) }
        },
        Event("a finger of three has moved") { rig, _ in
          guard rig.pad.ids.count(where: { $0 >= 0 }) == 3 else { return }
          for slot in 0..<5 where rig.pad.slots[slot].id >= 0 {
            rig.put(slot, x: rig.pad.slots[slot].x, y: 320)
          }
          rig.end()
          for slot in 0..<5 where rig.pad.slots[slot].id >= 0 {
            rig.put(slot, x: rig.pad.slots[slot].x, y: 300)
          }
          rig.end()
        },
        Event("the last finger lifts") { rig, _ in
          for slot in 0..<5 where rig.pad.slots[slot].id >= 0 { rig.lift(slot) }
          rig.end()
          // without a verdict it waits
          rig.finish()
        },
        Event("a button goes down") { rig, _ in
          rig.press(true)
          rig.end()
          rig.press(false)
          rig.end()
        },
        Event("a rule has it") { rig, _ in rig.decide(keeps: true) },
        Event("no rule wants it") { rig, _ in rig.decide(keeps: false) },
        Event("no verdict comes") { rig, _ in rig.wait(milliseconds: 120) },
        Event("no rule consumes strokes any more") { rig, _ in
          rig.allow([])
          rig.allow(fingers)
        },
      ]
    ).expectDocumented(as: "twins")
  }
}
