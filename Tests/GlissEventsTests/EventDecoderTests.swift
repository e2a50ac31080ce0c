import Foundation
import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

/// What the encoder writes is read back whole.
@Suite struct EventDecoderTests {
  private static let hotkeys = ["super+t", "super+k ; w", "tap:super", "super+'ö'"]
  private static let names = ["Pad", "ELAN0676 Touchpad", "\"\\\u{7f}\u{9f}é", ""]

  private func encoder() -> JSONLineEncoder {
    var encoder = JSONLineEncoder()
    for (number, text) in Self.hotkeys.enumerated() {
      encoder.hotkeys[HotkeyID(rawValue: UInt32(number))] = text
    }
    return encoder
  }

  private func lines(_ events: [GlobalEvent]) -> [[UInt8]] {
    var encoder = encoder()
    for event in events { encoder.append(event) }
    return encoder.buffer.bytes.split(separator: 10).map(Array.init)
  }

  /// Knows the hotkeys by the numbers of the encoder.
  private func decoder() -> EventDecoder {
    var decoder = EventDecoder()
    for text in Self.hotkeys { _ = decoder.hotkey(text) }
    return decoder
  }

  @Test(arguments: 0..<200) func readingAndWritingChangesNothing(_ index: Int) throws {
    var random = Seed.source("event schema", index)
    let events = (0..<30).map { _ in random.globalEvent(Self.names, hotkeys: Self.hotkeys.count) }
    let first = lines(events)
    var decoder = decoder()
    let decoded = try decoder.decode(first.map { try JSON(parsing: $0) }, endsLost: false)
    let second = lines(decoded)
    #expect(first.count == second.count, "\(Seed.advice)")
    for (written, again) in zip(first, second) where written != again {
      let (written, again) = (
        String(decoding: written, as: UTF8.self), String(decoding: again, as: UTF8.self)
      )
      #expect(written == again, "\(Seed.advice)")
    }
  }

  private func decode(_ text: String) throws -> GlobalEvent? {
    var decoder = EventDecoder()
    return try decoder.decode(try JSON(parsing: Array(text.utf8)))
  }

  @Test func aGestureWithoutCoordinatesSaysSo() throws {
    let text =
      #"{"time":1.5,"device":"Pad","kind":"gesture","gesture":"tap","#
      + #""phase":"recognized","fingers":2,"count":1,"later":{"x":[1]}}"#
    guard case .input(.gesture(let tap), "Pad")? = try decode(text) else {
      Issue.record("it is not a gesture")
      return
    }
    #expect(!tap.hasCentroid && tap.fingers == 2 && tap.scale == 1)
    #expect(tap.time == EventTime(microseconds: 1_500_000))
    #expect(!lines([.input(.gesture(tap), device: "Pad")]).isEmpty)
    let line = String(decoding: lines([.input(.gesture(tap), device: "Pad")])[0], as: UTF8.self)
    #expect(!line.contains("centroid"))
  }

  @Test func tapsInARowAreCountedWithoutALimit() throws {
    var tap = GestureEvent(
      time: .zero, device: DeviceID(rawValue: 0), kind: .tap, phase: .recognized, fingers: 1)
    tap.count = 1000
    let line = lines([.input(.gesture(tap), device: "Pad")])[0]
    guard case .input(.gesture(let read), _)? = try decode(String(decoding: line, as: UTF8.self))
    else {
      Issue.record("it is not a gesture")
      return
    }
    #expect(read.count == 1000)
    let coded = try JSONEncoder().encode(InputEvent.gesture(tap))
    guard case .gesture(tap) = try JSONDecoder().decode(InputEvent.self, from: coded) else {
      Issue.record("it is another gesture")
      return
    }
  }

  @Test func aLossOfADevicesEventsIsNoLossOfMessages() throws {
    let text = #"{"time":3.5,"device":"Pad","kind":"lost","since":0.25}"#
    guard case .input(.lost(let loss), "Pad")? = try decode(text) else {
      Issue.record("it is no loss of events")
      return
    }
    #expect(loss.time == EventTime(microseconds: 3_500_000))
    #expect(loss.since == EventTime(microseconds: 250_000))
    guard case .lost(12)? = try decode(#"{"kind":"lost","count":12}"#) else {
      Issue.record("it is no loss of messages")
      return
    }
  }

