import GlissEvents
import GlissGestures
import GlissSession
import GlissSynthesis
import TestSupport
import Testing

/// Touches beside keys, from events to gestures: times in ms.
@Suite struct TypingTests {
  private static func device(_ device: Device, bus: UInt16, product: UInt16) -> Device {
    var device = device
    device.identifier = Device.Identifier(bus: bus, vendor: 7, product: product)
    return device
  }

  private static let inside = device(.keyboard, bus: 0x11, product: 1)
  private static let plugged = device(.keyboard, bus: 0x03, product: 1)
  private static let pad = device(Pad.medium.device, bus: 0x18, product: 2)

  /// A stroke on a pad, and keys that are pressed and released at those times.
  private static func play(
    _ stroke: Stroke, at start: Int64, keys: [(Key, at: Int64)], on keyboard: Device = inside,
    pad: Device = pad, _ configuration: GestureConfiguration = .init()
  ) -> (ledger: Ledger, resting: Set<Bool>) {
    let rig = Rig(configuration)
    var resting: Set<Bool> = []
    rig.session.addHandler(matching: .touch) { event in
      guard case .touch(let frame) = event else { return }
      frame.touches.forEach { resting.insert($0.isResting) }
    }
    let (board, surface) = (rig.session.add(keyboard), rig.session.add(pad))
    let trace = stroke.trace(on: .medium, seed: 3)
    let first = trace.events.first?.time ?? .zero
    var events = trace.events.map { event in
      var event = event
      event.time = EventTime(microseconds: start * 1000) + (event.time - first)
      return (event, surface)
    }
    for (key, time) in keys {
      for (value, later) in [(1, 0), (0, 40)] as [(Int32, Int64)] {
        let time = EventTime(microseconds: (time + later) * 1000)
        events.append((.key(key, value, at: time), board))
        events.append((.report(at: time), board))
      }
    }
    // the sort keeps the order of those at the same time
    for (event, device) in events.enumerated().sorted(by: {
      ($0.element.0.time, $0.offset) < ($1.element.0.time, $1.offset)
    }).map(\.element) {
      rig.session.process(event, from: device)
    }
    rig.session.finish()
    rig.ledger.close()
    return (rig.ledger, resting)
  }

  private static func story(_ ledger: Ledger) -> [String] {
    ledger.gestures.filter { $0.phase != .changed }.map { "\($0.kind.name) \($0.phase.name)" }
  }

  @Test(
    arguments: [
      (50, [0], true), (199, [0], true), (201, [0], false),
      // several keys hold longer
      (400, [0, 100], true), (599, [0, 100], true), (601, [0, 100], false),
      // the second came when the first was over
      (520, [0, 250], false), (440, [0, 250], true),
    ] as [(Int64, [Int64], Bool)])
  func aTapWhileTypingIsNone(start: Int64, keys: [Int64], isIgnored: Bool) {
    let played = Self.play(.tap(fingers: 2), at: start, keys: keys.map { (Key.a, at: $0) })
    #expect(played.ledger.faults == [])
    #expect(Self.story(played.ledger) == (isIgnored ? [] : ["tap recognized"]))
    // what is ignored stays visible
    #expect(played.ledger.touchCount > 0)
    #expect(played.resting.contains(true) == isIgnored)
  }

  @Test func aPalmThatLiesThereWhileMoreIsTypedIsNoFingerEver() {
    // it lies there long after the typing
    let drag = Stroke.drag(by: Vector2(x: 30, y: 0)).with { $0.durationMilliseconds = 1500 }
    let played = Self.play(drag, at: 50, keys: [(.a, at: 0), (.a, at: 90)])
    #expect(played.ledger.faults == [])
    #expect(Self.story(played.ledger) == [])
    #expect(played.resting == [true])
  }

  @Test func fingersThatCameAfterTheLastKeyMakeAGestureOnceTypingIsOver() throws {
    let drag = Stroke.drag(by: Vector2(x: 40, y: 0)).with { $0.durationMilliseconds = 600 }
    let played = Self.play(drag, at: 150, keys: [(.a, at: 0)])
    #expect(played.ledger.faults == [])
    #expect(Self.story(played.ledger) == ["drag began", "drag ended"])
    #expect(played.resting == [true, false])
  }

