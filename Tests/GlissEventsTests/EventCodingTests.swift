import Foundation
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissEvents

/// Events and values as JSON, by `Codable`.
@Suite struct EventCodingTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func value<Value: Decodable>(_ text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

  /// What is read from what was written.
  private func returned<Value: Codable>(_ value: Value) throws -> Value {
    try self.value(try json(value))
  }

  @Test func anyEventIsReadAsItWasWritten() throws {
    var random = Seed.source("coding")
    for _ in 0..<2000 {
      let time = EventTime(microseconds: Int64(random.integer(-1_000_000...2_000_000_000_000_000)))
      let device = DeviceID(rawValue: UInt32(random.integer(0...Int(UInt32.max))))
      var event = random.input(at: time, device, hotkeys: 1 << 32)
      switch event {
      case .lost(var loss):
        loss.kinds = EventMask(rawValue: UInt32(random.integer(0...255)))
        event = .lost(loss)
      case .touch(var frame):
        frame.fingerCount = random.integer(0...20)
        (frame.isButtonDown, frame.isBoundingBox) = (random.chance(0.5), random.chance(0.5))
        frame.touches[0].major = Float(random.unit())
        frame.touches[0].pressure = Float(random.integer(0...255))
        event = .touch(frame)
      case .gesture, .key, .button, .motion, .scroll, .device, .hotkey: break
      }
      let back = try returned(event)
      #expect(try isSame(back, event), "\(event), \(Seed.advice)")
    }
  }

  /// Compares the payloads, which are also coded by themselves.
  private func isSame(_ a: InputEvent, _ b: InputEvent) throws -> Bool {
    switch (a, b) {
    case (.gesture(let a), .gesture(let b)): return try a == b && returned(b) == b
    case (.key(let a), .key(let b)): return try a == b && returned(b) == b
    case (.button(let a), .button(let b)): return try a == b && returned(b) == b
    case (.motion(let a), .motion(let b)): return try a == b && returned(b) == b
    case (.scroll(let a), .scroll(let b)): return try a == b && returned(b) == b
    case (.device(let a), .device(let b)): return try a == b && returned(b) == b
    case (.hotkey(let a), .hotkey(let b)): return try a == b && returned(b) == b
    case (.lost(let a), .lost(let b)): return try a == b && returned(b) == b
    case (.touch(let a), .touch(let b)):
      return try a.time == b.time && a.device == b.device && a.touches == b.touches
        && a.fingerCount == b.fingerCount && a.isButtonDown == b.isButtonDown
        && a.isBoundingBox == b.isBoundingBox && returned(b.touches[0]) == b.touches[0]
    default: return false
    }
  }

  /// The base is not written.
  @Test func aKeyWithABaseIsReadAsItWasWritten() throws {
    let key = KeyEvent(
      time: .zero, device: DeviceID(rawValue: 1), key: .a, state: .down, modifiers: .leftShift,
      keysym: 0x41, base: KeyBase(keysym: 0x61), typed: .none)
    let back = try returned(key)
    #expect(back == key && back.hashValue == key.hashValue && back.base != key.base)
  }

  @Test func aGestureIsReadable() throws {
    var event = GestureEvent(
      time: EventTime(microseconds: 1_250_000), device: DeviceID(rawValue: 3), kind: .swipe,
      phase: .ended, fingers: 3)
    event.direction = .left
    event.translation = Translation(millimetres: Vector2(x: -25.4, y: 0), gain: 2)
    let text = """
      {"centroid":[0,0],"device":3,"direction":"left","fingers":3,"gesture":"swipe",\
      "kind":"gesture","phase":"ended","time":1.25,"translation":[-144,0],\
      "translation_mm":[-25.4,0],"velocity_mm_s":[0,0]}
      """
    #expect(try json(event) == text)
    #expect(try value(text) == event)
  }

  @Test func aLineOfTheCommandIsReadToo() throws {
    var random = Seed.source("lines")
    for _ in 0..<200 {
      let event = random.input(at: EventTime(microseconds: 5), DeviceID(rawValue: 0), hotkeys: 1)
      var encoder = JSONLineEncoder()
      encoder.append(event, deviceName: "Pad")
      let line = String(decoding: encoder.buffer.bytes, as: UTF8.self)
        .split(separator: "\n").first.map(String.init)
      guard let line else { continue }
      let read: InputEvent = try value(line)
      #expect(read.mask == event.mask && read.time == event.time && read.device == event.device)
      // the names of all members are the same
      let names = try #require(JSON(parsing: Array(try json(read).utf8)).object).map(\.name)
      let printed = try #require(JSON(parsing: Array(line.utf8)).object).map(\.name)
      if read.mask != .touch { #expect(Set(names) == Set(printed), "\(line), \(Seed.advice)") }
    }
  }

  @Test(arguments: [
    (
      #"{"time":1,"device":0,"kind":"gesture","gesture":"wave","phase":"began","fingers":2}"#,
      "gesture"
    ),
    (#"{"time":1,"device":0,"kind":"key","key":"KEY_A","state":"down"}"#, "kind"),
    (#"{"device":0,"kind":"gesture","gesture":"drag","phase":"began","fingers":2}"#, "time"),
    (
      #"{"time":1,"device":-1,"kind":"gesture","gesture":"drag","phase":"began","fingers":2}"#,
      "device"
    ),
  ])
  func invalidMembersAreNamed(text: String, member: String) throws {
    let error = #expect(throws: DecodingError.self) { let _: GestureEvent = try value(text) }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == [member])
  }

  @Test func anEventOfAnotherProcessIsReadAsItWasWritten() throws {
    let time = EventTime(microseconds: 1_500_000)
    let key = KeyEvent(
      time: time, device: DeviceID(rawValue: 3), key: .t, state: .down, modifiers: [])
    let loss = LossEvent(time: time, device: DeviceID(rawValue: 3))
    let events: [GlobalEvent] = [
      .input(.key(key), device: "AT Keyboard"), .input(.key(key), device: ""),
      .input(.lost(loss), device: "Pad"), .session(.locked, at: time), .lost(7),
    ]
    for event in events { #expect(try json(returned(event)) == json(event)) }
    guard case .input(.key(let back), "AT Keyboard") = try returned(events[0]) else {
      Issue.record("\(events[0])")
      return
    }
    #expect(back == key)
  }

  @Test(arguments: [
    (#"{"time":1.5,"kind":"session","state":"locked"}"#, "the seat is locked"),
    (#"{"kind":"lost","count":4}"#, "4 missed"),
    (#"{"time":1.5,"device":"Pad","kind":"device","change":"added"}"#, "device 0 added on “Pad”"),
    (#"{"time":1.5,"device":"Pad","kind":"lost"}"#, "events of device 0 were lost on “Pad”"),
  ])
  func aLineOfTheBrokerIsRead(text: String, description: String) throws {
    let event: GlobalEvent = try value(text)
    #expect("\(event)" == description)
  }

  @Test(arguments: [
    (#"{"time":1,"kind":"session","state":"on fire"}"#, "state"), (#"{"kind":"lost"}"#, "count"),
    (#"{"time":1,"kind":"sneeze","device":0}"#, "kind"), ("[]", "event"),
  ])
  func invalidEventsOfOtherProcessesAreNamed(text: String, member: String) {
    #expect { let _: GlobalEvent = try value(text) } throws: { "\($0)".contains(member) }
  }

  @Test func valuesAreReadAsTheyWereWritten() throws {
    var random = Seed.source("values")
    for key in (0...0x2fe).map({ Key(rawValue: $0) }) { #expect(try returned(key) == key) }
    for bits in UInt8.min...UInt8.max {
      let (modifiers, mask) = (Modifiers(rawValue: bits), EventMask(rawValue: UInt32(bits)))
      #expect(try returned(modifiers) == modifiers && returned(mask) == mask)
      let classes = KeyClasses(rawValue: bits & 15)
      #expect(try returned(classes) == classes)
    }
    for _ in 0..<200 {
      let time = EventTime(microseconds: Int64(random.integer(-1 << 50...1 << 50)))
      #expect(try returned([time]) == [time], "\(Seed.advice)")
      let interval = time - .zero
      #expect(try returned([interval]) == [interval], "\(Seed.advice)")
      let motion = Translation(millimetres: random.place(), gain: random.unit())
      #expect(try returned(motion) == motion, "\(Seed.advice)")
    }
    let counts = [Key.volumeUp: 2, Key(rawValue: 0x2fe): 1]
    #expect(try json(counts) == #"{"KEY_766":1,"KEY_VOLUMEUP":2}"#)
    #expect(try returned(counts) == counts)
    #expect(try json([Modifiers.rightShift, .leftAlt]) == #"[["right-shift"],["alt"]]"#)
    #expect(try json([KeyEvent.State.repeat]) == #"["repeat"]"#)
    #expect(throws: DecodingError.self) { let _: [Key] = try value(#"["KEY_NOTHING"]"#) }
    #expect(throws: DecodingError.self) { let _: [Vector2] = try value("[[1,2,3]]") }
  }

  @Test func anyJSONValueIsReadAsItWasWritten() throws {
    let text = #"{"a":[1,-2.5,true,null,"x"],"b":{"c":[]}}"#
    let json = try JSON(parsing: Array(text.utf8))
    #expect(try self.json(json) == text)
    let back: JSON = try value(text)
    #expect(back["a"] == json["a"] && back["b"] == json["b"])
  }

  @Test func aDeviceIsReadAsItWasWritten() throws {
    let pad = Pad.medium.device
    #expect(try returned(pad) == pad)
    #expect(try json(pad) == json(returned(pad)))
    #expect(try value(#"{"name":"Pad"}"#) == Device(name: "Pad"))
  }
}