  /// Handlers take events by value on the hot path: what is rare must not make all of them larger.
  @Test func aFrameIsStillTheLargestEvent() {
    #expect(MemoryLayout<InputEvent>.size == MemoryLayout<TouchFrame>.size + 1)
  }

  @Test func theTouchesOfAFrameAreOneFrame() throws {
    let touches = [(1, "began", 0), (2, "moved", 0), (2, "ended", 0), (3, "moved", 1)].map {
      JSON.object([
        .init("time", .integer(Int64($0.2))), .init("device", "Pad"), .init("kind", "touch"),
        .init("id", .integer(Int64($0.0))), .init("phase", .string($0.1)),
        .init("position", [0, 1]), .init("position_mm", [0, 65]),
      ])
    }
    var decoder = EventDecoder()
    let frames = try decoder.decode(touches).map { event in
      guard case .input(.touch(let frame), _) = event else { return [0] }
      return [frame.touches.count, frame.fingerCount]
    }
    // the same touch cannot be in one frame twice, and the first one stays
    #expect(frames == [[2, 2], [2, 1], [2, 2]])
  }

  private func touch(_ id: Int64, _ phase: String, at time: Int64, x: Double = 0) -> JSON {
    [
      "time": .integer(time), "device": "Pad", "kind": "touch", "id": .integer(id),
      "phase": .string(phase), "position": [.decimal(x), 0], "position_mm": [.decimal(x), 0],
    ]
  }

  private func take(
    _ objects: [JSON], _ decoder: inout EventDecoder, endsLost: Bool = true
  ) throws -> [String] {
    words(try decoder.decode(objects, endsLost: endsLost))
  }

  /// Each touch of each frame as its number, phase and place, and the frame's count of fingers.
  private func words(_ events: [GlobalEvent]) -> [String] {
    events.map { event -> String in
      switch event {
      case .input(.touch(let frame), _):
        frame.touches.map { "\($0.id.serial) \($0.phase.rawValue) \($0.position.x)" }
          .joined(separator: ", ") + ": \(frame.fingerCount)"
      case .input(.gesture(let gesture), let device):
        "\(device) \(gesture.kind.name) \(gesture.phase.name)"
      case .input(.key(let key), let device): "\(device) \(key.key.name) \(key.state.name)"
      case .input(.button(let button), let device):
        "\(device) \(button.button.name) \(button.isDown)"
      case .input, .session: "other"
      case .lost(let count): "lost \(count)"
      }
    }
  }

