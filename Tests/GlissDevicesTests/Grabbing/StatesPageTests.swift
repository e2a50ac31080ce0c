import GlissEvents
import TestSupport
import Testing

@testable import GlissDevices

/// The diagram of docs/states.md is that of the machine.
@Suite struct StatesPageTests {
  @Test func grabs() throws {
    typealias Event = StateDiagram.Event<GrabMachine>
    var packet: [EvdevEvent] = []
    try StateDiagram(
      of: GrabMachine(),
      [
        Event("a hotkey is to be consumed") { $0.want(from: $1) },
        Event("no hotkey is to be consumed") { _ = $0.unwant(at: $1) },
        Event("grabbed, with no key down") { $0.took(at: $1) },
        Event("given back") { $0.gaveBack(at: $1) },
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
