import GlissEvents
import GlissGestures
import GlissSession
import Testing

/// When a session is due, told on the clock of its events.
@Suite struct ClockTests {
  private static let keyboard = Device(name: "keyboard", keys: [.a, .leftShift])

  private static func seconds(_ seconds: Double) -> EventTime {
    EventTime(microseconds: Int64(seconds * 1_000_000))
  }

  @Test func aClockThatWasSetBackSaysWhenItIsDue() throws {
    let session = Session()
    session.keyRepeat = KeyRepeat(delay: .milliseconds(500), interval: .milliseconds(100))
    var times: [EventTime] = []
    session.addHandler(matching: .key) { times.append($0.time) }
    let device = session.add(Self.keyboard)
    session.process(.key(.leftShift, 1, at: Self.seconds(100)), from: device)
    session.process(.key(.a, 1, at: Self.seconds(10)), from: device)
    #expect(session.deadline == Self.seconds(10.5))
    for _ in 0..<3 { session.advance(to: try #require(session.deadline)) }
    #expect(session.deadline == Self.seconds(10.8))
    #expect(times.dropFirst(2).map { $0 - times[1] }.map(\.milliseconds) == [500, 600, 700])
  }

  @Test(arguments: [0, 1, 2])
  func dueEventsPrecedeAChangeOfDevices(_ what: Int) {
    let session = Session()
    session.keyRepeat = KeyRepeat(delay: .milliseconds(500), interval: .milliseconds(100))
    var times: [EventTime] = []
    session.addHandler(matching: [.key, .device]) { times.append($0.time) }
    let (device, other) = (session.add(Self.keyboard), session.add(Self.keyboard))
    session.process(.key(.a, 1, at: Self.seconds(1)), from: device)
    switch what {
    case 0: _ = session.add(Self.keyboard, at: Self.seconds(1.55))
    case 1: session.remove(other, at: Self.seconds(1.55))
    case _: session.cancel(device, at: Self.seconds(1.55))
    }
    #expect(times == [1, 1.5, 1.55].map { Self.seconds($0) })
  }

  /// A source that is short begins within the second by which events of one clock may be late.
  @Test func aSessionThatIsUsedAgainTimesTheNextSourceAnew() {
    let session = Session()
    var times: [EventTime] = []
    session.addHandler(matching: .key) { times.append($0.time) }
    for _ in 0..<2 {
      let device = session.add(Self.keyboard, at: .zero)
      for (value, time) in [(1, 0.1), (0, 0.2), (1, 0.3), (0, 0.4)] {
        session.process(.key(.a, Int32(value), at: Self.seconds(time)), from: device)
      }
      session.finish()
    }
    let intervals = zip(times.dropFirst(5), times.dropFirst(4)).map { ($0 - $1).milliseconds }
    #expect(times.count == 8 && intervals == [100, 100, 100])
  }
}

/// Each in a process of its own.
@Suite struct ClockExitTests {
  @Test func aHandlerThatAsksWhenItIsDueIsStopped() async {
    await #expect(processExitsWith: .failure) {
      let session = Session()
      session.addHandler { [unowned session] _ in _ = session.deadline }
      _ = session.add(Device(name: "keyboard", keys: [.a]), at: .zero)
    }
  }
}
