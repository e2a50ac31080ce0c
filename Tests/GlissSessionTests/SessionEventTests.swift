import GlissEvents
import GlissHotkeys
import TestSupport
import Testing

@testable import GlissSession

/// Events of a session for a task.
@Suite struct SessionEventTests {
  @Test func aTaskTakesWhatWasReportedSince() async {
    let events: BufferedEvents<InputEvent>
    let gestures: BufferedEvents<GestureEvent>
    do {
      let session = Session()
      let keyboard = session.add(.keyboard)
      session.process(.key(.b, 1, at: EventTime(microseconds: 1)), from: keyboard)
      events = session.events(matching: .key)
      gestures = session.gestures()
      session.process(.key(.a, 1, at: EventTime(microseconds: 2)), from: keyboard)
      session.finish()
    }
    var keys: [String] = []
    for await event in events {
      if case .key(let key) = event { keys.append("\(key.key.name) \(key.state.name)") }
    }
    #expect(Set(keys) == ["KEY_A down", "KEY_A up", "KEY_B up"] && keys.count == 3)
    for await _ in gestures { Issue.record("there was no gesture") }
  }

  @Test func devicesOfOneNameAreNumbered() {
    let session = Session()
    let devices = (0..<3).map { _ in session.add(.keyboard) }
    #expect(devices.map { session.device($0)?.unit } == [1, 2, 3])
    session.remove(devices[1], at: .zero)
    #expect(session.device(session.add(.keyboard))?.unit == 2)
    #expect(session.device(session.add(Device(name: "Other")))?.unit == 1)
  }

  @Test func aSequenceThatIsDroppedEndsItsHandler() {
    let session = Session()
    let keyboard = session.add(.keyboard)
    _ = session.events()
    session.addHandler { _ in }
    #expect(session.handlers.handlerCount == 2)
    session.process(.key(.a, 1, at: EventTime(microseconds: 1)), from: keyboard)
    #expect(session.handlers.handlerCount == 1)
  }

  @Test func droppedSequencesDoNotAccumulateWithoutEvents() {
    let session = Session()
    let kept = session.gestures()
    for _ in 0..<100 {
      _ = session.events()
      _ = session.named.events(of: Hotkey.Name("talk"))
    }
    // the last one stays until the next event or sequence
    #expect(session.handlers.handlerCount == 2 && session.sequences.count == 2)
    #expect(session.named.handlerCount(of: Hotkey.Name("talk")) == 1)
    var iterator: BufferedEvents<InputEvent>.Iterator? = session.events().makeAsyncIterator()
    _ = session.events()
    #expect(session.handlers.handlerCount == 3)
    iterator = nil
    _ = (iterator, session.events())
    #expect(session.handlers.handlerCount == 2)
    withExtendedLifetime(kept) {}
  }
}
