import GlissEvents
import TestSupport
import Testing

@testable import GlissDevices

/// The diagram of docs/states.md is that of the machine.
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
}