  @Test func fingersThatCameAfterTheLastKeyAreNoTap() {
    let tap = Stroke.tap(fingers: 1)
    let late = Self.play(tap, at: 150, keys: [(.a, at: 0)])
    #expect(Self.story(late.ledger) == [])
    // they were seen to be fingers before they left
    #expect(late.resting == [true, false])
  }

  @Test func aKeyTypedBesideAFingerSpoilsItsTap() {
    #expect(
      Self.story(Self.play(.tap(), at: 0, keys: [(.leftShift, at: 30)]).ledger) == [
        "tap recognized"
      ])
    #expect(Self.story(Self.play(.tap(), at: 0, keys: [(.a, at: 30)]).ledger) == [])
  }

  @Test func aKeyTypedBesideAHoldCancelsIt() {
    let hold = Stroke.hold(fingers: 2)
    #expect(Self.story(Self.play(hold, at: 0, keys: []).ledger) == ["hold began", "hold ended"])
    let struck = Self.play(hold, at: 0, keys: [(.a, at: 700)])
    #expect(struck.ledger.faults == [])
    #expect(Self.story(struck.ledger) == ["hold began", "hold cancelled"])
    #expect(Self.story(Self.play(hold, at: 0, keys: [(.a, at: 300)]).ledger) == [])
  }

  @Test func aGestureUnderWayGoesOn() {
    let drag = Stroke.drag(by: Vector2(x: 40, y: 0))
    let played = Self.play(drag, at: 0, keys: [(.a, at: 200)])
    #expect(Self.story(played.ledger) == ["drag began", "drag ended"])
    #expect(played.resting == [false])
  }

  @Test(
    arguments: [
      // another keyboard than the one beneath which the pad is
      (Self.plugged, Self.pad), (Self.plugged, Self.device(Self.pad, bus: 0x03, product: 2)),
      (Self.inside, Self.device(Self.pad, bus: 0x05, product: 2)),
    ])
  func keyboardsElsewhereDisableNothing(keyboard: Device, pad: Device) {
    let played = Self.play(.tap(), at: 50, keys: [(.a, at: 0)], on: keyboard, pad: pad)
    #expect(Self.story(played.ledger) == ["tap recognized"])
    #expect(played.resting == [false])
  }

  @Test func itCanBeTurnedOff() throws {
    var configuration = GestureConfiguration()
    try configuration.set("typing.disables", to: 0)
    let played = Self.play(.tap(), at: 50, keys: [(.a, at: 0)], configuration)
    #expect(Self.story(played.ledger) == ["tap recognized"])
  }

  @Test func modifiersOfAnotherKeyboardMakeACommandToo() {
    let rig = Rig()
    let (board, other) = (rig.session.add(Self.inside), rig.session.add(Self.plugged))
    let pad = rig.session.add(Self.pad)
    var began: [Bool] = []
    rig.session.addHandler(matching: .touch) { event in
      guard case .touch(let frame) = event else { return }
      frame.touches.forEach { if $0.phase == .began { began.append($0.isResting) } }
    }
    func touch() {
      for event in Stroke.tap().trace(on: .medium, seed: 1).events {
        var event = event
        event.time = EventTime(microseconds: rig.now * 1000)
        rig.session.process(event, from: pad)
      }
    }
    rig.down(.leftControl, on: other, at: 1000)
    rig.down(.a, on: board, at: 1010)
    rig.up(.a, on: board, at: 1020)
    touch()
    rig.up(.leftControl, on: other, at: 1030)
    rig.down(.a, on: board, at: 1040)
    touch()
    #expect(began == [false, true])
  }

  @Test func aTouchscreenIsNowhereNearTheKeys() {
    var screen = Self.pad
    screen.properties = [.direct]
    screen.keys = [.touch]
    let played = Self.play(.tap(), at: 50, keys: [(.a, at: 0)], pad: screen)
    #expect(Self.story(played.ledger) == ["tap recognized"])
  }
}
