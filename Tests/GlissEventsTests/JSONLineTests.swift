import GlissEvents
import Testing

/// The one schema, byte for byte: what programs that read it rely on.
@Suite struct JSONLineTests {
  private func line(_ event: InputEvent, file: String? = nil) -> String {
    var encoder = JSONLineEncoder(origin: EventTime(microseconds: 1_000_000), file: file)
    encoder.append(event, deviceName: "Pad")
    return String(decoding: encoder.buffer.bytes, as: UTF8.self)
  }

  private static let time = EventTime(microseconds: 1_183_204)
  private static let device = DeviceID(rawValue: 0)

  private func gesture(
    _ kind: GestureKind, _ phase: GesturePhase, fingers: Int,
    _ change: (inout GestureEvent) -> Void = { _ in }
  ) -> InputEvent {
    var event = GestureEvent(
      time: Self.time, device: Self.device, kind: kind, phase: phase, fingers: fingers)
    event.centroid = Vector2(x: 0.51, y: 0.48)
    event.translation.points = Vector2(x: 3.1, y: -0.4)
    event.translation.millimetres = Vector2(x: 1.09, y: -0.14)
    event.velocity = Vector2(x: 12, y: -1.5)
    change(&event)
    return .gesture(event)
  }

  private let head = #"{"time":0.183204,"device":"Pad","kind":"gesture","#
  private let motion =
    #""translation":[3.100,-0.400],"translation_mm":[1.090,-0.140],"velocity_mm_s":[12.000,-1.500]"#