  /// Those that did not change are not sent.
  @Test func aFrameHasAllTouchesOfItsDevice() throws {
    var decoder = EventDecoder()
    let touches = [
      touch(1, "began", at: 0, x: 1), touch(2, "began", at: 1, x: 2),
      touch(1, "moved", at: 2, x: 3), touch(1, "ended", at: 3, x: 3),
      touch(2, "ended", at: 4, x: 2),
    ]
    var told: [String] = []
    for touch in touches { told += try take([touch], &decoder) }
    #expect(
      told == [
        "1 began 1.0: 1", "2 began 2.0, 1 stationary 1.0: 2", "1 moved 3.0, 2 stationary 2.0: 2",
        "1 ended 3.0, 2 stationary 2.0: 1", "2 ended 2.0: 0",
      ])
  }

  /// Their touches have the same numbers.
  @Test func padsOfOneNameAreDifferentDevices() throws {
    var (encoder, decoder) = (JSONLineEncoder(), EventDecoder())
    for unit in [1, 2, 1] {
      var frame = TouchFrame(time: .zero, device: DeviceID(rawValue: 7))
      frame.touches.append(
        Touch(
          id: TouchID(device: frame.device, serial: 1), phase: .began, normalizedPosition: .zero,
          position: Vector2(x: Double(unit), y: 0)))
      encoder.append(.touch(frame), deviceName: "Pad", unit: unit)
    }
    let lines = encoder.buffer.bytes.split(separator: 10)
    #expect(String(decoding: lines[1], as: UTF8.self).contains(#""device":"Pad","unit":2,"#))
    let events = try lines.flatMap { try decoder.decode([try JSON(parsing: Array($0))]) }
    #expect(words(events) == ["1 began 1.0: 1", "1 began 2.0: 1", "1 began 1.0: 1"])
    let devices = events.map { event -> DeviceID? in
      if case .input(let input, "Pad") = event { input.device } else { nil }
    }
    #expect(devices[0] == devices[2] && devices[0] != devices[1])
    #expect(devices.map { $0.map { decoder.unit(of: $0) } } == [1, 2, 1])
  }

  private func drag(_ phase: String, at time: Int64) -> JSON {
    [
      "time": .integer(time), "device": "Pad", "kind": "gesture", "gesture": "drag",
      "phase": .string(phase), "fingers": 2,
    ]
  }

  private func key(_ state: String, at time: Int64) -> JSON {
    [
      "time": .integer(time), "device": "Board", "kind": "key", "key": "KEY_A",
      "state": .string(state),
    ]
  }

  private func button(_ state: String, at time: Int64) -> JSON {
    [
      "time": .integer(time), "device": "Mouse", "kind": "pointer", "button": "BTN_LEFT",
      "state": .string(state),
    ]
  }

  private static let loss: JSON = ["kind": "lost", "count": 7]

  @Test func aLossEndsWhatIsOpenUntilItBeginsAgain() throws {
    var decoder = EventDecoder()
    _ = try take(
      [
        touch(1, "began", at: 1, x: 1), drag("began", at: 1), key("down", at: 2),
        button("down", at: 3),
      ], &decoder)
    let ended = try take([Self.loss], &decoder)
    #expect(
      ended == [
        "1 cancelled 1.0: 0", "Pad drag cancelled", "Board KEY_A up", "Mouse BTN_LEFT false",
        "lost 7",
      ])
    let later = try take(
      [
        touch(1, "moved", at: 4, x: 2), drag("changed", at: 4), key("repeat", at: 4),
        touch(1, "ended", at: 5, x: 2), drag("ended", at: 5), key("up", at: 5),
        button("up", at: 5),
      ], &decoder)
    #expect(later == [])
    let again = try take(
      [
        touch(2, "began", at: 6, x: 5), drag("began", at: 6), drag("ended", at: 7),
        key("down", at: 8), key("up", at: 9),
      ], &decoder)
    #expect(
      again == [
        "2 began 5.0: 1", "Pad drag began", "Pad drag ended", "Board KEY_A down",
        "Board KEY_A up",
      ])
    // only what is open is ended
    let last = try take([Self.loss], &decoder)
    #expect(last == ["2 cancelled 5.0: 0", "lost 7"])
  }

  @Test func whatBeganInALossIsLeftOut() throws {
    var decoder = EventDecoder()
    _ = try take([touch(1, "began", at: 1), Self.loss], &decoder)
    let later = try take(
      [
        touch(9, "moved", at: 2), drag("changed", at: 2), key("repeat", at: 2),
        touch(9, "ended", at: 3), drag("ended", at: 3), key("up", at: 3), button("up", at: 3),
      ], &decoder)
    #expect(later == [])
    // beside a touch that has begun since, too
    let mixed = try take([touch(9, "moved", at: 4), touch(2, "began", at: 4, x: 5)], &decoder)
    #expect(mixed == ["2 began 5.0: 1"])
  }

  @Test func whatALossEndsHasTheTimeOfTheLatestEvent() throws {
    var decoder = EventDecoder()
    let objects = [key("down", at: 2), drag("began", at: 3), Self.loss]
    let events: [GlobalEvent] = try decoder.decode(objects, endsLost: true)
    try #require(events.count == 5)
    guard case .input(.key(let released), _) = events[2] else {
      Issue.record("\(events[2])")
      return
    }
    #expect(released.time == EventTime(microseconds: 3_000_000) && released.state == .up)
  }

  @Test func whoAsksWhatIsHeldGetsEventsAsTheyWereSent() throws {
    var decoder = EventDecoder()
    let told = try take(
      [key("down", at: 1), Self.loss, key("up", at: 2)], &decoder, endsLost: false)
    #expect(told == ["Board KEY_A down", "lost 7", "Board KEY_A up"])
  }

  @Test func aTouchThatMayHaveEndedInALossIsInFramesAgainWhenItChanges() throws {
    var decoder = EventDecoder()
    let told = try take(
      [
        touch(1, "began", at: 1, x: 1), Self.loss, touch(2, "began", at: 2, x: 5),
        touch(1, "moved", at: 3, x: 2),
      ], &decoder, endsLost: false)
    #expect(
      told == [
        "1 began 1.0: 1", "lost 7", "2 began 5.0: 1", "1 moved 2.0, 2 stationary 5.0: 2",
      ])
  }

  @Test func aFrameIsNeverOverfull() throws {
    let touches = (0..<40).map { serial in
      JSON.object([
        .init("time", 0), .init("device", "Pad"), .init("kind", "touch"),
        .init("id", .integer(Int64(serial))), .init("phase", "began"), .init("position", [0, 1]),
        .init("position_mm", [0, 65]),
      ])
    }
    var decoder = EventDecoder()
    #expect(try decoder.decode(touches).count == 3)
  }

  @Test(arguments: [
    #"{"kind":"smell","strength":3}"#, #"{"time":0,"kind":"session","state":"dreaming"}"#,
  ])
  func newerEventsAreLeftOut(_ text: String) throws {
    #expect(try decode(text) == nil)
  }

  @Test(
    arguments: [
      ("[]", "event"), (#"{"time":0,"device":"a"}"#, "kind"),
      (#"{"kind":"key","time":0}"#, "device"), (#"{"kind":"key","device":"a"}"#, "time"),
      (#"{"kind":"key","device":"a","time":"now"}"#, "time"),
      (#"{"kind":"key","device":"a","time":0,"key":"KEY_99999","state":"up"}"#, "key"),
      (#"{"kind":"key","device":"a","time":0,"key":"KEY_+84","state":"up"}"#, "key"),
      (#"{"kind":"key","device":"a","time":0,"key":"KEY_A","state":"sideways"}"#, "state"),
      (
        #"{"kind":"key","device":"a","time":0,"key":"KEY_A","state":"up","modifiers":["hyper"]}"#,
        "modifiers"
      ),
      (
        #"{"kind":"key","device":"a","time":0,"key":"KEY_A","state":"up","keysym":-1}"#, "keysym"
      ),
      (
        #"{"kind":"key","device":"a","time":0,"key":"KEY_A","state":"up","text":"0123456789abcdef"}"#,
        "text"
      ),
      (#"{"kind":"lost","count":1.5}"#, "count"), (#"{"kind":"session","time":0}"#, "state"),
      (#"{"kind":"scroll","device":"a","time":0,"source":"wheel","delta":[1]}"#, "delta"),
      (
        #"{"kind":"gesture","device":"a","time":0,"gesture":"tap","phase":"ended","fingers":2e3}"#,
        "fingers"
      ),
      (
        #"{"kind":"gesture","device":"a","time":0,"gesture":"tap","phase":"ended","fingers":-1}"#,
        "fingers"
      ),
      (
        #"{"kind":"touch","device":"a","time":0,"id":1,"phase":"began","position":[0,0],"position_mm":[0,0],"pressure":1e300}"#,
        "pressure"
      ),
      (#"{"kind":"pointer","device":"a","time":0,"button":"BTN_LEFT","state":3}"#, "state"),
    ])
  func aMistakeNamesItsMember(_ text: String, _ member: String) {
    let error = #expect(throws: SchemaError.self) { try decode(text) }
    #expect(error?.member == member)
  }

  @Test func anyNumberOfNamesIsTaken() {
    var decoder = EventDecoder()
    let numbers = (0..<3000).map { decoder.device("device \($0)").rawValue }
    #expect(Set(numbers).count == EventDecoder.longestTable + 1)
    #expect(decoder.device("device 7").rawValue == 7)
  }
}

extension RandomSource {
  mutating func place() -> Vector2 {
    // what is beyond 9 × 10^12 is written as that; a little below it the last decimal is a matter of luck
    if chance(0.1) { return Vector2(x: 1e14, y: -1e14) }
    let size = pick([1, 100, 1e6, 1e12])
    return Vector2(x: uniform(-size...size), y: uniform(-size...size))
  }

  fileprivate mutating func globalEvent(_ names: [String], hotkeys: Int) -> GlobalEvent {
    let time = EventTime(microseconds: Int64(integer(-1_000_000...1_000_000_000_000_000)))
    switch integer(0...9) {
    case 0: return .lost(Int64(integer(0...Int(Int32.max))))
    case 1: return .session(pick(SessionState.allCases), at: time)
    default:
      // devices get their numbers in the order they are met, so that a name has one
      let number = integer(0...names.count - 1)
      let device = DeviceID(rawValue: UInt32(number))
      return .input(input(at: time, device, hotkeys: hotkeys), device: names[number])
    }
  }

  mutating func input(at time: EventTime, _ device: DeviceID, hotkeys: Int) -> InputEvent {
    switch integer(0...8) {
    case 0: return .gesture(gesture(at: time, device))
    case 1: return .touch(frame(at: time, device))
    case 2: return .key(key(at: time, device))
    case 3:
      let button = Key(rawValue: UInt16(integer(0x110...0x117)))
      return .button(ButtonEvent(time: time, device: device, button: button, isDown: chance(0.5)))
    case 4: return .motion(MotionEvent(time: time, device: device, delta: place()))
    case 5:
      return .scroll(
        ScrollEvent(
          time: time, device: device, source: pick(ScrollEvent.Source.allCases), delta: place()))
    case 6:
      return .device(
        DeviceEvent(time: time, device: device, change: pick(DeviceEvent.Change.allCases)))
    case 7:
      let since = time + .milliseconds(Double(-integer(0...100_000)))
      return .lost(LossEvent(time: time, device: device, since: chance(0.5) ? since : nil))
    default:
      return .hotkey(
        HotkeyEvent(
          time: time, device: device, hotkey: HotkeyID(rawValue: UInt32(integer(0...hotkeys - 1))),
          phase: pick(HotkeyEvent.Phase.allCases), shouldAct: chance(0.5)))
    }
  }

  private mutating func gesture(at time: EventTime, _ device: DeviceID) -> GestureEvent {
    var event = GestureEvent(
      time: time, device: device, kind: pick(GestureKind.allCases),
      phase: pick(GesturePhase.allCases), fingers: integer(1...5))
    if event.kind == .tap { event.count = integer(1...3) }
    if chance(0.5) { event.direction = pick(Direction.allCases) }
    if chance(0.5) { event.direction8 = pick(Direction.allCases) }
    if chance(0.5) { event.edge = pick(Edge.allCases) }
    event.isAfterTap = chance(0.5)
    event.centroid = Vector2(x: unit(), y: unit())
    (event.translation.points, event.translation.millimetres, event.velocity) = (
      place(), place(), place()
    )
    (event.scale, event.rotation) = (logUniform(1e-3...1e6), normal())
    return chance(0.3) ? event.withoutCentroid : event
  }

  private mutating func frame(at time: EventTime, _ device: DeviceID) -> TouchFrame {
    var frame = TouchFrame(time: time, device: device)
    for serial in 0..<integer(1...TouchFrame.capacity) {
      var touch = Touch(
        id: TouchID(device: device, serial: UInt32(serial)), phase: pick(Touch.Phase.allCases),
        normalizedPosition: Vector2(x: unit(), y: unit()), position: place())
      touch.isResting = chance(0.5)
      frame.touches.append(touch)
    }
    return frame
  }

  private mutating func key(at time: EventTime, _ device: DeviceID) -> KeyEvent {
    KeyEvent(
      time: time, device: device, key: Key(rawValue: UInt16(integer(0...0x2ff))),
      state: pick(KeyEvent.State.allCases), modifiers: Modifiers(rawValue: UInt8(integer(0...255))),
      keysym: chance(0.5) ? 0 : UInt32(integer(1...0xffff_ffff)),
      text: pick(["", "a", "ö", "\"", "€€€€", "\u{1}"]))
  }
}