  @Test func aDrag() {
    #expect(
      line(gesture(.drag, .changed, fingers: 2)) == head
        + #""gesture":"drag","phase":"changed","fingers":2,"centroid":[0.5100,0.4800],"#
        + motion + "}\n")
  }

  @Test func aDragAfterATap() {
    #expect(
      line(gesture(.drag, .began, fingers: 1) { $0.isAfterTap = true }) == head
        + #""gesture":"drag","phase":"began","fingers":1,"afterTap":true,"#
        + #""centroid":[0.5100,0.4800],"# + motion + "}\n")
  }

  @Test(arguments: [GestureKind.pinch, .rotate]) func aPinchOrRotation(kind: GestureKind) {
    let event = gesture(kind, .ended, fingers: 3) {
      $0.scale = 1.18
      $0.rotation = -0.02
    }
    #expect(
      line(event) == head
        + #""gesture":"\#(kind.name)","phase":"ended","fingers":3,"centroid":[0.5100,0.4800],"#
        + motion + #","scale":1.1800,"rotation":-0.0200}"# + "\n")
  }

  @Test func aSwipe() {
    let event = gesture(.swipe, .cancelled, fingers: 4) {
      $0.direction = .left
      $0.direction8 = .downLeft
    }
    #expect(
      line(event) == head
        + #""gesture":"swipe","phase":"cancelled","fingers":4,"direction":"left","#
        + #""direction8":"downLeft","centroid":[0.5100,0.4800],"# + motion + "}\n")
  }

  @Test func anEdgeSwipe() {
    let event = gesture(.edgeSwipe, .changed, fingers: 1) {
      $0.direction = .right
      $0.direction8 = .right
      $0.edge = .left
    }
    #expect(
      line(event) == head
        + #""gesture":"edgeSwipe","phase":"changed","fingers":1,"direction":"right","#
        + #""direction8":"right","edge":"left","centroid":[0.5100,0.4800],"# + motion + "}\n")
  }

  @Test func aTap() {
    let event = gesture(.tap, .recognized, fingers: 2) { $0.count = 2 }
    #expect(
      line(event) == head
        + #""gesture":"tap","phase":"recognized","fingers":2,"count":2,"#
        + #""centroid":[0.5100,0.4800]}"# + "\n")
  }

  @Test func aHold() {
    #expect(
      line(gesture(.hold, .began, fingers: 1)) == head
        + #""gesture":"hold","phase":"began","fingers":1,"centroid":[0.5100,0.4800]}"# + "\n")
  }

  @Test func touchesHaveALineEachWhereTheyChanged() {
    var frame = TouchFrame(time: Self.time, device: Self.device)
    for (serial, phase) in [(7, Touch.Phase.began), (8, .stationary), (9, .ended)] {
      var touch = Touch(
        id: TouchID(device: Self.device, serial: UInt32(serial)), phase: phase,
        normalizedPosition: Vector2(x: 0.41, y: 0.55), position: Vector2(x: 41, y: 35.75))
      touch.isResting = phase == .ended
      frame.touches.append(touch)
    }
    let place = #""position":[0.4100,0.5500],"position_mm":[41.000,35.750]"#
    let head = #"{"time":0.183204,"device":"Pad","kind":"touch","#
    #expect(
      line(.touch(frame)) == head + #""id":7,"phase":"began",\#(place),"resting":false}"# + "\n"
        + head + #""id":9,"phase":"ended",\#(place),"resting":true}"# + "\n")
  }

  private let keyHead = #"{"time":0.183204,"device":"Pad","kind":"key","key":"KEY_T","state":"#

  @Test(arguments: [KeyEvent.State.down, .up, .repeat]) func aKey(state: KeyEvent.State) {
    let key = KeyEvent(
      time: Self.time, device: Self.device, key: Key(rawValue: 20), state: state, modifiers: [])
    #expect(line(.key(key)) == keyHead + #""\#(state.name)","modifiers":[]}"# + "\n")
  }

  @Test(
    arguments: [
      ([.leftSuper], #"["super"],"sides":["left-super"]"#),
      (
        [.rightSuper, .leftShift, .rightShift],
        #"["shift","super"],"sides":["left-shift","right-shift","right-super"]"#
      ),
      (
        [.rightControl, .leftControl, .leftAlt],
        #"["ctrl","alt"],"sides":["left-ctrl","right-ctrl"]"#
      ),
      // these have a word each
      ([.leftAlt, .rightAlt], #"["alt","altgr"]"#),
    ] as [(Modifiers, String)])
  func modifiersLeftAndRight(modifiers: Modifiers, words: String) {
    let key = KeyEvent(
      time: Self.time, device: Self.device, key: Key(rawValue: 20), state: .down,
      modifiers: modifiers)
    #expect(line(.key(key)) == keyHead + #""down","modifiers":\#(words)}"# + "\n")
  }

  @Test(
    arguments: [
      ("t", #""text":"t""#), ("\"", #""text":"\"""#), ("ß", #""text":"ß""#),
      ("\\", #""text":"\\""#),
    ])
  func aKeyThatTypes(text: String, encoded: String) throws {
    let key = KeyEvent(
      time: Self.time, device: Self.device, key: Key(rawValue: 20), state: .down, modifiers: [],
      keysym: 0x74, text: text)
    #expect(
      line(.key(key)) == keyHead + #""down","modifiers":[],"keysym":116,"# + encoded + "}\n")
  }

  @Test(arguments: [true, false]) func aButton(isDown: Bool) {
    let button = ButtonEvent(
      time: Self.time, device: Self.device, button: .leftButton, isDown: isDown)
    #expect(
      line(.button(button))
        == #"{"time":0.183204,"device":"Pad","kind":"pointer","button":"BTN_LEFT","#
        + #""state":"\#(isDown ? "down" : "up")"}"# + "\n")
  }

  @Test func theFileComesBeforeTheDeviceAndTimesMayBeBeforeTheFirst() {
    let button = ButtonEvent(
      time: EventTime(microseconds: 999_999), device: Self.device, button: .rightButton,
      isDown: true)
    #expect(
      line(.button(button), file: "a.yml")
        == #"{"time":-0.000001,"file":"a.yml","device":"Pad","kind":"pointer","#
        + #""button":"BTN_RIGHT","state":"down"}"# + "\n")
  }
}
